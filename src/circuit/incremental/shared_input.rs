//! Inputs with a very large fan-out, such as whose turn it is, are applied as masks of 64 gates.
//!
//! If every gate counted such an input among its false inputs, each change of the input would visit its whole fan-out,
//! though most of those gates are false for another reason. So a gate leaves its *shared input* to a mask, one bit a
//! gate, and is *ready* if all its other inputs are true. A change of the shared input visits ready gates only:
//!
//! ```text
//! legal_i = control(x) ∧ rest_i        ready = 0110 (rest_1, rest_2)        mask of control(x): 1111 or 0000
//! control(x) becomes true: gates 1 and 2 change, gates 0 and 3 are not visited
//! ```
//!
//! A legal move that nothing else reads is not even visited: the ready bits are read under the mask.

use rustc_hash::FxHashMap;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Signal};
use crate::circuit::incremental::fixpoint::Input;
use crate::circuit::incremental::layout::OutputBit;
use crate::circuit::incremental::links::{Link, Node, Other};
use crate::circuit::schedule::Schedule;

/// Legal moves below which an input is not masked.
const MIN_MOVES: u32 = 4;

/// Gates below which an input is not masked: each masked gate may need one more node.
const MIN_GATES: u32 = 32;

/// Legal moves or gates of one word that a signal masks, or nodes that it enables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    /// The word: of outputs, counted from the first one, of gates, behind these, or of nodes, behind these.
    pub(super) word: u32,
    pub(super) bits: u64,
}

/// Gates of one word that have the same shared input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MaskedGates {
    /// By bit, the node of the gate.
    pub(super) gates: Vec<Node>,
    /// By bit, whether the gate is ready while everything is false.
    pub(super) ready: u64,
}

/// A gate that leaves an input to a mask.
#[derive(Clone, Copy, Debug)]
struct MaskedGate {
    shared: Signal,
    gate: Node,
    /// What makes it ready.
    rest: Input,
}

/// Which gates leave which input to a mask.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedInputs {
    /// By gate.
    chosen: FxHashMap<usize, Signal>,
    moves: Vec<(Signal, OutputBit)>,
    gates: Vec<MaskedGate>,
    /// Lazy nodes, and what enables them.
    lazy: Vec<(Input, Node)>,
}

/// The masks of all shared inputs and of all enablers.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    pub(super) all: Vec<Mask>,
    pub(super) masked: Vec<MaskedGates>,
    /// By word, what has no shared input or enabler, or one that is true while all fluents and moves are false.
    pub(super) open: Vec<u64>,
    /// The first word of nodes that lazy evaluation enables.
    pub(super) enabled: usize,
}

impl SharedInputs {
    /// Chooses shared inputs, given which gates are nothing but an output.
    pub(super) fn choose(
        circuit: &Circuit,
        schedule: &Schedule,
        last: &[Option<OutputBit>],
    ) -> Self {
        // A masked move must be a conjunction that nothing else reads, seen as it is: the bit is the ready bit.
        let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
        let moves = legal.filter(|signal| !signal.is_inverted() && last[signal.gate()].is_some());
        let gates = 1..circuit.gates.len();
        let gates = gates.filter(|&gate| {
            // Any other gate has a node and is flipped.
            let is_straight =
                circuit.gates.gate(gate) == Gate::And && schedule.block(gate).is_none();
            is_straight && schedule.is_needed(gate) && last[gate].is_none()
        });
        let mut chosen = FxHashMap::default();
        choose(
            circuit,
            moves.map(Signal::gate).collect(),
            MIN_MOVES,
            &mut chosen,
        );
        choose(circuit, gates.collect(), MIN_GATES, &mut chosen);
        Self {
            chosen,
            ..Self::default()
        }
    }

    /// The shared input of a gate and its other inputs, if it has one.
    pub(super) fn split(&self, gate: usize, inputs: &[Signal]) -> Option<(Signal, Vec<Signal>)> {
        let shared = *self.chosen.get(&gate)?;
        let inputs = inputs.iter().copied();
        Some((shared, inputs.filter(|&input| input != shared).collect()))
    }

    /// Masks a legal move.
    pub(super) fn mask_move(&mut self, shared: Signal, output: OutputBit) {
        self.moves.push((shared, output));
    }

    /// Masks a gate; says whether it is true while all fluents and moves are false.
    pub(super) fn mask_gate(&mut self, shared: Signal, gate: Node, rest: Input) -> bool {
        self.gates.push(MaskedGate { shared, gate, rest });
        // `¬c ∧ ¬r` is the one that holds while both are false.
        shared.is_inverted() && rest.inverted
    }

    /// Lets a node be lazy while its enabler does not hold.
    pub(super) fn make_lazy(&mut self, node: Node, enabler: Input) {
        self.lazy.push((enabler, node));
    }

    /// The masks, for so many words of outputs and of nodes, and the links from shared inputs, enablers and ready
    /// nodes to them, given the nodes of gates.
    pub(super) fn masks(
        mut self,
        (outputs, all): (usize, usize),
        nodes: &[Node],
    ) -> (Masks, Vec<(Node, Link)>) {
        let mut writer = MaskWriter {
            nodes,
            masks: Masks {
                open: vec![u64::MAX; outputs],
                ..Masks::default()
            },
            links: Vec::new(),
        };
        // Moves that share an input and a word of outputs share a mask.
        self.moves.sort_unstable();
        let place = |&(shared, output): &(Signal, OutputBit)| (shared, output.word());
        for own in self.moves.chunk_by(|one, other| place(one) == place(other)) {
            let (shared, output) = own[0];
            let bits = own
                .iter()
                .fold(0, |bits, &(_, output)| bits | output.mask());
            writer.mask(writer.input(shared), output.word() as u32, bits);
        }
        self.gates
            .sort_unstable_by_key(|left| (left.shared, left.gate));
        for all in self.gates.chunk_by(|one, other| one.shared == other.shared) {
            // Gates are numbered anew here, 64 a word in their own order, so that a mask never crosses words.
            for own in all.chunks(64) {
                writer.gates(own);
            }
        }
        writer.lazy(self.lazy, all);
        (writer.masks, writer.links)
    }
}

/// Masks in the making.
struct MaskWriter<'n> {
    nodes: &'n [Node],
    masks: Masks,
    links: Vec<(Node, Link)>,
}

impl MaskWriter<'_> {
    fn input(&self, signal: Signal) -> Input {
        Input {
            node: self.nodes[signal.gate()],
            inverted: signal.is_inverted(),
        }
    }

    /// Adds a mask.
    fn mask(&mut self, shared: Input, word: u32, bits: u64) {
        // A straight input is false at the start, and closes its bits.
        if !shared.inverted {
            self.masks.open[word as usize] ^= bits;
        }
        let place = self.masks.all.len() as u32;
        self.links
            .push((shared.node, Link::Other(Other::Mask(place))));
        self.masks.all.push(Mask { word, bits });
    }

    /// Adds so many words of nodes, some of which may be lazy.
    fn lazy(&mut self, mut lazy: Vec<(Input, Node)>, all: usize) {
        let first = self.masks.open.len();
        self.masks.enabled = first;
        self.masks.open.resize(first + all, u64::MAX);
        lazy.sort_unstable();
        let place = |&(enabler, node): &(Input, Node)| (enabler, node / 64);
        for own in lazy.chunk_by(|one, other| place(one) == place(other)) {
            let nodes = own.iter().map(|&(_, node)| node);
            let bits = nodes.fold(0, |bits, node| bits | 1 << (node % 64));
            let (enabler, node) = own[0];
            self.mask(enabler, first as u32 + node / 64, bits);
        }
    }

    /// Adds a word of gates.
    fn gates(&mut self, own: &[MaskedGate]) {
        let first = self.masks.masked.len() as u32 * 64;
        let mut masked = MaskedGates::default();
        for (bit, left) in own.iter().enumerate() {
            masked.gates.push(left.gate);
            masked.ready |= u64::from(left.rest.inverted) << bit;
            let ready = Link::Other(Other::Ready(first + bit as u32));
            self.links.push((left.rest.node, ready));
        }
        self.masks.masked.push(masked);
        let word = self.masks.open.len() as u32;
        self.masks.open.push(u64::MAX);
        self.mask(self.input(own[0].shared), word, u64::MAX);
    }
}

/// Gives gates the input that most of them share, if enough of them do.
fn choose(circuit: &Circuit, gates: Vec<usize>, least: u32, chosen: &mut FxHashMap<usize, Signal>) {
    let mut users: FxHashMap<Signal, u32> = FxHashMap::default();
    for &input in gates.iter().flat_map(|&gate| circuit.gates.inputs(gate)) {
        *users.entry(input).or_default() += 1;
    }
    // The input with the most users wins; the signal decides between equals, so that the choice is the same in
    // every run.
    chosen.extend(gates.iter().filter_map(|&gate| {
        let inputs = circuit.gates.inputs(gate).iter().copied();
        let most = inputs.max_by_key(|&input| (users[&input], input))?;
        (users[&most] >= least).then_some((gate, most))
    }));
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::sync::Arc;

    use super::*;
    use crate::circuit::Evaluator;
    use crate::circuit::ground;
    use crate::circuit::incremental::Network;
    use crate::circuit::sat::equivalence::read;
    use crate::gdl::{FluentId, MoveId, Reasoner, RoleId, State, Vocabulary};
    use crate::limits::{Limits, StopFlag};
    use crate::term::Store;

    /// Players take squares in turn, black only those beside one that was taken; the game is over when nobody can.
    fn rules() -> String {
        let squares = 1..=40;
        let squares =
            squares.map(|at| format!("(beside {at} {}) (beside {} {at})", at + 1, at + 1));
        let facts: Vec<String> = squares.collect();
        facts.join(" ")
            + "(role white) (role black) (init (control white))
            (<= (next (control black)) (true (control white)))
            (<= (next (control white)) (true (control black)))
            (<= (next (taken ?x)) (does ?r (take ?x)))
            (<= (next (taken ?x)) (true (taken ?x)))
            (<= (legal ?r pass) (role ?r) (not (true (control ?r))))
            (<= (legal white (take ?x)) (true (control white)) (beside ?x ?y) (not (true (taken ?x))))
            (<= (legal black (take ?x)) (true (control black)) (open ?x) (not (true (taken ?x))))
            (<= (open ?x) (beside ?x ?y) (true (taken ?y)))
            (<= (can ?r) (legal ?r (take ?x)))
            (<= terminal (not (can white)) (not (can black)))
            (<= (goal ?r 50) (role ?r))"
    }

    /// That somebody can move depends on every legal move, so these are gates that others depend on.
    #[test]
    fn guarded_gates_follow_their_guards() -> Result<(), Box<dyn Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "squares", rules().into_bytes())?;
        let limits = Limits::default();
        let program = ground::ground(&game, &mut store, &limits, 10_000)?;
        let circuit = Arc::new(Circuit::new(&mut store, &program, 2)?);
        let mut vocabulary = Vocabulary::new(store);
        let fluents = circuit.fluents.iter();
        let fluents: Vec<FluentId> = fluents.map(|own| vocabulary.fluent(own.term)).collect();
        let network = Network::new(&circuit, &fluents);
        assert!(network.masks.masked.len() >= 2);
        let mut tabled = game.tabled(&mut vocabulary, limits)?;
        let mut evaluator = Evaluator::new(circuit, &mut vocabulary, StopFlag::default());
        let mut state = tabled.initial_state(&mut vocabulary)?;
        let mut step = 0;
        loop {
            let found = observe(&mut evaluator, &mut vocabulary, &state)?;
            assert_eq!(
                found,
                observe(&mut tabled, &mut vocabulary, &state)?,
                "step {step}"
            );
            let (over, legal) = found;
            if over {
                break;
            }
            let joint: Vec<MoveId> = legal.iter().map(|own| own[7 * step % own.len()]).collect();
            state = evaluator.successor(&mut vocabulary, &state, &joint)?;
            step += 1;
        }
        assert_eq!(step, 41);
        Ok(())
    }

    /// Whether a state is an end, and the legal moves of each role, sorted.
    type View = (bool, Vec<Vec<MoveId>>);

    fn observe(
        reasoner: &mut impl Reasoner,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<View, Box<dyn Error>> {
        let mut all = Vec::new();
        for role in [RoleId(0), RoleId(1)] {
            let mut legal = Vec::new();
            reasoner.legal_moves(vocabulary, state, role, &mut legal)?;
            legal.sort_unstable();
            all.push(legal);
        }
        Ok((reasoner.is_terminal(vocabulary, state)?, all))
    }
}
