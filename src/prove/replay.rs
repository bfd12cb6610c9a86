//! Plays, replayed by the rules: what a play is said to show has to be true where the rules are evaluated by tabled
//! resolution, which is independent of circuits.

use crate::circuit::Circuit;
use crate::gdl::{
    Goal, GoalValue, MoveId, Reasoner, ReasonerError, RoleId, State, Tabled, Vocabulary,
};
use crate::prove::census::Census;
use crate::prove::finding::Play;
use crate::prove::formula::{PathOperator, StateAtom, Subformula};
use crate::prove::property::{Property, PropertyKind, PropertyQuestion};

/// What a play is said to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning<'m> {
    pub(super) question: &'m PropertyQuestion,
    pub(super) circuit: &'m Circuit,
    /// What goal values are said to add up to.
    pub(super) sum: i64,
    /// The number of roles.
    pub(super) roles: usize,
}

/// Whether the rules allow a play, and its end shows what it is said to.
///
/// # Errors
/// [`ReasonerError`] if it is stopped.
pub(super) fn confirms(
    play: &Play,
    meaning: Meaning<'_>,
    tabled: &mut Tabled,
    vocabulary: &mut Vocabulary,
) -> Result<bool, ReasonerError> {
    let mut states = vec![tabled.initial_state(vocabulary)?];
    let mut legal = Vec::new();
    for joint in &play.moves {
        let Some(state) = states.last() else {
            return Ok(false);
        };
        if tabled.is_terminal(vocabulary, state)? || joint.len() != meaning.roles {
            return Ok(false);
        }
        let moves: Vec<MoveId> = joint.iter().map(|&term| vocabulary.mv(term)).collect();
        for (role, mv) in (0..).map(RoleId).zip(&moves) {
            tabled.legal_moves(vocabulary, state, role, &mut legal)?;
            if !legal.contains(mv) {
                return Ok(false);
            }
        }
        states.push(tabled.successor(vocabulary, state, &moves)?);
    }
    // A play shows something at its end: in the last state, or in the move that leads to it.
    let (Some(end), before) = (states.last(), states.iter().rev().nth(1)) else {
        return Ok(false);
    };
    let mut reading = StateReading::new(meaning, tabled, vocabulary);
    match (reading.property.kind, play.repeats) {
        (PropertyKind::Terminates | PropertyKind::Acyclic, Some(first)) => {
            Ok(states.get(first) == Some(end))
        }
        _ => reading.is_shown(before, end),
    }
}

/// By state of a census, whether the rules say that it shows something, or that the move to it does.
///
/// # Errors
/// [`ReasonerError`] if it is stopped.
pub(super) fn showing(
    census: &Census,
    meaning: Meaning<'_>,
    tabled: &mut Tabled,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<bool>, ReasonerError> {
    let mut reading = StateReading::new(meaning, tabled, vocabulary);
    let states = census.states.iter();
    let shown = states.map(|state| reading.is_shown(None, state));
    let mut shown: Vec<bool> = shown.collect::<Result<_, _>>()?;
    let is_of_steps = match meaning.question {
        PropertyQuestion::Named(property) => property.kind == PropertyKind::Monotonic,
        // Of a formula about states alone, the move that leads to a state changes nothing.
        PropertyQuestion::Formula(_) => true,
    };
    for (from, moves) in census.states.iter().zip(&census.moves) {
        for &(_, to) in moves.iter().filter(|_| is_of_steps) {
            shown[to] |= reading.is_shown(Some(from), &census.states[to])?;
        }
    }
    Ok(shown)
}

fn is_path(part: &Subformula) -> bool {
    matches!(part, Subformula::Path(..))
}

/// The rules, asked what single states show.
struct StateReading<'s> {
    meaning: Meaning<'s>,
    property: Property,
    tabled: &'s mut Tabled,
    vocabulary: &'s mut Vocabulary,
}

impl<'s> StateReading<'s> {
    fn new(meaning: Meaning<'s>, tabled: &'s mut Tabled, vocabulary: &'s mut Vocabulary) -> Self {
        let property = match meaning.question {
            PropertyQuestion::Named(property) => *property,
            PropertyQuestion::Formula(_) => Property::of_game(PropertyKind::Playable),
        };
        Self {
            meaning,
            property,
            tabled,
            vocabulary,
        }
    }

    /// Whether a state, or the move to it, shows what is said.
    fn is_shown(&mut self, before: Option<&State>, end: &State) -> Result<bool, ReasonerError> {
        if let PropertyQuestion::Formula(formula) = self.meaning.question {
            return self.decides(formula.root(), before, end);
        }
        match (self.property.kind, before) {
            (PropertyKind::Monotonic, Some(before)) => self.falls(before, end),
            (PropertyKind::Monotonic, None) => Ok(false),
            (kind, _) => self.shows(kind, end),
        }
    }

    fn roles(&self) -> Vec<RoleId> {
        let property = self.property;
        let roles = (0..self.meaning.roles).filter(|&role| property.is_of(role));
        roles.map(|role| RoleId(role as u32)).collect()
    }

    fn shows(&mut self, kind: PropertyKind, state: &State) -> Result<bool, ReasonerError> {
        let is_end = self.tabled.is_terminal(self.vocabulary, state)?;
        match kind {
            PropertyKind::Playable => {
                Ok(!is_end && self.options(self.roles(), state)?.contains(&0))
            }
            PropertyKind::TurnTaking => Ok(!is_end && self.two_choose(state)?),
            PropertyKind::ZeroSum | PropertyKind::ConstantSum => {
                let sums = self.sums(state)?;
                Ok(is_end && sums.iter().any(|&sum| sum != self.meaning.sum))
            }
            PropertyKind::GoalsDefined => Ok(is_end && self.goals(state)?.contains(&Goal::Absent)),
            PropertyKind::GoalsUnique => {
                let is_two = |goal: &Goal| matches!(goal, Goal::Contradictory(_));
                Ok(is_end && self.goals(state)?.iter().any(is_two))
            }
            PropertyKind::GoalsBounded => Ok(is_end && self.is_out_of_bounds(state)?),
            PropertyKind::WeaklyWinnable | PropertyKind::StronglyWinnable => {
                let goals = self.goals(state)?;
                let mut values = goals.iter().flat_map(|goal| self.values(goal));
                Ok(is_end && values.any(|value| value == i64::from(GoalValue::MOST)))
            }
            PropertyKind::Terminates
            | PropertyKind::Acyclic
            | PropertyKind::Monotonic
            | PropertyKind::RulesApply
            | PropertyKind::MovesLegal
            | PropertyKind::Symmetric => Ok(false),
        }
    }

    /// Whether the last states of a play decide a formula: break what always holds, or show what some play comes to.
    fn decides(
        &mut self,
        formula: &Subformula,
        before: Option<&State>,
        end: &State,
    ) -> Result<bool, ReasonerError> {
        match formula {
            // The states that refute a formula are those that show its negation.
            Subformula::Not(part) => self.decides(part, before, end),
            Subformula::Path(true, PathOperator::Always, parts) => {
                // Broken is `or p … (next q)` by a move before which no p holds, and after which q does not; and
                // `or p …` without a next by a state.
                let parts = parts.first().map_or(&[][..], Subformula::branches);
                let is_of_steps = parts.iter().any(is_path);
                for part in parts {
                    let (state, part) = if let Subformula::Path(_, PathOperator::Next, inner) = part
                    {
                        (Some(end), inner.first())
                    } else if is_of_steps {
                        (before, Some(part))
                    } else {
                        (Some(end), Some(part))
                    };
                    let (Some(state), Some(part)) = (state, part) else {
                        return Ok(false);
                    };
                    if self.truth(part, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Subformula::Path(false, PathOperator::Eventually, parts) => match parts.first() {
                Some(part) => self.truth(part, end),
                None => Ok(false),
            },
            Subformula::Atom(_) | Subformula::And(_) | Subformula::Or(_) | Subformula::Path(..) => {
                Ok(false)
            }
        }
    }

    /// Whether a formula about a state is true of it.
    fn truth(&mut self, part: &Subformula, state: &State) -> Result<bool, ReasonerError> {
        let circuit = self.meaning.circuit;
        match part {
            Subformula::Atom(StateAtom::Terminal) => {
                self.tabled.is_terminal(self.vocabulary, state)
            }
            Subformula::Atom(StateAtom::True(place)) => {
                let fluent = self.vocabulary.fluent(circuit.fluents[*place].term);
                Ok(state.contains(fluent))
            }
            Subformula::Atom(StateAtom::Legal(role, mv)) => {
                let mut legal = Vec::new();
                let mv = self.vocabulary.mv(circuit.moves[*role][*mv].term);
                let role = RoleId(*role as u32);
                self.tabled
                    .legal_moves(self.vocabulary, state, role, &mut legal)?;
                Ok(legal.contains(&mv))
            }
            Subformula::Atom(StateAtom::Goal(role, place)) => {
                let payoff = circuit.goals[*role][*place];
                let goal = self
                    .tabled
                    .goal(self.vocabulary, state, RoleId(*role as u32))?;
                Ok(match &goal {
                    Goal::Value(value) => payoff.value == Some(*value),
                    Goal::NotAValue(term) => payoff.term == *term,
                    Goal::Contradictory(terms) => terms.contains(&payoff.term),
                    Goal::Absent => false,
                })
            }
            Subformula::Not(part) => Ok(!self.truth(part, state)?),
            Subformula::And(parts) => Ok(self.truths(parts, state)?.into_iter().all(|is| is)),
            Subformula::Or(parts) => Ok(self.truths(parts, state)?.into_iter().any(|is| is)),
            Subformula::Path(..) => Ok(false),
        }
    }

    /// Whether each of some formulas about a state is true of it.
    fn truths(&mut self, parts: &[Subformula], state: &State) -> Result<Vec<bool>, ReasonerError> {
        let truths = parts.iter().map(|part| self.truth(part, state));
        truths.collect()
    }

    /// The number of legal moves of each of some roles.
    fn options(&mut self, roles: Vec<RoleId>, state: &State) -> Result<Vec<usize>, ReasonerError> {
        let mut legal = Vec::new();
        let mut options = Vec::new();
        for role in roles {
            self.tabled
                .legal_moves(self.vocabulary, state, role, &mut legal)?;
            options.push(legal.len());
        }
        Ok(options)
    }

    /// Whether two roles have a choice, one of them that of the property if it is of one.
    fn two_choose(&mut self, state: &State) -> Result<bool, ReasonerError> {
        let everyone = (0..self.meaning.roles).map(|role| RoleId(role as u32));
        let options = self.options(everyone.collect(), state)?.into_iter();
        let choosing = options.enumerate().filter(|&(_, number)| number > 1);
        let choosing: Vec<usize> = choosing.map(|(role, _)| role).collect();
        let own = self.property.role;
        Ok(choosing.len() > 1 && own.is_none_or(|role| choosing.contains(&role)))
    }

    fn goals(&mut self, state: &State) -> Result<Vec<Goal>, ReasonerError> {
        let roles = self.roles().into_iter();
        let goals = roles.map(|role| self.tabled.goal(self.vocabulary, state, role));
        goals.collect()
    }

    /// All values of a goal.
    fn values(&self, goal: &Goal) -> Vec<i64> {
        let store = self.vocabulary.store();
        let value = |value: GoalValue| i64::from(value.0);
        match goal {
            Goal::Value(one) => vec![value(*one)],
            Goal::Absent | Goal::NotAValue(_) => Vec::new(),
            Goal::Contradictory(terms) => {
                let values = terms.iter().filter_map(|&term| GoalValue::of(store, term));
                values.map(value).collect()
            }
        }
    }

    fn is_out_of_bounds(&mut self, state: &State) -> Result<bool, ReasonerError> {
        let goals = self.goals(state)?;
        let store = self.vocabulary.store();
        Ok(goals.iter().any(|goal| match goal {
            Goal::Value(_) | Goal::Absent => false,
            Goal::NotAValue(_) => true,
            Goal::Contradictory(terms) => terms
                .iter()
                .any(|&term| GoalValue::of(store, term).is_none()),
        }))
    }

    /// What goal values of all roles add up to, for each choice among several of a role.
    fn sums(&mut self, state: &State) -> Result<Vec<i64>, ReasonerError> {
        // A role without a value leaves no sum at all: that is a matter of another property.
        let mut sums = vec![0];
        for goal in self.goals(state)? {
            let values = self.values(&goal);
            let longer = sums
                .iter()
                .flat_map(|sum| values.iter().map(move |value| sum + value));
            sums = longer.collect();
        }
        Ok(sums)
    }

    /// Whether some role has a value in a state that is greater than one in the next state.
    fn falls(&mut self, before: &State, after: &State) -> Result<bool, ReasonerError> {
        let (earlier, later) = (self.goals(before)?, self.goals(after)?);
        Ok(earlier.iter().zip(&later).any(|(earlier, later)| {
            // Of several values of a role, those that show a fall best.
            let most = self.values(earlier).into_iter().max();
            let least = self.values(later).into_iter().min();
            most.zip(least).is_some_and(|(most, least)| most > least)
        }))
    }
}
