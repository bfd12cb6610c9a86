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

/// What `read/1` reads from: a text given by the caller of the machine.
#[derive(Debug)]
pub(in crate::prolog) struct Input {
    pub(in crate::prolog) source: Source,
    pub(in crate::prolog) offset: u32,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            source: Source::new("input", ""),
            offset: 0,
        }
    }
}

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

fn read(m: &mut Machine, position: usize, options: Option<usize>) -> Outcome {
    let input = std::mem::take(&mut m.input);
    let mut reader = PrologReader::at(&input.source, input.offset);
    let read = reader.next_term(&m.consulted.operators);
    let offset = reader.offset();
    let result = match read {
        Some(Ok(node)) => Ok(m.load_term(reader.document(), &input.source, node)),
        Some(Err(fault)) => Err(error::syntax_error(&mut m.heap, &fault.message)),
        None => Ok((Cell::atom(atoms::END_OF_FILE), Vec::new())),
    };
    m.input = Input {
        source: input.source,
        offset,
    };
    let (term, names) = result?;
    if let Some(options) = options {
        for option in m.list_arg(options)? {
            let Some((name, 1)) = m.heap.functor(option) else {
                continue;
            };
            let value = m.heap.arguments(option)[0];
            let list = match m.heap.name(name) {
                "variable_names" => m.name_list(&names),
                "variables" => {
                    let variables = m.heap.variables(&[term]);
                    m.heap.list(&variables)
                }
                _ => continue,
            };
            if !m.heap.unify(value, list) {
                return Ok(false);
            }
        }
    }
    m.unify_arg(position, term)
}
