//! Instances of conditions, why something holds or not, and what a joint move changes.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::protocol::id::JointMove;

/// The instances of a condition.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answers {
    /// The number of the state.
    pub at: usize,
    /// For each the values of the variables; one without values if there are none and the condition holds.
    pub answers: Vec<IndexMap<String, String>>,
    /// Whether there are no others.
    pub complete: bool,
    /// Why there may be more.
    pub stopped: Option<String>,
}

/// Why something holds or not: one of the two is null.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// The number of the state.
    pub at: usize,
    /// Whether it holds.
    pub holds: bool,
    /// Why it holds: step 0 is the goal.
    pub proof: Option<Vec<ProofStep>>,
    /// Why it does not: every rule that could give it.
    pub failure: Option<Vec<FailedRule>>,
}

/// A goal of a proof.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProofStep {
    /// The goal as it holds.
    pub goal: String,
    /// Why it holds.
    pub reason: Reason,
    /// Where its rule stands.
    pub rule: Option<Rule>,
    /// The goals that it rests on, by index. There is no cycle.
    pub children: Vec<usize>,
}

/// Why a goal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A rule gives it.
    Rule,
    /// It is part of the state, or of the joint move.
    State,
    /// It is built in.
    Builtin,
    /// No rule gives what is negated.
    Negation,
    /// It is neither true nor false.
    Undefined,
    /// Its parts hold.
    Parts,
    /// It was not looked into.
    Omitted,
}

/// A rule that does not give a goal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FailedRule {
    /// Where it stands; null for what holds in the state.
    pub rule: Option<Rule>,
    /// The condition that fails; null if the rule gives the goal after all.
    pub condition: Option<String>,
}

/// A rule of the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rule {
    /// Its first line, from 1.
    pub line: u32,
    /// Its text, on one line.
    pub text: String,
}

/// What a joint move would change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Effects {
    /// The number of the state.
    pub at: usize,
    /// The joint move, of all roles.
    pub moves: JointMove,
    /// What changes; what goes comes first.
    pub changes: Vec<Change>,
}

/// A fluent that changes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    /// `+` if it comes, `-` if it goes.
    pub sign: &'static str,
    /// The fluent.
    pub fluent: String,
    /// The roles whose moves have to do with it; none if every joint move does it.
    pub roles: Vec<String>,
    /// The rules that give it, or could have kept it and do not.
    pub rules: Vec<Rule>,
    /// Conditions that hold and from which it follows.
    pub conditions: Vec<String>,
}
