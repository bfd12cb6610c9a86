//! What several roles can force, for people.

use crate::cli::failure::Failure;
use crate::cli::shown;
use crate::cli::versus::valued_move::ValuedMove;
use crate::gdl::{Game, MoveId, RoleId, Vocabulary};
use crate::search::versus::{
    Bounds, Claim, ConstantStrategy, ForcingFault, ForcingOutcome, Mixed, ReplyStrategy, Tally,
    Worth,
};

/// The report for people.
pub(super) fn page(
    game: &Game,
    vocabulary: &Vocabulary,
    outcome: &ForcingOutcome,
    seconds: f64,
) -> Result<String, Failure> {
    let mut page = judgements(game, vocabulary, outcome);
    if let Some(worths) = &outcome.induced {
        page += &induced(game, vocabulary, worths);
    }
    if let Some(line) = &outcome.line {
        page += &best_play(vocabulary, line, outcome.line_ends)?;
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
        page += &counts(game, vocabulary, tally);
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

/// The payoffs under backward induction.
fn induced(game: &Game, vocabulary: &Vocabulary, worths: &[Worth]) -> String {
    let mut line =
        "by backward induction, ties going to what is better for the roles in their order:"
            .to_owned();
    for (&role, &worth) in game.roles().iter().zip(worths) {
        let role = shown::mention(vocabulary, role);
        line += &match points(worth) {
            Some(value) => format!(" {role} {value}"),
            None => format!(" {role} nothing"),
        };
    }
    line + "\n"
}

/// The joint moves of best play, numbered.
fn best_play(
    vocabulary: &Vocabulary,
    line: &[Vec<MoveId>],
    line_ends: bool,
) -> Result<String, Failure> {
    let close = if line_ends {
        "and the game is over"
    } else {
        "and so on without end"
    };
    let mut page = format!("best play, {} moves {close}:\n", line.len());
    for (place, joint) in line.iter().enumerate() {
        let moves = joint
            .iter()
            .map(|&mv| shown::whole(vocabulary, vocabulary.move_term(mv)));
        let moves: Vec<String> = moves.collect::<Result<_, _>>()?;
        page += &format!("{:5}. {}\n", place + 1, moves.join("  "));
    }
    Ok(page)
}

/// How many of all reachable states are worth what.
fn counts(game: &Game, vocabulary: &Vocabulary, tally: Tally) -> String {
    let mut page = format!("{} reachable states", tally.positions);
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
    page
}

/// A legal move and what it leaves to each role.
pub(in crate::cli) fn move_line(game: &Game, vocabulary: &Vocabulary, one: &ValuedMove) -> String {
    let moves = one.joint.iter().map(|&mv| vocabulary.move_term(mv));
    let moves: Vec<String> = moves.map(|mv| shown::mention(vocabulary, mv)).collect();
    let mut line = format!("{}:", moves.join("  "));
    for (&role, bounds) in game.roles().iter().zip(&one.bounds) {
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

/// The goal value that a worth is, if it is one.
pub(super) fn points(worth: Worth) -> Option<u8> {
    worth.value().map(|value| value.0)
}

/// What each role can force, in words, a line each.
pub(in crate::cli) fn judgements(
    game: &Game,
    vocabulary: &Vocabulary,
    outcome: &ForcingOutcome,
) -> String {
    let mut page = String::new();
    for (&role, &bounds) in game.roles().iter().zip(&outcome.bounds) {
        let role = shown::mention(vocabulary, role);
        page += &format!("{role} {}\n", judgement(bounds, outcome.is_forced));
    }
    if let Some(found) = &outcome.mixed {
        page += &chances(game, vocabulary, found);
    }
    for strategy in &outcome.replies {
        page += &answers(game, vocabulary, strategy);
    }
    for strategy in &outcome.constants {
        page += &constants(game, vocabulary, strategy);
    }
    page
}

/// What a role forces by fixed answers, and how, in words.
fn answers(game: &Game, vocabulary: &Vocabulary, strategy: &ReplyStrategy) -> String {
    let shown = |mv: MoveId| shown::mention(vocabulary, vocabulary.move_term(mv));
    let role = game.roles().get(strategy.role.0 as usize);
    let role = role.map_or(String::new(), |&role| shown::mention(vocabulary, role));
    let least = points(strategy.at_least).map_or("an end".to_owned(), |value| value.to_string());
    let mut page = format!("{role} forces {least} by fixed answers");
    if let Some(opening) = strategy.opening {
        page += &format!(" after {}", shown(opening));
    }
    page += ", and any move where there is none or it is not legal:\n";
    for &(mv, answer) in &strategy.replies {
        page += &format!("  {} is answered by {}\n", shown(mv), shown(answer));
    }
    page
}

/// What roles force by constant moves, in words.
fn constants(game: &Game, vocabulary: &Vocabulary, strategy: &ConstantStrategy) -> String {
    let named = |role: RoleId| {
        let role = game.roles().get(role.0 as usize);
        role.map_or(String::new(), |&role| shown::mention(vocabulary, role))
    };
    let (limit, worth) = match strategy.claim {
        Claim::AtLeast(worth) => ("at least", worth),
        Claim::AtMost(worth) => ("at most", worth),
    };
    let value = points(worth).map_or("an end".to_owned(), |value| value.to_string());
    let moves = strategy.moves.iter().map(|&(role, mv)| {
        let mv = shown::mention(vocabulary, vocabulary.move_term(mv));
        format!("{} {mv}", named(role))
    });
    let moves: Vec<String> = moves.collect();
    format!(
        "{} gets {limit} {value} where these make one move whenever it is legal:  {}\n",
        named(strategy.role),
        moves.join("  ")
    )
}

/// What is forced on average, and how, in words.
fn chances(game: &Game, vocabulary: &Vocabulary, mixed: &Mixed) -> String {
    let mut page = String::new();
    for (number, (&role, value)) in game.roles().iter().zip(&mixed.values).enumerate() {
        let role = shown::mention(vocabulary, role);
        page += &format!("{role} forces {value} on average by chance");
        let Some(strategy) = mixed.strategies.get(number) else {
            page += ", as the roles can be exchanged and payoffs have a constant sum\n";
            continue;
        };
        page += ":";
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

/// The first fault of the rules that the search met.
pub(super) fn fault(
    game: &Game,
    vocabulary: &Vocabulary,
    outcome: &ForcingOutcome,
) -> Option<String> {
    outcome.faults.first().map(|fault| match fault {
        ForcingFault::NoLegalMove(state) => format!(
            "some role has no legal move, and the game is not over, in the state {}",
            shown::state(vocabulary, state)
        ),
        ForcingFault::NoValue(state, role, goal) => {
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
