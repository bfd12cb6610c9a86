//! `flux ground`: the rules of a game without variables, and how many they are.

use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::circuit::ground::{self, Atom, GroundProgram};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{Format, GameArguments, LimitArguments, load, output, watch};
use crate::gdl::Vocabulary;
use crate::term::Prefix;

/// Make the rules of a game propositional, and say how large that is
///
/// Exit codes: 0 done, 2 a limit was reached, 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Ground {
    #[command(flatten)]
    game: GameArguments,
    /// Print the instances of the rules
    #[arg(long)]
    rules: bool,
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Debug, Serialize)]
struct Report {
    fluents: usize,
    moves: usize,
    atoms: usize,
    rules: usize,
    seconds: f64,
}

pub(super) fn run(arguments: &Ground) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let start = Instant::now();
    let program = ground::ground(&game, vocabulary.store_mut(), &limits, ground::MAX_RULES)?;
    let report = Report {
        fluents: program.fluents.len(),
        moves: program.moves.len(),
        atoms: program.atoms.len(),
        rules: program.rules(),
        seconds: start.elapsed().as_secs_f64(),
    };
    if arguments.rules {
        for rule in 0..program.rules() {
            output::line(&text_of(&vocabulary, &program, &game, rule))?;
        }
    }
    match arguments.format {
        Format::Json => output::json(&report)?,
        Format::Text => output::line(&format!("{report:?}"))?,
    }
    Ok(Exit::Done)
}

fn text_of(vocabulary: &Vocabulary, program: &GroundProgram, game: &crate::gdl::Game, rule: usize) -> String {
    let store = vocabulary.store();
    let show = |atom: usize| match program.atoms[atom] {
        Atom::True(f) => format!("(true {})", Prefix::new(store, program.fluents[f as usize])),
        Atom::Next(f) => format!("(next {})", Prefix::new(store, program.fluents[f as usize])),
        Atom::Does(m) => format!("(does {} {})", Prefix::new(store, game.roles()[program.moves[m as usize].0 as usize]), Prefix::new(store, program.moves[m as usize].1)),
        Atom::Legal(m) => format!("(legal {} {})", Prefix::new(store, game.roles()[program.moves[m as usize].0 as usize]), Prefix::new(store, program.moves[m as usize].1)),
        Atom::Goal(r, v) => format!("(goal {} {})", Prefix::new(store, game.roles()[r as usize]), Prefix::new(store, v)),
        Atom::Terminal => "terminal".to_owned(),
        Atom::Other(t) => Prefix::new(store, t).to_string(),
        Atom::Void => "void".to_owned(),
    };
    let (head, body) = program.rule(rule);
    let body: Vec<String> = body.iter().map(|l| match l.is_negated() { true => format!("(not {})", show(l.atom())), false => show(l.atom()) }).collect();
    format!("(<= {} {})", show(head), body.join(" "))
}
