//! Writing to the two streams of a command: results to one, messages to the other.

use std::io::{ErrorKind, Write};
use std::path::Path;

use serde::Serialize;

use crate::cli::failure::{Exit, Failure};

/// Writes a line of messages.
pub(super) fn message(text: &str) -> Result<(), Failure> {
    Ok(writeln!(anstream::stderr(), "{text}")?)
}

/// Writes text of a program's messages, behind what it has written before.
pub(super) fn error_text(text: &str) -> Result<(), Failure> {
    // Standard output has a buffer: without this, messages come before what was written ahead of them.
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

/// Flushes the stream of results, so that a program that reads it sees what was written.
pub(super) fn flush() -> Result<(), Failure> {
    Ok(anstream::stdout().flush()?)
}

/// Writes a file as a whole or not at all.
pub(super) fn file(path: &Path, text: &str) -> Result<(), Failure> {
    bytes(path, text.as_bytes())
}

/// Writes a file that is no text, as a whole or not at all.
pub(super) fn bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(|error| {
        let message = format!("cannot write {}: {error}", path.display());
        Failure::new(exit_of(error.kind()), message)
    })
}

/// Whose fault it is that a file cannot be written: that of its name, or of the machine, as where the disk is full.
fn exit_of(error: ErrorKind) -> Exit {
    let is_of_name = matches!(
        error,
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::ReadOnlyFilesystem
    );
    if is_of_name {
        Exit::BadInput
    } else {
        Exit::Internal
    }
}

/// Writes a file as a whole or not at all: whatever ends the program, under the final name there is the old text or
/// the new one. What is no file, such as a pipe, is written to.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A link goes on to point where it pointed.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = std::fs::metadata(&target).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return std::fs::write(&target, bytes);
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    // Beside the target, since a file is renamed within one file system only; with the number of the process,
    // since two may write the same file.
    let draft = target.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = std::fs::write(&draft, bytes)
        .and_then(|()| match &known {
            // A new file has the permissions that the process gives; the target keeps its own.
            Some(known) => std::fs::set_permissions(&draft, known.permissions()),
            None => Ok(()),
        })
        .and_then(|()| std::fs::rename(&draft, &target));
    if written.is_err() {
        // What is left of it is of no use; it may not even be there.
        let _ = std::fs::remove_file(&draft);
    }
    written
}

/// Writes a value as one line of JSON.
pub(super) fn json(value: &impl Serialize) -> Result<(), Failure> {
    line(&serde_json::to_string(value)?)
}
