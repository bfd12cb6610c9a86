//! Another name for a thing: what it may be, and all places that change.
//!
//! The rules mean the same afterwards. So a name that something of its kind has is refused, in which the two would
//! become one; and so is a text with faults, of which not every place is known.

use logos::Logos;
use thiserror::Error;

use crate::serve::lsp::sheet::occurrence::{folded, keyword};
use crate::serve::lsp::sheet::{EntityId, EntityKind, Occurrence, Sheet};
use crate::syntax::lexer::{KifToken, PrologToken};
use crate::syntax::quote::{is_speakable, needs_quotes_in_infix};
use crate::syntax::{Diagnostic, Notation, Replacement, Span, quote};

/// Why a thing cannot have another name, or not this one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RenameError {
    /// Nothing is named there.
    #[error("there is no name here")]
    NoName,
    /// The name is a reserved word.
    #[error("`{0}` is a reserved word")]
    Reserved(String),
    /// The name is a number.
    #[error("a number is named by itself")]
    Number,
    /// The text has faults of syntax.
    #[error("the text has faults, so that not every place of the name is known")]
    Faults,
    /// The notation has no such name.
    #[error("`{0}` is not a name")]
    NotAName(String),
    /// Something else of the same kind has the name.
    #[error("there is `{0}` already, and the two would become one")]
    Taken(String),
}

/// The name at an offset, if it can be another one, and what it is.
///
/// # Errors
/// [`RenameError`] says why it cannot.
pub fn renamable(sheet: &Sheet, offset: u32) -> Result<(Span, String), RenameError> {
    let one = subject(sheet, offset)?;
    let text = sheet.source().slice(one.span);
    Ok((one.span, text.trim_start_matches('?').to_owned()))
}

/// Gives the thing at an offset another name: the places that change, in the order of the text.
///
/// # Errors
/// [`RenameError`] says why the name is refused.
pub fn rename(sheet: &Sheet, offset: u32, name: &str) -> Result<Vec<Replacement>, RenameError> {
    let one = subject(sheet, offset)?;
    let text = spelled(sheet, one.entity, name)?;
    let all = sheet.occurrences().of_entity(one.entity);
    let replacements = all.map(|other| Replacement {
        span: with_quotes(sheet, other.span),
        text: text.clone(),
    });
    Ok(replacements.collect())
}

/// The name at an offset, if it can be another one.
fn subject(sheet: &Sheet, offset: u32) -> Result<&Occurrence, RenameError> {
    let one = sheet.at(offset).ok_or(RenameError::NoName)?;
    let name = sheet.occurrences().name(one.entity);
    match sheet.occurrences().entity(one.entity).kind {
        EntityKind::Keyword(_) => return Err(RenameError::Reserved(name.to_owned())),
        EntityKind::Function if is_number(name) => return Err(RenameError::Number),
        EntityKind::Relation | EntityKind::Function | EntityKind::Variable(_) => {}
    }
    if sheet.faults().iter().any(Diagnostic::is_error) {
        Err(RenameError::Faults)
    } else {
        Ok(one)
    }
}

/// How a new name of a thing is written.
fn spelled(sheet: &Sheet, id: EntityId, name: &str) -> Result<String, RenameError> {
    let mut entity = sheet.occurrences().entity(id);
    let (understood, written) = if matches!(entity.kind, EntityKind::Variable(_)) {
        variable(sheet.notation(), name).ok_or_else(|| RenameError::NotAName(name.to_owned()))?
    } else {
        symbol(sheet.notation(), name)?
    };
    // Not interned: a name that the text does not have is taken by nothing.
    if understood != sheet.occurrences().name(id)
        && let Some(symbol) = sheet.occurrences().symbol(&understood)
    {
        entity.name = symbol;
        if let Some(other) = sheet.occurrences().find(entity) {
            return Err(RenameError::Taken(sheet.signature(other)));
        }
    }
    Ok(written)
}

/// The name of a variable, without a question mark, and how it is written; nothing if the text is not one token.
fn variable(notation: Notation, name: &str) -> Option<(String, String)> {
    match notation {
        Notation::Prefix => {
            // Read by the lexer: a name that is not one token would change the sentence around it.
            let name = name.strip_prefix('?').unwrap_or(name);
            let written = format!("?{name}");
            let mut lexer = KifToken::lexer(&written);
            let is_one = lexer.next() == Some(Ok(KifToken::Variable));
            let is_whole = lexer.span().end == written.len() && !name.is_empty();
            (is_one && is_whole).then(|| (name.to_owned(), written))
        }
        Notation::Infix | Notation::Prolog => {
            let mut lexer = PrologToken::lexer(name);
            let is_one = lexer.next() == Some(Ok(PrologToken::Variable));
            // Each `_` is a variable of its own, so that the occurrences would fall apart.
            let is_whole = lexer.span().end == name.len() && name != "_";
            (is_one && is_whole).then(|| (name.to_owned(), name.to_owned()))
        }
    }
}

/// The name of a relation or function in lower case, as rules understand it, and how it is written.
fn symbol(notation: Notation, name: &str) -> Result<(String, String), RenameError> {
    if !is_speakable(name) {
        return Err(RenameError::NotAName(name.to_owned()));
    }
    let understood = folded(name).into_owned();
    if keyword(&understood).is_some() {
        return Err(RenameError::Reserved(understood));
    }
    let is_quoted = notation != Notation::Prefix && needs_quotes_in_infix(name);
    let written = if is_quoted {
        quote(name)
    } else {
        name.to_owned()
    };
    Ok((understood, written))
}

/// Whether a name is a number in its own form, as those of goal values are.
fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The place of a name with the quotes around it.
fn with_quotes(sheet: &Sheet, span: Span) -> Span {
    let bytes = sheet.text().as_bytes();
    // The span of a quoted name is what stands between its quotes.
    let before = span.start.checked_sub(1).map(|at| bytes[at as usize]);
    let behind = bytes.get(span.end as usize);
    match (sheet.notation(), before, behind) {
        (Notation::Infix | Notation::Prolog, Some(b'\''), Some(b'\'')) => {
            Span::new(span.start - 1, span.end + 1)
        }
        _ => span,
    }
}
