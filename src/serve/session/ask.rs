//! Questions about a state: what holds, and why or why not.

use indexmap::{IndexMap, IndexSet};

use crate::prolog::{Answer, Solution};
use crate::serve::protocol::{
    Answers, Code, Explained, FailedRule, Failure, JointMove, ProofStep, Reason, Rule,
};
use crate::serve::session::failure::stopped;
use crate::serve::session::game::Opened;
use crate::syntax::{DiagnosticJson, Source, Span};
use crate::term::bounded_text;
use crate::workbench::{
    Because, Explanation, ExplanationStep, Failed, GameMachine, Query, Workbench,
    exception_in_words, explain,
};

/// Answers that are given if the request does not say how many.
const MOST: u64 = 10_000;

/// Bytes of one value of an answer.
const LARGEST_VALUE: usize = 4 << 20;

impl Opened {
    /// The instances of a condition that hold, each once, in order of discovery.
    pub(super) fn query(
        &mut self,
        condition: &str,
        at: Option<usize>,
        moves: Option<&JointMove>,
        most: Option<u64>,
    ) -> Result<Answers, Failure> {
        let at = self.tell(at, moves)?;
        let limits = self.limits.clone();
        let (machine, _) = self.machine()?;
        let query = read(machine, condition)?;
        let most = most.unwrap_or(MOST);
        let mut found: IndexSet<Vec<(String, String)>> = IndexSet::new();
        let mut solutions = machine.ask(&query, limits);
        let reason = loop {
            match solutions.next_solution() {
                Solution::Answer(answer) => {
                    let values = values(solutions.machine().store(), &answer)?;
                    // One answer without values says all there is to say; any other is the same.
                    if query.is_ground() {
                        found.insert(values);
                        break None;
                    }
                    // Only one more answer shows that there are more than these; the same again does not.
                    if found.len() as u64 == most && !found.contains(&values) {
                        break Some(format!("limit of {most} answers"));
                    }
                    found.insert(values);
                }
                // A condition may be any goal of Prolog; `halt` ends its answers and not the program.
                Solution::Exhausted | Solution::Halt(_) => break None,
                Solution::Stopped(reason) => break Some(stopped(reason)),
                Solution::Exception(exception) => {
                    let message = exception_in_words(solutions.machine(), &exception);
                    return Err(Failure::new(Code::BadInput, message));
                }
            }
        };
        let answers = found.into_iter();
        Ok(Answers {
            at,
            answers: answers
                .map(|answer| answer.into_iter().collect::<IndexMap<String, String>>())
                .collect(),
            complete: reason.is_none(),
            stopped: reason,
        })
    }

    /// The proof of the first answer to a goal, or the rules that could give it and where they fail.
    pub(super) fn why(
        &mut self,
        goal: &str,
        at: Option<usize>,
        moves: Option<&JointMove>,
    ) -> Result<Explained, Failure> {
        let at = self.tell(at, moves)?;
        let limits = self.limits.clone();
        let (machine, workbench) = self.machine()?;
        let query = read(machine, goal)?;
        let explanation = explain(machine, workbench.parts().game, &query, &limits)?;
        let (proof, failure) = match explanation {
            Explanation::Proof(steps) => {
                let steps = steps.into_iter();
                (
                    Some(steps.map(|step| told(workbench, step)).collect()),
                    None,
                )
            }
            Explanation::Failure(failed) => {
                let failed = failed.into_iter();
                let rules = failed.map(|failed| failed_rule(workbench, failed));
                (None, Some(rules.collect()))
            }
        };
        Ok(Explained {
            at,
            holds: proof.is_some(),
            proof,
            failure,
        })
    }

    /// Lets the machine know a state and what `does` is about; gives the number of the state.
    fn tell(&mut self, at: Option<usize>, moves: Option<&JointMove>) -> Result<usize, Failure> {
        let at = self.place(at)?;
        let moves = match moves {
            None => Vec::new(),
            Some(moves) => self.joint_move(at, moves)?,
        };
        let state = self.state(at);
        let (machine, workbench) = self.machine()?;
        let parts = workbench.parts();
        let vocabulary = parts.vocabulary;
        let fluents: Vec<_> = state
            .fluents()
            .map(|id| vocabulary.fluent_term(id))
            .collect();
        let roles = parts.game.roles().iter().copied();
        let moves = moves.iter().map(|&mv| vocabulary.move_term(mv));
        // Without a joint move nothing is paired, and `does` has no facts.
        let does: Vec<_> = roles.zip(moves).collect();
        machine.set_state(vocabulary.store(), &fluents, &does);
        Ok(at)
    }
}

fn read(machine: &mut GameMachine, text: &str) -> Result<Query, Failure> {
    let source = Source::new("question", text);
    machine.read(&source).map_err(|faults| {
        let first = faults.first().map(|fault| fault.message.clone());
        let faults = faults.iter();
        Failure {
            diagnostics: faults
                .map(|fault| DiagnosticJson::of(&source, fault))
                .collect(),
            ..Failure::new(Code::BadInput, first.unwrap_or_default())
        }
    })
}

fn values(store: &crate::term::Store, answer: &Answer) -> Result<Vec<(String, String)>, Failure> {
    let bound = answer.bindings.iter().filter(|binding| !binding.is_free);
    let values = bound.map(|binding| {
        let text = bounded_text(store, binding.term, LARGEST_VALUE);
        let text = text.map_err(|_| Failure::new(Code::Limit, "an answer has more than 4 MiB"))?;
        Ok((binding.name.clone(), text))
    });
    values.collect()
}

/// A rule with its line.
pub(super) fn rule(workbench: &mut Workbench, span: Span) -> Rule {
    let (line, text) = workbench.rule_text(span);
    Rule { line, text }
}

fn told(workbench: &mut Workbench, step: ExplanationStep) -> ProofStep {
    let (reason, span) = match step.because {
        Because::Rule(span) => (Reason::Rule, Some(span)),
        Because::State => (Reason::State, None),
        Because::Builtin => (Reason::Builtin, None),
        Because::Negation => (Reason::Negation, None),
        Because::Undefined => (Reason::Undefined, None),
        Because::Parts => (Reason::Parts, None),
        Because::Omitted => (Reason::Omitted, None),
    };
    ProofStep {
        goal: step.goal,
        reason,
        rule: span.map(|span| rule(workbench, span)),
        children: step.children,
    }
}

fn failed_rule(workbench: &mut Workbench, failed: Failed) -> FailedRule {
    FailedRule {
        rule: failed.rule.map(|span| rule(workbench, span)),
        condition: failed.condition,
    }
}
