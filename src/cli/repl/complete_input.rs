//! Whether what was typed is a whole query, or goes on in the next line.

use crate::workbench::is_prefix;

/// How the end of a query is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Prolog: a query ends with a dot.
    Prolog,
    /// A game is loaded: a query ends with its line if nothing is open; it may be prefix.
    Game,
}

/// Whether nothing is missing at the end of a text.
pub(super) fn is_complete(text: &str, dialect: Dialect) -> bool {
    let text = text.trim();
    if text.is_empty() || is_command(text) {
        return true;
    }
    if dialect == Dialect::Game && is_prefix(text) {
        return prefix_is_closed(text);
    }
    let scan = scan(text);
    scan.is_closed
        && match dialect {
            Dialect::Prolog => scan.ends_with_dot,
            Dialect::Game => !scan.expects_more,
        }
}

/// Whether a line is a command and not a query; `:-` begins a directive.
pub(super) fn is_command(text: &str) -> bool {
    text.starts_with(':') && !text.starts_with(":-")
}

fn prefix_is_closed(text: &str) -> bool {
    let mut depth = 0_i64;
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or("");
        for character in code.chars() {
            depth += match character {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
        }
    }
    // A bracket too many is a fault, which the parser tells; no further line would mend it.
    depth <= 0
}

/// What the end of a text of Prolog looks like.
struct Scan {
    /// No bracket, quote or comment is open.
    is_closed: bool,
    ends_with_dot: bool,
    /// The last sign joins what comes.
    expects_more: bool,
}

fn scan(text: &str) -> Scan {
    let mut characters = text.chars().peekable();
    let mut depth = 0_i64;
    let (mut before, mut last) = (' ', ' ');
    let open = Scan {
        is_closed: false,
        ends_with_dot: false,
        expects_more: true,
    };
    // `last` is the last character that is not blank, `before` the one before it, blank between words: `0'c` is a character
    // where 0 begins a number, and `a0'` is a name with a quote behind it.
    while let Some(character) = characters.next() {
        match character {
            '%' => {
                characters.by_ref().find(|&c| c == '\n');
                continue;
            }
            '*' if last == '/' => {
                if !skip_comment(&mut characters) {
                    return open;
                }
                last = before;
                continue;
            }
            // The character of 0'c is no quote.
            '\'' if last == '0' && !before.is_alphanumeric() => {
                characters.next();
            }
            '\'' | '"' | '`' if !skip_quoted(&mut characters, character) => return open,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if !character.is_whitespace() {
            before = if character == '.' { ' ' } else { last };
            // Of `=..` and the like the dot is a part.
            let part_of_symbol = character == '.' && "+-*/\\^<>=~:.?@#&$".contains(last);
            last = if part_of_symbol { '~' } else { character };
        } else if characters.peek().is_some() {
            before = ' ';
        }
    }
    Scan {
        is_closed: depth <= 0,
        ends_with_dot: last == '.',
        expects_more: matches!(last, ',' | '&' | '|'),
    }
}

/// Goes on behind the end of a block comment, if there is one.
fn skip_comment(characters: &mut impl Iterator<Item = char>) -> bool {
    let mut star = false;
    characters.any(|character| {
        let ends = star && character == '/';
        star = character == '*';
        ends
    })
}

/// Goes on behind the closing quote, if there is one.
fn skip_quoted(characters: &mut impl Iterator<Item = char>, quote: char) -> bool {
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            _ if character == quote => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_end_where_they_end() {
        let prolog = |text| is_complete(text, Dialect::Prolog);
        let game = |text| is_complete(text, Dialect::Game);
        assert!(prolog("p(X).") && prolog("X = 'a.(b'.") && prolog("p. % (") && prolog(":load"));
        assert!(prolog("X = 0'(.") && prolog("/* ( */ p.") && prolog("p, % a\nq.") && prolog(""));
        assert!(!prolog("p(X)") && !prolog("p(") && !prolog("X = 'a.") && !prolog("p. /* b"));
        assert!(!prolog("X = 'it\\'s.") && !prolog(":- p"));
        assert!(game("p(X)") && game("terminal") && game("p.") && game("(p (q ?x))") && game("p)"));
        assert!(!game("p(X),") && !game("(p (q ?x)") && !game("(p ; )") && !game("p("));
    }
}
