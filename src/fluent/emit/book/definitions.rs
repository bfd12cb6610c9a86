//! The auxiliary relations: facts as they stand, rules by their completion.
//!
//! An implication from the body of a rule leaves open what holds beside it, and axioms that negate the
//! relation would say nothing. So all rules of a relation are one equivalence; relations given by facts alone
//! are listed, unless something negates them:
//!
//! ```text
//! Succ(1, 2) ∧ Succ(2, 3)
//! Line(x, z) ≡ (∃u)(Holds(Cell(u, 1, x), z) ∧ …) ∨ …
//! ```
//!
//! Of relations that depend on themselves, the least that satisfy the equivalences are meant, which the text says.
//!
//! Source: \[Cla78\].

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::fluent::condition::Condition;
use crate::fluent::emit::book::BookWriter;
use crate::fluent::emit::layout::Formula;
use crate::fluent::emit::names::Names;
use crate::term::{Clause, DependencyGraph, Functor, Literal, Sign, TermId, calls};

/// Relations in the order of their rules, with the rules.
type Definitions<'a> = IndexMap<Functor, Vec<&'a Clause>, FxBuildHasher>;

impl<'a> BookWriter<'a> {
    pub(super) fn auxiliary(&mut self) {
        let definitions = self.definitions();
        if definitions.is_empty() {
            return;
        }
        self.heading("Auxiliary axioms");
        let graph = DependencyGraph::of(self.store, &self.axioms.rules);
        if definitions
            .keys()
            .any(|&relation| graph.is_recursive(relation))
        {
            self.remark("Of relations that depend on themselves the least are meant.");
        }
        let negated = self.negated();
        let mut facts: Vec<Formula> = Vec::new();
        for (&relation, clauses) in &definitions {
            let is_fact =
                |clause: &&&Clause| clause.body.is_empty() && self.store.is_ground(clause.head);
            // Facts are listed together. What is negated needs its completion, which says where it does not hold.
            if !negated.contains(&relation) && clauses.iter().all(|clause| is_fact(&clause)) {
                let mut names = Names::default();
                let atoms = clauses
                    .iter()
                    .map(|clause| self.atom(&mut names, clause.head, "z"));
                facts.extend(atoms.map(Formula::atom));
                continue;
            }
            self.facts(&mut facts);
            self.completion(relation, clauses);
        }
        self.facts(&mut facts);
    }

    /// The relations whose rules the axioms call.
    fn definitions(&self) -> Definitions<'a> {
        let mut definitions = Definitions::default();
        let axioms = self.axioms;
        for &rule in &axioms.auxiliary {
            let clause = &axioms.rules[rule];
            if let Some(functor) = self.store.functor(clause.head)
                && (functor.arity > 0 || self.store.name(functor.symbol) != "terminal")
            {
                definitions.entry(functor).or_default().push(clause);
            }
        }
        definitions
    }

    fn facts(&mut self, facts: &mut Vec<Formula>) {
        if !facts.is_empty() {
            let formula = Formula::join(std::mem::take(facts), self.signs.and);
            self.formula(&formula);
        }
    }

    /// The relations that the axioms, or rules that they call, negate.
    fn negated(&self) -> IndexSet<Functor, FxBuildHasher> {
        let mut negated = IndexSet::default();
        self.each_condition(&mut |condition| match condition {
            Condition::Fails(_) | Condition::None(..) => {
                condition.each_atom(&mut |atom| negated.extend(self.store.functor(atom)));
            }
            Condition::Holds(_) | Condition::Equal(..) | Condition::Differ(_) => {}
        });
        for &rule in &self.axioms.auxiliary {
            for &literal in &self.axioms.rules[rule].body {
                let calls = calls(self.store, literal).into_iter();
                let negative = calls.filter(|call| call.sign == Sign::Negative);
                negated.extend(negative.filter_map(|call| self.store.functor(call.atom)));
            }
        }
        negated
    }

    /// Calls `visit` with every condition of the axioms.
    fn each_condition(&self, visit: &mut dyn FnMut(&Condition)) {
        let axioms = self.axioms;
        let preconditions = axioms
            .preconditions
            .iter()
            .flat_map(|axiom| &axiom.alternatives);
        let alternatives = preconditions
            .chain(&axioms.termination)
            .chain(axioms.goals.iter().map(|goal| &goal.when));
        let cases = axioms.updates.iter().flat_map(|axiom| &axiom.cases);
        let rest = axioms.updates.iter().flat_map(|axiom| &axiom.rest);
        alternatives
            .map(|alternative| &alternative.conditions)
            .chain(cases.map(|case| &case.conditions))
            .chain(rest.chain(&axioms.joint).map(|effect| &effect.conditions))
            .flatten()
            .for_each(visit);
    }

    /// That a relation holds exactly where one of its rules says so.
    fn completion(&mut self, relation: Functor, clauses: &[&Clause]) {
        let parameters = Names::parameters(relation.arity as usize);
        let mut names: Vec<String> = parameters
            .iter()
            .map(|name| self.style.variable(name))
            .collect();
        let name = self.store.name(relation.symbol);
        let atom = match (name, &mut names[..]) {
            ("goal", [role, value]) => self.goal_value(role, "=", value, "z"),
            (_, []) => self.applied(relation, &self.style.symbol(name), "z"),
            (_, names) => {
                let text = format!("{}({})", self.style.symbol(name), names.join(", "));
                self.applied(relation, &text, "z")
            }
        };
        let several = clauses.len() > 1;
        let bodies = clauses
            .iter()
            .map(|clause| self.body(clause, &parameters, several));
        let bodies: Vec<Formula> = bodies.collect();
        self.definition(&atom, Formula::join(bodies, self.signs.or));
    }

    /// What a rule says of the parameters of its relation: equations for arguments that are no new
    /// variables, and its conditions.
    fn body(&self, clause: &Clause, parameters: &[String], brackets: bool) -> Formula {
        let mut names = Names::default();
        let mut parts: Vec<Formula> = Vec::new();
        let mut equations: Vec<(&String, TermId)> = Vec::new();
        for (parameter, &argument) in parameters.iter().zip(self.store.arguments(clause.head)) {
            // A new variable takes the name of the parameter; a constant, or a variable for the second time, becomes an equation.
            if !names.give(self.store, argument, parameter) {
                equations.push((parameter, argument));
            }
        }
        let mut own: Vec<u32> = Vec::new();
        let inside = equations.iter().map(|&(_, argument)| argument);
        for variable in inside
            .chain(clause.body.iter().copied())
            .flat_map(|term| self.store.variables(term))
        {
            if !names.knows(variable) && !own.contains(&variable) {
                own.push(variable);
            }
        }
        for (parameter, argument) in equations {
            let argument = names.term(self.store, self.style, argument);
            let parameter = self.style.variable(parameter);
            parts.push(Formula::atom(format!("{parameter} = {argument}")));
        }
        for &literal in &clause.body {
            parts.push(self.literal(&mut names, literal));
        }
        if parts.is_empty() {
            return Formula::atom(self.truth());
        }
        let body = Formula::join(parts, self.signs.and);
        self.quantify(&mut names, &own, body, brackets)
    }

    /// A condition of a rule. Nesting is bounded by the engine's check.
    fn literal(&self, names: &mut Names, term: TermId) -> Formula {
        let several = |names: &mut Names, parts: &[TermId], sign: &str| {
            let parts: Vec<Formula> = parts
                .iter()
                .map(|&part| self.literal(names, part))
                .collect();
            match parts.len() {
                1 => Formula::join(parts, sign),
                _ => Formula::join(parts, sign).wrap("(", ")"),
            }
        };
        match Literal::of(self.store, term) {
            Literal::Call(atom) => Formula::atom(self.atom(names, atom, "z")),
            Literal::Not(inner) => match Literal::of(self.store, inner) {
                Literal::Call(atom) => Formula::atom(self.negated_atom(names, atom, "z")),
                Literal::Not(_) | Literal::Distinct(..) | Literal::Or(_) | Literal::And(_) => {
                    self.literal(names, inner).wrap(self.signs.not, "")
                }
            },
            Literal::Distinct(left, right) => {
                Formula::atom(self.relation(names, left, self.signs.differs, right))
            }
            Literal::Or(parts) => several(names, parts, self.signs.or),
            Literal::And(parts) => several(names, parts, self.signs.and),
        }
    }
}
