//! Domains as text: one line a position, sorted by nothing but the order of the rules.

use std::fmt;

use crate::gdl::domains::domain::{Domain, Domains, FormId, Size, TermForm, Value};
use crate::gdl::domains::position::Position;
use crate::term::{Functor, Prefix, Store, TermId};

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Finite(u128::MAX) => f.write_str("too many to count"),
            Size::Finite(size) => write!(f, "{size}"),
            Size::Unbounded => f.write_str("unbounded"),
        }
    }
}

impl Domains {
    /// All domains, as a person reads them: relations, fluents and moves, then the functions inside
    /// of these.
    ///
    /// ```text
    /// succ/2
    ///   1: 1 2
    ///   2: 2 3
    /// fluents (3)
    ///   step/1 (3)
    ///     1: 1 2 3
    /// ```
    pub fn display<'d>(&'d self, store: &'d Store) -> impl fmt::Display + 'd {
        Listing {
            domains: self,
            store,
        }
    }
}

struct Listing<'d> {
    domains: &'d Domains,
    store: &'d Store,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut relation = None;
        for (position, domain) in self.domains.positions() {
            if let Position::Argument(functor, index) = position {
                if relation != Some(functor) {
                    writeln!(f, "{}", self.name(functor))?;
                    relation = Some(functor);
                }
                writeln!(f, "  {}: {}", index + 1, self.values(domain))?;
            }
        }
        self.root(f, "fluents", self.domains.fluents())?;
        self.root(f, "moves", self.domains.moves())?;
        self.inner_forms(f)
    }
}

impl Listing<'_> {
    fn root(&self, f: &mut fmt::Formatter<'_>, name: &str, domain: Domain<'_>) -> fmt::Result {
        writeln!(f, "{name} ({})", domain.size())?;
        for constant in domain.constants() {
            writeln!(f, "  {}", self.constant(constant))?;
        }
        domain.forms().try_for_each(|form| self.form(f, form))
    }

    /// The forms that stand inside of others or in relations only.
    fn inner_forms(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (fluents, moves) = (self.domains.fluents(), self.domains.moves());
        let outer: Vec<FormId> = fluents
            .forms()
            .chain(moves.forms())
            .map(|form| form.id)
            .collect();
        let all = (0..self.domains.forms.len()).map(|index| FormId(index as u32));
        let inner: Vec<FormId> = all.filter(|id| !outer.contains(id)).collect();
        if inner.is_empty() {
            return Ok(());
        }
        writeln!(f, "functions")?;
        let domains = self.domains;
        inner
            .into_iter()
            .try_for_each(|id| self.form(f, TermForm { domains, id }))
    }

    fn form(&self, f: &mut fmt::Formatter<'_>, form: TermForm<'_>) -> fmt::Result {
        writeln!(f, "  {} ({})", self.label(form), form.size())?;
        for (index, argument) in form.arguments().enumerate() {
            writeln!(f, "    {}: {}", index + 1, self.values(argument))?;
        }
        Ok(())
    }

    fn values(&self, domain: Domain<'_>) -> String {
        let values = domain.values().map(|value| match value {
            Value::Constant(term) => self.constant(term),
            Value::Form(form) => format!("({})", self.label(form)),
        });
        let values: Vec<String> = values.collect();
        if values.is_empty() {
            "nothing".to_owned()
        } else {
            values.join(" ")
        }
    }

    /// The function of a form, with its level of nesting where there are several.
    fn label(&self, form: TermForm<'_>) -> String {
        let name = self.name(form.functor());
        match form.key().nesting {
            0 => name,
            nesting => format!("{name}'{nesting}"),
        }
    }

    fn name(&self, functor: Functor) -> String {
        format!("{}/{}", self.store.name(functor.symbol), functor.arity)
    }

    fn constant(&self, term: TermId) -> String {
        Prefix::new(self.store, term).to_string()
    }
}
