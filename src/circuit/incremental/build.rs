//! From a circuit to its network.

use rustc_hash::FxHashMap;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::incremental::fixpoint::{Input, LoopFixpoint};
use crate::circuit::incremental::layout::{Layout, OutputBit};
use crate::circuit::incremental::lazy::{Enablers, LazyGates};
use crate::circuit::incremental::links::{FALSE, HUB, Link, Links, Node, Other};
use crate::circuit::incremental::network::Network;
use crate::circuit::incremental::sample::{Frequencies, sample_frequencies};
use crate::circuit::incremental::shared_input::SharedInputs;
use crate::circuit::schedule::{Part, Phase, Schedule};
use crate::gdl::FluentId;

/// Gates below which lazy evaluation is not tried: such circuits propagate within microseconds anyway.
const MIN_GATES: usize = 20_000;

impl Network {
    /// The network of a circuit with these fluents.
    pub(in crate::circuit) fn new(circuit: &Circuit, fluents: &[FluentId]) -> Self {
        // The eager network comes first: it samples the states that say which fluents are rare.
        let network = Self::with(circuit, fluents, None);
        if circuit.gates.len() < MIN_GATES {
            return network;
        }
        let frequencies = sample_frequencies(circuit, &network, fluents);
        Self::with(circuit, fluents, Some(&frequencies))
    }

    /// The network, with lazy gates if it is known how often fluents hold.
    pub(super) fn with(
        circuit: &Circuit,
        fluents: &[FluentId],
        frequencies: Option<&Frequencies>,
    ) -> Self {
        let layout = Layout::of(circuit, fluents);
        let shown = layout.signals(circuit, fluents);
        let mut builder = NetworkBuilder::new(circuit, &shown, frequencies);
        builder.sources(fluents);
        // Payoffs come last: most searches ask for them only at ends.
        for phase in [Phase::State, Phase::Next, Phase::Goals] {
            builder.phase(phase);
        }
        builder.network.layout = layout;
        builder.show(&shown);
        builder.mask();
        builder.network.links = Links::new(builder.network.counts.len(), builder.links);
        builder.network
    }
}

struct NetworkBuilder<'c> {
    circuit: &'c Circuit,
    gates: &'c Gates,
    schedule: Schedule,
    /// By loop, its gates.
    members: Vec<Vec<usize>>,
    /// By gate, its node.
    nodes: Vec<Node>,
    /// By gate that is no gate's input and is seen once, where.
    last: Vec<Option<OutputBit>>,
    shared_inputs: SharedInputs,
    lazy: LazyGates,
    /// By set of enablers, the node that is true if one of them is.
    enablers: FxHashMap<Enablers, Input>,
    links: Vec<(Node, Link)>,
    network: Network,
}

impl<'c> NetworkBuilder<'c> {
    fn new(
        circuit: &'c Circuit,
        shown: &[(Signal, OutputBit)],
        frequencies: Option<&Frequencies>,
    ) -> Self {
        let schedule = Schedule::of(circuit, true);
        let mut members = vec![Vec::new(); circuit.gates.loops().len()];
        for gate in 1..circuit.gates.len() {
            if let Some(number) = schedule.block(gate) {
                members[number].push(gate);
            }
        }
        // Gate 0 is constant false and never changes.
        let last = last(circuit, &schedule, shown);
        Self {
            circuit,
            gates: &circuit.gates,
            shared_inputs: SharedInputs::choose(circuit, &schedule, &last),
            lazy: frequencies.map_or_else(LazyGates::default, |frequencies| {
                LazyGates::choose(circuit, &schedule, shown, &last, frequencies)
            }),
            last,
            schedule,
            members,
            enablers: FxHashMap::default(),
            nodes: vec![FALSE; circuit.gates.len()],
            links: Vec::new(),
            network: Network {
                // Node 0 is [`FALSE`], with one false input for ever.
                counts: vec![1],
                ..Network::default()
            },
        }
    }

    /// The number of the next node.
    fn end(&self) -> Node {
        self.network.counts.len() as Node
    }

    fn node(&mut self, count: u32) -> Node {
        self.network.counts.push(count);
        self.end() - 1
    }

    /// Makes the nodes of fluents and moves.
    fn sources(&mut self, fluents: &[FluentId]) {
        let ids = fluents.iter().map(|fluent| fluent.index() + 1);
        self.network.fluents = vec![FALSE; ids.max().unwrap_or(0)];
        for (fluent, id) in self.circuit.fluents.iter().zip(fluents) {
            self.network.fluents[id.index()] = self.source(fluent.holds);
        }
        for moves in &self.circuit.moves {
            let nodes = moves.iter().map(|mv| self.source(mv.made)).collect();
            self.network.moves.push(nodes);
        }
    }

    fn source(&mut self, signal: Signal) -> Node {
        // A fluent that always holds is the constant, and what nothing reads gets no node.
        if signal.gate() != 0 && self.schedule.is_needed(signal.gate()) {
            self.nodes[signal.gate()] = self.node(1);
        }
        self.nodes[signal.gate()]
    }

    fn input(&self, signal: Signal) -> Input {
        Input {
            node: self.nodes[signal.gate()],
            inverted: signal.is_inverted(),
        }
    }

    /// Makes the nodes of a phase.
    fn phase(&mut self, phase: Phase) {
        let start = self.end();
        // Enablers are fluents, whose nodes come before all phases; only disjunctions of them need nodes.
        if phase == Phase::State {
            self.enablers();
        }
        for part in self.schedule.parts(self.gates, phase) {
            match part {
                Part::Gates(gates) => {
                    for gate in gates {
                        // A gate that is nothing but an output has its counter there, see [`NetworkBuilder::show`].
                        if self.last[gate].is_none() {
                            self.nodes[gate] = self.gate(gate);
                            self.make_lazy(gate, self.nodes[gate]);
                        }
                    }
                }
                Part::Loop(number) => self.looped(number),
            }
        }
        self.network.phases[phase as usize] = start..self.end();
    }

    /// Makes the node of a gate lazy if the gate has enablers.
    fn make_lazy(&mut self, gate: usize, node: Node) {
        let enablers = self.lazy.enablers(gate);
        if let Some(&enabler) = enablers.and_then(|enablers| self.enablers.get(enablers)) {
            self.shared_inputs.make_lazy(node, enabler);
        }
    }

    /// Makes the disjunctions of enablers.
    fn enablers(&mut self) {
        for enablers in self.lazy.all() {
            let enabler = match enablers[..] {
                [one] => self.input(one),
                _ => {
                    // a ∨ b as ¬(¬a ∧ ¬b).
                    let none: Vec<Signal> = enablers.iter().map(|&enabler| !enabler).collect();
                    Input {
                        node: self.counter(&none),
                        inverted: true,
                    }
                }
            };
            self.enablers.insert(enablers, enabler);
        }
    }

    /// The inputs of a gate, and enablers that it needs.
    fn inputs(&self, gate: usize) -> Vec<Signal> {
        let mut inputs = self.gates.inputs(gate).to_vec();
        inputs.extend(self.lazy.inputs(gate));
        inputs
    }

    /// Makes the node of a gate.
    fn gate(&mut self, gate: usize) -> Node {
        let inputs = self.inputs(gate);
        // `legal_i = control(x) ∧ rest_i`: the rest gets a counter of its own, or is one input.
        let Some((shared, rest)) = self.shared_inputs.split(gate, &inputs) else {
            return self.counter(&inputs);
        };
        let rest = match rest[..] {
            [one] => self.input(one),
            _ => {
                let node = self.counter(&rest);
                // The rest is read by the masked gate alone, so that what enables that enables this.
                self.make_lazy(gate, node);
                Input {
                    node,
                    inverted: false,
                }
            }
        };
        let node = self.node(1);
        if self.shared_inputs.mask_gate(shared, node, rest) {
            // Its counter is 1 for false and 0 for true, as nothing but `flip` changes it.
            self.network.counts[node as usize] = 0;
        }
        node
    }

    /// Makes a node that counts inputs.
    fn counter(&mut self, inputs: &[Signal]) -> Node {
        let node = self.node(1);
        self.count(inputs, node);
        node
    }

    /// Has a node count the inputs of a gate.
    fn count(&mut self, inputs: &[Signal], node: Node) {
        let straight = inputs.iter().filter(|input| !input.is_inverted()).count();
        // While everything is false, exactly the straight inputs are false. Counters of inputs that are true from
        // the start are lowered by the first propagation, which has them on its agenda.
        self.network.counts[node as usize] = straight as u32;
        for &input in inputs {
            let input = self.input(input);
            self.links.push((input.node, link(input, node)));
        }
    }

    /// Makes the nodes of a loop.
    fn looped(&mut self, number: usize) {
        let looped = &self.gates.loops()[number];
        let own = std::mem::take(&mut self.members[number]);
        let start = self.end();
        // All nodes first, as gates and atoms of a loop refer to each other.
        for &gate in &own {
            self.nodes[gate] = self.node(1);
        }
        let mut fixpoint = LoopFixpoint {
            nodes: start..self.end(),
            ..LoopFixpoint::default()
        };
        for &gate in &own {
            let inputs = match self.gates.gate(gate) {
                Gate::Variable(_, place) => {
                    fixpoint.atoms.push(self.nodes[gate]);
                    vec![self.input(looped.definitions[place as usize])]
                }
                Gate::And | Gate::False | Gate::Fluent(_) | Gate::Move(..) => {
                    fixpoint.gates.push(self.nodes[gate]);
                    let inputs = self.gates.inputs(gate).iter();
                    // What is outside is read from the counters of others when the loop is recomputed.
                    inputs.map(|&input| self.input(input)).collect()
                }
            };
            fixpoint.inputs.push(inputs);
        }
        // The hub comes behind all nodes of the loop and stands for them on the agenda.
        let hub = self.node(HUB);
        self.link_loop(&mut fixpoint, hub);
        self.network.loops.push(fixpoint);
    }

    /// Links the nodes of a loop with each other, and what they depend on with its hub.
    fn link_loop(&mut self, fixpoint: &mut LoopFixpoint, hub: Node) {
        let mut inner = Vec::new();
        for (node, inputs) in fixpoint.nodes.clone().zip(&fixpoint.inputs) {
            for &input in inputs {
                if fixpoint.nodes.contains(&input.node) {
                    // Links inside count by place in the loop, and are followed by `recompute` alone.
                    inner.push((input.node - fixpoint.nodes.start, link(input, node)))
                } else {
                    self.links.push((input.node, Link::Other(Other::Hub(hub))))
                }
            }
        }
        fixpoint.links = Links::new(fixpoint.nodes.len(), inner);
    }

    /// Makes signals seen.
    fn show(&mut self, shown: &[(Signal, OutputBit)]) {
        let first = self.network.counts.len().div_ceil(64);
        let words = first + self.network.layout.words();
        // Outputs start at a word of their own, so that the next state is read as a run of whole words.
        self.network.first = first;
        self.network.counts.resize(words * 64, 1);
        self.network.bits = vec![0; words];
        for &(signal, output) in shown {
            let node = output.node(first);
            // A gate with other readers has a node, which the output copies. One without is its output: the count
            // of its false inputs lies behind the output's bit.
            let bit = if self.last[signal.gate()] != Some(output) {
                self.follow(signal, node)
            } else if let Some((shared, rest)) = self
                .shared_inputs
                .split(signal.gate(), &self.inputs(signal.gate()))
            {
                self.shared_inputs.mask_move(shared, output);
                match rest[..] {
                    [one] => self.follow(one, node),
                    _ => self.conjunction(&rest, node),
                }
            } else {
                let inputs = self.inputs(signal.gate());
                // The inverse of a conjunction has its bit inverted; the counter is the same.
                self.conjunction(&inputs, node) ^ signal.is_inverted()
            };
            self.network.bits[node as usize / 64] |= u64::from(bit) << (node % 64);
        }
    }

    /// Makes an output what a signal is; gives its bit while everything is false.
    fn follow(&mut self, signal: Signal, output: Node) -> bool {
        let node = self.nodes[signal.gate()];
        self.links.push((node, Link::Other(Other::Output(output))));
        signal.is_inverted()
    }

    /// Makes an output a conjunction; gives its bit while everything is false.
    fn conjunction(&mut self, inputs: &[Signal], output: Node) -> bool {
        self.count(inputs, output);
        self.network.counts[output as usize] == 0
    }

    /// Makes the masks.
    fn mask(&mut self) {
        let shared_inputs = std::mem::take(&mut self.shared_inputs);
        let words = (self.network.layout.words(), self.network.bits.len());
        let (masks, links) = shared_inputs.masks(words, &self.nodes);
        self.links.extend(links);
        self.network.masks = masks;
    }
}

/// For each gate, where it is seen if that is all that it is there for.
fn last(
    circuit: &Circuit,
    schedule: &Schedule,
    shown: &[(Signal, OutputBit)],
) -> Vec<Option<OutputBit>> {
    // One reader, which is an output, and no loop: a node would only be copied.
    let gates = &circuit.gates;
    let mut last = vec![None; gates.len()];
    let mut users = vec![0u32; gates.len()];
    for &(signal, output) in shown {
        users[signal.gate()] += 1;
        last[signal.gate()] = Some(output);
    }
    let needed = (1..gates.len()).filter(|&gate| schedule.is_needed(gate));
    let inputs = needed.flat_map(|gate| gates.inputs(gate));
    let definitions = gates.loops().iter().flat_map(|looped| &looped.definitions);
    for input in inputs.chain(definitions) {
        users[input.gate()] += 1;
    }
    // Loops find the nodes of their gates in a range, so that none may be missing.
    for (gate, place) in last.iter_mut().enumerate() {
        let is_last = gates.gate(gate) == Gate::And && users[gate] == 1;
        if !is_last || schedule.block(gate).is_some() {
            *place = None;
        }
    }
    last
}

/// That a node counts an input.
fn link(input: Input, node: Node) -> Link {
    if input.inverted {
        Link::Inverted(node)
    } else {
        Link::Straight(node)
    }
}
