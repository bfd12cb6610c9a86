//! Legal joint moves, and what each leaves to the roles.

use crate::cli::failure::Failure;
use crate::gdl::{Expansion, Expansions, Game, MoveId, Reasoner, State, Vocabulary};
use crate::search::Halt;
use crate::search::versus::{Arena, Bounds, ForcingAlgorithm, ForcingSetting, solve};
use crate::workbench::Player;

/// A joint move, and what each role can force after it.
pub(in crate::cli) struct ValuedMove {
    pub(super) joint: Vec<MoveId>,
    pub(super) bounds: Vec<Bounds>,
    /// What ended the search before it was done, if something did.
    pub(in crate::cli) halt: Option<Halt>,
}

/// What each joint move leads to, each searched for itself.
pub(in crate::cli) fn valued_moves(
    player: &mut Player,
    game: &Game,
    vocabulary: &mut Vocabulary,
    (algorithm, setting): (ForcingAlgorithm, ForcingSetting),
) -> Result<Vec<ValuedMove>, Failure> {
    let mut options = Vec::new();
    for (joint, start) in successors(player, game, vocabulary, &setting.start)? {
        // Certificates and tables are of the state itself, and not of what follows it.
        let setting = ForcingSetting {
            start,
            is_certified: false,
            is_tabled: false,
            ..setting.clone()
        };
        let outcome = solve(Arena::new(player, vocabulary, setting), algorithm);
        options.push(ValuedMove {
            joint,
            bounds: outcome.bounds,
            halt: outcome.halt,
        });
    }
    Ok(options)
}

/// Each joint move in a state, with where it leads.
pub(super) fn successors(
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
