//! A session: a game that was loaded, the states that were visited, and the answers to requests about them.
//!
//! States form a tree, so that going back costs nothing and every other move begins a branch:
//!
//! ```text
//! 0 ──(mark 2 2)── 1 ──(mark 1 1)── 2          undo from 2 leads to 1; another move there makes state 3,
//!                  └──(mark 3 3)── 3           the same move leads to state 2 again
//! ```
//!
//! Nothing is printed and no clock is read but to say how long work took.

mod ask;
mod board;
mod effects;
mod failure;
mod game;
mod moves;
mod picture;
mod position;
mod solve;
mod tree;

use crate::gdl::RuleSheet;
use crate::limits::Limits;
use crate::serve::protocol::{Answer, Checked, Code, Failure, Legal, Loaded, Sheet, Task};
use crate::serve::session::game::Opened;
use crate::syntax::{DiagnosticJson, Source, detect};
use crate::term::{Case, Store};
use crate::workbench::{Engine, Workbench};

/// The rules that a session begins with.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What messages call the text.
    pub name: String,
    /// The rules.
    pub text: String,
}

/// What is loaded, and where it stands.
pub(super) struct Session {
    limits: Limits,
    game: Option<Opened>,
}

impl Session {
    /// Without a game. The stop flag and the progress of the limits are those of all its work.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, game: None }
    }

    /// Does what is asked for. When it is stopped, the session is as before.
    pub(super) fn answer(&mut self, task: Task) -> Result<Answer, Failure> {
        let answer = self.carry_out(task);
        // What is stopped may fail for a reason that only follows from that; the stop is what is told.
        match (answer, self.limits.stop.raised()) {
            (Err(_), Some(reason)) => Err(reason.into()),
            (answer, _) => answer,
        }
    }

    /// Forgets the game: after a fault of this program nothing of it can be relied on.
    pub(super) fn forget(&mut self) {
        self.game = None;
    }

    fn carry_out(&mut self, task: Task) -> Result<Answer, Failure> {
        if let Task::Load { text, name } = task {
            return Ok(Answer::Loaded(self.load(Opening { name, text })?));
        }
        if let Task::Check { text } = task {
            return Ok(Answer::Checked(check(text)));
        }
        answer_of(self.opened()?, task)
    }

    fn opened(&mut self) -> Result<&mut Opened, Failure> {
        self.game.as_mut().ok_or_else(|| {
            let advice = "no game is loaded; the request \"load\" takes the text of one";
            Failure::new(Code::NoGame, advice)
        })
    }

    /// Takes the rules of a game.
    fn load(&mut self, opening: Opening) -> Result<Loaded, Failure> {
        let source = Source::new(opening.name, opening.text);
        let checked = faults(&source);
        if !checked.ok {
            return Err(Failure {
                diagnostics: checked.diagnostics,
                ..Failure::new(Code::NotPlayable, "the rules cannot be played")
            });
        }
        let name = source.name().to_owned();
        let workbench = Workbench::with(source, Engine::Auto, self.limits.clone())?;
        let mut opened = Opened::new(workbench, self.limits.clone())?;
        let loaded = Loaded {
            name,
            roles: opened.workbench.roles(),
            rules: opened.workbench.parts().game.clauses().len(),
            engine: opened.workbench.parts().player.engine().name(),
            diagnostics: checked.diagnostics,
            position: opened.position(0)?,
        };
        // Only now, so that the game before stays if anything above fails.
        self.game = Some(opened);
        Ok(loaded)
    }
}

/// The answers about a game.
fn answer_of(game: &mut Opened, task: Task) -> Result<Answer, Failure> {
    Ok(match task {
        Task::Sheet {} => Answer::Sheet(sheet(game)),
        Task::State { at } => {
            let at = game.place(at)?;
            Answer::Position(game.position(at)?)
        }
        Task::Legal { at, role } => {
            let at = game.place(at)?;
            let legal = game.legal(at, role.as_deref())?;
            Answer::Legal(Legal { at, legal })
        }
        Task::Board { at } => Answer::Boards(game.boards(at)?),
        Task::Do { moves, at } => {
            let at = game.place(at)?;
            let moves = game.joint_move(at, &moves)?;
            Answer::Position(game.make(at, moves)?)
        }
        Task::Random { at, seed } => {
            let at = game.place(at)?;
            let moves = game.random_move(at, seed)?;
            Answer::Position(game.make(at, moves)?)
        }
        Task::Undo { steps } => Answer::Position(game.undo(steps)?),
        Task::Go { at } => Answer::Position(game.go(at)?),
        Task::Query {
            condition,
            at,
            moves,
            most,
        } => Answer::Answers(game.query(&condition, at, moves.as_ref(), most)?),
        Task::Why { goal, at, moves } => Answer::Explained(game.why(&goal, at, moves.as_ref())?),
        Task::Effects { moves, at } => Answer::Effects(game.effects(at, &moves)?),
        Task::Analyze {} => Answer::Analyzed(game.analysis()?),
        Task::Picture {
            view,
            most,
            depth,
            only,
        } => Answer::Picture(game.picture(view, picture::Detail { most, depth, only })?),
        Task::Playout { playouts, seed } => Answer::Played(game.playouts(playouts, seed)?),
        Task::Solve { at } => Answer::Solved(game.solve(at)?),
        // The first two are carried out without a game, the third by the worker.
        Task::Load { .. } | Task::Check { .. } | Task::Cancel { .. } => {
            return Err(Failure::new(Code::Internal, "this needs no game"));
        }
    })
}

fn sheet(game: &mut Opened) -> Sheet {
    let source = game.workbench.parts().game.source();
    Sheet {
        name: source.name().to_owned(),
        text: source.text().to_owned(),
    }
}

fn check(text: String) -> Checked {
    faults(&Source::new("game", text))
}

/// What is wrong with, or odd about, a text.
fn faults(source: &Source) -> Checked {
    let mut store = Store::new();
    let mut sheet = RuleSheet::read(&mut store, source, detect(source), Case::Fold);
    sheet.lint(&mut store, source);
    sheet.allow_commented(source);
    let diagnostics = sheet.diagnostics.iter();
    Checked {
        ok: !sheet.has_errors(),
        diagnostics: diagnostics
            .map(|diagnostic| DiagnosticJson::of(source, diagnostic))
            .collect(),
    }
}
