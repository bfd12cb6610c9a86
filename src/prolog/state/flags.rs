//! The flags of `set_prolog_flag/2` that mean something here.

/// What a text in double quotes, or back quotes, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    Codes,
    Chars,
    Atom,
    String,
}

impl Quotes {
    const NAMES: [(Self, &'static str); 4] = [
        (Self::Codes, "codes"),
        (Self::Chars, "chars"),
        (Self::Atom, "atom"),
        (Self::String, "string"),
    ];

    /// The value of this name of the flag `double_quotes`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.into_iter().find(|&(_, known)| known == name);
        found.map(|(quotes, _)| quotes)
    }

    pub(crate) fn name(self) -> &'static str {
        let found = Self::NAMES.into_iter().find(|&(quotes, _)| quotes == self);
        found.map_or("", |(_, name)| name)
    }
}

/// What a call of a predicate does that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    Error,
    /// It fails, and says so.
    Warning,
    Fail,
}

impl Unknown {
    const NAMES: [(Self, &'static str); 3] = [
        (Self::Error, "error"),
        (Self::Warning, "warning"),
        (Self::Fail, "fail"),
    ];

    /// The value of this name of the flag `unknown`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.into_iter().find(|&(_, known)| known == name);
        found.map(|(unknown, _)| unknown)
    }

    pub(crate) fn name(self) -> &'static str {
        let found = Self::NAMES
            .into_iter()
            .find(|&(unknown, _)| unknown == self);
        found.map_or("", |(_, name)| name)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Flags {
    pub(crate) unknown: Unknown,
    pub(crate) double_quotes: Quotes,
    pub(crate) occurs_check: bool,
    /// Text is read as the standard has it, and nothing beyond.
    pub(crate) iso: bool,
    /// What the user gave the program: the flag `argv`, the name of the system first.
    pub(crate) arguments: Vec<String>,
    /// When the program last asked how long it runs, in milliseconds.
    pub(crate) asked_at: i64,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            unknown: Unknown::Error,
            double_quotes: Quotes::String,
            occurs_check: false,
            iso: false,
            arguments: Vec::new(),
            asked_at: 0,
        }
    }
}
