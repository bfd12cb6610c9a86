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
use crate::prove::target::{ReachClaim, Target};
use crate::syntax::{Document, NodeId, Notation, OperatorTable, Source, Span, parse_term};
use crate::term::{Case, Lowering, Prefix, Store, TermId};

/// Formulas nested deeper than this are refused.
const MAX_DEPTH: usize = 100;

/// What is said of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StateAtom {
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
pub(super) enum PathOperator {
    Next,
    Always,
    Eventually,
    Until,
}

/// A formula or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subformula {
    Atom(StateAtom),
    Not(Box<Subformula>),
    And(Vec<Subformula>),
    Or(Vec<Subformula>),
    /// Of all plays or of some, and the parts: two of until, one of the others.
    Path(bool, PathOperator, Vec<Subformula>),
}

/// A property in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporalFormula {
    /// What was written.
    text: String,
    root: Subformula,
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
struct FormulaReader<'r> {
    source: &'r Source,
    document: &'r Document,
    circuit: &'r Circuit,
    roles: &'r [TermId],
    store: &'r Store,
}

/// A term and where it stands.
#[derive(Clone, Copy)]
struct TermPlace {
    term: TermId,
    node: NodeId,
}

impl TemporalFormula {
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
        let reader = FormulaReader {
            source: &source,
            document: &document,
            circuit,
            roles,
            store,
        };
        Ok(Self {
            text: text.to_owned(),
            root: reader.part(TermPlace { term, node }, MAX_DEPTH)?,
        })
    }

    /// What was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn root(&self) -> &Subformula {
        &self.root
    }

    /// The target that the formula is about, if it asks for no more than whether some play reaches it; with the
    /// states before and after the last move that show that one does.
    pub(super) fn claim(&self, circuit: &mut Circuit) -> Option<ReachClaim> {
        match &self.root {
            Subformula::Path(true, PathOperator::Always, parts) => {
                let (part, is_reached) = (parts.first()?, false);
                let target = match part.signal(circuit) {
                    Some(signal) => Target::State(!signal),
                    // (always (or (not p) (next q))) is broken by one move: p before it, and not q after it.
                    None => Target::Step(vec![broken_step(part, circuit)?]),
                };
                Some(ReachClaim { target, is_reached })
            }
            Subformula::Path(false, PathOperator::Eventually, parts) => {
                let target = Target::State(parts.first()?.signal(circuit)?);
                let is_reached = true;
                Some(ReachClaim { target, is_reached })
            }
            Subformula::Not(part) => {
                let root = Subformula::clone(part);
                let text = String::new();
                // The same target, with the opposite said of it.
                let claim = TemporalFormula { text, root }.claim(circuit)?;
                Some(ReachClaim {
                    is_reached: !claim.is_reached,
                    ..claim
                })
            }
            Subformula::Atom(_) | Subformula::And(_) | Subformula::Or(_) | Subformula::Path(..) => {
                None
            }
        }
    }
}

/// What holds before and after a move that breaks `(or p … (next q))`.
fn broken_step(part: &Subformula, circuit: &mut Circuit) -> Option<[Signal; 2]> {
    // All members are false: those of the state before the move, and the one under `next` after it.
    let (mut now, mut next) = (Vec::new(), None);
    for part in part.branches() {
        // A second `next` has no signal, and with it the formula is no step.
        if let (Subformula::Path(true, PathOperator::Next, inner), None) = (part, next) {
            next = Some(!inner.first()?.signal(circuit)?);
        } else {
            now.push(!part.signal(circuit)?);
        }
    }
    Some([circuit.gates.and(&mut now), next?])
}

impl Subformula {
    /// The parts of a disjunction; what is none is one of a single part.
    pub(super) fn branches(&self) -> &[Subformula] {
        match self {
            Subformula::Or(parts) => parts,
            Subformula::Atom(_)
            | Subformula::Not(_)
            | Subformula::And(_)
            | Subformula::Path(..) => std::slice::from_ref(self),
        }
    }

    /// The signal of a formula about a state; none if it speaks of plays.
    pub(super) fn signal(&self, circuit: &mut Circuit) -> Option<Signal> {
        match self {
            Subformula::Atom(StateAtom::Terminal) => Some(circuit.terminal),
            Subformula::Atom(StateAtom::True(place)) => Some(circuit.fluents[*place].holds),
            Subformula::Atom(StateAtom::Legal(role, mv)) => Some(circuit.moves[*role][*mv].legal),
            Subformula::Atom(StateAtom::Goal(role, place)) => {
                Some(circuit.goals[*role][*place].signal)
            }
            Subformula::Not(part) => Some(!part.signal(circuit)?),
            Subformula::And(parts) | Subformula::Or(parts) => {
                let signals = parts.iter().map(|part| part.signal(circuit));
                let mut signals: Vec<Signal> = signals.collect::<Option<_>>()?;
                Some(if matches!(self, Subformula::And(_)) {
                    circuit.gates.and(&mut signals)
                } else {
                    circuit.gates.or(&mut signals)
                })
            }
            Subformula::Path(..) => None,
        }
    }
}

fn column(source: &Source, span: Span) -> usize {
    source.position(span.start).column as usize
}

impl FormulaReader<'_> {
    fn arguments(&self, place: TermPlace) -> Vec<TermPlace> {
        let terms = self.store.arguments(place.term).iter();
        let nodes = self.document.arguments(place.node).iter();
        terms
            .zip(nodes)
            .map(|(&term, &node)| TermPlace { term, node })
            .collect()
    }

    fn part(&self, place: TermPlace, depth: usize) -> Result<Subformula, FormulaError> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(FormulaError::TooDeep { limit: MAX_DEPTH });
        };
        let name = self.store.functor(place.term);
        let name = name.map_or("", |functor| self.store.name(functor.symbol));
        let arguments = self.arguments(place);
        if matches!(name, "true" | "legal" | "goal" | "terminal") {
            return self.atom(name, &arguments, place).map(Subformula::Atom);
        }
        let parts = arguments.iter().map(|&argument| self.part(argument, depth));
        let parts: Vec<Subformula> = parts.collect::<Result<_, _>>()?;
        self.compound(name, parts)
            .ok_or_else(|| self.no_formula(place))
    }

    /// A connective or an operator with its parts.
    fn compound(&self, name: &str, mut parts: Vec<Subformula>) -> Option<Subformula> {
        let path = |operator, parts| Some(Subformula::Path(true, operator, parts));
        match (name, parts.len()) {
            ("and", _) => Some(Subformula::And(parts)),
            ("or", _) => Some(Subformula::Or(parts)),
            ("not", 1) => parts.pop().map(|part| Subformula::Not(Box::new(part))),
            // (implies p q) is (or (not p) q).
            ("implies", 2) => {
                parts[0] = Subformula::Not(Box::new(parts[0].clone()));
                Some(Subformula::Or(parts))
            }
            ("next", 1) => path(PathOperator::Next, parts),
            ("always", 1) => path(PathOperator::Always, parts),
            ("eventually", 1) => path(PathOperator::Eventually, parts),
            ("until", 2) => path(PathOperator::Until, parts),
            // An operator is read as one of all plays; `some` before it makes it one of some.
            ("all" | "some", 1) => match parts.pop() {
                Some(Subformula::Path(_, operator, parts)) => {
                    Some(Subformula::Path(name == "all", operator, parts))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn atom(
        &self,
        name: &str,
        arguments: &[TermPlace],
        whole: TermPlace,
    ) -> Result<StateAtom, FormulaError> {
        let found = match (name, arguments) {
            ("terminal", []) => Some(StateAtom::Terminal),
            ("true", [fluent]) => {
                let mut fluents = self.circuit.fluents.iter();
                fluents
                    .position(|one| one.term == fluent.term)
                    .map(StateAtom::True)
            }
            ("legal", [role, mv]) => self.role(*role).and_then(|role| {
                let mut moves = self.circuit.moves[role].iter();
                let place = moves.position(|one| one.term == mv.term);
                place.map(|place| StateAtom::Legal(role, place))
            }),
            ("goal", [role, value]) => self.role(*role).and_then(|role| {
                let mut goals = self.circuit.goals[role].iter();
                let place = goals.position(|one| one.term == value.term);
                place.map(|place| StateAtom::Goal(role, place))
            }),
            _ => return Err(self.no_formula(whole)),
        };
        found.ok_or_else(|| FormulaError::Unknown {
            quote: Prefix::new(self.store, whole.term).to_string(),
            column: self.column(whole),
        })
    }

    fn role(&self, place: TermPlace) -> Option<usize> {
        self.roles.iter().position(|&role| role == place.term)
    }

    fn column(&self, place: TermPlace) -> usize {
        column(self.source, self.document.span(place.node))
    }

    fn no_formula(&self, place: TermPlace) -> FormulaError {
        let quote = self.source.slice(self.document.span(place.node));
        FormulaError::NoFormula {
            quote: quote.to_owned(),
            column: self.column(place),
            hint: HINT,
        }
    }
}
