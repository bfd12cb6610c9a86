//! A session: what is loaded, where the game stands, and how it went so far.

use std::time::Duration;

use crate::cli::arguments::{GameArguments, ReadingArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::knowledge::Knowledge;
use crate::cli::repl::complete_input::Dialect;
use crate::cli::repl::helper::Words;
use crate::cli::repl::play::{self, View};
use crate::cli::repl::settings::Settings;
use crate::cli::repl::show::{FAINT, WIDTH, count, styled};
use crate::cli::repl::signature::action_names;
use crate::cli::repl::walk::Walk;
use crate::cli::{input, load, output, watch};
use crate::gdl::{MoveId, shown_name};
use crate::limits::{Limits, StopFlag};
use crate::serve::watch::Watch;
use crate::syntax::{Diagnostic, Notation, Source};
use crate::term::TermId;

/// How long the legal moves may be looked for before a prompt.
const COMPLETION: Duration = Duration::from_millis(100);

/// What a session is started with.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) reading: ReadingArguments,
    pub(super) memory: usize,
    /// Whether a person sits there who can be asked.
    pub(super) is_terminal: bool,
}

pub(super) struct Session {
    pub(super) knowledge: Knowledge,
    pub(super) walk: Option<Walk>,
    pub(super) settings: Settings,
    pub(super) stop: StopFlag,
    pub(super) last: LastQuery,
    setup: Setup,
    game: Option<String>,
    programs: Vec<Source>,
    width: usize,
    /// The moves that queries see as `does/2`.
    tried: Vec<MoveId>,
    /// The machine has not been told the state, or has been told an old one.
    is_stale: bool,
    /// Some input could not be used.
    had_fault: bool,
}

/// What the last query took.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastQuery {
    pub(super) exit: Exit,
    pub(super) answers: u64,
    pub(super) steps: u64,
    pub(super) time: Duration,
}

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
    /// A program asked to end with this code.
    Halt(i64),
}

impl Session {
    pub(super) fn new(setup: Setup, settings: Settings, stop: StopFlag) -> Self {
        Self {
            knowledge: Knowledge::new(),
            walk: None,
            settings,
            stop,
            last: LastQuery {
                exit: Exit::Done,
                answers: 0,
                steps: 0,
                time: Duration::ZERO,
            },
            setup,
            game: None,
            programs: Vec::new(),
            width: WIDTH,
            tried: Vec::new(),
            is_stale: false,
            had_fault: false,
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.setup.is_terminal
    }

    pub(super) fn programs(&self) -> &[Source] {
        &self.programs
    }

    pub(super) fn set_width(&mut self, width: Option<usize>) {
        self.width = width.unwrap_or(WIDTH);
    }

    pub(super) fn dialect(&self) -> Dialect {
        match self.walk {
            Some(_) => Dialect::Game,
            None => Dialect::Prolog,
        }
    }

    pub(super) fn view(&self) -> View {
        let of_game = self.walk.as_ref().map_or(Notation::Infix, Walk::notation);
        View {
            notation: self.settings.notation.unwrap_or(of_game),
            width: self.width,
        }
    }

    /// The exit code of a session that was read from a pipe.
    pub(super) fn exit(&self) -> Exit {
        if self.had_fault {
            Exit::BadInput
        } else {
            self.last.exit
        }
    }

    /// Tells a failure, unless the reader has closed the stream.
    pub(super) fn note(&mut self, failure: Failure) -> Result<Flow, Failure> {
        match failure.exit() {
            Exit::Done => return Err(failure),
            exit @ (Exit::Negative | Exit::Limit) => self.last.exit = exit,
            Exit::BadInput | Exit::Internal => self.had_fault = true,
        }
        failure.in_dialogue().report();
        Ok(Flow::Continue)
    }

    /// Walks through the game by a step, after which queries see another state, and no moves.
    pub(super) fn step(
        &mut self,
        step: impl FnOnce(&mut Walk, View) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let view = self.view();
        let walk = self.walk.as_mut().ok_or_else(no_game)?;
        // Before the step, which may fail after it has changed the state: `:random 5` can get stuck at the third move.
        self.is_stale = true;
        self.tried.clear();
        step(walk, view)
    }

    /// Has queries see a joint move, or none.
    pub(super) fn try_moves(&mut self, moves: Vec<MoveId>) {
        self.tried = moves;
        self.is_stale = true;
    }

    /// Starts the limits of the dialogue for one line; they end with the watch.
    pub(super) fn watched(&mut self) -> Watch {
        self.stop.clear();
        let time = self.settings.seconds.map(Duration::from_secs_f64);
        watch::start(self.stop.clone(), time, self.setup.memory)
    }

    /// Tells the machine the state of the game, if it does not know it.
    pub(super) fn refresh(&mut self) {
        let Some(walk) = self.walk.as_ref().filter(|_| self.is_stale) else {
            return;
        };
        let moves = walk.roles().zip(&self.tried);
        let moves: Vec<(TermId, TermId)> = moves
            .map(|((_, role), &mv)| (role, walk.move_term(mv)))
            .collect();
        self.knowledge
            .set_state(walk.store(), &walk.fluents(), &moves);
        self.is_stale = false;
    }

    /// Whether queries see a game, and no moves in it.
    pub(super) fn lacks_moves(&self) -> bool {
        self.walk.is_some() && self.tried.is_empty()
    }

    /// Limits of one evaluation.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            steps: self.settings.steps,
            stop: self.stop.clone(),
            ..Limits::default()
        }
    }

    /// `:load`, of a file or of all that is loaded once more.
    pub(super) fn load_command(&mut self, file: &str) -> Result<(), Failure> {
        if !file.is_empty() {
            return self.load(file.trim_matches(['"', '\'']), true);
        }
        let programs: Vec<String> = self.programs.iter().map(|p| p.name().to_owned()).collect();
        for file in self.game.clone().into_iter().chain(programs) {
            self.load(&file, true)?;
        }
        Ok(())
    }

    /// Loads a file; the end of its name tells programs from games.
    pub(super) fn load(&mut self, file: &str, says_so: bool) -> Result<(), Failure> {
        let is_program = [".pl", ".pro", ".prolog"]
            .iter()
            .any(|end| file.ends_with(end));
        let summary = if is_program {
            self.load_program(file)?
        } else {
            self.load_game(file)?
        };
        if says_so {
            output::line(&styled(FAINT, &summary))
        } else {
            Ok(())
        }
    }

    fn load_program(&mut self, file: &str) -> Result<String, Failure> {
        let source = input::read(file)?;
        let limits = self.limits();
        let faults = self.knowledge.consult(&source, &limits);
        self.programs.retain(|program| program.name() != file);
        self.programs.push(source.clone());
        self.knowledge.fresh_line()?;
        load::tell(&source, &faults)?;
        if faults.iter().any(Diagnostic::is_error) {
            self.had_fault = true;
            return Ok(format!("loaded {file} in part, see above"));
        }
        Ok(format!("loaded {file}"))
    }

    fn load_game(&mut self, file: &str) -> Result<String, Failure> {
        let arguments = GameArguments {
            game: file.to_owned(),
            reading: self.setup.reading,
        };
        let limits = self.limits();
        let (game, vocabulary) = load::game(&arguments, &limits)?;
        let reading = self.setup.reading;
        let (notation, case) = (reading.notation(game.source()), reading.case());
        // A machine of its own: if anything fails below, the game before stays with the machine that has its rules.
        let mut knowledge = Knowledge::new();
        for program in &self.programs {
            knowledge.consult(program, &limits);
        }
        knowledge.add_game(vocabulary.store(), &game, case)?;
        let mut walk = Walk::new(game, vocabulary, (notation, case), limits)?;
        walk.seed(self.settings.seed);
        let summary = summary(file, &walk, self.view().notation);
        self.knowledge = knowledge;
        self.walk = Some(walk);
        self.game = Some(file.to_owned());
        self.tried.clear();
        self.is_stale = true;
        Ok(summary)
    }

    /// `:set`
    pub(super) fn set(&mut self, rest: &str) -> Result<(), Failure> {
        if rest.is_empty() {
            for (key, value) in self.settings.list() {
                output::line(&format!("  {key:<10} {value}"))?;
            }
            return Ok(());
        }
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        self.settings.set(key, value.trim())?;
        if let (Some(walk), "seed") = (&mut self.walk, key) {
            walk.seed(self.settings.seed);
        }
        Ok(())
    }

    /// `:stats`
    pub(super) fn stats(&mut self) -> Result<(), Failure> {
        let last = self.last;
        output::line(&format!(
            "last query: {}, {}, {:.3} s",
            count(last.answers as usize, "answer"),
            count(last.steps as usize, "step"),
            last.time.as_secs_f64()
        ))?;
        let machine = self.knowledge.machine();
        let (bytes, terms) = (machine.bytes(), machine.store().len());
        output::line(&format!(
            "machine: {} in use, {}",
            count(bytes / 1024, "kilobyte"),
            count(terms, "term")
        ))
    }

    /// Notes what a query took.
    pub(super) fn finished(&mut self, exit: Exit, answers: u64, steps: u64, time: Duration) {
        self.last = LastQuery {
            exit,
            answers,
            steps,
            time,
        };
    }

    /// What can be completed now.
    pub(super) fn words(&mut self) -> Words {
        let view = self.view();
        let machine = self.knowledge.machine();
        let store = machine.store();
        let predicates = machine.known_predicates();
        let names = predicates.map(|p| shown_name(store.name(p.symbol)).to_owned());
        let mut words = Words {
            names: names.collect(),
            ..Words::default()
        };
        if let Some(walk) = &mut self.walk {
            words.names.extend(walk.symbol_names().map(str::to_owned));
            // A prompt that comes late is worse than moves that cannot be completed.
            self.stop.clear();
            let watch = watch::start(self.stop.clone(), Some(COMPLETION), self.setup.memory);
            words.moves = play::move_texts(walk, view.notation);
            drop(watch);
            self.stop.clear();
            words.roles = play::role_texts(walk, view.notation);
            words.actions = action_names(walk);
        }
        // Operators, quoted names and single letters are not worth a completion.
        let is_word =
            |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() > 1;
        words.names.retain(is_word);
        words
    }
}

pub(super) fn no_game() -> Failure {
    Failure::bad_input("no game is loaded; :load FILE loads one")
}

/// `loaded games/nim.gdl: 40 rules, roles white and black`
fn summary(file: &str, walk: &Walk, notation: Notation) -> String {
    let roles: Vec<String> = play::role_texts(walk, notation).into_iter().collect();
    let rules = count(walk.game().clauses().len(), "rule");
    let word = if roles.len() == 1 { "role" } else { "roles" };
    format!("loaded {file}: {rules}, {word} {}", roles.join(", "))
}
