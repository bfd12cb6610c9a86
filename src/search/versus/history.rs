//! Which moves are tried first: those that decided most of the nodes in which they were tried.
//!
//! That is the relative history heuristic [WWHU04]. A move is judged by what it did after the same move before it,
//! too (countermoves, [U92]): answers in the same column decide games of four in a row. While little is known of the
//! pair, what is known of the move alone counts.

/// Tries of an answer that count as much as what is known of the move alone.
const PRIOR: f64 = 256.0;

/// Slots of the table of answers. Answers that share one are confused, which costs time and nothing else.
const SLOTS: usize = 1 << 18;

/// How often a move was tried, and how often it decided the node.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    decided: u32,
    tried: u32,
}

/// What moves did so far.
pub(super) struct History {
    /// By role and place of a move in the circuit.
    moves: Vec<Vec<Rate>>,
    /// By role, the move before, and the move; by hash.
    answers: Vec<Rate>,
}

impl History {
    /// For roles with so many moves each.
    pub(super) fn new(moves: impl IntoIterator<Item = usize>) -> Self {
        let moves = moves.into_iter();
        Self {
            moves: moves.map(|moves| vec![Rate::default(); moves]).collect(),
            answers: vec![Rate::default(); SLOTS],
        }
    }

    /// Which share of the nodes a move of a role decided, after some other move; in millionths.
    pub(super) fn score(&self, role: usize, before: u32, mv: u32) -> u64 {
        let alone = self.moves[role][mv as usize];
        let alone = f64::from(alone.decided) / (f64::from(alone.tried) + 1.0);
        let answer = self.answers[slot(role, before, mv)];
        // A Bayesian estimate: the rate of the move alone counts as PRIOR tries of the pair.
        let decided = f64::from(answer.decided) + PRIOR * alone;
        (decided / (f64::from(answer.tried) + PRIOR) * 1e6) as u64
    }

    /// Notes which moves of a role were tried after some other move, and which decided the node.
    pub(super) fn note(
        &mut self,
        (role, before): (usize, u32),
        tried: impl IntoIterator<Item = u32>,
        decided: u32,
    ) {
        for mv in tried {
            let slot = slot(role, before, mv);
            for rate in [&mut self.moves[role][mv as usize], &mut self.answers[slot]] {
                rate.tried = rate.tried.saturating_add(1);
                rate.decided = rate.decided.saturating_add(u32::from(mv == decided));
            }
        }
    }
}

fn slot(role: usize, before: u32, mv: u32) -> usize {
    // The golden ratio as a multiplier spreads pairs over the upper bits.
    let pair = u64::from(before) << 32 | u64::from(mv);
    let hash = (pair ^ (role as u64) << 28).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_more_often_comes_first() {
        let mut history = History::new([3, 3]);
        for _ in 0..1000 {
            history.note((0, 7), [2, 1], 1);
            history.note((0, 8), [1, 2], 2);
            history.note((0, 8), [1, 2], 2);
        }
        // Move 2 is the better one as a rule, and move 1 after move 7.
        assert!(history.score(0, 9, 2) > history.score(0, 9, 1));
        assert!(history.score(0, 7, 1) > history.score(0, 7, 2));
        assert_eq!(history.score(1, 7, 1), 0);
    }
}
