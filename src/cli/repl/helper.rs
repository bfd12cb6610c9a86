//! Help while a line is typed: completion, hints, colours, and whether the line goes on.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustyline::Context;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter, MatchingBracketHighlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};

use crate::cli::repl::command::{COMMANDS, Name, find};
use crate::cli::repl::complete_input::{Dialect, is_command, is_complete};
use crate::cli::repl::show::{FAINT, STRONG, styled};
use crate::prove::PropertyKind;

/// What can be completed, besides commands and files.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// Names of predicates and symbols.
    pub(super) names: BTreeSet<String>,
    /// Legal moves of all roles, as they are shown.
    pub(super) moves: BTreeSet<String>,
    pub(super) roles: BTreeSet<String>,
    /// Names of actions.
    pub(super) actions: BTreeSet<String>,
}

/// The keys of `:set`.
const KEYS: &[&str] = &["all", "answers", "notation", "seconds", "seed", "steps"];

pub(super) struct Helper {
    dialect: Dialect,
    words: Words,
    files: FilenameCompleter,
    brackets: MatchingBracketHighlighter,
}

impl Default for Helper {
    fn default() -> Self {
        Self {
            dialect: Dialect::Prolog,
            words: Words::default(),
            files: FilenameCompleter::new(),
            brackets: MatchingBracketHighlighter::new(),
        }
    }
}

impl Helper {
    /// Takes over what can be completed now.
    pub(super) fn renew(&mut self, dialect: Dialect, words: Words) {
        self.dialect = dialect;
        self.words = words;
    }

    /// What can follow a command.
    fn arguments(&self, command: Name) -> Vec<&str> {
        match command {
            Name::Do | Name::Try | Name::Effects => {
                let moves = self.words.moves.iter().chain(&self.words.roles);
                moves.map(String::as_str).collect()
            }
            Name::Legal => self.words.roles.iter().map(String::as_str).collect(),
            Name::Axioms | Name::WhyEdge => self.words.actions.iter().map(String::as_str).collect(),
            Name::Set => KEYS.to_vec(),
            Name::Prove => PropertyKind::ALL.map(PropertyKind::name).to_vec(),
            Name::Help => COMMANDS.iter().map(|command| command.word).collect(),
            Name::Why | Name::WhyNot | Name::Rules | Name::Table => {
                self.words.names.iter().map(String::as_str).collect()
            }
            Name::Load
            | Name::Analyze
            | Name::Parts
            | Name::WhyTogether
            | Name::Solve
            | Name::Value
            | Name::Best
            | Name::Line
            | Name::Plan
            | Name::Next
            | Name::State
            | Name::Undo
            | Name::Redo
            | Name::Random
            | Name::Goals
            | Name::Stats
            | Name::Quit => Vec::new(),
        }
    }
}

impl rustyline::Helper for Helper {}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..position];
        if is_command(typed.trim_start()) {
            return match command_of(typed) {
                None => Ok(commands(typed)),
                Some((Name::Load, _)) => self.files.complete(line, position, context),
                Some((name @ (Name::Do | Name::Try | Name::Effects), rest)) => {
                    let start = position - last_move(rest).len();
                    Ok((start, matching(&typed[start..], self.arguments(name))))
                }
                Some((name, _)) => Ok(word_of(typed, self.arguments(name))),
            };
        }
        // Names of files stand in quotes: consult('...').
        let quoted = typed.bytes().filter(|&byte| byte == b'\'').count() % 2 == 1;
        if quoted && self.dialect == Dialect::Prolog {
            return self.files.complete(line, position, context);
        }
        let names = self.words.names.iter().map(String::as_str);
        Ok(word_of(typed, names.collect()))
    }
}

/// The command that a line begins with, and what follows; `None` while it is being typed.
fn command_of(typed: &str) -> Option<(Name, &str)> {
    let typed = typed.trim_start().trim_start_matches(':');
    let (word, rest) = typed.split_once(char::is_whitespace)?;
    find(word).ok().map(|command| (command.name, rest))
}

fn commands(typed: &str) -> (usize, Vec<Pair>) {
    let start = typed.len() - typed.trim_start().len();
    let begins = &typed[start..];
    let words = COMMANDS.iter().map(|command| format!(":{}", command.word));
    let fitting = words.filter(|word| word.starts_with(begins));
    let pairs = fitting.map(|word| Pair {
        display: word.clone(),
        replacement: format!("{word} "),
    });
    (start, pairs.collect())
}

/// The beginning of the move that is being typed: what follows the last blank outside parentheses.
fn last_move(rest: &str) -> &str {
    let (mut depth, mut start) = (0_i64, 0);
    for (at, character) in rest.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            c if c.is_whitespace() && depth <= 0 => start = at + c.len_utf8(),
            _ => {}
        }
    }
    &rest[start..]
}

/// The word at the end of a text, with what it can become.
fn word_of(typed: &str, words: Vec<&str>) -> (usize, Vec<Pair>) {
    let is_part = |c: char| c.is_alphanumeric() || "_$+".contains(c);
    let start = typed
        .char_indices()
        .rev()
        .take_while(|&(_, c)| is_part(c))
        .last()
        .map_or(typed.len(), |(at, _)| at);
    let word = &typed[start..];
    // At an empty prompt every name would fit.
    if word.is_empty() && typed.trim().is_empty() {
        return (start, Vec::new());
    }
    (start, matching(word, words))
}

fn matching(begin: &str, words: Vec<&str>) -> Vec<Pair> {
    let fitting = words.into_iter().filter(|word| word.starts_with(begin));
    let pair = |word: &str| Pair {
        display: word.to_owned(),
        replacement: word.to_owned(),
    };
    fitting.map(pair).collect()
}

impl Hinter for Helper {
    type Hint = String;

    /// The arguments of a command whose name has just been typed.
    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<String> {
        let trimmed = line.trim_start();
        if position < line.len() || !is_command(trimmed) {
            return None;
        }
        let (command, rest) = trimmed.trim_start_matches(':').split_once(' ')?;
        let description = find(command).ok()?;
        (rest.is_empty() && !description.arguments.is_empty())
            .then(|| description.arguments.to_owned())
    }
}

impl Highlighter for Helper {
    fn highlight<'l>(&self, line: &'l str, position: usize) -> Cow<'l, str> {
        if is_command(line) {
            let end = line.find(char::is_whitespace).unwrap_or(line.len());
            let (command, rest) = line.split_at(end);
            return Cow::Owned(format!("{}{rest}", styled(STRONG, command)));
        }
        self.brackets.highlight(line, position)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(styled(STRONG, prompt))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(styled(FAINT, hint))
    }

    fn highlight_char(&self, line: &str, position: usize, kind: CmdKind) -> bool {
        is_command(line) || self.brackets.highlight_char(line, position, kind)
    }
}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_complete(context.input(), self.dialect) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completions(typed: &str) -> Vec<String> {
        let helper = Helper {
            dialect: Dialect::Game,
            words: Words {
                names: ["legal", "less", "goal"].map(str::to_owned).into(),
                moves: ["mark(1, 1)", "mark(1, 2)", "noop"]
                    .map(str::to_owned)
                    .into(),
                roles: ["white"].map(str::to_owned).into(),
                actions: ["mark", "noop"].map(str::to_owned).into(),
            },
            ..Helper::default()
        };
        let history = rustyline::history::DefaultHistory::new();
        let found = helper.complete(typed, typed.len(), &Context::new(&history));
        let pairs = found.map(|(_, pairs)| pairs).unwrap_or_default();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn words_are_completed() {
        assert_eq!(completions("le"), ["legal", "less"]);
        assert_eq!(completions("p(X), goa"), ["goal"]);
        assert_eq!(completions(":un"), [":undo "]);
        assert_eq!(completions(":do mark(1, "), ["mark(1, 1)", "mark(1, 2)"]);
        assert_eq!(completions(":do noop w"), ["white"]);
        assert_eq!(
            completions(":effects mark(1, "),
            ["mark(1, 1)", "mark(1, 2)"]
        );
        assert_eq!(completions(":axioms ma"), ["mark"]);
        assert_eq!(completions(":set se"), ["seconds", "seed"]);
        assert!(completions("").is_empty());
    }
}
