//! A game as a logic program: its rules in the control constructs of Prolog, fit to be resolved
//! from left to right.
//!
//! The conditions of a GDL rule have no order; a Prolog machine tries them in the order given, and
//! there `not` and `distinct` must find their variables bound. So they move behind the conditions
//! that bind them, and nothing else moves:
//!
//! ```text
//! (<= (p ?x) (distinct ?x a) (or (q ?x) (not (r ?x))) (s ?x))
//! p(X) :- s(X), X \= a, (q(X) ; \+ r(X))
//! ```
//!
//! A game may give its relations any name, and some names belong to the machine (`number`, `plus`,
//! `succ`): those become names of the game's own, see [`Program::names`].

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::term::{Clause, DependencyGraph, Functor, Literal, Store, SymbolId, TermId};

/// What precedes a relation's name that the machine has another meaning for.
const OWN: &str = "game:";

/// The rules of a game as a logic program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The rules in their order; the conditions are goals of Prolog.
    pub clauses: Vec<Clause>,
    /// The predicates that depend on themselves and so must be tabled.
    pub recursive: Vec<Functor>,
    /// The predicates that are called and have no rules, `true/1` and `does/2` among them.
    pub undefined: Vec<Functor>,
    /// How goals of the game become goals of the program.
    pub names: Names,
}

/// The relations of a game that have another name in the program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    renamed: IndexMap<Functor, SymbolId, FxBuildHasher>,
}

/// The name of a predicate of a program as people write it.
pub fn shown_name(name: &str) -> &str {
    name.strip_prefix(OWN).unwrap_or(name)
}

impl Program {
    /// Makes a program of rules; `is_taken` says which predicates the machine keeps to itself.
    pub fn new(
        store: &mut Store,
        clauses: &[Clause],
        is_taken: impl Fn(&Store, Functor) -> bool,
    ) -> Self {
        let graph = DependencyGraph::of(store, clauses);
        let (state, moves) = (store.symbol("true"), store.symbol("does"));
        let given = [(state, 1), (moves, 2)].map(|(symbol, arity)| Functor { symbol, arity });
        // `true` and `does` have no rules but are called.
        let predicates = graph.predicates().iter().copied();
        let predicates: Vec<Functor> = predicates.chain(given).collect();
        let mut names = Names::default();
        for &predicate in &predicates {
            if is_taken(store, predicate) {
                let own = format!("{OWN}{}", store.name(predicate.symbol));
                names.renamed.insert(predicate, store.symbol(&own));
            }
        }
        let heads = clauses
            .iter()
            .filter_map(|clause| store.functor(clause.head));
        let defined: FxHashSet<Functor> = heads.collect();
        let mut undefined: Vec<Functor> = Vec::new();
        for &predicate in &predicates {
            let name = names.of(predicate);
            if !defined.contains(&predicate) && !undefined.contains(&name) {
                undefined.push(name);
            }
        }
        let recursive = predicates.iter().filter(|&&p| graph.is_recursive(p));
        Self {
            recursive: recursive.map(|&predicate| names.of(predicate)).collect(),
            clauses: clauses
                .iter()
                .map(|clause| names.clause(store, clause))
                .collect(),
            undefined,
            names,
        }
    }
}

/// A part of a walk over a condition.
enum ConditionStep {
    /// A goal, whose connectives and name become those of the program.
    Goal(TermId),
    /// A term that stays as it is.
    Keep(TermId),
    /// The last `n` results as the arguments of a compound.
    Build(SymbolId, usize),
    /// The last `n` results joined by an operator, from the right.
    Join(&'static str, usize),
}

impl Names {
    /// The predicate of the program that stands for a relation of the game.
    pub fn of(&self, predicate: Functor) -> Functor {
        Functor {
            symbol: *self.renamed.get(&predicate).unwrap_or(&predicate.symbol),
            arity: predicate.arity,
        }
    }

    fn clause(&self, store: &mut Store, clause: &Clause) -> Clause {
        // Order first, names second; the origins of the conditions move with them.
        let order = order(store, &clause.body);
        let mut renamed = clause.clone();
        renamed.head = self.goal(store, clause.head);
        renamed.body = order
            .iter()
            .map(|&position| self.goal(store, clause.body[position]))
            .collect();
        let nodes = order.iter().filter_map(|&at| clause.origin.body.get(at));
        renamed.origin.body = nodes.copied().collect();
        renamed
    }

    /// A condition of GDL, or a goal of Prolog about the game, as a goal of the program.
    pub fn goal(&self, store: &mut Store, goal: TermId) -> TermId {
        let mut steps = vec![ConditionStep::Goal(goal)];
        // Post-order with an explicit stack: results of parts lie on top when their whole is built.
        let mut built: Vec<TermId> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                ConditionStep::Keep(term) => built.push(term),
                ConditionStep::Goal(term) => self.visit(store, term, &mut steps),
                ConditionStep::Build(symbol, arity) => {
                    let term = store.compound(symbol, &built[built.len() - arity..]);
                    built.truncate(built.len() - arity);
                    built.push(term);
                }
                ConditionStep::Join(operator, number) => {
                    let joined = join(store, operator, &built[built.len() - number..]);
                    built.truncate(built.len() - number);
                    built.push(joined);
                }
            }
        }
        built
            .pop()
            .unwrap_or_else(|| unreachable!("the walk leaves one term"))
    }

    /// Plans the conversion of one goal. The results come in the order of the arguments.
    fn visit(&self, store: &mut Store, term: TermId, steps: &mut Vec<ConditionStep>) {
        let arguments = store.arguments(term).to_vec();
        let Some(functor) = store.functor(term) else {
            steps.push(ConditionStep::Keep(term));
            return;
        };
        let goals = |from: &[TermId], steps: &mut Vec<ConditionStep>| {
            steps.extend(from.iter().rev().map(|&goal| ConditionStep::Goal(goal)));
        };
        let name = store.name(functor.symbol).to_owned();
        match (name.as_str(), arguments.as_slice()) {
            ("not" | "~", [_]) => {
                steps.push(ConditionStep::Build(store.symbol("\\+"), 1));
                goals(&arguments, steps);
            }
            ("distinct", [_, _]) => {
                steps.push(ConditionStep::Build(store.symbol("\\="), 2));
                steps.extend(
                    arguments
                        .iter()
                        .rev()
                        .map(|&term| ConditionStep::Keep(term)),
                );
            }
            ("and", parts) => {
                // Prolog proves from left to right, so that the order in a conjunction matters there.
                let ordered: Vec<TermId> =
                    order(store, parts).iter().map(|&at| parts[at]).collect();
                steps.push(ConditionStep::Join(",", parts.len()));
                goals(&ordered, steps);
            }
            ("&", [_, _]) => {
                steps.push(ConditionStep::Join(",", 2));
                goals(&arguments, steps);
            }
            ("or", branches) => {
                steps.push(ConditionStep::Join(";", branches.len()));
                goals(branches, steps);
            }
            ("|", [_, _]) => {
                steps.push(ConditionStep::Join(";", 2));
                goals(&arguments, steps);
            }
            (name, arguments) => self.visit_goal(store, name, functor, arguments, steps),
        }
    }

    /// Plans the conversion of a control construct of Prolog, or of a call.
    fn visit_goal(
        &self,
        store: &mut Store,
        name: &str,
        functor: Functor,
        arguments: &[TermId],
        steps: &mut Vec<ConditionStep>,
    ) {
        let Some(are_goals) = goal_arguments(name, arguments.len()) else {
            let symbol = self.of(functor).symbol;
            steps.push(ConditionStep::Keep(store.compound(symbol, arguments)));
            return;
        };
        steps.push(ConditionStep::Build(functor.symbol, arguments.len()));
        let each = arguments.iter().enumerate().rev();
        steps.extend(each.map(|(position, &argument)| {
            if are_goals.contains(&position) {
                ConditionStep::Goal(argument)
            } else {
                ConditionStep::Keep(argument)
            }
        }));
    }
}

/// A goal of a program as a person writes it about the game, the inverse of [`Names::goal`].
pub fn shown_goal(store: &mut Store, goal: TermId) -> TermId {
    let mut steps = vec![ConditionStep::Goal(goal)];
    let mut built: Vec<TermId> = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            ConditionStep::Keep(term) => built.push(term),
            ConditionStep::Goal(term) => {
                let arguments = store.arguments(term).to_vec();
                let Some(functor) = store.functor(term) else {
                    built.push(term);
                    continue;
                };
                let name = store.name(functor.symbol);
                let (shown, are_goals) = match (name, arguments.len()) {
                    ("\\+", 1) => ("not", true),
                    (",", 2) => ("and", true),
                    (";", 2) => ("or", true),
                    ("\\=", 2) => ("distinct", false),
                    _ => (shown_name(name), false),
                };
                let shown = shown.to_owned();
                steps.push(ConditionStep::Build(store.symbol(&shown), arguments.len()));
                steps.extend(arguments.iter().rev().map(|&argument| {
                    if are_goals {
                        ConditionStep::Goal(argument)
                    } else {
                        ConditionStep::Keep(argument)
                    }
                }));
            }
            ConditionStep::Build(symbol, arity) => {
                let term = store.compound(symbol, &built[built.len() - arity..]);
                built.truncate(built.len() - arity);
                built.push(term);
            }
            ConditionStep::Join(..) => unreachable!("nothing is joined here"),
        }
    }
    built
        .pop()
        .unwrap_or_else(|| unreachable!("the walk leaves one term"))
}

/// Which arguments of a control construct are goals; `None` if it is none.
fn goal_arguments(name: &str, arity: usize) -> Option<&'static [usize]> {
    match (name, arity) {
        ("," | ";" | "->" | "*->" | "forall", 2) => Some(&[0, 1]),
        ("\\+" | "once" | "ignore" | "call", 1) => Some(&[0]),
        // The template in front and the list behind are terms, as are the variables in front of `^`.
        ("findall" | "bagof" | "setof" | "aggregate_all", 3) | ("^", 2) => Some(&[1]),
        ("catch", 3) => Some(&[0, 2]),
        _ => None,
    }
}

fn join(store: &mut Store, operator: &str, parts: &[TermId]) -> TermId {
    let symbol = store.symbol(operator);
    let Some((&last, front)) = parts.split_last() else {
        // The empty conjunction holds, the empty disjunction does not.
        return store.constant(if operator == "," { "true" } else { "fail" });
    };
    let each = front.iter().rev();
    // `,` and `;` associate to the right: a, (b, c).
    each.fold(last, |joined, &part| {
        store.compound(symbol, &[part, joined])
    })
}

/// The variables of a condition, by what becomes of them.
#[derive(Debug, Default)]
struct Variables {
    /// In every solution of the condition they are bound.
    binds: FxHashSet<u32>,
    /// They stand in some branch of an `or`, and may be bound or not.
    may_bind: FxHashSet<u32>,
    /// They stand under `not` or `distinct`, whose truth is known once they are bound.
    needs: FxHashSet<u32>,
}

/// An order for conditions in which what needs bound variables comes after what binds them.
fn order(store: &Store, conditions: &[TermId]) -> Vec<usize> {
    let mut all: Vec<Variables> = conditions
        .iter()
        .map(|&term| variables(store, term))
        .collect();
    let mut left: Vec<usize> = (0..conditions.len()).collect();
    let mut order = Vec::with_capacity(conditions.len());
    // Selection: the first of those left whose variables no other one binds. Conditions that are ready keep the
    // author's order.
    while !left.is_empty() {
        let waits_for = |candidate: usize, of: fn(&Variables) -> &FxHashSet<u32>| {
            let needs = &all[candidate].needs;
            let mut others = left.iter().filter(|&&other| other != candidate);
            !needs.is_empty() && others.any(|&other| !of(&all[other]).is_disjoint(needs))
        };
        let is_ready = |&candidate: &usize| !waits_for(candidate, |other| &other.binds);
        // A branch of an `or` binds in some solutions only: conditions that bind in all of them go first.
        let is_safe = |candidate: &usize| {
            is_ready(candidate) && !waits_for(*candidate, |other| &other.may_bind)
        };
        // In an unsafe rule none is ready: the first one then, and its call reports what is unbound.
        let position = left.iter().position(is_safe);
        let position = position.or_else(|| left.iter().position(is_ready));
        let next = left.remove(position.unwrap_or(0));
        let bound = std::mem::take(&mut all[next].binds);
        for variables in &mut all {
            variables.needs.retain(|variable| !bound.contains(variable));
        }
        order.push(next);
    }
    order
}

fn variables(store: &Store, condition: TermId) -> Variables {
    #[derive(Clone, Copy)]
    enum Under {
        Nothing,
        Or,
        Not,
    }
    let mut found = Variables::default();
    let mut stack = vec![(condition, Under::Nothing)];
    while let Some((term, under)) = stack.pop() {
        match (Literal::of(store, term), under) {
            (Literal::Not(inner), _) => stack.push((inner, Under::Not)),
            (Literal::And(parts), _) => stack.extend(parts.iter().map(|&part| (part, under))),
            (Literal::Or(branches), Under::Not) => {
                stack.extend(branches.iter().map(|&branch| (branch, Under::Not)));
            }
            (Literal::Or(branches), _) => {
                stack.extend(branches.iter().map(|&branch| (branch, Under::Or)));
            }
            (Literal::Distinct(left, right), _) => {
                found.needs.extend(store.variables(left));
                found.needs.extend(store.variables(right));
            }
            (Literal::Call(atom), under) => {
                let variables = store.variables(atom);
                match under {
                    Under::Nothing => found.binds.extend(variables),
                    Under::Or => found.may_bind.extend(variables),
                    Under::Not => found.needs.extend(variables),
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Notation, Source, parse};
    use crate::term::{Case, Infix, Lowering};

    fn shown(text: &str) -> Vec<String> {
        let source = Source::new("test", text);
        let parsed = parse(&source, Notation::Prefix);
        let mut store = Store::new();
        let mut lowering = Lowering::new(&parsed.document, &source, Case::Fold);
        let clauses = lowering.clauses(&mut store);
        let program = Program::new(&mut store, &clauses, |store, functor| {
            store.name(functor.symbol) == "succ"
        });
        let goals = program.clauses.iter().flat_map(|clause| &clause.body);
        goals
            .map(|&goal| Infix::new(&store, goal).to_string())
            .collect()
    }

    #[test]
    fn tests_follow_what_binds_their_variables() {
        assert_eq!(
            shown("(<= (p ?x) (distinct ?x a) (or (q ?x) (not (r ?x))) (s ?x))"),
            ["s(_0)", "\\=(_0,a)", ";(q(_0),\\+(r(_0)))"]
        );
        assert_eq!(
            shown("(<= (p ?x) (q ?x) (not (r ?x)) (s ?x ?y) (distinct ?x ?y))"),
            ["q(_0)", "\\+(r(_0))", "s(_0,_1)", "\\=(_0,_1)"]
        );
        assert_eq!(shown("(<= p (not (q ?x)))"), ["\\+(q(_0))"]);
        assert_eq!(shown("(<= p (or) (and))"), ["fail", "true"]);
        assert_eq!(
            shown("(<= p (or (and (not (q ?x)) (succ 1 ?x))))"),
            ["','('game:succ'(1,_0),\\+(q(_0)))"]
        );
    }
}
