//! The circuit of a game: gates for what follows from a state and a joint move.

use rustc_hash::FxHashMap;

use crate::circuit::certain::Certainty;
use crate::circuit::components::{OpenAtoms, Signals};
use crate::circuit::factor::{Conjunction, disjunction};
use crate::circuit::gates::{Gate, Gates, Loop, Signal};
use crate::circuit::ground::{Atom, GroundLiteral, GroundProgram};
use crate::circuit::uses::Uses;
use crate::gdl::{Goal, GoalValue, Keyword, Keywords};
use crate::rules::EvaluationError;
use crate::term::{Functor, Store, TermId};

/// A payoff of a role and when it is had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payoff {
    /// What the rules say; see [`Payoff::value`].
    pub term: TermId,
    /// The value, unless the term is none.
    pub value: Option<GoalValue>,
    /// When.
    pub signal: Signal,
}

/// A move of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The move.
    pub term: TermId,
    /// What is true if the move is made.
    pub made: Signal,
    /// When it may be made.
    pub legal: Signal,
}

/// A fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fluent {
    /// The fluent.
    pub term: TermId,
    /// Whether it holds at the start.
    pub initial: bool,
    /// What is true if it holds.
    pub holds: Signal,
    /// Whether it holds in the next state.
    pub next: Signal,
}

/// A game as a circuit.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The gates.
    pub gates: Gates,
    /// The fluents that some state has.
    pub fluents: Vec<Fluent>,
    /// The moves of each role.
    pub moves: Vec<Vec<Move>>,
    /// Whether the game is over.
    pub terminal: Signal,
    /// The payoffs of each role.
    pub goals: Vec<Vec<Payoff>>,
}

impl Payoff {
    /// What a role gets by those of its payoffs that it has.
    pub(super) fn goal<'p>(had: impl Iterator<Item = &'p Payoff>) -> Goal {
        let had: Vec<&Payoff> = had.collect();
        match had[..] {
            [] => Goal::Absent,
            [Payoff { term, value, .. }] => value.map_or(Goal::NotAValue(*term), Goal::Value),
            _ => Goal::Contradictory(had.iter().map(|payoff| payoff.term).collect()),
        }
    }
}

impl Circuit {
    /// The fluents that hold in all states, by place.
    pub(super) fn always(&self) -> impl Iterator<Item = usize> {
        let fluents = self.fluents.iter().enumerate();
        let always = fluents.filter(|(_, fluent)| fluent.holds.constant() == Some(true));
        always.map(|(place, _)| place)
    }

    /// By gate of a move: its role, and its place among the moves of the role.
    pub(crate) fn moves_by_gate(&self) -> FxHashMap<usize, (usize, usize)> {
        let roles = self.moves.iter().enumerate();
        let moves = roles.flat_map(|(role, moves)| {
            let moves = moves.iter().enumerate();
            moves.map(move |(place, mv)| (mv.made.gate(), (role, place)))
        });
        moves.collect()
    }

    /// The circuit of a ground program for so many roles.
    ///
    /// # Errors
    /// [`EvaluationError::NegativeLoop`] if an atom depends on its own negation.
    pub fn new(
        store: &mut Store,
        program: &GroundProgram,
        roles: usize,
    ) -> Result<Self, EvaluationError> {
        let builder = CircuitBuilder::complete(store, program, None)?;
        Ok(builder.circuit(store, roles))
    }

    /// The same with the signals of a relation of one argument that is no part of a game, by argument; it
    /// is asked of state and joint move, as `next` is.
    ///
    /// # Errors
    /// [`EvaluationError::NegativeLoop`] if an atom depends on its own negation.
    pub fn with_relation(
        store: &mut Store,
        program: &GroundProgram,
        roles: usize,
        relation: Functor,
    ) -> Result<(Self, Vec<(TermId, Signal)>), EvaluationError> {
        let builder = CircuitBuilder::complete(store, program, Some(relation))?;
        let atoms = program.atoms.iter().enumerate();
        let found = atoms.filter_map(|(number, &atom)| {
            let (functor, arguments) = program.other(atom)?;
            let &argument = arguments.first()?;
            (functor == relation).then_some((
                argument,
                builder.signals.get(number).unwrap_or(Signal::FALSE),
            ))
        });
        let found = found.collect();
        Ok((builder.circuit(store, roles), found))
    }

    /// What state and joint move give, and what follows from them, given the signal of each atom.
    pub(super) fn of_atoms(
        store: &Store,
        program: &GroundProgram,
        roles: usize,
        (gates, signal): (Gates, &dyn Fn(usize) -> Signal),
    ) -> Self {
        let mut circuit = Circuit {
            gates,
            fluents: Vec::new(),
            moves: vec![Vec::new(); roles],
            terminal: Signal::FALSE,
            goals: vec![Vec::new(); roles],
        };
        for (number, &atom) in program.atoms.iter().enumerate() {
            match atom {
                Atom::True(fluent) => circuit.fluents.push(Fluent {
                    term: program.fluents[fluent as usize],
                    initial: program.initial[fluent as usize],
                    holds: signal(number),
                    next: signal(number + 1),
                }),
                Atom::Does(mv) => {
                    let (role, term) = program.moves[mv as usize];
                    circuit.moves[role as usize].push(Move {
                        term,
                        made: signal(number),
                        legal: signal(number + 1),
                    });
                }
                Atom::Goal(role, term) => circuit.goals[role as usize].push(Payoff {
                    term,
                    value: GoalValue::of(store, term),
                    signal: signal(number),
                }),
                Atom::Terminal => circuit.terminal = signal(number),
                Atom::Next(_) | Atom::Legal(_) | Atom::Other(..) | Atom::Void => {}
            }
        }
        circuit
    }
}

/// A circuit in the making.
struct CircuitBuilder<'p> {
    keywords: Keywords,
    program: &'p GroundProgram,
    uses: Uses,
    certainty: Certainty,
    gates: Gates,
    signals: Signals,
}

impl<'p> CircuitBuilder<'p> {
    fn new(keywords: Keywords, program: &'p GroundProgram) -> Self {
        let uses = Uses::of_program(program);
        Self {
            keywords,
            certainty: Certainty::of(program, &uses),
            uses,
            gates: Gates::default(),
            signals: Signals::unknown(program.atoms.len()),
            program,
        }
    }

    /// With the gates of all that is asked of a game, and of one predicate more.
    fn complete(
        store: &mut Store,
        program: &'p GroundProgram,
        more: Option<Functor>,
    ) -> Result<Self, EvaluationError> {
        let mut builder = CircuitBuilder::new(Keywords::of(store), program);
        builder.sources();
        builder.derive_without_moves()?;
        builder.derive(&|atom| {
            let predicate = program.other(atom).map(|(predicate, _)| predicate);
            matches!(atom, Atom::Next(_)) || more.is_some() && predicate == more
        })?;
        Ok(builder)
    }

    /// Makes the gates of fluents and moves, and makes constants of what never changes.
    fn sources(&mut self) {
        for (number, &atom) in self.program.atoms.iter().enumerate() {
            // A fluent that is certain is the constant true from here on; one that is never possible needs no gate.
            let constant = match (
                self.certainty.certain[number],
                self.certainty.possible[number],
            ) {
                (true, _) => Some(Signal::TRUE),
                (false, false) => Some(Signal::FALSE),
                (false, true) => None,
            };
            let signal = match atom {
                // A move that is legal in some state keeps its source even if it were certain: it is made in some
                // joint moves only.
                Atom::Does(_) if constant == Some(Signal::FALSE) => constant,
                Atom::Does(mv) => {
                    let (role, _) = self.program.moves[mv as usize];
                    Some(self.gates.source_move(role, mv))
                }
                Atom::True(fluent) => {
                    constant.or_else(|| Some(self.gates.source(Gate::Fluent(fluent))))
                }
                Atom::Void => Some(Signal::FALSE),
                Atom::Next(_)
                | Atom::Legal(_)
                | Atom::Goal(..)
                | Atom::Terminal
                | Atom::Other(..) => constant,
            };
            self.signals.set(number, signal);
        }
    }

    /// The conditions of a rule whose signals are not known; nothing if one fails.
    fn conditions(&self, rule: usize) -> Option<Conjunction> {
        let mut open = Conjunction::new();
        // First a look for a failing condition, which spares the rest of the work: most rules of a large game fail
        // here.
        let literals = self.program.rule(rule).1;
        let known = |literal: &GroundLiteral| {
            let signal = self.signals.get(literal.atom());
            signal.map(|signal| signal.inverted_if(literal.is_negated()))
        };
        if literals
            .iter()
            .any(|literal| known(literal) == Some(Signal::FALSE))
        {
            return None;
        }
        for literal in literals {
            match known(literal) {
                Some(Signal::TRUE) => {}
                Some(signal) => open.push(signal),
                None => unreachable!("what a rule asks for is derived before it"),
            }
        }
        open.sort_unstable();
        open.dedup();
        Some(open)
    }

    /// Derives what is asked of a state. No move is made then: rules that read moves all the same, which
    /// they should not, find none.
    fn derive_without_moves(&mut self) -> Result<(), EvaluationError> {
        let moves = self.depending_on_moves();
        let made: Vec<(usize, Option<Signal>)> = moves
            .iter()
            .filter(|&&atom| matches!(self.program.atoms[atom], Atom::Does(_)))
            .map(|&atom| (atom, self.signals.get(atom)))
            .collect();
        // `legal` and `goal` must not depend on `does`. Rules that do so all the same see no move.
        for &(atom, _) in &made {
            self.signals.set(atom, Some(Signal::FALSE));
        }
        let asked = |atom| matches!(atom, Atom::Legal(_) | Atom::Goal(..) | Atom::Terminal);
        self.derive(&asked)?;
        // What was derived without moves is forgotten unless it was asked for: `next` derives it again, with moves.
        for &atom in &moves {
            let constant = self.certainty.certain[atom] || !self.certainty.possible[atom];
            if !asked(self.program.atoms[atom]) && !constant {
                self.signals.set(atom, None);
            }
        }
        for (atom, signal) in made {
            self.signals.set(atom, signal);
        }
        Ok(())
    }

    /// Moves, and the atoms that rules derive from some move.
    fn depending_on_moves(&self) -> Vec<usize> {
        let mut depends = vec![false; self.program.atoms.len()];
        let atoms = self.program.atoms.iter().enumerate();
        let moves = atoms.filter(|(_, atom)| matches!(atom, Atom::Does(_)));
        let mut open: Vec<usize> = moves.map(|(number, _)| number).collect();
        let mut found = Vec::new();
        while let Some(atom) = open.pop() {
            if !std::mem::replace(&mut depends[atom], true) {
                found.push(atom);
                let rules = self.uses.of(atom).iter();
                open.extend(rules.map(|asking| self.program.rule(asking.rule()).0));
            }
        }
        found
    }

    /// Derives the atoms that are asked for, callees first.
    fn derive(&mut self, asked: &dyn Fn(Atom) -> bool) -> Result<(), EvaluationError> {
        let open = OpenAtoms {
            program: self.program,
            uses: &self.uses,
            signals: &self.signals,
        };
        for component in open.components(asked) {
            let atom = component[0];
            // Almost all atoms are alone in their component, and take one disjunction.
            let recursive = component.len() > 1 || self.asks(atom, atom);
            if !recursive {
                let signal = self.derived(atom);
                self.signals.set(atom, Some(signal));
                continue;
            }
            // Within a component no negation, or there is no least model to compute.
            self.check_signs(&component)?;
            self.close(component);
        }
        Ok(())
    }

    fn derived(&mut self, atom: usize) -> Signal {
        let rules = self.program.rules_of(atom);
        let mut terms = Vec::with_capacity(rules.len());
        terms.extend(rules.filter_map(|rule| self.conditions(rule)));
        disjunction(&mut self.gates, terms)
    }

    /// Makes a loop of atoms that depend on each other.
    fn close(&mut self, component: Vec<usize>) {
        // The variables first, so that definitions can refer to them; then the definitions, which close the loop.
        let number = self.gates.loops.len() as u32;
        let mut variables = Vec::new();
        for (at, &atom) in component.iter().enumerate() {
            let signal = self.gates.source(Gate::Variable(number, at as u32));
            variables.push(signal.gate());
            self.signals.set(atom, Some(signal));
        }
        self.gates.loops.push(Loop {
            variables,
            definitions: Vec::new(),
        });
        let definitions = component.iter().map(|&atom| self.derived(atom)).collect();
        self.gates.loops[number as usize].definitions = definitions;
    }

    /// The conditions of the rules of an atom.
    fn conditions_of(&self, atom: usize) -> impl Iterator<Item = &GroundLiteral> {
        let rules = self.program.rules_of(atom);
        rules.flat_map(|rule| self.program.rule(rule).1)
    }

    /// Whether a rule of an atom asks for another one.
    fn asks(&self, atom: usize, other: usize) -> bool {
        let mut conditions = self.conditions_of(atom);
        conditions.any(|literal| literal.atom() == other)
    }

    /// An atom must not depend on its own negation; the atoms of the component are in ascending order.
    fn check_signs(&self, component: &[usize]) -> Result<(), EvaluationError> {
        let closes = |literal: &GroundLiteral| {
            literal.is_negated() && component.binary_search(&literal.atom()).is_ok()
        };
        let mut atoms = component.iter();
        match atoms.find(|&&atom| self.conditions_of(atom).any(closes)) {
            Some(&atom) => Err(EvaluationError::NegativeLoop {
                predicate: self.predicate(atom),
            }),
            None => Ok(()),
        }
    }

    fn predicate(&self, atom: usize) -> Functor {
        self.keywords.functor(match self.program.atoms[atom] {
            Atom::Other(predicate, _) => {
                return self.program.predicates[predicate as usize].functor;
            }
            Atom::True(_) => Keyword::True,
            Atom::Next(_) => Keyword::Next,
            Atom::Does(_) => Keyword::Does,
            Atom::Legal(_) => Keyword::Legal,
            Atom::Goal(..) => Keyword::Goal,
            Atom::Terminal => Keyword::Terminal,
            Atom::Void => unreachable!("what no state has depends on nothing"),
        })
    }

    fn circuit(self, store: &Store, roles: usize) -> Circuit {
        let signals = self.signals;
        let signal = |number: usize| signals.get(number).unwrap_or(Signal::FALSE);
        Circuit::of_atoms(store, self.program, roles, (self.gates, &signal))
    }
}
