//! Queries: answers one at a time for a person, or all of them for a pipe.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::cli::answers::{Answers, Reply};
use crate::cli::failure::{Exit, Failure};
use crate::cli::repl::keys::{Wish, wish};
use crate::cli::repl::session::{Flow, Session};
use crate::cli::repl::show::{BAD, FAINT, GOOD, OPEN, count, styled};
use crate::cli::{load, output};
use crate::limits::StopReason;
use crate::syntax::{Notation, Source};
use crate::workbench::Query;

/// How the answers of one query are given out.
struct Manner {
    notation: Notation,
    /// After each answer a key says what to do.
    asks: bool,
    /// One answer says all: the query has no variables.
    is_yes_or_no: bool,
    /// Answers given at once.
    most: u64,
    /// How long the prompt after an answer has waited for a key.
    waited: Duration,
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
        waited: Duration::ZERO,
    };
    let (result, steps) = if session.walk.is_some() {
        let query = read(session, text)?;
        if query.is_about_moves() && session.lacks_moves() {
            let note = "no moves are given, so next and does are about none; :try MOVE gives some";
            output::line(&styled(OPEN, note))?;
        }
        manner.notation = query.notation();
        manner.is_yes_or_no = query.is_ground();
        let mut answers = session.knowledge.answers(&query, limits);
        (give(&mut answers, &mut manner), answers.steps())
    } else {
        let mut answers = match session.knowledge.ask_prolog(text, limits) {
            Ok(answers) => answers,
            Err(fault) => {
                load::tell(&Source::new("query", text), [&*fault])?;
                return Err(Failure::told(Exit::BadInput));
            }
        };
        (give(&mut answers, &mut manner), answers.steps())
    };
    let ending = result?;
    // The time before a key is pressed does not count as time of the query.
    let time = start.elapsed().saturating_sub(manner.waited);
    session.finished(ending.exit, ending.answers, steps, time);
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
fn give(answers: &mut Answers<'_>, manner: &mut Manner) -> Result<Ending, Failure> {
    let mut given = 0;
    loop {
        let reply = answers.next_reply();
        answers.fresh_line()?;
        let Reply::Answer(bindings) = reply else {
            return finish(reply, given, manner);
        };
        // Only one more answer shows that there are more than are to be given.
        if given == manner.most && !manner.asks {
            let found = count(given as usize, "answer");
            let note = format!("stopped after {found}; :set answers N gives more");
            output::line(&styled(OPEN, &note))?;
            return Ok(Ending::enough(given));
        }
        given += 1;
        let style = if bindings.is_undefined { OPEN } else { GOOD };
        let text = styled(style, &bindings.text(manner.notation));
        let is_last = answers.is_last();
        if manner.is_yes_or_no || (bindings.values.is_empty() && is_last) {
            output::line(&text)?;
            return Ok(Ending::enough(given));
        }
        if !manner.asks || is_last {
            output::line(&text)?;
        } else if !goes_on(&text, manner)? {
            return Ok(Ending::enough(given));
        }
    }
}

/// Shows an answer and waits for a key: whether another one is wanted.
fn goes_on(text: &str, manner: &mut Manner) -> Result<bool, Failure> {
    output::text(&format!("{text} "))?;
    // The line stays open while a key is waited for, and would stay in the buffer.
    std::io::stdout().flush()?;
    let asked = Instant::now();
    let wish = wish()?;
    manner.waited += asked.elapsed();
    if wish == Wish::Stop {
        output::line("")?;
        return Ok(false);
    }
    if wish == Wish::All {
        manner.asks = false;
        manner.most = u64::MAX;
    }
    output::line(&styled(FAINT, ";"))?;
    Ok(true)
}

impl Ending {
    /// There may be more answers, but those given are enough.
    fn enough(answers: u64) -> Self {
        Ending {
            exit: Exit::Done,
            answers,
            flow: Flow::Continue,
        }
    }
}

/// Says how a query ended that gives no more answers.
fn finish(last: Reply, given: u64, manner: &Manner) -> Result<Ending, Failure> {
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
            1 if manner.asks => output::line(&styled(FAINT, "(1 answer)"))?,
            1 => {}
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
                | StopReason::JointMoveLimit(_)
                | StopReason::MemoryLimit
                | StopReason::Interrupted => "",
            };
            output::line(&styled(OPEN, &format!("{reason}{advice}")))?;
            ending.exit = Exit::Limit;
        }
    }
    Ok(ending)
}
