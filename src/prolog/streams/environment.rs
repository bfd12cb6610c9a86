//! What a machine may read from outside: standard input and program files.
//!
//! The library opens no file by itself: the caller hands in an [`Environment`]. Without one, input is at its end and no
//! file is found.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::syntax::Source;

/// Why a file cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFault {
    /// There is no file of this name.
    Missing,
    /// It cannot be read or written.
    Denied,
}

/// What happens to a file that exists when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Its content is replaced.
    Replace,
    /// What is written follows it.
    Append,
}

/// Gives a machine what it reads.
pub trait Environment {
    /// Appends the next line of standard input, with its end, to a text; false at the end of input.
    fn read_line(&mut self, text: &mut String) -> bool;

    /// The program file that a directive in the text `from` names; none if there is no such file.
    fn program(&mut self, name: &str, from: &str) -> Option<Source>;

    /// The time since the program began, as far as it may know: nothing passes unless the caller says so.
    fn elapsed(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The time since the beginning of 1970, as far as it may know.
    fn now(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The content of a file that a program opens.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    fn load(&mut self, _path: &str) -> Result<Vec<u8>, FileFault> {
        Err(FileFault::Missing)
    }

    /// Writes to a file, which is made if it does not exist.
    ///
    /// # Errors
    /// If it cannot be written.
    fn store(&mut self, _path: &str, _bytes: &[u8], _existing: Existing) -> Result<(), FileFault> {
        Err(FileFault::Denied)
    }

    /// Removes a file.
    ///
    /// # Errors
    /// If there is none, or it cannot be removed.
    fn remove(&mut self, _path: &str) -> Result<(), FileFault> {
        Err(FileFault::Missing)
    }
}

/// Nothing is to be had.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nothing;

impl Environment for Nothing {
    fn read_line(&mut self, _: &mut String) -> bool {
        false
    }

    fn program(&mut self, _: &str, _: &str) -> Option<Source> {
        None
    }
}

/// Files in memory, for tests and for programs that shall see no others.
///
/// # Examples
/// ```
/// use flux::limits::Limits;
/// use flux::prolog::{Machine, MemoryFiles, Solution};
///
/// let mut machine = Machine::new();
/// machine.set_environment(Box::new(MemoryFiles::default().with_file("a.txt", "foo(bar).")));
/// let goal = "open('a.txt', read, S), read(S, X), close(S)";
/// let mut solutions = machine.query(goal, Limits::default()).unwrap();
/// let Solution::Answer(answer) = solutions.next_solution() else { unreachable!() };
/// assert!(answer.to_string().ends_with("X = foo(bar)"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
    input: String,
}

impl MemoryFiles {
    /// The same, with a file more.
    #[must_use]
    pub fn with_file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.as_bytes().to_vec());
        self
    }

    /// The same, with this standard input.
    #[must_use]
    pub fn with_input(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }
}

impl Environment for MemoryFiles {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, FileFault> {
        self.files.get(path).cloned().ok_or(FileFault::Missing)
    }

    fn store(&mut self, path: &str, bytes: &[u8], existing: Existing) -> Result<(), FileFault> {
        let file = self.files.entry(path.to_owned()).or_default();
        if existing == Existing::Replace {
            file.clear();
        }
        file.extend(bytes);
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), FileFault> {
        self.files.remove(path).map(drop).ok_or(FileFault::Missing)
    }

    fn read_line(&mut self, text: &mut String) -> bool {
        let end = self.input.find('\n').map_or(self.input.len(), |at| at + 1);
        text.extend(self.input.drain(..end));
        end > 0
    }

    fn program(&mut self, name: &str, from: &str) -> Option<Source> {
        let folder = from.rfind('/').map_or("", |end| &from[..=end]);
        let names = [format!("{folder}{name}"), format!("{folder}{name}.pl")];
        let found = names
            .into_iter()
            .find(|name| self.files.contains_key(name))?;
        let text = String::from_utf8_lossy(&self.files[&found]).into_owned();
        Some(Source::new(found, text))
    }
}
