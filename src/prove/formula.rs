//! Properties in the user's words: formulas over states and plays.
//!
//! A formula is one of computation tree logic over plays that may end: what holds next holds after all moves, or
//! after some; at an end there is no next state. Without `some` or `all` before it, an operator speaks of all plays.
//!
//! ```text
//! (true F)  (legal R M)  (goal R V)  terminal       a state
//! (not p)  (and p …)  (or p …)  (implies p q)
//! (next p)  (always p)  (eventually p)  (until p q)  all plays from here
//! (some (eventually p))                              some play from here
//! ```
//!
//! Source: Clarke, Emerson, Design and Synthesis of Synchronization Skeletons Using Branching-Time Temporal Logic,
//! Logics of Programs, 1981.

use thiserror::Error;

use crate::circuit::{Circuit, Signal};
use crate::gdl::Vocabulary;
use crate::prove::condition::{Claim, Target};
use crate::syntax::{Document, NodeId, Notation, OperatorTable, Source, Span, parse_term};
use crate::term::{Case, Lowering, Prefix, Store, TermId};

/// Formulas nested deeper than this are refused.
const MAX_DEPTH: usize = 100;

/// What is said of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// The game is over.
    Terminal,
    /// A fluent holds, by place in the circuit.
    True(usize),
    /// A role has a legal move, by places.
    Legal(usize, usize),
    /// A role has a goal value, by places.
    Goal(usize, usize),
}

/// What is said of plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Next,
    Always,
    Eventually,
    Until,
}

/// A formula or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Atom(Atom),
    Not(Box<Part>),
    And(Vec<Part>),
    Or(Vec<Part>),
    /// Of all plays or of some, and the parts: two of until, one of the others.
    Path(bool, Operator, Vec<Part>),
}

/// A property in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// What was written.
    text: String,
    root: Part,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormulaError {
    /// It is no term.
    #[error("column {column}: {message}")]
    Syntax {
        /// What is wrong with it.
        message: String,
        /// Where, from 1.
        column: usize,
    },
    /// An operator has a wrong number of parts, or there is no such operator.
    #[error("column {column}: `{quote}` is no formula; {hint}")]
    NoFormula {
        /// What was written.
        quote: String,
        /// Where, from 1.
        column: usize,
        /// What can stand there.
        hint: &'static str,
    },
    /// The rules have no such fluent, move or value.
    #[error("column {column}: no state has `{quote}`")]
    Unknown {
        /// What was written.
        quote: String,
        /// Where, from 1.
        column: usize,
    },
    /// It is nested too deep.
    #[error("the formula is nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

/// What can stand where a formula is asked for.
const HINT: &str = "a formula is (true F), (legal R M), (goal R V), terminal, or (not p), (and p …), (or p …), \
                    (implies p q), (next p), (always p), (eventually p), (until p q), (some p), (all p) of others";

/// A text being read.
struct Reader<'r> {
    source: &'r Source,
    document: &'r Document,
    circuit: &'r Circuit,
    roles: &'r [TermId],
    store: &'r Store,
}

/// A term and where it stands.
#[derive(Clone, Copy)]
struct Place {
    term: TermId,
    node: NodeId,
}

impl Formula {
    /// The formula that a text in prefix notation means, for a game of these roles.
    ///
    /// # Errors
    /// [`FormulaError`].
    pub fn parse(
        text: &str,
        circuit: &Circuit,
        roles: &[TermId],
        vocabulary: &mut Vocabulary,
    ) -> Result<Self, FormulaError> {
        let source = Source::new("formula", text);
        let parsed = parse_term(&source, Notation::Prefix, &OperatorTable::prolog());
        let (document, node) = parsed.map_err(|faults| {
            let fault = faults.first();
            FormulaError::Syntax {
                message: fault.map_or_else(String::new, |fault| fault.message.clone()),
                column: fault.map_or(1, |fault| column(&source, fault.span)),
            }
        })?;
        let store = vocabulary.store_mut();
        let term = Lowering::new(&document, &source, Case::Fold).term(store, node);
        let reader = Reader {
            source: &source,
            document: &document,
            circuit,
            roles,
            store,
        };
        Ok(Self {
            text: text.to_owned(),
            root: reader.part(Place { term, node }, MAX_DEPTH)?,
        })
    }

    /// What was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn root(&self) -> &Part {
        &self.root
    }

    /// The target that the formula is about, if it asks for no more than whether some play reaches it; with the
    /// states before and after the last move that show that one does.
    pub(super) fn claim(&self, circuit: &mut Circuit) -> Option<Claim> {
        match &self.root {
            Part::Path(true, Operator::Always, parts) => {
                let (part, is_reached) = (parts.first()?, false);
                let target = match part.signal(circuit) {
                    Some(signal) => Target::State(!signal),
                    None => Target::Step(vec![broken_step(part, circuit)?]),
                };
                Some(Claim { target, is_reached })
            }
            Part::Path(false, Operator::Eventually, parts) => {
                let target = Target::State(parts.first()?.signal(circuit)?);
                let is_reached = true;
                Some(Claim { target, is_reached })
            }
            Part::Not(part) => {
                let root = Part::clone(part);
                let text = String::new();
                let claim = Formula { text, root }.claim(circuit)?;
                Some(Claim {
                    is_reached: !claim.is_reached,
                    ..claim
                })
            }
            Part::Atom(_) | Part::And(_) | Part::Or(_) | Part::Path(..) => None,
        }
    }
}

/// What holds before and after a move that breaks `(or p … (next q))`.
fn broken_step(part: &Part, circuit: &mut Circuit) -> Option<[Signal; 2]> {
    let (mut now, mut next) = (Vec::new(), None);
    for part in part.branches() {
        if let (Part::Path(true, Operator::Next, inner), None) = (part, next) {
            next = Some(!inner.first()?.signal(circuit)?);
        } else {
            now.push(!part.signal(circuit)?);
        }
    }
    Some([circuit.gates.and(&mut now), next?])
}

impl Part {
    /// The parts of a disjunction; what is none is one of a single part.
    pub(super) fn branches(&self) -> &[Part] {
        match self {
            Part::Or(parts) => parts,
            Part::Atom(_) | Part::Not(_) | Part::And(_) | Part::Path(..) => {
                std::slice::from_ref(self)
            }
        }
    }

    /// The signal of a formula about a state; none if it speaks of plays.
    pub(super) fn signal(&self, circuit: &mut Circuit) -> Option<Signal> {
        match self {
            Part::Atom(Atom::Terminal) => Some(circuit.terminal),
            Part::Atom(Atom::True(place)) => Some(circuit.fluents[*place].holds),
            Part::Atom(Atom::Legal(role, mv)) => Some(circuit.moves[*role][*mv].legal),
            Part::Atom(Atom::Goal(role, place)) => Some(circuit.goals[*role][*place].signal),
            Part::Not(part) => Some(!part.signal(circuit)?),
            Part::And(parts) | Part::Or(parts) => {
                let signals = parts.iter().map(|part| part.signal(circuit));
                let mut signals: Vec<Signal> = signals.collect::<Option<_>>()?;
                Some(if matches!(self, Part::And(_)) {
                    circuit.gates.and(&mut signals)
                } else {
                    circuit.gates.or(&mut signals)
                })
            }
            Part::Path(..) => None,
        }
    }
}

fn column(source: &Source, span: Span) -> usize {
    source.position(span.start).column as usize
}

impl Reader<'_> {
    fn arguments(&self, place: Place) -> Vec<Place> {
        let terms = self.store.arguments(place.term).iter();
        let nodes = self.document.arguments(place.node).iter();
        terms
            .zip(nodes)
            .map(|(&term, &node)| Place { term, node })
            .collect()
    }

    fn part(&self, place: Place, depth: usize) -> Result<Part, FormulaError> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(FormulaError::TooDeep { limit: MAX_DEPTH });
        };
        let name = self.store.functor(place.term);
        let name = name.map_or("", |functor| self.store.name(functor.symbol));
        let arguments = self.arguments(place);
        if matches!(name, "true" | "legal" | "goal" | "terminal") {
            return self.atom(name, &arguments, place).map(Part::Atom);
        }
        let parts = arguments.iter().map(|&argument| self.part(argument, depth));
        let parts: Vec<Part> = parts.collect::<Result<_, _>>()?;
        self.compound(name, parts)
            .ok_or_else(|| self.no_formula(place))
    }

    /// A connective or an operator with its parts.
    fn compound(&self, name: &str, mut parts: Vec<Part>) -> Option<Part> {
        let path = |operator, parts| Some(Part::Path(true, operator, parts));
        match (name, parts.len()) {
            ("and", _) => Some(Part::And(parts)),
            ("or", _) => Some(Part::Or(parts)),
            ("not", 1) => parts.pop().map(|part| Part::Not(Box::new(part))),
            ("implies", 2) => {
                parts[0] = Part::Not(Box::new(parts[0].clone()));
                Some(Part::Or(parts))
            }
            ("next", 1) => path(Operator::Next, parts),
            ("always", 1) => path(Operator::Always, parts),
            ("eventually", 1) => path(Operator::Eventually, parts),
            ("until", 2) => path(Operator::Until, parts),
            ("all" | "some", 1) => match parts.pop() {
                Some(Part::Path(_, operator, parts)) => {
                    Some(Part::Path(name == "all", operator, parts))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn atom(&self, name: &str, arguments: &[Place], whole: Place) -> Result<Atom, FormulaError> {
        let found = match (name, arguments) {
            ("terminal", []) => Some(Atom::Terminal),
            ("true", [fluent]) => {
                let mut fluents = self.circuit.fluents.iter();
                fluents
                    .position(|one| one.term == fluent.term)
                    .map(Atom::True)
            }
            ("legal", [role, mv]) => self.role(*role).and_then(|role| {
                let mut moves = self.circuit.moves[role].iter();
                let place = moves.position(|one| one.term == mv.term);
                place.map(|place| Atom::Legal(role, place))
            }),
            ("goal", [role, value]) => self.role(*role).and_then(|role| {
                let mut goals = self.circuit.goals[role].iter();
                let place = goals.position(|one| one.term == value.term);
                place.map(|place| Atom::Goal(role, place))
            }),
            _ => return Err(self.no_formula(whole)),
        };
        found.ok_or_else(|| FormulaError::Unknown {
            quote: Prefix::new(self.store, whole.term).to_string(),
            column: self.column(whole),
        })
    }

    fn role(&self, place: Place) -> Option<usize> {
        self.roles.iter().position(|&role| role == place.term)
    }

    fn column(&self, place: Place) -> usize {
        column(self.source, self.document.span(place.node))
    }

    fn no_formula(&self, place: Place) -> FormulaError {
        let quote = self.source.slice(self.document.span(place.node));
        FormulaError::NoFormula {
            quote: quote.to_owned(),
            column: self.column(place),
            hint: HINT,
        }
    }
}
