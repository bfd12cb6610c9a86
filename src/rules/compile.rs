//! Compiling: from a predicate and a pattern of bound arguments to a [`Procedure`].

use rustc_hash::FxHashMap;

use crate::rules::clause_code::ClauseCompiler;
use crate::rules::code::{
    ClauseCode, Code, Lifetime, Procedure, ProcedureId, ProcedureMode, RelationId, Switch,
};
use crate::rules::machine::Compile;
use crate::rules::plan::Planner;
use crate::rules::program::{Predicate, Program};
use crate::rules::relation::{Columns, Relation};
use crate::term::{Clause, Functor, Literal, Store, TermId};

/// Clauses with at most so many conditions, all of them look-ups, are not worth a table.
const TRIVIAL_CONDITIONS: usize = 2;

/// From this number of clauses with a constant in the same place on, calls select among them.
const SWITCHED_CLAUSES: usize = 3;

impl Compile for Program {
    /// Whole: facts, the decision for a table and clauses share the planner, and the order in which they ask it is the
    /// order in which procedures get their numbers.
    fn compile(
        &mut self,
        store: &Store,
        code: &mut Code,
        procedures: &mut Vec<Procedure>,
        relations: &mut Vec<Relation>,
        number: ProcedureId,
    ) -> bool {
        let Procedure {
            predicate,
            inputs,
            recursive,
            lifetime,
            ..
        } = procedures[number.index()];
        let (clauses, facts) = self.clauses_of(predicate);
        let mut compiled: Vec<ClauseCode> = Vec::new();
        let mut planner = Planner {
            store,
            program: self,
            relations,
            procedures,
        };
        // Facts among the rules come first, as one clause that scans their relation.
        compiled.extend(
            facts.map(|relation| ClauseCompiler::facts(&mut planner, code, relation, inputs)),
        );
        // A table costs more than two look-ups. Recursive predicates need theirs to terminate.
        let trivial = !recursive
            && clauses
                .iter()
                .all(|clause| is_trivial(&mut planner, clause));
        // `occupied(X,Y) :- cell(X,Y,P)` gives an answer for each P: a table removes duplicates, inlining does not.
        let projects = clauses
            .iter()
            .any(|clause| has_local_variables(store, clause));
        for clause in &clauses {
            match ClauseCompiler::clause(&mut planner, code, clause, inputs) {
                Some(code) => compiled.push(code),
                None => return false,
            }
        }
        let procedure = &mut procedures[number.index()];
        // Tables of the game are never dropped, so that they pay sooner or later.
        let is_static = lifetime == Lifetime::Game;
        procedure.may_be_inline =
            !recursive && !is_static && (procedure.output_count == 0 || !projects);
        let inline = procedure.may_be_inline && trivial;
        procedure.mode = if inline {
            ProcedureMode::Inline
        } else {
            ProcedureMode::Tabled
        };
        procedure.switch = switch(store, &clauses, facts.is_some(), inputs);
        procedure.clauses = compiled;
        procedure.compiled = true;
        true
    }
}

impl Program {
    /// The rules of a predicate, and the relation of its facts.
    fn clauses_of(&self, predicate: Functor) -> (Vec<Clause>, Option<RelationId>) {
        let (numbers, facts) = match self.predicate(predicate) {
            Some(Predicate::Rules { clauses, facts, .. }) => (clauses.as_slice(), *facts),
            Some(Predicate::Facts(relation)) => (&[][..], Some(*relation)),
            None => (&[][..], None),
        };
        let clauses = numbers.iter().map(|&number| self.clauses[number].clone());
        (clauses.collect(), facts)
    }
}

fn is_trivial(planner: &mut Planner<'_>, clause: &Clause) -> bool {
    clause.body.len() <= TRIVIAL_CONDITIONS
        && clause
            .body
            .iter()
            .all(|&literal| match Literal::of(planner.store, literal) {
                Literal::Distinct(..) => true,
                Literal::Call(atom) => planner.relation_of(atom).is_some(),
                Literal::Not(inner) => match Literal::of(planner.store, inner) {
                    Literal::Call(atom) => planner.relation_of(atom).is_some(),
                    Literal::Distinct(..) | Literal::Not(_) | Literal::Or(_) | Literal::And(_) => {
                        false
                    }
                },
                Literal::Or(_) | Literal::And(_) => false,
            })
}

/// Whether the body has variables that the head has not, so that answers may repeat.
fn has_local_variables(store: &Store, clause: &Clause) -> bool {
    store.variables(clause.head).len() < clause.variables.len()
}

/// Clauses by the value of the input that is a constant in most heads.
fn switch(store: &Store, clauses: &[Clause], has_facts: bool, inputs: Columns) -> Option<Switch> {
    // Clause numbers of the procedure: the facts, if any, are number 0 and fit every value.
    let shift = u32::from(has_facts);
    let positions = inputs.iter();
    let constants = |position: usize| {
        let heads = clauses
            .iter()
            .map(move |clause| store.arguments(clause.head)[position]);
        heads.filter(|&argument| store.is_ground(argument)).count()
    };
    let (input, position) = positions
        // The first of the positions with the most constants.
        .enumerate()
        .max_by_key(|&(input, position)| (constants(position), usize::MAX - input))?;
    if constants(position) < SWITCHED_CLAUSES {
        return None;
    }
    let argument = |clause: &Clause| store.arguments(clause.head)[position];
    let mut by_value: FxHashMap<TermId, Box<[u32]>> = FxHashMap::default();
    // The clauses for a value keep their order, those with a variable in this place among them.
    let selected = |value: Option<TermId>| -> Box<[u32]> {
        let rules = clauses.iter().enumerate();
        let fitting = rules.filter(|(_, clause)| {
            Some(argument(clause)) == value || !store.is_ground(argument(clause))
        });
        (0..shift)
            .chain(fitting.map(|(number, _)| number as u32 + shift))
            .collect()
    };
    for clause in clauses {
        let value = argument(clause);
        if store.is_ground(value) {
            by_value
                .entry(value)
                .or_insert_with(|| selected(Some(value)));
        }
    }
    Some(Switch {
        input: input as u32,
        by_value,
        others: selected(None),
    })
}
