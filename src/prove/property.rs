//! The properties that have names: what the definition of GDL asks of a game, and what papers ask beside it.
//!
//! Sources: Love, Hinrichs, Haley, Schkufza, Genesereth, Game Description Language Specification, 2008, section 6;
//! Schiffel, Thielscher, Automated Theorem Proving for General Game Playing, IJCAI 2009.

use std::fmt;

use thiserror::Error;

use crate::circuit::Circuit;
use crate::gdl::Vocabulary;
use crate::prove::formula::{FormulaError, TemporalFormula};
use crate::term::TermId;

/// What is asked of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyKind {
    /// Every play comes to an end.
    Terminates,
    /// Before the end, every role has a legal move.
    Playable,
    /// At each end, every role has a goal value.
    GoalsDefined,
    /// At each end, no role has two goal values.
    GoalsUnique,
    /// At each end, goal values are whole numbers from 0 to 100.
    GoalsBounded,
    /// Each role gets 100 in some play.
    WeaklyWinnable,
    /// Some role gets 100 whatever the others do.
    StronglyWinnable,
    /// In no state two roles have a choice.
    TurnTaking,
    /// At each end, the goal values of all roles add up to 100.
    ZeroSum,
    /// At each end, the goal values of all roles add up to the same number.
    ConstantSum,
    /// No move makes a goal value smaller.
    Monotonic,
    /// No play comes to the same state twice.
    Acyclic,
    /// Each rule applies in some play.
    RulesApply,
    /// Each move is legal in some play.
    MovesLegal,
    /// The rules say of each role what they say of the others, with other names.
    Symmetric,
}

impl PropertyKind {
    /// All of them, in the order in which they are reported.
    pub const ALL: [PropertyKind; 15] = [
        PropertyKind::Terminates,
        PropertyKind::Playable,
        PropertyKind::GoalsDefined,
        PropertyKind::GoalsUnique,
        PropertyKind::GoalsBounded,
        PropertyKind::WeaklyWinnable,
        PropertyKind::StronglyWinnable,
        PropertyKind::TurnTaking,
        PropertyKind::ZeroSum,
        PropertyKind::ConstantSum,
        PropertyKind::Monotonic,
        PropertyKind::Acyclic,
        PropertyKind::RulesApply,
        PropertyKind::MovesLegal,
        PropertyKind::Symmetric,
    ];

    /// The name that selects it.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Terminates => "terminates",
            PropertyKind::Playable => "playable",
            PropertyKind::GoalsDefined => "goals-defined",
            PropertyKind::GoalsUnique => "goals-unique",
            PropertyKind::GoalsBounded => "goals-bounded",
            PropertyKind::WeaklyWinnable => "weakly-winnable",
            PropertyKind::StronglyWinnable => "strongly-winnable",
            PropertyKind::TurnTaking => "turn-taking",
            PropertyKind::ZeroSum => "zero-sum",
            PropertyKind::ConstantSum => "constant-sum",
            PropertyKind::Monotonic => "monotonic",
            PropertyKind::Acyclic => "acyclic",
            PropertyKind::RulesApply => "rules-apply",
            PropertyKind::MovesLegal => "moves-legal",
            PropertyKind::Symmetric => "symmetric",
        }
    }

    /// Whether it can be asked of one role.
    pub fn is_of_roles(self) -> bool {
        !matches!(
            self,
            PropertyKind::Terminates
                | PropertyKind::ZeroSum
                | PropertyKind::ConstantSum
                | PropertyKind::Acyclic
                | PropertyKind::RulesApply
                | PropertyKind::Symmetric
        )
    }
}

/// A property of all roles, or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Property {
    /// What is asked.
    pub kind: PropertyKind,
    /// The role, by number; all if there is none.
    pub role: Option<usize>,
}

/// A property that has a name, or one in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyQuestion {
    /// One that has a name.
    Named(Property),
    /// One in the user's words.
    Formula(TemporalFormula),
}

impl PropertyQuestion {
    /// All properties that have names, of all roles.
    pub fn all_named() -> Vec<Self> {
        let all = PropertyKind::ALL.into_iter();
        all.map(|kind| Self::Named(Property::of_game(kind)))
            .collect()
    }

    /// The property that a text names, or the formula that it is if it starts with a parenthesis.
    ///
    /// # Errors
    /// [`PropertyError`].
    pub fn parse(
        text: &str,
        circuit: &Circuit,
        roles: &[TermId],
        names: &[String],
        vocabulary: &mut Vocabulary,
    ) -> Result<Self, PropertyError> {
        if !text.trim_start().starts_with('(') {
            return Property::parse(text, names).map(PropertyQuestion::Named);
        }
        let formula = TemporalFormula::parse(text, circuit, roles, vocabulary);
        Ok(PropertyQuestion::Formula(formula?))
    }

    /// The text that names it.
    pub fn text(&self, roles: &[String]) -> String {
        match self {
            PropertyQuestion::Named(property) => property.text(roles),
            PropertyQuestion::Formula(formula) => formula.text().to_owned(),
        }
    }
}

/// Why a text is no property.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// It is no formula.
    #[error("no formula: {0}")]
    Formula(#[from] FormulaError),
    /// There is no property of this name.
    #[error("there is no property `{name}`; known are {}", Names)]
    Unknown {
        /// The name.
        name: String,
    },
    /// The game has no such role.
    #[error("there is no role `{role}`; the roles are {}", roles.join(", "))]
    NoRole {
        /// The name.
        role: String,
        /// The roles.
        roles: Vec<String>,
    },
    /// The property is one of the whole game.
    #[error("`{name}` is a property of the game, not of a role")]
    NotOfRoles {
        /// The name.
        name: &'static str,
    },
}

/// The names of all properties.
struct Names;

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PropertyKind::ALL.map(PropertyKind::name);
        f.write_str(&names.join(", "))
    }
}

impl Property {
    /// A property of the whole game.
    pub fn of_game(kind: PropertyKind) -> Self {
        Self { kind, role: None }
    }

    /// The property that a text such as `playable` or `playable:white` names, for a game of these roles.
    ///
    /// # Errors
    /// [`PropertyError`].
    pub fn parse(text: &str, roles: &[String]) -> Result<Self, PropertyError> {
        let (name, role) = match text.split_once(':') {
            Some((name, role)) => (name, Some(role)),
            None => (text, None),
        };
        let kind = PropertyKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| PropertyError::Unknown {
            name: name.to_owned(),
        })?;
        let Some(role) = role else {
            return Ok(Self::of_game(kind));
        };
        if !kind.is_of_roles() {
            return Err(PropertyError::NotOfRoles { name: kind.name() });
        }
        match roles.iter().position(|known| known == role) {
            Some(role) => Ok(Self {
                kind,
                role: Some(role),
            }),
            None => Err(PropertyError::NoRole {
                role: role.to_owned(),
                roles: roles.to_vec(),
            }),
        }
    }

    /// The text that names it.
    pub fn text(self, roles: &[String]) -> String {
        match self.role {
            Some(role) => format!("{}:{}", self.kind.name(), roles[role]),
            None => self.kind.name().to_owned(),
        }
    }

    /// Whether it speaks of a role.
    pub(super) fn is_of(self, role: usize) -> bool {
        self.role.is_none_or(|own| own == role)
    }
}
