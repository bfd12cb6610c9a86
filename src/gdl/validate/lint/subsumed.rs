//! Rules that another one makes needless: it has the same head and asks for less.
//!
//! A rule subsumes another one if a substitution makes its head that of the other, and all of its conditions some
//! of those of the other. Source: Plotkin, A Note on Inductive Generalization, Machine Intelligence 5, 1970.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::codes;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::Sheet;
use crate::term::{Clause, Functor, Store, Term, TermId};

/// Rules of one relation that are compared with each other, and conditions of each.
const MAX_RULES: usize = 200;
const MAX_CONDITIONS: usize = 12;

/// Ways in which conditions are matched before it is given up.
const MAX_TRIALS: usize = 10_000;

/// Reports needless rules.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    let mut rules: IndexMap<Functor, Vec<&Clause>, FxBuildHasher> = IndexMap::default();
    for clause in sheet.clauses {
        if let Some(head) = sheet.store.functor(clause.head) {
            rules.entry(head).or_default().push(clause);
        }
    }
    for rules in rules.values() {
        // Facts alone cannot make each other needless, but for copies, which are told elsewhere.
        let general: Vec<&&Clause> = rules
            .iter()
            .filter(|rule| !rule.body.is_empty() || !sheet.store.is_ground(rule.head))
            .take(MAX_RULES)
            .collect();
        for specific in rules.iter().take(MAX_RULES) {
            let mut others = general
                .iter()
                .filter(|rule| !std::ptr::eq(**rule, specific));
            let Some(by) = others.find(|rule| subsumes(sheet.store, rule, specific)) else {
                continue;
            };
            let is_copy = by.head == specific.head && by.body == specific.body;
            // Of two rules that say the same in other names the later one is told; copies are told as G0509.
            let is_mutual = subsumes(sheet.store, specific, by);
            let is_first = specific.origin.span.start < by.origin.span.start;
            if is_copy || is_mutual && is_first {
                continue;
            }
            found.push(
                codes::NEEDLESS_RULE
                    .at(specific.origin.span, "another rule makes this one needless")
                    .with_label("adds nothing")
                    .with_related(by.origin.span, "holds whenever it does")
                    .with_help("remove it; or should something in it differ?")
                    .with_fix(specific.origin.span, ""),
            );
        }
    }
}

/// What the variables of the general rule stand for.
type Bindings = Vec<(u32, TermId)>;

/// Whether one rule has all instances that the other has.
fn subsumes(store: &Store, general: &Clause, specific: &Clause) -> bool {
    let too_many = general.body.len() > MAX_CONDITIONS || specific.body.len() > 2 * MAX_CONDITIONS;
    if general.body.len() > specific.body.len() || too_many {
        return false;
    }
    let mut bindings = Bindings::new();
    if !matches(store, general.head, specific.head, &mut bindings) {
        return false;
    }
    let mut trials = 0;
    // By condition of the general rule, the bindings before it and the next condition to try.
    // Depth-first: entry i matches condition i of the general rule, and records which condition of the specific rule
    // to try next.
    let mut stack = vec![(bindings, 0)];
    while let Some((before, next)) = stack.pop() {
        let depth = stack.len();
        if depth == general.body.len() {
            return true;
        }
        trials += 1;
        if trials > MAX_TRIALS {
            return false;
        }
        // None left for this condition: back to the one before, which goes on behind its last match.
        let Some(&condition) = specific.body.get(next) else {
            continue;
        };
        let mut bindings = before.clone();
        stack.push((before, next + 1));
        if matches(store, general.body[depth], condition, &mut bindings) {
            stack.push((bindings, 0));
        }
    }
    false
}

/// Binds variables of the first term so that it is the second one.
fn matches(store: &Store, general: TermId, specific: TermId, bindings: &mut Bindings) -> bool {
    let mut open = vec![(general, specific)];
    while let Some((general, specific)) = open.pop() {
        if let Term::Variable(variable) = store.view(general) {
            match bindings.iter().find(|(bound, _)| *bound == variable) {
                // Matching, not unification: a variable of the specific rule is a constant here.
                Some(&(_, term)) if term != specific => return false,
                Some(_) => {}
                None => bindings.push((variable, specific)),
            }
            continue;
        }
        if general == specific && store.is_ground(general) {
            continue;
        }
        let (one, other) = (store.arguments(general), store.arguments(specific));
        let is_same = store.functor(general).is_some()
            && store.functor(general) == store.functor(specific)
            && !one.is_empty();
        if !is_same {
            return false;
        }
        open.extend(one.iter().copied().zip(other.iter().copied()));
    }
    true
}
