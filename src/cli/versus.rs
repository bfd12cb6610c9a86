//! `flux solve` for games of several roles: what each can force.

use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::cli::failure::{Exit, Failure};
use crate::cli::moves::{check_legal, joint_moves};
use crate::cli::progress::Display;
use crate::cli::{Format, certificate, input, output, shown};
use crate::gdl::{Expansion, Expansions, Game, MoveId, Reasoner, State, Vocabulary};
use crate::limits::Limits;
use crate::search::Halt;
use crate::search::versus::{
    Algorithm, Arena, Bounds, Fault, Gap, Mixed, Outcome, Setting, TableError, ValueTable, Worth,
    solve,
};
use crate::term::Case;
use crate::workbench::{Engine, Player};

/// What is asked about a game.
pub(super) struct Question<'q> {
    pub(super) algorithm: Algorithm,
    pub(super) engine: Engine,
    pub(super) max_states: Option<u64>,
    /// Whether each legal move is to be valued.
    pub(super) is_all: bool,
    /// Where strategies are to be written.
    pub(super) certificate: Option<&'q str>,
    /// Where the values of all states are to be written.
    pub(super) save: Option<&'q str>,
    /// A file of joint moves that lead to the state in question.
    pub(super) moves: Option<&'q str>,
    pub(super) case: Case,
    pub(super) format: Format,
}

/// Solves a game of several roles and prints what was found.
pub(super) fn run(
    game: &Game,
    vocabulary: &mut Vocabulary,
    question: &Question<'_>,
    (limits, display): (&Limits, Display),
) -> Result<Exit, Failure> {
    if game.roles().is_empty() {
        let message = "the game has no role, so that nobody can win it";
        return Err(Failure::new(Exit::Negative, message));
    }
    let began = Instant::now();
    let mut player = Player::new(question.engine, game, vocabulary, None, limits)?;
    let start = start(&mut player, game, vocabulary, question)?;
    let setting = Setting {
        states: question.max_states,
        limits: limits.clone(),
        is_certified: question.certificate.is_some(),
        is_tabled: question.save.is_some(),
        ..Setting::new(game, vocabulary, start, player.circuit())
    };
    let from = setting.start.clone();
    let arena = Arena::new(&mut player, vocabulary, setting.clone());
    let mut outcome = solve(arena, question.algorithm);
    let options = if question.is_all {
        options(&mut player, game, vocabulary, (question.algorithm, setting))?
    } else {
        Vec::new()
    };
    outcome.halt = outcome
        .halt
        .or(options.iter().find_map(|option| option.halt));
    drop(display);
    let seconds = began.elapsed().as_secs_f64();
    if let Some(file) = question.certificate {
        certificate::write(file, (game, vocabulary), &from, &outcome.strategies)?;
    }
    if let Some(file) = question.save {
        save(file, (game, vocabulary), &outcome)?;
    }
    tell(game, vocabulary, question, (&outcome, &options, seconds))?;
    undecided(&outcome).map_or(Ok(Exit::Done), |failure| Err(failure.reported()))
}

/// Writes what all states are worth.
fn save(
    file: &str,
    (game, vocabulary): (&Game, &Vocabulary),
    outcome: &Outcome,
) -> Result<(), Failure> {
    match &outcome.table {
        Some(table) => output::bytes(Path::new(file), &table.to_bytes(game, vocabulary)),
        None => output::message(&format!(
            "{file} was not written: the values of all states are not known\n"
        )),
    }
}

/// Says what a table of values knows of a state, without a search.
pub(super) fn look_up(
    game: &Game,
    vocabulary: &mut Vocabulary,
    (file, question): (&str, &Question<'_>),
    limits: &Limits,
) -> Result<Exit, Failure> {
    let began = Instant::now();
    let bytes = input::bytes(file)?;
    let refused = |fault: TableError| Failure::bad_input(format!("{file}: {fault}"));
    let table = ValueTable::from_bytes(&bytes, game, vocabulary).map_err(refused)?;
    let mut player = Player::new(question.engine, game, vocabulary, None, limits)?;
    let start = start(&mut player, game, vocabulary, question)?;
    let find = |state: &State| {
        table
            .find(state)
            .map(<[Bounds]>::to_vec)
            .ok_or_else(|| Failure::bad_input(format!("{file}: it knows nothing of this state")))
    };
    let bounds = find(&start)?;
    let mut options = Vec::new();
    if question.is_all {
        for (joint, state) in successors(&mut player, game, vocabulary, &start)? {
            options.push(Choice {
                joint,
                bounds: find(&state)?,
                halt: None,
            });
        }
    }
    let outcome = Outcome::of_table(&table, &bounds);
    let seconds = began.elapsed().as_secs_f64();
    tell(game, vocabulary, question, (&outcome, &options, seconds))?;
    Ok(Exit::Done)
}

/// Why not everything was decided, if so.
pub(super) fn undecided(outcome: &Outcome) -> Option<Failure> {
    match (outcome.halt, outcome.gap) {
        (Some(halt), _) => Some(Failure::from(halt)),
        (None, Some(gap)) => Some(Failure::new(Exit::Limit, reason(gap))),
        (None, None) => None,
    }
}

/// Prints what was found, with the legal moves if they were asked for.
fn tell(
    game: &Game,
    vocabulary: &Vocabulary,
    question: &Question<'_>,
    (outcome, options, seconds): (&Outcome, &[Choice], f64),
) -> Result<(), Failure> {
    match question.format {
        Format::Json => {
            let mut report = report(game, vocabulary, outcome, seconds)?;
            if let (true, Value::Object(fields)) = (question.is_all, &mut report) {
                let options = options.iter().map(|option| option.report(game, vocabulary));
                let options = options.collect::<Result<Vec<Value>, Failure>>()?;
                fields.insert("moves".to_owned(), options.into());
            }
            output::json(&report)
        }
        Format::Text => {
            let mut page = page(game, vocabulary, outcome, seconds)?;
            for option in options {
                page += &option.line(game, vocabulary);
            }
            output::text(&page)
        }
    }
}

/// A joint move, and what each role can force after it.
pub(super) struct Choice {
    joint: Vec<MoveId>,
    bounds: Vec<Bounds>,
    /// What ended the search before it was done, if something did.
    pub(super) halt: Option<Halt>,
}

impl Choice {
    fn report(&self, game: &Game, vocabulary: &Vocabulary) -> Result<Value, Failure> {
        Ok(json!({
            "move": joint_move(game, vocabulary, &self.joint)?,
            "values": values(game, vocabulary, &self.bounds)?,
        }))
    }

    /// The line that says so to people.
    pub(super) fn line(&self, game: &Game, vocabulary: &Vocabulary) -> String {
        let moves = self.joint.iter().map(|&mv| vocabulary.move_term(mv));
        let moves: Vec<String> = moves.map(|mv| shown::mention(vocabulary, mv)).collect();
        let mut line = format!("{}:", moves.join("  "));
        for (&role, bounds) in game.roles().iter().zip(&self.bounds) {
            let bound = |worth| points(worth).map_or("-".to_owned(), |value| value.to_string());
            let (least, most) = (bound(bounds.at_least), bound(bounds.at_most));
            let role = shown::mention(vocabulary, role);
            line += &if least == most {
                format!("  {role} {least}")
            } else {
                format!("  {role} {least} to {most}")
            };
        }
        line + "\n"
    }
}

/// What each joint move leads to, each searched for itself.
pub(super) fn options(
    player: &mut Player,
    game: &Game,
    vocabulary: &mut Vocabulary,
    (algorithm, setting): (Algorithm, Setting),
) -> Result<Vec<Choice>, Failure> {
    let mut options = Vec::new();
    for (joint, start) in successors(player, game, vocabulary, &setting.start)? {
        let setting = Setting {
            start,
            is_certified: false,
            is_tabled: false,
            ..setting.clone()
        };
        let outcome = solve(Arena::new(player, vocabulary, setting), algorithm);
        options.push(Choice {
            joint,
            bounds: outcome.bounds,
            halt: outcome.halt,
        });
    }
    Ok(options)
}

/// Each joint move in a state, with where it leads.
fn successors(
    player: &mut Player,
    game: &Game,
    vocabulary: &mut Vocabulary,
    state: &State,
) -> Result<Vec<(Vec<MoveId>, State)>, Failure> {
    let mut expansions = Expansions::new(game.roles().len());
    player.expand(vocabulary, std::slice::from_ref(state), &mut expansions)?;
    let Some(Expansion::Successors(successors)) = expansions.iter().next() else {
        return Ok(Vec::new());
    };
    let found = successors.iter();
    let found = found.map(|(joint, next)| (joint.to_vec(), next.clone()));
    Ok(found.collect())
}

/// Why not everything was decided.
fn reason(gap: Gap) -> &'static str {
    match gap {
        Gap::Cycles => {
            "a search of the start alone does not decide plays that may go on for ever; --strong may"
        }
        Gap::Unsuited => {
            "alpha-beta search is for games with a circuit in which one role at a time has a choice; other algorithms are for all"
        }
        Gap::TooLarge => "the game has more states than can be numbered",
        Gap::NoParts => {
            "the game is not proved to be a sum of parts in which whoever cannot move loses"
        }
        Gap::NoLayers => {
            "no measure grows by one with every move of one role at a time, which layers are made by; --strong needs none"
        }
    }
}

/// The state in question.
fn start(
    player: &mut Player,
    game: &Game,
    vocabulary: &mut Vocabulary,
    question: &Question<'_>,
) -> Result<State, Failure> {
    let mut state = player.initial_state(vocabulary)?;
    let Some(file) = question.moves else {
        return Ok(state);
    };
    for joint_move in joint_moves(&input::read_any(file)?, question.case, game, vocabulary)? {
        if player.is_terminal(vocabulary, &state)? {
            let message = format!("{}: the game is over before this move", joint_move.place);
            return Err(Failure::bad_input(message));
        }
        check_legal(player, game, vocabulary, &state, &joint_move)?;
        state = player.successor(vocabulary, &state, &joint_move.moves)?;
    }
    Ok(state)
}

/// The form for programs.
fn report(
    game: &Game,
    vocabulary: &Vocabulary,
    outcome: &Outcome,
    seconds: f64,
) -> Result<Value, Failure> {
    let line = outcome.line.as_ref().map(|line| {
        let moves = line.iter().map(|joint| joint_move(game, vocabulary, joint));
        moves.collect::<Result<Vec<Value>, Failure>>()
    });
    let mut report = json!({
        "values": values(game, vocabulary, &outcome.bounds)?,
        "proved": outcome.is_exact(),
        "kind": outcome.kind.name(),
        "kind_proved": outcome.kind.is_proved,
        "mixed": outcome.mixed.as_ref().map(|found| mixed(game, vocabulary, found)).transpose()?,
        "backward_induction": induced(game, vocabulary, outcome)?,
        "line": line.transpose()?,
        "states": outcome.states,
        "seconds": seconds,
        "algorithm": outcome.algorithm.name(),
        "fault": fault(game, vocabulary, outcome),
    });
    if let (Some(tally), Value::Object(fields)) = (outcome.tally, &mut report) {
        let is_pair = outcome.bounds.len() == 2;
        let counts = [
            ("won", tally.won),
            ("drawn", tally.drawn),
            ("lost", tally.lost),
        ];
        fields.insert("positions".to_owned(), tally.positions.into());
        fields.insert("longest".to_owned(), tally.longest.into());
        for (name, count) in counts {
            fields.insert(name.to_owned(), is_pair.then_some(count).into());
        }
    }
    Ok(report)
}

/// The bounds of all roles.
fn values(game: &Game, vocabulary: &Vocabulary, bounds: &[Bounds]) -> Result<Value, Failure> {
    let mut values = Map::new();
    for (&role, bounds) in game.roles().iter().zip(bounds) {
        let [at_least, at_most] = [bounds.at_least, bounds.at_most].map(points);
        let bounds = json!({"at_least": at_least, "at_most": at_most});
        values.insert(shown::whole(vocabulary, role)?, bounds);
    }
    Ok(Value::Object(values))
}

/// What is forced on average, and how: fractions are text.
fn mixed(game: &Game, vocabulary: &Vocabulary, mixed: &Mixed) -> Result<Value, Failure> {
    let (mut values, mut strategies) = (Map::new(), Map::new());
    let parts = mixed.values.iter().zip(&mixed.strategies);
    for (&role, (value, strategy)) in game.roles().iter().zip(parts) {
        let role = shown::whole(vocabulary, role)?;
        let moves = strategy.iter().map(|(mv, part)| {
            let mv = shown::whole(vocabulary, vocabulary.move_term(*mv))?;
            Ok((mv, part.to_string().into()))
        });
        let moves = moves.collect::<Result<Map<String, Value>, Failure>>()?;
        values.insert(role.clone(), value.to_string().into());
        strategies.insert(role, moves.into());
    }
    Ok(json!({"values": values, "strategies": strategies}))
}

/// The payoffs under backward induction, if they are known.
fn induced(game: &Game, vocabulary: &Vocabulary, outcome: &Outcome) -> Result<Value, Failure> {
    let Some(worths) = &outcome.induced else {
        return Ok(Value::Null);
    };
    let payoffs = game.roles().iter().zip(worths).map(|(&role, &worth)| {
        let role = shown::whole(vocabulary, role)?;
        Ok((role, points(worth).into()))
    });
    Ok(Value::Object(payoffs.collect::<Result<_, Failure>>()?))
}

fn points(worth: Worth) -> Option<u8> {
    worth.value().map(|value| value.0)
}

fn joint_move(game: &Game, vocabulary: &Vocabulary, joint: &[MoveId]) -> Result<Value, Failure> {
    let mut moves = Map::new();
    for (&role, &mv) in game.roles().iter().zip(joint) {
        let mv = shown::whole(vocabulary, vocabulary.move_term(mv))?;
        moves.insert(shown::whole(vocabulary, role)?, mv.into());
    }
    Ok(Value::Object(moves))
}

/// The report for people.
fn page(
    game: &Game,
    vocabulary: &Vocabulary,
    outcome: &Outcome,
    seconds: f64,
) -> Result<String, Failure> {
    let mut page = judgements(game, vocabulary, outcome);
    if let Some(worths) = &outcome.induced {
        page += "by backward induction, ties going to what is better for the roles in their order:";
        for (&role, &worth) in game.roles().iter().zip(worths) {
            let role = shown::mention(vocabulary, role);
            page += &match points(worth) {
                Some(value) => format!(" {role} {value}"),
                None => format!(" {role} nothing"),
            };
        }
        page += "\n";
    }
    if let Some(line) = &outcome.line {
        let close = match outcome.line_ends {
            true => "and the game is over",
            false => "and so on without end",
        };
        page += &format!("best play, {} moves {close}:\n", line.len());
        for (place, joint) in line.iter().enumerate() {
            let moves = joint
                .iter()
                .map(|&mv| shown::whole(vocabulary, vocabulary.move_term(mv)));
            let moves: Vec<String> = moves.collect::<Result<_, _>>()?;
            page += &format!("{:5}. {}\n", place + 1, moves.join("  "));
        }
    }
    let seen = match (outcome.kind.is_proved, outcome.states) {
        (true, _) => Some("in all reachable states"),
        (false, 0) => None,
        (false, _) => Some("as far as was seen"),
    };
    if let Some(seen) = seen {
        page += &format!("kind: {}, {seen}\n", outcome.kind.name());
    }
    if let Some(tally) = outcome.tally {
        page += &format!("{} reachable states", tally.positions);
        if let [first, _] = game.roles() {
            let first = shown::mention(vocabulary, *first);
            page += &format!(
                ": {first} wins {}, draws {}, loses {}",
                tally.won, tally.drawn, tally.lost
            );
        }
        page += "\n";
        if let Some(longest) = tally.longest {
            page += &format!("longest win: {longest} moves\n");
        }
    }
    let algorithm = outcome.algorithm.name();
    page += &format!(
        "{} expanded states, {algorithm}, {seconds:.3} s\n",
        outcome.states
    );
    if let Some(fault) = fault(game, vocabulary, outcome) {
        page += &format!("warning: {fault}\n");
    }
    Ok(page)
}

/// What each role can force, in words, a line each.
pub(super) fn judgements(game: &Game, vocabulary: &Vocabulary, outcome: &Outcome) -> String {
    let mut page = String::new();
    for (&role, &bounds) in game.roles().iter().zip(&outcome.bounds) {
        let role = shown::mention(vocabulary, role);
        page += &format!("{role} {}\n", judgement(bounds, outcome.is_forced));
    }
    if let Some(found) = &outcome.mixed {
        page += &chances(game, vocabulary, found);
    }
    page
}

/// What is forced on average, and how, in words.
fn chances(game: &Game, vocabulary: &Vocabulary, mixed: &Mixed) -> String {
    let mut page = String::new();
    let parts = mixed.values.iter().zip(&mixed.strategies);
    for (&role, (value, strategy)) in game.roles().iter().zip(parts) {
        let role = shown::mention(vocabulary, role);
        page += &format!("{role} forces {value} on average by chance:");
        for (mv, part) in strategy {
            let mv = shown::mention(vocabulary, vocabulary.move_term(*mv));
            page += &format!("  {mv} {part}");
        }
        page += "\n";
    }
    page
}

/// What a role can force, in words. Where several choose at the same moment, it may be known exactly though the bounds
/// do not meet.
fn judgement(bounds: Bounds, is_forced: bool) -> String {
    let most = points(bounds.at_most);
    match (points(bounds.at_least), most) {
        (None, None) => "cannot force an end with a payoff".to_owned(),
        (None, Some(most)) if is_forced => format!(
            "cannot force any payoff; if it sees what the others choose, not more than {most}"
        ),
        (None, Some(most)) => {
            format!("can force at most {most}; whether it can force any payoff is not known")
        }
        (Some(least), Some(most)) if least == most => {
            format!("can force {least}, and the others can keep it from more")
        }
        (Some(least), Some(most)) if is_forced => format!(
            "can force {least} for certain; if it sees what the others choose, not more than {most}"
        ),
        (Some(least), Some(most)) => format!("can force {least}, and not more than {most}"),
        (Some(least), None) => format!("can force {least}"),
    }
}

fn fault(game: &Game, vocabulary: &Vocabulary, outcome: &Outcome) -> Option<String> {
    outcome.faults.first().map(|fault| match fault {
        Fault::NoLegalMove(state) => format!(
            "some role has no legal move, and the game is not over, in the state {}",
            shown::state(vocabulary, state)
        ),
        Fault::NoValue(state, role, goal) => {
            let role = game.roles().get(role.0 as usize);
            let fault = role.and_then(|&role| shown::goal_fault(vocabulary, role, goal));
            let state = shown::state(vocabulary, state);
            format!(
                "{} in the terminal state {state}",
                fault.unwrap_or_default()
            )
        }
    })
}
