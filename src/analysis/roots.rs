//! The atoms that an analysis starts from: goal values and the end.

use crate::analysis::concept::{ConceptSearch, Upper};
use crate::analysis::conditions::Worth;
use crate::analysis::instances::HeadVariables;
use crate::analysis::reading::Reading;
use crate::analysis::refusal::Refusal;
use crate::gdl::Keyword;
use crate::term::{Term, TermId};

/// The atoms that everything is about.
pub(super) struct Roots {
    pub(super) goal: TermId,
    pub(super) terminal: TermId,
}

impl Roots {
    pub(super) fn of(reading: &mut Reading<'_>) -> Self {
        let arguments = [reading.store.variable(0), reading.store.variable(1)];
        let goal = reading.keywords.symbol(Keyword::Goal);
        let terminal = reading.keywords.symbol(Keyword::Terminal);
        Self {
            goal: reading.store.compound(goal, &arguments),
            terminal: reading.store.atom(terminal),
        }
    }
}

/// Every goal value with its atom.
pub(super) fn worths(
    search: &mut ConceptSearch<'_, '_>,
    upper: &mut Upper,
    roles: &[TermId],
) -> Result<Vec<Worth>, Refusal> {
    let symbol = search.reading.keywords.symbol(Keyword::Goal);
    let functor = search.reading.keywords.functor(Keyword::Goal);
    let mut values: Vec<Worth> = Vec::new();
    let mut work = 0;
    for (role, &name) in roles.iter().enumerate() {
        let value = search.reading.store.variable(0);
        let open = search.reading.store.compound(symbol, &[name, value]);
        for rule in search.reading.definition(functor).to_vec() {
            let found = search
                // The value may be a variable that the body binds, `(goal ?r ?v)` with `(score ?r ?v)`: each is a value.
                .instantiation(HeadVariables::All, &mut work)
                .instances(rule, open)?;
            for instance in found {
                let arguments = search.reading.store.arguments(instance.head).to_vec();
                let Term::Integer(value) = search.reading.store.view(arguments[1]) else {
                    continue;
                };
                let atom = upper.expand(search, instance.head)?;
                // Several rules for one value are one atom, whose formula has all of them.
                if values.iter().all(|known| known.atom != atom) {
                    values.push(Worth { role, value, atom });
                }
            }
        }
    }
    Ok(values)
}
