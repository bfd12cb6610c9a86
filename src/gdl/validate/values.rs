//! Goal values that are plainly no goal values.

use crate::gdl::codes;
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::Sheet;
use crate::term::Term;

/// The goal values that there are.
const VALUES: std::ops::RangeInclusive<i64> = 0..=100;

/// Reports the values of goals that the text gives and that are not whole numbers from 0 to 100.
/// What a variable may stand for is seen in play.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    for clause in sheet.clauses {
        if sheet.defined_keyword(clause) != Some(Keyword::Goal) {
            continue;
        }
        let Some(value) = sheet.arguments(sheet.head(clause)).nth(1) else {
            continue;
        };
        let fault = match sheet.store.view(value.term) {
            Term::Variable(_) => continue,
            Term::Integer(number) if VALUES.contains(&number) => continue,
            Term::Integer(_) => "is not from 0 to 100",
            Term::Atom(_) | Term::Float(_) | Term::Big(_) | Term::Text(_) | Term::Compound(..) => {
                "is not a whole number"
            }
        };
        let message = format!("goal value `{}` {fault}", sheet.quote(value));
        found.push(
            codes::GOAL_VALUE
                .at(sheet.span(value), message)
                .with_label("where this holds, the goal is not known")
                .with_help("use a number from 0 (worst) to 100 (best)"),
        );
    }
}
