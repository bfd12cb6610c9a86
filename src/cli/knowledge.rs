//! What can be asked: a Prolog machine with programs, and perhaps a game in one of its states.
//!
//! The commands `query` and `repl` share it. A game's rules become clauses of the machine, the
//! fluents of the state facts of `true/1`, and the moves under discussion facts of `does/2`.

use std::fmt::Write as _;

use indexmap::IndexSet;

use crate::cli::answers::{Answers, StandardOutput};
use crate::cli::failure::Failure;
use crate::cli::repl::complete_input::is_prefix;
use crate::engine::{Limits, Machine, Place};
use crate::gdl::{Game, Names, Program, shown_goal};
use crate::syntax::{
    Code, Diagnostic, Notation, OperatorTable, OperatorType, Severity, Source, Span, parse_term,
};
use crate::term::{
    Case, Clause, DependencyGraph, Functor, Import, Infix, Literal, Lowering, Prefix, Store, TermId,
};

/// A machine and what it was told.
pub(super) struct Knowledge {
    machine: Machine,
    output: StandardOutput,
    game: Option<GameFacts>,
}

/// What is needed to ask about a game.
struct GameFacts {
    names: Names,
    case: Case,
    source: Source,
    /// Where the rules stand in it, in their order.
    rules: Vec<Span>,
    /// Lines of the program in front of the first rule; each rule has one line.
    declarations: usize,
    /// From the terms of the game to those of the machine.
    import: Import,
}

/// What the machine knows the rules of a game by.
const RULES: &str = "game rules";

/// A question, read and understood.
#[derive(Clone, Debug)]
pub(super) struct Query {
    goal: TermId,
    variables: Vec<String>,
    notation: Notation,
}

impl Knowledge {
    /// Knows nothing but the library.
    pub(super) fn new() -> Self {
        let mut machine = Machine::new();
        let output = StandardOutput::default();
        machine.set_output(Box::new(output.clone()));
        Self {
            machine,
            output,
            game: None,
        }
    }

    /// Ends a line that a program has begun to write.
    pub(super) fn fresh_line(&self) -> Result<(), Failure> {
        self.output.fresh_line()
    }

    pub(super) fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Loads a Prolog program; what is wrong with it comes back.
    pub(super) fn consult(&mut self, source: &Source, limits: &Limits) -> Vec<Diagnostic> {
        self.machine.consult_with(source, limits.clone())
    }

    /// Loads the rules of a game, which are terms of `store`. Faults are bugs: the rules were
    /// validated.
    pub(super) fn add_game(&mut self, store: &Store, game: &Game, case: Case) -> Vec<Diagnostic> {
        let mut import = Import::default();
        // A predicate belongs to the machine under its own symbols, so they come first.
        let target = self.machine.store_mut();
        let clauses: Vec<Clause> = game
            .clauses()
            .iter()
            .map(|clause| import.clause(store, target, clause))
            .collect();
        let graph = DependencyGraph::of(target, &clauses);
        let predicates = graph.predicates().iter().copied();
        let taken = predicates.filter(|&predicate| self.machine.is_system(predicate));
        let taken: IndexSet<Functor> = taken.collect();
        let program = Program::new(self.machine.store_mut(), &clauses, |_, predicate| {
            taken.contains(&predicate)
        });
        let text = program_text(self.machine.store(), &program);
        let rules = game.clauses().iter().map(|clause| clause.origin.span);
        self.game = Some(GameFacts {
            source: game.source().clone(),
            rules: rules.collect(),
            declarations: program.undefined.len() + program.recursive.len(),
            names: program.names,
            case,
            import,
        });
        let faults = self.machine.consult(&Source::new(RULES, text));
        let errors = faults.into_iter().filter(Diagnostic::is_error);
        errors.collect()
    }

    /// Lets `true/1` be these fluents and `does/2` these moves, all terms of `store`.
    pub(super) fn set_state(
        &mut self,
        store: &Store,
        fluents: &[TermId],
        moves: &[(TermId, TermId)],
    ) {
        let Some(game) = &mut self.game else {
            return;
        };
        let target = self.machine.store_mut();
        let (state, does) = (target.symbol("true"), target.symbol("does"));
        let mut facts = Vec::with_capacity(fluents.len());
        for &fluent in fluents {
            let fluent = game.import.term(store, target, fluent);
            facts.push(target.compound(state, &[fluent]));
        }
        let mut actions = Vec::with_capacity(moves.len());
        for &(role, mv) in moves {
            let role = game.import.term(store, target, role);
            let mv = game.import.term(store, target, mv);
            actions.push(target.compound(does, &[role, mv]));
        }
        let functor = |symbol, arity| Functor { symbol, arity };
        self.machine.set_facts(functor(state, 1), &facts);
        self.machine.set_facts(functor(does, 2), &actions);
    }

    /// The text of a question that [`Machine::why`] and its kin read.
    pub(super) fn goal_text(&mut self, query: &Query) -> String {
        self.machine.id_text(query.goal)
    }

    /// A goal as a person writes it, in a notation of GDL if there is a game.
    pub(super) fn shown(&mut self, goal: TermId, notation: Notation) -> String {
        if self.game.is_none() {
            return self.machine.id_text(goal);
        }
        let store = self.machine.store_mut();
        let goal = shown_goal(store, goal);
        match notation {
            Notation::Prefix => Prefix::new(store, goal).to_string(),
            Notation::Infix | Notation::Prolog => infix_goal(store, goal),
        }
    }

    /// Where a clause stands in the text that a person wrote: `name:line`.
    pub(super) fn place(&self, place: Place) -> String {
        let Some(source) = self.machine.source(place.source) else {
            return String::new();
        };
        let line = source.line(place.span);
        if let Some(game) = &self.game
            && source.name() == RULES
        {
            let rule = (line as usize).checked_sub(game.declarations + 1);
            let span = rule.and_then(|rule| game.rules.get(rule));
            let line = span.map_or(0, |&span| game.source.line(span));
            return format!("{}:{line}", game.source.name());
        }
        format!("{}:{line}", source.name())
    }

    /// Reads a question about the game, prefix if it looks like that, else infix.
    pub(super) fn read(&mut self, source: &Source) -> Result<Query, Vec<Diagnostic>> {
        let notation = match is_prefix(source.text()) {
            true => Notation::Prefix,
            false => Notation::Infix,
        };
        self.read_in(source, notation)
    }

    fn read_in(&mut self, source: &Source, notation: Notation) -> Result<Query, Vec<Diagnostic>> {
        // Infix questions may be more than GDL has: lists, arithmetic, findall.
        let syntax = match notation {
            Notation::Prefix => Notation::Prefix,
            Notation::Infix | Notation::Prolog => Notation::Prolog,
        };
        let (document, node) = parse_term(source, syntax, &operators())?;
        let case = self.game.as_ref().map_or(Case::Keep, |game| game.case);
        let mut lowering = Lowering::new(&document, source, case);
        let store = self.machine.store_mut();
        let term = lowering.term(store, node);
        if store.functor(term).is_none() {
            let span = document.span(node);
            return Err(vec![no_goal(span)]);
        }
        let names = lowering.variables();
        let variables = names.iter().map(|&name| store.name(name).to_owned());
        let variables = variables.collect();
        let goal = match &self.game {
            Some(game) => game.names.goal(store, term),
            None => term,
        };
        Ok(Query {
            goal,
            variables,
            notation,
        })
    }

    /// Starts to answer a question.
    pub(super) fn ask(&mut self, query: &Query, limits: Limits) -> Answers<'_> {
        let given = self.game.as_ref().map(|_| IndexSet::new());
        Answers {
            output: self.output.clone(),
            solutions: self.machine.query_term(query.goal, limits),
            variables: query.variables.clone(),
            notation: query.notation,
            given,
        }
    }

    /// Starts to answer a goal of Prolog in the syntax that the loaded programs have defined.
    pub(super) fn ask_prolog(
        &mut self,
        text: &str,
        limits: Limits,
    ) -> Result<Answers<'_>, Box<Diagnostic>> {
        Ok(Answers {
            output: self.output.clone(),
            solutions: self.machine.query(text, limits).map_err(Box::new)?,
            variables: Vec::new(),
            notation: Notation::Prolog,
            given: None,
        })
    }
}

impl Query {
    /// How the question is written, and so its answers.
    pub(super) fn notation(&self) -> Notation {
        self.notation
    }

    /// Whether there is nothing to find but yes or no.
    pub(super) fn is_ground(&self) -> bool {
        self.variables.iter().all(|name| name.starts_with('_'))
    }
}

/// The operators of Prolog, and those of infix GDL.
fn operators() -> OperatorTable {
    let mut operators = OperatorTable::prolog();
    operators.add(900, OperatorType::Fy, "not");
    operators.add(900, OperatorType::Fy, "~");
    operators.add(1000, OperatorType::Xfy, "&");
    operators
}

fn no_goal(span: Span) -> Diagnostic {
    let message = "this is not a goal";
    Diagnostic::new(Code("Q0001"), Severity::Error, span, message)
        .with_help("a goal is a relation with arguments, such as legal(robot, M)")
}

fn program_text(store: &Store, program: &Program) -> String {
    let mut text = String::new();
    let mut declare = |word: &str, predicates: &[Functor]| {
        for predicate in predicates {
            let name = quoted(store.name(predicate.symbol));
            let _ = writeln!(text, ":- {word} {name}/{}.", predicate.arity);
        }
    };
    declare("dynamic", &program.undefined);
    declare("table", &program.recursive);
    for clause in &program.clauses {
        let _ = write!(text, "{}", Infix::new(store, clause.head));
        for (position, &goal) in clause.body.iter().enumerate() {
            let separator = if position == 0 { " :- " } else { ", " };
            let _ = write!(text, "{separator}{}", Infix::new(store, goal));
        }
        text.push_str(" .\n");
    }
    text
}

fn quoted(name: &str) -> String {
    match crate::syntax::needs_quotes(name) {
        true => crate::syntax::quote(name),
        false => name.to_owned(),
    }
}

/// A condition with its outer connectives as infix GDL has them.
fn infix_goal(store: &Store, goal: TermId) -> String {
    let mut parts = Vec::new();
    let mut rest = Some(goal);
    while let Some(next) = rest.take() {
        let functor = store.functor(next);
        let name = functor.map_or("", |functor| store.name(functor.symbol));
        parts.push(match (name, store.arguments(next)) {
            ("and", &[first, others]) => {
                rest = Some(others);
                infix_literal(store, first)
            }
            _ => infix_literal(store, next),
        });
    }
    parts.join(", ")
}

fn infix_literal(store: &Store, literal: TermId) -> String {
    let text = |term| Infix::new(store, term).to_string();
    match Literal::of(store, literal) {
        Literal::Not(inner) => format!("not {}", text(inner)),
        Literal::Distinct(left, right) => format!("{} \\= {}", text(left), text(right)),
        Literal::Or(_) | Literal::And(_) | Literal::Call(_) => text(literal),
    }
}
