//! A game as an answer set program.
//!
//! ```text
//! {true(F)} :- init(F).     {true(F)} :- next(F).     {does(R,M)} :- legal(R,M).
//! ```
//!
//! and the rules as they are, with `or` written as several rules.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use flux::gdl::RuleSheet;
use flux::syntax::{Source, detect};
use flux::term::{Case, Clause, Functor, Literal, Store, Term, TermId};

const CHOICES: &str = "\
{s_true(F)} :- s_init(F).
{s_true(F)} :- s_next(F).
{s_does(R,M)} :- s_legal(R,M).
";

/// The program of a game in a file.
pub(crate) fn of(game: &Path) -> Result<String, Box<dyn Error>> {
    let source = Source::new("game", std::fs::read_to_string(game)?);
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    if sheet.has_errors() {
        return Err("the rules have errors".into());
    }
    let mut text = CHOICES.to_owned();
    for clause in &sheet.clauses {
        for body in bodies(&store, clause) {
            let head = term(&store, clause.head);
            match body.is_empty() {
                true => writeln!(text, "{head}.")?,
                false => writeln!(text, "{head} :- {}.", body.join(", "))?,
            }
        }
    }
    Ok(text)
}

/// A way to satisfy a rule: what is still to be written, with its sign, and what is written.
struct Way {
    open: Vec<(TermId, bool)>,
    written: Vec<String>,
}

/// The bodies of the rules that a rule without `or` and `and` becomes.
fn bodies(store: &Store, clause: &Clause) -> Vec<Vec<String>> {
    let open = clause.body.iter().rev().map(|&condition| (condition, true));
    let mut ways = vec![Way {
        open: open.collect(),
        written: Vec::new(),
    }];
    let mut bodies = Vec::new();
    while let Some(mut way) = ways.pop() {
        let Some((condition, sign)) = way.open.pop() else {
            bodies.push(way.written);
            continue;
        };
        match Literal::of(store, condition) {
            Literal::Not(inner) => way.open.push((inner, !sign)),
            Literal::Or(parts) | Literal::And(parts)
                if matches!(Literal::of(store, condition), Literal::And(_)) == sign =>
            {
                way.open
                    .extend(parts.iter().rev().map(|&part| (part, sign)));
            }
            Literal::Or(parts) | Literal::And(parts) => {
                let alternatives = parts.iter().map(|&part| {
                    let mut open = way.open.clone();
                    open.push((part, sign));
                    Way {
                        open,
                        written: way.written.clone(),
                    }
                });
                ways.extend(alternatives);
                continue;
            }
            Literal::Distinct(one, other) => {
                let (one, other) = (term(store, one), term(store, other));
                let relation = if sign { "!=" } else { "=" };
                way.written.push(format!("{one} {relation} {other}"));
            }
            Literal::Call(atom) => {
                let not = if sign { "" } else { "not " };
                way.written.push(format!("{not}{}", term(store, atom)));
            }
        }
        ways.push(way);
    }
    bodies
}

/// A piece of a term on its way to text.
enum Piece {
    Term(TermId),
    Text(&'static str),
}

fn term(store: &Store, root: TermId) -> String {
    let mut text = String::new();
    let mut pieces = vec![Piece::Term(root)];
    while let Some(piece) = pieces.pop() {
        let id = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Term(id) => id,
        };
        match store.view(id) {
            Term::Variable(number) => text.push_str(&format!("V{number}")),
            Term::Integer(value) => text.push_str(&value.to_string()),
            Term::Atom(_) | Term::Float(_) | Term::Big(_) | Term::Text(_) | Term::Compound(..) => {
                if let Some(Functor { symbol, .. }) = store.functor(id) {
                    text.push_str(&name(store.name(symbol)));
                }
                if let [first, rest @ ..] = store.arguments(id) {
                    pieces.push(Piece::Text(")"));
                    for &argument in rest.iter().rev() {
                        pieces.extend([Piece::Term(argument), Piece::Text(",")]);
                    }
                    pieces.extend([Piece::Term(*first), Piece::Text("(")]);
                }
            }
        }
    }
    text
}

/// A name that gringo takes for one.
fn name(name: &str) -> String {
    let mut text = "s_".to_owned();
    for letter in name.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => text.push(letter),
            _ => text.push_str(&format!("_u{}_", u32::from(letter))),
        }
    }
    text
}
