//! What properties come down to: targets, each once, with the signals that have to be watched for them.

use std::ops::Range;

use crate::circuit::{Circuit, Payoff, Signal};
use crate::prove::condition::{Claim, Target, claims, unequal_sum};
use crate::prove::cover::{self, Covers};
use crate::prove::property::{Kind, Property, Question};
use crate::prove::prover::Subject;
use crate::prove::{application, branching};
use crate::term::{Store, TermId};

/// A property, and what it comes down to.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) means: Meant,
}

/// What decides a property.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    /// The numbers of targets, and whether they are to be reached.
    Claims(Vec<(usize, bool)>),
    /// That some role can force to win.
    Strong(Property),
    /// That plays end.
    End(Kind),
    /// A formula over the graph of states.
    Branching(branching::Watched),
    /// The targets, by number, that stand for rules or moves; none if they are not known.
    Covers(Option<Range<usize>>),
    /// That roles can be exchanged.
    Symmetry,
}

/// A target that is looked for, and where its signals stand among those that are watched.
pub(super) struct Watch {
    pub(super) target: Target,
    pub(super) places: Vec<[usize; 2]>,
}

/// Targets and the signals that they are made of, each once.
#[derive(Default)]
pub(super) struct Watches {
    pub(super) all: Vec<Watch>,
    pub(super) signals: Vec<Signal>,
    pub(super) covers: Covers,
}

impl Watches {
    /// What decides a property.
    pub(super) fn meant(
        &mut self,
        question: &Question,
        (subject, store): (Subject<'_>, &Store),
        circuit: &mut Circuit,
        sum: i64,
    ) -> Meant {
        let all = |watches: &mut Self, claims: Vec<Claim>| {
            let claims = claims.into_iter().map(|claim| watches.add(claim));
            Meant::Claims(claims.collect())
        };
        match question {
            Question::Named(property) if property.kind == Kind::ConstantSum => {
                let target = Target::State(unequal_sum(circuit, sum));
                let is_reached = false;
                all(self, vec![Claim { target, is_reached }])
            }
            Question::Named(property) => match (claims(circuit, *property), property.kind) {
                (Some(claims), _) => all(self, claims),
                (None, Kind::StronglyWinnable) => Meant::Strong(*property),
                (None, Kind::RulesApply) => {
                    let game = subject.game;
                    let rules = cover::rules(circuit, subject.rules, game, store);
                    let is_known =
                        !subject.rules.is_empty() || !application::may_apply(store, game);
                    Meant::Covers(is_known.then(|| self.covers.extend(rules)))
                }
                (None, Kind::Symmetric) => Meant::Symmetry,
                (None, Kind::MovesLegal) => {
                    let moves = cover::moves(circuit, property.role);
                    Meant::Covers(Some(self.covers.extend(moves)))
                }
                (None, kind) => Meant::End(kind),
            },
            Question::Formula(formula) => match formula.claim(circuit) {
                Some(claim) => all(self, vec![claim]),
                None => {
                    let mut place = |signal| self.place(signal);
                    let root = formula.root();
                    Meant::Branching(branching::Watched::of(root, circuit, &mut place))
                }
            },
        }
    }

    /// The number of the target of a claim, and whether it is to be reached.
    pub(super) fn add(&mut self, claim: Claim) -> (usize, bool) {
        let Claim { target, is_reached } = claim;
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
            self.all.push(Watch { target, places });
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
