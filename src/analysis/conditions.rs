//! Goal values and the end of a game as questions about atoms.
//!
//! Every question is a formula over leaves: local concepts, or single fluents. Given which of some
//! leaves hold, the answer has three values; and there are the ways to make the answer yes:
//!
//! ```text
//! goal 75 ← gold(w), completed(caetower), not completed(bdftower)
//! ways:     gold(w) = 1, completed(caetower) = 1, completed(bdftower) = 0
//! ```

use crate::analysis::concept::Upper;
use crate::analysis::formula::Formula;
use crate::term::TermId;

/// What a state is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomQuestion(usize);

/// A goal value of a role, by number, with the place of its atom.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    pub(super) role: usize,
    pub(super) value: i64,
    pub(super) atom: usize,
}

/// Goal values and end as formulas over the same leaves.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// What each atom is, by place.
    formulas: Vec<Formula>,
    /// The atoms that the leaves are; none if they have no names.
    leaves: Vec<TermId>,
    /// By leaf, the subgame that decides it, if there is only one.
    subgames: Vec<Option<usize>>,
    /// The atoms, each after those that its formula speaks of.
    order: Vec<usize>,
    end: usize,
    values: Vec<Worth>,
}

/// Values of some leaves, by place: all that is asked for if they are so.
pub type Cube = Vec<(usize, bool)>;

/// What is known of the atoms, by place; nothing where that depends on leaves that are not known.
#[derive(Clone, Debug)]
pub struct Truths(Vec<Option<bool>>);

impl Truths {
    /// The answer, if it is known.
    pub fn of(&self, question: AtomQuestion) -> Option<bool> {
        self.0[question.0]
    }
}

/// Steps that are made to find the ways to make an answer so.
const MAX_STEPS: usize = 100_000;

impl Conditions {
    pub(super) fn new(upper: Upper, end: usize, values: Vec<Worth>) -> Self {
        Self {
            order: upper.callees_first(),
            leaves: upper.concepts.into_iter().collect(),
            formulas: upper.atoms.into_values().collect(),
            subgames: upper.subgames,
            end,
            values,
        }
    }

    /// Formulas that are known otherwise: `formulas` are the atoms, each after those that it speaks of;
    /// `subgames` says of each leaf which subgame decides it. End and the values of the first role are atoms.
    pub fn of_formulas(
        formulas: Vec<Formula>,
        subgames: Vec<Option<usize>>,
        end: usize,
        values: impl IntoIterator<Item = (i64, usize)>,
    ) -> Self {
        let values = values.into_iter().map(|(value, atom)| Worth {
            role: 0,
            value,
            atom,
        });
        Self {
            order: (0..formulas.len()).collect(),
            leaves: Vec::new(),
            formulas,
            subgames,
            end,
            values: values.collect(),
        }
    }

    /// The question whether an atom holds, by its place among the formulas.
    pub fn question(atom: usize) -> AtomQuestion {
        AtomQuestion(atom)
    }

    /// Number of leaves.
    pub fn count(&self) -> usize {
        self.subgames.len()
    }

    /// The atoms that everything is about, if they have names.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = TermId> {
        self.leaves.iter().copied()
    }

    /// The subgame that decides a leaf, if there is only one.
    pub fn subgame(&self, leaf: usize) -> Option<usize> {
        self.subgames[leaf]
    }

    /// Whether the game is over.
    pub fn end(&self) -> AtomQuestion {
        AtomQuestion(self.end)
    }

    /// The values that a role can get, in the order of the rules, each with the question whether
    /// it does.
    pub fn values(&self, role: usize) -> impl Iterator<Item = (i64, AtomQuestion)> {
        let values = self.values.iter().filter(move |worth| worth.role == role);
        values.map(|worth| (worth.value, AtomQuestion(worth.atom)))
    }

    /// The values that a role is known to get, in the order of the rules.
    pub fn values_under(&self, truths: &Truths, role: usize) -> impl Iterator<Item = i64> {
        self.values(role)
            .filter(|&(_, question)| truths.of(question) == Some(true))
            .map(|(value, _)| value)
    }

    /// The leaves, by place, that a question depends on, ascending.
    pub fn leaves_of(&self, question: AtomQuestion) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut is_seen = vec![false; self.formulas.len()];
        let mut pending = vec![question.0];
        while let Some(atom) = pending.pop() {
            if std::mem::replace(&mut is_seen[atom], true) {
                continue;
            }
            let mut formulas = vec![&self.formulas[atom]];
            while let Some(formula) = formulas.pop() {
                match formula {
                    Formula::Constant(_) => {}
                    Formula::Concept(leaf) => leaves.push(*leaf),
                    Formula::Atom(called) => pending.push(*called),
                    Formula::Not(inner) => formulas.push(inner),
                    Formula::All(parts) | Formula::Any(parts) => formulas.extend(parts),
                }
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// What follows from what is known of the leaves.
    pub fn truths(&self, leaf: &dyn Fn(usize) -> Option<bool>) -> Truths {
        let mut truths = vec![None; self.formulas.len()];
        for &atom in &self.order {
            truths[atom] = truth(&self.formulas[atom], &truths, leaf);
        }
        Truths(truths)
    }

    /// The ways in which all answers are yes, at most so many, in the order of the rules.
    pub fn ways(&self, questions: &[AtomQuestion], most: usize) -> Vec<Cube> {
        self.listed(questions, most).0
    }

    /// All ways in which the answer is yes, in the order of the rules; nothing if they are more than so
    /// many, or too hard to find.
    pub fn all_ways(&self, question: AtomQuestion, most: usize) -> Option<Vec<Cube>> {
        let (found, is_complete) = self.listed(&[question], most);
        is_complete.then_some(found)
    }

    /// Ways, and whether these are all.
    fn listed(&self, questions: &[AtomQuestion], most: usize) -> (Vec<Cube>, bool) {
        let mut found: Vec<Cube> = Vec::new();
        let asked: Vec<Wanted<'_>> = questions
            .iter()
            .rev()
            .map(|question| (&self.formulas[question.0], true))
            .collect();
        // Depth first: each branch has the values chosen so far, and what is still wanted. The ways come in the order
        // of the rules.
        let mut branches = vec![(Cube::new(), asked)];
        let mut steps = 0;
        while let Some((cube, wanted)) = branches.pop() {
            steps += 1;
            // The branches that are left may all fail, so that there may be no other way; that is not known then.
            if found.len() == most || steps > MAX_STEPS {
                return (found, false);
            }
            self.branch(cube, wanted, &mut branches, &mut found);
        }
        (found, true)
    }

    /// Goes on with one way until it branches, fails or is found.
    fn branch<'f>(
        &'f self,
        mut cube: Cube,
        mut wanted: Vec<Wanted<'f>>,
        branches: &mut Vec<(Cube, Vec<Wanted<'f>>)>,
        found: &mut Vec<Cube>,
    ) {
        while let Some((formula, value)) = wanted.pop() {
            match (formula, value) {
                (Formula::Constant(is), _) if *is == value => {}
                (Formula::Constant(_), _) => return,
                (Formula::Concept(leaf), _) => match cube.iter().find(|(known, _)| known == leaf) {
                    // The leaf would have to be both: this branch is contradictory.
                    Some(&(_, known)) if known != value => return,
                    Some(_) => {}
                    None => cube.push((*leaf, value)),
                },
                (Formula::Atom(atom), _) => wanted.push((&self.formulas[*atom], value)),
                (Formula::Not(inner), _) => wanted.push((inner, !value)),
                (Formula::All(parts), true) | (Formula::Any(parts), false) => {
                    // All true, or none: every part must have the value.
                    wanted.extend(parts.iter().rev().map(|part| (part, value)));
                }
                (Formula::All(parts), false) | (Formula::Any(parts), true) => {
                    // One of the parts does it: a branch for each.
                    branches.extend(parts.iter().rev().map(|part| {
                        let mut wanted = wanted.clone();
                        wanted.push((part, value));
                        (cube.clone(), wanted)
                    }));
                    return;
                }
            }
        }
        // Rules that ask for the same leaves in another order are one way.
        cube.sort_unstable();
        if !found.contains(&cube) {
            found.push(cube);
        }
    }
}

/// A formula and the value that it shall have.
type Wanted<'f> = (&'f Formula, bool);

/// The value of a formula. Its depth is that of the connectives of one rule.
fn truth(
    formula: &Formula,
    atoms: &[Option<bool>],
    leaf: &dyn Fn(usize) -> Option<bool>,
) -> Option<bool> {
    // A part that decides comes before one that is not known.
    let decided = |parts: &[Formula], deciding: bool| {
        let mut is_known = true;
        for part in parts {
            match truth(part, atoms, leaf) {
                Some(value) if value == deciding => return Some(deciding),
                Some(_) => {}
                None => is_known = false,
            }
        }
        is_known.then_some(!deciding)
    };
    match formula {
        Formula::Constant(value) => Some(*value),
        Formula::Concept(place) => leaf(*place),
        Formula::Atom(place) => atoms[*place],
        Formula::Not(inner) => truth(inner, atoms, leaf).map(|value| !value),
        Formula::All(parts) => decided(parts, false),
        Formula::Any(parts) => decided(parts, true),
    }
}
