//! The order in which atoms are derived: strongly connected components of what is not known yet, callees first.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::circuit::gates::Signal;
use crate::circuit::ground::{Atom, GroundProgram};
use crate::circuit::uses::Uses;

/// The signals of atoms, as far as they are known.
pub(super) struct Signals(Vec<Signal>);

impl Signals {
    /// Signals of so many atoms, none of which is known.
    pub(super) fn unknown(atoms: usize) -> Self {
        Self(vec![Signal::NONE; atoms])
    }

    pub(super) fn get(&self, atom: usize) -> Option<Signal> {
        Some(self.0[atom]).filter(|&signal| signal != Signal::NONE)
    }

    pub(super) fn set(&mut self, atom: usize, signal: Option<Signal>) {
        self.0[atom] = signal.unwrap_or(Signal::NONE);
    }
}

/// Atoms that are needed and whose signals are not known.
struct Reached {
    atoms: Vec<usize>,
    left: OpenCounts,
}

/// What is not known yet: by atom, the rules with conditions that are not known; by rule, those conditions.
struct OpenCounts {
    rules: Vec<u32>,
    conditions: Vec<u32>,
}

/// The atoms of a ground program whose signals are not known yet.
pub(super) struct OpenAtoms<'o> {
    pub(super) program: &'o GroundProgram,
    pub(super) uses: &'o Uses,
    pub(super) signals: &'o Signals,
}

impl OpenAtoms<'_> {
    /// The atoms on which those that are asked for depend and whose signals are not known, in strongly connected
    /// components, callees first.
    pub(super) fn components(&self, asked: &dyn Fn(Atom) -> bool) -> Vec<Vec<usize>> {
        let Reached { atoms, left } = self.reached(asked);
        // Kahn's algorithm, in which an atom is ready when all its rules are. What it never reaches is circular, or
        // behind something circular, and only that needs strongly connected components.
        let order = self.order(&atoms, left);
        let mut is_left = vec![false; self.program.atoms.len()];
        atoms.iter().for_each(|&atom| is_left[atom] = true);
        order.iter().for_each(|&atom| is_left[atom] = false);
        let circular = atoms.into_iter().filter(|&atom| is_left[atom]);
        let circular = self.circular(circular.collect());
        let alone = order.into_iter().map(|atom| vec![atom]);
        alone.chain(circular).collect()
    }

    /// The rules of an atom that may apply.
    fn open_rules(&self, atom: usize) -> impl Iterator<Item = usize> {
        self.program.rules_of(atom).filter(|&rule| {
            let constant = |at: usize| self.signals.get(at).and_then(Signal::constant);
            let mut literals = self.program.rule(rule).1.iter();
            !literals.any(|literal| constant(literal.atom()) == Some(literal.is_negated()))
        })
    }

    /// The conditions of a rule whose signals are not known.
    fn open_conditions(&self, rule: usize) -> impl Iterator<Item = usize> {
        let atoms = self
            .program
            .rule(rule)
            .1
            .iter()
            .map(|literal| literal.atom());
        atoms.filter(|&atom| self.signals.get(atom).is_none())
    }

    /// The atoms on which those that are asked for depend and whose signals are not known.
    fn reached(&self, asked: &dyn Fn(Atom) -> bool) -> Reached {
        let atoms = self.program.atoms.iter().enumerate();
        let asked =
            atoms.filter(|(number, atom)| asked(**atom) && self.signals.get(*number).is_none());
        let mut atoms: Vec<usize> = asked.map(|(number, _)| number).collect();
        let mut left = OpenCounts {
            rules: vec![0; self.program.atoms.len()],
            conditions: vec![0; self.program.rules()],
        };
        let mut is_reached = vec![false; self.program.atoms.len()];
        atoms.iter().for_each(|&atom| is_reached[atom] = true);
        let mut next = 0;
        while let Some(&atom) = atoms.get(next) {
            next += 1;
            // Two counters: rules with open conditions for each atom, open conditions for each rule.
            for rule in self.open_rules(atom) {
                let mut open = 0;
                for asked in self.open_conditions(rule) {
                    open += 1;
                    if !std::mem::replace(&mut is_reached[asked], true) {
                        atoms.push(asked);
                    }
                }
                left.conditions[rule] = open;
                left.rules[atom] += u32::from(open > 0);
            }
        }
        Reached { atoms, left }
    }

    /// The atoms that depend on no atom that depends on itself, callees first.
    fn order(&self, reached: &[usize], left: OpenCounts) -> Vec<usize> {
        let OpenCounts {
            mut rules,
            mut conditions,
        } = left;
        let ready = reached.iter().copied().filter(|&atom| rules[atom] == 0);
        let mut order: Vec<usize> = ready.collect();
        let mut next = 0;
        while let Some(&atom) = order.get(next) {
            next += 1;
            for asking in self.uses.of(atom) {
                let rule = asking.rule();
                // Rules that nobody asked for, or that do not apply, have none.
                if conditions[rule] > 0 {
                    // Each use of an atom answers one condition of one rule.
                    conditions[rule] -= 1;
                    if conditions[rule] == 0 {
                        let head = self.program.rule(rule).0;
                        rules[head] -= 1;
                        if rules[head] == 0 {
                            order.push(head);
                        }
                    }
                }
            }
        }
        order
    }

    /// Atoms that depend on atoms that depend on themselves, in strongly connected components, callees first.
    fn circular(&self, atoms: Vec<usize>) -> Vec<Vec<usize>> {
        let mut graph: DiGraph<usize, ()> = DiGraph::new();
        let mut node_of: Vec<Option<NodeIndex>> = vec![None; self.program.atoms.len()];
        for &atom in &atoms {
            node_of[atom] = Some(graph.add_node(atom));
        }
        for &atom in &atoms {
            for rule in self.open_rules(atom) {
                for asked in self.open_conditions(rule) {
                    if let (Some(from), Some(to)) = (node_of[atom], node_of[asked]) {
                        graph.add_edge(from, to, ());
                    }
                }
            }
        }
        // Ascending, as `check_signs` searches in them.
        let members = |component: Vec<NodeIndex>| {
            let mut atoms: Vec<usize> = component.into_iter().map(|node| graph[node]).collect();
            atoms.sort_unstable();
            atoms
        };
        kosaraju_scc(&graph).into_iter().map(members).collect()
    }
}
