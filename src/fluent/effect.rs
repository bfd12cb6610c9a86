//! Effects: what a joint move adds to the state and takes from it, and under which conditions.
//!
//! The supports of a fluent that are not frame axioms are its positive effects. It is a negative
//! effect where it holds and no frame axiom keeps it. Both are looked at for every action of the
//! roles whose moves matter, with all that is known if that action is legal, until as little as
//! possible is left as a condition:
//!
//! ```text
//! next(table(X)) if does(robot, s(U,V)), true(table(X)), distinct(U, X)        frame axiom
//!
//! does(robot, s(x,y)):  table(X) holds and not distinct(x, X):  X = x:  - table(x)
//! ```
//!
//! An effect that comes about whatever some role does is not ascribed to that role.
//!
//! Source: the method of \[RST14\]; the target is \[G07, Definition 2.7\].

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::fluent::action::{Action, Context, TooMany, contexts};
use crate::fluent::certainty::subsumes;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::define::definers;
use crate::fluent::known::{Known, is_fact};
use crate::fluent::program::solve_local;
use crate::fluent::refine::{Failure, failure, refine};
use crate::fluent::support::{Support, Supports};
use crate::fluent::theory::Theory;
use crate::term::{Term, TermId, map_variables};

/// Whether an effect adds or takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// The fluent does not hold next.
    Negative,
    /// The fluent holds next.
    Positive,
}

/// A change that a joint move makes to the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Whether the fluent comes or goes.
    pub sign: Sign,
    /// What changes: all instances for which the conditions hold.
    pub fluent: TermId,
    /// The moves that bring it about: role, by number, and action. None: every joint move.
    pub moves: Vec<(usize, TermId)>,
    /// What must hold in the state. Variables that occur in no move are existential.
    pub conditions: Conjunction,
    /// The rules it was read from, by index.
    pub clauses: Vec<usize>,
}

/// Steps of inference spent on one fluent function, or one of its supports, before its effects are
/// left as the definition has them.
const MAX_WORK: u64 = 200_000;

/// Cases into which one negative effect may fall for one context.
const MAX_BRANCHES: usize = 24;

/// All effects on one fluent function.
pub(super) fn effects(
    theory: &mut Theory<'_>,
    actions: &[Vec<Action>],
    supports: &Supports,
    nonterminal: &Conjunction,
) -> Vec<Effect> {
    if !supports.folded.is_empty() {
        return folded(theory, supports);
    }
    let mut all = Vec::new();
    let (frames, rest): (Vec<&Support>, Vec<&Support>) = supports
        .supports
        .iter()
        .partition(|support| support.is_frame);
    match negative(theory, actions, supports.pattern, &frames, nonterminal) {
        Ok(effects) if can_be_evaluated(theory, &effects) => all.extend(effects),
        Ok(_) | Err(TooMany) => all.push(unsupported(theory, supports.pattern, &frames)),
    }
    for support in rest {
        match positive(theory, actions, support, nonterminal) {
            Ok(effects) if can_be_evaluated(theory, &effects) => all.extend(effects),
            Ok(_) | Err(TooMany) => all.push(plain(support)),
        }
    }
    without_subsumed(theory, all, nonterminal)
}

/// Effects of one function that are compared with each other.
const MAX_COMPARED: usize = 48;

/// The effects without those that come about only where another one does the same.
fn without_subsumed(
    theory: &mut Theory<'_>,
    effects: Vec<Effect>,
    nonterminal: &Conjunction,
) -> Vec<Effect> {
    let mut kept = effects;
    if kept.len() > MAX_COMPARED {
        return kept;
    }
    let mut at = 0;
    while at < kept.len() {
        let special = kept[at].clone();
        let others: Vec<Effect> = kept
            .iter()
            .filter(|&effect| *effect != special)
            .cloned()
            .collect();
        match others
            .iter()
            .any(|general| subsumes(theory, general, &special, nonterminal))
        {
            true => drop(kept.remove(at)),
            false => at += 1,
        }
    }
    kept
}

/// Whether in every effect an atom, or the move, says what each variable is. Simplification may
/// take the last such atom away where a limit was reached.
fn can_be_evaluated(theory: &mut Theory<'_>, effects: &[Effect]) -> bool {
    effects.iter().all(|effect| {
        let moves = effect.moves.iter();
        let mut bound: Vec<u32> = moves
            .flat_map(|&(_, mv)| theory.store.variables(mv))
            .collect();
        bind(theory, &effect.conditions, &mut bound);
        are_bound(theory, effect.fluent, &bound)
            && effect
                .conditions
                .iter()
                .all(|condition| is_bound(theory, condition, &bound))
    })
}

/// Adds the variables that the atoms and equations of a conjunction bind.
fn bind(theory: &Theory<'_>, conditions: &[Condition], bound: &mut Vec<u32>) {
    let mut before = usize::MAX;
    while before != bound.len() {
        before = bound.len();
        for condition in conditions {
            match *condition {
                Condition::Holds(atom) => add(theory, atom, bound),
                Condition::Equal(one, other) if are_bound(theory, one, bound) => {
                    add(theory, other, bound);
                }
                Condition::Equal(other, one) if are_bound(theory, one, bound) => {
                    add(theory, other, bound);
                }
                Condition::Equal(..)
                | Condition::Fails(_)
                | Condition::Differ(_)
                | Condition::None(..) => {}
            }
        }
    }
}

fn add(theory: &Theory<'_>, term: TermId, bound: &mut Vec<u32>) {
    for variable in theory.store.variables(term) {
        if !bound.contains(&variable) {
            bound.push(variable);
        }
    }
}

fn are_bound(theory: &Theory<'_>, term: TermId, bound: &[u32]) -> bool {
    let variables = theory.store.variables(term);
    variables.iter().all(|variable| bound.contains(variable))
}

/// Whether a condition can be evaluated where these variables are bound.
fn is_bound(theory: &mut Theory<'_>, condition: &Condition, bound: &[u32]) -> bool {
    let variables = condition.variables(theory.store);
    if variables.iter().any(|variable| !bound.contains(variable)) {
        return false;
    }
    let Condition::None(local, inner) = condition else {
        return true;
    };
    let inner = solve_local(theory.store, local, inner);
    let mut inside = bound.to_vec();
    for condition in &inner {
        if let Condition::Holds(atom) = *condition {
            add(theory, atom, &mut inside);
        }
    }
    inner
        .iter()
        .all(|condition| is_bound(theory, condition, &inside))
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
        conditions.push(Condition::None(frame.variables(theory), body));
    }
    Effect {
        sign: Sign::Negative,
        fluent,
        moves: Vec::new(),
        conditions,
        clauses: frames.iter().map(|frame| frame.clause).collect(),
    }
}

/// What one context tells.
struct Finding {
    /// Index of the context.
    context: usize,
    fluent: TermId,
    conditions: Conjunction,
    /// The actions with what the conditions say of their arguments.
    moves: Vec<(usize, Option<TermId>)>,
}

fn negative(
    theory: &mut Theory<'_>,
    actions: &[Vec<Action>],
    fluent: TermId,
    frames: &[&Support],
    nonterminal: &Conjunction,
) -> Result<Vec<Effect>, TooMany> {
    let conditions: Vec<&Condition> = frames.iter().flat_map(|frame| &frame.conditions).collect();
    let roles = roles(theory, &conditions);
    let matters = mentioned(theory, &conditions);
    let contexts = contexts(
        theory,
        actions,
        &roles,
        &|theory, role, pattern| matters.contains(&(role, key(theory, pattern))),
        nonterminal,
    )?;
    let now = theory.unary(theory.words.state, fluent);
    let end = theory.work + MAX_WORK;
    let mut findings = Vec::new();
    for (number, context) in contexts.iter().enumerate() {
        if theory.work > end {
            return Err(TooMany);
        }
        let mut known = context.known.clone();
        let given = context.known.holds(now);
        if known.assume(theory, &Condition::Holds(now)).is_err() {
            continue;
        }
        for (mut conditions, known) in removals(theory, known, fluent, frames)? {
            if !given {
                conditions.insert(0, Condition::Holds(now));
            }
            findings.push(finding(theory, context, number, fluent, conditions, &known));
        }
    }
    let clauses: Vec<usize> = frames.iter().map(|frame| frame.clause).collect();
    Ok(ascribe(
        theory,
        Sign::Negative,
        &contexts,
        findings,
        &clauses,
    ))
}

/// The cases in which no frame axiom applies to a fluent that is known to hold: the conditions of
/// each, and what is known in it.
fn removals(
    theory: &mut Theory<'_>,
    known: Known,
    fluent: TermId,
    frames: &[&Support],
) -> Result<Vec<(Conjunction, Known)>, TooMany> {
    let all: Vec<usize> = (0..frames.len()).collect();
    let mut open = vec![(Conjunction::new(), known, all)];
    let mut closed = Vec::new();
    let end = theory.work + MAX_WORK;
    while let Some((conditions, known, left)) = open.pop() {
        if open.len() + closed.len() > MAX_BRANCHES || theory.work > end {
            return Err(TooMany);
        }
        match step(theory, known, fluent, frames, &left) {
            Step::Kept => {}
            Step::Removed(known) => closed.push((conditions, known)),
            Step::Split(known, ways, left) => {
                // The last way is looked at first; so cases come out in order.
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
enum Step {
    /// One applies.
    Kept,
    /// None can apply.
    Removed(Known),
    /// It depends on which of several conjunctions holds; the axioms that are left to be looked at.
    Split(Known, Vec<Conjunction>, Vec<usize>),
}

fn step(
    theory: &mut Theory<'_>,
    mut known: Known,
    fluent: TermId,
    frames: &[&Support],
    left: &[usize],
) -> Step {
    let mut undecided: Vec<(usize, Vec<Conjunction>)> = Vec::new();
    for &index in left {
        let frame = frames[index];
        let mut body = vec![Condition::Equal(frame.fluent, fluent)];
        body.extend(frame.conditions.iter().cloned());
        let local = frame.variables(theory);
        match failure(theory, &mut known, &local, &body) {
            Failure::Always => {}
            Failure::Where(ways) if ways.is_empty() => return Step::Kept,
            Failure::Where(ways) => undecided.push((index, ways)),
        }
    }
    let fewest = undecided.iter().map(|(_, ways)| ways.len()).min();
    let Some(position) = undecided
        .iter()
        .position(|(_, ways)| Some(ways.len()) == fewest)
    else {
        return Step::Removed(known);
    };
    let (_, ways) = undecided.remove(position);
    let left = undecided.into_iter().map(|(index, _)| index).collect();
    Step::Split(known, ways, left)
}

fn positive(
    theory: &mut Theory<'_>,
    actions: &[Vec<Action>],
    support: &Support,
    nonterminal: &Conjunction,
) -> Result<Vec<Effect>, TooMany> {
    let conditions: Vec<&Condition> = support.conditions.iter().collect();
    let roles = roles(theory, &conditions);
    let matters = mentioned(theory, &conditions);
    let contexts = contexts(
        theory,
        actions,
        &roles,
        &|theory, role, pattern| matters.contains(&(role, key(theory, pattern))),
        nonterminal,
    )?;
    let local = support.variables(theory);
    let end = theory.work + MAX_WORK;
    let mut findings = Vec::new();
    for (number, context) in contexts.iter().enumerate() {
        if theory.work > end {
            return Err(TooMany);
        }
        let mut known = context.known.clone();
        let Some(rest) = refine(theory, &mut known, &local, &support.conditions) else {
            continue;
        };
        if known.assume_case(theory, &rest.conditions).is_err() {
            continue;
        }
        let fluent = rest.witnesses.apply(theory.store, support.fluent);
        findings.push(finding(
            theory,
            context,
            number,
            fluent,
            rest.conditions,
            &known,
        ));
    }
    Ok(ascribe(
        theory,
        Sign::Positive,
        &contexts,
        findings,
        &[support.clause],
    ))
}

/// Writes a finding with what is known of its variables in their place, and with the atoms that
/// say what they are.
fn finding(
    theory: &mut Theory<'_>,
    context: &Context,
    number: usize,
    fluent: TermId,
    conditions: Conjunction,
    known: &Known,
) -> Finding {
    let given: Vec<u32> = context
        .moves
        .iter()
        .filter_map(|&(_, mv)| mv)
        .flat_map(|mv| theory.store.variables(mv))
        .collect();
    // A condition may bind a variable that the context speaks of, and vanish in doing so; the atoms
    // of that variable then say what the condition did. So they are chosen before it is bound.
    let early = known.settled_bindings();
    let mut spoken: Vec<u32> = Vec::new();
    let early_fluent = early.apply(theory.store, fluent);
    let late_fluent = known.bindings().apply(theory.store, fluent);
    for term in [early_fluent, late_fluent] {
        spoken.extend(theory.store.variables(term));
    }
    for condition in &conditions {
        for bindings in [early, known.bindings()] {
            let condition = condition.apply(theory.store, bindings);
            spoken.extend(condition.variables(theory.store));
        }
    }
    let settled: Vec<TermId> = known.settled().collect();
    let defining = definers(theory, &settled, &given, spoken);
    let mut written: Conjunction = Vec::new();
    for atom in defining {
        let atom = known.bindings().apply(theory.store, atom);
        // What the legality of the moves implies of their own arguments goes without saying.
        if !(context.known.holds(atom) && are_bound(theory, atom, &given)) {
            push(&mut written, Condition::Holds(atom));
        }
    }
    let moves = context.moves.iter();
    let moves =
        moves.map(|&(role, mv)| (role, mv.map(|mv| known.bindings().apply(theory.store, mv))));
    let moves: Vec<(usize, Option<TermId>)> = moves.collect();
    for condition in conditions {
        let condition = condition.apply(theory.store, known.bindings());
        if !is_trivial(theory, context, &condition) && !is_done(theory, &moves, &condition) {
            push(&mut written, condition);
        }
    }
    // What follows from the conditions of the case may be all that speaks of a variable.
    let derived = known.derived_in_case(theory.store);
    if !derived.is_empty() {
        let mut wanted = theory.store.variables(late_fluent);
        for condition in &written {
            wanted.extend(condition.variables(theory.store));
        }
        for mv in moves.iter().filter_map(|&(_, mv)| mv) {
            wanted.extend(theory.store.variables(mv));
        }
        wanted.retain(|variable| derived.contains(variable));
        let atoms: Vec<TermId> = known.atoms().collect();
        for atom in definers(theory, &atoms, &given, wanted) {
            push(&mut written, Condition::Holds(atom));
        }
    }
    Finding {
        context: number,
        moves,
        fluent: late_fluent,
        conditions: written,
    }
}

fn push(conditions: &mut Conjunction, condition: Condition) {
    if !conditions.contains(&condition) {
        conditions.push(condition);
    }
}

/// Whether a condition holds wherever the moves of a context are legal.
fn is_trivial(theory: &mut Theory<'_>, context: &Context, condition: &Condition) -> bool {
    match condition {
        Condition::Equal(left, right) => left == right,
        Condition::Holds(atom) => context.known.holds(*atom) || is_fact(theory, *atom),
        Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
            context.known.entails(theory, condition)
        }
    }
}

/// Whether a condition says that a move is made that is among some moves.
fn is_done(theory: &Theory<'_>, moves: &[(usize, Option<TermId>)], condition: &Condition) -> bool {
    let Condition::Holds(atom) = condition else {
        return false;
    };
    theory.move_of(*atom).is_some_and(|(name, mv)| {
        moves
            .iter()
            .any(|&(role, own)| theory.roles[role] == name && own == Some(mv))
    })
}

/// The roles whose moves some conditions speak of, ascending.
fn roles(theory: &Theory<'_>, conditions: &[&Condition]) -> Vec<usize> {
    let mut found = BTreeSet::new();
    for condition in conditions {
        condition.each_term(&mut |atom| {
            if let Some((role, _)) = theory.move_of(atom) {
                found.extend(theory.roles.iter().position(|&name| name == role));
            }
        });
    }
    found.into_iter().collect()
}

/// What an action is told apart by: its functor, or the constant itself.
fn key(theory: &Theory<'_>, mv: TermId) -> Result<crate::term::Functor, TermId> {
    match theory.store.view(mv) {
        Term::Compound(..) => theory.store.functor(mv).ok_or(mv),
        Term::Variable(_) | Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Text(_) => {
            Err(mv)
        }
    }
}

/// The actions that some conditions name.
fn mentioned(
    theory: &Theory<'_>,
    conditions: &[&Condition],
) -> BTreeSet<(usize, Result<crate::term::Functor, TermId>)> {
    let mut found = BTreeSet::new();
    for condition in conditions {
        condition.each_term(&mut |atom| {
            if let Some((role, mv)) = theory.move_of(atom)
                && let Some(role) = theory.roles.iter().position(|&name| name == role)
            {
                found.insert((role, key(theory, mv)));
            }
        });
    }
    found
}

/// What findings are compared by: fluent, conditions, and the actions of which the conditions say
/// more than the context does. A change that comes with one instance of an action alone is not the
/// change that another context has without restriction.
type Change = (TermId, Conjunction, Vec<(usize, TermId)>);

/// Makes effects of findings: each is ascribed to as few roles as possible.
fn ascribe(
    theory: &mut Theory<'_>,
    sign: Sign,
    contexts: &[Context],
    findings: Vec<Finding>,
    clauses: &[usize],
) -> Vec<Effect> {
    let mut changes: IndexMap<Change, Vec<Finding>, FxBuildHasher> = IndexMap::default();
    for finding in findings {
        let change = standard(theory, contexts, &finding);
        changes.entry(change).or_default().push(finding);
    }
    let mut effects: Vec<Effect> = Vec::new();
    for findings in changes.values() {
        let present: BTreeSet<usize> = findings.iter().map(|finding| finding.context).collect();
        for finding in findings {
            let effect = attribute(theory, sign, contexts, finding, &present, clauses);
            if !effects.iter().any(|known| same(theory, known, &effect)) {
                effects.push(effect);
            }
        }
    }
    effects
}

fn same(_theory: &Theory<'_>, one: &Effect, other: &Effect) -> bool {
    one.sign == other.sign
        && one.fluent == other.fluent
        && one.moves == other.moves
        && one.conditions == other.conditions
}

/// A change with its own variables numbered in order of occurrence, so that equal changes are
/// equal.
fn standard(theory: &mut Theory<'_>, contexts: &[Context], finding: &Finding) -> Change {
    const OWN: u32 = 1 << 30;
    let own = &contexts[finding.context].moves;
    let restricted = finding.moves.iter().zip(own).filter(|(mv, own)| mv != own);
    let restricted: Vec<(usize, TermId)> = restricted
        .filter_map(|(&(role, mv), _)| Some((role, mv?)))
        .collect();
    let parameters: Vec<u32> = own
        .iter()
        .filter_map(|&(_, pattern)| pattern)
        .flat_map(|pattern| theory.store.variables(pattern))
        .collect();
    let mut order: Vec<u32> = Vec::new();
    let mut note = |variable: u32| {
        if !parameters.contains(&variable) && !order.contains(&variable) {
            order.push(variable);
        }
    };
    theory
        .store
        .variables(finding.fluent)
        .into_iter()
        .for_each(&mut note);
    for condition in &finding.conditions {
        condition.each_term(&mut |term| {
            theory.store.variables(term).into_iter().for_each(&mut note);
        });
    }
    for &(_, mv) in &restricted {
        theory.store.variables(mv).into_iter().for_each(&mut note);
    }
    let number = |variable: u32| match order.iter().position(|&own| own == variable) {
        Some(at) => OWN + at as u32,
        None => variable,
    };
    let mut rename = |term: TermId| {
        map_variables(theory.store, term, |store, variable| {
            store.variable(number(variable))
        })
    };
    let fluent = rename(finding.fluent);
    let restricted = restricted
        .into_iter()
        .map(|(role, mv)| (role, rename(mv)))
        .collect();
    let conditions = finding.conditions.iter();
    let conditions = conditions.map(|condition| condition.renumber(theory.store, &number));
    (fluent, conditions.collect(), restricted)
}

/// The effect of a finding, without the roles that do not matter for it.
fn attribute(
    theory: &mut Theory<'_>,
    sign: Sign,
    contexts: &[Context],
    finding: &Finding,
    present: &BTreeSet<usize>,
    clauses: &[usize],
) -> Effect {
    let own = &contexts[finding.context].moves;
    let mut kept: Vec<usize> = own.iter().map(|&(role, _)| role).collect();
    let mut used = theory.store.variables(finding.fluent);
    for condition in &finding.conditions {
        used.extend(condition.variables(theory.store));
    }
    // An argument that must be that of another role's move.
    for (mv, choice) in finding.moves.iter().zip(own) {
        if mv != choice {
            used.extend(mv.1.iter().flat_map(|&mv| theory.store.variables(mv)));
        }
    }
    for &(role, pattern) in own {
        let specialized = finding
            .moves
            .iter()
            .any(|&(r, p)| r == role && p != pattern);
        let speaks = pattern.is_some_and(|pattern| {
            let variables = theory.store.variables(pattern);
            variables.iter().any(|variable| used.contains(variable))
        });
        if specialized || speaks {
            continue;
        }
        let without: Vec<usize> = kept
            .iter()
            .copied()
            .filter(|&other| other != role)
            .collect();
        let agrees = |context: &Context| {
            own.iter()
                .filter(|(role, _)| without.contains(role))
                .all(|choice| context.moves.contains(choice))
        };
        let everywhere = contexts
            .iter()
            .enumerate()
            .filter(|(_, context)| agrees(context))
            .all(|(number, _)| present.contains(&number));
        if everywhere {
            kept = without;
        }
    }
    let mut conditions = finding.conditions.clone();
    let mut moves = Vec::new();
    for &(role, pattern) in finding.moves.iter().filter(|(role, _)| kept.contains(role)) {
        match pattern {
            Some(pattern) => moves.push((role, pattern)),
            None => {
                let name = theory.roles[role];
                let excluded = contexts[finding.context].excluded.iter();
                conditions.extend(
                    excluded
                        .filter(|condition| {
                            condition.mentions(&|atom| {
                                theory.move_of(atom).is_some_and(|(of, _)| of == name)
                            })
                        })
                        .cloned(),
                );
            }
        }
    }
    Effect {
        sign,
        fluent: finding.fluent,
        moves,
        conditions,
        clauses: clauses.to_vec(),
    }
}
