//! Where values flow: the graph of arguments along which domains spread.
//!
//! A node is an argument of a fluent, a move, a relation, or a function inside of these. A value comes
//! to an argument of a head from every argument of the body at which the same variable stands; where
//! two arguments of a body share a variable, values meet. Constants come from the heads that have them:
//!
//! ```text
//! (init (step 0))                                         0 to step,1
//! (succ 0 1)                                              0 to succ,1 and 1 to succ,2
//! (<= (next (step ?x)) (true (step ?y)) (succ ?y ?x))     succ,2 to step,1; step,1 meets succ,1
//! ```
//!
//! Arguments that are joined share a domain in the sense of the paper, here `{0 1}`. It is wider than
//! what [`Domains`](super::Domains) computes, which follows the values; the graph says how the
//! arguments hang together.
//!
//! Source: \[ST07\], Identifying Structures, Figure 1. DIVERGENCE: edges there have no direction.
//! `base` and `input` list what is computed here and are left out.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::gdl::keyword::{Keyword, Keywords};
use crate::term::{Clause, Functor, Literal, Store, Term, TermId};

/// What an argument is an argument of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bearer {
    /// A fluent.
    Fluent,
    /// A move.
    Move,
    /// A relation; `legal` stands for `does` too.
    Relation,
    /// A function inside of one of the others.
    Function,
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// What kind of thing it is an argument of.
    pub bearer: Bearer,
    /// What it is an argument of.
    pub functor: Functor,
    /// Which argument, from 0.
    pub index: u32,
}

/// What is written at an argument of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A symbol or number.
    Constant(TermId),
    /// A term of this function.
    Function(Functor),
}

/// How two arguments are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joint {
    /// Values of the first come to the second.
    Flow,
    /// Values of both must be the same in some condition, and none come from one to the other.
    Meeting,
}

/// Which arguments get values from which.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The arguments, in the order of the rules.
    pub places: Vec<Place>,
    /// Which are joined, by their numbers, how, and by which rule first; each pair once a way.
    pub joints: Vec<(usize, usize, Joint, usize)>,
    /// What is written where, by number, each once.
    pub sources: Vec<(Source, usize)>,
}

/// An argument and the variable at it.
type Occurrence = (usize, u32);

#[derive(Default)]
struct Reader {
    places: IndexSet<Place, FxBuildHasher>,
    joints: IndexMap<(usize, usize, Joint), usize, FxBuildHasher>,
    sources: IndexSet<(Source, usize), FxBuildHasher>,
}

impl Flow {
    /// Reads the graph off the rules. Linear in their size, but for variables that stand at many
    /// arguments of one rule, of which each pair is looked at.
    pub fn of(store: &Store, keywords: &Keywords, clauses: &[Clause]) -> Self {
        let mut reader = Reader::default();
        for (rule, clause) in clauses.iter().enumerate() {
            reader.clause(store, keywords, rule, clause);
        }
        reader.finish(keywords)
    }
}

impl Reader {
    fn clause(&mut self, store: &Store, keywords: &Keywords, rule: usize, clause: &Clause) {
        let predicate = store
            .functor(clause.head)
            .and_then(|f| keywords.predicate(f));
        // Hints list values and pass none on.
        if matches!(predicate, Some(Keyword::Base | Keyword::Input)) {
            return;
        }
        // Two readings: from the body to the head values flow, between conditions of the body they meet.
        let mut head = Vec::new();
        let mut written = Vec::new();
        self.atom(store, keywords, clause.head, &mut head, &mut written);
        self.sources.extend(written);
        // Values come from what holds; under a negation they are compared only.
        let (mut holding, mut negated) = (Vec::new(), Vec::new());
        let mut pending: Vec<(TermId, bool)> =
            clause.body.iter().rev().map(|&term| (term, true)).collect();
        while let Some((condition, holds)) = pending.pop() {
            match Literal::of(store, condition) {
                Literal::Not(inner) => pending.push((inner, false)),
                Literal::Or(parts) | Literal::And(parts) => {
                    pending.extend(parts.iter().rev().map(|&part| (part, holds)));
                }
                Literal::Distinct(..) => {}
                Literal::Call(atom) => {
                    let found = if holds { &mut holding } else { &mut negated };
                    self.atom(store, keywords, atom, found, &mut Vec::new());
                }
            }
        }
        // [ST07, Identifying Structures] joins arguments of a rule with the same variable, whichever they are; here it is
        // kept whether values come from one to the other or are compared only.
        self.join(Joint::Flow, rule, &holding, &head);
        let body = [holding, negated].concat();
        self.join(Joint::Meeting, rule, &body, &body);
    }

    /// Joins arguments of the one list to arguments of the other with the same variable.
    fn join(&mut self, joint: Joint, rule: usize, from: &[Occurrence], to: &[Occurrence]) {
        for &(one, variable) in from {
            for &(other, its_variable) in to {
                // A meeting is noted once for each pair.
                let is_told = joint == Joint::Meeting && one > other;
                if variable == its_variable && one != other && !is_told {
                    self.joints.entry((one, other, joint)).or_insert(rule);
                }
            }
        }
    }

    /// The variables of an atom with the arguments at which they stand, and what else is written.
    fn atom(
        &mut self,
        store: &Store,
        keywords: &Keywords,
        atom: TermId,
        variables: &mut Vec<Occurrence>,
        written: &mut Vec<(Source, usize)>,
    ) {
        let Some(predicate) = store.functor(atom) else {
            return;
        };
        let mut pending = Vec::new();
        for (index, &argument) in store.arguments(atom).iter().enumerate().rev() {
            let index = index as u32;
            match (keywords.predicate(predicate), index) {
                (Some(Keyword::True | Keyword::Init | Keyword::Next), _) => {
                    pending.extend(arguments(store, Bearer::Fluent, argument));
                }
                (Some(Keyword::Legal | Keyword::Does), 1) => {
                    pending.extend(arguments(store, Bearer::Move, argument));
                }
                (keyword, _) => {
                    let functor = match keyword {
                        // What is done was legal: one place for both.
                        Some(Keyword::Does) => keywords.functor(Keyword::Legal),
                        _ => predicate,
                    };
                    let bearer = Bearer::Relation;
                    let place = Place {
                        bearer,
                        functor,
                        index,
                    };
                    pending.push((place, argument));
                }
            }
        }
        while let Some((place, term)) = pending.pop() {
            let (place, _) = self.places.insert_full(place);
            match (store.view(term), store.functor(term)) {
                (Term::Variable(variable), _) => variables.push((place, variable)),
                (_, Some(functor)) if functor.arity > 0 => {
                    written.push((Source::Function(functor), place));
                    pending.extend(arguments(store, Bearer::Function, term));
                }
                _ => written.push((Source::Constant(term), place)),
            }
        }
    }

    fn finish(mut self, keywords: &Keywords) -> Flow {
        let flows = |joints: &IndexMap<_, usize, FxBuildHasher>, one: usize, other: usize| {
            joints.contains_key(&(one, other, Joint::Flow))
        };
        // Where values flow between two arguments, that they meet goes without saying.
        let known = self.joints.clone();
        self.joints.retain(|&(one, other, joint), _| {
            joint == Joint::Flow || !(flows(&known, one, other) || flows(&known, other, one))
        });
        // What a word of the language is asked with constants only says nothing of domains.
        let is_joined = |place: usize| {
            let mut joints = self.joints.keys();
            joints.any(|&(one, other, _)| one == place || other == place)
        };
        let is_shown = |(number, place): (usize, &Place)| {
            let word = keywords.predicate(place.functor);
            let is_word = place.bearer == Bearer::Relation && word.is_some();
            (!is_word || is_joined(number)).then_some(number)
        };
        let shown: IndexSet<usize, FxBuildHasher> = self
            .places
            .iter()
            .enumerate()
            .filter_map(is_shown)
            .collect();
        let number = |place: usize| shown.get_index_of(&place);
        let joints = self.joints.iter();
        let joints = joints.filter_map(|(&(one, other, joint), &rule)| {
            Some((number(one)?, number(other)?, joint, rule))
        });
        let sources = self.sources.iter();
        let sources = sources.filter_map(|&(source, place)| Some((source, number(place)?)));
        Flow {
            places: shown.iter().map(|&place| self.places[place]).collect(),
            joints: joints.collect(),
            sources: sources.collect(),
        }
    }
}

/// The arguments of a term, the last first.
fn arguments(store: &Store, bearer: Bearer, term: TermId) -> Vec<(Place, TermId)> {
    let Some(functor) = store.functor(term) else {
        return Vec::new();
    };
    let arguments = store.arguments(term).iter().enumerate().rev();
    let places = arguments.map(|(index, &argument)| {
        let place = Place {
            bearer,
            functor,
            index: index as u32,
        };
        (place, argument)
    });
    places.collect()
}
