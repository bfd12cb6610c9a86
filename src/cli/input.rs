//! Reading files, with a clear word for everything that can be wrong with one.

use std::io::Read;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::syntax::Source;

/// The text of a file that has to say something; `-` is standard input.
pub(super) fn read(name: &str) -> Result<Source, Failure> {
    let source = read_any(name)?;
    if source.text().trim().is_empty() {
        return Err(Failure::bad_input(format!("{name} is empty")));
    }
    Ok(source)
}

/// The text of a file that may be empty; `-` is standard input.
pub(super) fn read_any(name: &str) -> Result<Source, Failure> {
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map(|_| bytes)
    } else if Path::new(name).is_dir() {
        return Err(Failure::bad_input(format!(
            "{name} is a directory, not a file"
        )));
    } else {
        std::fs::read(name)
    };
    let bytes =
        bytes.map_err(|error| Failure::bad_input(format!("cannot read {name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::bad_input(format!(
            "{name} is not text: the byte at offset {at} is not valid UTF-8"
        ))
    })?;
    let text = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(Source::new(name, text))
}
