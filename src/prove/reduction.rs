//! What properties come down to: targets, each once, with the signals that have to be watched for them.

use std::ops::Range;

use crate::circuit::{Circuit, Payoff, Signal};
use crate::prove::application::GroundedGame;
use crate::prove::condition::{claims, unequal_sum};
use crate::prove::cover::{self, Covers};
use crate::prove::property::{Property, PropertyKind, PropertyQuestion};
use crate::prove::target::{ReachClaim, Target};
use crate::prove::{application, branching};
use crate::term::{Store, TermId};

/// A property, and what it comes down to.
#[derive(Clone, Debug)]
pub(super) struct AskedProperty {
    pub(super) question: PropertyQuestion,
    pub(super) reduction: Reduction,
}

/// What decides a property.
#[derive(Clone, Debug)]
pub(super) enum Reduction {
    /// The numbers of targets, and whether they are to be reached.
    Claims(Vec<(usize, bool)>),
    /// That some role can force to win.
    Strong(Property),
    /// That plays end.
    End(PropertyKind),
    /// A formula over the graph of states.
    Branching(branching::WatchedFormula),
    /// The targets, by number, that stand for rules or moves; none if they are not known.
    Covers(Option<Range<usize>>),
    /// That roles can be exchanged.
    Symmetry,
}

/// A target that is looked for, and where its signals stand among those that are watched.
pub(super) struct WatchedTarget {
    pub(super) target: Target,
    pub(super) places: Vec<[usize; 2]>,
}

/// Targets and the signals that they are made of, each once.
#[derive(Default)]
pub(super) struct WatchedTargets {
    pub(super) all: Vec<WatchedTarget>,
    pub(super) signals: Vec<Signal>,
    pub(super) covers: Covers,
}

impl WatchedTargets {
    /// What decides a property.
    pub(super) fn reduced(
        &mut self,
        question: &PropertyQuestion,
        (subject, store): (GroundedGame<'_>, &Store),
        circuit: &mut Circuit,
        sum: i64,
    ) -> Reduction {
        let all = |watches: &mut Self, claims: Vec<ReachClaim>| {
            let claims = claims.into_iter().map(|claim| watches.add(claim));
            Reduction::Claims(claims.collect())
        };
        match question {
            PropertyQuestion::Named(property) if property.kind == PropertyKind::ConstantSum => {
                let target = Target::State(unequal_sum(circuit, sum));
                let is_reached = false;
                all(self, vec![ReachClaim { target, is_reached }])
            }
            PropertyQuestion::Named(property) => {
                match (claims(circuit, *property), property.kind) {
                    (Some(claims), _) => all(self, claims),
                    (None, PropertyKind::StronglyWinnable) => Reduction::Strong(*property),
                    (None, PropertyKind::RulesApply) => {
                        let game = subject.game;
                        let rules = cover::rules(circuit, subject.rules, game, store);
                        let is_known =
                            !subject.rules.is_empty() || !application::may_apply(store, game);
                        Reduction::Covers(is_known.then(|| self.covers.extend(rules)))
                    }
                    (None, PropertyKind::Symmetric) => Reduction::Symmetry,
                    (None, PropertyKind::MovesLegal) => {
                        let moves = cover::moves(circuit, property.role);
                        Reduction::Covers(Some(self.covers.extend(moves)))
                    }
                    (None, kind) => Reduction::End(kind),
                }
            }
            PropertyQuestion::Formula(formula) => match formula.claim(circuit) {
                Some(claim) => all(self, vec![claim]),
                None => {
                    let mut place = |signal| self.place(signal);
                    let root = formula.root();
                    Reduction::Branching(branching::WatchedFormula::of(root, circuit, &mut place))
                }
            },
        }
    }

    /// The number of the target of a claim, and whether it is to be reached.
    pub(super) fn add(&mut self, claim: ReachClaim) -> (usize, bool) {
        let ReachClaim { target, is_reached } = claim;
        // Properties that ask for the same state, as winning and weakly winnable do, share a target.
        let known = self.all.iter().position(|watch| watch.target == target);
        let number = known.unwrap_or_else(|| {
            let places = match &target {
                Target::State(signal) | Target::Move(signal) => vec![[self.place(*signal); 2]],
                Target::Step(pairs) => {
                    let pairs = pairs.iter();
                    pairs
                        .map(|pair| pair.map(|signal| self.place(signal)))
                        .collect()
                }
            };
            self.all.push(WatchedTarget { target, places });
            self.all.len() - 1
        });
        (number, is_reached)
    }

    fn place(&mut self, signal: Signal) -> usize {
        let known = self.signals.iter().position(|&other| other == signal);
        known.unwrap_or_else(|| {
            self.signals.push(signal);
            self.signals.len() - 1
        })
    }

    /// The circuit with the signals as payoffs of the first role.
    pub(super) fn circuit(&self, circuit: &Circuit) -> Circuit {
        let signals = self.signals.iter();
        // No goal value is asked for, so that any term will do.
        let payoffs = signals.map(|&signal| Payoff {
            term: TermId::from_index(0),
            value: None,
            signal,
        });
        let mut goals = vec![Vec::new(); circuit.moves.len().max(1)];
        goals[0] = payoffs.collect();
        let mut circuit = Circuit {
            goals,
            ..circuit.clone()
        };
        self.covers.watched(&mut circuit);
        circuit
    }
}
