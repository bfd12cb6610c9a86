//! Proofs of answers, and reasons for failure.
//!
//! A proof is built top-down, one goal at a time, by asking the machine for one level: the clause
//! that gives the answer and the instances of its literals (`$explain/4` in the library). What an
//! answer of a table rests on has a lower stamp (its place in the order of derivation), so a proof
//! never rests on itself although the predicates may be recursive through tables. A goal that
//! occurs twice is proved once: the proof is a graph without cycles, printed as a tree.

use rustc_hash::FxHashMap;

use crate::limits::{Limits, StopReason};
use crate::prolog::program::predicate::{Place, SourceId};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::{Interruption, Outcome};
use crate::prolog::terms::heap::TermView;
use crate::prolog::terms::meter::Meter;
use crate::syntax::{OperatorTable, Source, Span};
use crate::term::TermId;

/// Nodes after which a proof is cut short.
const MAX_NODES: usize = 10_000;

/// Why a goal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// By a clause; its conditions are the children. The place is missing for clauses that were
    /// not read from a text.
    Clause(Option<Place>),
    /// A built-in predicate says so.
    Builtin,
    /// The negated goal has no answer: no clause of it applies.
    Negation,
    /// It does not hold, but is not false either.
    Undefined,
    /// The parts of a control construct hold, which are the children.
    Construct,
    /// Not looked into: the proof got too long.
    Omitted,
}

/// One goal of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofNode {
    /// The goal as it holds.
    pub goal: TermId,
    /// Its text.
    pub text: String,
    /// Why it holds.
    pub reason: Reason,
    /// The goals it rests on, as indices of [`Proof::nodes`].
    pub children: Vec<usize>,
}

/// A proof of one answer. Node 0 is the goal; children may be shared, and there is no cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// All goals.
    pub nodes: Vec<ProofNode>,
}

/// Why one clause does not give an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedClause {
    /// The clause.
    pub clause: Option<Place>,
    /// The literal that failed, under the bindings that reached it; none if the clause gives an
    /// answer after all.
    pub literal: Option<TermId>,
    /// Its text.
    pub text: String,
    /// Its place.
    pub place: Option<Place>,
}

/// Why a goal fails: every clause whose head unifies with it, and the literal on which it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The goal.
    pub goal: String,
    /// The clauses that could have given it; empty if no head unifies.
    pub clauses: Vec<FailedClause>,
}

/// A goal to explain: a call, and its answer.
type Question = (TermId, TermId);

impl Machine {
    /// A proof of the first answer to a goal, a term of [`Machine::store`]; none if it has no
    /// answer, or throws.
    ///
    /// # Errors
    /// The limit that was reached before that was known.
    pub fn why(&mut self, goal: TermId, limits: Limits) -> Result<Option<Proof>, StopReason> {
        self.reset();
        let goal = self.heap.build(goal, &mut Vec::new());
        let call = self.heap.intern(goal, &mut Vec::new());
        let found = self.solve_once(goal, &limits);
        if !holds(found)? {
            return Ok(None);
        }
        let answer = self.heap.intern(goal, &mut Vec::new());
        let is_whole = self.heap.stopped().map(|()| true);
        self.reset();
        Ok(holds(is_whole)?.then(|| self.prove((call, answer), &limits)))
    }

    fn prove(&mut self, root: Question, limits: &Limits) -> Proof {
        let mut nodes = vec![self.node(root.1, limits)];
        let mut known: FxHashMap<Question, usize> = FxHashMap::default();
        known.insert(root, 0);
        let mut agenda = vec![(root, 0)];
        while let Some((question, index)) = agenda.pop() {
            let Some((reason, children)) = self.explain(question, limits) else {
                continue;
            };
            nodes[index].reason = reason;
            let mut fresh = Vec::new();
            for child in children {
                let number = match known.get(&child) {
                    Some(&number) => number,
                    None if nodes.len() >= MAX_NODES => continue,
                    None => {
                        nodes.push(self.node(child.1, limits));
                        known.insert(child, nodes.len() - 1);
                        fresh.push((child, nodes.len() - 1));
                        nodes.len() - 1
                    }
                };
                nodes[index].children.push(number);
            }
            agenda.extend(fresh.into_iter().rev());
        }
        Proof { nodes }
    }

    fn node(&mut self, goal: TermId, limits: &Limits) -> ProofNode {
        self.heap.meter = Meter::new(limits);
        ProofNode {
            goal,
            text: self.id_text(goal),
            reason: Reason::Omitted,
            children: Vec::new(),
        }
    }

    /// The text of a term of [`Machine::store`], quoted; variables are `_A`, `_B` and so on.
    pub fn id_text(&mut self, term: TermId) -> String {
        let operators = std::mem::take(&mut self.consulted.operators);
        let text = self.text_with(term, &operators);
        self.consulted.operators = operators;
        text
    }

    /// The same, written with other operators than those of the machine.
    pub fn text_with(&mut self, term: TermId, operators: &OperatorTable) -> String {
        let mut variables = Vec::new();
        let cell = self.heap.build(term, &mut variables);
        let names = variables
            .into_iter()
            .enumerate()
            .map(|(number, variable)| {
                let name = crate::prolog::terms::lexical::variable_name(number as i64);
                (variable, format!("_{name}"))
            })
            .collect();
        let options = crate::prolog::terms::write::WriteOptions {
            names: Some(&names),
            ..crate::prolog::terms::write::WriteOptions::quoted(operators)
        };
        self.heap.text_of(cell, &options)
    }

    /// One level of a proof.
    fn explain(&mut self, question: Question, limits: &Limits) -> Option<(Reason, Vec<Question>)> {
        self.reset();
        let call = self.heap.build(question.0, &mut Vec::new());
        let answer = self.heap.build(question.1, &mut Vec::new());
        let (why, children) = (self.heap.variable(), self.heap.variable());
        let name = self.heap.store.symbol("$explain");
        let goal = self.heap.compound(name, &[call, answer, why, children]);
        if !matches!(self.solve_once(goal, limits), Ok(true)) {
            self.reset();
            return None;
        }
        let (children, _) = self.heap.read_list(children);
        let mut questions = Vec::new();
        for child in children {
            if let Some((call, answer)) = self.heap.binary(child, atoms::MINUS) {
                let call = self.heap.intern(call, &mut Vec::new());
                let answer = self.heap.intern(answer, &mut Vec::new());
                self.heap.stopped().ok()?;
                questions.push((call, answer));
            }
        }
        let reason = self.reason(why);
        self.reset();
        Some((reason, questions))
    }

    fn reason(&mut self, why: Cell) -> Reason {
        match self.heap.view(why) {
            TermView::Atom(name) => match self.heap.name(name) {
                "builtin" => Reason::Builtin,
                "negation" => Reason::Negation,
                "undefined" => Reason::Undefined,
                _ => Reason::Construct,
            },
            TermView::Compound(_, 1, first) => {
                let reference = self.heap.argument(first, 0);
                Reason::Clause(self.clause_place(reference).map(|(place, _)| place))
            }
            TermView::Variable(_)
            | TermView::Text(_)
            | TermView::Integer(_)
            | TermView::Float(_)
            | TermView::Big(_)
            | TermView::Compound(..) => Reason::Omitted,
        }
    }

    /// The place of a clause, and those of its literals.
    fn clause_place(&mut self, reference: Cell) -> Option<(Place, Vec<Span>)> {
        let clause = crate::prolog::builtin::assert::referenced(self, reference).ok()??;
        let origin = self.database.clauses[clause.0 as usize].origin.as_ref()?;
        let place = Place {
            source: origin.source,
            span: origin.span,
        };
        Some((place, origin.literals.to_vec()))
    }

    /// A text that was loaded.
    pub fn source(&self, id: SourceId) -> Option<&Source> {
        self.consulted.sources.get(id.index())
    }

    /// Why a goal, a term of [`Machine::store`], has no answer: best asked of ground goals. One
    /// level; ask again for the literals that failed.
    ///
    /// # Errors
    /// The limit that was reached before that was known.
    pub fn why_not(&mut self, goal: TermId, limits: Limits) -> Result<Refutation, StopReason> {
        self.reset();
        let mut refutation = Refutation {
            goal: self.id_text(goal),
            clauses: Vec::new(),
        };
        let goal = self.heap.build(goal, &mut Vec::new());
        let reasons = self.heap.variable();
        let name = self.heap.store.symbol("$why_not");
        let query = self.heap.compound(name, &[goal, reasons]);
        let found = self.solve_once(query, &limits);
        if !holds(found)? {
            return Ok(refutation);
        }
        let (reasons, _) = self.heap.read_list(reasons);
        for reason in reasons {
            let parts = self.heap.arguments(reason);
            if let &[reference, position, literal] = parts.as_slice() {
                let failed = self.failed_clause(reference, position, literal);
                refutation.clauses.push(failed);
            }
        }
        let is_whole = self.heap.stopped().map(|()| true);
        self.reset();
        holds(is_whole)?;
        Ok(refutation)
    }

    fn failed_clause(&mut self, reference: Cell, position: Cell, literal: Cell) -> FailedClause {
        let position = self.heap.integer_value(position).unwrap_or(0) as usize;
        let origin = self.clause_place(reference);
        let literal = (position > 0).then(|| self.heap.intern(literal, &mut Vec::new()));
        let text = literal.map_or_else(String::new, |id| self.id_text(id));
        let place = origin.as_ref().and_then(|(place, literals)| {
            let span = *literals.get(position.checked_sub(1)?)?;
            Some(Place {
                source: place.source,
                span,
            })
        });
        FailedClause {
            clause: origin.map(|(place, _)| place),
            literal,
            text,
            place,
        }
    }

    /// The proof as an indented tree, one goal a line with its reason; `place` says how a place is
    /// shown. What was shown before is not repeated.
    pub fn render_proof(&self, proof: &Proof) -> String {
        let mut text = String::new();
        let mut shown = vec![false; proof.nodes.len()];
        let mut stack = vec![(0, 0)];
        while let Some((index, depth)) = stack.pop() {
            let Some(node) = proof.nodes.get(index) else {
                continue;
            };
            let again = std::mem::replace(&mut shown[index], true) && !node.children.is_empty();
            let reason = if again {
                "shown above".to_owned()
            } else {
                self.reason_text(node.reason)
            };
            text.push_str(&"  ".repeat(depth));
            text.push_str(&format!("{}  [{reason}]\n", node.text));
            if !again {
                stack.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
            }
        }
        text
    }

    fn reason_text(&self, reason: Reason) -> String {
        match reason {
            Reason::Clause(Some(place)) => self.place_text(place),
            Reason::Clause(None) => "clause".to_owned(),
            Reason::Builtin => "built-in".to_owned(),
            Reason::Negation => "no clause applies".to_owned(),
            Reason::Undefined => "undefined".to_owned(),
            Reason::Construct => "construct".to_owned(),
            Reason::Omitted => "not looked into".to_owned(),
        }
    }

    /// `name:line` of a place.
    pub fn place_text(&self, place: Place) -> String {
        match self.source(place.source) {
            Some(source) => format!("{}:{}", source.name(), source.line(place.span)),
            None => "unknown".to_owned(),
        }
    }

    /// The refutation as text: a line for each clause.
    pub fn render_refutation(&self, refutation: &Refutation) -> String {
        let mut text = format!("{} fails\n", refutation.goal);
        if refutation.clauses.is_empty() {
            text.push_str("  no clause has a head that unifies with it\n");
        }
        for failed in &refutation.clauses {
            let clause = failed
                .clause
                .map_or_else(|| "clause".to_owned(), |place| self.place_text(place));
            if failed.literal.is_some() {
                text.push_str(&format!("  {clause}: {} fails\n", failed.text));
            } else {
                text.push_str(&format!("  {clause}: gives an answer\n"));
            }
        }
        text
    }
}

/// Whether there is an answer; an exception is none.
fn holds(outcome: Outcome) -> Result<bool, StopReason> {
    match outcome {
        Ok(holds) => Ok(holds),
        Err(Interruption::Limit(reason)) => Err(reason),
        Err(
            Interruption::Throw(_)
            | Interruption::Halt(_)
            | Interruption::Answer
            | Interruption::Exhausted
            | Interruption::Positions,
        ) => Ok(false),
    }
}
