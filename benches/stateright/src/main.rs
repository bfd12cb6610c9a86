//! All positions of connect four by Stateright, breadth first on one thread, for a comparison with `flux solve --strong`.
//!
//! `cargo run --release -- COLUMNS ROWS` prints the number of positions and how many there were a second. The model is
//! written for speed: bit boards, and no property that takes time to check.

use std::time::Instant;

use stateright::{Checker, Model, Property};

/// Discs in columns of `rows + 1` bits, the topmost of which stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    /// Of whoever moves next.
    own: u64,
    both: u64,
}

#[derive(Clone, Copy, Debug)]
struct ConnectFour {
    columns: u32,
    rows: u32,
}

impl ConnectFour {
    fn has_line(self, discs: u64) -> bool {
        [1, self.rows, self.rows + 1, self.rows + 2]
            .into_iter()
            .any(|step| {
                let pairs = discs & discs >> step;
                pairs & pairs >> (2 * step) != 0
            })
    }
}

impl Model for ConnectFour {
    type State = Position;
    type Action = u32;

    fn init_states(&self) -> Vec<Position> {
        vec![Position { own: 0, both: 0 }]
    }

    fn actions(&self, state: &Position, actions: &mut Vec<u32>) {
        if self.has_line(state.own ^ state.both) {
            return;
        }
        let top = |column: u32| 1 << (column * (self.rows + 1) + self.rows - 1);
        actions.extend((0..self.columns).filter(|&column| state.both & top(column) == 0));
    }

    fn next_state(&self, state: &Position, column: u32) -> Option<Position> {
        let bottom = 1 << (column * (self.rows + 1));
        Some(Position {
            own: state.own ^ state.both,
            both: state.both | (state.both + bottom),
        })
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // Never decided, so that all states are visited.
        vec![Property::always("any", |_, _| true)]
    }
}

fn main() {
    let mut sizes = std::env::args().skip(1).map(|text| text.parse().ok());
    let mut size = |default| sizes.next().flatten().unwrap_or(default);
    let model = ConnectFour {
        columns: size(5),
        rows: size(4),
    };
    let began = Instant::now();
    let checker = model.checker().threads(1).spawn_bfs().join();
    let seconds = began.elapsed().as_secs_f64();
    let states = checker.unique_state_count();
    println!(
        "{states} positions in {seconds:.2} s: {:.0} a second",
        states as f64 / seconds
    );
}
