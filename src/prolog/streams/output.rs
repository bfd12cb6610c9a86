//! Where `write/1` and its kin write to.
//!
//! The library never prints: the caller hands in an [`Output`], or reads what was written out of
//! the machine's own buffer. `with_output_to/2` and `format/3` redirect to a buffer for a while.

/// Takes the text that a program writes.
pub trait Output {
    /// Takes a piece of text, not necessarily a whole line.
    fn write(&mut self, text: &str);

    /// Takes what goes to `user_error`; by default it is output like all other.
    fn write_error(&mut self, text: &str) {
        self.write(text);
    }
}

impl Output for String {
    fn write(&mut self, text: &str) {
        self.push_str(text);
    }
}

/// The output of a machine: the caller's, or a buffer.
#[derive(Default)]
pub(crate) struct Sink {
    target: Option<Box<dyn Output>>,
    buffer: String,
    /// Buffers of redirections, innermost last, with the columns outside them.
    redirected: Vec<(String, usize)>,
    /// Characters since the last end of line.
    column: usize,
}

impl Sink {
    pub(crate) fn set(&mut self, target: Box<dyn Output>) {
        self.target = Some(target);
    }

    pub(crate) fn write(&mut self, text: &str) {
        match text.rfind('\n') {
            Some(end) => self.column = text[end + 1..].chars().count(),
            None => self.column += text.chars().count(),
        }
        if let Some((buffer, _)) = self.redirected.last_mut() {
            buffer.push_str(text);
        } else if let Some(target) = &mut self.target {
            target.write(text);
        } else {
            self.buffer.push_str(text);
        }
    }

    /// Writes past all redirections.
    pub(crate) fn write_error(&mut self, text: &str) {
        match &mut self.target {
            Some(target) => target.write_error(text),
            None => self.buffer.push_str(text),
        }
    }

    /// What was written since the last call, if the caller gave no output of its own.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.buffer)
    }

    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// Starts to collect what is written.
    pub(crate) fn redirect(&mut self) {
        self.redirected.push((String::new(), self.column));
        self.column = 0;
    }

    /// Number of redirections in force.
    pub(crate) fn depth(&self) -> usize {
        self.redirected.len()
    }

    /// Ends redirections down to a depth; gives what the last ended one collected.
    pub(crate) fn restore(&mut self, depth: usize) -> String {
        let mut text = String::new();
        while self.redirected.len() > depth {
            if let Some((collected, column)) = self.redirected.pop() {
                text = collected;
                self.column = column;
            }
        }
        text
    }
}
