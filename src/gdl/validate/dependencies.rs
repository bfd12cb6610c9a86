//! What the game relations may ask for: nothing before it is known.
//!
//! Roles and the first state come before there is a state; legal moves, goals and the end come
//! before there is a joint move. Only `next` comes after both. A relation that asks in vain may do
//! so through others, so the message follows the chain:
//!
//! ```text
//! (<= terminal lost)          terminal → lost
//! (<= lost (hit ?x))          lost → hit/1
//! (<= (hit ?x) (does r ?x))   hit/1 → does     reported here, labels on the steps before it
//! ```
//!
//! Source: \[LHHSG08\], the constraints on `role`, `init`, `does`, `legal`, `goal` and `terminal`.

use crate::gdl::codes::{self, Fault};
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{STEPS_SHOWN, Sheet, through};
use crate::syntax::{Diagnostic, SentenceKind};
use crate::term::{Dependency, DependencyGraph, Functor, PredicateSet, Sign};

/// Relations that are known before the game begins.
const STATIC: [Keyword; 4] = [Keyword::Role, Keyword::Init, Keyword::Base, Keyword::Input];

/// Relations that are known before a move.
const BEFORE_MOVE: [Keyword; 3] = [Keyword::Legal, Keyword::Goal, Keyword::Terminal];

/// Reports all dependencies that cannot be.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    let before = found.len();
    for keyword in STATIC {
        for target in [Keyword::True, Keyword::Does] {
            forbidden(sheet, keyword, target, &STATIC, found);
        }
    }
    let dependent_role = found.len() > before;
    for keyword in BEFORE_MOVE {
        forbidden(sheet, keyword, Keyword::Does, &BEFORE_MOVE, found);
    }
    if !dependent_role {
        role_rules(sheet, found);
    }
}

/// Reports, for every call of `target` that `keyword` depends on, the shortest way there. A way
/// through another of `peers` is left to that one.
fn forbidden(
    sheet: &Sheet<'_>,
    keyword: Keyword,
    target: Keyword,
    peers: &[Keyword],
    found: &mut Findings,
) {
    let start = sheet.keywords.functor(keyword);
    let target = sheet.keywords.functor(target);
    let is_peer = |predicate: Functor| {
        let word = sheet.keywords.predicate(predicate);
        word.is_some_and(|word| peers.contains(&word))
    };
    // Most games are fine, and the reachable relations show it at once.
    let reachable: PredicateSet = sheet.graph.reachable([start]);
    if !reachable.contains(&target) {
        return;
    }
    for last in sheet.graph.calls_of(target) {
        if !reachable.contains(&last.from) {
            continue;
        }
        // `goal` by way of `legal` is reported at `legal`.
        let other = |step: &Dependency| !is_peer(step.to);
        let positive = |step: &Dependency| other(step) && step.sign == Sign::Positive;
        // A way without negation is the simpler explanation, if there is one.
        let way = way(&sheet.graph, start, last, positive)
            .or_else(|| way(&sheet.graph, start, last, other));
        if let Some(way) = way {
            found.push(describe(sheet, keyword, &way));
        }
    }
}

fn way(
    graph: &DependencyGraph,
    start: Functor,
    last: &Dependency,
    admits: impl Fn(&Dependency) -> bool,
) -> Option<Vec<Dependency>> {
    // The keyword itself asks for the target: the way is this one step.
    if last.from == start {
        return Some(vec![*last]);
    }
    let chain = graph.chain(start, last.from, admits)?;
    let mut way: Vec<Dependency> = chain.into_iter().copied().collect();
    way.push(*last);
    Some(way)
}

fn describe(sheet: &Sheet<'_>, keyword: Keyword, way: &[Dependency]) -> Diagnostic {
    let Some((last, before)) = way.split_last() else {
        unreachable!("a way ends with the call of its target");
    };
    let clause = &sheet.clauses[last.clause];
    let place = sheet.call_place(clause, last.position, last.atom);
    let (name, target) = (keyword.name(), sheet.name(last.to));
    let names: Vec<&str> = before.iter().map(|step| sheet.name(step.to)).collect();
    let through = through(&names);
    let (fault, label, help) = wording(keyword, target, way);
    let message = format!("`{name}` depends on `{target}`{through}");
    let mut diagnostic = fault
        .at(sheet.span(place), message)
        .with_label(label)
        .with_help(help);
    for step in before.iter().take(STEPS_SHOWN) {
        let clause = &sheet.clauses[step.clause];
        let place = sheet.call_place(clause, step.position, step.atom);
        let text = format!(
            "`{}` asks `{}` here",
            sheet.name(step.from),
            sheet.name(step.to)
        );
        diagnostic = diagnostic.with_related(sheet.span(place), text);
    }
    diagnostic
}

fn wording(
    keyword: Keyword,
    target: &str,
    way: &[Dependency],
) -> (&'static Fault, &'static str, &'static str) {
    if BEFORE_MOVE.contains(&keyword) {
        // A rule that itself asks for the move is wrong either way. A relation that serves rules
        // for `next` too and is negated here has a meaning: nobody has moved.
        let shared = way.len() > 1 && way.iter().any(|step| step.sign == Sign::Negative);
        return (
            if shared {
                &codes::NEGATED_MOVE_DEPENDENCY
            } else {
                &codes::MOVE_DEPENDENCY
            },
            "there is no move yet when this is asked",
            "let `next` remember the move as a fluent, and ask for that with `true`",
        );
    }
    let label = match target {
        "true" => "there is no state yet when this is asked",
        _ => "there is no move yet when this is asked",
    };
    let help = if keyword == Keyword::Init {
        "use relations that do not depend on the state, or move this into `next`"
    } else if keyword == Keyword::Role {
        "list the roles as facts: `(role white)`"
    } else {
        "use relations that do not depend on the state"
    };
    (&codes::STATIC_DEPENDENCY, label, help)
}

/// Reports the first rule for `role`.
fn role_rules(sheet: &Sheet<'_>, found: &mut Findings) {
    let rule = sheet.clauses.iter().find(|clause| {
        let sentence = &sheet.document.sentences()[clause.origin.sentence as usize];
        let is_role = sheet.defined_keyword(clause) == Some(Keyword::Role);
        is_role && sentence.kind == SentenceKind::Rule && !clause.body.is_empty()
    });
    if let Some(clause) = rule {
        found.push(
            codes::ROLE_RULE
                .at(sheet.span(sheet.head(clause)), "`role` given by a rule")
                .with_label("evaluated once, before the game begins")
                .with_help("list the roles as facts, in the order of play: `(role white)`"),
        );
    }
}
