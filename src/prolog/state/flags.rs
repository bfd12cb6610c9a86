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

#[derive(Clone, Debug)]
pub(crate) struct Flags {
    /// Calling a predicate without clauses is an error (else it fails).
    pub(crate) unknown_is_error: bool,
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
            unknown_is_error: true,
            double_quotes: Quotes::String,
            occurs_check: false,
            iso: false,
            arguments: Vec::new(),
            asked_at: 0,
        }
    }
}
