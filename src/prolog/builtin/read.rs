//! Terms from text: `term_to_atom/2`, `read_term/2` and its kin.

use super::characters::readable;
use super::definition::Builtin;
use super::definition::Effect::Binds;
use super::streams::input;
use crate::prolog::consult::VariableNames;
use crate::prolog::state::flags::Quotes;
use crate::prolog::state::machine::Machine;
use crate::prolog::streams::stream::End;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::syntax::{Diagnostic, PrologReader, Source};

pub(super) const BUILTINS: &[Builtin] = &[
    ("term_to_atom", 2, Binds, |m| term_to_text(m, false)),
    ("term_string", 2, Binds, |m| term_to_text(m, true)),
    ("read_term", 2, Binds, |m| read(m, None, true)),
    ("read_term", 3, Binds, |m| read(m, Some(0), true)),
    ("read", 1, Binds, |m| read(m, None, false)),
    ("read", 2, Binds, |m| read(m, Some(0), false)),
    ("$read_text", 3, Binds, read_text),
];

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
        reader.set_strict(self.flags.iso);
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

/// Between a term and its text; the text decides if it is known.
fn term_to_text(m: &mut Machine, string: bool) -> Outcome {
    let term = m.arg(0);
    if term.tag() == REF || m.arg(1).tag() != REF {
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

/// Reads a term from a stream; standard input is asked for lines until the term ends.
fn read_from(
    m: &mut Machine,
    number: usize,
) -> Result<Option<(Cell, VariableNames)>, Box<Diagnostic>> {
    loop {
        let Some(stream) = m.streams.open.get(&number) else {
            return Ok(None);
        };
        let source = stream.source.clone();
        let mut reader = PrologReader::at(&source, stream.offset as u32);
        reader.set_strict(m.flags.iso);
        let read = reader.next_term(&m.consulted.operators);
        let may_grow = match &read {
            None => true,
            // The text came to its end before the term did.
            Some(Err(fault)) => {
                let text = source.text();
                fault.is_unclosed()
                    || reader.offset() as usize >= text.len() && !text.trim_end().ends_with('.')
            }
            Some(Ok(_)) => false,
        };
        // Standard input: another line, and the term is read again from its beginning.
        if may_grow && m.streams.more(number) {
            continue;
        }
        let offset = reader.offset() as usize;
        let result = match read {
            None => Ok(None),
            Some(Err(fault)) => Err(Box::new(fault)),
            Some(Ok(node)) => Ok(Some(m.load_term(reader.document(), &source, node))),
        };
        if let Some(stream) = m.streams.open.get_mut(&number) {
            stream.offset = offset;
            if matches!(result, Ok(None)) {
                stream.end = End::Past;
            }
        }
        return result;
    }
}

fn read(m: &mut Machine, stream: Option<usize>, has_options: bool) -> Outcome {
    let number = match stream {
        Some(position) => input(m, position)?,
        None => m.streams.input,
    };
    let position = stream.map_or(0, |position| position + 1);
    let options = if has_options {
        read_options(m, position + 1)?
    } else {
        Vec::new()
    };
    readable(m, number, stream, false)?;
    let quotes = m.flags.double_quotes;
    if let Some((_, value)) = options.iter().find(|(name, _)| name == "double_quotes") {
        m.flags.double_quotes = quotes_option(m, *value)?;
    }
    let read = read_from(m, number);
    // The option holds for this term alone.
    m.flags.double_quotes = quotes;
    let (term, names) = match read {
        Ok(Some(read)) => read,
        Ok(None) => (Cell::atom(atoms::END_OF_FILE), Vec::new()),
        Err(fault) => return Err(error::syntax_error(&mut m.heap, &fault.message)),
    };
    for (name, value) in options {
        let list = match name.as_str() {
            "variable_names" => m.name_list(&names),
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
            _ => continue,
        };
        if !m.heap.unify(value, list) {
            return Ok(false);
        }
    }
    m.unify_arg(position, term)
}

/// The value of the option `double_quotes`.
fn quotes_option(m: &mut Machine, value: Cell) -> Result<Quotes, Interruption> {
    let name = m.as_atom(value)?;
    match Quotes::from_name(m.heap.name(name)) {
        Some(quotes) => Ok(quotes),
        None => Err(error::domain_error(&mut m.heap, "double_quotes", value)),
    }
}

/// The options of `read_term/2` by name.
fn read_options(m: &mut Machine, position: usize) -> Result<Vec<(String, Cell)>, Interruption> {
    let mut options = Vec::new();
    for option in m.list_arg(position)? {
        if option.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let known = match m.heap.functor(option) {
            Some((name, 1)) => {
                let name = m.heap.name(name).to_owned();
                OPTIONS.contains(&name.as_str()).then_some(name)
            }
            _ => None,
        };
        let Some(name) = known else {
            return Err(error::domain_error(&mut m.heap, "read_option", option));
        };
        let value = m.heap.arguments(option)[0];
        options.push((name, value));
    }
    Ok(options)
}

const OPTIONS: [&str; 14] = [
    "variables",
    "variable_names",
    "singletons",
    "syntax_errors",
    "double_quotes",
    "back_quotes",
    "module",
    "term_position",
    "subterm_positions",
    "comments",
    "character_escapes",
    "dotlists",
    "var_prefix",
    "cycles",
];
