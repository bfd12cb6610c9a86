//! The effects on a fluent function, found in its rules.
//!
//! The supports of a fluent that are not frame axioms are its positive effects. It is a negative
//! effect where it holds and no frame axiom keeps it. Both are evaluated for every action of the
//! roles whose moves matter, with all that is known if that action is legal, until as little as
//! possible is left as a condition:
//!
//! ```text
//! next(table(X)) if does(robot, s(U,V)), true(table(X)), distinct(U, X)        frame axiom
//!
//! does(robot, s(x,y)):  table(X) holds and not distinct(x, X):  X = x:  - table(x)
//! ```
//!
//! An effect that comes about whatever some role does is not ascribed to that role, see
//! [`ascribe`](crate::fluent::ascribe).
//!
//! Source: the method of \[RST14\]; the target is \[G07, Definition 2.7\].

use std::collections::BTreeSet;

use crate::fluent::action::{Action, Context, TooMuchWork, contexts};
use crate::fluent::ascribe::{ChangeSource, ascribe};
use crate::fluent::certainty::{may_subsume, situation, subsumes};
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::evaluable::can_be_evaluated;
use crate::fluent::failure::{BodyFailure, failure};
use crate::fluent::finding::finding;
use crate::fluent::known::Known;
use crate::fluent::refine::refine;
use crate::fluent::support::{Support, Supports};
use crate::fluent::theory::Theory;
use crate::term::{Functor, Term, TermId};

/// Steps of inference spent on the negative effects of a fluent function, or on one of its supports,
/// before they are left as the definition has them.
const MAX_WORK: u64 = 500_000;

/// Steps of inference spent on all effects of a fluent function.
const MAX_WORK_OF_FUNCTION: u64 = 5_000_000;

/// Where moves are made: the actions of each role, and what holds in a state that is not terminal.
pub(super) struct ActionSetting {
    /// By role.
    pub(super) actions: Vec<Vec<Action>>,
    pub(super) nonterminal: Conjunction,
}

/// Cases into which one negative effect may fall for one context.
const MAX_BRANCHES: usize = 24;

/// All effects on one fluent function.
pub(super) fn effects(
    theory: &mut Theory<'_>,
    setting: &ActionSetting,
    supports: &Supports,
) -> Vec<Effect> {
    if !supports.folded.is_empty() {
        return folded(theory, supports);
    }
    let end = theory.work + MAX_WORK_OF_FUNCTION;
    let mut all = Vec::new();
    // Frame axioms keep; everything else adds.
    let (frames, rest): (Vec<&Support>, Vec<&Support>) = supports
        .supports
        .iter()
        .partition(|support| support.is_frame);
    match negative(theory, setting, supports.pattern, &frames) {
        // Effects that could not be evaluated, for want of an atom that says what a variable is, are replaced by
        // the definition as it stands. It is exact, and longer.
        Ok(effects) if can_be_evaluated(theory, &effects) => all.extend(effects),
        Ok(_) | Err(TooMuchWork) => all.push(unsupported(theory, supports.pattern, &frames)),
    }
    for support in rest {
        let effects = if theory.is_past(end) {
            Err(TooMuchWork)
        } else {
            positive(theory, setting, support)
        };
        match effects {
            Ok(effects) if can_be_evaluated(theory, &effects) => all.extend(effects),
            Ok(_) | Err(TooMuchWork) => all.push(plain(support)),
        }
    }
    without_subsumed(theory, all, &setting.nonterminal, end)
}

/// Effects of one function that are compared with each other.
const MAX_COMPARED: usize = 48;

/// The effects without those that come about only where another one does the same.
fn without_subsumed(
    theory: &mut Theory<'_>,
    effects: Vec<Effect>,
    nonterminal: &Conjunction,
    end: u64,
) -> Vec<Effect> {
    let mut kept = effects;
    if kept.len() > MAX_COMPARED {
        return kept;
    }
    // One by one, since two equal effects would subsume each other.
    let mut at = 0;
    while at < kept.len() && !theory.is_past(end) {
        if is_subsumed(theory, &kept, at, nonterminal) {
            drop(kept.remove(at))
        } else {
            at += 1
        }
    }
    kept
}

/// Whether an effect comes about only where another one does the same.
fn is_subsumed(
    theory: &mut Theory<'_>,
    effects: &[Effect],
    at: usize,
    nonterminal: &Conjunction,
) -> bool {
    let special = &effects[at];
    let others = effects.iter().filter(|other| *other != special);
    let others: Vec<&Effect> = others
        .filter(|other| may_subsume(theory, other, special))
        .collect();
    if others.is_empty() {
        return false;
    }
    // It never comes about.
    let Some(known) = situation(theory, special, nonterminal) else {
        return true;
    };
    others
        .into_iter()
        .any(|general| subsumes(theory, general, special, &known))
}

/// The effects on a fluent with a rule that has too many alternatives: what `next` says.
fn folded(theory: &mut Theory<'_>, supports: &Supports) -> Vec<Effect> {
    let fluent = supports.pattern;
    let next = theory.unary(theory.words.next, fluent);
    let now = theory.unary(theory.words.state, fluent);
    let effect = |sign, conditions| Effect {
        sign,
        fluent,
        moves: Vec::new(),
        conditions,
        clauses: supports.folded.clone(),
    };
    vec![
        effect(
            Sign::Negative,
            vec![Condition::Holds(now), Condition::Fails(next)],
        ),
        effect(Sign::Positive, vec![Condition::Holds(next)]),
    ]
}

/// A support as the effect that it states.
fn plain(support: &Support) -> Effect {
    Effect {
        sign: Sign::Positive,
        fluent: support.fluent,
        moves: Vec::new(),
        conditions: support.conditions.clone(),
        clauses: vec![support.clause],
    }
}

/// The negative effect of a fluent as the definition has it: it holds and no frame axiom keeps it.
fn unsupported(theory: &mut Theory<'_>, fluent: TermId, frames: &[&Support]) -> Effect {
    let now = theory.unary(theory.words.state, fluent);
    let mut conditions = vec![Condition::Holds(now)];
    for frame in frames {
        let mut body = vec![Condition::Equal(fluent, frame.fluent)];
        body.extend(frame.conditions.iter().cloned());
        conditions.push(Condition::None(frame.variables(theory).into(), body.into()));
    }
    Effect {
        sign: Sign::Negative,
        fluent,
        moves: Vec::new(),
        conditions,
        clauses: frames.iter().map(|frame| frame.clause).collect(),
    }
}

/// The negative effects: where the fluent holds and no frame axiom keeps it.
fn negative(
    theory: &mut Theory<'_>,
    setting: &ActionSetting,
    fluent: TermId,
    frames: &[&Support],
) -> Result<Vec<Effect>, TooMuchWork> {
    let conditions = frames.iter().flat_map(|frame| &frame.conditions);
    let contexts = contexts_of(theory, setting, conditions.collect())?;
    let now = theory.unary(theory.words.state, fluent);
    let end = theory.work + MAX_WORK;
    let mut findings = Vec::new();
    for (number, context) in contexts.iter().enumerate() {
        // Whether the action already implies that the fluent holds: then it need not be said.
        let mut known = context.known.clone();
        let given = context.known.holds(now);
        if known.assume(theory, &Condition::Holds(now)).is_err() {
            continue;
        }
        for (mut conditions, known) in removals(theory, known, fluent, frames)? {
            if !given {
                conditions.insert(0, Condition::Holds(now));
            }
            let change = (fluent, conditions);
            findings.push(finding(theory, (number, context), change, &known));
            if theory.is_past(end) {
                return Err(TooMuchWork);
            }
        }
    }
    let clauses: Vec<usize> = frames.iter().map(|frame| frame.clause).collect();
    let source = ChangeSource {
        sign: Sign::Negative,
        contexts: &contexts,
        clauses: &clauses,
    };
    Ok(ascribe(theory, &source, findings))
}

/// The joint choices of actions of the roles whose moves some conditions speak of.
fn contexts_of(
    theory: &mut Theory<'_>,
    setting: &ActionSetting,
    conditions: Vec<&Condition>,
) -> Result<Vec<Context>, TooMuchWork> {
    let mut roles = BTreeSet::new();
    let mut named = BTreeSet::new();
    for condition in conditions {
        condition.each_term(&mut |atom| {
            if let Some((name, mv)) = theory.move_of(atom)
                && let Some(role) = theory.roles.iter().position(|&role| role == name)
            {
                roles.insert(role);
                named.insert((role, key(theory, mv)));
            }
        });
    }
    // Actions that the conditions name are told apart, all others are one context, "something else".
    let roles: Vec<usize> = roles.into_iter().collect();
    contexts(
        theory,
        &setting.actions,
        &roles,
        &|theory, role, pattern| named.contains(&(role, key(theory, pattern))),
        &setting.nonterminal,
    )
}

/// What an action is told apart by: its functor, or the constant itself.
fn key(theory: &Theory<'_>, mv: TermId) -> Result<Functor, TermId> {
    match theory.store.view(mv) {
        Term::Compound(..) => theory.store.functor(mv).ok_or(mv),
        Term::Variable(_)
        | Term::Atom(_)
        | Term::Integer(_)
        | Term::Float(_)
        | Term::Big(_)
        | Term::Text(_) => Err(mv),
    }
}

/// The cases in which no frame axiom applies to a fluent that is known to hold: the conditions of
/// each, and what is known in it.
fn removals(
    theory: &mut Theory<'_>,
    known: Known,
    fluent: TermId,
    frames: &[&Support],
) -> Result<Vec<(Conjunction, Known)>, TooMuchWork> {
    let all: Vec<usize> = (0..frames.len()).collect();
    // Depth first over the ways in which frame axioms fail; each case carries what is known in it, and the axioms
    // not tried yet.
    let mut open = vec![(Conjunction::new(), known, all)];
    let mut closed = Vec::new();
    let end = theory.work + MAX_WORK;
    while let Some((conditions, known, left)) = open.pop() {
        // Too many cases, counted with those that are open.
        if open.len() + closed.len() > MAX_BRANCHES || theory.is_past(end) {
            return Err(TooMuchWork);
        }
        let left = left.iter().map(|&index| (index, frames[index]));
        match frame_verdict(theory, known, fluent, left) {
            FrameVerdict::Kept => {}
            FrameVerdict::Removed(known) => closed.push((conditions, known)),
            FrameVerdict::Split(known, ways, left) => {
                // The last case pushed is the next one; so cases come out in order.
                for way in ways.into_iter().rev() {
                    let mut next = known.clone();
                    if next.assume_case(theory, &way).is_ok() {
                        open.push(([&conditions[..], &way].concat(), next, left.clone()));
                    }
                }
            }
        }
    }
    Ok(closed)
}

/// What the frame axioms say of a fluent.
enum FrameVerdict {
    /// One applies.
    Kept,
    /// None can apply.
    Removed(Known),
    /// It depends on which of several conjunctions holds; the axioms that are left.
    Split(Known, Vec<Conjunction>, Vec<usize>),
}

/// Holds the frame axioms, each with its index, against a fluent.
fn frame_verdict<'f>(
    theory: &mut Theory<'_>,
    mut known: Known,
    fluent: TermId,
    frames: impl Iterator<Item = (usize, &'f Support)>,
) -> FrameVerdict {
    let mut undecided: Vec<(usize, Vec<Conjunction>)> = Vec::new();
    for (index, frame) in frames {
        let mut body = vec![Condition::Equal(frame.fluent, fluent)];
        body.extend(frame.conditions.iter().cloned());
        let local = frame.variables(theory);
        match failure(theory, &mut known, &local, &body) {
            BodyFailure::Always => {}
            // Nothing can make it fail: the fluent is kept in this case.
            BodyFailure::Where(ways) if ways.is_empty() => return FrameVerdict::Kept,
            BodyFailure::Where(ways) => undecided.push((index, ways)),
        }
    }
    // The axiom with the fewest ways is split on, as in choosing the smallest clause.
    let fewest = undecided.iter().map(|(_, ways)| ways.len()).min();
    let Some(position) = undecided
        .iter()
        .position(|(_, ways)| Some(ways.len()) == fewest)
    else {
        return FrameVerdict::Removed(known);
    };
    let (_, ways) = undecided.remove(position);
    let left = undecided.into_iter().map(|(index, _)| index).collect();
    FrameVerdict::Split(known, ways, left)
}

/// The positive effects that come with one support.
fn positive(
    theory: &mut Theory<'_>,
    setting: &ActionSetting,
    support: &Support,
) -> Result<Vec<Effect>, TooMuchWork> {
    let contexts = contexts_of(theory, setting, support.conditions.iter().collect())?;
    let local = support.variables(theory);
    let end = theory.work + MAX_WORK;
    let mut findings = Vec::new();
    for (number, context) in contexts.iter().enumerate() {
        if theory.is_past(end) {
            return Err(TooMuchWork);
        }
        let mut known = context.known.clone();
        let Some(rest) = refine(theory, &mut known, &local, &support.conditions) else {
            continue;
        };
        // The remaining conditions single out a case; if they contradict what is known, the context has none.
        if known.assume_case(theory, &rest.conditions).is_err() {
            continue;
        }
        let fluent = rest.witnesses.apply(theory.store, support.fluent);
        let change = (fluent, rest.conditions);
        findings.push(finding(theory, (number, context), change, &known));
    }
    let source = ChangeSource {
        sign: Sign::Positive,
        contexts: &contexts,
        clauses: &[support.clause],
    };
    Ok(ascribe(theory, &source, findings))
}
