//! Recursion: negation must not be part of it, and it must not build ever larger terms.
//!
//! A cycle through a negation has no answer (see [`crate::gdl::Stratification`]). A cycle of
//! positive calls has finitely many if no argument can grow along it. To see that, every variable
//! of a head is traced to where the recursive calls of its body bring it from:
//!
//! ```text
//! (<= (num (s ?x)) (num ?x))                ?x: depth 0 in num.1 → depth 1 in num.1:  +1, grows
//! (<= (num (s ?x)) (num ?x) (digit ?x))     ?x is bound by digit, which is not part of it: stays
//! (<= (half ?x) (half (s ?x)))              −1, shrinks
//! ```
//!
//! The positions of arguments and these steps are a weighted graph, and terms grow if it has a
//! cycle of positive weight. The recursion restriction is stricter: it also refuses recursion that
//! passes a variable to another argument without growth, which is told as a warning.
//!
//! Source: \[LHHSG08\], the definitions of stratified rules and of the recursion restriction.
//! DIVERGENCE: an error only where terms grow; the original refuses every violation.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::codes;
use crate::gdl::stratify::{CycleKind, NegativeCycle, Stratification};
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, STEPS_SHOWN, Sheet, through};
use crate::syntax::Diagnostic;
use crate::term::{Clause, Dependency, Functor, Sign, Term, TermId, calls};

/// An argument of a relation.
type Position = (Functor, usize);

/// A variable's way from an argument of a recursive call to an argument of the head.
struct VariablePath {
    from: usize,
    to: usize,
    /// How much deeper the variable stands in the head.
    growth: i64,
    clause: usize,
    /// The argument of the head.
    argument: usize,
    call: Dependency,
}

/// Reports cycles through negations, growing recursion and breaches of the recursion restriction.
pub(super) fn check(sheet: &Sheet<'_>, safe: &[bool], found: &mut Findings) {
    if let Err(cycles) = Stratification::of(sheet.store, sheet.clauses, &sheet.graph) {
        found.extend(cycles.iter().map(|cycle| describe_cycle(sheet, cycle)));
    }
    let recursive: Vec<Dependency> = sheet
        .graph
        .dependencies()
        .iter()
        .filter(|call| safe[call.clause] && sheet.graph.is_in_cycle(call))
        .copied()
        .collect();
    if recursive.is_empty() {
        return;
    }
    let growing = growth(sheet, &recursive, found);
    restriction(sheet, &recursive, &growing, found);
}

fn describe_cycle(sheet: &Sheet<'_>, cycle: &NegativeCycle) -> Diagnostic {
    let Some((first, others)) = cycle.dependencies.split_first() else {
        unreachable!("a cycle has a first dependency");
    };
    let place =
        |step: &Dependency| sheet.call_place(&sheet.clauses[step.clause], step.position, step.atom);
    let name = sheet.name(first.from);
    let names: Vec<&str> = others.iter().map(|step| sheet.name(step.from)).collect();
    let message = format!("`{name}` depends on its own negation{}", through(&names));
    let label = format!(
        "`{name}` asks for the negation of `{}` here",
        sheet.name(first.to)
    );
    let (fault, message, help) = match cycle.kind {
        CycleKind::OfClauses => (
            &codes::UNSTRATIFIED,
            message,
            "a condition on the state of the game, or another relation, must break the circle",
        ),
        CycleKind::OfNames => (
            &codes::UNSTRATIFIED_NAMES,
            format!("{message}, though for other arguments"),
            "no instance depends on its own negation, so this can be played; \
             to keep to the letter of GDL, negate the conditions of the other rule",
        ),
    };
    let mut diagnostic = fault
        .at(sheet.span(place(first)), message)
        .with_label(label)
        .with_help(help);
    for step in others.iter().take(STEPS_SHOWN) {
        let negation = match step.sign {
            Sign::Positive => "",
            Sign::Negative => "the negation of ",
        };
        let text = format!(
            "`{}` asks {negation}`{}` here",
            sheet.name(step.from),
            sheet.name(step.to)
        );
        diagnostic = diagnostic.with_related(sheet.span(place(step)), text);
    }
    diagnostic
}

/// Reports growing arguments; gives the clauses that have one.
fn growth(sheet: &Sheet<'_>, recursive: &[Dependency], found: &mut Findings) -> FxHashSet<usize> {
    let (steps, positions) = steps(sheet, recursive);
    let mut clauses = FxHashSet::default();
    for step in growing_steps(&steps, positions) {
        if clauses.insert(step.clause) {
            found.push(describe_growth(sheet, step));
        }
    }
    clauses
}

fn describe_growth(sheet: &Sheet<'_>, step: &VariablePath) -> Diagnostic {
    let clause = &sheet.clauses[step.clause];
    let head = sheet.head(clause);
    let argument = sheet.arguments(head).nth(step.argument).unwrap_or(head);
    let call = sheet.call_place(clause, step.call.position, step.call.atom);
    let name = sheet.name(step.call.from);
    let message = format!("recursion of `{name}` builds ever larger terms");
    codes::GROWING_RECURSION
        .at(sheet.span(argument), message)
        .with_label("larger than what the recursive call gives")
        .with_related(sheet.span(call), "the recursive call")
        .with_help(
            "bind its variables by a condition on a relation that is not part of the recursion",
        )
}

/// The ways of variables through recursive rules, and the number of positions they join.
fn steps(sheet: &Sheet<'_>, recursive: &[Dependency]) -> (Vec<VariablePath>, usize) {
    let mut positions: FxHashMap<Position, usize> = FxHashMap::default();
    let mut steps = Vec::new();
    for call in recursive.iter().filter(|call| call.sign == Sign::Positive) {
        let clause = &sheet.clauses[call.clause];
        let outside = bound_outside(sheet, clause);
        // Bound by a relation outside of the recursion, a variable has finitely many values, however deep it stands.
        let given = depths(sheet, call.atom);
        for (to, variable, deep) in depths(sheet, clause.head) {
            for &(from, _, depth) in given.iter().filter(|&&(_, other, _)| other == variable) {
                if outside.contains(&variable) {
                    continue;
                }
                let mut number = |position: Position| {
                    let next = positions.len();
                    *positions.entry(position).or_insert(next)
                };
                steps.push(VariablePath {
                    from: number((call.to, from)),
                    to: number((call.from, to)),
                    // `p(s(X)) :- p(X)`: X stands one deeper in the head than in the call.
                    growth: deep - depth,
                    clause: call.clause,
                    argument: to,
                    call: *call,
                });
            }
        }
    }
    (steps, positions.len())
}

/// The occurrences of variables in an atom: index of the argument, variable, depth in it.
fn depths(sheet: &Sheet<'_>, atom: TermId) -> Vec<(usize, u32, i64)> {
    let mut found = Vec::new();
    for (index, &argument) in sheet.store.arguments(atom).iter().enumerate() {
        let mut stack = vec![(argument, 0)];
        while let Some((term, depth)) = stack.pop() {
            if sheet.store.is_ground(term) {
                continue;
            }
            if let Term::Variable(variable) = sheet.store.view(term) {
                found.push((index, variable, depth));
            }
            stack.extend(
                sheet
                    .store
                    .arguments(term)
                    .iter()
                    .map(|&part| (part, depth + 1)),
            );
        }
    }
    found
}

/// The variables that positive conditions on relations outside of the recursion bind. Conditions
/// inside of `or` are not counted: they bind only on one of its ways.
fn bound_outside(sheet: &Sheet<'_>, clause: &Clause) -> FxHashSet<u32> {
    let component = |term| sheet.graph.component(sheet.store.functor(term)?);
    let own = component(clause.head);
    let mut bound = FxHashSet::default();
    for &condition in &clause.body {
        let parts = calls(sheet.store, condition);
        // A plain atom: its one call is the condition itself.
        if let [call] = parts.as_slice()
            && call.atom == condition
            && component(call.atom) != own
        {
            bound.extend(sheet.store.variables(call.atom));
        }
    }
    bound
}

/// The steps that lengthen terms and lie on a cycle that, all in all, lengthens them too.
fn growing_steps(steps: &[VariablePath], positions: usize) -> impl Iterator<Item = &VariablePath> {
    let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
    let nodes: Vec<_> = (0..positions).map(|_| graph.add_node(())).collect();
    for step in steps {
        graph.add_edge(nodes[step.from], nodes[step.to], ());
    }
    let mut component = vec![0; positions];
    let mut grows = Vec::new();
    for (number, members) in petgraph::algo::kosaraju_scc(&graph).into_iter().enumerate() {
        for member in &members {
            component[member.index()] = number;
        }
        grows.push(members.len());
    }
    // Longest ways from anywhere: if they still lengthen after as many rounds as there are
    // positions, they go round a cycle that lengthens.
    let mut reach = vec![0_i64; positions];
    let mut lengthened = vec![false; grows.len()];
    for round in 0..=positions {
        let mut longest = true;
        for step in steps
            .iter()
            .filter(|step| component[step.from] == component[step.to])
        {
            // Bellman and Ford on negated weights: a way that still lengthens in the last round contains a positive cycle.
            let longer = reach[step.from] + step.growth;
            if longer > reach[step.to] {
                reach[step.to] = longer;
                longest = false;
                lengthened[component[step.to]] |= round == positions;
            }
        }
        if longest {
            break;
        }
    }
    steps.iter().filter(move |step| {
        let inside = component[step.from] == component[step.to];
        inside && step.growth > 0 && lengthened[component[step.to]]
    })
}

/// Reports the calls that the recursion restriction does not allow, in clauses that do not grow.
fn restriction(
    sheet: &Sheet<'_>,
    recursive: &[Dependency],
    growing: &FxHashSet<usize>,
    found: &mut Findings,
) {
    for call in recursive {
        if growing.contains(&call.clause) || call.sign == Sign::Negative {
            continue;
        }
        let clause = &sheet.clauses[call.clause];
        let outside = bound_outside(sheet, clause);
        let head = sheet.store.arguments(clause.head);
        let place = sheet.call_place(clause, call.position, call.atom);
        let free = sheet.arguments(place).find(|argument| {
            let variables = sheet.store.variables(argument.term);
            let bound = variables.iter().all(|variable| outside.contains(variable));
            !bound && !head.contains(&argument.term)
        });
        if let Some(argument) = free {
            found.push(describe_restriction(sheet, call, place, argument));
        }
    }
}

fn describe_restriction(
    sheet: &Sheet<'_>,
    call: &Dependency,
    place: Place,
    argument: Place,
) -> Diagnostic {
    let message = format!(
        "recursive call of `{}` with the argument `{}` that nothing outside of the recursion gives",
        sheet.name(call.to),
        sheet.quote(argument),
    );
    let message = match sheet.store.functor(place.term) {
        Some(functor) if functor == call.from => message,
        _ => format!("{message} (from `{}`)", sheet.name(call.from)),
    };
    codes::RECURSION_RESTRICTION
        .at(sheet.span(argument), message)
        .with_label("neither ground, nor an argument of the head, nor bound elsewhere")
        .with_help("no larger terms are built, so this can be played; to keep to the letter of GDL, bind it by a condition on another relation")
}
