//! What moves change, as clauses whose conditions are still those of GDL.
//!
//! They take the same way into the program as the rules of the game: their conditions are put in
//! order, and the relations that they call are named, together with the rules'.

use indexmap::IndexSet;

use crate::fluent::axioms::{Case, GameAxioms, StateUpdateAxiom};
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::emit::names::Names;
use crate::fluent::program;
use crate::term::{Clause, Store, TermId, may_match};

/// A clause about what moves change, with its conditions as GDL has them.
pub(super) struct ChangeClause {
    pub(super) form: ClauseForm,
    /// The head is not that of the text: it holds the terms that the text needs.
    pub(super) clause: Clause,
}

/// What a clause about changes says.
pub(super) enum ClauseForm {
    /// The argument of the head is a fluent that comes or goes.
    Effect(Sign),
    /// The arguments of the head are the action, the fluents that go, and those that come.
    Closed,
    /// The argument of the head is the action; what it changes is collected.
    Open,
}

/// All clauses about changes: those of axioms in closed form, then the others, then effects.
pub(super) fn updates(store: &mut Store, axioms: &GameAxioms) -> Vec<ChangeClause> {
    let mut all = Vec::new();
    if axioms.roles.len() != 1 {
        for sign in [Sign::Negative, Sign::Positive] {
            let effects = axioms.effects.iter().filter(|effect| effect.sign == sign);
            all.extend(effects.map(|effect| collected(store, axioms, effect)));
        }
        return all;
    }
    let (closed, open): (Vec<_>, Vec<_>) =
        axioms.updates.iter().partition(|axiom| axiom.is_closed());
    for axiom in closed {
        let cases = axiom.cases.iter();
        all.extend(cases.map(|case| case_clause(store, axiom, case)));
    }
    let open: Vec<TermId> = open
        .iter()
        .filter_map(|axiom| Some(axiom.cause?.1))
        .collect();
    all.extend(open.iter().map(|&action| open_clause(store, action)));
    for sign in [Sign::Negative, Sign::Positive] {
        let effects = axioms.effects.iter().filter(|effect| effect.sign == sign);
        for effect in effects {
            let is_of_open = effect
                .moves
                .iter()
                .all(|&(_, mv)| open.iter().any(|&action| may_match(store, action, mv)));
            if is_of_open && !open.is_empty() {
                all.push(collected(store, axioms, effect));
            }
        }
    }
    all
}

fn collected(store: &mut Store, axioms: &GameAxioms, effect: &Effect) -> ChangeClause {
    let does = store.symbol("does");
    let moves = effect.moves.iter();
    let moves = moves.map(|&(role, mv)| store.compound(does, &[axioms.roles[role], mv]));
    let moves: Vec<TermId> = moves.collect();
    ChangeClause {
        form: ClauseForm::Effect(effect.sign),
        clause: book_clause(store, &[effect.fluent], &moves, &effect.conditions),
    }
}

fn case_clause(store: &mut Store, axiom: &StateUpdateAxiom, case: &Case) -> ChangeClause {
    let mut fluents = |terms: &[TermId]| {
        let symbol = store.symbol("state");
        store.compound(symbol, terms)
    };
    let (negative, positive) = (fluents(&case.negative), fluents(&case.positive));
    let action = axiom.cause.map(|(_, action)| action);
    let terms: Vec<TermId> = action.into_iter().chain([negative, positive]).collect();
    ChangeClause {
        form: ClauseForm::Closed,
        clause: book_clause(store, &terms, &[], &case.conditions),
    }
}

fn open_clause(store: &mut Store, action: TermId) -> ChangeClause {
    ChangeClause {
        form: ClauseForm::Open,
        clause: book_clause(store, &[action], &[], &Conjunction::new()),
    }
}

/// A clause whose variables have the names of the papers: those of `moves`, or else of the first
/// term, are x and y.
fn book_clause(
    store: &mut Store,
    terms: &[TermId],
    moves: &[TermId],
    conditions: &Conjunction,
) -> Clause {
    let (unifier, conditions) = program::solve(store, conditions);
    let bounds = conditions
        .iter()
        .map(|condition| condition.variable_bound(store));
    let mut fresh = bounds.max().unwrap_or(0);
    for &term in terms.iter().chain(moves) {
        fresh = fresh.max(store.variable_bound(term));
    }
    let conditions: Conjunction = conditions
        .iter()
        .map(|condition| one_answer(store, condition, &mut fresh))
        .collect();
    let mut body = moves.to_vec();
    body.extend(
        conditions
            .iter()
            .map(|condition| program::term(store, condition)),
    );
    // The names cannot be those of a game: no symbol of the language contains a blank.
    let symbol = store.symbol(" update");
    let head = store.compound(symbol, terms);
    let head = unifier.apply(store, head);
    // A condition may say again what the moves say.
    let body: IndexSet<TermId> = body
        .into_iter()
        .map(|term| unifier.apply(store, term))
        .collect();
    let mut clause = Clause::of(store, head, body.into_iter().collect());
    let actions: Vec<TermId> = match moves.len() {
        0 => store.arguments(clause.head)[..1].to_vec(),
        number => clause.body[..number].to_vec(),
    };
    let mut names = Names::of(store, &actions);
    // In the order of the conditions, which say what the rest is.
    for &term in clause.body.iter().chain([&clause.head]) {
        for variable in store.variables(term) {
            names.name(variable);
        }
    }
    for number in 0..clause.variables.len() {
        clause.variables[number] = store.symbol(&names.name(number as u32));
    }
    clause
}

/// A condition with inner variables of its own, numbered from `fresh` on, and with pairs that are
/// compared as lists: a disjunction of comparisons would hold several times over. Recursion is as
/// deep as conditions are nested, which the reader of the rules bounds.
fn one_answer(store: &mut Store, condition: &Condition, fresh: &mut u32) -> Condition {
    match condition {
        Condition::Differ(pairs) if pairs.len() > 1 => {
            let left: Vec<TermId> = pairs.iter().map(|&(left, _)| left).collect();
            let right: Vec<TermId> = pairs.iter().map(|&(_, right)| right).collect();
            let pair = (prolog_list(store, &left), prolog_list(store, &right));
            Condition::Differ(vec![pair])
        }
        Condition::None(local, _) => {
            let first = *fresh;
            *fresh += local.len() as u32;
            let renumbered = condition.renumber(store, &|variable| {
                let position = local.iter().position(|&own| own == variable);
                position.map_or(variable, |position| first + position as u32)
            });
            let Condition::None(local, inner) = renumbered else {
                unreachable!("renumbering keeps the form of a condition");
            };
            let inner = inner.iter();
            let inner = inner.map(|inner| one_answer(store, inner, fresh));
            Condition::None(local, inner.collect())
        }
        Condition::Holds(_) | Condition::Fails(_) | Condition::Equal(..) | Condition::Differ(_) => {
            condition.clone()
        }
    }
}

fn prolog_list(store: &mut Store, items: &[TermId]) -> TermId {
    let end = store.constant("[]");
    let symbol = store.symbol("[|]");
    let items = items.iter().rev();
    items.fold(end, |tail, &item| store.compound(symbol, &[item, tail]))
}
