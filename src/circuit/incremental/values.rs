//! The values of the nodes of a network, and how they follow a change.

use std::ops::Range;

use crate::circuit::incremental::agenda::Agenda;
use crate::circuit::incremental::fixpoint::LoopFixpoint;
use crate::circuit::incremental::layout::OutputBit;
use crate::circuit::incremental::links::{FALSE, HUB, Node, Other};
use crate::circuit::incremental::network::Network;
use crate::circuit::incremental::shared_input::Mask;
use crate::circuit::schedule::{PHASES, Phase};
use crate::gdl::State;
use crate::term::{ones, ones_of_all};

/// The values of all nodes. Changes of fluents and moves are propagated phase by phase, on demand.
#[derive(Clone, Debug)]
pub(in crate::circuit) struct Values {
    counts: Vec<u32>,
    agenda: Agenda,
    /// By word of outputs and of masked gates, those whose shared input is true; by word of nodes, those that are enabled.
    open: Vec<u64>,
    /// By word of masked gates, those of which all inputs but the shared one are true.
    ready: Vec<u64>,
    /// The state that the fluents are in.
    state: State,
}

impl Values {
    /// No fluent and no move is true.
    pub(in crate::circuit) fn new(network: &Network) -> Self {
        let mut agenda = Agenda::new(network.bits.clone());
        for nodes in PHASES.map(|phase| network.phase(phase)) {
            let counts = nodes.map(|node| (node, network.counts[node as usize]));
            // A gate without false inputs is true from the start; that is a pending change for its fan-out.
            // `first` is not the state with no fluents: gates that are true in it, such as negations, have never
            // told anybody.
            counts
                .filter(|&(_, count)| count == 0 || count == HUB)
                .for_each(|(node, _)| agenda.insert(node));
        }
        Self {
            counts: network.counts.clone(),
            agenda,
            open: network.masks.open.clone(),
            ready: network.masks.masked.iter().map(|own| own.ready).collect(),
            state: State::default(),
        }
    }

    /// Whether the fluents have the values of a state.
    pub(in crate::circuit) fn is_in(&self, state: &State) -> bool {
        self.state == *state
    }

    /// Gives the fluents the values of a state.
    pub(in crate::circuit) fn enter(&mut self, network: &Network, state: &State) {
        let mut before = std::mem::take(&mut self.state);
        // The difference of two states, word by word; each change goes straight to the fan-out.
        for (fluent, holds) in before.changes(state) {
            // Fluents that no state of the game has are not read by any gate.
            if let Some(&node) = network.fluents.get(fluent.index()) {
                self.set(network, node, holds);
            }
        }
        before.clone_from(state);
        self.state = before;
    }

    /// Says whether a role makes a move, by place.
    #[inline]
    pub(in crate::circuit) fn set_move(
        &mut self,
        network: &Network,
        role: usize,
        place: u32,
        made: bool,
    ) {
        self.set(network, network.moves[role][place as usize], made);
    }

    #[inline]
    fn set(&mut self, network: &Network, source: Node, holds: bool) {
        // A source has counter 1 for false and 0 for true.
        let count = u32::from(!holds);
        if source != FALSE && self.counts[source as usize] != count {
            self.counts[source as usize] = count;
            self.spread(network, source);
        }
    }

    /// Propagates all pending changes of a phase. Phases whose nodes it reads must have been propagated before.
    pub(in crate::circuit) fn propagate(&mut self, network: &Network, phase: Phase) {
        // Ascending over a topological order: a node is taken after all that it counts, so that it is taken once. Gates
        // of earlier phases that are not enabled stay on the agenda.
        let Range { start, end } = network.phase(phase);
        let mut from = start;
        while let Some(node) = self
            .agenda
            .take(from, end, &self.open[network.masks.enabled..])
        {
            from = node + 1;
            match self.counts[node as usize] {
                HUB => {
                    if let Some(looped) = network.loop_of(node) {
                        self.recompute(network, looped);
                    }
                }
                _ => self.spread(network, node),
            }
        }
    }

    /// Propagates the change of one node to its fan-out.
    #[inline]
    fn spread(&mut self, network: &Network, node: Node) {
        let fan = network.links.of(node);
        let holds = self.counts[node as usize] == 0;
        // Toggling is enough: a gate that becomes true and false again before its turn has not changed.
        for (target, changes) in fan.tell(holds, &mut self.counts) {
            self.agenda.toggle_if(target, changes);
        }
        for &other in fan.others {
            match other {
                Other::Output(output) => self.agenda.toggle(output),
                Other::Hub(hub) => self.agenda.insert(hub),
                Other::Mask(mask) => self.turn(network, network.masks.all[mask as usize]),
                // A gate behind a mask changes only if the mask is open at this moment.
                Other::Ready(place) => self.ready(network, place),
            }
        }
    }

    /// Records that all inputs of a gate but the shared one have become true, or no longer are.
    #[inline]
    fn ready(&mut self, network: &Network, place: u32) {
        let (at, bit) = (place as usize / 64, place % 64);
        self.ready[at] ^= 1 << bit;
        // The words of masked gates follow those of the outputs.
        if self.open[network.layout.words() + at] >> bit & 1 == 1 {
            self.flip(network.masks.masked[at].gates[bit as usize]);
        }
    }

    /// Applies a change of a shared input to its gates, or of an enabler to its nodes.
    fn turn(&mut self, network: &Network, mask: Mask) {
        // Legal moves need nothing more: their bits are read under the mask. Lazy nodes need nothing either, as the
        // agenda is read under it.
        self.open[mask.word as usize] ^= mask.bits;
        let masked = (mask.word as usize).checked_sub(network.layout.words());
        if let Some(at) = masked
            && let Some(own) = network.masks.masked.get(at)
        {
            // Gates become true, or false, exactly where they are ready.
            for bit in ones(self.ready[at] & mask.bits) {
                self.flip(own.gates[bit]);
            }
        }
    }

    /// Changes a gate that no counter changes.
    #[inline]
    fn flip(&mut self, gate: Node) {
        self.counts[gate as usize] ^= 1;
        self.agenda.toggle(gate);
    }

    fn recompute(&mut self, network: &Network, looped: &LoopFixpoint) {
        // Only nodes that differ in the end are passed on; in between the fixpoint starts from all atoms false.
        let nodes = looped.nodes.start as usize..looped.nodes.end as usize;
        let before: Vec<bool> = self.counts[nodes].iter().map(|&count| count == 0).collect();
        looped.recompute(&mut self.counts);
        for (node, held) in looped.nodes.clone().zip(before) {
            if (self.counts[node as usize] == 0) != held {
                self.spread(network, node);
            }
        }
    }

    /// Whether the game is over, for the state that was propagated last.
    pub(in crate::circuit) fn is_terminal(&self, network: &Network) -> bool {
        shows(self.outputs(network), network.layout.terminal)
    }

    /// The legal moves of a role, by place.
    pub(in crate::circuit) fn legal<'v>(
        &'v self,
        network: &Network,
        role: usize,
    ) -> impl Iterator<Item = usize> + 'v {
        let words = network.layout.legal[role].clone();
        let open = self.open[words.clone()].iter();
        let words = self.outputs(network)[words].iter().zip(open);
        ones_of_all(words.map(|(word, open)| word & open))
    }

    /// The payoffs that a role has, by place.
    pub(in crate::circuit) fn goals<'v>(
        &'v self,
        network: &'v Network,
        role: usize,
    ) -> impl Iterator<Item = usize> + 'v {
        let outputs = self.outputs(network);
        let payoffs = network.layout.goals[role].iter().enumerate();
        let had = payoffs.filter(|&(_, &output)| shows(outputs, output));
        had.map(|(place, _)| place)
    }

    /// The next state, a bit a fluent.
    pub(in crate::circuit) fn next(&self, network: &Network) -> &[u64] {
        &self.outputs(network)[..network.layout.state]
    }

    fn outputs(&self, network: &Network) -> &[u64] {
        &self.agenda.words()[network.first..]
    }
}

fn shows(outputs: &[u64], output: OutputBit) -> bool {
    outputs[output.word()] & output.mask() != 0
}
