//! A strategy of fixed answers, and the circuit of the game in which a role keeps to it.

use crate::circuit::{Circuit, Fluent, Signal};

/// What a role does, by places of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReplyRules {
    /// The move that it begins with; none if it may begin with any.
    pub(crate) opening: Option<usize>,
    /// Moves of the other role, ascending, each with the answer; where that is not legal, or to other moves, it may make
    /// any move.
    pub(crate) replies: Vec<(usize, usize)>,
}

impl ReplyRules {
    /// The circuit in which a role keeps to the answers. A fluent more tells of each move of the other role whether it was
    /// made last; one more whether the game has begun.
    pub(super) fn kept(&self, circuit: &Circuit, role: usize, other: usize) -> Circuit {
        let mut kept = circuit.clone();
        let mut last = Vec::with_capacity(self.replies.len());
        for &(mv, reply) in &self.replies {
            let mv = circuit.moves[other][mv];
            let holds = kept.gates.fluent(kept.fluents.len() as u32);
            kept.fluents.push(Fluent {
                term: mv.term,
                initial: false,
                holds,
                next: mv.made,
            });
            last.push((reply, holds));
        }
        let possible = last.iter().map(|&(reply, holds)| {
            let legal = circuit.moves[role][reply].legal;
            kept.gates.and(&mut vec![holds, legal])
        });
        let mut possible: Vec<Signal> = possible.collect();
        let can_reply = kept.gates.or(&mut possible);
        let is_begun = self.opening.map(|_| begun(&mut kept));
        for (place, mv) in circuit.moves[role].iter().enumerate() {
            let own = last.iter().filter(|(reply, _)| *reply == place);
            let mut allowed: Vec<Signal> = own.map(|&(_, holds)| holds).collect();
            allowed.push(!can_reply);
            let mut all = vec![mv.legal, kept.gates.or(&mut allowed)];
            if self.opening != Some(place) {
                all.extend(is_begun);
            }
            kept.moves[role][place].legal = kept.gates.and(&mut all);
        }
        kept
    }
}

/// Adds a fluent that holds in all states but the start.
fn begun(circuit: &mut Circuit) -> Signal {
    let holds = circuit.gates.fluent(circuit.fluents.len() as u32);
    circuit.fluents.push(Fluent {
        term: circuit.fluents[0].term,
        initial: false,
        holds,
        next: Signal::TRUE,
    });
    holds
}
