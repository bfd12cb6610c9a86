//! Guards: inputs that very many gates share, such as whose turn it is.
//!
//! If every gate counted its guard, all of them were told of each change of it, though most are kept from being true
//! by something else. So a gate leaves its guard to a *mask*, a bit a gate, and is *ready* if everything else that it
//! depends on is so. When the guard changes, only gates that are ready change. A legal move that nothing else depends
//! on does not even do that: it is ready bits, under the mask, that are read.

use rustc_hash::FxHashMap;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Signal};
use crate::circuit::incremental::layout::Output;
use crate::circuit::incremental::network::{Link, Node, Other};
use crate::circuit::incremental::settle::Input;
use crate::circuit::schedule::Schedule;

/// Fewer legal moves are not worth a guard.
const MIN_MOVES: u32 = 4;

/// Fewer gates are not worth a guard: each may need one more node.
const MIN_GATES: u32 = 32;

/// Legal moves or gates of one word that a signal guards, or nodes that it wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    /// The word: of outputs, counted from the first one, of gates, behind these, or of nodes, behind these.
    pub(super) word: u32,
    pub(super) bits: u64,
}

/// Gates of one word that have the same guard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Guarded {
    /// By bit, the node of the gate.
    pub(super) gates: Vec<Node>,
    /// By bit, whether the gate is ready while everything is false.
    pub(super) ready: u64,
}

/// A gate that leaves an input to a mask.
#[derive(Clone, Copy, Debug)]
struct Left {
    guard: Signal,
    gate: Node,
    /// What makes it ready.
    rest: Input,
}

/// Who leaves which input to a mask.
#[derive(Clone, Debug, Default)]
pub(super) struct Guards {
    /// By gate.
    chosen: FxHashMap<usize, Signal>,
    moves: Vec<(Signal, Output)>,
    gates: Vec<Left>,
    /// Nodes, and what wakes them.
    dormant: Vec<(Input, Node)>,
}

/// The masks of all guards.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    pub(super) all: Vec<Mask>,
    pub(super) guarded: Vec<Guarded>,
    /// By word, what has no guard or waker, or one that holds while everything is false.
    pub(super) open: Vec<u64>,
    /// The first word of nodes that are awake.
    pub(super) awake: usize,
}

impl Guards {
    /// Chooses guards, given which gates are nothing but an output.
    pub(super) fn choose(circuit: &Circuit, schedule: &Schedule, last: &[Option<Output>]) -> Self {
        let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
        let moves = legal.filter(|signal| !signal.is_inverted() && last[signal.gate()].is_some());
        let gates = 1..circuit.gates.len();
        let gates = gates.filter(|&gate| {
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

    /// The guard of a gate and its other inputs, if it has one.
    pub(super) fn split(&self, gate: usize, inputs: &[Signal]) -> Option<(Signal, Vec<Signal>)> {
        let guard = *self.chosen.get(&gate)?;
        let inputs = inputs.iter().copied();
        Some((guard, inputs.filter(|&input| input != guard).collect()))
    }

    /// Guards a legal move.
    pub(super) fn guard_move(&mut self, guard: Signal, output: Output) {
        self.moves.push((guard, output));
    }

    /// Guards a gate; says whether it is true while everything is false.
    pub(super) fn guard_gate(&mut self, guard: Signal, gate: Node, rest: Input) -> bool {
        self.gates.push(Left { guard, gate, rest });
        guard.is_inverted() && rest.inverted
    }

    /// Lets a node be dormant while its waker does not hold.
    pub(super) fn let_sleep(&mut self, node: Node, waker: Input) {
        self.dormant.push((waker, node));
    }

    /// The masks, for so many words of outputs and of nodes, and how guards, wakers and what makes gates ready are
    /// linked with them, given the nodes of gates.
    pub(super) fn masks(
        mut self,
        (outputs, all): (usize, usize),
        nodes: &[Node],
    ) -> (Masks, Vec<(Node, Link)>) {
        let mut writer = Writer {
            nodes,
            masks: Masks {
                open: vec![u64::MAX; outputs],
                ..Masks::default()
            },
            links: Vec::new(),
        };
        self.moves.sort_unstable();
        let place = |&(guard, output): &(Signal, Output)| (guard, output / 64);
        for own in self.moves.chunk_by(|one, other| place(one) == place(other)) {
            let (guard, output) = own[0];
            let bits = own
                .iter()
                .fold(0, |bits, &(_, output)| bits | 1 << (output % 64));
            writer.mask(writer.input(guard), output / 64, bits);
        }
        self.gates
            .sort_unstable_by_key(|left| (left.guard, left.gate));
        for all in self.gates.chunk_by(|one, other| one.guard == other.guard) {
            for own in all.chunks(64) {
                writer.gates(own);
            }
        }
        writer.dormant(self.dormant, all);
        (writer.masks, writer.links)
    }
}

/// Masks in the making.
struct Writer<'n> {
    nodes: &'n [Node],
    masks: Masks,
    links: Vec<(Node, Link)>,
}

impl Writer<'_> {
    fn input(&self, signal: Signal) -> Input {
        Input {
            node: self.nodes[signal.gate()],
            inverted: signal.is_inverted(),
        }
    }

    /// Adds a mask.
    fn mask(&mut self, guard: Input, word: u32, bits: u64) {
        if !guard.inverted {
            self.masks.open[word as usize] ^= bits;
        }
        let place = self.masks.all.len() as u32;
        self.links
            .push((guard.node, Link::Other(Other::Mask(place))));
        self.masks.all.push(Mask { word, bits });
    }

    /// Adds so many words of nodes, some of which may be dormant.
    fn dormant(&mut self, mut dormant: Vec<(Input, Node)>, all: usize) {
        let first = self.masks.open.len();
        self.masks.awake = first;
        self.masks.open.resize(first + all, u64::MAX);
        dormant.sort_unstable();
        let place = |&(waker, node): &(Input, Node)| (waker, node / 64);
        for own in dormant.chunk_by(|one, other| place(one) == place(other)) {
            let nodes = own.iter().map(|&(_, node)| node);
            let bits = nodes.fold(0, |bits, node| bits | 1 << (node % 64));
            let (waker, node) = own[0];
            self.mask(waker, first as u32 + node / 64, bits);
        }
    }

    /// Adds a word of gates.
    fn gates(&mut self, own: &[Left]) {
        let first = self.masks.guarded.len() as u32 * 64;
        let mut guarded = Guarded::default();
        for (bit, left) in own.iter().enumerate() {
            guarded.gates.push(left.gate);
            guarded.ready |= u64::from(left.rest.inverted) << bit;
            let ready = Link::Other(Other::Ready(first + bit as u32));
            self.links.push((left.rest.node, ready));
        }
        self.masks.guarded.push(guarded);
        let word = self.masks.open.len() as u32;
        self.masks.open.push(u64::MAX);
        self.mask(self.input(own[0].guard), word, u64::MAX);
    }
}

/// Gives gates the input that most of them share, if enough of them do.
fn choose(circuit: &Circuit, gates: Vec<usize>, least: u32, chosen: &mut FxHashMap<usize, Signal>) {
    let mut users: FxHashMap<Signal, u32> = FxHashMap::default();
    for &input in gates.iter().flat_map(|&gate| circuit.gates.inputs(gate)) {
        *users.entry(input).or_default() += 1;
    }
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
        assert!(network.masks.guarded.len() >= 2);
        let mut tabled = game.tabled(&mut vocabulary, limits)?;
        let mut evaluator = Evaluator::new(circuit, &mut vocabulary, StopFlag::default());
        let mut state = tabled.initial_state(&mut vocabulary)?;
        let mut step = 0;
        loop {
            let found = look_at(&mut evaluator, &mut vocabulary, &state)?;
            assert_eq!(
                found,
                look_at(&mut tabled, &mut vocabulary, &state)?,
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

    fn look_at(
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
