//! Rules made ready for joining: variables are slots, conditions are views, terms are templates.

use rustc_hash::FxHashMap;

use crate::circuit::ground::catalogue::{Catalogue, Face, RelationNumber};
use crate::circuit::ground::relation::Shape;
use crate::term::{Clause, Functor, Literal, Store, SymbolId, Term, TermId};

/// What is known of a field of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConditionField {
    Constant(TermId),
    Slot(usize),
    /// A compound; its arguments are fields of their own.
    Opened,
}

/// How to build a term from slots: what is built last stands on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Template {
    Constant(TermId),
    Slot(usize),
    Compound(Vec<Build>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    Constant(TermId),
    Slot(usize),
    /// A compound of so many terms on top.
    Make(SymbolId, usize),
}

/// A condition that is not negated.
#[derive(Clone, Debug)]
pub(super) struct Positive {
    pub(super) relation: RelationNumber,
    pub(super) view: usize,
    pub(super) fields: Vec<ConditionField>,
    pub(super) face: Face,
    /// Rows of the view that were joined with all rows of the others.
    pub(super) done: usize,
}

/// A negated condition.
#[derive(Clone, Debug)]
pub(super) struct Negative {
    pub(super) relation: RelationNumber,
    pub(super) face: Face,
    pub(super) columns: Vec<Template>,
    /// Whether it depends on no state, so that it is known now.
    pub(super) is_static: bool,
    /// Relations that depend on no state, with their columns: only if all of them hold there is a condition.
    pub(super) guards: Vec<(RelationNumber, Vec<Template>)>,
}

/// A condition that depends on no state and has too many answers to list them.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) functor: Functor,
    pub(super) columns: Vec<Template>,
    pub(super) negated: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) head: RelationNumber,
    pub(super) face: Face,
    pub(super) columns: Vec<Template>,
    pub(super) positive: Vec<Positive>,
    pub(super) negative: Vec<Negative>,
    pub(super) distinct: Vec<(Template, Template)>,
    pub(super) questions: Vec<Question>,
    pub(super) slots: usize,
    /// Index of the clause that it comes from.
    pub(super) clause: usize,
    pub(super) started: bool,
    /// Whether no join finds an instance of it twice.
    pub(super) unique: bool,
}

/// Compiles rules whose conditions are atoms, negated atoms and `distinct`.
pub(super) struct RuleCompiler<'c> {
    pub(super) store: &'c mut Store,
    pub(super) catalogue: &'c mut Catalogue,
    slots: FxHashMap<u32, usize>,
}

impl<'c> RuleCompiler<'c> {
    pub(super) fn new(store: &'c mut Store, catalogue: &'c mut Catalogue) -> Self {
        Self {
            store,
            catalogue,
            slots: FxHashMap::default(),
        }
    }

    pub(super) fn rule(&mut self, clause: &Clause) -> Rule {
        self.slots.clear();
        let (head, face) = self.catalogue.relation_of(self.store, clause.head);
        let mut rule = Rule {
            head,
            face,
            columns: Vec::new(),
            positive: Vec::new(),
            negative: Vec::new(),
            distinct: Vec::new(),
            questions: Vec::new(),
            slots: 0,
            clause: clause.origin.sentence as usize,
            started: false,
            unique: false,
        };
        for &literal in &clause.body {
            self.condition(&mut rule, literal);
        }
        rule.columns = self.templates(clause.head);
        rule.slots = self.slots.len();
        rule
    }

    fn condition(&mut self, rule: &mut Rule, literal: TermId) {
        let (atom, guards, negated) = match Literal::of(self.store, literal) {
            Literal::Distinct(left, right) => {
                let pair = (self.template(left), self.template(right));
                rule.distinct.push(pair);
                return;
            }
            Literal::Not(inner) => {
                let (atom, guards) = self.guarded(inner);
                (atom, guards, true)
            }
            Literal::Call(atom) => (atom, Vec::new(), false),
            Literal::Or(_) | Literal::And(_) => {
                unreachable!("connectives were made into rules of their own")
            }
        };
        if let Some(functor) = self.catalogue.question(self.store, atom) {
            rule.questions.push(Question {
                functor,
                columns: self.templates(atom),
                negated,
            });
            return;
        }
        let (relation, face) = self.catalogue.relation_of(self.store, atom);
        if negated {
            rule.negative.push(Negative {
                relation,
                face,
                columns: self.templates(atom),
                is_static: self.catalogue.is_static(relation),
                guards,
            });
        } else {
            rule.positive.push(self.positive(relation, face, atom));
        }
    }

    /// What is negated if some conditions that depend on no state hold, and these.
    fn guarded(&mut self, negated: TermId) -> (TermId, Vec<(RelationNumber, Vec<Template>)>) {
        let parts: Vec<TermId> = match Literal::of(self.store, negated) {
            Literal::And(parts) => parts.to_vec(),
            Literal::Call(_) | Literal::Not(_) | Literal::Or(_) | Literal::Distinct(..) => {
                return (negated, Vec::new());
            }
        };
        let (mut atom, mut guards) = (negated, Vec::new());
        // One of the parts depends on the state (`inline` sees to that); the others are guards.
        for part in parts {
            let (relation, _) = self.catalogue.relation_of(self.store, part);
            if self.catalogue.is_static(relation) {
                guards.push((relation, self.templates(part)))
            } else {
                atom = part
            }
        }
        (atom, guards)
    }

    /// Opens the compounds of an atom, field by field.
    fn positive(&mut self, relation: RelationNumber, face: Face, atom: TermId) -> Positive {
        let mut terms: Vec<TermId> = self.store.arguments(atom).to_vec();
        let mut shape = Shape::new();
        let mut fields = Vec::new();
        let mut at = 0;
        // Breadth first: the arguments of an opened compound are appended, and come up later themselves. f(g(X),a)
        // has the fields f, g(X), a, X.
        while at < terms.len() {
            let term = terms[at];
            let field = match self.store.view(term) {
                Term::Variable(variable) => ConditionField::Slot(self.slot(variable)),
                _ if self.store.is_ground(term) => ConditionField::Constant(term),
                Term::Atom(_)
                | Term::Integer(_)
                | Term::Float(_)
                | Term::Big(_)
                | Term::Text(_)
                | Term::Compound(..) => {
                    if let Some(functor) = self.store.functor(term) {
                        shape.push((at, functor));
                        terms.extend(self.store.arguments(term));
                    }
                    ConditionField::Opened
                }
            };
            fields.push(field);
            at += 1;
        }
        Positive {
            relation,
            view: self
                .catalogue
                .relation_mut(relation)
                .view(self.store, &shape),
            fields,
            face,
            done: 0,
        }
    }

    fn templates(&mut self, atom: TermId) -> Vec<Template> {
        let arguments = self.store.arguments(atom).to_vec();
        let each = arguments.into_iter();
        each.map(|argument| self.template(argument)).collect()
    }

    fn template(&mut self, term: TermId) -> Template {
        if self.store.is_ground(term) {
            return Template::Constant(term);
        }
        if let Term::Variable(variable) = self.store.view(term) {
            return Template::Slot(self.slot(variable));
        }
        let mut builds = Vec::new();
        let mut open = vec![term];
        // From right to left and top down, which reversed is from the parts to the whole.
        while let Some(term) = open.pop() {
            let build = match self.store.view(term) {
                Term::Variable(variable) => Build::Slot(self.slot(variable)),
                Term::Compound(symbol, arguments) if !self.store.is_ground(term) => {
                    open.extend(arguments);
                    Build::Make(symbol, arguments.len())
                }
                Term::Atom(_)
                | Term::Integer(_)
                | Term::Float(_)
                | Term::Big(_)
                | Term::Text(_)
                | Term::Compound(..) => Build::Constant(term),
            };
            builds.push(build);
        }
        builds.reverse();
        Template::Compound(builds)
    }

    fn slot(&mut self, variable: u32) -> usize {
        let next = self.slots.len();
        *self.slots.entry(variable).or_insert(next)
    }
}

impl Rule {
    /// The negated conditions that depend on the state.
    pub(super) fn negated(&self) -> impl Iterator<Item = &Negative> {
        let negative = self.negative.iter();
        negative.filter(|negative| !negative.is_static)
    }
}

impl Negative {
    /// What is built of it.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Template> {
        let guards = self.guards.iter().flat_map(|(_, columns)| columns);
        self.columns.iter().chain(guards)
    }
}

impl Template {
    /// The term, given what is in the slots.
    pub(super) fn build(
        &self,
        store: &mut Store,
        slots: &[TermId],
        stack: &mut Vec<TermId>,
    ) -> TermId {
        let builds = match self {
            Template::Constant(term) => return *term,
            Template::Slot(slot) => return slots[*slot],
            Template::Compound(builds) => builds,
        };
        stack.clear();
        for build in builds {
            match *build {
                Build::Constant(term) => stack.push(term),
                Build::Slot(slot) => stack.push(slots[slot]),
                Build::Make(symbol, arity) => {
                    let start = stack.len() - arity;
                    let term = store.compound(symbol, &stack[start..]);
                    stack.truncate(start);
                    stack.push(term);
                }
            }
        }
        stack
            .last()
            .copied()
            .unwrap_or_else(|| unreachable!("a template builds a term"))
    }

    /// The slots that it needs.
    pub(super) fn slots(&self) -> impl Iterator<Item = usize> {
        let (one, builds): (Option<usize>, &[Build]) = match self {
            Template::Constant(_) => (None, &[]),
            Template::Slot(slot) => (Some(*slot), &[]),
            Template::Compound(builds) => (None, builds),
        };
        one.into_iter()
            .chain(builds.iter().filter_map(|build| match build {
                Build::Slot(slot) => Some(*slot),
                Build::Constant(_) | Build::Make(..) => None,
            }))
    }
}
