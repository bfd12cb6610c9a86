//! Signs of other languages in a text in prefix notation, where they are names like any others: `terminal :- eaten.`
//! is three facts, of which one says that the game is over.

use crate::gdl::codes;
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet};

/// Names that are signs in other languages, and what stands for them here.
const SIGNS: [(&str, &str); 12] = [
    (":-", "a rule is `(<= head condition …)`"),
    ("=>", "a rule is `(<= head condition …)`, the head first"),
    ("->", "a rule is `(<= head condition …)`, the head first"),
    ("<-", "a rule is `(<= head condition …)`"),
    ("&", "conditions stand one after the other"),
    ("&&", "conditions stand one after the other"),
    ("|", "write `(or p q)`"),
    ("||", "write `(or p q)`"),
    ("~", "write `(not p)`"),
    ("!", "write `(not p)`"),
    ("!=", "write `(distinct a b)`"),
    ("\\=", "write `(distinct a b)`"),
];

/// Reports signs of other languages, and an end that is a fact.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    for clause in sheet.clauses {
        let roots = [sheet.head(clause)].into_iter().chain(sheet.body(clause));
        for place in roots.flat_map(|root| sheet.subterms(root)) {
            sign(sheet, place, found);
        }
        let is_end = sheet.defined_keyword(clause) == Some(Keyword::Terminal);
        if is_end && clause.body.is_empty() {
            found.push(
                codes::END_IS_FACT
                    .at(clause.origin.span, "the game is over before it begins")
                    .with_label("a fact: true in every state")
                    .with_help("say when it ends: `(<= terminal condition …)`"),
            );
        }
    }
}

fn sign(sheet: &Sheet<'_>, place: Place, found: &mut Findings) {
    let Some(functor) = sheet.store.functor(place.term) else {
        return;
    };
    let name = sheet.name(functor);
    let known = SIGNS.iter().find(|(sign, _)| *sign == name);
    let help = match known {
        Some((_, help)) => *help,
        None if name.starts_with("//") || name.starts_with('#') || name.starts_with("/*") => {
            "a comment starts with `;`"
        }
        None if name.starts_with(['“', '”', '‘', '’', '"', '«', '»']) => {
            "names have no quotation marks"
        }
        None if name.len() > 1 && name.ends_with(['.', ',', ':']) => {
            "sentences and conditions end with their parenthesis"
        }
        None => return,
    };
    found.push(
        codes::FOREIGN_SIGN
            .at(sheet.name_span(place), format!("`{name}` is a name here"))
            .with_label("read like any other name")
            .with_help(help),
    );
}
