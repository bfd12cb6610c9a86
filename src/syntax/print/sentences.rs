//! Sentences in their layout, with the comments around them.

use std::ops::Range;

use crate::syntax::print::comments::{Comments, follows_blank_line};
use crate::syntax::print::options::{Case, PrintOptions};
use crate::syntax::print::terms::TermPrinter;
use crate::syntax::print::variables::VariableNames;
use crate::syntax::span::Source;
use crate::syntax::tree::{Document, NodeId, Notation, Sentence, SentenceKind};

/// The canonical text of a document with symbols in lower case. Linear in its size.
///
/// # Examples
/// ```
/// use flux::syntax::{Notation, Source, parse, print};
///
/// let source = Source::new("example", "(<= (p ?x)(q ?x)  (not (r ?x)))");
/// let document = parse(&source, Notation::Prefix).document;
/// assert_eq!(
///     print(&document, &source, Notation::Infix),
///     "p(X) :-\n    q(X),\n    not r(X).\n"
/// );
/// ```
pub fn print(document: &Document, source: &Source, notation: Notation) -> String {
    let options = PrintOptions {
        notation,
        case: Case::Fold,
    };
    print_with(document, source, options)
}

/// The canonical text of a document. Linear in its size.
pub fn print_with(document: &Document, source: &Source, options: PrintOptions) -> String {
    let mut printer = Printer::new(document, source, options);
    for (index, sentence) in document.sentences().iter().enumerate() {
        printer.gap(sentence, index);
        printer.sentence(sentence);
        printer.behind(index, sentence);
    }
    printer.comments.rest(&mut printer.text);
    printer.text
}

/// The canonical text of some sentences in a row, to stand where the first one begins up to where the last one ends:
/// without the comments before and behind them, and without an end of line.
///
/// # Examples
/// ```
/// use flux::syntax::{Case, Notation, PrintOptions, Source, parse, print_sentences};
///
/// let source = Source::new("example", "(p  a)\n(p  b) ; two\n(p  c)");
/// let document = parse(&source, Notation::Prefix).document;
/// let options = PrintOptions {
///     notation: Notation::Prefix,
///     case: Case::Fold,
/// };
/// let text = print_sentences(&document, &source, options, 1..3);
/// assert_eq!(text, "(p b) ; two\n(p c)");
/// ```
pub fn print_sentences(
    document: &Document,
    source: &Source,
    options: PrintOptions,
    numbers: Range<usize>,
) -> String {
    let sentences = document.sentences().get(numbers.clone());
    let Some([first, ..]) = sentences else {
        return String::new();
    };
    let mut printer = Printer::new(document, source, options);
    printer.comments.skip(first);
    for (index, sentence) in numbers.clone().zip(sentences.unwrap_or_default()) {
        printer.gap(sentence, index);
        printer.sentence(sentence);
        if index + 1 < numbers.end {
            printer.behind(index, sentence);
        }
    }
    printer.text
}

struct Printer<'d> {
    document: &'d Document,
    source: &'d Source,
    options: PrintOptions,
    comments: Comments<'d>,
    text: String,
}

impl<'d> Printer<'d> {
    fn new(document: &'d Document, source: &'d Source, options: PrintOptions) -> Self {
        Self {
            document,
            source,
            options,
            comments: Comments::new(document, source, options.notation),
            text: String::new(),
        }
    }

    /// Comments behind a sentence, and the end of its line.
    fn behind(&mut self, index: usize, sentence: &Sentence) {
        self.comments.behind(index, sentence, &mut self.text);
        self.text.push('\n');
    }

    /// Comments and blank line before a sentence.
    fn gap(&mut self, sentence: &Sentence, index: usize) {
        self.comments.before(index, sentence, &mut self.text);
        if !self.text.is_empty() && follows_blank_line(self.source.text(), sentence.span.start) {
            self.text.push('\n');
        }
        // What stood inside of the sentence comes behind the blank line, directly in front of the sentence.
        self.comments.inside(index, &mut self.text);
    }

    fn sentence(&mut self, sentence: &Sentence) {
        let names = VariableNames::of(self.document, self.source, sentence, self.options.notation);
        let mut terms = TermPrinter {
            document: self.document,
            source: self.source,
            options: self.options,
            names: &names,
            text: &mut self.text,
        };
        let conditions = self.document.children(sentence.body);
        if self.options.notation == Notation::Prefix {
            prefix_sentence(&mut terms, sentence, conditions);
        } else {
            infix_sentence(&mut terms, sentence, conditions);
        }
    }
}

fn prefix_sentence(terms: &mut TermPrinter<'_, '_>, sentence: &Sentence, conditions: &[NodeId]) {
    if conditions.is_empty() {
        // A rule without conditions is a fact.
        let is_directive = sentence.kind == SentenceKind::Directive;
        terms.text.push_str(if is_directive { "(:- " } else { "" });
        terms.term(sentence.head);
        terms.text.push_str(if is_directive { ")" } else { "" });
        return;
    }
    terms.text.push_str("(<= ");
    terms.term(sentence.head);
    for &condition in conditions {
        terms.text.push_str("\n    ");
        terms.term(condition);
    }
    terms.text.push(')');
}

fn infix_sentence(terms: &mut TermPrinter<'_, '_>, sentence: &Sentence, conditions: &[NodeId]) {
    if sentence.kind == SentenceKind::Directive {
        terms.text.push_str(":- ");
    }
    terms.term(sentence.head);
    for (index, &condition) in conditions.iter().enumerate() {
        terms.text.push_str(match index {
            0 => " :-\n    ",
            _ => ",\n    ",
        });
        terms.condition(condition);
    }
    // A dot behind a symbol character would be part of it.
    if terms
        .text
        .ends_with(|c: char| "+-*/\\^<>=~:.?@#&$".contains(c))
    {
        terms.text.push(' ');
    }
    terms.text.push('.');
}
