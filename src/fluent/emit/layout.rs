//! Formulas on lines of bounded width: a formula is a list of pieces between which a line may
//! break, in front of a connective.

/// Columns of a line.
const WIDTH: usize = 92;

/// A formula in pieces; each but the first begins with a connective.
#[derive(Clone, Debug, Default)]
pub(super) struct Formula {
    pub(super) pieces: Vec<String>,
}

impl Formula {
    /// A formula of one piece.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![text.into()],
        }
    }

    /// Formulas with a connective between them.
    pub(super) fn join(parts: impl IntoIterator<Item = Formula>, connective: &str) -> Self {
        let mut pieces: Vec<String> = Vec::new();
        for part in parts {
            let first = pieces.is_empty();
            for (index, piece) in part.pieces.into_iter().enumerate() {
                if index == 0 && !first {
                    pieces.push(format!("{connective} {piece}"));
                } else {
                    pieces.push(piece);
                }
            }
        }
        Self { pieces }
    }

    /// The formula with text around it.
    pub(super) fn wrap(mut self, before: &str, after: &str) -> Self {
        if self.pieces.is_empty() {
            self.pieces.push(String::new());
        }
        self.pieces[0].insert_str(0, before);
        if let Some(last) = self.pieces.last_mut() {
            last.push_str(after);
        }
        self
    }

    /// On one line.
    pub(super) fn flat(&self) -> String {
        self.pieces.join(" ")
    }

    /// On lines that begin with `indent`, those behind the first with some more.
    pub(super) fn lines(&self, indent: &str) -> String {
        let mut text = String::new();
        let mut line = indent.to_owned();
        let mut is_empty = true;
        for piece in &self.pieces {
            let wide = line.chars().count() + piece.chars().count() + 1 > WIDTH;
            if wide && !is_empty {
                text.push_str(&line);
                text.push('\n');
                line = format!("{indent}    ");
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(piece);
            is_empty = false;
        }
        text.push_str(&line);
        text
    }
}
