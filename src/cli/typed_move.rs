//! A joint move as a person types it: `mark(1,1) noop`, or `white: (mark 1 1)`.
//!
//! Moves stand in the order of the roles, or behind the name of a role and a colon, in either
//! notation. Roles that have one legal move only need not be mentioned.

use crate::cli::repl::show::{count, term};
use crate::gdl::{Game, MoveId, RoleId, Vocabulary};
use crate::syntax::Notation;
use crate::term::{Case, TermId};
use crate::workbench::is_prefix;

/// Who plays, and how they are written.
pub(super) struct Players<'p> {
    pub(super) game: &'p Game,
    pub(super) vocabulary: &'p mut Vocabulary,
    pub(super) case: Case,
    /// Of messages.
    pub(super) notation: Notation,
}

/// Why a text is no joint move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MoveFault {
    #[error("there is no role {name}; the roles are {roles}")]
    NoRole { name: String, roles: String },
    #[error("{0} is not a move")]
    NotAMove(String),
    #[error("more than one move given for {role}")]
    Twice { role: String },
    #[error("{} given for {}", count(*.moves, "move"), count(*.roles, "role"))]
    TooMany { moves: usize, roles: usize },
    #[error("{mv} is not legal for {role}")]
    Illegal { mv: String, role: String },
    #[error("{role} has no legal move here")]
    NoneLegal { role: String },
    #[error("no move given for {role}, which has {}", count(*.legal, "legal move"))]
    Missing { role: String, legal: usize },
}

impl Players<'_> {
    /// The role of a name.
    pub(super) fn role(&self, name: &str) -> Result<RoleId, MoveFault> {
        let fold = |text: String| match self.case {
            Case::Fold => text.to_lowercase(),
            Case::Keep => text,
        };
        let wanted = fold(name.to_owned());
        let roles = self.game.roles();
        let is_wanted = |&role: &TermId| {
            // A role that is a term may be typed in either notation.
            let notations = [Notation::Prefix, Notation::Infix];
            let mut texts = notations.map(|notation| term(self.vocabulary.store(), role, notation));
            texts
                .iter_mut()
                .any(|text| fold(std::mem::take(text)) == wanted)
        };
        match roles.iter().position(is_wanted) {
            Some(number) => Ok(RoleId(number as u32)),
            None => {
                let roles: Vec<String> = roles.iter().map(|&role| self.text(role)).collect();
                Err(MoveFault::NoRole {
                    name: name.to_owned(),
                    roles: roles.join(", "),
                })
            }
        }
    }

    /// The move of each role, all of them legal; `legal` has the legal moves by role.
    pub(super) fn joint_move(
        &mut self,
        text: &str,
        legal: &[Vec<MoveId>],
    ) -> Result<Vec<MoveId>, MoveFault> {
        let given = self.moves_given(text, legal)?;
        let moves = given.into_iter().zip(legal).enumerate();
        moves
            .map(|(role, (mv, legal))| self.chosen(role, mv, legal))
            .collect()
    }

    /// The moves that are mentioned, all of them legal, by role.
    pub(super) fn moves_given(
        &mut self,
        text: &str,
        legal: &[Vec<MoveId>],
    ) -> Result<Vec<Option<MoveId>>, MoveFault> {
        let mut joint_move: Vec<Option<MoveId>> = vec![None; legal.len()];
        let mut unnamed = Vec::new();
        for written in self.written_moves(text)? {
            let Some(role) = written.role else {
                unnamed.push(written.mv);
                continue;
            };
            let place = &mut joint_move[role.0 as usize];
            if place.replace(written.mv).is_some() {
                let role = self.name(role.0 as usize);
                return Err(MoveFault::Twice { role });
            }
        }
        let free: Vec<usize> = (0..legal.len())
            .filter(|&role| joint_move[role].is_none())
            .collect();
        // With fewer moves than roles, those are meant that have a choice.
        let choosing: Vec<usize> = free
            .iter()
            .copied()
            .filter(|&role| legal[role].len() != 1)
            .collect();
        let takers = match unnamed.len() {
            number if number == free.len() => free,
            number if number <= choosing.len() => choosing,
            moves => {
                let roles = free.len();
                return Err(MoveFault::TooMany { moves, roles });
            }
        };
        for (role, mv) in takers.into_iter().zip(unnamed) {
            joint_move[role] = Some(mv);
        }
        for (role, (&mv, legal)) in joint_move.iter().zip(legal).enumerate() {
            if let Some(mv) = mv.filter(|mv| !legal.contains(mv)) {
                return Err(MoveFault::Illegal {
                    mv: self.text(self.vocabulary.move_term(mv)),
                    role: self.name(role),
                });
            }
        }
        Ok(joint_move)
    }

    /// The move that is given for a role, or the only one there is.
    fn chosen(
        &self,
        role: usize,
        mv: Option<MoveId>,
        legal: &[MoveId],
    ) -> Result<MoveId, MoveFault> {
        let name = || self.name(role);
        match (mv, legal) {
            (Some(mv), _) | (None, &[mv]) => Ok(mv),
            (None, []) => Err(MoveFault::NoneLegal { role: name() }),
            (None, _) => Err(MoveFault::Missing {
                role: name(),
                legal: legal.len(),
            }),
        }
    }

    /// The ground terms of a line, or the part of it that is none.
    pub(super) fn terms(&mut self, text: &str) -> Result<Vec<TermId>, String> {
        let terms = parts(text).into_iter().map(|part| {
            let notation = if is_prefix(part) {
                Notation::Prefix
            } else {
                Notation::Infix
            };
            self.vocabulary
                .ground_term(part, notation, self.case)
                .ok_or_else(|| part.to_owned())
        });
        terms.collect()
    }

    fn name(&self, role: usize) -> String {
        self.text(self.game.roles()[role])
    }

    fn text(&self, id: TermId) -> String {
        term(self.vocabulary.store(), id, self.notation)
    }

    /// The moves of a line, with the roles in front of them.
    fn written_moves(&mut self, text: &str) -> Result<Vec<Written>, MoveFault> {
        let mut moves = Vec::new();
        let mut role = None;
        for part in parts(text) {
            if let Some(name) = part.strip_suffix(':') {
                role = Some(self.role(name)?);
                continue;
            }
            let notation = if is_prefix(part) {
                Notation::Prefix
            } else {
                Notation::Infix
            };
            let term = self
                .vocabulary
                .ground_term(part, notation, self.case)
                .ok_or_else(|| MoveFault::NotAMove(part.to_owned()))?;
            moves.push(Written {
                role: role.take(),
                mv: self.vocabulary.mv(term),
            });
        }
        Ok(moves)
    }
}

struct Written {
    role: Option<RoleId>,
    mv: MoveId,
}

/// Splits at blanks and commas outside of parentheses, and behind the colon of a role.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0_i64, 0);
    let mut parts = Vec::new();
    for (at, character) in text.char_indices() {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        let end = at + character.len_utf8();
        if depth <= 0 && (character.is_whitespace() || character == ',') {
            parts.push(&text[start..at]);
            start = end;
        } else if depth <= 0 && character == ':' {
            parts.push(&text[start..end]);
            start = end;
        }
    }
    // The dot is that of a query, which people type behind moves as well.
    parts.push(text[start..].trim_end_matches('.'));
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_apart() {
        assert_eq!(parts("mark(1, 2) noop"), ["mark(1, 2)", "noop"]);
        assert_eq!(
            parts("white: (mark 1 2), noop."),
            ["white:", "(mark 1 2)", "noop"]
        );
        assert_eq!(parts("white:noop"), ["white:", "noop"]);
        assert!(parts("").is_empty());
    }
}
