//! Writing to the two streams of a command: results to one, messages to the other.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::cli::failure::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();

const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Says on standard error why a command fails.
pub(super) fn error_line(message: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(anstream::stderr(), "{ERROR}error{ERROR:#}: {message}");
}

/// Says on standard error what is odd about a result.
pub(super) fn warning_line(message: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(anstream::stderr(), "{WARNING}warning{WARNING:#}: {message}");
}

/// Writes a line of messages.
pub(super) fn message(text: &str) -> Result<(), Failure> {
    Ok(writeln!(anstream::stderr(), "{text}")?)
}

/// Writes text of a program's messages, behind what it has written before.
pub(super) fn error_text(text: &str) -> Result<(), Failure> {
    anstream::stdout().flush()?;
    Ok(write!(anstream::stderr(), "{text}")?)
}

/// Writes text that ends its own lines.
pub(super) fn text(text: &str) -> Result<(), Failure> {
    Ok(write!(anstream::stdout(), "{text}")?)
}

/// Writes a line of results.
pub(super) fn line(text: &str) -> Result<(), Failure> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// Hands what was written to whoever waits for it.
pub(super) fn flush() -> Result<(), Failure> {
    Ok(anstream::stdout().flush()?)
}

/// Writes a value as one line of JSON.
pub(super) fn json(value: &impl Serialize) -> Result<(), Failure> {
    line(&serde_json::to_string(value)?)
}
