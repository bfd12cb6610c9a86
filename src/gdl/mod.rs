//! Games: what the reserved words of GDL mean, whether rules are well-formed, and how a game is
//! played.

mod answer_sets;
mod changes;
mod codes;
mod domains;
mod error;
mod expansion;
mod fnv;
mod game;
mod goal;
mod incremental;
mod keyword;
mod outcomes;
mod playout;
mod program;
mod progression;
mod query;
mod reasoner;
mod rule_sheet;
mod state;
mod states;
mod statistics;
mod stratify;
mod tabled;
mod uncertainty;
mod validate;
mod vocabulary;
mod watcher;

pub use answer_sets::{TooManyCases, answer_set_program};
pub use changes::{Cause, Change, Changes};
pub use codes::{FAULTS, Fault, fault};
pub use domains::{
    Bearer, Domain, Domains, Flow, Joint, Place, Position, Size, Source, TermForm, Value,
};
pub use error::{GameError, ReasonerError};
pub use expansion::{Expansion, Expansions, Successors};
pub(crate) use fnv::Fnv;
pub use game::Game;
pub use goal::{Goal, GoalValue, RoleId};
pub use incremental::Incremental;
pub use keyword::{Keyword, KeywordClass, Keywords};
pub use outcomes::Outcomes;
pub use playout::{Ending, Playout, Playouts, seed_of};
pub use program::{Names, Program, shown_goal, shown_name};
pub use query::StateQuery;
pub use reasoner::Reasoner;
pub(crate) use reasoner::one_by_one;
pub use rule_sheet::{ALLOW, RuleSheet};
pub use state::State;
pub(crate) use states::States;
pub use statistics::{Lengths, Payoffs, Statistics};
pub use stratify::{CycleKind, NegativeCycle, Stratification};
pub use tabled::Tabled;
pub use uncertainty::Uncertainty;
pub(crate) use validate::similar;
pub use validate::{Extent, Findings, MOST_WARNINGS, Rules, lint, validate};
pub use vocabulary::{FluentId, MoveId, Vocabulary};
pub use watcher::{Watched, Watcher};
