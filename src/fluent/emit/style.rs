//! The signs of the two styles in which formulas are written.

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookStyle {
    /// Plain text with the signs of logic.
    Unicode,
    /// A document for LaTeX with the package amsmath.
    Latex,
}

/// The signs of a style.
pub(super) struct Signs {
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) not: &'static str,
    pub(super) exists: &'static str,
    pub(super) implies: &'static str,
    pub(super) equivalent: &'static str,
    pub(super) differs: &'static str,
    pub(super) compose: &'static str,
    pub(super) minus: &'static str,
    pub(super) for_all: &'static str,
}

impl BookStyle {
    pub(super) fn signs(self) -> Signs {
        match self {
            BookStyle::Unicode => Signs {
                and: "∧",
                or: "∨",
                not: "¬",
                exists: "∃",
                implies: "⊃",
                equivalent: "≡",
                differs: "≠",
                compose: "∘",
                minus: "−",
                for_all: "∀",
            },
            BookStyle::Latex => Signs {
                and: "\\land",
                or: "\\lor",
                not: "\\lnot ",
                exists: "\\exists ",
                implies: "\\supset",
                equivalent: "\\equiv",
                differs: "\\neq",
                compose: "\\circ",
                minus: "-",
                for_all: "\\forall ",
            },
        }
    }

    /// A symbol of the game, with a capital in front.
    pub(in crate::fluent::emit) fn symbol(self, name: &str) -> String {
        let mut letters = name.chars();
        let capital: String = match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => String::new(),
        };
        match self {
            BookStyle::Unicode => capital,
            BookStyle::Latex if capital.chars().all(|c| c.is_ascii_digit()) => capital,
            BookStyle::Latex => format!("\\mathit{{{}}}", escape(&capital)),
        }
    }

    pub(in crate::fluent::emit) fn variable(self, name: &str) -> String {
        match self {
            BookStyle::Unicode => name.to_owned(),
            BookStyle::Latex if name.len() > 1 => format!("{}_{{{}}}", &name[..1], &name[1..]),
            BookStyle::Latex => name.to_owned(),
        }
    }

    /// A word of the calculus.
    pub(super) fn word(self, word: &str) -> String {
        match self {
            BookStyle::Unicode => word.to_owned(),
            BookStyle::Latex => format!("\\mathit{{{word}}}"),
        }
    }
}

/// Text in which nothing means something to LaTeX.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '_' | '&' | '%' | '$' | '#' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\\' => escaped.push_str("\\backslash{}"),
            '^' => escaped.push_str("\\hat{}"),
            '~' => escaped.push_str("\\sim{}"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
