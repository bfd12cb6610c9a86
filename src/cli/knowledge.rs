//! What can be asked: a Prolog machine with programs, and perhaps a game in one of its states.
//!
//! The commands `query` and `repl` share it. A game's rules become clauses of the machine, the
//! fluents of the state facts of `true/1`, and the moves under discussion facts of `does/2`.

use std::fmt::Write as _;
use std::rc::Rc;

use indexmap::IndexSet;

use crate::cli::exception;
use crate::cli::failure::Failure;
use crate::cli::repl::complete_input::is_prefix;
use crate::engine::{Exception, Limits, Machine, Output, Solution, Solutions, StopReason, Truth};
use crate::gdl::{Names, Program};
use crate::syntax::{
    Code, Diagnostic, Notation, OperatorTable, OperatorType, Severity, Source, Span, parse_term,
};
use crate::term::{
    Case, Clause, DependencyGraph, Functor, Import, Infix, Lowering, Prefix, Store, TermId,
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
}

/// What the machine knows the rules of a game by.
const RULES: &str = "game rules";
/// What it knows the fluents and moves by.
const STATE: &str = "game state";

/// A question, read and understood.
#[derive(Clone, Debug)]
pub(super) struct Query {
    goal: TermId,
    variables: Vec<String>,
    notation: Notation,
}

/// One answer: the variables with their values, and whether it is true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bindings {
    pub(super) values: Vec<(String, String)>,
    pub(super) is_undefined: bool,
}

/// What asking gives next.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Answer(Bindings),
    Exhausted,
    /// An exception, in words.
    Exception(String),
    Halt(i64),
    Stopped(StopReason),
}

/// A question being answered.
pub(super) struct Answers<'k> {
    solutions: Solutions<'k>,
    output: StandardOutput,
    variables: Vec<String>,
    notation: Notation,
    /// The relations of a game are sets: an answer is given once, however often it is found.
    given: Option<IndexSet<Bindings>>,
}

/// Standard output, for programs; knows whether the last line is open.
#[derive(Clone, Default)]
struct StandardOutput {
    in_line: Rc<std::cell::Cell<bool>>,
}

impl StandardOutput {
    /// Ends a line that a program has begun.
    fn fresh_line(&self) -> Result<(), Failure> {
        match self.in_line.replace(false) {
            true => crate::cli::output::line(""),
            false => Ok(()),
        }
    }
}

impl Output for StandardOutput {
    fn write(&mut self, text: &str) {
        if !text.is_empty() {
            self.in_line.set(!text.ends_with('\n'));
        }
        // A program that writes into a closed pipe cannot do anything about it.
        let _ = crate::cli::output::text(text);
    }
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
    pub(super) fn add_game(
        &mut self,
        store: &Store,
        clauses: &[Clause],
        case: Case,
    ) -> Vec<Diagnostic> {
        let mut import = Import::default();
        // A predicate belongs to the machine under its own symbols, so they come first.
        let target = self.machine.store_mut();
        let clauses: Vec<Clause> = clauses
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
        self.game = Some(GameFacts {
            names: program.names,
            case,
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
        let mut text = String::new();
        for &fluent in fluents {
            let _ = writeln!(text, "true({}).", Infix::new(store, fluent));
        }
        for &(role, mv) in moves {
            let (role, mv) = (Infix::new(store, role), Infix::new(store, mv));
            let _ = writeln!(text, "does({role}, {mv}).");
        }
        self.machine.consult(&Source::new(STATE, text));
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

impl Answers<'_> {
    /// The next answer that is not one of those before.
    pub(super) fn next_reply(&mut self) -> Reply {
        loop {
            let answer = match self.solutions.next_solution() {
                Solution::Answer(answer) => answer,
                Solution::Exhausted => return Reply::Exhausted,
                Solution::Exception(exception) => return self.exception(&exception),
                Solution::Halt(code) => return Reply::Halt(code),
                Solution::Stopped(reason) => return Reply::Stopped(reason),
            };
            let mut values = Vec::new();
            for (number, binding) in answer.bindings.into_iter().enumerate() {
                let name = match self.variables.get(number) {
                    Some(name) => name.clone(),
                    None => binding.name,
                };
                if binding.is_free || name.starts_with('_') {
                    continue;
                }
                let store = self.solutions.machine().store();
                let value = match self.notation {
                    Notation::Prefix => Prefix::new(store, binding.term).to_string(),
                    Notation::Infix => Infix::new(store, binding.term).to_string(),
                    Notation::Prolog => binding.text,
                };
                values.push((name, value));
            }
            let bindings = Bindings {
                values,
                is_undefined: answer.truth == Truth::Undefined,
            };
            let is_new = self
                .given
                .as_mut()
                .is_none_or(|given| given.insert(bindings.clone()));
            if is_new {
                return Reply::Answer(bindings);
            }
        }
    }

    /// Ends a line that a program has begun to write.
    pub(super) fn fresh_line(&self) -> Result<(), Failure> {
        self.output.fresh_line()
    }

    /// Whether nothing is left to try.
    pub(super) fn is_last(&self) -> bool {
        self.solutions.is_last()
    }

    /// Steps made so far.
    pub(super) fn steps(&self) -> u64 {
        self.solutions.steps()
    }

    fn exception(&mut self, exception: &Exception) -> Reply {
        let machine = self.solutions.machine();
        Reply::Exception(exception::in_words(machine, exception))
    }
}

impl Bindings {
    /// `X = a, Y = b`, or `true`.
    pub(super) fn text(&self, notation: Notation) -> String {
        let mark = match notation {
            Notation::Prefix => "?",
            Notation::Infix | Notation::Prolog => "",
        };
        let pairs = self.values.iter();
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{mark}{name} = {value}"))
            .collect();
        match (pairs.is_empty(), self.is_undefined) {
            (true, true) => "undefined".to_owned(),
            (true, false) => "true".to_owned(),
            (false, true) => format!("{} (undefined)", pairs.join(", ")),
            (false, false) => pairs.join(", "),
        }
    }
}
