//! The relations that every game defines.

use crate::gdl::codes;
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Sheet, enumeration};

/// The relations without which there is no game.
const NEEDED: [Keyword; 4] = [
    Keyword::Role,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Reports what is missing, in one message: a text that is no game at all lacks everything.
pub(super) fn check(sheet: &Sheet<'_>, all_sound: bool, found: &mut Findings) {
    let defines = |keyword: Keyword| {
        let symbol = sheet.keywords.symbol(keyword);
        let mut heads = sheet
            .clauses
            .iter()
            .map(|clause| sheet.store.functor(clause.head));
        heads.any(|head| head.is_some_and(|functor| functor.symbol == symbol))
    };
    let missing: Vec<Keyword> = NEEDED.into_iter().filter(|&word| !defines(word)).collect();
    let place = sheet.first_sentence();
    // A clause without sense may well be the one that is missing; one message is enough.
    if let (Some(first), true) = (missing.first(), all_sound) {
        let names: Vec<&str> = missing.iter().map(|keyword| keyword.name()).collect();
        let message = if missing.len() == NEEDED.len() {
            format!("not a game: nothing defines {}", enumeration(&names, "or"))
        } else {
            format!("nothing defines {}", enumeration(&names, "or"))
        };
        found.push(
            codes::MISSING_RELATION
                .at(place, message)
                .with_label(if sheet.clauses.is_empty() {
                    "there are no rules"
                } else {
                    "the rules begin here"
                })
                .with_help(if missing.len() == NEEDED.len() {
                    "a game has facts or rules for each of these; is this the right text?"
                } else {
                    advice(*first)
                }),
        );
    }
    if !defines(Keyword::Next) && missing.is_empty() {
        let message = "nothing defines `next`: after the first move no fluent holds";
        found.push(
            codes::NO_NEXT
                .at(place, message)
                .with_label("the rules begin here")
                .with_help("state what each move leads to: `(<= (next ?fluent) ...)`"),
        );
    }
}

fn advice(missing: Keyword) -> &'static str {
    if missing == Keyword::Role {
        "name every player in a fact: `(role white)`"
    } else if missing == Keyword::Legal {
        "say what each role may do: `(<= (legal ?role ?move) ...)`"
    } else if missing == Keyword::Goal {
        "say what each role gets in the end: `(<= (goal ?role 100) ...)`"
    } else {
        "say when the game is over: `(<= terminal ...)`"
    }
}
