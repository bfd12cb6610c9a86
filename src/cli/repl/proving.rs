//! `:prove`: what is true of every state of the game, whatever state the walk has reached.

use crate::cli::failure::{Exit, Failure};
use crate::cli::output;
use crate::cli::prove::{questions, worse};
use crate::cli::repl::session::{Session, no_game};
use crate::prove::{self, GroundedGame, ProofEffort, Prover};
use crate::workbench;

/// `:prove`
pub(super) fn prove(session: &mut Session, properties: &str) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let (game, vocabulary, grounded) = walk.grounded(&limits)?;
    let circuit = &grounded.circuit;
    let roles = game.role_names(vocabulary.store());
    let questions = questions(&split(properties), circuit, (game, &roles), vocabulary)?;
    let subject = GroundedGame {
        game,
        circuit,
        rules: &grounded.rules,
    };
    let mut prover = Prover::new(
        subject,
        &questions,
        vocabulary,
        ProofEffort::default(),
        &limits,
    )?;
    let mut exit = Exit::Done;
    for (number, question) in questions.iter().enumerate() {
        let place = (number, question);
        let finding = workbench::decide(&mut prover, place, (game, vocabulary), &limits)?;
        exit = worse(exit, finding.verdict);
        let name = question.text(&roles);
        output::text(&prove::text(&name, &finding, &roles, vocabulary.store()))?;
    }
    session.last.exit = exit;
    Ok(())
}

/// The properties of a line: what stands between blanks, but for those in parentheses.
fn split(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (place, character) in line.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if character.is_whitespace() && depth == 0 => {
                parts.push(&line[start..place]);
                start = place + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&line[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_not_split() {
        assert_eq!(
            split(" playable:white  (always (not terminal)) zero-sum"),
            ["playable:white", "(always (not terminal))", "zero-sum"]
        );
        assert_eq!(split("(always (true"), ["(always (true"]);
        assert_eq!(split("  "), [""; 0]);
    }
}
