//! Whether roles can be exchanged: a permutation of fluents and moves under which the rules say of one role what they
//! said of another.
//!
//! ```text
//! xplayer ↔ oplayer:  control(xplayer) ↔ control(oplayer), cell(X,Y,x) ↔ cell(X,Y,o), mark(X,Y) stays
//! ```
//!
//! It is a property of the rules in any set of fluents: the start may favour a role.
//! What is found is tried on made-up states. Where functions can be written in several ways, the others suggest a permutation,
//! and the solver proves that all functions agree. There is none if functions that can be written in one way only allow none, or
//! if those of one role depend on other numbers of fluents than those of the other.

use std::sync::Arc;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::Row;
use crate::circuit::symmetry::{Exchange, Exchanges, Start, TooMuchWork};
use crate::circuit::{Circuit, Probe, Signal};
use crate::prove::check;
use crate::prove::finding::{Finding, Method, Verdict};
use crate::prove::prover::prepare::Prover;
use crate::term::TermId;

/// Permutations of more roles than these are too many to be tried.
const MAX_ROLES: usize = 6;

/// Rounds of 256 made-up states that a permutation is tried on.
const ROUNDS: usize = 8;

impl Prover {
    /// Whether each role can take the place of the first one.
    pub(super) fn decide_symmetry(&mut self) -> Finding {
        let number = self.original.moves.len();
        let told = |verdict| Finding {
            verdict,
            method: Some(Method::Permutation),
            ..Finding::open(None)
        };
        if number > MAX_ROLES {
            return Finding::open(None);
        }
        let (circuit, stop) = (Arc::clone(&self.original), self.limits.stop.clone());
        let Ok(mut exchanges) = Exchanges::of(&circuit, &stop) else {
            return Finding::open(None);
        };
        let mut dependence = None;
        // One permutation for each role is enough: done one after the other, they put any role in the place of any.
        for role in 1..number {
            let mut is_exchanged = false;
            let roles = permutations(number).into_iter();
            for roles in roles.filter(|roles| roles[0] == role) {
                match exchanges.find(&roles, Start::Free) {
                    Ok(Some(exchange)) if self.confirms_exchange(&roles, &exchange) => {
                        is_exchanged = true;
                        break;
                    }
                    // A permutation that made-up states contradict is a fault of the search, and no refutation.
                    Ok(Some(_)) | Err(TooMuchWork) => {
                        let known = dependence.get_or_insert_with(|| self.dependence());
                        if !known.as_ref().is_some_and(|known| known.differs(&roles)) {
                            return Finding::open(None);
                        }
                    }
                    Ok(None) => {}
                }
            }
            if !is_exchanged {
                return told(Verdict::Refuted);
            }
        }
        told(Verdict::Proved)
    }

    /// On how many fluents payoffs and legal moves depend; none if that is too hard.
    fn dependence(&self) -> Option<Dependence> {
        let circuit = &*self.original;
        let payoffs = circuit.goals.iter().flatten().map(|payoff| payoff.signal);
        let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
        let functions: Vec<Signal> = payoffs.chain(legal).collect();
        let context = self.effort.check(circuit, &self.limits.stop);
        let mut sizes = check::support_sizes(context, &functions)?.into_iter();
        let payoffs = circuit.goals.iter().map(|own| {
            let terms = own.iter().map(|payoff| payoff.term);
            let mut own: Vec<_> = terms.zip(sizes.by_ref()).collect();
            own.sort_unstable();
            own
        });
        let payoffs = payoffs.collect();
        let moves = circuit.moves.iter().map(|own| {
            let mut own: Vec<usize> = sizes.by_ref().take(own.len()).collect();
            own.sort_unstable();
            own
        });
        let moves = moves.collect();
        Some(Dependence { payoffs, moves })
    }

    /// Whether two roles can be exchanged and the start stays what it is.
    pub(crate) fn has_equal_roles(&mut self) -> bool {
        let roles = [1, 0];
        if self.original.moves.len() != roles.len() {
            return false;
        }
        let (circuit, stop) = (Arc::clone(&self.original), self.limits.stop.clone());
        let exchanges = Exchanges::of(&circuit, &stop);
        let exchange = exchanges.and_then(|mut exchanges| exchanges.find(&roles, Start::Kept));
        let Ok(Some(exchange)) = exchange else {
            return false;
        };
        self.confirms_exchange(&roles, &exchange)
    }

    /// What payoffs add up to at all ends, if their sum is constant.
    pub(crate) fn sum(&self) -> i64 {
        self.sum
    }

    /// Whether next states, legal moves, ends and payoffs are those of their images: tried on made-up states, and where
    /// sums do not tell it, proved.
    fn confirms_exchange(
        &mut self,
        roles: &[usize],
        Exchange { images, is_proved }: &Exchange,
    ) -> bool {
        let circuit = &*self.original;
        // Moves are numbered behind the fluents, role by role.
        let mut start = circuit.fluents.len();
        let starts = circuit.moves.iter().map(|own| {
            start += own.len();
            start - own.len()
        });
        let mut exchange = TriedExchange {
            circuit,
            roles,
            images,
            starts: starts.collect(),
            own: Probe::new(circuit, &mut self.random),
            exchanged: Probe::new(circuit, &mut self.random),
        };
        (0..ROUNDS).all(|_| exchange.agrees(&mut self.random))
            && (*is_proved || {
                let context = self.effort.check(circuit, &self.limits.stop);
                check::is_exchange(context, roles, images)
            })
    }
}

/// On how many fluents functions depend, by role.
struct Dependence {
    /// Each payoff, by what it is.
    payoffs: Vec<Vec<(TermId, usize)>>,
    /// The legal moves, ascending, as any may become any.
    moves: Vec<Vec<usize>>,
}

impl Dependence {
    /// Whether the functions of some role depend on other numbers of fluents than those of the role that becomes of it, so
    /// that no permutation makes one of the other.
    fn differs(&self, roles: &[usize]) -> bool {
        let mut pairs = roles.iter().enumerate();
        pairs.any(|(role, &to)| {
            self.payoffs[role] != self.payoffs[to] || self.moves[role] != self.moves[to]
        })
    }
}

/// A permutation of roles, fluents and moves with two evaluations of the circuit: of a state, and of its image.
struct TriedExchange<'e> {
    circuit: &'e Circuit,
    /// By role, the one that it becomes.
    roles: &'e [usize],
    /// By number of fluent or move, that which it becomes.
    images: &'e [usize],
    /// By role, the number of its first move.
    starts: Vec<usize>,
    own: Probe,
    exchanged: Probe,
}

impl TriedExchange<'_> {
    /// The place, among those of the other role, of the move that a move becomes.
    fn image(&self, role: usize, mv: usize) -> usize {
        self.images[self.starts[role] + mv] - self.starts[self.roles[role]]
    }

    /// Whether the rules say the same of 256 states and joint moves, made up by chance, and of their images.
    fn agrees(&mut self, random: &mut Xoshiro256PlusPlus) -> bool {
        let fluents = 0..self.circuit.fluents.len();
        // No play need reach them: a permutation of the rules holds in any set of fluents.
        let state: Vec<Row> = fluents.map(|_| random.random()).collect();
        let mut image = state.clone();
        for (place, row) in state.iter().enumerate() {
            image[self.images[place]] = *row;
        }
        self.own.enter(&state);
        self.exchanged.enter(&image);
        self.own.terminal() == self.exchanged.terminal()
            && self.has_same_moves(random)
            && self.has_same_payoffs()
            && self.has_same_next()
    }

    /// Whether legal moves are those of the image; makes moves by chance in both.
    fn has_same_moves(&mut self, random: &mut Xoshiro256PlusPlus) -> bool {
        for (role, own) in self.circuit.moves.iter().enumerate() {
            let to = self.roles[role];
            let is_legal = |mv: usize| {
                self.own.legal(role, mv) == self.exchanged.legal(to, self.image(role, mv))
            };
            if !(0..own.len()).all(is_legal) {
                return false;
            }
            self.own.clear(role);
            self.exchanged.clear(to);
            if own.is_empty() {
                continue;
            }
            // One move in each quarter of the lanes.
            for quarter in 0..4 {
                let mv = random.random_range(0..own.len());
                let mut rows = self.own.made(role, mv);
                rows[quarter] = u64::MAX;
                self.own.make(role, mv, rows);
                let image = self.image(role, mv);
                self.exchanged.make(to, image, rows);
            }
        }
        true
    }

    /// Whether each goal value of a role is had where the other role has it in the image.
    fn has_same_payoffs(&mut self) -> bool {
        self.own.score();
        self.exchanged.score();
        let mut roles = self.circuit.goals.iter().enumerate();
        roles.all(|(role, own)| {
            let to = self.roles[role];
            own.iter().enumerate().all(|(place, payoff)| {
                let mut others = self.circuit.goals[to].iter();
                let same = others.position(|other| other.term == payoff.term);
                same.is_some_and(|same| {
                    self.own.payoff(role, place) == self.exchanged.payoff(to, same)
                })
            })
        })
    }

    fn has_same_next(&mut self) -> bool {
        self.own.step();
        self.exchanged.step();
        let mut fluents = 0..self.circuit.fluents.len();
        fluents.all(|place| self.own.next(place) == self.exchanged.next(self.images[place]))
    }
}

/// All permutations of so many roles, in lexicographic order.
fn permutations(number: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..number {
        let longer = all.into_iter().flat_map(|start| {
            let rest = (0..number).filter(|one| !start.contains(one));
            let rest: Vec<usize> = rest.collect();
            rest.into_iter()
                .map(move |one| [&start[..], &[one]].concat())
        });
        all = longer.collect();
    }
    all
}
