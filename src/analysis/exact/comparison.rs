//! Rules and axioms side by side in one circuit, and the search for what tells them apart.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::analysis::exact::premises::require_premises;
use crate::analysis::exact::replay::Replay;
use crate::analysis::exact::verdict::{Doubt, Exactness, ExactnessVerdict, ProofTally};
use crate::circuit::ground::{Extension, ground_with};
use crate::circuit::sat::{Answer, Encoding, Literal, Solver};
use crate::circuit::{Circuit, Signal};
use crate::fluent::{Difference, GameAxioms, successor_rules};
use crate::gdl::{Game, MoveId, State, Vocabulary};
use crate::limits::{Limits, Progress, Stage};
use crate::term::TermId;

/// How much may be done for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactnessEffort {
    /// Instances of rules, those of the axioms included.
    pub max_rules: usize,
    /// Assignments that searches may infer, all of them together.
    pub steps: u64,
}

impl Default for ExactnessEffort {
    fn default() -> Self {
        Self {
            max_rules: 1_000_000,
            steps: 2_000_000_000,
        }
    }
}

/// Proves that progression by axioms gives what the rules give, or finds a state where it does not.
///
/// Whatever keeps it from an answer is the answer: [`ExactnessVerdict::Undecided`].
pub fn prove_exact(
    game: &Game,
    axioms: &GameAxioms,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
    effort: &ExactnessEffort,
) -> Exactness {
    match Comparison::new(game, axioms, vocabulary, limits, effort) {
        Ok(mut comparison) => comparison.decide(game, axioms, vocabulary, limits),
        Err(doubt) => Exactness {
            verdict: ExactnessVerdict::Undecided(doubt),
            tally: ProofTally {
                invariants: axioms.constraints.len(),
                ..ProofTally::default()
            },
        },
    }
}

/// Rules and axioms as signals over the same fluents and moves.
pub struct Comparison {
    circuit: Circuit,
    pairs: Vec<Pair>,
    solver: Solver,
    encoding: Encoding,
    /// What is assumed to have an invariant hold, in the order of the axioms.
    invariants: Vec<Literal>,
    /// The invariants that were of use.
    used: Vec<bool>,
    tally: ProofTally,
    progress: Progress,
}

/// Whether a fluent holds next.
#[derive(Clone, Copy)]
struct Pair {
    by_rules: Signal,
    by_axioms: Signal,
}

impl Comparison {
    /// Puts rules and axioms side by side.
    ///
    /// # Errors
    /// [`Doubt`] if they are too large for that.
    pub fn new(
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
        effort: &ExactnessEffort,
    ) -> Result<Self, Doubt> {
        let store = vocabulary.store_mut();
        let successor = successor_rules(store, axioms);
        let extension = Extension {
            rules: successor.rules,
            wanted: [successor.after].into_iter().collect(),
        };
        let program = ground_with(game, &extension, store, limits, effort.max_rules)?;
        let roles = game.roles().len();
        let circuit = Circuit::with_relation(store, &program, roles, successor.after);
        let (circuit, after) = circuit.map_err(Doubt::Circuit)?;
        let pairs = pairs(&circuit, after);
        let mut solver = Solver::new(limits.stop.clone(), effort.steps);
        let mut encoding = Encoding::new(&circuit.gates);
        let sat = (&mut solver, &mut encoding);
        let invariants = require_premises(store, axioms, &circuit, sat);
        Ok(Self {
            tally: ProofTally {
                fluents: pairs.len(),
                invariants: invariants.len(),
                gates: circuit.gates.len(),
                ..ProofTally::default()
            },
            used: vec![false; invariants.len()],
            circuit,
            pairs,
            solver,
            encoding,
            invariants,
            progress: limits.progress.clone(),
        })
    }

    /// Whether a state and a joint move are among those that the proof is about.
    pub fn admits(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> bool {
        let mut assumed = self.invariants.clone();
        let mut known = 0;
        for fluent in &self.circuit.fluents {
            let holds = state.contains(vocabulary.fluent(fluent.term));
            known += usize::from(holds);
            let gates = &self.circuit.gates;
            let literal = self.encoding.literal(&mut self.solver, gates, fluent.holds);
            assumed.push(literal.negated_if(!holds));
        }
        if known < state.len() {
            // A fluent that no state has.
            return false;
        }
        for (moves, &made) in self.circuit.moves.iter().zip(joint_move) {
            for mv in moves {
                let is_made = vocabulary.mv(mv.term) == made;
                let gates = &self.circuit.gates;
                let literal = self.encoding.literal(&mut self.solver, gates, mv.made);
                assumed.push(literal.negated_if(!is_made));
            }
        }
        self.solver.ask(&assumed) == Answer::Satisfiable
    }

    /// Decides fluent by fluent; a difference that the reasoners confirm ends the search.
    pub fn decide(
        &mut self,
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
    ) -> Exactness {
        let mut replay: Option<Replay> = None;
        let mut confirm = |vocabulary: &mut Vocabulary, state: &State, joint_move: &[MoveId]| {
            // Prepared at the first difference that is found: a proof without one needs no reasoner.
            if replay.is_none() {
                replay = Some(Replay::new(game, axioms, vocabulary, limits)?);
            }
            match &mut replay {
                Some(replay) => Ok(replay.difference(vocabulary, state, joint_move)?),
                None => Ok(None),
            }
        };
        let verdict = match self.search(vocabulary, &mut confirm) {
            Ok(verdict) => verdict,
            Err(doubt) => ExactnessVerdict::Undecided(doubt),
        };
        self.tally.used = self.used.iter().filter(|&&used| used).count();
        self.tally.variables = self.solver.variables();
        Exactness {
            verdict,
            tally: self.tally,
        }
    }

    fn search(
        &mut self,
        vocabulary: &mut Vocabulary,
        confirm: &mut Confirm<'_>,
    ) -> Result<ExactnessVerdict, Doubt> {
        let mut unconfirmed = 0;
        self.progress
            .begin(Stage::Proving, Some(self.pairs.len() as u64));
        for at in 0..self.pairs.len() {
            self.progress.reach(at as u64);
            let pair = self.pairs[at];
            // The same gate: equal without any search.
            if pair.by_rules == pair.by_axioms {
                self.tally.alike += 1;
                continue;
            }
            if !self.tells_apart(pair)? {
                self.tally.searched += 1;
                continue;
            }
            let (state, joint_move) = self.found(vocabulary);
            match confirm(vocabulary, &state, &joint_move)? {
                Some(difference) => return Ok(ExactnessVerdict::Refuted(difference)),
                // The search goes on: the next fluent may have a difference that the reasoners confirm.
                None => unconfirmed += 1,
            }
        }
        match unconfirmed {
            0 => {
                self.tally.vacuous = self.solver.ask(&self.invariants) == Answer::Unsatisfiable;
                Ok(ExactnessVerdict::Proved)
            }
            fluents => Err(Doubt::Unconfirmed { fluents }),
        }
    }

    /// Whether some state and joint move give two signals different values.
    fn tells_apart(&mut self, pair: Pair) -> Result<bool, Doubt> {
        let gates = &self.circuit.gates;
        let mut literal = |signal| self.encoding.literal(&mut self.solver, gates, signal);
        let (one, other) = (literal(pair.by_rules), literal(pair.by_axioms));
        // One has the value and the other has not, either way round.
        for differ in [[one, !other], [!one, other]] {
            let assumed = [&self.invariants[..], &differ].concat();
            match self.solver.ask(&assumed) {
                Answer::Satisfiable => return Ok(true),
                Answer::Stopped(reason) => return Err(Doubt::Stopped(reason)),
                Answer::Unsatisfiable => {
                    for (used, &invariant) in self.used.iter_mut().zip(&self.invariants) {
                        *used |= self.solver.is_blamed(invariant);
                    }
                }
            }
        }
        // What is equal may be used in what follows.
        // It was proved under the invariants only; that does not matter, as every later question assumes them too.
        self.solver.require([one, !other]);
        self.solver.require([!one, other]);
        Ok(false)
    }

    /// The state and the joint move that the last search has found. Fluents that it did not assign
    /// are taken not to hold.
    fn found(&self, vocabulary: &mut Vocabulary) -> (State, Vec<MoveId>) {
        let value = |signal| {
            let literal = self.encoding.known(&self.solver, signal);
            literal.is_some_and(|literal| self.solver.value(literal))
        };
        let fluents = self.circuit.fluents.iter();
        let fluents = fluents.filter(|fluent| value(fluent.holds));
        let state = fluents.map(|fluent| vocabulary.fluent(fluent.term));
        let state = state.collect();
        let made = self.circuit.moves.iter().flatten();
        let made = made.filter(|mv| value(mv.made));
        let joint_move = made.map(|mv| vocabulary.mv(mv.term)).collect();
        (state, joint_move)
    }
}

/// Asks the reasoners about a state and a joint move.
type Confirm<'c> =
    dyn FnMut(&mut Vocabulary, &State, &[MoveId]) -> Result<Option<Difference>, Doubt> + 'c;

/// For every fluent what rules and axioms say of the next state; last those that no rule gives.
fn pairs(circuit: &Circuit, after: Vec<(TermId, Signal)>) -> Vec<Pair> {
    let mut after: IndexMap<TermId, Signal, FxBuildHasher> = after.into_iter().collect();
    let mut pairs = Vec::with_capacity(after.len());
    for fluent in &circuit.fluents {
        // The order of what is left does not matter but must be always the same.
        let by_axioms = after.swap_remove(&fluent.term);
        pairs.push(Pair {
            by_rules: fluent.next,
            by_axioms: by_axioms.unwrap_or(Signal::FALSE),
        });
    }
    pairs.extend(after.into_values().map(|by_axioms| Pair {
        by_rules: Signal::FALSE,
        by_axioms,
    }));
    pairs
}
