//! Options that several commands share: which game, in which notation, within which limits, and the form of the result.

use clap::{Args, ValueEnum};

use crate::syntax::{Notation, Source, detect};
use crate::term::Case;

/// When colours are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorName {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl From<ColorName> for anstream::ColorChoice {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Auto => anstream::ColorChoice::Auto,
            ColorName::Always => anstream::ColorChoice::Always,
            ColorName::Never => anstream::ColorChoice::Never,
        }
    }
}

/// The form of a report that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportForm {
    /// For people
    Text,
    /// For programs
    Json,
    /// A graph in the language of Graphviz
    Dot,
    /// A picture
    Svg,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NotationName {
    /// (<= (next (on ?x ?y)) (does robot (s ?x ?y)))
    Prefix,
    /// next(on(X,Y)) :- does(robot, s(X,Y)).
    Infix,
}

impl From<NotationName> for Notation {
    fn from(name: NotationName) -> Self {
        match name {
            NotationName::Prefix => Notation::Prefix,
            NotationName::Infix => Notation::Infix,
        }
    }
}

/// How rules are written.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ReadingArguments {
    /// Notation of the rules [default: found out from the text]
    #[arg(long)]
    notation: Option<NotationName>,
    /// Keep CELL and cell apart
    #[arg(long)]
    case_sensitive: bool,
}

impl ReadingArguments {
    /// The notation of a text: that which is given, or what the text looks like.
    pub(super) fn notation(self, source: &Source) -> Notation {
        self.notation.map_or_else(|| detect(source), Into::into)
    }

    pub(super) fn case(self) -> Case {
        if self.case_sensitive {
            Case::Keep
        } else {
            Case::Fold
        }
    }
}

/// A game and how to read it.
#[derive(Debug, Args)]
pub(super) struct GameArguments {
    /// File with the rules; - is standard input
    pub(super) game: String,
    #[command(flatten)]
    pub(super) reading: ReadingArguments,
}

/// How much a command may use.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// Stop after so many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) max_seconds: Option<f64>,
    /// Stop when the program uses so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    pub(super) max_memory: usize,
    /// Stop one evaluation after so many steps
    #[arg(long, value_name = "N")]
    pub(super) max_steps: Option<u64>,
}
