//! Text to spanned trees and back: prefix and infix GDL, and ISO Prolog text.
//!
//! This layer is about what was written, not about what it means.

mod balance;
mod codes;
mod detect;
mod diagnostic;
mod diagnostic_json;
mod error;
mod faults;
mod infix;
mod kif;
mod kif_stream;
pub(crate) mod lexer;
mod literal;
mod operators;
mod precedence;
mod print;
mod prolog;
mod prolog_builder;
mod prolog_faults;
mod prolog_items;
mod prolog_tokens;
pub(crate) mod quote;
mod span;
mod tree;

pub use codes::{Code, CodeDescription, SYNTAX_CODES};
pub use detect::detect;
pub use diagnostic::{Diagnostic, Fix, Label, Replacement, Severity};
pub use diagnostic_json::{DiagnosticJson, FixJson, SpanJson};
pub use error::SyntaxError;
pub use faults::{MAX_DEPTH, MAX_SYNTAX_DIAGNOSTICS};
pub use operators::{MAX_PRIORITY, Operator, OperatorTable, OperatorType, Operators};
pub(crate) use print::infix_names;
pub use print::{Case, PrintOptions, print, print_sentences, print_with};
pub use prolog::PrologReader;
pub use quote::{needs_quotes, quote};
pub use span::{Position, Source, Span};
pub use tree::{
    Children, Comment, CommentPlace, Document, Name, Node, NodeId, Notation, Sentence, SentenceKind,
};

/// What reading a text gives.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The sentences without fault. Complete only if there are no diagnostics.
    pub document: Document,
    /// All faults, in textual order, at most [`MAX_SYNTAX_DIAGNOSTICS`] and a note on the rest.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a whole text. Linear in its size.
pub fn parse(source: &Source, notation: Notation) -> Parsed {
    if let Some(too_large) = faults::too_large(source.text().len()) {
        return Parsed {
            document: Document::default(),
            diagnostics: vec![too_large],
        };
    }
    let (document, faults) = match notation {
        Notation::Prefix => kif::read_sheet(source),
        Notation::Infix => infix::read_sheet(source),
        Notation::Prolog => prolog::read_program(source),
    };
    Parsed {
        document,
        diagnostics: faults.finish(),
    }
}

/// Reads one term or goal; a final dot is optional, and `operators` matter for Prolog alone.
///
/// In both notations of GDL several literals in a row (`(p ?x) (q ?x)`, `p(X), q(X)`) are a
/// conjunction, and the node is a compound `and` of them.
///
/// # Errors
/// All faults, in textual order, at least one.
pub fn parse_term(
    source: &Source,
    notation: Notation,
    operators: &OperatorTable,
) -> Result<(Document, NodeId), Vec<Diagnostic>> {
    if let Some(too_large) = faults::too_large(source.text().len()) {
        return Err(vec![too_large]);
    }
    let (mut document, faults, terms) = match notation {
        Notation::Prefix => kif::read_terms(source),
        Notation::Infix => infix::read_terms(source),
        Notation::Prolog => return prolog::read_term(source, operators),
    };
    let diagnostics = faults.finish();
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    match *terms.as_slice() {
        [] => Err(vec![faults::no_term(source)]),
        [term] => Ok((document, term)),
        [first, .., last] => {
            let span = document.span(first).to(document.span(last));
            let functor = document.add_text("and");
            let arguments = document.add_children(&terms);
            let node = document.add(Node::Compound { functor, arguments }, span);
            Ok((document, node))
        }
    }
}
