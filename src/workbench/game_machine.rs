//! A Prolog machine with the rules of a game, one of its states, and perhaps a joint move.
//!
//! A game's rules become clauses of the machine, the fluents of the state facts of `true/1`, and the moves under
//! discussion facts of `does/2`. What is asked may be more than GDL has, and what is found has proofs.

use indexmap::IndexSet;

use crate::gdl::{Game, Names, Program, shown_goal};
use crate::limits::Limits;
use crate::prolog::{ClauseSet, LoadError, Machine, Place, Solutions};
use crate::syntax::{
    Code, Diagnostic, Notation, OperatorTable, OperatorType, Severity, Source, Span, parse_term,
};
use crate::term::{
    Case, Clause, DependencyGraph, Functor, Import, Literal, Lowering, Prefix, Store, TermId,
};
use crate::workbench::error::WorkbenchError;

/// A machine and what it was told.
pub struct GameMachine {
    machine: Machine,
    game: Option<GameFacts>,
}

/// What is needed to ask about a game.
struct GameFacts {
    names: Names,
    case: Case,
    /// From the terms of the game to those of the machine.
    import: Import,
}

/// A question, read and understood.
#[derive(Clone, Debug)]
pub struct Query {
    goal: TermId,
    variables: Vec<String>,
    notation: Notation,
    is_about_moves: bool,
}

impl Default for GameMachine {
    /// A machine without files, standard input or output.
    fn default() -> Self {
        Self::new(Machine::new())
    }
}

impl GameMachine {
    /// A machine without a game.
    pub fn new(machine: Machine) -> Self {
        Self {
            machine,
            game: None,
        }
    }

    /// The machine itself.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Loads the rules of a game, which are terms of `store`.
    ///
    /// # Errors
    /// [`WorkbenchError::TooComplex`] if a rule is larger than the machine takes.
    pub fn add_game(
        &mut self,
        store: &Store,
        game: &Game,
        case: Case,
    ) -> Result<(), WorkbenchError> {
        let mut import = Import::default();
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
        // A relation of the game with the name of a predicate of the system, such as `append/3`, gets a name of its own.
        let program = Program::new(self.machine.store_mut(), &clauses, |_, predicate| {
            taken.contains(&predicate)
        });
        let loaded = self.machine.add_clauses(&ClauseSet {
            source: game.source(),
            clauses: &program.clauses,
            tabled: &program.recursive,
            dynamic: &program.undefined,
        });
        loaded.map_err(|error| unusable(game, error))?;
        self.game = Some(GameFacts {
            names: program.names,
            case,
            import,
        });
        Ok(())
    }

    /// Lets `true/1` be these fluents and `does/2` these moves, all terms of `store`.
    pub fn set_state(&mut self, store: &Store, fluents: &[TermId], moves: &[(TermId, TermId)]) {
        let Some(game) = &mut self.game else {
            return;
        };
        let target = self.machine.store_mut();
        let (state, does) = (target.symbol("true"), target.symbol("does"));
        // Terms of the game are those of another store; each is built once in that of the machine.
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

    /// A goal as a person writes it, in a notation of GDL if there is a game.
    pub fn shown(&mut self, goal: TermId, notation: Notation) -> String {
        if self.game.is_none() {
            return self.machine.id_text(goal);
        }
        let store = self.machine.store_mut();
        let goal = shown_goal(store, goal);
        match notation {
            Notation::Prefix => Prefix::new(store, goal).to_string(),
            Notation::Infix | Notation::Prolog => {
                let operators = self.game_operators();
                infix_goal(&mut self.machine, goal, &operators)
            }
        }
    }

    /// The operators that terms of a game are written with: those of the machine without the words
    /// of its directives, which are names like any other in a game, `table(a)` and not `table a`.
    fn game_operators(&self) -> OperatorTable {
        let mut operators = self.machine.operators().clone();
        for (name, operator) in self.machine.operators().iter() {
            let is_prefix = matches!(operator.kind, OperatorType::Fx | OperatorType::Fy);
            if is_prefix && name.starts_with(char::is_alphabetic) {
                operators.add(0, operator.kind, name);
            }
        }
        operators
    }

    /// Where a clause stands in the text that a person wrote: `name:line`.
    pub fn place(&self, place: Place) -> String {
        self.machine.place_text(place)
    }

    /// Reads a question about the game, prefix if it looks like that, else infix.
    pub fn read(&mut self, source: &Source) -> Result<Query, Vec<Diagnostic>> {
        let notation = if is_prefix(source.text()) {
            Notation::Prefix
        } else {
            Notation::Infix
        };
        self.read_in(source, notation)
    }

    fn read_in(&mut self, source: &Source, notation: Notation) -> Result<Query, Vec<Diagnostic>> {
        // Infix questions may be more than GDL has: lists, arithmetic, findall.
        let syntax = match notation {
            Notation::Prefix => Notation::Prefix,
            Notation::Infix | Notation::Prolog => Notation::Prolog,
        };
        let operators = operators(self.machine.operators());
        let (document, node) = parse_term(source, syntax, &operators)?;
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
            is_about_moves: is_about_moves(self.machine.store(), goal),
        })
    }

    /// Starts to answer a question.
    pub fn ask(&mut self, query: &Query, limits: Limits) -> Solutions<'_> {
        let operators = self.game_operators();
        self.machine
            .query_term(query.goal, &query.variables, limits)
            .written_with(operators)
    }

    /// Whether there is a game.
    pub fn has_game(&self) -> bool {
        self.game.is_some()
    }
}

impl Query {
    /// How the question is written, and so its answers.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// What to prove, as a term of the machine.
    pub fn goal(&self) -> TermId {
        self.goal
    }

    /// Whether `next` or `does` is asked for, which depend on a joint move.
    pub fn is_about_moves(&self) -> bool {
        self.is_about_moves
    }

    /// Whether there is nothing to find but yes or no.
    pub fn is_ground(&self) -> bool {
        // Variables that begin with `_` have no values in answers.
        self.variables.iter().all(|name| name.starts_with('_'))
    }
}

/// The operators of the machine, and those of infix GDL.
fn operators(machine: &OperatorTable) -> OperatorTable {
    let mut operators = machine.clone();
    // The priorities of `\+` and of the comma, which these stand for.
    operators.add(900, OperatorType::Fy, "not");
    operators.add(900, OperatorType::Fy, "~");
    operators.add(1000, OperatorType::Xfy, "&");
    operators
}

fn is_about_moves(store: &Store, goal: TermId) -> bool {
    // At any depth: `not`, `findall` and others call their arguments.
    let mut stack = vec![goal];
    while let Some(term) = stack.pop() {
        let name = store.functor(term).map(|f| (store.name(f.symbol), f.arity));
        if matches!(name, Some(("next", 1) | ("does", 2))) {
            return true;
        }
        stack.extend(store.arguments(term));
    }
    false
}

fn no_goal(span: Span) -> Diagnostic {
    let message = "this is not a goal";
    Diagnostic::new(Code("Q0001"), Severity::Error, span, message)
        .with_help("a goal is a relation with arguments, such as legal(robot, M)")
}

/// Why the rules of a game cannot be asked about. Faults but for size are bugs: the rules were validated.
fn unusable(game: &Game, error: LoadError) -> WorkbenchError {
    match error {
        LoadError::TooComplex { clause } => {
            let source = game.source();
            let line = source.line(game.clauses()[clause].origin.span);
            WorkbenchError::TooComplex {
                place: format!("{}:{line}", source.name()),
            }
        }
        LoadError::NotCallable { .. } | LoadError::System { .. } => {
            unreachable!("validated rules have callable heads, and those of the system are renamed")
        }
    }
}

/// Whether a question is in prefix notation: it begins with a parenthesis or `?`.
pub fn is_prefix(text: &str) -> bool {
    let text = text.trim_start();
    let query = text.strip_prefix("?-").unwrap_or(text);
    query.trim_start().starts_with(['(', '?'])
}

/// A condition with its outer connectives as infix GDL has them.
fn infix_goal(machine: &mut Machine, goal: TermId, operators: &OperatorTable) -> String {
    let mut parts = Vec::new();
    // Conjunctions are nested to the right: (and a (and b c)) becomes `a, b, c`.
    let mut rest = Some(goal);
    while let Some(next) = rest.take() {
        let store = machine.store();
        let functor = store.functor(next);
        let name = functor.map_or("", |functor| store.name(functor.symbol));
        let literal = match (name, store.arguments(next)) {
            ("and", &[first, others]) => {
                rest = Some(others);
                first
            }
            _ => next,
        };
        parts.push(infix_literal(machine, literal, operators));
    }
    parts.join(", ")
}

fn infix_literal(machine: &mut Machine, literal: TermId, operators: &OperatorTable) -> String {
    let (sign, terms) = match Literal::of(machine.store(), literal) {
        Literal::Not(inner) => ("not ", vec![inner]),
        Literal::Distinct(left, right) => ("", vec![left, right]),
        Literal::Or(_) | Literal::And(_) | Literal::Call(_) => ("", vec![literal]),
    };
    let terms = terms.iter().map(|&id| machine.text_with(id, operators));
    format!("{sign}{}", terms.collect::<Vec<_>>().join(" \\= "))
}
