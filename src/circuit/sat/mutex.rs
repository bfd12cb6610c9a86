//! Pairs of fluents that never hold together, by induction over moves; a fluent that never holds at all
//! is a pair with itself.
//!
//! No pair that holds together in a state that was seen excludes each other. Of the others it is assumed
//! that they do, and asked whether a move leads from such a state to one where they do not: what does not
//! stand this is given up, until the rest stands it together.
//!
//! Source: Rintanen, A Planning Algorithm not based on Directional Search, KR 1998, finds invariants of
//! two literals so, by syntax; the questions to a solver are those of van Eijk, Sequential Equivalence
//! Checking Based on Structural Similarities, 2000.

use fixedbitset::FixedBitSet;

use crate::circuit::assemble::Circuit;
use crate::circuit::sat::cardinality::Requirement;
use crate::circuit::sat::solver::{Answer, Literal, Solver};
use crate::circuit::sat::transition::Transition;
use crate::limits::{StopFlag, StopReason};

/// Fluents of which pairs are tried, at most.
const MAX_FLUENTS: usize = 4_000;

/// For each fluent, those that may exclude it.
pub(crate) struct Mutexes {
    rows: Vec<FixedBitSet>,
}

impl Mutexes {
    /// All pairs but those that hold together where plays begin; none if there are too many fluents.
    pub(crate) fn candidates(circuit: &Circuit, start: &FixedBitSet) -> Option<Self> {
        let number = circuit.fluents.len();
        if number > MAX_FLUENTS {
            return None;
        }
        let mut all = FixedBitSet::with_capacity(number);
        all.insert_range(..);
        let mut candidates = Self {
            rows: vec![all; number],
        };
        candidates.strike(start);
        Some(candidates)
    }

    /// Gives up pairs until the rest stands induction.
    ///
    /// # Errors
    /// [`StopReason`] if that takes more than so many assignments; it can be gone on with.
    pub(crate) fn prove(
        &mut self,
        circuit: &Circuit,
        invariants: &[Requirement],
        stop: &StopFlag,
        mut steps: u64,
    ) -> Result<(), StopReason> {
        // Each round assumes the pairs that are left and gives up those that a move breaks. A round without loss is
        // the proof.
        loop {
            let mut induction = Induction::new(circuit, invariants, self, (stop.clone(), steps));
            if induction.refine(self)? {
                return Ok(());
            }
            steps = steps.saturating_sub(induction.solver.spent());
        }
    }

    /// Gives up what holds together in a state.
    pub(crate) fn strike(&mut self, state: &FixedBitSet) {
        for place in state.ones() {
            // All fluents of the state hold together: none of them excludes another, or itself.
            self.rows[place].difference_with(state);
        }
    }

    /// The pairs that are left.
    pub(crate) fn pairs(&self) -> Vec<Requirement> {
        let is_never = |place: usize| self.rows[place].contains(place);
        let mut pairs = Vec::new();
        for (one, row) in self.rows.iter().enumerate() {
            if is_never(one) {
                pairs.push(Requirement::Never(one));
                continue;
            }
            let others = row.ones().filter(|&other| other > one && !is_never(other));
            pairs.extend(others.map(|other| Requirement::AtMostOne(vec![one, other])));
        }
        pairs
    }
}

/// A state, a move and the next state.
struct Induction {
    solver: Solver,
    /// The fluents of the next state.
    next: Vec<Literal>,
}

impl Induction {
    fn new(
        circuit: &Circuit,
        invariants: &[Requirement],
        mutexes: &Mutexes,
        (stop, steps): (StopFlag, u64),
    ) -> Self {
        let mut solver = Solver::new(stop, steps);
        let pairs = mutexes.pairs();
        let Transition { next, .. } =
            Transition::new(circuit, invariants.iter().chain(&pairs), &mut solver);
        Self { solver, next }
    }

    /// Gives up what a move can break; says whether that is nothing.
    fn refine(&mut self, mutexes: &mut Mutexes) -> Result<bool, StopReason> {
        let mut is_proved = true;
        for place in 0..self.next.len() {
            // A model refutes more than the pair that was asked for: the whole next state is struck.
            while let Some(state) = self.breaks(place, &mutexes.rows[place])? {
                mutexes.strike(&state);
                is_proved = false;
            }
        }
        Ok(is_proved)
    }

    /// A next state that has a fluent and one of others.
    fn breaks(
        &mut self,
        place: usize,
        others: &FixedBitSet,
    ) -> Result<Option<FixedBitSet>, StopReason> {
        let never = !self.solver.truth();
        // A fluent that never holds excludes all others by that, so that only itself is asked for.
        let is_never = others.contains(place);
        let others: Vec<Literal> = others
            .ones()
            .filter(|&other| {
                if is_never {
                    other == place
                } else {
                    other > place
                }
            })
            .map(|other| self.next[other])
            .filter(|&next| next != never)
            .collect();
        if others.is_empty() || self.next[place] == never {
            return Ok(None);
        }
        // One question for a whole row, behind an activation literal.
        let some = self.solver.variable();
        self.solver.require(others.into_iter().chain([!some]));
        let answer = self.solver.ask(&[some, self.next[place]]);
        let found = (answer == Answer::Satisfiable).then(|| self.solver.held(&self.next));
        // The question is not asked again.
        self.solver.require([!some]);
        match answer {
            Answer::Stopped(reason) => Err(reason),
            Answer::Satisfiable | Answer::Unsatisfiable => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::ground;
    use crate::circuit::sat::equivalence::read;
    use crate::gdl::{Reasoner, RoleId, State, Vocabulary};
    use crate::limits::Limits;
    use crate::term::Store;

    const RULES: &str = "
        (role player) (number 1) (number 2)
        (<= (init (cell ?x ?y empty)) (number ?x) (number ?y))
        (<= (legal player (put ?x ?y ?n))
            (true (cell ?x ?y empty)) (number ?n) (not (in_row ?x ?n)) (not (in_column ?y ?n)))
        (<= (in_row ?x ?n) (true (cell ?x ?y ?n)))
        (<= (in_column ?y ?n) (true (cell ?x ?y ?n)))
        (<= (next (cell ?x ?y ?n)) (does player (put ?x ?y ?n)))
        (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)) (not (filled ?x ?y)))
        (<= (filled ?x ?y) (does player (put ?x ?y ?n)))
        (<= open (legal player ?m))
        (<= terminal (not open))
        (goal player 0)";

    /// A Latin square of two rows: everything that excludes each other in it does so by induction.
    #[test]
    fn pairs_are_those_that_no_state_has() -> Result<(), Box<dyn std::error::Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "square", RULES.as_bytes().to_vec())?;
        let limits = Limits::default();
        let program = ground::ground(&game, &mut store, &limits, 1_000)?;
        let circuit = Circuit::new(&mut store, &program, 1)?;
        let mut vocabulary = Vocabulary::new(store);

        let mut reasoner = game.tabled(&mut vocabulary, limits)?;
        let initial = reasoner.initial_state(&mut vocabulary)?;
        let places = |vocabulary: &mut Vocabulary, state: &State| {
            let mut held = FixedBitSet::with_capacity(circuit.fluents.len());
            let fluents = circuit.fluents.iter().enumerate();
            let places = fluents.filter(|(_, f)| state.contains(vocabulary.fluent(f.term)));
            held.extend(places.map(|(place, _)| place));
            held
        };
        let start = places(&mut vocabulary, &initial);
        let mut mutexes = Mutexes::candidates(&circuit, &start).ok_or("few fluents")?;
        let too_few = mutexes.prove(&circuit, &[], &StopFlag::default(), 0);
        assert_eq!(too_few, Err(StopReason::StepLimit(0)));
        let is_proved = mutexes.prove(&circuit, &[], &StopFlag::default(), 1_000_000);
        assert_eq!(is_proved, Ok(()));

        let mut together = Mutexes::candidates(&circuit, &start).ok_or("few fluents")?;
        let player = RoleId(0);
        let mut open = vec![initial];
        while let Some(state) = open.pop() {
            together.strike(&places(&mut vocabulary, &state));
            let mut moves = Vec::new();
            reasoner.legal_moves(&mut vocabulary, &state, player, &mut moves)?;
            for mv in moves {
                open.push(reasoner.successor(&mut vocabulary, &state, &[mv])?);
            }
        }
        assert_eq!(mutexes.pairs(), together.pairs());
        // Four cells of three contents each, and each digit once in four rows and columns.
        assert_eq!(mutexes.pairs().len(), 4 * 3 + 4 * 2);
        Ok(())
    }
}
