//! Queries: answers one at a time for a person, or all of them for a pipe.

use std::io::Write;
use std::time::Instant;

use crate::cli::failure::{Exit, Failure};
use crate::cli::knowledge::{Answers, Query, Reply};
use crate::cli::repl::keys::{Wish, wish};
use crate::cli::repl::session::{Flow, Session};
use crate::cli::repl::show::{BAD, FAINT, GOOD, OPEN, count, styled};
use crate::cli::{load, output};
use crate::engine::StopReason;
use crate::syntax::{Notation, Source};

/// How the answers of one query are given out.
struct Manner {
    notation: Notation,
    /// After each answer a key says what to do.
    asks: bool,
    /// One answer says all: the query has no variables.
    is_yes_or_no: bool,
    /// Answers given at once.
    most: u64,
}

/// How a query ended.
struct Ending {
    exit: Exit,
    answers: u64,
    flow: Flow,
}

/// Answers a query.
pub(super) fn ask(session: &mut Session, text: &str) -> Result<Flow, Failure> {
    let text = query_text(text);
    if text.is_empty() {
        return Ok(Flow::Continue);
    }
    session.refresh();
    let start = Instant::now();
    let limits = session.limits();
    let mut manner = Manner {
        notation: Notation::Prolog,
        asks: session.is_terminal() && !session.settings.all,
        is_yes_or_no: false,
        most: session.settings.answers,
    };
    let (result, steps) = if session.walk.is_some() {
        let query = read(session, text)?;
        manner.notation = query.notation();
        manner.is_yes_or_no = query.is_ground();
        let mut answers = session.knowledge.ask(&query, limits);
        (give(&mut answers, &manner), answers.steps())
    } else {
        let mut answers = match session.knowledge.ask_prolog(text, limits) {
            Ok(answers) => answers,
            Err(fault) => {
                load::tell(&Source::new("query", text), [&fault])?;
                return Err(Failure::told(Exit::BadInput));
            }
        };
        (give(&mut answers, &manner), answers.steps())
    };
    let ending = result?;
    session.finished(ending.exit, ending.answers, steps, start);
    Ok(ending.flow)
}

/// The goal without the sign of a query.
pub(super) fn query_text(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_prefix("?-").unwrap_or(text);
    text.strip_prefix(":-").unwrap_or(text).trim()
}

/// Reads a question about the game; faults are told here.
pub(super) fn read(session: &mut Session, text: &str) -> Result<Query, Failure> {
    let source = Source::new("query", text);
    match session.knowledge.read(&source) {
        Ok(query) => Ok(query),
        Err(faults) => {
            load::tell(&source, &faults)?;
            Err(Failure::told(Exit::BadInput))
        }
    }
}

/// Gives the answers out.
fn give(answers: &mut Answers<'_>, manner: &Manner) -> Result<Ending, Failure> {
    let mut given = 0;
    let mut asks = manner.asks;
    let mut most = manner.most;
    let end = |exit, answers| Ending {
        exit,
        answers,
        flow: Flow::Continue,
    };
    loop {
        let bindings = match answers.next() {
            Reply::Answer(bindings) => bindings,
            last => {
                answers.fresh_line()?;
                return finish(last, given);
            }
        };
        answers.fresh_line()?;
        if given == most && !asks {
            let note = format!(
                "stopped after {}; :set answers N gives more",
                count(given as usize, "answer")
            );
            output::line(&styled(OPEN, &note))?;
            return Ok(end(Exit::Done, given));
        }
        given += 1;
        let style = if bindings.is_undefined { OPEN } else { GOOD };
        let text = styled(style, &bindings.text(manner.notation));
        if manner.is_yes_or_no || !asks {
            output::line(&text)?;
            if manner.is_yes_or_no {
                return Ok(end(Exit::Done, given));
            }
            continue;
        }
        output::text(&format!("{text} "))?;
        std::io::stdout().flush()?;
        match wish()? {
            Wish::Next => output::line(&styled(FAINT, ";"))?,
            Wish::All => {
                output::line(&styled(FAINT, ";"))?;
                asks = false;
                most = u64::MAX;
            }
            Wish::Stop => {
                output::line("")?;
                return Ok(end(Exit::Done, given));
            }
        }
    }
}

/// Says how a query ended that gives no more answers.
fn finish(last: Reply, given: u64) -> Result<Ending, Failure> {
    let mut ending = Ending {
        exit: Exit::Done,
        answers: given,
        flow: Flow::Continue,
    };
    match last {
        Reply::Answer(_) | Reply::Exhausted => match given {
            0 => {
                output::line(&styled(BAD, "false"))?;
                ending.exit = Exit::Negative;
            }
            1 => output::line(&styled(FAINT, "(no more answers)"))?,
            _ => output::line(&styled(FAINT, &format!("({given} answers)")))?,
        },
        Reply::Exception(message) => return Err(Failure::bad_input(message)),
        Reply::Halt(code) => ending.flow = Flow::Halt(code),
        Reply::Stopped(reason) => {
            let advice = match reason {
                StopReason::TimeLimit => "; :set seconds N gives more time",
                StopReason::StepLimit(_) => "; :set steps N gives more",
                StopReason::Complete
                | StopReason::AnswerLimit(_)
                | StopReason::MemoryLimit
                | StopReason::Interrupted => "",
            };
            output::line(&styled(OPEN, &format!("{reason}{advice}")))?;
            ending.exit = Exit::Limit;
        }
    }
    Ok(ending)
}
