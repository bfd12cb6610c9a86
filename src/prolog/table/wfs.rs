//! The well-founded model of the conditional answers of a completed SCC.
//!
//! Conditional answers are a propositional program: one atom for each answer, one rule for each
//! derivation with what it assumed as body, and one atom for each negated table that holds if any
//! of its answers does. The alternating fixpoint computes its well-founded model exactly, positive
//! loops included (unsupported answers are false, [CW96] ANSWER COMPLETION):
//!
//! ```text
//! p :- tnot q.   q :- tnot p.   r :- tnot r.   s :- s', s' :- s.
//! true {}        possible {p, q, r}            true again {}     p, q, r undefined, s false
//! ```
//!
//! Source: Van Gelder: The Alternating Fixpoint of Logic Programs with Negation, JCSS 47, 1993.

use rustc_hash::FxHashMap;

use crate::prolog::state::tables::{Delay, TableAnswer, TableId, Tables};

/// A rule over atoms by number.
#[derive(Debug, Default)]
struct ResidualRule {
    head: usize,
    positive: Vec<usize>,
    negative: Vec<usize>,
    /// Its body has a part that is undefined for good.
    undefined: bool,
}

/// A propositional program.
#[derive(Debug, Default)]
struct ResidualProgram {
    atoms: usize,
    rules: Vec<ResidualRule>,
    /// Rules by the positive atoms in their bodies.
    uses: Vec<Vec<usize>>,
}

impl ResidualProgram {
    /// The least model when a negative literal holds just if its atom is not in `assumed`, and
    /// undefined parts hold as told.
    fn least_model(&self, assumed: &[bool], undefined: bool) -> Vec<bool> {
        self.derivation(assumed, undefined).0
    }

    /// The same, and its atoms in an order in which each rests on earlier ones only.
    fn derivation(&self, assumed: &[bool], undefined: bool) -> (Vec<bool>, Vec<usize>) {
        let mut order = Vec::new();
        let mut holds = vec![false; self.atoms];
        let mut missing: Vec<usize> = self.rules.iter().map(|rule| rule.positive.len()).collect();
        let applicable = |rule: &ResidualRule| {
            (undefined || !rule.undefined) && rule.negative.iter().all(|&atom| !assumed[atom])
        };
        let mut agenda: Vec<usize> = Vec::new();
        for (number, rule) in self.rules.iter().enumerate() {
            if missing[number] == 0 && applicable(rule) {
                agenda.push(rule.head);
            }
        }
        while let Some(atom) = agenda.pop() {
            if std::mem::replace(&mut holds[atom], true) {
                continue;
            }
            order.push(atom);
            for &number in &self.uses[atom] {
                // Linear in the size of the program (Dowling and Gallier): each rule counts the positive atoms it still lacks.
                missing[number] -= 1;
                let rule = &self.rules[number];
                if missing[number] == 0 && applicable(rule) {
                    agenda.push(rule.head);
                }
            }
        }
        (holds, order)
    }

    /// What is true, and what is not false.
    fn well_founded_model(&self) -> (Vec<bool>, Vec<bool>) {
        // From below: first nothing may be taken for false, so only what needs no negation is certain.
        let mut certain = self.least_model(&vec![true; self.atoms], false);
        loop {
            // Antitone twice: more certain atoms leave fewer possible ones, and fewer possible ones more certain ones.
            let possible = self.least_model(&certain, true);
            let next = self.least_model(&possible, false);
            if next == certain {
                return (certain, possible);
            }
            certain = next;
        }
    }
}

impl Tables {
    /// Decides the conditional answers of an SCC: true ones become unconditional, false ones go,
    /// the others are undefined for good.
    pub(super) fn evaluate_conditions(&mut self, scc: &[TableId]) {
        let conditional = scc.iter().any(|&id| {
            let answers = &self.get(id).answers;
            answers.values().any(|answer| !answer.is_unconditional())
        });
        if !conditional {
            return;
        }
        let (program, first) = self.residual_program(scc);
        let (certain, possible) = program.well_founded_model();
        let base = self.stamp;
        // Stamps in an order in which each true answer rests on earlier ones: proofs are read off them.
        let (_, order) = program.derivation(&possible, false);
        let mut rank = vec![0; program.atoms];
        for (position, atom) in order.into_iter().enumerate() {
            rank[atom] = position as u64;
        }
        self.stamp += program.atoms as u64;
        for &id in scc {
            let start = first[&id];
            let table = self.get_mut(id);
            let mut atom = start;
            table.answers.retain(|_, answer| {
                let number = atom;
                atom += 1;
                // Proofs rest on answers of lower stamps, whatever order they were found in.
                answer.stamp = base + rank[number];
                decide(answer, certain[number], possible[number])
            });
        }
    }

    /// The program of an SCC, and the number of the first answer of each table. The atom behind
    /// the answers of a table says that it has one.
    fn residual_program(&self, scc: &[TableId]) -> (ResidualProgram, FxHashMap<TableId, usize>) {
        let mut first = FxHashMap::default();
        let mut atoms = 0;
        for &id in scc {
            first.insert(id, atoms);
            atoms += self.get(id).answers.len() + 1;
        }
        let mut program = ResidualProgram {
            atoms,
            rules: Vec::new(),
            uses: vec![Vec::new(); atoms],
        };
        for &id in scc {
            let start = first[&id];
            let some = start + self.get(id).answers.len();
            for (position, answer) in self.get(id).answers.values().enumerate() {
                let head = start + position;
                if answer.is_unconditional() {
                    program.rules.push(self.rule(head, &[], &first));
                }
                // One rule for each derivation, with what it assumes as its body.
                for condition in &answer.conditions {
                    let rule = self.rule(head, condition, &first);
                    program.rules.push(rule);
                }
                program.rules.push(ResidualRule {
                    // "The table has an answer", which is what negations of its call deny.
                    head: some,
                    positive: vec![head],
                    ..ResidualRule::default()
                });
            }
        }
        for (number, rule) in program.rules.iter().enumerate() {
            for &atom in &rule.positive {
                program.uses[atom].push(number);
            }
        }
        (program, first)
    }

    fn rule(
        &self,
        head: usize,
        condition: &[Delay],
        first: &FxHashMap<TableId, usize>,
    ) -> ResidualRule {
        let mut rule = ResidualRule {
            head,
            ..ResidualRule::default()
        };
        for &delay in condition {
            match delay {
                // Undefined in a table that is complete: no model of this SCC can change that.
                Delay::Undefined => rule.undefined = true,
                Delay::Positive(id, answer) => match first.get(&id) {
                    Some(start) => rule.positive.push(start + answer),
                    None => rule.undefined = true,
                },
                Delay::Negative(id) => match first.get(&id) {
                    Some(start) => rule.negative.push(start + self.get(id).answers.len()),
                    None => rule.undefined = true,
                },
            }
        }
        rule
    }
}

/// Notes the truth value of an answer; says whether it stays.
fn decide(answer: &mut TableAnswer, is_certain: bool, is_possible: bool) -> bool {
    answer.conditions = if is_certain {
        Vec::new()
    } else {
        vec![vec![Delay::Undefined]]
    };
    is_possible
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(atoms: usize, rules: &[(usize, &[usize], &[usize])]) -> ResidualProgram {
        let mut program = ResidualProgram {
            atoms,
            rules: Vec::new(),
            uses: vec![Vec::new(); atoms],
        };
        for (number, &(head, positive, negative)) in rules.iter().enumerate() {
            program.rules.push(ResidualRule {
                head,
                positive: positive.to_vec(),
                negative: negative.to_vec(),
                undefined: false,
            });
            for &atom in positive {
                program.uses[atom].push(number);
            }
        }
        program
    }

    #[test]
    fn loops_through_negation_are_undefined_and_positive_loops_false() {
        let program = program(
            5,
            &[
                (0, &[], &[1]),
                (1, &[], &[0]),
                (2, &[3], &[]),
                (3, &[2], &[]),
                (4, &[], &[2]),
            ],
        );
        let (certain, possible) = program.well_founded_model();
        assert_eq!(certain, [false, false, false, false, true]);
        assert_eq!(possible, [true, true, false, false, true]);
    }
}
