//! Domains by name: which terms can stand at which argument.

use std::collections::BTreeMap;

use crate::gdl::{self, Domain, Keyword, Keywords, Position, Size, TermForm};
use crate::serve::lsp::sheet::Owner;
use crate::serve::lsp::sheet::knowledge::Signature;
use crate::serve::lsp::sheet::knowledge::text::text;
use crate::syntax::Notation;
use crate::term::{Clause, Functor, Store};

/// Values of one place that are kept as texts.
const MAX_KEPT: usize = 1000;

/// The terms that can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The constants and then the functions, each in order of first occurrence; at most a thousand.
    pub signatures: Vec<Signature>,
    /// An upper bound of their number.
    pub size: Size,
}

impl Values {
    /// The constants as they are written, and functions as `name/arity`.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.signatures.iter().map(|(name, arity)| match arity {
            0 => name.clone(),
            arity => format!("{name}/{arity}"),
        })
    }
}

/// The domains of all places.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    /// By owner and name, and then by number of arguments, the values of each argument.
    places: BTreeMap<(Owner, String), BTreeMap<u32, Vec<Values>>>,
    /// What fluents and moves there are.
    fluents: Vec<Signature>,
    moves: Vec<Signature>,
}

impl Domains {
    /// The values of an argument, from 0.
    pub fn at(&self, owner: Owner, name: &str, arity: u32, index: u32) -> Option<&Values> {
        let arities = self.places.get(&(owner, name.to_owned()))?;
        arities.get(&arity)?.get(index as usize)
    }

    /// The same where the number of arguments is not known yet: that of the least number that has the argument.
    pub fn at_any_arity(&self, owner: Owner, name: &str, index: u32) -> Option<&Values> {
        let arities = self.places.get(&(owner, name.to_owned()))?;
        let mut arguments = arities.values();
        arguments.find_map(|values| values.get(index as usize))
    }

    /// The values of all arguments.
    pub fn arguments(&self, owner: Owner, name: &str, arity: u32) -> &[Values] {
        let arities = self.places.get(&(owner, name.to_owned()));
        arities
            .and_then(|arities| arities.get(&arity))
            .map_or(&[], Vec::as_slice)
    }

    /// How many instances there can be: the product of the values of the arguments.
    pub fn instances(&self, owner: Owner, name: &str, arity: u32) -> Option<u128> {
        let arguments = self.arguments(owner, name, arity);
        if arguments.len() != arity as usize {
            return None;
        }
        arguments
            .iter()
            .try_fold(1_u128, |product, values| match values.size {
                Size::Finite(size) => product.checked_mul(size),
                Size::Unbounded => None,
            })
    }

    /// The functions and constants that are fluents.
    pub fn fluents(&self) -> &[Signature] {
        &self.fluents
    }

    /// The functions and constants that are moves.
    pub fn moves(&self) -> &[Signature] {
        &self.moves
    }
}

/// Computes the domains of rules that can be played.
pub(super) fn collect(
    store: &Store,
    keywords: &Keywords,
    clauses: &[Clause],
    notation: Notation,
) -> Domains {
    let domains = gdl::Domains::of(store, keywords, clauses);
    let mut collector = ValueCollector {
        store,
        notation,
        found: Domains::default(),
    };
    for (position, domain) in domains.positions() {
        match position {
            Position::Argument(functor, index) => {
                collector.argument(keywords, functor, index, domain);
            }
            Position::Fluents => {
                collector.found.fluents = collector.signatures(domain);
                collector.forms(Owner::Fluent, domain);
            }
            Position::Moves => {
                collector.found.moves = collector.signatures(domain);
                collector.forms(Owner::Move, domain);
            }
        }
        if let Position::Argument(..) = position {
            collector.forms(Owner::Term, domain);
        }
    }
    collector.found
}

struct ValueCollector<'s> {
    store: &'s Store,
    notation: Notation,
    found: Domains,
}

impl ValueCollector<'_> {
    fn argument(&mut self, keywords: &Keywords, functor: Functor, index: u32, domain: Domain<'_>) {
        let values = self.values(domain);
        let name = self.store.name(functor.symbol).to_owned();
        // The roles of `legal` are those of `does` and `input`, too.
        if keywords.is(functor, Keyword::Legal) && index == 0 {
            for also in [Keyword::Does, Keyword::Input] {
                let key = (Owner::Atom, also.name().to_owned());
                let of_also = self.found.places.entry(key).or_default();
                of_also.entry(2).or_insert_with(|| vec![values.clone()]);
            }
        }
        let key = (Owner::Atom, name);
        let arities = self.found.places.entry(key).or_default();
        let arguments = arities.entry(functor.arity).or_default();
        // Positions come in the order of their arguments; one that comes again says nothing new.
        if arguments.len() == index as usize {
            arguments.push(values);
        }
    }

    /// The arguments of the functions of a domain, and of those in these.
    fn forms(&mut self, owner: Owner, domain: Domain<'_>) {
        let mut open: Vec<(Owner, TermForm<'_>)> =
            domain.forms().map(|form| (owner, form)).collect();
        while let Some((owner, form)) = open.pop() {
            let functor = form.functor();
            let key = (owner, self.store.name(functor.symbol).to_owned());
            let arities = self.found.places.entry(key).or_default();
            // Domains may contain themselves: each function is entered before its arguments are looked at.
            if arities.contains_key(&functor.arity) {
                continue;
            }
            arities.insert(functor.arity, Vec::new());
            let mut arguments = Vec::new();
            for argument in form.arguments() {
                arguments.push(self.values(argument));
                open.extend(argument.forms().map(|form| (Owner::Term, form)));
            }
            let key = (owner, self.store.name(functor.symbol).to_owned());
            let arities = self.found.places.entry(key).or_default();
            arities.insert(functor.arity, arguments);
        }
    }

    fn values(&self, domain: Domain<'_>) -> Values {
        Values {
            signatures: self.signatures(domain),
            size: domain.size(),
        }
    }

    /// The constants and then the functions of a domain.
    fn signatures(&self, domain: Domain<'_>) -> Vec<Signature> {
        let constants = domain.constants();
        let constants = constants.map(|one| (text(self.store, one, self.notation), 0));
        let forms = domain.forms().map(|form| {
            let functor = form.functor();
            (self.store.name(functor.symbol).to_owned(), functor.arity)
        });
        constants.chain(forms).take(MAX_KEPT).collect()
    }
}
