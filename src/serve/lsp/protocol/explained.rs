//! An explanation as Markdown: a proof is a list of lists.
//!
//! ```text
//! `(line b)` holds:
//!
//! - `(line b)` by line 46
//!   - `(row 1 b)` by line 33
//!     - `(true (cell 1 1 b))` in the state
//! ```

use std::fmt::Write as _;

use crate::serve::protocol::{Explained, FailedRule, ProofStep, Reason};

/// Steps of a proof that are shown: a proof may be longer than anybody reads.
const MAX_STEPS: usize = 200;

/// How deep lists are nested.
const MAX_DEPTH: usize = 20;

/// Says why a goal holds, or why it does not.
pub(super) fn markdown(goal: &str, explained: &Explained) -> String {
    if let Some(proof) = &explained.proof {
        return format!("`{goal}` holds:\n\n{}", tree(proof));
    }
    let failed = explained.failure.as_deref().unwrap_or_default();
    if failed.is_empty() {
        return format!("`{goal}` does not hold: nothing defines it\n");
    }
    let mut text = format!("`{goal}` does not hold:\n\n");
    for rule in failed {
        text += &failed_rule(rule);
    }
    text
}

fn tree(proof: &[ProofStep]) -> String {
    let mut text = String::new();
    // Parts of a proof are shared; each is shown where it is used, so that lines are counted, not steps.
    let mut open = vec![(0, 0)];
    let mut lines = 0;
    while let Some((number, depth)) = open.pop() {
        let Some(step) = proof.get(number) else {
            continue;
        };
        // Steps that are deeper stay in the order of the proof and are indented no further.
        let indent = "  ".repeat(depth.min(MAX_DEPTH));
        if lines == MAX_STEPS {
            let _ = writeln!(text, "{indent}- …");
            break;
        }
        lines += 1;
        let _ = writeln!(text, "{indent}- `{}` {}", step.goal, reason(step));
        let children = step.children.iter().rev();
        open.extend(children.map(|&child| (child, depth + 1)));
    }
    text
}

fn reason(step: &ProofStep) -> String {
    match (step.reason, &step.rule) {
        (Reason::Rule, Some(rule)) => format!("by line {}", rule.line),
        (Reason::Rule, None) => "by a rule".to_owned(),
        (Reason::State, _) if step.goal.starts_with("(does ") => "in the joint move".to_owned(),
        (Reason::State, _) => "in the state".to_owned(),
        (Reason::Builtin, _) => "built in".to_owned(),
        (Reason::Negation, _) => "nothing gives what is negated".to_owned(),
        (Reason::Undefined, _) => "neither true nor false".to_owned(),
        (Reason::Parts, _) => "its parts hold".to_owned(),
        (Reason::Omitted, _) => "…".to_owned(),
    }
}

fn failed_rule(failed: &FailedRule) -> String {
    let rule = match &failed.rule {
        Some(rule) => format!("line {}", rule.line),
        None => "the state".to_owned(),
    };
    match &failed.condition {
        Some(condition) => format!("- {rule}: `{condition}` fails\n"),
        None => format!("- {rule}\n"),
    }
}
