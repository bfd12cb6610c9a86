//! Guesses in which notation of GDL a text is written.

use crate::syntax::span::Source;
use crate::syntax::tree::Notation;

/// How much of a text is looked at, in bytes.
const SAMPLE: usize = 64 * 1024;

/// The notation of GDL that a text looks like: [`Notation::Prefix`] or [`Notation::Infix`].
///
/// In prefix notation a parenthesis opens a list and so follows white space or a parenthesis, and
/// variables begin with `?`; in infix notation it follows a name, and there are commas and `:-`.
/// The signs are counted, so that a stray one does not matter; a text without any is prefix.
pub fn detect(source: &Source) -> Notation {
    let (mut prefix, mut infix) = (0_usize, 0_usize);
    // Cut between bytes and not between characters, since all signs are ASCII.
    let bytes = source.text().as_bytes();
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    for line in sample.split(|&byte| byte == b'\n' || byte == b'\r') {
        match line.trim_ascii_start().first() {
            // A line that is a comment shows its notation by its sign alone.
            Some(b';') => prefix += 1,
            Some(b'%') => infix += 1,
            _ => count_signs(line, &mut prefix, &mut infix),
        }
    }
    if infix > prefix {
        Notation::Infix
    } else {
        Notation::Prefix
    }
}

fn count_signs(line: &[u8], prefix: &mut usize, infix: &mut usize) {
    let mut previous = b' ';
    // The first byte of the word that `previous` belongs to: infix names begin with a letter.
    let mut initial = b' ';
    for &byte in line {
        match (previous, byte) {
            // What follows may be a comment in prefix notation and a disjunction in infix.
            (_, b';') => return,
            (b' ' | b'\t' | b'(' | b')', b'(') | (_, b'?') => *prefix += 1,
            // A parenthesis directly behind a name, as infix notation writes compounds.
            (_, b'(') if initial.is_ascii_alphabetic() => *infix += 1,
            (_, b',') => *infix += 1,
            // Rarer than parentheses, and surer.
            (b':', b'-') => *infix += 4,
            _ => {}
        }
        // The first character of a new word.
        if !(previous.is_ascii_alphanumeric() || previous == b'_') {
            initial = byte;
        }
        previous = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_decide() {
        for (text, notation) in [
            ("", Notation::Prefix),
            ("terminal", Notation::Prefix),
            ("0(12)3", Notation::Prefix),
            ("(role white)\n(p(q))", Notation::Prefix),
            ("; a, b, c\n(<= p (q ?x))", Notation::Prefix),
            ("role(white)", Notation::Infix),
            ("p :- (q & r)", Notation::Infix),
            ("% (a (b (c\np(X) :- q(X).", Notation::Infix),
        ] {
            assert_eq!(detect(&Source::new("test", text)), notation, "{text}");
        }
    }

    #[test]
    fn long_lines_are_looked_at_up_to_the_end_of_the_sample() {
        let infix = "p(X) :- q(X). ".repeat(SAMPLE / 10);
        assert_eq!(
            detect(&Source::new("test", infix.as_str())),
            Notation::Infix
        );
        let comment = format!("% {}\nrole(a).", "é".repeat(SAMPLE));
        assert_eq!(detect(&Source::new("test", comment)), Notation::Infix);
        let prefix = format!("{}\n{infix}", "(<= (p ?x) (q ?x)) ".repeat(SAMPLE / 10));
        assert_eq!(detect(&Source::new("test", prefix)), Notation::Prefix);
    }
}
