//! `flux decompose`: the games in a game, each proved to be one.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

use clap::Args;

use crate::circuit::{Circuit, ground};
use crate::cli::analyze::{PictureArguments, draw};
use crate::cli::arguments::{GameArguments, LimitArguments, ReportForm};
use crate::cli::failure::{Exit, Failure};
use crate::cli::progress::Display;
use crate::cli::{load, output, watch};
use crate::decomposition::{
    self, Certificate, CertificateVerdict, DecomposedGame, DecompositionEffort,
};
use crate::workbench;

/// Find the games that a game is made of, and prove that they are
///
/// A variable is a group of fluents of which at most one holds, proved by induction. Variables belong to the
/// same game if what one is next depends on the other, if moves act in both, or if end and goal values need
/// both; that the games found do not depend on each other is proved by a solver, whatever way the rules are
/// written.
///
/// Exit codes: 0 done, 2 a limit was reached, 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Decompose {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the report
    #[arg(long, default_value = "text")]
    format: ReportForm,
    /// Give up when there are more instances of rules
    #[arg(long, value_name = "N", default_value_t = ground::MAX_RULES)]
    max_rules: usize,
    /// Check all claims anew, each with what it stands on, and say how many questions to a solver that takes
    #[arg(long)]
    certify: bool,
    /// Seed of the samples in which dependencies are looked for
    #[arg(long, value_name = "N", default_value_t = DecompositionEffort::default().seed)]
    seed: u64,
    /// Write each game as a rule sheet of its own into this directory, and how the whole comes from them into
    /// composition.json there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

impl Decompose {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == ReportForm::Json
    }
}

pub(super) fn run(arguments: &Decompose) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let display = Display::of(&limits.progress);
    let circuit = workbench::circuit(&game, &mut vocabulary, &limits, arguments.max_rules)?;
    let effort = DecompositionEffort {
        seed: arguments.seed,
        ..DecompositionEffort::default()
    };
    let found = decomposition::decompose(&circuit, &effort, &limits)
        .map_err(|error| Failure::from(error).and(&known_of(&circuit)))?;
    drop(display);
    let store = vocabulary.store();
    let roles = game.role_names(store);
    let title = load::title(&game);
    let subject = DecomposedGame {
        title: &title,
        found: &found,
        circuit: &circuit,
        roles: &roles,
        store,
    };
    if let Some(directory) = &arguments.out {
        write(directory, &subject)?;
    }
    let certificates = if arguments.certify {
        decomposition::certify(&circuit, &found, &effort, &limits)
    } else {
        Vec::new()
    };
    show(arguments, &subject, &certificates, start)
}

/// What is known of a game that is not decomposed.
fn known_of(circuit: &Circuit) -> String {
    let moves: usize = circuit.moves.iter().map(Vec::len).sum();
    format!(
        "; the rules have {} fluents, {moves} moves and {} gates, and `flux analyze` says how they depend on each other \
         by the words of the rules",
        circuit.fluents.len(),
        circuit.gates.len(),
    )
}

/// Prints the games in the form that is asked for; the exit code tells about their certificates.
fn show(
    arguments: &Decompose,
    subject: &DecomposedGame<'_>,
    certificates: &[Certificate],
    start: Instant,
) -> Result<Exit, Failure> {
    match arguments.format {
        ReportForm::Text => {
            let mut text = decomposition::text(subject);
            if arguments.certify {
                text.push_str(&decomposition::certificates(certificates));
            }
            output::text(&text)?;
        }
        ReportForm::Json => {
            let seconds = start.elapsed().as_secs_f64();
            output::json(&decomposition::json(subject, certificates, seconds))?;
        }
        form @ (ReportForm::Dot | ReportForm::Svg) => {
            return draw(form, decomposition::view(subject), &arguments.picture);
        }
    }
    let is = |verdict| move |one: &Certificate| one.verdict == verdict;
    // A claim that its own check refutes is a fault of the program.
    Ok(if certificates.iter().any(is(CertificateVerdict::Fails)) {
        Exit::Internal
    } else if certificates.iter().any(is(CertificateVerdict::Open)) {
        Exit::Limit
    } else {
        Exit::Done
    })
}

/// Writes the sheets of the parts and what puts them together.
fn write(directory: &Path, subject: &DecomposedGame<'_>) -> Result<(), Failure> {
    let emission = decomposition::emit(subject).ok_or_else(|| {
        Failure::bad_input("the parts have no sheets: end, goal or moves are no formulas over them")
    })?;
    let composition = serde_json::to_string_pretty(&emission.composition)? + "\n";
    let sheets = emission.sheets.iter();
    let files = sheets.map(|sheet| (sheet.name.as_str(), sheet.text.as_str()));
    let files = files.chain([("composition.json", composition.as_str())]);
    write_whole(directory, files).map_err(|(path, error)| {
        Failure::bad_input(format!("{}: cannot be written: {error}", path.display()))
    })
}

/// Writes files beside where they belong, and has them take their places when all are written.
fn write_whole<'f>(
    directory: &Path,
    files: impl Iterator<Item = (&'f str, &'f str)>,
) -> Result<(), (PathBuf, io::Error)> {
    fs::create_dir_all(directory).map_err(|error| (directory.to_owned(), error))?;
    let mut written: Vec<(PathBuf, PathBuf)> = Vec::new();
    for (name, text) in files {
        // In the same directory, since a file is renamed within one file system only.
        let beside = directory.join(format!(".{name}.{}", std::process::id()));
        written.push((beside.clone(), directory.join(name)));
        if let Err(error) = fs::write(&beside, text) {
            remove_drafts(&written);
            return Err((beside, error));
        }
    }
    for (number, (beside, path)) in written.iter().enumerate() {
        if let Err(error) = fs::rename(beside, path) {
            remove_drafts(&written[number..]);
            return Err((path.clone(), error));
        }
    }
    Ok(())
}

/// Removes what was written beside where it belongs, and did not get there.
fn remove_drafts(drafts: &[(PathBuf, PathBuf)]) {
    for (beside, _) in drafts {
        // What cannot be removed is left: it has a name of its own.
        let _ = fs::remove_file(beside);
    }
}
