//! States as answers, and the ways between them.

use indexmap::IndexMap;

use crate::gdl::{FluentId, MoveId, Reasoner, RoleId, State};
use crate::serve::protocol::{Branch, Changes, Code, Failure, JointMove, Position};
use crate::serve::session::game::Opened;
use crate::term::TermId;

impl Opened {
    /// A state that was visited, in the form of `flux trace`, with its neighbours.
    pub(super) fn position(&mut self, at: usize) -> Result<Position, Failure> {
        let Some(node) = self.tree.get(at).cloned() else {
            return Err(Failure::new(Code::Internal, "there is no such state"));
        };
        let mut after = Vec::new();
        for &next in &node.after {
            let by = self.tree.get(next).and_then(|next| next.by.clone());
            let moves = by.map(|(_, moves)| moves).unwrap_or_default();
            let moves = self.named(&moves)?;
            after.push(Branch { at: next, moves });
        }
        let (moves, changes) = match &node.by {
            None => (None, None),
            Some((before, moves)) => {
                let before = self.state(*before);
                let changes = self.changes(&before, &node.state)?;
                (Some(self.named(moves)?), Some(changes))
            }
        };
        let terminal = self.workbench.is_terminal(&node.state)?;
        let fluents = self.fluents(node.state.fluents());
        Ok(Position {
            at,
            before: node.by.as_ref().map(|(before, _)| *before),
            moves,
            changes,
            after,
            step: node.step,
            state: self.texts(fluents)?,
            legal: self.legal(at, None)?,
            terminal,
            goals: if terminal {
                Some(self.goals(&node.state)?)
            } else {
                None
            },
        })
    }

    /// By role, or of one role alone, the legal moves.
    pub(super) fn legal(
        &mut self,
        at: usize,
        only: Option<&str>,
    ) -> Result<IndexMap<String, Vec<String>>, Failure> {
        if let Some(name) = only {
            self.workbench.role(name)?;
        }
        let mut legal = IndexMap::new();
        for (number, name) in self.workbench.roles().into_iter().enumerate() {
            if only.is_some_and(|only| only != name) {
                continue;
            }
            let moves = self.legal_of(at, RoleId(number as u32))?;
            let moves = moves.iter().map(|&mv| self.move_term(mv)).collect();
            legal.insert(name, self.texts(moves)?);
        }
        Ok(legal)
    }

    /// The legal moves of a role.
    pub(super) fn legal_of(&mut self, at: usize, role: RoleId) -> Result<Vec<MoveId>, Failure> {
        let state = self.state(at);
        let parts = self.workbench.parts();
        let mut moves = Vec::new();
        parts
            .player
            .legal_moves(parts.vocabulary, &state, role, &mut moves)?;
        Ok(moves)
    }

    pub(super) fn move_term(&mut self, mv: MoveId) -> TermId {
        self.workbench.parts().vocabulary.move_term(mv)
    }

    /// A joint move by role.
    pub(super) fn named(&mut self, moves: &[MoveId]) -> Result<JointMove, Failure> {
        let mut named = JointMove::new();
        for (role, &mv) in self.workbench.roles().into_iter().zip(moves) {
            let term = self.move_term(mv);
            named.insert(role, self.text(term)?);
        }
        Ok(named)
    }

    fn goals(&mut self, state: &State) -> Result<IndexMap<String, Option<u8>>, Failure> {
        let mut goals = IndexMap::new();
        for role in self.workbench.roles() {
            let value = self.workbench.goal_value(state, &role)?;
            goals.insert(role, value.map(|value| value.0));
        }
        Ok(goals)
    }

    fn changes(&mut self, before: &State, after: &State) -> Result<Changes, Failure> {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (fluent, holds) in before.changes(after) {
            if holds {
                come.push(fluent);
            } else {
                gone.push(fluent);
            }
        }
        let (gone, come) = (
            self.fluents(gone.into_iter()),
            self.fluents(come.into_iter()),
        );
        Ok(Changes {
            gone: self.texts(gone)?,
            come: self.texts(come)?,
        })
    }

    fn fluents(&mut self, fluents: impl Iterator<Item = FluentId>) -> Vec<TermId> {
        let vocabulary = self.workbench.parts().vocabulary;
        fluents
            .map(|fluent| vocabulary.fluent_term(fluent))
            .collect()
    }

    /// Goes back so many joint moves.
    pub(super) fn undo(&mut self, steps: usize) -> Result<Position, Failure> {
        let mut at = self.tree.at;
        for _ in 0..steps {
            let by = self.tree.get(at).and_then(|node| node.by.as_ref());
            let Some((before, _)) = by else {
                let made = self.tree.get(self.tree.at).map_or(0, |node| node.step);
                let message = match made {
                    0 => "no move was made yet".to_owned(),
                    _ => format!("there are {made} joint moves to take back, not {steps}"),
                };
                return Err(Failure::new(Code::BadInput, message));
            };
            at = *before;
        }
        self.go(at)
    }

    /// Goes to a state that was visited.
    pub(super) fn go(&mut self, at: usize) -> Result<Position, Failure> {
        let at = self.place(Some(at))?;
        // The answer comes first: if it fails, the session stays where it is.
        let position = self.position(at)?;
        self.tree.at = at;
        Ok(position)
    }
}
