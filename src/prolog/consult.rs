//! Loading programs: clauses into the database, directives run as they come.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::limits::Limits;
use crate::prolog::atoms;
use crate::prolog::builtin::read::VariableNames;
use crate::prolog::cell::Cell;
use crate::prolog::database::{ClauseOrigin, Kind, SourceId};
use crate::prolog::error::Interruption;
use crate::prolog::flags::Quotes;
use crate::prolog::instruction::PredicateId;
use crate::prolog::machine::Machine;
use crate::prolog::record::Record;
use crate::syntax::{
    Code, Diagnostic, Document, Name, Node, NodeId, OperatorTable, PrologReader, Sentence,
    SentenceKind, Source, Span,
};
use crate::term::SymbolId;

/// A directive does not hold.
pub const DIRECTIVE_FAILED: Code = Code("P0001");
/// A directive, or the loading of a clause, raised an exception.
pub const DIRECTIVE_RAISED: Code = Code("P0002");
/// The clauses of a predicate are not together.
pub const DISCONTIGUOUS: Code = Code("P0003");
/// A directive asked for the end of the program, or ran into a limit.
pub const DIRECTIVE_STOPPED: Code = Code("P0004");

const LIBRARY: &str = include_str!("../../kb/library.pl");

/// What a machine knows about loaded texts.
#[derive(Debug)]
pub(crate) struct Consulted {
    pub(crate) operators: OperatorTable,
    /// The library is being loaded.
    pub(crate) is_library: bool,
    /// Some text is being loaded.
    pub(crate) is_loading: bool,
    pub(crate) sources: Vec<Source>,
    /// The code with which a directive asked to halt.
    pub(crate) halt: Option<i64>,
    /// Some program had an `initialization/1` directive.
    pub(crate) has_initialization: bool,
}

impl Default for Consulted {
    fn default() -> Self {
        Self {
            operators: OperatorTable::prolog(),
            is_library: false,
            is_loading: false,
            sources: Vec::new(),
            halt: None,
            has_initialization: false,
        }
    }
}

/// The state of one load.
struct Load<'l> {
    source: &'l Source,
    id: SourceId,
    diagnostics: Vec<Diagnostic>,
    /// Predicates that have clauses in this text, and the one of the last clause.
    defined: IndexSet<PredicateId, FxBuildHasher>,
    last: Option<PredicateId>,
    /// Goals to run at the end.
    initialization: Vec<(Record, Span)>,
}

impl Machine {
    pub(super) fn load_library(&mut self) {
        self.consulted.is_library = true;
        let faults = self.consult(&Source::new("library", LIBRARY));
        debug_assert!(faults.is_empty(), "the library has faults: {faults:?}");
        self.consulted.is_library = false;
        for predicate in &mut self.database.predicates {
            predicate.is_system |= predicate.live > 0;
        }
    }

    /// Loads a text: adds its clauses to the database and runs its directives.
    ///
    /// Faults do not end the load; the result lists them in textual order, and is empty if there
    /// are none. A text that was loaded before under the same name is replaced.
    pub fn consult(&mut self, source: &Source) -> Vec<Diagnostic> {
        self.consult_with(source, Limits::default())
    }

    /// The same, with limits for each directive.
    pub fn consult_with(&mut self, source: &Source, limits: Limits) -> Vec<Diagnostic> {
        self.unload(source.name());
        self.reset();
        let id = self.add_source(source);
        let was_loading = std::mem::replace(&mut self.consulted.is_loading, true);
        let mut load = Load {
            source,
            id,
            diagnostics: Vec::new(),
            defined: IndexSet::default(),
            last: None,
            initialization: Vec::new(),
        };
        let mut reader = PrologReader::new(source);
        while self.consulted.halt.is_none() {
            let mut operators = std::mem::take(&mut self.consulted.operators);
            let sentence = reader.next(&mut operators);
            self.consulted.operators = operators;
            match sentence {
                None => break,
                Some(Err(fault)) => load.diagnostics.push(fault),
                Some(Ok(sentence)) => {
                    self.load_sentence(&mut load, reader.document(), &sentence, &limits);
                }
            }
        }
        for (goal, span) in std::mem::take(&mut load.initialization) {
            if self.consulted.halt.is_some() {
                break;
            }
            self.reset();
            let goal = self.heap.recall(&goal);
            self.run_directive(&mut load, goal, span, &limits);
        }
        self.consulted.is_loading = was_loading;
        self.reset();
        self.drop_all_tables();
        self.tables.release();
        load.diagnostics
    }

    /// Keeps a text that clauses come from.
    pub(super) fn add_source(&mut self, source: &Source) -> SourceId {
        let id = SourceId(self.consulted.sources.len() as u32);
        self.consulted.sources.push(source.clone());
        id
    }

    /// Takes the clauses of an earlier text of this name out.
    pub(super) fn unload(&mut self, name: &str) {
        let old: Vec<SourceId> = self
            .consulted
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.name() == name)
            .map(|(index, _)| SourceId(index as u32))
            .collect();
        if old.is_empty() {
            return;
        }
        for number in 0..self.database.clauses.len() {
            let clause = crate::prolog::database::ClauseId(number as u32);
            let origin = &self.database.clauses[number].origin;
            if origin
                .as_ref()
                .is_some_and(|origin| old.contains(&origin.source))
            {
                let predicate = self.database.clauses[number].predicate;
                self.database.erase(clause);
                self.database.compact(predicate);
            }
        }
    }

    fn load_sentence(
        &mut self,
        load: &mut Load<'_>,
        document: &Document,
        sentence: &Sentence,
        limits: &Limits,
    ) {
        self.reset();
        let mut names = Vec::new();
        let head = self.load_node(document, load.source, sentence.head, &mut names);
        match sentence.kind {
            SentenceKind::Directive => {
                self.directive(load, head, sentence.span, limits);
            }
            SentenceKind::Fact if self.heap.functor(head) == Some((atoms::DCG_ARROW, 2)) => {
                self.load_grammar_rule(load, head, sentence.span, limits);
            }
            SentenceKind::Fact | SentenceKind::Rule => {
                let nodes = document.children(sentence.body);
                let mut goals = Vec::new();
                for &node in nodes {
                    goals.push(self.load_node(document, load.source, node, &mut names));
                }
                let literals = nodes.iter().map(|&node| document.span(node)).collect();
                let body = self.conjunction(&goals);
                let origin = ClauseOrigin {
                    source: load.id,
                    span: sentence.span,
                    literals,
                };
                self.load_clause(load, head, body, origin);
            }
        }
    }

    /// The conjunction of goals, `true` if there are none.
    pub(super) fn conjunction(&mut self, goals: &[Cell]) -> Cell {
        let Some((&last, front)) = goals.split_last() else {
            return Cell::atom(atoms::TRUE);
        };
        let mut body = last;
        for &goal in front.iter().rev() {
            body = self.heap.compound(atoms::COMMA, &[goal, body]);
        }
        body
    }

    fn load_grammar_rule(&mut self, load: &mut Load<'_>, rule: Cell, span: Span, limits: &Limits) {
        let clause = self.heap.variable();
        let name = self.heap.store.symbol("$dcg_rule");
        let goal = self.heap.compound(name, &[rule, clause]);
        match self.solve_once(goal, limits) {
            Ok(true) => {
                let clause = self.heap.deref(clause);
                let record = self.heap.record(&[clause]);
                self.reset();
                let clause = self.heap.recall(&record);
                let origin = ClauseOrigin {
                    source: load.id,
                    span,
                    literals: Box::default(),
                };
                match self.split_clause(clause) {
                    Ok((head, body)) => self.load_clause(load, head, body, origin),
                    Err(fault) => self.report(load, span, &fault),
                }
            }
            Ok(false) => {}
            Err(fault) => self.report(load, span, &fault),
        }
    }

    fn load_clause(&mut self, load: &mut Load<'_>, head: Cell, body: Cell, origin: ClauseOrigin) {
        let span = origin.span;
        let split = self.heap.compound(atoms::NECK, &[head, body]);
        let result = self
            .split_clause(split)
            .and_then(|(head, _)| Ok((head, self.redefinable_predicate(head)?)))
            .and_then(|(head, id)| {
                let record = self.heap.record(&[head, body]);
                self.database
                    .add(
                        &mut self.heap.store,
                        id,
                        record,
                        Some(Box::new(origin)),
                        false,
                    )
                    .map(|_| id)
                    .map_err(|fault| self.compile_error(fault, body))
            });
        match result {
            Ok(id) => self.check_together(load, id, span),
            Err(fault) => self.report(load, span, &fault),
        }
    }

    /// The predicate of a head. One of the library is replaced by the program's own.
    pub(super) fn redefinable_predicate(
        &mut self,
        head: Cell,
    ) -> Result<PredicateId, Interruption> {
        if let Some((name, arity)) = self.heap.functor(head) {
            self.take_over(name, arity);
        }
        self.own_predicate(head, "modify", "static_procedure")
    }

    /// Lets a program define or declare a predicate that is part of the library, or built in
    /// without being part of the standard: the program's own takes its place.
    pub(super) fn take_over(&mut self, name: SymbolId, arity: usize) {
        if self.consulted.is_library {
            return;
        }
        let Some(id) = self.database.find(name, arity) else {
            return;
        };
        if !self.is_replaceable(id) {
            return;
        }
        if self.database.get(id).kind == Kind::User {
            for clause in self.database.live_clauses(id) {
                self.database.erase(clause);
            }
            self.database.compact(id);
        }
        let predicate = self.database.get_mut(id);
        predicate.kind = Kind::User;
        predicate.is_system = false;
    }

    /// Whether a predicate is the system's, and a program may have one of its own in its place.
    pub(super) fn is_replaceable(&self, id: PredicateId) -> bool {
        let predicate = self.database.get(id);
        let name = self.heap.name(predicate.name);
        let is_private = name.starts_with('$');
        match predicate.kind {
            Kind::User => predicate.is_system && !is_private && !PROTECTED.contains(&name),
            Kind::Builtin(_) => predicate.is_system && EXTRA.contains(&(name, predicate.arity)),
            Kind::Control(_) => false,
        }
    }

    /// Warns when clauses of another predicate stand between those of this one.
    fn check_together(&mut self, load: &mut Load<'_>, id: PredicateId, span: Span) {
        let is_new = load.defined.insert(id);
        let predicate = self.database.get(id);
        if !is_new
            && load.last != Some(id)
            && !predicate.is_discontiguous
            && !predicate.is_dynamic
            && !self.consulted.is_library
        {
            let name = self.heap.name(predicate.name).to_owned();
            let indicator = format!("{name}/{}", predicate.arity);
            load.diagnostics.push(
                Diagnostic::warning(
                    DISCONTIGUOUS,
                    span,
                    format!("clauses of {indicator} are not together"),
                )
                .with_help(format!("add `:- discontiguous {indicator}.`")),
            );
            // Once is enough.
            self.database.get_mut(id).is_discontiguous = true;
        }
        load.last = Some(id);
    }

    fn directive(&mut self, load: &mut Load<'_>, goal: Cell, span: Span, limits: &Limits) {
        let initialization = self.heap.store.symbol("initialization");
        let later = match self.heap.functor(goal) {
            Some((name, 1 | 2)) if name == initialization => {
                self.heap.arguments(goal).first().copied()
            }
            _ => None,
        };
        if let Some(goal) = later {
            let record = self.heap.record(&[goal]);
            load.initialization.push((record, span));
            self.consulted.has_initialization = true;
            return;
        }
        self.run_directive(load, goal, span, limits);
    }

    fn run_directive(&mut self, load: &mut Load<'_>, goal: Cell, span: Span, limits: &Limits) {
        match self.solve_once(goal, limits) {
            Ok(true) => {}
            Ok(false) => load.diagnostics.push(Diagnostic::warning(
                DIRECTIVE_FAILED,
                span,
                "directive failed",
            )),
            Err(fault) => self.report(load, span, &fault),
        }
    }

    fn report(&mut self, load: &mut Load<'_>, span: Span, fault: &Interruption) {
        let diagnostic = match fault {
            Interruption::Throw(ball) => {
                let ball = self.heap.recall(ball);
                let text = self.term_text(ball, true);
                Diagnostic::error(DIRECTIVE_RAISED, span, format!("exception: {text}"))
            }
            Interruption::Halt(code) => {
                self.consulted.halt = Some(*code);
                return;
            }
            Interruption::Limit(reason) => {
                Diagnostic::error(DIRECTIVE_STOPPED, span, format!("directive: {reason}"))
            }
            Interruption::Answer | Interruption::Exhausted => return,
        };
        load.diagnostics.push(diagnostic);
    }

    // ---- Trees to terms -----------------------------------------------------------------------

    /// The term of a node, with its variables and their names.
    pub(super) fn load_term(
        &mut self,
        document: &Document,
        source: &Source,
        node: NodeId,
    ) -> (Cell, VariableNames) {
        let mut names = Vec::new();
        let term = self.load_node(document, source, node, &mut names);
        (term, names)
    }

    fn load_node(
        &mut self,
        document: &Document,
        source: &Source,
        root: NodeId,
        names: &mut VariableNames,
    ) -> Cell {
        // Each entry is a node and the heap cell that it fills.
        let anchor = self.heap.cells.len();
        self.heap.cells.push(Cell::ZERO);
        let mut work = vec![(root, anchor)];
        while let Some((node, place)) = work.pop() {
            let cell = match document.node(node) {
                Node::Compound { functor, arguments } => {
                    let symbol = self.symbol_of(document, source, functor);
                    let children = document.children(arguments);
                    let is_list = symbol == atoms::DOT && children.len() == 2;
                    let start = self.heap.cells.len();
                    if !is_list {
                        self.heap.cells.push(Cell::functor(symbol, children.len()));
                    }
                    let first = self.heap.cells.len();
                    self.heap.cells.resize(first + children.len(), Cell::ZERO);
                    for (position, &child) in children.iter().enumerate().rev() {
                        work.push((child, first + position));
                    }
                    if is_list {
                        Cell::list(start)
                    } else {
                        Cell::structure(start)
                    }
                }
                Node::Variable(name) => {
                    let name = document.name(source, name);
                    self.named_variable(name, place, names)
                }
                Node::Symbol(name) => Cell::atom(self.symbol_of(document, source, name)),
                Node::Integer(value) => self.heap.integer(value),
                Node::Float(value) => self.heap.float(value),
                Node::Text(name) => {
                    let text = document.name(source, name).to_owned();
                    self.quoted_text(&text)
                }
            };
            self.heap.cells[place] = cell;
        }
        self.heap.cells[anchor]
    }

    fn symbol_of(&mut self, document: &Document, source: &Source, name: Name) -> SymbolId {
        self.heap.store.symbol(document.name(source, name))
    }

    /// The variable of a name; it may live in the cell that is being filled.
    fn named_variable(&mut self, name: &str, place: usize, names: &mut VariableNames) -> Cell {
        if name != "_"
            && let Some((_, variable)) = names.iter().find(|(known, _)| known == name)
        {
            return *variable;
        }
        let variable = Cell::reference(place);
        names.push((name.to_owned(), variable));
        variable
    }

    /// What a text in double quotes is, as the flag says.
    fn quoted_text(&mut self, text: &str) -> Cell {
        match self.flags.double_quotes {
            Quotes::String => self.heap.text(text),
            Quotes::Atom => self.heap.atom(text),
            Quotes::Codes => {
                let codes: Vec<Cell> = text
                    .chars()
                    .map(|character| Cell::small(i64::from(character as u32)))
                    .collect();
                self.heap.list(&codes)
            }
            Quotes::Chars => {
                let chars: Vec<Cell> = text
                    .chars()
                    .map(|character| self.heap.atom(character.encode_utf8(&mut [0; 4])))
                    .collect();
                self.heap.list(&chars)
            }
        }
    }
}

/// Built-in predicates beyond the standard that programs may define for themselves.
const EXTRA: &[(&str, usize)] = &[
    ("succ", 2),
    ("plus", 3),
    ("distinct", 2),
    ("print", 1),
    ("print", 2),
    ("char_type", 2),
    ("code_type", 2),
    ("term_string", 2),
    ("split_string", 4),
    ("otherwise", 0),
    ("string_code", 3),
    ("text_to_string", 2),
    ("garbage_collect", 0),
];

/// Predicates of the library that belong to the language: programs may not replace them.
const PROTECTED: &[&str] = &[
    "once",
    "ignore",
    "forall",
    "findall",
    "bagof",
    "setof",
    "clause",
    "retract",
    "atom_concat",
    "sub_atom",
    "current_op",
    "current_prolog_flag",
    "length",
    "between",
    "repeat",
    "phrase",
    "^",
    "aggregate_all",
    "table",
];
