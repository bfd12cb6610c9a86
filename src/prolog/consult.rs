//! Loading programs: clauses into the database, directives run as they come.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::limits::Limits;
use crate::prolog::atoms;
use crate::prolog::builtin::read::VariableNames;
use crate::prolog::cell::Cell;
use crate::prolog::conditional::Branch;
use crate::prolog::error::Interruption;
use crate::prolog::flags::Quotes;
use crate::prolog::instruction::PredicateId;
use crate::prolog::machine::Machine;
use crate::prolog::predicate::{ClauseId, ClauseOrigin, SourceId};
use crate::prolog::record::Record;
use crate::syntax::{
    Code, Diagnostic, Document, Name, Node, NodeId, PrologReader, Sentence, SentenceKind, Source,
    Span,
};
use crate::term::SymbolId;

/// A directive does not hold.
pub const DIRECTIVE_FAILED: Code = Code("P0001");
/// A directive, or the loading of a clause, raised an exception.
pub const DIRECTIVE_RAISED: Code = Code("P0002");
/// A text that is to be loaded is not there, or has faults.
pub const NOT_LOADED: Code = Code("P0005");
/// The clauses of a predicate are not together.
pub const DISCONTIGUOUS: Code = Code("P0003");
/// A directive asked for the end of the program, or ran into a limit.
pub const DIRECTIVE_STOPPED: Code = Code("P0004");

/// Texts that may load each other in a chain.
const MAX_NESTING: u32 = 64;

/// The state of one load.
pub(super) struct Load<'l> {
    pub(super) source: &'l Source,
    id: SourceId,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Predicates that have clauses in this text, and the one of the last clause.
    defined: IndexSet<PredicateId, FxBuildHasher>,
    last: Option<PredicateId>,
    /// Goals to run at the end.
    initialization: Vec<(Record, Span)>,
    /// The conditions that are open, innermost last.
    pub(super) branches: Vec<Branch>,
}

/// Texts to load.
struct Files {
    names: Vec<String>,
    mode: FileMode,
}

/// How a text is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileMode {
    /// Unless it is loaded already.
    Once,
    /// In place of what was loaded under its name.
    Again,
    /// As a part of the text that names it.
    Included,
}

impl Machine {
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
            branches: Vec::new(),
        };
        self.load_sentences(&mut load, &limits);
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

    fn load_sentences(&mut self, load: &mut Load<'_>, limits: &Limits) {
        let mut reader = PrologReader::new(load.source);
        while self.consulted.halt.is_none() {
            reader.set_strict(self.flags.iso);
            let mut operators = std::mem::take(&mut self.consulted.operators);
            let sentence = reader.next(&mut operators);
            self.consulted.operators = operators;
            match sentence {
                None => break,
                Some(Err(_)) if load.is_skipping() => {}
                Some(Err(fault)) => load.diagnostics.push(fault),
                Some(Ok(sentence)) => {
                    self.load_sentence(load, reader.document(), &sentence, limits);
                }
            }
        }
    }

    /// Runs a directive that loads other texts.
    fn load_files(&mut self, load: &mut Load<'_>, files: Files, span: Span, limits: &Limits) {
        for name in files.names {
            let Some(source) = self.streams.environment.program(&name, load.source.name()) else {
                let message = format!("there is no program file `{name}`");
                let fault = Diagnostic::error(NOT_LOADED, span, message);
                load.diagnostics.push(fault);
                continue;
            };
            let mut loaded = self.consulted.sources.iter();
            if files.mode == FileMode::Once && loaded.any(|known| known.name() == source.name()) {
                continue;
            }
            if self.consulted.nesting >= MAX_NESTING {
                let message = format!("more than {MAX_NESTING} texts load each other");
                load.diagnostics
                    .push(Diagnostic::error(NOT_LOADED, span, message));
                return;
            }
            self.consulted.nesting += 1;
            let faults = match files.mode {
                FileMode::Once | FileMode::Again => self.consult_with(&source, limits.clone()),
                FileMode::Included => self.include(load, &source, limits),
            };
            self.consulted.nesting -= 1;
            for fault in faults {
                let place = source.position(fault.span.start);
                let message = format!(
                    "{}:{}:{}: {}",
                    source.name(),
                    place.line,
                    place.column,
                    fault.message
                );
                let fault = Diagnostic::new(fault.code, fault.severity, span, message);
                load.diagnostics.push(fault);
            }
        }
    }

    /// Loads the sentences of a text as if they stood in the one that is being loaded.
    fn include(
        &mut self,
        load: &mut Load<'_>,
        source: &Source,
        limits: &Limits,
    ) -> Vec<Diagnostic> {
        let mut included = Load {
            source,
            id: self.add_source(source),
            diagnostics: Vec::new(),
            defined: std::mem::take(&mut load.defined),
            last: load.last,
            initialization: std::mem::take(&mut load.initialization),
            branches: Vec::new(),
        };
        self.load_sentences(&mut included, limits);
        load.defined = included.defined;
        load.last = included.last;
        load.initialization = included.initialization;
        included.diagnostics
    }

    /// The files that a directive loads, if it does.
    fn files_of(&mut self, goal: Cell) -> Option<Files> {
        let (name, arity) = self.heap.functor(goal)?;
        let (mode, argument) = match (self.heap.name(name), arity) {
            ("ensure_loaded", 1) => (FileMode::Once, self.heap.arguments(goal)[0]),
            ("consult", 1) => (FileMode::Again, self.heap.arguments(goal)[0]),
            ("include", 1) => (FileMode::Included, self.heap.arguments(goal)[0]),
            ("[|]", 2) => (FileMode::Again, goal),
            _ => return None,
        };
        let (mut files, rest) = self.heap.read_list(argument);
        if files.is_empty() && rest != Cell::atom(atoms::NIL) {
            files.push(argument);
        }
        // `library(lists)` is there anyway.
        let library = self.heap.store.symbol("library");
        files.retain(|&file| self.heap.unary(file, library).is_none());
        let names = files.into_iter().map(|file| self.term_text(file, false));
        Some(Files {
            names: names.collect(),
            mode,
        })
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
            let clause = ClauseId(number as u32);
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
            SentenceKind::Directive if self.condition(load, head, sentence.span, limits) => {}
            _ if load.is_skipping() => {}
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
        // What is no body is refused by the compiler.
        let body = self.clause_body(body).unwrap_or(body);
        let split = self.heap.compound(atoms::NECK, &[head, body]);
        let result = self
            .split_clause(split)
            .and_then(|(head, _)| Ok((head, self.redefinable_predicate(head)?)))
            .and_then(|(head, id)| {
                let record = self.heap.record_clause(head, body);
                self.heap.stopped()?;
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
        self.database.shadow(&mut self.heap.store, id);
    }

    /// Whether a predicate is the system's, and a program may have one of its own in its place: all but those of the
    /// standard.
    pub(super) fn is_replaceable(&self, id: PredicateId) -> bool {
        let predicate = self.database.get(id);
        let name = self.heap.name(predicate.name);
        let is_private = name.starts_with('$');
        predicate.is_system && !is_private && !STANDARD.contains(&(name, predicate.arity))
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
        match self.files_of(goal) {
            Some(files) => self.load_files(load, files, span, limits),
            None => self.run_directive(load, goal, span, limits),
        }
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

    pub(super) fn report(&mut self, load: &mut Load<'_>, span: Span, fault: &Interruption) {
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
                Node::Big(name) => {
                    let value = document.name(source, name).parse().unwrap_or_default();
                    self.heap.big_integer(&value)
                }
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

/// The predicates of the standard, with those of its corrigenda, and the control constructs of tabling. Programs may not
/// replace them; of all others of the system they may have their own.
const STANDARD: &[(&str, usize)] = &[
    // Control.
    ("true", 0),
    ("fail", 0),
    ("false", 0),
    ("call", 1),
    ("call", 2),
    ("call", 3),
    ("call", 4),
    ("call", 5),
    ("call", 6),
    ("call", 7),
    ("call", 8),
    ("!", 0),
    (",", 2),
    (";", 2),
    ("|", 2),
    ("->", 2),
    ("*->", 2),
    ("catch", 3),
    ("throw", 1),
    ("\\+", 1),
    ("once", 1),
    ("repeat", 0),
    ("halt", 0),
    ("halt", 1),
    (":", 2),
    ("table", 1),
    ("tnot", 1),
    ("undefined", 0),
    // Terms.
    ("=", 2),
    ("\\=", 2),
    ("unify_with_occurs_check", 2),
    ("subsumes_term", 2),
    ("var", 1),
    ("nonvar", 1),
    ("atom", 1),
    ("number", 1),
    ("integer", 1),
    ("float", 1),
    ("atomic", 1),
    ("compound", 1),
    ("callable", 1),
    ("ground", 1),
    ("is_list", 1),
    ("@=<", 2),
    ("@<", 2),
    ("@>", 2),
    ("@>=", 2),
    ("==", 2),
    ("\\==", 2),
    ("compare", 3),
    ("functor", 3),
    ("arg", 3),
    ("=..", 2),
    ("copy_term", 2),
    ("term_variables", 2),
    // Arithmetic.
    ("is", 2),
    ("=:=", 2),
    ("=\\=", 2),
    ("<", 2),
    ("=<", 2),
    (">", 2),
    (">=", 2),
    // Clauses and solutions.
    ("clause", 2),
    ("current_predicate", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("retract", 1),
    ("retractall", 1),
    ("abolish", 1),
    ("findall", 3),
    ("bagof", 3),
    ("setof", 3),
    ("^", 2),
    ("sort", 2),
    ("keysort", 2),
    // Text.
    ("atom_length", 2),
    ("atom_concat", 3),
    ("sub_atom", 5),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("char_code", 2),
    ("number_chars", 2),
    ("number_codes", 2),
    // Streams, operators, flags.
    ("current_input", 1),
    ("current_output", 1),
    ("set_input", 1),
    ("set_output", 1),
    ("open", 3),
    ("open", 4),
    ("close", 1),
    ("close", 2),
    ("flush_output", 0),
    ("flush_output", 1),
    ("stream_property", 2),
    ("at_end_of_stream", 0),
    ("at_end_of_stream", 1),
    ("set_stream_position", 2),
    ("get_char", 1),
    ("get_char", 2),
    ("peek_char", 1),
    ("peek_char", 2),
    ("put_char", 1),
    ("put_char", 2),
    ("nl", 0),
    ("nl", 1),
    ("get_code", 1),
    ("get_code", 2),
    ("peek_code", 1),
    ("peek_code", 2),
    ("put_code", 1),
    ("put_code", 2),
    ("get_byte", 1),
    ("get_byte", 2),
    ("peek_byte", 1),
    ("peek_byte", 2),
    ("put_byte", 1),
    ("put_byte", 2),
    ("read_term", 2),
    ("read_term", 3),
    ("read", 1),
    ("read", 2),
    ("write_term", 2),
    ("write_term", 3),
    ("write", 1),
    ("write", 2),
    ("writeq", 1),
    ("writeq", 2),
    ("write_canonical", 1),
    ("write_canonical", 2),
    ("op", 3),
    ("current_op", 3),
    ("char_conversion", 2),
    ("current_char_conversion", 2),
    ("set_prolog_flag", 2),
    ("current_prolog_flag", 2),
    // Grammars.
    ("phrase", 2),
    ("phrase", 3),
];
