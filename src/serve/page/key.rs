//! The key that requests have to show, so that other programs and pages cannot ask anything.

use std::fmt::Write;
use std::io;

/// Bytes of a key: too many to be guessed.
const LENGTH: usize = 16;

/// A random text.
#[derive(Clone)]
pub(super) struct Key(String);

impl Key {
    /// A new one.
    pub(super) fn random() -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut text = String::new();
        for byte in bytes {
            // Writing to a text cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the key. Takes as long wherever they differ, so that time tells nothing.
    pub(super) fn is(&self, text: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differences = own.iter().zip(text).fold(0, |seen, (a, b)| seen | (a ^ b));
        // `zip` ends with the shorter of both, so that the beginning of a key has no differences.
        own.len() == text.len() && differences == 0
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_key_is_the_key() -> io::Result<()> {
        let key = Key::random()?;
        let text = key.text().to_owned();
        assert_eq!(text.len(), 2 * LENGTH);
        assert!(key.is(text.as_bytes()));
        assert!(!key.is(&text.as_bytes()[1..]));
        assert!(!key.is(format!("{text}0").as_bytes()));
        assert!(!key.is(b""));
        assert!(!key.is(Key::random()?.text().as_bytes()));
        Ok(())
    }
}
