//! What must stand at a place, by the tokens of its sentence before it.
//!
//! ```text
//! (<= (next (cell ?m ?n x)) (true (cell ?m |
//!     brackets that are open: `<=` at its second argument, `true` at its first, `cell` at its second
//!     so: the second argument of a fluent `cell`; variables of the sentence: ?m ?n
//! ```

use logos::{Logos, SpannedIter};

use crate::gdl::Keyword;
use crate::serve::lsp::sheet::occurrence::{argument_of, folded, keyword};
use crate::serve::lsp::sheet::{Owner, RulePart, Sheet, Usage};
use crate::syntax::lexer::{KifToken, PrologToken};
use crate::syntax::{Notation, Span};

/// What must stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context<'s> {
    /// The word that is being written.
    pub(super) word: Span,
    /// What it is there for.
    pub(super) expected: Expected<'s>,
    /// Whether it is the name behind the parenthesis of prefix notation.
    pub(super) is_behind_parenthesis: bool,
    /// Whether arguments follow already.
    pub(super) has_arguments: bool,
    /// The variables of the sentence, in order of first occurrence, with question marks.
    pub(super) variables: Vec<&'s str>,
}

/// What a word is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected<'s> {
    /// It begins a sentence.
    Sentence,
    /// It is an atom, or a connective, in a part of a rule.
    Atom(RulePart),
    /// It is a fluent.
    Fluent,
    /// It is a move.
    Move,
    /// It is a role.
    Role,
    /// It is an argument.
    Argument {
        owner: Owner,
        name: &'s str,
        index: usize,
    },
}

/// A bracket that is open.
#[derive(Clone, Copy, Debug)]
struct Frame<'s> {
    /// The name that it belongs to: behind it in prefix notation, before it in infix.
    name: Option<&'s str>,
    /// The number of the argument that is being written, from 0.
    index: usize,
    /// Whether it only groups, as it may in infix notation.
    groups: bool,
}

/// The brackets that are open behind some tokens, and what else they tell of the sentence.
#[derive(Default)]
struct TokenScan<'s> {
    text: &'s str,
    /// The place that is asked for.
    offset: u32,
    frames: Vec<Frame<'s>>,
    variables: Vec<&'s str>,
    /// The word that touches the place.
    word: Option<Span>,
    /// Whether the body of an infix rule has begun.
    in_body: bool,
    /// Whether the word is behind the operator of `X \= Y`.
    compares: bool,
    /// The name before, for a parenthesis that may belong to it.
    last_name: Option<(&'s str, u32)>,
}

/// What must stand at an offset; none inside of a comment.
pub(super) fn at<'s>(sheet: &'s Sheet, offset: u32) -> Option<Context<'s>> {
    let text = sheet.text();
    let sentences = sheet.document().sentences();
    // Sentences with faults are not in the tree: reading begins at the last whole one before the place.
    let before = sentences.partition_point(|sentence| sentence.span.start < offset);
    let start = match before.checked_sub(1) {
        Some(last) => sentences[last].span.start,
        None => 0,
    };
    let mut scan = TokenScan {
        text,
        offset,
        ..TokenScan::default()
    };
    let is_prefix = sheet.notation() == Notation::Prefix;
    let is_code = if is_prefix {
        scan.prefix(start)
    } else {
        scan.infix(start)
    };
    if !is_code {
        return None;
    }
    let word = scan.word.unwrap_or(Span::new(offset, offset));
    let behind = text[word.end as usize..].trim_start_matches([' ', '\t']);
    // On the same line alone: behind an unfinished `(true (cell` the next line is another condition.
    let has_arguments = if is_prefix {
        !behind.starts_with([')', '\r', '\n', ';']) && !behind.is_empty()
    } else {
        text[word.end as usize..].starts_with('(')
    };
    let is_behind_parenthesis =
        is_prefix && scan.frames.last().is_some_and(|frame| frame.name.is_none());
    Some(Context {
        word,
        expected: scan.expected(is_prefix),
        is_behind_parenthesis,
        has_arguments,
        variables: scan.variables,
    })
}

impl<'s> TokenScan<'s> {
    /// Reads the tokens of prefix notation from the beginning of a sentence to the place, and then the variables of the
    /// rest of the sentence. Gives whether the place is outside of comments.
    fn prefix(&mut self, start: u32) -> bool {
        // Brackets that are open, counted from the place on: the sentence ends with the last one.
        let mut open = None;
        for (token, span) in tokens::<KifToken>(self.text, start) {
            let Ok(token) = token else { continue };
            if span.start < self.offset {
                if token == KifToken::Comment && self.touches(span) {
                    return false;
                }
                self.prefix_token(token, span);
                continue;
            }
            // The rest of the sentence, up to its end or to the beginning of another one.
            let open = open.get_or_insert(self.frames.len());
            match token {
                KifToken::Open if begins_line(self.text, span.start) => break,
                KifToken::Open => *open += 1,
                KifToken::Close if *open <= 1 => break,
                KifToken::Close => *open -= 1,
                KifToken::Variable => self.variable(span),
                KifToken::If
                | KifToken::Word
                | KifToken::Comment
                | KifToken::Rubbish
                | KifToken::MissingClose => {}
            }
        }
        true
    }

    /// A token of prefix notation before the place.
    fn prefix_token(&mut self, token: KifToken, span: Span) {
        match token {
            KifToken::Open => {
                // A bracket in column 1 begins a sentence, whatever is still open: those before it lack their ends.
                if begins_line(self.text, span.start) || self.frames.is_empty() {
                    self.restart();
                }
                self.frames.push(Frame {
                    name: None,
                    index: 0,
                    groups: false,
                });
            }
            KifToken::Close => {
                self.frames.pop();
                // In prefix notation the list that ends was itself an argument of the bracket around it.
                self.step();
            }
            KifToken::If | KifToken::Word | KifToken::Variable if self.touches(span) => {
                self.word = Some(span);
            }
            KifToken::If | KifToken::Word | KifToken::Variable => {
                if token == KifToken::Variable {
                    self.variable(span);
                }
                let name = &self.text[span.range()];
                match self.frames.last_mut() {
                    // The first word of a list is its name, and each other one an argument.
                    Some(frame) if frame.name.is_none() => frame.name = Some(name),
                    _ => self.step(),
                }
            }
            KifToken::Comment | KifToken::Rubbish | KifToken::MissingClose => {}
        }
    }

    /// The same as [`Self::prefix`] for infix notation.
    fn infix(&mut self, start: u32) -> bool {
        for (token, span) in tokens::<PrologToken>(self.text, start) {
            let Ok(token) = token else { continue };
            if span.start < self.offset {
                let is_comment =
                    matches!(token, PrologToken::Comment | PrologToken::UnclosedComment);
                if is_comment && self.touches(span) {
                    return false;
                }
                self.infix_token(token, span);
            } else if token == PrologToken::Variable {
                self.variable(span);
            } else if token == PrologToken::Symbols && &self.text[span.range()] == "." {
                break;
            }
        }
        true
    }

    /// A token of infix notation before the place.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other tokens say nothing of where an argument is"
    )]
    fn infix_token(&mut self, token: PrologToken, span: Span) {
        let written = &self.text[span.range()];
        match token {
            PrologToken::Open => {
                // `f(` is a term, `f (` and `& (` only group.
                let glued = self.last_name.filter(|(_, end)| *end == span.start);
                self.frames.push(Frame {
                    name: glued.map(|(name, _)| name),
                    index: 0,
                    groups: glued.is_none(),
                });
            }
            PrologToken::Close => {
                // No step: in infix notation a comma ends an argument, and not the end of a term in it.
                self.frames.pop();
            }
            PrologToken::Comma => {
                self.compares = false;
                self.step();
            }
            PrologToken::Symbols => self.operator(written),
            PrologToken::Name
            | PrologToken::Variable
            | PrologToken::Number
            | PrologToken::Quoted
                if self.touches(span) =>
            {
                self.word = Some(span);
            }
            PrologToken::Name | PrologToken::Quoted => {
                // Where a condition or head ended on an earlier line, a sentence without its dot did.
                let follows = self.last_name.is_some() && self.frames.is_empty();
                if follows && begins_line(self.text, span.start) {
                    self.restart();
                }
                self.last_name = Some((written.trim_matches('\''), span.end));
            }
            PrologToken::Variable => self.variable(span),
            _ => {}
        }
    }

    /// An operator of infix notation, or the end of a sentence.
    fn operator(&mut self, written: &str) {
        match written {
            "\\=" => self.compares = true,
            "&" | "~" | "\\+" => self.compares = false,
            "." => self.restart(),
            ":-" | "<=" => self.in_body = true,
            _ => {}
        }
    }

    /// Whether the place is inside or at the end of a token that begins before it.
    fn touches(&self, span: Span) -> bool {
        self.offset <= span.end
    }

    /// A new sentence begins.
    fn restart(&mut self) {
        self.frames.clear();
        self.variables.clear();
        self.in_body = false;
        self.compares = false;
        self.last_name = None;
    }

    /// An argument of the innermost bracket ends.
    fn step(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.index += 1;
        }
    }

    fn variable(&mut self, span: Span) {
        let name = &self.text[span.range()];
        // A lone `?` is where a variable is yet to be written.
        if !self.variables.contains(&name) && name.len() > usize::from(name.starts_with('?')) {
            self.variables.push(name);
        }
    }

    /// What must stand in the innermost bracket, found from the outermost one inwards.
    fn expected(&self, is_prefix: bool) -> Expected<'s> {
        let mut frames = self.frames.as_slice();
        if is_prefix && frames.last().is_some_and(|frame| frame.name.is_none()) {
            // The name behind a parenthesis is there for what the whole list is.
            frames = &frames[..frames.len() - 1];
        }
        let mut expected = match (is_prefix, self.in_body) {
            (true, _) | (false, false) => Expected::Sentence,
            // `X \= Y` is `distinct`, of which the second argument is being written.
            (false, true) if self.compares => {
                below(Expected::Atom(RulePart::Positive), "distinct", 1)
            }
            (false, true) => Expected::Atom(RulePart::Positive),
        };
        for frame in frames.iter().filter(|frame| !frame.groups) {
            let name = frame.name.unwrap_or_default();
            expected = below(expected, name, frame.index);
        }
        expected
    }
}

/// What an argument of a name must be, by what the name is there for.
fn below<'s>(expected: Expected<'s>, name: &'s str, index: usize) -> Expected<'s> {
    let argument = |owner| Expected::Argument { owner, name, index };
    let part = match expected {
        Expected::Sentence => RulePart::Head,
        Expected::Atom(part) => part,
        Expected::Fluent => return argument(Owner::Fluent),
        Expected::Move => return argument(Owner::Move),
        Expected::Role | Expected::Argument { .. } => return argument(Owner::Term),
    };
    let Some(keyword) = keyword(&folded(name)) else {
        return argument(Owner::Atom);
    };
    if keyword == Keyword::If {
        return Expected::Atom(match index {
            0 => RulePart::Head,
            _ => RulePart::Positive,
        });
    }
    // Whether an atom is negated makes no difference to what can stand in it.
    match argument_of(keyword, index, part).0 {
        Usage::Atom => Expected::Atom(RulePart::Negative),
        Usage::Fluent(_) => Expected::Fluent,
        Usage::Move(_) => Expected::Move,
        Usage::Role(_) => Expected::Role,
        Usage::Argument => argument(Owner::Atom),
    }
}

/// The tokens of a text from an offset on.
fn tokens<'s, T: Logos<'s, Source = str> + 's>(
    text: &'s str,
    start: u32,
) -> impl Iterator<Item = (Result<T, T::Error>, Span)>
where
    T::Extras: Default,
{
    let tokens: SpannedIter<'s, T> = T::lexer(&text[start as usize..]).spanned();
    tokens.map(move |(token, range)| {
        let span = Span::new(start + range.start as u32, start + range.end as u32);
        (token, span)
    })
}

/// Whether something stands in column 1.
fn begins_line(text: &str, start: u32) -> bool {
    let before = text.as_bytes()[..start as usize].last();
    before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}
