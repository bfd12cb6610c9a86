//! `flux ground`: the rules of a game without variables, its circuit, and how large they are.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::Serialize;

use crate::circuit::ground::{self, Atom, GroundProgram, Unnamed};
use crate::circuit::{Circuit, CircuitSize, Gate, Signal, Simulator};
use crate::cli::arguments::{GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::messages::warning_line;
use crate::cli::progress::Display;
use crate::cli::{load, output, watch};
use crate::gdl::{Game, GameError, Vocabulary};
use crate::limits::Limits;
use crate::term::{Prefix, TermId};

/// Make the rules of a game propositional, and say how large that is
///
/// Exit codes: 0 done, 2 a limit was reached, 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Ground {
    #[command(flatten)]
    game: GameArguments,
    /// Print the game without variables instead: a rule sheet that can be read again
    #[arg(long, conflicts_with = "format")]
    rules: bool,
    /// Give up when there are more instances of rules
    #[arg(long, value_name = "N", default_value_t = ground::MAX_RULES)]
    max_rules: usize,
    #[arg(long, default_value = "text")]
    format: GroundFormat,
    #[command(flatten)]
    limits: LimitArguments,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GroundFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// The circuit as a graph, for Graphviz
    Dot,
}

/// What is printed; the fields of the JSON form.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(super) struct GroundingReport {
    fluents: usize,
    moves: usize,
    /// Instances of rules, and their heads and conditions.
    rules: usize,
    literals: usize,
    gates: usize,
    inputs: usize,
    depth: usize,
    loops: usize,
    loop_variables: usize,
    /// Operations of a step of all playouts, of two to four inputs each.
    operations: usize,
    bytes: usize,
    seconds: Seconds,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Seconds {
    read: f64,
    ground: f64,
    circuit: f64,
    code: f64,
}

impl Ground {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == GroundFormat::Json
    }
}

pub(super) fn run(arguments: &Ground) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let mut clock = Clock(Instant::now());
    let display = Display::of(&limits.progress);
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let read = clock.lap();
    let store = vocabulary.store_mut();
    let program = ground::ground(&game, store, &limits, arguments.max_rules)?;
    let grounding = clock.lap();
    if arguments.rules {
        drop(display);
        return print_rules(&game, &vocabulary, &program);
    }
    let store = vocabulary.store_mut();
    let circuit = Circuit::new(store, &program, game.roles().len()).map_err(GameError::from)?;
    let circuit = Arc::new(circuit);
    let building = clock.lap();
    let simulator = Simulator::new(circuit.clone(), &mut vocabulary);
    let size = CircuitSize::of(&circuit);
    let report = GroundingReport {
        fluents: program.fluents.len(),
        moves: program.moves.len(),
        rules: program.rules(),
        literals: program.rules() + program.conditions().len(),
        gates: size.gates,
        inputs: size.inputs,
        depth: size.depth,
        loops: size.loops,
        loop_variables: size.variables,
        operations: simulator.operations(),
        bytes: size.bytes,
        seconds: Seconds {
            read,
            ground: grounding,
            circuit: building,
            code: clock.lap(),
        },
    };
    drop(display);
    match arguments.format {
        GroundFormat::Json => output::json(&report)?,
        GroundFormat::Text => output::text(&page(&report))?,
        GroundFormat::Dot => output::text(&Drawing::of(&game, &vocabulary, &circuit))?,
    }
    warn_of_unnamed(&game, &mut vocabulary, &program, &limits)?;
    Ok(Exit::Done)
}

/// Tells what the game leaves out where it names its fluents and moves.
fn warn_of_unnamed(
    game: &Game,
    vocabulary: &mut Vocabulary,
    program: &GroundProgram,
    limits: &Limits,
) -> Result<(), Failure> {
    let unnamed = Unnamed::of(game, vocabulary, program, limits)?;
    let store = vocabulary.store();
    if let [first, ..] = unnamed.fluents[..] {
        warning_line(&format!(
            "`base` leaves out {} of {} fluents that may hold, such as {}",
            unnamed.fluents.len(),
            program.fluents.len(),
            Prefix::new(store, first)
        ));
    }
    if let [(role, first), ..] = unnamed.moves[..] {
        warning_line(&format!(
            "`input` leaves out {} of {} moves that may be legal, such as {} of {}",
            unnamed.moves.len(),
            program.moves.len(),
            Prefix::new(store, first),
            Prefix::new(store, game.roles()[role as usize])
        ));
    }
    Ok(())
}

/// Tells how long things took, one after the other.
struct Clock(Instant);

impl Clock {
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now - std::mem::replace(&mut self.0, now);
        lap.as_secs_f64()
    }
}

fn page(report: &GroundingReport) -> String {
    let loops = match report.loops {
        0 => "no atoms that depend on each other".to_owned(),
        loops => format!(
            "{} atoms that depend on each other, in {loops} groups",
            report.loop_variables
        ),
    };
    let Seconds {
        read,
        ground,
        circuit,
        code,
    } = report.seconds;
    format!(
        "Ground rules  {} fluents, {} moves, {} rules with {} atoms\n\
         Circuit       {} gates with {} inputs, depth {}, {:.1} MB; {loops}\n\
         Code          {} operations a step\n\
         Seconds       {read:.3} reading, {ground:.3} grounding, {circuit:.3} circuit, {code:.3} code\n",
        report.fluents,
        report.moves,
        report.rules,
        report.literals,
        report.gates,
        report.inputs,
        report.depth,
        report.bytes as f64 / 1e6,
        report.operations,
    )
}

/// Prints the ground game as a rule sheet that can be read again.
fn print_rules(
    game: &Game,
    vocabulary: &Vocabulary,
    program: &GroundProgram,
) -> Result<Exit, Failure> {
    let printer = Printer::new(game, vocabulary, program);
    for &role in game.roles() {
        output::line(&format!("(role {})", printer.term(role)))?;
    }
    for (place, _) in program
        .initial
        .iter()
        .enumerate()
        .filter(|&(_, &holds)| holds)
    {
        output::line(&format!("(init {})", printer.term(program.fluents[place])))?;
    }
    for rule in 0..program.rules() {
        if let Some(line) = printer.rule(rule) {
            output::line(&line)?;
        }
    }
    Ok(Exit::Done)
}

/// What ground rules are written with.
struct Printer<'p> {
    game: &'p Game,
    vocabulary: &'p Vocabulary,
    program: &'p GroundProgram,
    /// By predicate, its name: that of the rules, or one that they do not have.
    names: Vec<String>,
}

impl<'p> Printer<'p> {
    fn new(game: &'p Game, vocabulary: &'p Vocabulary, program: &'p GroundProgram) -> Self {
        let store = vocabulary.store();
        let known: FxHashSet<&str> = store.symbols().names().map(|(_, name)| name).collect();
        let names = program.predicates.iter().map(|predicate| {
            let name = store.name(predicate.functor.symbol);
            // Grounding gives parts of rules names with a blank, which no sheet can write: `either 3` becomes `either_3`.
            if !name.contains(' ') {
                return name.to_owned();
            }
            let mut fresh = name.replace(' ', "_");
            while known.contains(&fresh[..]) {
                fresh.push('_');
            }
            fresh
        });
        Self {
            names: names.collect(),
            game,
            vocabulary,
            program,
        }
    }

    /// A rule; nothing if it never applies.
    fn rule(&self, rule: usize) -> Option<String> {
        let atoms = &self.program.atoms;
        let (head, conditions) = self.program.rule(rule);
        let head = self.atom(atoms[head])?;
        let mut body = String::new();
        for condition in conditions {
            match (self.atom(atoms[condition.atom()]), condition.is_negated()) {
                (Some(atom), false) => body += &format!(" {atom}"),
                (Some(atom), true) => body += &format!(" (not {atom})"),
                (None, false) => return None,
                // What holds never is always false.
                (None, true) => {}
            }
        }
        Some(if body.is_empty() {
            head
        } else {
            format!("(<= {head}{body})")
        })
    }

    fn term(&self, term: TermId) -> String {
        Prefix::new(self.vocabulary.store(), term).to_string()
    }

    /// An atom as it is written in rules; nothing if it holds never.
    fn atom(&self, atom: Atom) -> Option<String> {
        let program = self.program;
        let fluent = |place: u32| self.term(program.fluents[place as usize]);
        let role = |number: u32| self.term(self.game.roles()[number as usize]);
        let mv = |place: u32| {
            let (number, mv) = program.moves[place as usize];
            format!("{} {}", role(number), self.term(mv))
        };
        Some(match atom {
            Atom::True(place) => format!("(true {})", fluent(place)),
            Atom::Next(place) => format!("(next {})", fluent(place)),
            Atom::Does(place) => format!("(does {})", mv(place)),
            Atom::Legal(place) => format!("(legal {})", mv(place)),
            Atom::Goal(number, value) => format!("(goal {} {})", role(number), self.term(value)),
            Atom::Terminal => "terminal".to_owned(),
            Atom::Other(predicate, atom) => {
                let name = &self.names[predicate as usize];
                let arguments = program.predicates[predicate as usize].arguments(atom);
                let arguments = arguments.iter().map(|&argument| self.term(argument));
                match arguments.collect::<Vec<String>>().join(" ") {
                    none if none.is_empty() => name.clone(),
                    arguments => format!("({name} {arguments})"),
                }
            }
            Atom::Void => return None,
        })
    }
}

/// A circuit as a graph: boxes are fluents, ellipses moves, points conjunctions; a dot at the end of an
/// arrow inverts.
struct Drawing<'d> {
    vocabulary: &'d Vocabulary,
    text: String,
}

impl<'d> Drawing<'d> {
    fn of(game: &Game, vocabulary: &'d Vocabulary, circuit: &Circuit) -> String {
        let mut drawing = Self {
            vocabulary,
            text: "digraph circuit {\n  rankdir=LR;\n".to_owned(),
        };
        let gates = &circuit.gates;
        // Gate 0 is the constant, which is written beside what has its value.
        for gate in 1..gates.len() {
            if let Gate::And | Gate::Variable(..) = gates.gate(gate) {
                drawing.node(gate, "point", "");
            }
            for &input in gates.inputs(gate) {
                drawing.edge(input, &format!("g{gate}"));
            }
        }
        for (number, looped) in gates.loops().iter().enumerate() {
            let pairs = looped.variables.iter().zip(&looped.definitions);
            for (variable, &definition) in pairs {
                drawing.edge(definition, &format!("g{variable}"));
            }
            let _ = writeln!(drawing.text, "  // loop {number}");
        }
        for (place, fluent) in circuit.fluents.iter().enumerate() {
            if fluent.holds.gate() != 0 {
                drawing.node(fluent.holds.gate(), "box", &drawing.term(fluent.term));
                let next = format!("next {}", drawing.term(fluent.term));
                drawing.result(&format!("n{place}"), "box", &next, fluent.next);
            }
        }
        for (role, moves) in circuit.moves.iter().enumerate() {
            let name = drawing.term(game.roles()[role]);
            for (place, mv) in moves.iter().enumerate() {
                let shown = format!("{name} {}", drawing.term(mv.term));
                if mv.made.gate() != 0 {
                    drawing.node(mv.made.gate(), "ellipse", &shown);
                }
                let legal = format!("legal {shown}");
                drawing.result(&format!("l{role}_{place}"), "ellipse", &legal, mv.legal);
            }
            for (place, payoff) in circuit.goals[role].iter().enumerate() {
                let goal = format!("goal {name} {}", drawing.term(payoff.term));
                drawing.result(&format!("p{role}_{place}"), "diamond", &goal, payoff.signal);
            }
        }
        drawing.result("terminal", "diamond", "terminal", circuit.terminal);
        drawing.text.push_str("}\n");
        drawing.text
    }

    fn term(&self, term: TermId) -> String {
        Prefix::new(self.vocabulary.store(), term).to_string()
    }

    fn node(&mut self, gate: usize, shape: &str, label: &str) {
        let label = label.replace('"', "\\\"");
        let _ = writeln!(self.text, "  g{gate} [shape={shape}, label=\"{label}\"];");
    }

    fn edge(&mut self, from: Signal, to: &str) {
        let head = if from.is_inverted() { "dot" } else { "normal" };
        let _ = writeln!(self.text, "  g{} -> {to} [arrowhead={head}];", from.gate());
    }

    fn result(&mut self, name: &str, shape: &str, label: &str, signal: Signal) {
        let label = label.replace('"', "\\\"");
        let _ = writeln!(
            self.text,
            "  {name} [shape={shape}, peripheries=2, label=\"{label}\"];"
        );
        match signal.constant() {
            Some(value) => {
                let _ = writeln!(self.text, "  {name} [xlabel=\"{value}\"];");
            }
            None => self.edge(signal, name),
        }
    }
}
