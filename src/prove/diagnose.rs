//! What the definition of GDL asks of every game, as diagnostics about its rules, with the plays that show it.
//!
//! A message stands at the first rule for the word that it is about: `legal`, `terminal`, `goal`.

use crate::gdl::{Fault, Game};
use crate::prove::finding::{Finding, Verdict};
use crate::prove::property::PropertyKind;
use crate::syntax::{Code, Diagnostic, Severity, Span};
use crate::term::{Prefix, Store, TermId};

/// Moves of a play that are shown.
const MAX_SHOWN: usize = 12;

/// A property that every game should have, and what is wrong if it has not.
struct Demand {
    kind: PropertyKind,
    fault: Fault,
    /// The reserved word whose first rule is pointed to.
    word: &'static str,
}

macro_rules! demands {
    ($($kind:ident $word:literal $code:literal $title:literal
        $explanation:literal
        $example:literal => $corrected:literal)*) => {
        static DEMANDS: &[Demand] = &[$(Demand {
            kind: PropertyKind::$kind,
            fault: Fault {
                code: Code($code),
                severity: Severity::Warning,
                title: $title,
                explanation: $explanation,
                example: $example,
                corrected: $corrected,
            },
            word: $word,
        },)*];
    };
}

demands! {
Playable "legal" "P0101" "role without a legal move before the end"
    "Every role has to have a legal move in every state that is not terminal. A role that has to wait gets a move \
     such as `noop`."
    "(<= (legal robot open) (not (true done)))\n(<= (next done) (does robot open))\n(<= terminal (true closed))"
    => "(<= (legal robot open) (not (true done)))\n(<= (next done) (does robot open))\n(<= terminal (true done))"

Terminates "terminal" "P0102" "play without an end"
    "Every play has to end after finitely many moves. A step counter ends what may come back to where it was."
    "(init off)\n(<= (next on) (true off))\n(<= (next off) (true on))\n(<= terminal (true broken))"
    => "(init off)\n(<= (next on) (true off))\n(<= terminal (true on))"

GoalsDefined "goal" "P0103" "end without a goal value"
    "At every end, each role has to have a goal value."
    "(<= (goal robot 100) (true won))\n(<= terminal (true lost))"
    => "(<= (goal robot 100) (true won))\n(<= (goal robot 0) (not (true won)))\n(<= terminal (true lost))"

GoalsUnique "goal" "P0104" "end with two goal values"
    "At every end, each role has to have one goal value only."
    "(<= (goal robot 100) (true won))\n(goal robot 0)\n(<= terminal (true won))"
    => "(<= (goal robot 100) (true won))\n(<= (goal robot 0) (not (true won)))\n(<= terminal (true won))"

GoalsBounded "goal" "P0105" "end with a goal value that is not a number from 0 to 100"
    "Goal values are whole numbers from 0 to 100."
    "(<= (goal robot much) (true won))\n(<= terminal (true won))"
    => "(<= (goal robot 100) (true won))\n(<= terminal (true won))"

WeaklyWinnable "goal" "P0106" "role that can never win"
    "Each role should get 100 in some play."
    "(goal robot 50)\n(<= terminal (true done))"
    => "(<= (goal robot 100) (true done))\n(<= terminal (true done))"
}

/// The properties that every game should have.
pub fn demanded() -> Vec<PropertyKind> {
    DEMANDS.iter().map(|demand| demand.kind).collect()
}

/// The faults that games have that lack them, in order of their codes.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    DEMANDS.iter().map(|demand| &demand.fault)
}

/// What a finding says against a game, if it refutes a property that every game should have.
pub fn diagnose(
    game: &Game,
    store: &Store,
    kind: PropertyKind,
    finding: &Finding,
) -> Option<Diagnostic> {
    let demand = DEMANDS.iter().find(|demand| demand.kind == kind)?;
    if finding.verdict != Verdict::Refuted {
        return None;
    }
    let fault = &demand.fault;
    let role = finding
        .role
        .and_then(|role| game.roles().get(role).copied());
    let span = first_rule(game, store, demand.word, role);
    let diagnostic = Diagnostic::new(fault.code, fault.severity, span, fault.title);
    Some(match &finding.witness {
        Some(_) => diagnostic.with_help(play(game, store, finding)),
        None => {
            let role = role.map(|role| format!(" for {}", Prefix::new(store, role)));
            let role = role.unwrap_or_default();
            diagnostic.with_help(format!("no play leads to an end that is worth 100{role}"))
        }
    })
}

/// The first rule for a word, that of a role if it has one.
fn first_rule(game: &Game, store: &Store, word: &str, role: Option<TermId>) -> Span {
    let is_meant = |head| {
        let functor = store.functor(head);
        functor.is_some_and(|functor| store.name(functor.symbol) == word)
    };
    let is_own = |head| role.is_some_and(|role| store.arguments(head).first() == Some(&role));
    let clauses = game.clauses().iter();
    let mut rules = clauses.filter(|clause| is_meant(clause.head));
    let first = rules.clone().find(|clause| is_own(clause.head));
    let first = first.or_else(|| rules.next());
    first.map_or(Span::new(0, 0), |clause| clause.origin.span)
}

/// The play that shows it: `after these moves of xplayer | oplayer: (mark 1 1) | noop, noop | (mark 1 2)`.
fn play(game: &Game, store: &Store, finding: &Finding) -> String {
    let Some(play) = &finding.witness else {
        return String::new();
    };
    if play.moves.is_empty() {
        return "already at the start".to_owned();
    }
    let joint = |moves: &Vec<_>| {
        let moves = moves.iter().map(|&mv| Prefix::new(store, mv).to_string());
        let moves: Vec<String> = moves.collect();
        moves.join(" | ")
    };
    let shown: Vec<String> = play.moves.iter().take(MAX_SHOWN).map(joint).collect();
    let rest = match play.moves.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!(", and {more} more moves"),
    };
    let names = game.role_names(store);
    let back = match play.repeats {
        Some(0) => ", back to the start",
        Some(_) => ", back to where it was",
        None => "",
    };
    let roles = names.join(" | ");
    format!(
        "after these moves of {roles}: {}{rest}{back}",
        shown.join(", ")
    )
}
