//! Domains as values: sets of constants and forms, their sizes, and what is in them.

use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::gdl::domains::position::Position;
use crate::term::{Functor, Store, TermId};

/// Applications of one function that are kept apart by their nesting; deeper ones share a form,
/// which then contains itself and counts as unbounded.
pub(super) const MAX_NESTING: u32 = 64;

/// How many terms a domain has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// At most so many; `u128::MAX` stands for that many or more.
    Finite(u128),
    /// No bound was found.
    Unbounded,
}

/// Index of a set of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SetId(pub(super) u32);

/// Index of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FormId(pub(super) u32);

/// What a function application was written as; forms of different sorts are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sort {
    Fluent,
    Move,
    Other,
}

/// What identifies a form: its function, where it was written, and how many applications of the
/// same function were written around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FormKey {
    pub(super) functor: Functor,
    pub(super) sort: Sort,
    pub(super) nesting: u32,
}

/// A value of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Element {
    Constant(TermId),
    Form(FormId),
}

/// The domains of all positions of a game.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    /// All values there are, in order of first occurrence; sets hold their indices.
    pub(super) elements: IndexSet<Element, FxBuildHasher>,
    /// Forms with the sets of their arguments, by [`FormId`].
    pub(super) forms: IndexMap<FormKey, Vec<SetId>, FxBuildHasher>,
    pub(super) positions: IndexMap<Position, SetId, FxBuildHasher>,
    /// By [`SetId`].
    pub(super) sets: Vec<FixedBitSet>,
    /// By [`FormId`].
    pub(super) sizes: Vec<Size>,
}

impl Domains {
    /// What fluents there are.
    pub fn fluents(&self) -> Domain<'_> {
        self.domain(self.positions.get(&Position::Fluents).copied())
    }

    /// What moves there are, of all roles together.
    pub fn moves(&self) -> Domain<'_> {
        self.domain(self.positions.get(&Position::Moves).copied())
    }

    /// What can stand at a position; nothing if the rules do not have it.
    pub fn at(&self, position: Position) -> Domain<'_> {
        self.domain(self.positions.get(&position).copied())
    }

    /// All positions of the rules, in order of first occurrence.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Domain<'_>)> {
        let positions = self.positions.iter();
        positions.map(|(&position, &set)| (position, self.domain(Some(set))))
    }

    fn domain(&self, set: Option<SetId>) -> Domain<'_> {
        Domain { domains: self, set }
    }

    pub(super) fn set(&self, id: SetId) -> &FixedBitSet {
        &self.sets[id.0 as usize]
    }

    /// The sizes of all forms, those first that contain no others.
    pub(super) fn form_sizes(&self) -> Vec<Size> {
        let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
        let nodes: Vec<_> = self.forms.iter().map(|_| graph.add_node(())).collect();
        for (index, arguments) in self.forms.values().enumerate() {
            for part in arguments.iter().flat_map(|&set| self.forms_in(set)) {
                graph.update_edge(nodes[index], nodes[part.0 as usize], ());
            }
        }
        let mut sizes = vec![Size::Unbounded; self.forms.len()];
        // Components come with what they contain in front; one with a cycle stays unbounded.
        // Kosaraju gives components in reverse topological order.
        for component in petgraph::algo::kosaraju_scc(&graph) {
            if let [form] = component.as_slice()
                && graph.find_edge(*form, *form).is_none()
            {
                let arguments = &self.forms[form.index()];
                let factors = arguments.iter().map(|&set| self.set_size(set, &sizes));
                sizes[form.index()] = factors.fold(Size::Finite(1), product);
            }
        }
        sizes
    }

    fn forms_in(&self, set: SetId) -> impl Iterator<Item = FormId> {
        let elements = self.set(set).ones().map(|index| self.elements[index]);
        elements.filter_map(|element| match element {
            Element::Form(form) => Some(form),
            Element::Constant(_) => None,
        })
    }

    fn set_size(&self, set: SetId, sizes: &[Size]) -> Size {
        let elements = self.set(set).ones().map(|index| self.elements[index]);
        let summands = elements.map(|element| match element {
            Element::Constant(_) => Size::Finite(1),
            Element::Form(form) => sizes[form.0 as usize],
        });
        // Forms of one set may describe a term twice: an upper bound.
        summands.fold(Size::Finite(0), |sum, size| match (sum, size) {
            (Size::Finite(sum), Size::Finite(size)) => Size::Finite(sum.saturating_add(size)),
            _ => Size::Unbounded,
        })
    }

    /// The sets that the arguments of a term must match if the term, which is no variable, is to
    /// match one of the sets; none if it matches none.
    pub(super) fn match_one(
        &self,
        store: &Store,
        sets: &[SetId],
        term: TermId,
    ) -> Option<Vec<(Vec<SetId>, TermId)>> {
        let has = |element| {
            let index = self.elements.get_index_of(&element);
            index.is_some_and(|index| sets.iter().any(|&set| self.set(set).contains(index)))
        };
        let arguments = store.arguments(term);
        if arguments.is_empty() {
            return has(Element::Constant(term)).then(Vec::new);
        }
        let functor = store.functor(term)?;
        let mut parts: Vec<(Vec<SetId>, TermId)> = arguments
            .iter()
            .map(|&argument| (Vec::new(), argument))
            .collect();
        // Nesting levels exist from 0 up to the deepest that was written.
        for sort in [Sort::Fluent, Sort::Move, Sort::Other] {
            for nesting in 0..=MAX_NESTING {
                let key = FormKey {
                    functor,
                    sort,
                    nesting,
                };
                // A form exists only if the one that is nested less does.
                let Some(form) = self.forms.get_index_of(&key) else {
                    break;
                };
                if has(Element::Form(FormId(form as u32))) {
                    for (part, &set) in parts.iter_mut().zip(&self.forms[form]) {
                        part.0.push(set);
                    }
                }
            }
        }
        let fits = parts.first().is_some_and(|(sets, _)| !sets.is_empty());
        fits.then_some(parts)
    }
}

fn product(left: Size, right: Size) -> Size {
    match (left, right) {
        // Without a value for one argument there is no such term at all.
        (Size::Finite(0), _) | (_, Size::Finite(0)) => Size::Finite(0),
        (Size::Finite(left), Size::Finite(right)) => Size::Finite(left.saturating_mul(right)),
        _ => Size::Unbounded,
    }
}

/// A set of terms: constants, and forms with a domain for each argument.
#[derive(Clone, Copy, Debug)]
pub struct Domain<'d> {
    domains: &'d Domains,
    /// None is the empty domain.
    set: Option<SetId>,
}

/// A member of a [`Domain`].
#[derive(Clone, Copy, Debug)]
pub enum Value<'d> {
    /// A symbol or number.
    Constant(TermId),
    /// All terms of a form.
    Form(TermForm<'d>),
}

/// A function with a domain for each argument: all terms that can be put together from these.
#[derive(Clone, Copy, Debug)]
pub struct TermForm<'d> {
    pub(super) domains: &'d Domains,
    pub(super) id: FormId,
}

impl<'d> Domain<'d> {
    /// The members, in order of first occurrence in the text. Two forms may describe some terms
    /// both.
    pub fn values(self) -> impl Iterator<Item = Value<'d>> {
        let domains = self.domains;
        let set = self.set.map(|set| domains.set(set));
        set.into_iter()
            .flat_map(FixedBitSet::ones)
            .map(move |index| match domains.elements[index] {
                Element::Constant(term) => Value::Constant(term),
                Element::Form(id) => Value::Form(TermForm { domains, id }),
            })
    }

    /// The symbols and numbers among the members.
    pub fn constants(self) -> impl Iterator<Item = TermId> {
        self.values().filter_map(|value| match value {
            Value::Constant(term) => Some(term),
            Value::Form(_) => None,
        })
    }

    /// The forms among the members.
    pub fn forms(self) -> impl Iterator<Item = TermForm<'d>> {
        self.values().filter_map(|value| match value {
            Value::Form(form) => Some(form),
            Value::Constant(_) => None,
        })
    }

    /// Whether nothing can stand there.
    pub fn is_empty(self) -> bool {
        self.values().next().is_none()
    }

    /// An upper bound of the number of terms; terms that two forms describe are counted twice.
    pub fn size(self) -> Size {
        let domains = self.domains;
        self.set
            .map_or(Size::Finite(0), |set| domains.set_size(set, &domains.sizes))
    }

    /// Whether a ground term is in the domain.
    pub fn contains(self, store: &Store, term: TermId) -> bool {
        let Some(set) = self.set else {
            return false;
        };
        // Each argument may come from any of the forms that the term fits: sets are united level by level.
        let mut pending = vec![(vec![set], term)];
        while let Some((sets, term)) = pending.pop() {
            let Some(parts) = self.domains.match_one(store, &sets, term) else {
                return false;
            };
            pending.extend(parts);
        }
        true
    }
}

impl<'d> TermForm<'d> {
    /// The function.
    pub fn functor(self) -> Functor {
        self.key().functor
    }

    /// The domain of an argument, from 0.
    pub fn argument(self, index: usize) -> Domain<'d> {
        let (_, arguments) = self.entry();
        self.domains.domain(arguments.get(index).copied())
    }

    /// The domains of all arguments.
    pub fn arguments(self) -> impl Iterator<Item = Domain<'d>> {
        let domains = self.domains;
        let (_, arguments) = self.entry();
        arguments.iter().map(move |&set| domains.domain(Some(set)))
    }

    /// An upper bound of the number of terms.
    pub fn size(self) -> Size {
        self.domains.sizes[self.id.0 as usize]
    }

    pub(super) fn key(self) -> FormKey {
        *self.entry().0
    }

    fn entry(self) -> (&'d FormKey, &'d Vec<SetId>) {
        let entry = self.domains.forms.get_index(self.id.0 as usize);
        entry.unwrap_or_else(|| unreachable!("forms are not removed"))
    }
}
