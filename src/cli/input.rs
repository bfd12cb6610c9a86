//! Reading files, with a clear word for everything that can be wrong with one.

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::string::FromUtf8Error;
use std::time::{Duration, Instant, SystemTime};

use crate::cli::failure::Failure;
use crate::cli::output;
use crate::prolog::{Environment, Existing, FileFault};
use crate::syntax::{Position, Source};

/// The text of a file that has to say something; `-` is standard input.
pub(super) fn read(name: &str) -> Result<Source, Failure> {
    let source = read_any(name)?;
    if source.text().trim().is_empty() {
        return Err(Failure::bad_input(format!("{name} is empty")));
    }
    Ok(source)
}

/// What stands in a file; `-` is standard input.
pub(super) fn bytes(name: &str) -> Result<Vec<u8>, Failure> {
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map(|_| bytes)
    } else if Path::new(name).is_dir() {
        // Words of the system for reading a directory differ from one system to the next.
        return Err(Failure::bad_input(format!(
            "{name} is a directory, not a file"
        )));
    } else {
        std::fs::read(name)
    };
    bytes.map_err(|error| Failure::bad_input(format!("cannot read {name}: {error}")))
}

/// The text of a file that may be empty; `-` is standard input.
pub(super) fn read_any(name: &str) -> Result<Source, Failure> {
    let text = String::from_utf8(bytes(name)?).map_err(|error| not_text(name, &error))?;
    // A byte order mark, with which some editors begin a text, is no part of the rules.
    let text = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(Source::new(name, text))
}

/// The place of the first byte that is not UTF-8, the line up to it, and what helps.
fn not_text(name: &str, error: &FromUtf8Error) -> Failure {
    /// Characters of the line that are shown.
    const SHOWN: usize = 40;
    let at = error.utf8_error().valid_up_to();
    let before = Source::new(name, String::from_utf8_lossy(&error.as_bytes()[..at]));
    let Position { line, column } = before.position(u32::try_from(at).unwrap_or(u32::MAX));
    let start = before.text().rsplit('\n').next().unwrap_or_default();
    let hidden = start.chars().count().saturating_sub(SHOWN);
    let shown: String = start.chars().skip(hidden).collect();
    let byte = error.as_bytes()[at];
    let mut message = format!(
        "{name}:{line}:{column} is not text: the byte 0x{byte:02X} behind `{shown}` is not valid UTF-8"
    );
    // A file with zero bytes is no text in any encoding that is met.
    if !error.as_bytes().contains(&0) {
        message.push_str("; a text in Latin-1 is converted by `iconv -f latin1 -t utf-8`");
    }
    Failure::bad_input(message)
}

/// What programs read: standard input, files beside the one that names them, and the time.
pub(super) struct Files {
    pub(super) start: Instant,
}

impl Environment for Files {
    fn read_line(&mut self, text: &mut String) -> bool {
        // A prompt must be seen before its answer is typed.
        let _ = std::io::stdout().flush();
        let mut line = Vec::new();
        match std::io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => false,
            Ok(_) => {
                text.push_str(&String::from_utf8_lossy(&line));
                true
            }
        }
    }

    fn program(&mut self, name: &str, from: &str) -> Option<Source> {
        let beside = Path::new(from).parent().unwrap_or(Path::new(""));
        let plain = beside.join(name);
        let with_extension = beside.join(format!("{name}.pl"));
        let found = [plain, with_extension]
            .into_iter()
            .find(|path| path.is_file())?;
        read_any(&found.display().to_string()).ok()
    }

    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn now(&mut self) -> Duration {
        // A clock that is set to an earlier year than 1970 is at its beginning.
        SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
    }

    fn load(&mut self, path: &str) -> Result<Vec<u8>, FileFault> {
        std::fs::read(path).map_err(|error| file_fault(&error))
    }

    fn store(&mut self, path: &str, bytes: &[u8], existing: Existing) -> Result<(), FileFault> {
        let written = match existing {
            Existing::Replace => output::replace(Path::new(path), bytes),
            Existing::Append => {
                let mut options = std::fs::OpenOptions::new();
                let file = options.create(true).append(true).open(path);
                file.and_then(|mut file| file.write_all(bytes))
            }
        };
        written.map_err(|error| file_fault(&error))
    }

    fn remove(&mut self, path: &str) -> Result<(), FileFault> {
        std::fs::remove_file(path).map_err(|error| file_fault(&error))
    }
}

fn file_fault(error: &std::io::Error) -> FileFault {
    if error.kind() == std::io::ErrorKind::NotFound {
        FileFault::Missing
    } else {
        FileFault::Denied
    }
}
