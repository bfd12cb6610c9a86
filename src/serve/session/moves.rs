//! Joint moves: as they are written, at random, and made.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::gdl::{MoveId, Reasoner, RoleId};
use crate::serve::protocol::{Code, Failure, JointMove, Position};
use crate::serve::session::game::Opened;

impl Opened {
    /// The joint move that is meant, legal in a state. Roles with one legal move may be left out.
    pub(super) fn joint_move(
        &mut self,
        at: usize,
        given: &JointMove,
    ) -> Result<Vec<MoveId>, Failure> {
        // Names come first: a role that does not exist is told before a move that is missing.
        for name in given.keys() {
            self.workbench.role(name)?;
        }
        let mut moves = Vec::new();
        for (number, role) in self.workbench.roles().into_iter().enumerate() {
            let legal = self.legal_of(at, RoleId(number as u32))?;
            let mv = match (given.get(&role), legal.as_slice()) {
                (Some(text), legal) => {
                    let mv = self.workbench.parse_move(text)?;
                    if !legal.contains(&mv) {
                        return Err(illegal(format!("{text} is not legal for {role}")));
                    }
                    mv
                }
                (None, &[mv]) => mv,
                (None, []) => return Err(illegal(format!("{role} has no legal move"))),
                (None, several) => {
                    let number = several.len();
                    let message = format!("no move is given for {role}, which has {number}");
                    return Err(illegal(message));
                }
            };
            moves.push(mv);
        }
        Ok(moves)
    }

    /// A joint move chosen at random, each as likely as the others.
    pub(super) fn random_move(&mut self, at: usize, seed: u64) -> Result<Vec<MoveId>, Failure> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut moves = Vec::new();
        for (number, role) in self.workbench.roles().into_iter().enumerate() {
            let legal = self.legal_of(at, RoleId(number as u32))?;
            if legal.is_empty() {
                return Err(illegal(format!("{role} has no legal move")));
            }
            moves.push(legal[random.random_range(0..legal.len())]);
        }
        Ok(moves)
    }

    /// Makes a legal joint move and goes to the state after it.
    pub(super) fn make(&mut self, at: usize, moves: Vec<MoveId>) -> Result<Position, Failure> {
        let state = self.state(at);
        if self.workbench.is_terminal(&state)? {
            return Err(illegal("the game is over".to_owned()));
        }
        if let Some(next) = self.tree.after(at, &moves) {
            return self.go(next);
        }
        let parts = self.workbench.parts();
        let next = parts.player.successor(parts.vocabulary, &state, &moves)?;
        let Some(next) = self.tree.add(at, moves, next) else {
            let message = "too many states were visited; loading the game again forgets them";
            return Err(Failure::new(Code::Limit, message));
        };
        self.go(next)
    }
}

fn illegal(message: String) -> Failure {
    Failure::new(Code::IllegalMove, message)
}
