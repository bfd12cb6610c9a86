//! Bodies without `or` and `and`: the cases of a rule.

use crate::term::{Clause, Literal, Store, TermId};

/// Cases of one rule that are written out.
const MOST_CASES: usize = 4_096;

/// A condition of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// The atom holds, or does not.
    Atom(TermId, bool),
    /// The terms are equal, or are not.
    Equal(TermId, TermId, bool),
}

/// A case in the making.
#[derive(Clone)]
struct Partial {
    conditions: Vec<Condition>,
    /// What is still to be taken apart, first things last, each with whether it is to hold.
    rest: Vec<(TermId, bool)>,
}

/// The bodies of a clause, one for each choice of a branch of each `or`: its disjunctive normal form.
///
/// # Errors
/// The limit, if there are more cases.
pub(super) fn cases(store: &Store, clause: &Clause) -> Result<Vec<Vec<Condition>>, usize> {
    let mut done = Vec::new();
    let mut open = vec![Partial {
        conditions: Vec::new(),
        rest: clause.body.iter().rev().map(|&term| (term, true)).collect(),
    }];
    while let Some(mut case) = open.pop() {
        let Some((term, holds)) = case.rest.pop() else {
            done.push(case.conditions);
            continue;
        };
        match (Literal::of(store, term), holds) {
            // De Morgan on the way down: a negated `or` is a conjunction of negations.
            (Literal::Not(inner), _) => case.rest.push((inner, !holds)),
            (Literal::And(parts), true) | (Literal::Or(parts), false) => {
                let parts = parts.iter().rev().map(|&part| (part, holds));
                case.rest.extend(parts);
            }
            (Literal::Or(parts), true) | (Literal::And(parts), false) => {
                // The first branch is taken up first, so that cases come in the order of the text.
                for &part in parts.iter().rev() {
                    let mut branch = case.clone();
                    branch.rest.push((part, holds));
                    open.push(branch);
                }
                if done.len() + open.len() > MOST_CASES {
                    return Err(MOST_CASES);
                }
                continue;
            }
            (Literal::Distinct(one, other), _) => {
                case.conditions.push(Condition::Equal(one, other, !holds));
            }
            (Literal::Call(atom), _) => case.conditions.push(Condition::Atom(atom, holds)),
        }
        open.push(case);
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Notation, Source, parse};
    use crate::term::{Case, Lowering};

    fn count(text: &str) -> Result<usize, usize> {
        let source = Source::new("test", text);
        let parsed = parse(&source, Notation::Prefix);
        let mut store = Store::new();
        let clauses = Lowering::new(&parsed.document, &source, Case::Fold).clauses(&mut store);
        cases(&store, &clauses[0]).map(|cases| cases.len())
    }

    #[test]
    fn alternatives_multiply_up_to_a_limit() {
        assert_eq!(count("(<= p (or a b) (or c d e))"), Ok(6));
        assert_eq!(count("(<= p (not (or a b)) (not (and c d)))"), Ok(2));
        assert_eq!(count("(<= p (or))"), Ok(0));
        assert_eq!(count("(<= p (and))"), Ok(1));
        let many = format!("(<= p {})", "(or a b) ".repeat(13));
        assert_eq!(count(&many), Err(MOST_CASES));
    }
}
