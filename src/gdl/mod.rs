//! Games: what the keywords of GDL mean, and how a game is played.

mod game;
mod playout;
mod reasoner;
mod state;
mod tabled;
mod vocabulary;

pub use game::{Game, GameError};
pub use playout::{Ending, Playout, Playouts};
pub use reasoner::{Goal, GoalValue, Reasoner, ReasonerError, RoleId};
pub use state::State;
pub use tabled::Tabled;
pub use vocabulary::{FluentId, MoveId, Vocabulary};
