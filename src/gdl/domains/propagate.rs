//! The computation of domains: rules as writes to sets, repeated until no set grows.
//!
//! What a head writes is known before anything is computed: constants and forms go to the sets of
//! their positions at once, and each variable of a head is a pipe from the values that the body
//! allows for it to the sets of the places where it stands.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::domains::domain::{Domains, Element, FormId, FormKey, MAX_NESTING, SetId, Sort};
use crate::gdl::domains::position::Position;
use crate::gdl::keyword::{Keyword, Keywords};
use crate::term::{Clause, DependencyGraph, Functor, Literal, Store, Term, TermId};

/// What the head of a rule puts into a set.
#[derive(Clone, Copy, Debug)]
enum Write {
    Element(usize),
    Variable(u32),
}

/// A rule, compiled.
#[derive(Debug)]
struct CompiledRule {
    predicate: Functor,
    writes: Vec<(SetId, Write)>,
    parts: Vec<BodyPart>,
}

/// A part of a body: the body itself first, each before its parts.
#[derive(Debug)]
struct BodyPart {
    parent: usize,
    kind: BodyPartKind,
}

#[derive(Debug)]
enum BodyPartKind {
    All,
    Any,
    Call(Functor, Vec<(SetId, TermId)>),
}

/// The values that a body allows for its variables; a variable without entry is not restricted.
type Bindings = FxHashMap<u32, FixedBitSet>;

/// Compiles all clauses and applies them until nothing changes.
fn fixpoint(store: &Store, keywords: &Keywords, clauses: &[Clause]) -> Domains {
    let mut domains = Domains::default();
    let graph = DependencyGraph::of(store, clauses);
    let mut rules = Vec::with_capacity(clauses.len());
    for clause in clauses {
        rules.extend(compile(&mut domains, store, keywords, clause));
    }
    // Callees first, so that values travel far in one round.
    rules.sort_by_key(|rule| graph.component(rule.predicate));
    let mut holds = FxHashSet::default();
    let mut changed = true;
    while changed {
        changed = false;
        for rule in &rules {
            changed |= apply(&mut domains, store, rule, &mut holds);
        }
        // What is written once need not be written again.
        // A fact's writes are done when its predicate holds.
        rules.retain(|rule| rule.parts.len() > 1 || !holds.contains(&rule.predicate));
    }
    domains
}

/// The predicate whose atoms stand for those of a given one: what holds was initial or is made to
/// hold by a rule, what is done is legal.
fn source_of(keywords: &Keywords, predicate: Functor) -> Functor {
    match keywords.predicate(predicate) {
        Some(Keyword::Init | Keyword::Next) => keywords.functor(Keyword::True),
        Some(Keyword::Does) => keywords.functor(Keyword::Legal),
        _ => predicate,
    }
}

fn compile(
    domains: &mut Domains,
    store: &Store,
    keywords: &Keywords,
    clause: &Clause,
) -> Option<CompiledRule> {
    let head = store.functor(clause.head)?;
    let mut writes = Vec::new();
    for (index, &argument) in store.arguments(clause.head).iter().enumerate() {
        let position = Position::of(keywords, head, index as u32);
        let sort = match position {
            Position::Fluents => Sort::Fluent,
            Position::Moves => Sort::Move,
            Position::Argument(..) => Sort::Other,
        };
        let set = domains.set_at(position);
        compile_write(domains, store, (set, argument), sort, &mut writes);
    }
    Some(CompiledRule {
        predicate: source_of(keywords, head),
        writes,
        parts: compile_body(domains, store, keywords, clause),
    })
}

/// A step of a walk: visit a term, or leave the compound whose arguments were visited.
enum Walk {
    Visit(SetId, TermId),
    Leave(Functor),
}

/// Notes what a term of a head puts into a set, and its arguments into the sets of its form.
fn compile_write(
    domains: &mut Domains,
    store: &Store,
    root: (SetId, TermId),
    sort: Sort,
    writes: &mut Vec<(SetId, Write)>,
) {
    // How many applications of each function are around the term in view.
    // Counted down when the walk leaves the term, so that siblings do not add up.
    let mut around: FxHashMap<Functor, u32> = FxHashMap::default();
    let mut steps = vec![Walk::Visit(root.0, root.1)];
    while let Some(step) = steps.pop() {
        let (set, term) = match step {
            Walk::Visit(set, term) => (set, term),
            Walk::Leave(functor) => {
                around.entry(functor).and_modify(|count| *count -= 1);
                continue;
            }
        };
        if let Term::Variable(variable) = store.view(term) {
            writes.push((set, Write::Variable(variable)));
            continue;
        }
        let functor = store.functor(term).filter(|functor| functor.arity > 0);
        let element = match functor {
            None => Element::Constant(term),
            Some(functor) => {
                let count = around.entry(functor).or_insert(0);
                let nesting = (*count).min(MAX_NESTING);
                *count += 1;
                steps.push(Walk::Leave(functor));
                let form = domains.form(FormKey {
                    functor,
                    sort,
                    nesting,
                });
                let sets = domains.forms[form.0 as usize].iter();
                let arguments = sets.zip(store.arguments(term));
                steps.extend(arguments.map(|(&set, &argument)| Walk::Visit(set, argument)));
                Element::Form(form)
            }
        };
        // The set of a position can hold forms of other nestings as well, see [`Domains::match_one`].
        let (index, _) = domains.elements.insert_full(element);
        writes.push((set, Write::Element(index)));
    }
}

fn compile_body(
    domains: &mut Domains,
    store: &Store,
    keywords: &Keywords,
    clause: &Clause,
) -> Vec<BodyPart> {
    let mut parts = vec![BodyPart {
        parent: 0,
        kind: BodyPartKind::All,
    }];
    let mut stack: Vec<(TermId, usize)> = clause.body.iter().map(|&term| (term, 0)).collect();
    while let Some((term, parent)) = stack.pop() {
        let kind = match Literal::of(store, term) {
            // A test may hold and restricts nothing: a conjunction of no conditions.
            // A negated condition restricts nothing: an upper bound may ignore it.
            Literal::Not(_) | Literal::Distinct(..) => BodyPartKind::All,
            Literal::Or(branches) => {
                stack.extend(branches.iter().map(|&branch| (branch, parts.len())));
                BodyPartKind::Any
            }
            Literal::And(conditions) => {
                stack.extend(conditions.iter().map(|&condition| (condition, parts.len())));
                BodyPartKind::All
            }
            Literal::Call(atom) => match store.functor(atom) {
                Some(functor) => {
                    let arguments = store.arguments(atom).iter().enumerate();
                    let places = arguments.map(|(index, &argument)| {
                        let position = Position::of(keywords, functor, index as u32);
                        (domains.set_at(position), argument)
                    });
                    BodyPartKind::Call(source_of(keywords, functor), places.collect())
                }
                // Not an atom, so not validated; whatever it means, it may hold.
                None => BodyPartKind::All,
            },
        };
        parts.push(BodyPart { parent, kind });
    }
    parts
}

/// Puts into the sets what a rule gives now; says whether that is anything new.
fn apply(
    domains: &mut Domains,
    store: &Store,
    rule: &CompiledRule,
    holds: &mut FxHashSet<Functor>,
) -> bool {
    // The rule cannot fire with the values found so far.
    let Some(bindings) = bindings(domains, store, &rule.parts, holds) else {
        return false;
    };
    let mut changed = holds.insert(rule.predicate);
    for &(set, written) in &rule.writes {
        let set = &mut domains.sets[set.0 as usize];
        match written {
            Write::Element(element) => {
                set.grow(element + 1);
                changed |= !set.put(element);
            }
            Write::Variable(variable) => {
                // Only unsafe rules have variables that nothing restricts.
                if let Some(values) = bindings.get(&variable)
                    && !values.is_subset(set)
                {
                    set.union_with(values);
                    changed = true;
                }
            }
        }
    }
    changed
}

/// The values that a body allows; none if it cannot hold.
fn bindings(
    domains: &Domains,
    store: &Store,
    parts: &[BodyPart],
    holds: &FxHashSet<Functor>,
) -> Option<Bindings> {
    // Parts stand before what is in them; visited backwards, each is complete when it is folded into its parent.
    // By index of the part: what those of its parts give that were looked at.
    let mut given: Vec<Option<Bindings>> = parts
        .iter()
        .map(|part| match part.kind {
            BodyPartKind::All | BodyPartKind::Call(..) => Some(Bindings::default()),
            BodyPartKind::Any => None,
        })
        .collect();
    for (index, part) in parts.iter().enumerate().rev() {
        // A call of a predicate that nothing makes hold yet fails, and with it the rule in this round.
        if let BodyPartKind::Call(functor, places) = &part.kind {
            given[index] = holds
                .contains(functor)
                .then(|| domains.match_all(store, places))
                // None if an argument has no value in common with its position.
                .flatten();
        }
        if index > 0 {
            let own = given[index].take();
            let above = given[part.parent].take();
            given[part.parent] = match parts[part.parent].kind {
                BodyPartKind::Any => either(above, own),
                BodyPartKind::All | BodyPartKind::Call(..) => both(domains, above, own),
            };
        }
    }
    given.swap_remove(0)
}

fn both(domains: &Domains, left: Option<Bindings>, right: Option<Bindings>) -> Option<Bindings> {
    let (mut left, right) = (left?, right?);
    for (variable, values) in right {
        if !domains.restrict(&mut left, variable, values) {
            return None;
        }
    }
    Some(left)
}

fn either(left: Option<Bindings>, right: Option<Bindings>) -> Option<Bindings> {
    match (left, right) {
        (Some(mut left), Some(right)) => {
            // A variable that one branch leaves open is open.
            left.retain(|variable, values| {
                let others = right.get(variable);
                others.map(|others| values.union_with(others)).is_some()
            });
            Some(left)
        }
        (left, right) => left.or(right),
    }
}

impl Domains {
    /// Computes the domains of validated clauses. Each round evaluates every rule once; there are
    /// as many rounds as values need to travel through the rules, mostly fewer than ten.
    pub fn of(store: &Store, keywords: &Keywords, clauses: &[Clause]) -> Self {
        let mut domains = fixpoint(store, keywords, clauses);
        domains.sizes = domains.form_sizes();
        domains
    }

    fn set_at(&mut self, position: Position) -> SetId {
        if let Some(&set) = self.positions.get(&position) {
            return set;
        }
        let set = self.new_set();
        self.positions.insert(position, set);
        set
    }

    fn new_set(&mut self) -> SetId {
        self.sets.push(FixedBitSet::new());
        SetId(self.sets.len() as u32 - 1)
    }

    fn form(&mut self, key: FormKey) -> FormId {
        if let Some(index) = self.forms.get_index_of(&key) {
            return FormId(index as u32);
        }
        let arguments = (0..key.functor.arity).map(|_| self.new_set()).collect();
        let (index, _) = self.forms.insert_full(key, arguments);
        FormId(index as u32)
    }

    /// Allows a variable only these values; says whether any is left. Forms of one function may
    /// describe the same terms wherever they were written, so one stays if there is another.
    fn restrict(&self, bindings: &mut Bindings, variable: u32, values: FixedBitSet) -> bool {
        let function = |index: usize| match self.elements[index] {
            Element::Form(form) => {
                // Forms are equal or not by where they were written, and yet describe the same terms: intersection
                // keeps a form if the other set has one of its function.
                let (key, _) = self.forms.get_index(form.0 as usize)?;
                Some(key.functor)
            }
            Element::Constant(_) => None,
        };
        let kept = bindings
            .entry(variable)
            .and_modify(|kept| {
                let forms = kept.difference(&values).filter(|&index| {
                    let functor = function(index);
                    functor.is_some() && values.ones().any(|other| function(other) == functor)
                });
                let related: Vec<usize> = forms.collect();
                kept.intersect_with(&values);
                kept.extend(related);
            })
            .or_insert(values);
        !kept.is_clear()
    }

    /// What terms at these sets allow for their variables; none if they do not fit.
    fn match_all(&self, store: &Store, places: &[(SetId, TermId)]) -> Option<Bindings> {
        let mut bindings = Bindings::default();
        let mut pending: Vec<(Vec<SetId>, TermId)> = places
            .iter()
            .map(|&(set, term)| (vec![set], term))
            .collect();
        while let Some((sets, term)) = pending.pop() {
            if let Term::Variable(variable) = store.view(term) {
                let mut values = FixedBitSet::new();
                for &set in &sets {
                    values.union_with(self.set(set));
                }
                // An empty intersection: the occurrences of the variable have no common value.
                if !self.restrict(&mut bindings, variable, values) {
                    return None;
                }
            } else {
                pending.extend(self.match_one(store, &sets, term)?);
            }
        }
        Some(bindings)
    }
}
