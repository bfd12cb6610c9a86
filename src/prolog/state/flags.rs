//! The flags of `set_prolog_flag/2` that mean something here.

/// The value of a flag that has this name.
fn value_named<T: Copy>(names: &[(T, &'static str)], name: &str) -> Option<T> {
    let found = names.iter().find(|(_, known)| *known == name);
    found.map(|&(value, _)| value)
}

/// The name of a value of a flag.
fn name_of<T: PartialEq>(names: &[(T, &'static str)], value: T) -> &'static str {
    let found = names.iter().find(|(known, _)| *known == value);
    found.map_or("", |&(_, name)| name)
}

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
        value_named(&Self::NAMES, name)
    }

    pub(crate) fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
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
        value_named(&Self::NAMES, name)
    }

    pub(crate) fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
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
