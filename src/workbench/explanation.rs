//! Why something holds in a state, or why it does not, as prefix GDL with the rules that say so.

use crate::gdl::{Game, ReasonerError, State};
use crate::limits::{Limits, StopReason};
use crate::prolog::{Place, Proof, ProofNode, Reason};
use crate::syntax::{Notation, Source, Span};
use crate::term::{Case, TermId};
use crate::workbench::{GameMachine, Query, Workbench, WorkbenchError};

/// What there is to say about a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// It holds. Step 0 is the goal; steps may be shared, and there is no cycle.
    Proof(Vec<ExplanationStep>),
    /// It does not: for every rule that could give it, in the order of the text, where it fails. Empty if no rule has
    /// a head that fits.
    Failure(Vec<Failed>),
}

/// A goal of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplanationStep {
    /// The goal as it holds.
    pub goal: String,
    /// Why it holds.
    pub because: Because,
    /// The goals that it rests on, as indices of the proof.
    pub children: Vec<usize>,
}

/// Why a goal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// The rule at this place of the game gives it.
    Rule(Span),
    /// It is a fluent of the state, or a move of the joint move.
    State,
    /// It is a relation that is built in.
    Builtin,
    /// It is the negation of what no rule gives.
    Negation,
    /// It is neither true nor false.
    Undefined,
    /// Its parts hold.
    Parts,
    /// It was not looked into, since the proof got too long.
    Omitted,
}

/// A rule that does not give a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Its place in the game; none for a fact of the state.
    pub rule: Option<Span>,
    /// The condition that fails, as far as variables are bound when it is reached; none if the rule gives the goal
    /// after all.
    pub condition: Option<String>,
}

impl Workbench {
    /// Why a condition holds in a state, or why it does not: the proof of its first instance, or the rules that could
    /// give it and where they fail. A joint move, one move for each role, is what `does` is about.
    ///
    /// The rules are loaded into a machine of their own each time; for many questions, a [`GameMachine`] is kept.
    ///
    /// # Errors
    /// [`WorkbenchError::NotACondition`], [`WorkbenchError::NotAMove`], [`WorkbenchError::MoveCount`], and limits.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::{Explanation, Workbench};
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let start = game.initial_state()?;
    /// let why = game.explain(&start, "(legal xplayer (mark 1 1))", &[])?;
    /// assert!(matches!(why, Explanation::Proof(steps) if steps[0].goal == "(legal xplayer (mark 1 1))"));
    /// assert!(matches!(game.explain(&start, "terminal", &[])?, Explanation::Failure(rules) if rules.len() > 1));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn explain(
        &mut self,
        state: &State,
        condition: &str,
        joint_move: &[&str],
    ) -> Result<Explanation, WorkbenchError> {
        let roles = self.game.roles().to_vec();
        if !joint_move.is_empty() && joint_move.len() != roles.len() {
            return Err(WorkbenchError::MoveCount {
                given: joint_move.len(),
                roles: roles.len(),
            });
        }
        let mut does: Vec<(TermId, TermId)> = Vec::new();
        for (&role, text) in roles.iter().zip(joint_move) {
            let mv = self.parse_move(text)?;
            does.push((role, self.vocabulary.move_term(mv)));
        }
        let fluents = state.fluents();
        let fluents: Vec<TermId> = fluents.map(|f| self.vocabulary.fluent_term(f)).collect();
        let mut machine = GameMachine::default();
        machine.add_game(self.vocabulary.store(), &self.game, Case::Fold)?;
        machine.set_state(self.vocabulary.store(), &fluents, &does);
        let source = Source::new("question", condition);
        let query = machine.read(&source);
        let query = query.map_err(|_| WorkbenchError::NotACondition {
            text: condition.to_owned(),
        })?;
        let explained = explain(&mut machine, &self.game, &query, &self.limits);
        explained.map_err(|reason| ReasonerError::Stopped(reason).into())
    }

    /// The line on which a rule of the game begins, and its text in one line.
    pub fn rule_text(&self, span: Span) -> (u32, String) {
        let source = self.game.source();
        let words: Vec<&str> = source.slice(span).split_whitespace().collect();
        (source.line(span), words.join(" "))
    }
}

/// Explains why a question has an answer in the state that the machine was told, or why it has none.
///
/// # Errors
/// The limit that was reached before that was known.
pub fn explain(
    machine: &mut GameMachine,
    game: &Game,
    query: &Query,
    limits: &Limits,
) -> Result<Explanation, StopReason> {
    if let Some(proof) = machine.machine().why(query.goal(), limits.clone())? {
        return Ok(Explanation::Proof(steps(machine, game, &proof)));
    }
    let refutation = machine.machine().why_not(query.goal(), limits.clone())?;
    let failed = refutation.clauses.into_iter().map(|failed| Failed {
        rule: failed
            .clause
            .and_then(|place| of_game(machine, game, place)),
        condition: failed
            .literal
            .map(|literal| machine.shown(literal, Notation::Prefix)),
    });
    Ok(Explanation::Failure(failed.collect()))
}

fn steps(machine: &mut GameMachine, game: &Game, proof: &Proof) -> Vec<ExplanationStep> {
    let step = |node: &ProofNode| ExplanationStep {
        goal: machine.shown(node.goal, Notation::Prefix),
        because: because(machine, game, node.reason),
        children: node.children.clone(),
    };
    proof.nodes.iter().map(step).collect()
}

fn because(machine: &mut GameMachine, game: &Game, reason: Reason) -> Because {
    match reason {
        Reason::Clause(Some(place)) => {
            of_game(machine, game, place).map_or(Because::Builtin, Because::Rule)
        }
        // Of all clauses only the facts of the state and of the joint move stand in no text.
        Reason::Clause(None) => Because::State,
        Reason::Builtin => Because::Builtin,
        Reason::Negation => Because::Negation,
        Reason::Undefined => Because::Undefined,
        Reason::Construct => Because::Parts,
        Reason::Omitted => Because::Omitted,
    }
}

/// The place in the rules of the game; none for a clause of the library.
fn of_game(machine: &mut GameMachine, game: &Game, place: Place) -> Option<Span> {
    let source = machine.machine().source(place.source)?;
    let own = game.source();
    // Long texts are not compared for each step of a proof.
    let is_own = source.name() == own.name() && source.text().len() == own.text().len();
    is_own.then_some(place.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::Engine;

    /// A limit is an error, and does not say that there is no proof.
    #[test]
    fn a_limit_on_steps_is_told() {
        let rules = include_str!("../../kb/games/tic_tac_toe.gdl");
        for (steps, is_enough) in [(5, false), (100_000, true)] {
            let limits = Limits {
                steps: Some(steps),
                ..Limits::default()
            };
            let source = Source::new("game", rules);
            let whole = Workbench::with(source, Engine::Tabled, Limits::default());
            let mut game = whole.unwrap_or_else(|error| unreachable!("{error}"));
            let start = game.initial_state();
            let start = start.unwrap_or_else(|error| unreachable!("{error}"));
            game.limits = limits;
            for condition in ["terminal", "(not terminal)"] {
                let explained = game.explain(&start, condition, &[]);
                let stopped = explained
                    .as_ref()
                    .map_or_else(WorkbenchError::stopped, |_| None);
                let expected = (!is_enough).then_some(StopReason::StepLimit(steps));
                assert_eq!(stopped, expected, "{condition}: {explained:?}");
            }
        }
    }
}
