//! What a role can force, whatever the others do.

use crate::prove::graph::states::Graph;

impl Graph {
    /// Whether a role can force, whatever the others do, that a play comes to a state in which a signal is true.
    /// The graph is complete.
    pub(in crate::prove) fn can_force(&self, role: usize, signal: usize) -> bool {
        let mut won: Vec<bool> = (0..self.len())
            .map(|state| self.has(state, signal))
            .collect();
        // The least fixpoint, by sweeps. Later states tend to be nearer to the end, so that they come first.
        loop {
            let mut changes = false;
            for state in (0..self.len()).rev() {
                if !won[state] && self.wins_next(state, role, &won) {
                    won[state] = true;
                    changes = true;
                }
            }
            if !changes || won[0] {
                return won[0];
            }
        }
    }

    /// Whether the role has a move all of whose joint moves lead to states that are won.
    fn wins_next(&self, state: usize, role: usize, won: &[bool]) -> bool {
        let successors = self.successors(state);
        let options = &self.options[state * self.roles..][..self.roles];
        // A role's move stays for as long as those of the later ones take to go round: of 2 × 3 joint moves, ax ay az
        // bx by bz, the first role makes b in those from 3 on (stride 3), the second x in 0 and 3 (stride 1).
        let stride: usize = options[role + 1..]
            .iter()
            .map(|&number| number as usize)
            .product();
        let own = options[role] as usize;
        let mut is_safe = vec![!successors.is_empty(); own];
        for (joint, &to) in successors.iter().enumerate() {
            is_safe[joint / stride % own] &= won[to as usize];
        }
        is_safe.contains(&true)
    }
}
