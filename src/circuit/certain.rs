//! What is the same in every reachable state: atoms that are always true, and atoms that never are.
//!
//! Grounding keeps what may be true if nothing negated stands in the way. Here both sides are made
//! tighter in turns until nothing changes: an atom is *certain* if a rule derives it from certain
//! atoms and impossible negated ones, and *possible* if a rule derives it from possible atoms and
//! negated ones that are not certain. A fluent is certain if it holds at the start and deriving it
//! again never fails, assumed that all such fluents are certain.

use crate::circuit::ground::{Atom, GroundProgram};
use crate::circuit::index::RuleIndex;

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
    pub(super) fn of(program: &GroundProgram, uses: &RuleIndex) -> Self {
        let mut found = Self {
            certain: vec![false; program.atoms.len()],
            possible: vec![true; program.atoms.len()],
        };
        for _ in 0..MAX_ROUNDS {
            let possible = found.possibilities(program, uses);
            let changed = possible != found.possible;
            found.possible = possible;
            let certain = found.certainties(program, uses);
            if !changed && certain == found.certain {
                break;
            }
            found.certain = certain;
        }
        found
    }

    /// The atoms that rules can derive, given what is certain.
    fn possibilities(&self, program: &GroundProgram, uses: &RuleIndex) -> Vec<bool> {
        let is_alive = |rule: usize| {
            let mut conditions = program.rule(rule).1.iter();
            conditions.all(|literal| !literal.is_negated() || !self.certain[literal.atom()])
        };
        let start =
            |atom: Atom| matches!(atom, Atom::True(fluent) if program.initial[fluent as usize]);
        derive(program, uses, &is_alive, &start, true)
    }

    /// The atoms that are derived whatever the state and the moves are.
    fn certainties(&self, program: &GroundProgram, uses: &RuleIndex) -> Vec<bool> {
        let is_alive = |rule: usize| {
            let mut conditions = program.rule(rule).1.iter();
            conditions.all(|literal| !literal.is_negated() || !self.possible[literal.atom()])
        };
        let mut assumed = program.initial.clone();
        loop {
            let start = |atom: Atom| matches!(atom, Atom::True(fluent) if assumed[fluent as usize]);
            let certain = derive(program, uses, &is_alive, &start, false);
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

/// The atoms that follow by the rules that are alive. `passes` says whether fluents and moves follow
/// from what rules derive of them.
fn derive(
    program: &GroundProgram,
    uses: &RuleIndex,
    is_alive: &dyn Fn(usize) -> bool,
    start: &dyn Fn(Atom) -> bool,
    passes: bool,
) -> Vec<bool> {
    let mut holds = vec![false; program.atoms.len()];
    let mut queue: Vec<usize> = Vec::new();
    let mut missing: Vec<u32> = Vec::with_capacity(program.rules());
    for rule in 0..program.rules() {
        let (head, conditions) = program.rule(rule);
        if !is_alive(rule) {
            missing.push(u32::MAX);
            continue;
        }
        let positive = conditions
            .iter()
            .filter(|literal| !literal.is_negated())
            .count();
        missing.push(positive as u32);
        if positive == 0 {
            queue.push(head);
        }
    }
    let atoms = program.atoms.iter().enumerate();
    queue.extend(
        atoms
            .filter(|(_, atom)| start(**atom))
            .map(|(number, _)| number),
    );
    while let Some(atom) = queue.pop() {
        if std::mem::replace(&mut holds[atom], true) {
            continue;
        }
        if passes && matches!(program.atoms[atom], Atom::Next(_) | Atom::Legal(_)) {
            // The given face comes right before the derived one.
            queue.push(atom - 1);
        }
        for &rule in uses.of(atom) {
            let (head, conditions) = program.rule(rule as usize);
            let literal = conditions.iter().find(|literal| literal.atom() == atom);
            let missing = &mut missing[rule as usize];
            if *missing == u32::MAX || literal.is_none_or(|literal| literal.is_negated()) {
                continue;
            }
            *missing -= 1;
            if *missing == 0 {
                queue.push(head);
            }
        }
    }
    holds
}
