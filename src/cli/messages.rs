//! Errors and warnings on standard error, in colour.

use std::io::Write;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();

const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Says on standard error why a command fails.
pub(super) fn error_line(message: &str) {
    // A failure to write an error has no stream to be told on.
    let _ = writeln!(anstream::stderr(), "{ERROR}error{ERROR:#}: {message}");
}

/// Says on standard error what is odd about a result.
pub(super) fn warning_line(message: &str) {
    // A failure to write an error has no stream to be told on.
    let _ = writeln!(anstream::stderr(), "{WARNING}warning{WARNING:#}: {message}");
}
