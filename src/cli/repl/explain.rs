//! `:why`, `:whynot` and `:table`: what the machine can tell about itself.

use crate::cli::failure::{Exit, Failure};
use crate::cli::repl::ask::{query_text, read};
use crate::cli::repl::rules::indicator;
use crate::cli::repl::session::Session;
use crate::cli::repl::show::{BAD, FAINT, OPEN, count, styled};
use crate::cli::{load, output};
use crate::gdl::shown_name;
use crate::prolog::{FailedClause, Proof, Reason};
use crate::syntax::{Diagnostic, Notation, Source};
use crate::term::TermId;

/// Lines of a proof that are shown.
const PROOF_LINES: usize = 200;

/// Answers of a table that are shown.
const TABLE_ANSWERS: usize = 20;

/// A goal to explain, a term of the machine, and the notation of the explanation.
struct ExplainedGoal {
    goal: TermId,
    notation: Notation,
}

/// `:why`
pub(super) fn why(session: &mut Session, text: &str) -> Result<(), Failure> {
    let subject = subject(session, text, ":why")?;
    let limits = session.limits();
    let found = session.knowledge.machine().why(subject.goal, limits);
    session.knowledge.fresh_line()?;
    match found? {
        Some(proof) => tree(session, &proof, subject.notation),
        None => {
            let advice = "it has no answer, so there is no proof; :whynot tells why not";
            output::line(&styled(BAD, advice))
        }
    }
}

/// `:whynot`
pub(super) fn why_not(session: &mut Session, text: &str) -> Result<(), Failure> {
    let subject = subject(session, text, ":whynot")?;
    let limits = session.limits();
    let refutation = session.knowledge.machine().why_not(subject.goal, limits);
    session.knowledge.fresh_line()?;
    let refutation = refutation?;
    if refutation.clauses.is_empty() {
        let note = "no rule has a head that fits it";
        return output::line(&styled(BAD, note));
    }
    for failed in &refutation.clauses {
        let line = failed_line(session, failed, subject.notation);
        output::line(&line)?;
    }
    Ok(())
}

/// `game.gdl:19  true(clear(a)) fails`
fn failed_line(session: &mut Session, failed: &FailedClause, notation: Notation) -> String {
    let place = match failed.clause {
        Some(place) => session.knowledge.place(place),
        None => "a fact".to_owned(),
    };
    let place = styled(FAINT, &place);
    match failed.literal {
        Some(literal) => {
            let literal = session.knowledge.shown(literal, notation);
            format!("{place}  {literal} {}", styled(BAD, "fails"))
        }
        None => format!("{place}  gives an answer; :why shows the proof"),
    }
}

/// The goal of a command.
fn subject(session: &mut Session, text: &str, command: &str) -> Result<ExplainedGoal, Failure> {
    let text = query_text(text);
    if text.is_empty() {
        return Err(Failure::bad_input(format!(
            "{command} needs a goal, such as {command} legal(robot, M)"
        )));
    }
    session.refresh();
    if session.walk.is_none() {
        let goal = session.knowledge.machine().read_goal(text);
        return Ok(ExplainedGoal {
            goal: goal.map_err(|fault| told(text, &fault))?,
            notation: Notation::Prolog,
        });
    }
    let query = read(session, text)?;
    Ok(ExplainedGoal {
        goal: query.goal(),
        notation: query.notation(),
    })
}

fn told(text: &str, fault: &Diagnostic) -> Failure {
    match load::tell(&Source::new("goal", text), [fault]) {
        Ok(()) => Failure::told(Exit::BadInput),
        Err(failure) => failure,
    }
}

/// A proof as a tree: goals with the rules that give them, conditions below. What was shown before
/// is not repeated.
fn tree(session: &mut Session, proof: &Proof, notation: Notation) -> Result<(), Failure> {
    let mut shown = vec![false; proof.nodes.len()];
    let mut stack: Vec<(usize, usize)> = vec![(0, 0)];
    let mut lines = 0;
    while let Some((index, depth)) = stack.pop() {
        let Some(node) = proof.nodes.get(index) else {
            continue;
        };
        lines += 1;
        if lines > PROOF_LINES {
            let note = format!(
                "... and so on; the proof has {}",
                count(proof.nodes.len(), "goal")
            );
            return output::line(&styled(OPEN, &note));
        }
        let again = std::mem::replace(&mut shown[index], true) && !node.children.is_empty();
        let goal = session.knowledge.shown(node.goal, notation);
        let indent = "  ".repeat(depth);
        match (again, reason_text(session, node.reason)) {
            (true, _) => output::line(&format!("{indent}{goal}  {}", styled(FAINT, "see above")))?,
            (false, None) => output::line(&format!("{indent}{goal}"))?,
            (false, Some(reason)) => {
                output::line(&format!("{indent}{goal}  {}", styled(FAINT, &reason)))?;
            }
        }
        if !again {
            stack.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    Ok(())
}

/// Why a goal of a proof holds; none for what is seen from its parts.
fn reason_text(session: &Session, reason: Reason) -> Option<String> {
    Some(match reason {
        Reason::Clause(Some(place)) => session.knowledge.place(place),
        // The facts that stand in no text are those of the state.
        Reason::Clause(None) if session.walk.is_some() => "in this state".to_owned(),
        Reason::Clause(None) => "added by a program".to_owned(),
        Reason::Builtin => "built in".to_owned(),
        Reason::Negation => "no rule gives it".to_owned(),
        Reason::Undefined => "undefined".to_owned(),
        Reason::Omitted => "not looked into".to_owned(),
        Reason::Construct => return None,
    })
}

/// `:table`
pub(super) fn tables(session: &mut Session, predicate: &str) -> Result<(), Failure> {
    let wanted = match predicate {
        "" => None,
        _ => Some(indicator(predicate)?),
    };
    let mut any = false;
    for table in session.knowledge.machine().tables() {
        let call = shown_name(table.call.trim_start_matches('\'')).to_owned();
        if wanted.is_some_and(|(name, _)| name_of(&call) != name) {
            continue;
        }
        any = true;
        let mut state = count(table.answers, "answer");
        if table.undefined > 0 {
            state.push_str(&format!(", {} undefined", table.undefined));
        }
        if !table.is_complete {
            state.push_str(", incomplete");
        }
        output::line(&format!("{call}  {}", styled(FAINT, &state)))?;
        // A query for an incomplete table would evaluate the goal, and not show what the table has.
        if wanted.is_some() && table.is_complete {
            answers(session, &table.call)?;
        }
    }
    if any {
        Ok(())
    } else {
        output::line(&styled(FAINT, "no tables"))
    }
}

fn name_of(call: &str) -> &str {
    let end = call.find(['(', '\'']);
    &call[..end.unwrap_or(call.len())]
}

/// The answers of a complete table, from the table itself.
fn answers(session: &mut Session, call: &str) -> Result<(), Failure> {
    let limits = session.limits();
    let machine = session.knowledge.machine();
    let Ok(mut solutions) = machine.query(call, limits) else {
        return Ok(());
    };
    for number in 0.. {
        let crate::prolog::Solution::Answer(_) = solutions.next_solution() else {
            break;
        };
        if number == TABLE_ANSWERS {
            return output::line(&styled(FAINT, "  ..."));
        }
        let answer = solutions.instantiated_goal();
        output::line(&format!("  {answer}"))?;
    }
    Ok(())
}
