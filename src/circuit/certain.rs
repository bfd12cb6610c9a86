//! What is the same in every reachable state: atoms that are always true, and atoms that never are.
//!
//! Grounding keeps what may be true if nothing negated stands in the way. Here both sides are made
//! tighter in turns until nothing changes: an atom is *certain* if a rule derives it from certain
//! atoms and impossible negated ones, and *possible* if a rule derives it from possible atoms and
//! negated ones that are not certain. A fluent is certain if it holds at the start and deriving it
//! again never fails, assumed that all such fluents are certain.

use crate::circuit::ground::{Atom, GroundProgram};
use crate::circuit::uses::Uses;

/// What is known of the atoms of a program, by number.
#[derive(Clone, Debug)]
pub(super) struct Certainty {
    pub(super) certain: Vec<bool>,
    pub(super) possible: Vec<bool>,
}

/// Rounds of tightening at most; most games need two.
const MAX_ROUNDS: usize = 8;

impl Certainty {
    /// What is known, with the rules by condition.
    pub(super) fn of(program: &GroundProgram, uses: &Uses) -> Self {
        let mut found = Self {
            certain: vec![false; program.atoms.len()],
            possible: vec![true; program.atoms.len()],
        };
        // Alternating fixpoint. More that is certain makes less possible, less possible makes more certain; both
        // sides stay sound if it ends early.
        for round in 0..MAX_ROUNDS {
            // Each side follows from the other one alone.
            let possible = found.possibilities(program, uses);
            if round > 0 && possible == found.possible {
                break;
            }
            found.possible = possible;
            let certain = found.certainties(program, uses);
            if certain == found.certain {
                break;
            }
            found.certain = certain;
        }
        found
    }

    /// The atoms that rules can derive, given what is certain.
    fn possibilities(&self, program: &GroundProgram, uses: &Uses) -> Vec<bool> {
        // Everything reachable: what `next` or `legal` derives is given in some state.
        let start =
            |atom: Atom| matches!(atom, Atom::True(fluent) if program.initial[fluent as usize]);
        Derivation::new(program, uses, &self.certain).run(&start, true)
    }

    /// The atoms that are derived whatever the state and the moves are.
    fn certainties(&self, program: &GroundProgram, uses: &Uses) -> Vec<bool> {
        let derivation = Derivation::new(program, uses, &self.possible);
        // The greatest set of initial fluents that preserves itself: assume all, drop those that some state might
        // lose, repeat.
        let mut assumed = program.initial.clone();
        loop {
            let start = |atom: Atom| matches!(atom, Atom::True(fluent) if assumed[fluent as usize]);
            let certain = derivation.run(&start, false);
            let mut failed = false;
            for (number, &atom) in program.atoms.iter().enumerate() {
                if let Atom::Next(fluent) = atom
                    && assumed[fluent as usize]
                    && !certain[number]
                {
                    assumed[fluent as usize] = false;
                    failed = true;
                }
            }
            if !failed {
                return certain;
            }
        }
    }
}

/// The rules none of whose negated conditions stands in the way, ready to derive what follows.
struct Derivation<'p> {
    program: &'p GroundProgram,
    uses: &'p Uses,
    /// By rule, the conditions that are not negated; `DEAD` if the rule does not apply.
    missing: Vec<u32>,
}

const DEAD: u32 = u32::MAX;

impl<'p> Derivation<'p> {
    /// Without the rules that negate an atom of `obstacles`.
    fn new(program: &'p GroundProgram, uses: &'p Uses, obstacles: &[bool]) -> Self {
        let rules = 0..program.rules();
        let missing = rules.map(|rule| {
            let mut positive = 0;
            for literal in program.rule(rule).1 {
                if !literal.is_negated() {
                    positive += 1;
                } else if obstacles[literal.atom()] {
                    return DEAD;
                }
            }
            positive
        });
        Self {
            missing: missing.collect(),
            program,
            uses,
        }
    }

    /// The atoms that follow. `passes` says whether fluents and moves follow from what rules derive of them.
    fn run(&self, start: &dyn Fn(Atom) -> bool, passes: bool) -> Vec<bool> {
        let program = self.program;
        let mut holds = vec![false; program.atoms.len()];
        let mut missing = self.missing.clone();
        // Counting, as in unit propagation: a rule fires when its last condition comes.
        let ready = missing.iter().enumerate().filter(|&(_, &count)| count == 0);
        let mut queue: Vec<usize> = ready.map(|(rule, _)| program.rule(rule).0).collect();
        let atoms = program.atoms.iter().enumerate();
        let started = atoms.filter(|(_, atom)| start(**atom));
        queue.extend(started.map(|(number, _)| number));
        while let Some(atom) = queue.pop() {
            if std::mem::replace(&mut holds[atom], true) {
                continue;
            }
            if passes && matches!(program.atoms[atom], Atom::Next(_) | Atom::Legal(_)) {
                // The given face comes right before the derived one.
                queue.push(atom - 1);
            }
            let uses = self.uses.of(atom).iter();
            for asking in uses.filter(|asking| !asking.is_negated()) {
                let missing = &mut missing[asking.rule()];
                if *missing == DEAD {
                    continue;
                }
                *missing -= 1;
                if *missing == 0 {
                    queue.push(program.rule(asking.rule()).0);
                }
            }
        }
        holds
    }
}
