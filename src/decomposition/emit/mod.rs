//! The parts of a game as rule sheets of their own, and how the whole game comes from them.
//!
//! A sheet is the function of the circuit with constants for what was proved not to matter: the fluents of the other
//! parts are as at the start of the phase, and of moves that are alike for the part one stands for all. What runs by
//! itself and matters to the part is in its sheet, too. End and goal of a sheet are those of the whole game with the
//! others as they are then; exact is what `composition.json` has: formulas over the local concepts, which each sheet
//! defines as predicates of no arguments.
//!
//! ```text
//! divided       whose each fluent is, names               rules        rules of GDL for signals
//! surroundings  what is constant in the sheet of a part   composition  legality, end, goal over the sheets
//! choices       local moves, and which stand for them     emission     all sheets of a game
//! sheet         the sheet of a part
//! ```

mod choices;
mod composition;
mod divided;
mod emission;
mod rules;
mod sheet;
mod surroundings;

pub use composition::CompositionReport;
pub use emission::{Emission, emit};
pub use sheet::PartSheet;
