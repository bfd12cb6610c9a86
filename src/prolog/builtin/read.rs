//! Terms from text: `term_to_atom/2`, `read_term/2` and its kin.

use super::Builtin;
use super::Effect::Binds;
use crate::prolog::atoms;
use crate::prolog::cell::{Cell, REF};
use crate::prolog::error::{self, Interruption, Outcome};
use crate::prolog::machine::Machine;
use crate::syntax::{PrologReader, Source};

pub(super) const BUILTINS: &[Builtin] = &[
    ("term_to_atom", 2, Binds, |m| term_to_text(m, false)),
    ("term_string", 2, Binds, |m| term_to_text(m, true)),
    ("read_term", 2, Binds, |m| read(m, 0, Some(1))),
    ("read_term", 3, Binds, |m| read(m, 1, Some(2))),
    ("read", 1, Binds, |m| read(m, 0, None)),
    ("read", 2, Binds, |m| read(m, 1, None)),
    ("$read_text", 3, Binds, read_text),
];

/// Names of variables with the variables.
pub(in crate::prolog) type VariableNames = Vec<(String, Cell)>;

impl Machine {
    /// Reads one term; its final dot may be missing.
    #[expect(
        clippy::result_large_err,
        reason = "made once a query; callers hand diagnostics on by value"
    )]
    pub(in crate::prolog) fn read_one(
        &mut self,
        text: &str,
    ) -> Result<(Cell, VariableNames), crate::syntax::Diagnostic> {
        // The dot on a line of its own ends a comment, too; a second one is never reached.
        let source = Source::new("term", format!("{text}\n."));
        let mut reader = PrologReader::new(&source);
        match reader.next_term(&self.consulted.operators) {
            Some(Ok(node)) => Ok(self.load_term(reader.document(), &source, node)),
            Some(Err(fault)) => Err(fault),
            None => Ok((Cell::atom(atoms::END_OF_FILE), Vec::new())),
        }
    }

    fn parsed(&mut self, text: &str) -> Result<(Cell, VariableNames), Interruption> {
        match self.read_one(text) {
            Ok(read) => Ok(read),
            Err(fault) => Err(error::syntax_error(&mut self.heap, &fault.message)),
        }
    }

    pub(super) fn name_list(&mut self, names: &[(String, Cell)]) -> Cell {
        let mut cells = Vec::new();
        for (name, variable) in names {
            if name == "_" {
                continue;
            }
            let name = self.heap.atom(name);
            cells.push(self.heap.compound(atoms::EQUALS, &[name, *variable]));
        }
        self.heap.list(&cells)
    }
}

fn term_to_text(m: &mut Machine, string: bool) -> Outcome {
    let term = m.arg(0);
    if term.tag() == REF {
        let text = m.text_arg(1)?;
        let (term, _) = m.parsed(&text)?;
        return m.unify_arg(0, term);
    }
    let text = m.term_text(term, true);
    let text = if string {
        m.heap.text(&text)
    } else {
        m.heap.atom(&text)
    };
    m.unify_arg(1, text)
}

/// `$read_text(Text, Term, Names)`
fn read_text(m: &mut Machine) -> Outcome {
    let text = m.text_arg(0)?;
    let (term, names) = m.parsed(&text)?;
    let names = m.name_list(&names);
    Ok(m.heap.unify(m.x[1], term) && m.heap.unify(m.x[2], names))
}

/// Reads a term from standard input, line by line until its final dot.
fn read(m: &mut Machine, position: usize, options: Option<usize>) -> Outcome {
    if position > 0 {
        check_input(m)?;
    }
    let (term, names) = next_term(m)?;
    if let Some(options) = options {
        for option in m.list_arg(options)? {
            if !read_option(m, option, term, &names)? {
                return Ok(false);
            }
        }
    }
    m.unify_arg(position, term)
}

/// Checks a stream argument: the only input is standard input.
fn check_input(m: &mut Machine) -> Result<(), Interruption> {
    let cell = m.arg(0);
    if cell.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    match cell.is_atom().then(|| m.heap.name(cell.symbol())) {
        Some("user_input" | "user") => Ok(()),
        Some(_) => Err(error::existence_error(&mut m.heap, "stream", cell)),
        None => Err(error::domain_error(&mut m.heap, "stream_or_alias", cell)),
    }
}

fn next_term(m: &mut Machine) -> Result<(Cell, VariableNames), Interruption> {
    let mut text = std::mem::take(&mut m.input);
    loop {
        let source = Source::new("input", text);
        let mut reader = PrologReader::new(&source);
        let read = reader.next_term(&m.consulted.operators);
        let used = reader.offset() as usize;
        // A term may end behind the lines read so far, as a comment may.
        let is_open = matches!(&read, Some(Err(fault)) if fault.is_unclosed());
        let is_whole =
            read.is_some() && !is_open && source.text()[..used].trim_end().ends_with('.');
        text = source.text().to_owned();
        if !is_whole && m.environment.read_line(&mut text) {
            m.poll()?;
            continue;
        }
        m.input = text.split_off(used.min(text.len()));
        return match read {
            Some(Ok(node)) => Ok(m.load_term(reader.document(), &source, node)),
            Some(Err(fault)) => Err(error::syntax_error(&mut m.heap, &fault.message)),
            None => Ok((Cell::atom(atoms::END_OF_FILE), Vec::new())),
        };
    }
}

/// Unifies what an option asks for; whether that holds.
fn read_option(m: &mut Machine, option: Cell, term: Cell, names: &[(String, Cell)]) -> Outcome {
    let Some((name, 1)) = m.heap.functor(option) else {
        return match option.tag() {
            REF => Err(error::instantiation(&mut m.heap)),
            _ => Err(error::domain_error(&mut m.heap, "read_option", option)),
        };
    };
    let value = m.heap.arguments(option)[0];
    let list = match m.heap.name(name) {
        "variable_names" => m.name_list(names),
        "variables" => {
            let variables = m.heap.variables(&[term]);
            m.heap.list(&variables)
        }
        "singletons" => {
            let once = m.heap.singletons(term);
            let named = names.iter().filter(|(_, variable)| once.contains(variable));
            let named: VariableNames = named.cloned().collect();
            m.name_list(&named)
        }
        _ => return Ok(true),
    };
    Ok(m.heap.unify(value, list))
}
