//! Least fixpoints of recursive atoms: the strongly connected components of the circuit.
//!
//! Counters of false inputs cannot see that two atoms only support each other. So when an input of a component has
//! changed, all its atoms are made false and the consequences derived anew, bottom up; a component has no negation
//! inside (rules are stratified), so no gate changes twice.

use std::ops::Range;

use crate::circuit::incremental::links::{Links, Node};

/// An input of a node: another one, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Input {
    pub(super) node: Node,
    pub(super) inverted: bool,
}

/// A loop of a network.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopFixpoint {
    /// Its nodes: atoms, which have their definitions as only inputs, and gates.
    pub(super) nodes: Range<Node>,
    pub(super) atoms: Vec<Node>,
    /// Gates, inputs first.
    pub(super) gates: Vec<Node>,
    /// The inputs of each node, by place.
    pub(super) inputs: Vec<Vec<Input>>,
    /// Links from node to node, by place.
    pub(super) links: Links,
}

impl LoopFixpoint {
    /// The node that stands for the loop on the agenda.
    pub(super) fn hub(&self) -> Node {
        self.nodes.end
    }

    fn place(&self, node: Node) -> Node {
        node - self.nodes.start
    }

    /// Brings the counters of the nodes up to date.
    pub(super) fn recompute(&self, counts: &mut [u32]) {
        for &atom in &self.atoms {
            counts[atom as usize] = 1;
        }
        // In topological order, atoms being constants here: each count is final until an atom changes.
        for &gate in &self.gates {
            counts[gate as usize] = self.false_inputs(counts, gate);
        }
        // Definitions that hold although all atoms are false start the derivation.
        let mut changed: Vec<Node> = Vec::new();
        let follows = |&atom: &Node| self.false_inputs(counts, atom) == 0;
        changed.extend(self.atoms.iter().copied().filter(follows));
        for &atom in &changed {
            counts[atom as usize] = 0;
        }
        // The order is free: counters only fall, and a node is pushed when it becomes true, once.
        while let Some(node) = changed.pop() {
            let fan = self.links.of(self.place(node));
            let holds = counts[node as usize] == 0;
            let told = fan.tell(holds, counts);
            changed.extend(told.filter(|&(_, changes)| changes).map(|(node, _)| node));
        }
    }

    fn false_inputs(&self, counts: &[u32], node: Node) -> u32 {
        let inputs = self.inputs[self.place(node) as usize].iter();
        let is_false = |input: &&Input| (counts[input.node as usize] == 0) == input.inverted;
        inputs.filter(is_false).count() as u32
    }
}
