//! Action functions: which moves each role may make, up to their arguments, and the contexts that
//! the moves of several roles make up.

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::known::Known;
use crate::fluent::theory::Theory;
use crate::term::{Substitution, TermId};

/// An action function of one role, applied to variables of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    /// The move: a functor with distinct variables, or a constant.
    pub(super) pattern: TermId,
}

/// The action functions of every role, in the order of the domains.
pub(super) fn actions(theory: &mut Theory<'_>) -> Vec<Vec<Action>> {
    let mut functors = Vec::new();
    for form in theory.domains.moves().forms() {
        if !functors.contains(&form.functor()) {
            functors.push(form.functor());
        }
    }
    let constants: Vec<TermId> = theory.domains.moves().constants().collect();
    let mut all = Vec::new();
    for role in theory.roles.clone() {
        let mut own = Vec::new();
        for &constant in &constants {
            if may_be_legal(theory, role, constant) {
                own.push(Action { pattern: constant });
            }
        }
        for &functor in &functors {
            let pattern = theory.pattern(functor);
            if may_be_legal(theory, role, pattern) {
                own.push(Action { pattern });
            }
        }
        all.push(own);
    }
    all
}

/// Whether the head of some rule of `legal` has an instance that is this move.
fn may_be_legal(theory: &mut Theory<'_>, role: TermId, mv: TermId) -> bool {
    let legal = theory.words.legal;
    let clauses = theory.definition(legal).to_vec();
    clauses.into_iter().any(|clause| {
        let head = theory.clauses[clause].head;
        let offset = theory.fresh(theory.clauses[clause].variables.len() as u32);
        let head = crate::term::rename(theory.store, head, offset);
        let arguments = theory.store.arguments(head).to_vec();
        let mut unifier = Substitution::default();
        unifier.unify(theory.store, arguments[0], role)
            && unifier.unify(theory.store, arguments[1], mv)
    })
}

/// What some roles do, and what is known because of it.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// For some roles, by number, the action; none is any action but those excluded.
    pub(super) moves: Vec<(usize, Option<TermId>)>,
    /// For roles without a named action, the actions that they do not do.
    pub(super) excluded: Conjunction,
    pub(super) known: Known,
}

/// More contexts than this are not told apart.
const MAX_CONTEXTS: usize = 400;

/// A role with more actions is taken as the actions that matter, one by one, and all others together.
const MAX_LISTED: usize = 40;

/// There are more contexts, cases or steps than are spent on the effects of a fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMuchWork;

/// All joint choices of actions of the roles that can be legal together. Actions that `matters`
/// says are of interest are always told apart.
pub(super) fn contexts(
    theory: &mut Theory<'_>,
    actions: &[Vec<Action>],
    roles: &[usize],
    matters: &dyn Fn(&Theory<'_>, usize, TermId) -> bool,
    nonterminal: &Conjunction,
) -> Result<Vec<Context>, TooMuchWork> {
    let mut known = Known::default();
    if known.assume_all(theory, nonterminal).is_err() {
        return Ok(Vec::new());
    }
    // Role by role: each context so far is refined by what the next role may do, and contexts that contradict what is known
    // fall away at once, so that the product is never listed.
    let mut all = vec![Context {
        moves: Vec::new(),
        excluded: Vec::new(),
        known,
    }];
    for &role in roles {
        // Few actions are told apart in any case: what is known of each is more than what is known of "something else".
        let listed = actions[role].len() <= MAX_LISTED;
        let (named, rest): (Vec<TermId>, Vec<TermId>) = actions[role]
            .iter()
            .map(|action| action.pattern)
            .partition(|&pattern| listed || matters(theory, role, pattern));
        let mut next = Vec::new();
        for context in all {
            for &pattern in &named {
                next.extend(context.with(theory, role, pattern));
            }
            if !rest.is_empty() {
                next.extend(context.without(theory, role, &named));
            }
            if next.len() > MAX_CONTEXTS {
                return Err(TooMuchWork);
            }
        }
        all = next;
    }
    Ok(all)
}

impl Context {
    /// The context in which a role does this, if that can be legal.
    fn with(&self, theory: &mut Theory<'_>, role: usize, pattern: TermId) -> Option<Context> {
        let name = theory.roles[role];
        let does = theory.binary(theory.words.moves, name, pattern);
        let mut context = self.clone();
        context.moves.push((role, Some(pattern)));
        let consistent = context
            .known
            .assume(theory, &Condition::Holds(does))
            .is_ok();
        consistent.then_some(context)
    }

    /// The context in which a role does none of these.
    fn without(&self, theory: &mut Theory<'_>, role: usize, named: &[TermId]) -> Option<Context> {
        let name = theory.roles[role];
        let mut context = self.clone();
        context.moves.push((role, None));
        for &pattern in named {
            let does = theory.binary(theory.words.moves, name, pattern);
            let condition = match theory.store.variables(pattern) {
                variables if variables.is_empty() => Condition::Fails(does),
                // No instance of the action is made: its arguments are quantified.
                variables => Condition::None(variables.into(), [Condition::Holds(does)].into()),
            };
            context.excluded.push(condition);
        }
        let excluded = context.excluded.clone();
        let consistent = context.known.assume_all(theory, &excluded).is_ok();
        consistent.then_some(context)
    }
}
