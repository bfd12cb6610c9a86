//! Where lines come from: a person at a terminal, or a pipe.
//!
//! Both give whole queries, which may be several lines. A pipe is read without prompts, so that
//! what is printed is the answers alone; `--echo` prints the queries too, which makes transcripts.

use std::io::BufRead;
use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

use crate::cli::failure::{Exit, Failure};
use crate::cli::output;
use crate::cli::repl::complete_input::{Dialect, is_command, is_complete};
use crate::cli::repl::helper::{Helper, Words};

const PROMPT: &str = "?- ";
const CONTINUATION: &str = "|  ";

/// Queries that the history keeps.
const HISTORY_SIZE: usize = 2000;

/// What was typed.
#[derive(Debug)]
pub(super) enum Input {
    Text(String),
    /// Ctrl-C at the prompt: the line is given up.
    GivenUp,
    /// Ctrl-D, or the end of the pipe.
    End,
}

/// The source of lines.
pub(super) enum Lines {
    Terminal(Box<Terminal>),
    Pipe {
        /// Whether to print what is read.
        echo: bool,
    },
}

/// A person at a terminal.
pub(super) struct Terminal {
    editor: Editor<Helper, FileHistory>,
    history: Option<PathBuf>,
}

impl Lines {
    pub(super) fn pipe(echo: bool) -> Self {
        Lines::Pipe { echo }
    }

    /// Starts editing lines; they are remembered in `history`, if it can be written.
    pub(super) fn terminal(history: Option<PathBuf>) -> Result<Self, Failure> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .history_ignore_space(true)
            .tab_stop(4)
            .max_history_size(HISTORY_SIZE)
            .map_err(unusable)?
            .build();
        let mut editor = Editor::with_config(config).map_err(unusable)?;
        editor.set_helper(Some(Helper::default()));
        if let Some(file) = &history {
            // The first session has no history to load.
            let _ = editor.load_history(file);
        }
        Ok(Lines::Terminal(Box::new(Terminal { editor, history })))
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Lines::Terminal(_))
    }

    /// Characters in a line, if that is known.
    pub(super) fn width(&mut self) -> Option<usize> {
        match self {
            Lines::Terminal(terminal) => {
                let (columns, _) = terminal.editor.dimensions()?;
                Some(usize::from(columns))
            }
            Lines::Pipe { .. } => None,
        }
    }

    /// The next query or command, whole; `words` can be completed in it.
    pub(super) fn next(
        &mut self,
        dialect: Dialect,
        words: impl FnOnce() -> Words,
    ) -> Result<Input, Failure> {
        match self {
            Lines::Terminal(terminal) => terminal.next(dialect, words()),
            Lines::Pipe { echo } => next_of_pipe(dialect, *echo),
        }
    }
}

fn unusable(error: ReadlineError) -> Failure {
    Failure::new(
        Exit::Internal,
        format!("the terminal cannot be used: {error}; `flux repl` reads from a pipe as well"),
    )
}

impl Terminal {
    fn next(&mut self, dialect: Dialect, words: Words) -> Result<Input, Failure> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.renew(dialect, words);
        }
        match self.editor.readline(PROMPT) {
            Ok(text) => {
                self.remember(text.trim());
                Ok(Input::Text(text))
            }
            Err(ReadlineError::Interrupted) => Ok(Input::GivenUp),
            Err(ReadlineError::Eof) => Ok(Input::End),
            Err(error) => Err(unusable(error)),
        }
    }

    fn remember(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        // A history that cannot be written is no reason to stop working.
        let _ = self.editor.add_history_entry(text);
        if let Some(file) = &self.history {
            if let Some(folder) = file.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            // After each line, so that a session that is killed has its history.
            let _ = self.editor.append_history(file);
        }
    }
}

/// Lines up to the end of a query; at the end of the pipe, what there is.
fn next_of_pipe(dialect: Dialect, echo: bool) -> Result<Input, Failure> {
    let mut text = String::new();
    loop {
        let start = text.len();
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| {
            Failure::bad_input(format!("standard input cannot be read: {error}"))
        })?;
        // What is no text becomes a fault of syntax in this query, and does not end the session.
        text.push_str(&String::from_utf8_lossy(&bytes));
        if read == 0 && text.trim().is_empty() {
            return Ok(Input::End);
        }
        let line = text[start..].trim_end();
        // Only between queries: a comment within one is part of its text.
        if start == 0 && is_idle(line) {
            text.clear();
            continue;
        }
        if echo && read > 0 {
            let prompt = if start == 0 { PROMPT } else { CONTINUATION };
            output::line(&format!("{prompt}{line}"))?;
        }
        // At the end of the pipe a query is asked as far as it goes, and tells what is missing.
        if read == 0 || is_complete(&text, dialect) {
            return Ok(Input::Text(text));
        }
    }
}

/// Whether a line asks for nothing: it is blank or a comment.
fn is_idle(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || (!is_command(line) && line.starts_with(['%', ';', '#']))
}

/// The file of the history: what was asked for, or a file in the user's data directory.
pub(super) fn history_file(asked_for: Option<&str>) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(file) = asked_for {
        return Some(PathBuf::from(file));
    }
    if let Some(file) = variable("FLUX_HISTORY") {
        return Some(PathBuf::from(file));
    }
    let data = match variable("XDG_DATA_HOME").or_else(|| variable("LOCALAPPDATA")) {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(variable("HOME")?).join(".local/share"),
    };
    Some(data.join("flux").join("history"))
}
