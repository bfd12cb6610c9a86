//! `flux translate --verify`: whether axioms give the successors that the rules give.
//!
//! A proof about all states that satisfy the invariants comes first. Where there is none, states that
//! can be reached are looked at: all of them, or those that playouts visit. So that there is time for that, a
//! proof may take half of what is allowed.

use std::time::Instant;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::{Exactness, ExactnessEffort, ExactnessVerdict, prove_exact};
use crate::cli::failure::{Exit, Failure};
use crate::cli::output;
use crate::cli::progress::Display;
use crate::cli::watch::{self, seconds_of};
use crate::fluent::{
    Bounds, Coverage, GameAxioms, Verification, Written, progression, verify as compare,
};
use crate::gdl::{Game, Vocabulary};
use crate::limits::{Limits, Stage};

/// What is verified.
pub(super) struct VerifyQuestion<'q> {
    pub(super) game: &'q Game,
    pub(super) axioms: &'q GameAxioms,
    pub(super) limits: &'q Limits,
    /// Playouts where there is no proof, unless it is left to the program.
    pub(super) playouts: Option<u64>,
    /// Instances of rules that a proof may look at.
    pub(super) max_rules: usize,
    /// Seconds for all of it.
    pub(super) max_seconds: Option<f64>,
    /// Whether the answer is for programs.
    pub(super) is_json: bool,
}

/// The answer; the fields of the JSON form.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Answer")]
pub(super) struct VerifyAnswer {
    /// `proved`, `counterexample` or `undecided`.
    verdict: &'static str,
    /// Why it is undecided.
    reason: Option<String>,
    /// Whether what is proved of all joint moves is proved of none, since no role can move.
    vacuous: bool,
    /// Fluents in question; those with one circuit by rules and axioms, and those proved by SAT.
    fluents: usize,
    alike: usize,
    by_sat: usize,
    invariants: usize,
    invariants_used: usize,
    gates: usize,
    variables: usize,
    seconds: f64,
    /// A state that satisfies the invariants; it may not be reachable.
    counterexample: Option<Difference>,
    /// What a look at reachable states has shown where there is no proof.
    comparison: Option<Comparison>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Comparison {
    /// Whether all reachable states were looked at.
    exhaustive: bool,
    playouts: Option<u64>,
    states: usize,
    transitions: u64,
    difference: Option<Difference>,
}

/// A state and a joint move of which rules and axioms say different things.
#[derive(Debug, Serialize, JsonSchema)]
struct Difference {
    state: Vec<String>,
    joint_move: IndexMap<String, String>,
    by_rules: Vec<String>,
    by_axioms: Vec<String>,
    missing: Vec<String>,
    extra: Vec<String>,
    /// Lines of the rules behind it.
    rules: Vec<u32>,
}

pub(super) fn verify(
    question: &VerifyQuestion<'_>,
    vocabulary: &mut Vocabulary,
) -> Result<Exit, Failure> {
    let VerifyQuestion { game, axioms, .. } = *question;
    let start = Instant::now();
    let found = prove(question, vocabulary)?;
    let seconds = start.elapsed().as_secs_f64();
    let counterexample = match &found.verdict {
        ExactnessVerdict::Refuted(difference) => Some(difference.written(game, axioms, vocabulary)),
        ExactnessVerdict::Proved | ExactnessVerdict::Undecided(_) => None,
    };
    // Told before the look at states, which may take long.
    if !question.is_json {
        output::line(&page(&found, counterexample.as_ref(), seconds))?;
    }
    let comparison = match found.verdict {
        ExactnessVerdict::Proved => None,
        ExactnessVerdict::Refuted(_) | ExactnessVerdict::Undecided(_) => {
            Some(look(question, vocabulary)?)
        }
    };
    if question.is_json {
        let written = comparison.as_ref().map(|outcome| {
            let difference = outcome.difference.as_ref();
            let difference = difference.map(|found| found.written(game, axioms, vocabulary));
            Comparison::of(outcome, difference.as_ref())
        });
        output::json(&VerifyAnswer::of(
            &found,
            counterexample.as_ref(),
            seconds,
            written,
        ))?;
    } else if let Some(outcome) = &comparison {
        let report = outcome.report(game, axioms, vocabulary).to_string();
        output::line(report.trim_end())?;
    }
    Ok(exit(&found, comparison.as_ref()))
}

/// Tries to prove that rules and axioms agree in all states.
fn prove(question: &VerifyQuestion<'_>, vocabulary: &mut Vocabulary) -> Result<Exactness, Failure> {
    // What is left of the time is for a look at reachable states.
    let time = question.max_seconds.map(|seconds| seconds / 2.0);
    let time = time.map(|seconds| seconds_of(seconds, "--max-seconds"));
    let (limits, _watch) = watch::part(question.limits, time.transpose()?);
    let effort = ExactnessEffort {
        max_rules: question.max_rules,
        ..ExactnessEffort::default()
    };
    let _display = Display::of(&question.limits.progress);
    Ok(prove_exact(
        question.game,
        question.axioms,
        vocabulary,
        &limits,
        &effort,
    ))
}

/// Looks at states that can be reached.
fn look(
    question: &VerifyQuestion<'_>,
    vocabulary: &mut Vocabulary,
) -> Result<Verification, Failure> {
    let VerifyQuestion {
        game,
        axioms,
        limits,
        ..
    } = *question;
    let mut rules = game.tabled(vocabulary, limits.clone())?;
    let mut progression = progression(game, axioms, vocabulary, limits)?;
    let default = Bounds::default();
    let bounds = Bounds {
        playouts: question.playouts.unwrap_or(default.playouts),
        ..default
    };
    let roles = game.roles().len() as u32;
    limits.progress.begin(Stage::Comparing, None);
    let _display = Display::of(&limits.progress);
    Ok(compare(
        &mut rules,
        &mut progression,
        vocabulary,
        roles,
        &bounds,
    )?)
}

/// A difference in a state that can be reached is a fault of the program. One in another state says that
/// nothing is proved, unless all that can be reached were looked at.
fn exit(found: &Exactness, comparison: Option<&Verification>) -> Exit {
    match (&found.verdict, comparison) {
        (_, Some(outcome)) if outcome.difference.is_some() => Exit::Internal,
        (ExactnessVerdict::Refuted(_), Some(outcome))
            if outcome.coverage != Coverage::Exhausted =>
        {
            Exit::Negative
        }
        (
            ExactnessVerdict::Proved
            | ExactnessVerdict::Refuted(_)
            | ExactnessVerdict::Undecided(_),
            _,
        ) => Exit::Done,
    }
}

fn page(found: &Exactness, counterexample: Option<&Written>, seconds: f64) -> String {
    match counterexample {
        Some(counterexample) => format!("{found}\n{counterexample}"),
        None if found.verdict == ExactnessVerdict::Proved => {
            format!("{found}\n  seconds     {seconds:.2}")
        }
        None => found.to_string(),
    }
}

impl VerifyAnswer {
    fn of(
        found: &Exactness,
        counterexample: Option<&Written>,
        seconds: f64,
        comparison: Option<Comparison>,
    ) -> Self {
        let tally = &found.tally;
        let (verdict, reason) = match &found.verdict {
            ExactnessVerdict::Proved => ("proved", None),
            ExactnessVerdict::Refuted(_) => ("counterexample", None),
            ExactnessVerdict::Undecided(doubt) => ("undecided", Some(doubt.to_string())),
        };
        Self {
            verdict,
            reason,
            vacuous: tally.vacuous,
            fluents: tally.fluents,
            alike: tally.alike,
            by_sat: tally.searched,
            invariants: tally.invariants,
            invariants_used: tally.used,
            gates: tally.gates,
            variables: tally.variables,
            seconds,
            counterexample: counterexample.map(value),
            comparison,
        }
    }
}

impl Comparison {
    fn of(outcome: &Verification, difference: Option<&Written>) -> Self {
        Self {
            exhaustive: outcome.coverage == Coverage::Exhausted,
            playouts: match outcome.coverage {
                Coverage::Exhausted => None,
                Coverage::Sampled { playouts } => Some(playouts),
            },
            states: outcome.states,
            transitions: outcome.transitions,
            difference: difference.map(value),
        }
    }
}

fn value(written: &Written) -> Difference {
    Difference {
        state: written.state.clone(),
        joint_move: written.joint_move.iter().cloned().collect(),
        by_rules: written.by_rules.clone(),
        by_axioms: written.by_axioms.clone(),
        missing: written.missing.clone(),
        extra: written.extra.clone(),
        rules: written.rules.iter().map(|&(line, _)| line).collect(),
    }
}
