//! Lazy evaluation of gates whose value cannot be observed.
//!
//! Whether a king could be captured on some square matters only while it stands there. A gate is unobservable while
//! none of its *enablers* holds: a few fluents (or their inverses) without which every gate in its fan-out is false,
//! whatever its own value is (an observability don't care, as in logic synthesis and clock gating). A pending change
//! of such a gate stays on the agenda; it is propagated when an enabler becomes true, unless it was undone before.
//!
//! ```text
//! legal  = king-here ∧ threatened      king-here enables threatened
//! threatened = ¬(¬a ∧ ¬b)              and what only that depends on: a, b
//! ```
//!
//! Invariant: a gate that reads a lazy gate is itself disabled whenever that gate is, or has one of its enablers as an
//! input of its own. An enabler that is only implied by another input is not enough, since that input may be lazy as
//! well and hold an outdated true; then the enabler is added as an input.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::incremental::layout::OutputBit;
use crate::circuit::incremental::sample::Frequencies;
use crate::circuit::schedule::Schedule;

/// Of the fluents that a gate requires, so many are considered, the rarest.
const MAX_REQUIRED: usize = 6;

/// A gate with more enablers is never lazy.
const MAX_ENABLERS: usize = 8;

/// Fluents, or their inverses, all of which must hold for a gate to be true.
type Required = SmallVec<[Signal; MAX_REQUIRED]>;

/// Fluents, or their inverses, one of which must hold for a gate to matter, ascending.
pub(super) type Enablers = SmallVec<[Signal; 4]>;

/// Which gates are lazy, and what enables them.
#[derive(Clone, Debug, Default)]
pub(super) struct LazyGates {
    /// By gate.
    enablers: FxHashMap<usize, Enablers>,
    /// By gate, enablers that it needs as inputs.
    inputs: FxHashMap<usize, Required>,
}

impl LazyGates {
    /// Chooses enablers, given which signals are outputs, and which gates are nothing but outputs.
    pub(super) fn choose(
        circuit: &Circuit,
        schedule: &Schedule,
        shown: &[(Signal, OutputBit)],
        last: &[Option<OutputBit>],
        frequencies: &Frequencies,
    ) -> Self {
        let gates = &circuit.gates;
        let mut chooser = EnablerChooser {
            gates,
            frequencies,
            required: Vec::new(),
            chosen: vec![None; gates.len()],
        };
        chooser.find_required();
        // Whatever is an output, or is read by a loop, can be observed at all times.
        let definitions = gates.loops().iter().flat_map(|own| &own.definitions);
        for signal in shown.iter().map(|(signal, _)| signal).chain(definitions) {
            chooser.require_eager(signal.gate());
        }
        let is_needed = |&gate: &usize| gates.gate(gate) == Gate::And && schedule.is_needed(gate);
        // Readers before what they read: numbers of gates ascend along dependencies.
        let needed: Vec<usize> = (1..gates.len()).rev().filter(is_needed).collect();
        for &gate in &needed {
            match schedule.block(gate) {
                // A loop reads its inputs whenever it is recomputed.
                Some(_) => {
                    chooser.require_eager(gate);
                    let inputs = gates.inputs(gate).iter();
                    inputs.for_each(|input| chooser.require_eager(input.gate()));
                }
                None => chooser.propagate_to_inputs(gate),
            }
        }
        let mut found = Self::default();
        // An empty list means eager; and gates that are only outputs have no node that could wait.
        for &gate in needed.iter().filter(|&&gate| last[gate].is_none()) {
            let chosen = chooser.chosen[gate].take();
            let enablers = chosen.filter(|enablers| !enablers.is_empty());
            found
                .enablers
                .extend(enablers.map(|enablers| (gate, enablers)));
        }
        for &gate in &needed {
            chooser.add_missing_enablers(gate, &mut found);
        }
        found
    }

    /// The enablers of a gate, if it may be lazy.
    pub(super) fn enablers(&self, gate: usize) -> Option<&Enablers> {
        self.enablers.get(&gate)
    }

    /// The enablers of all gates, each once, in order.
    pub(super) fn all(&self) -> Vec<Enablers> {
        let mut all: Vec<&Enablers> = self.enablers.values().collect();
        all.sort_unstable();
        all.dedup();
        // In order, since nodes are numbered by it.
        all.into_iter().cloned().collect()
    }

    /// The enablers that a gate needs as inputs.
    pub(super) fn inputs(&self, gate: usize) -> &[Signal] {
        self.inputs.get(&gate).map_or(&[], |own| own)
    }
}

/// Chooses enablers of gates from what depends on them.
struct EnablerChooser<'c> {
    gates: &'c Gates,
    frequencies: &'c Frequencies,
    /// By gate, rare fluents that it implies, the rarest first.
    required: Vec<Required>,
    /// By gate, enablers that suffice for all gates of its fan-out seen so far; empty if it must be eager.
    chosen: Vec<Option<Enablers>>,
}

impl EnablerChooser<'_> {
    /// Collects the rare fluents that gates imply, inputs first.
    fn find_required(&mut self) {
        for gate in 0..self.gates.len() {
            let mut own = Required::new();
            match self.gates.gate(gate) {
                Gate::Fluent(_) => own.extend(self.rare(Signal::of(gate))),
                Gate::And => {
                    // A conjunction implies what its inputs imply. Its inverse implies nothing.
                    for &input in self.gates.inputs(gate) {
                        self.for_each_required(input, |signal| own.push(signal));
                    }
                    // The rarest six: a gate deep in the circuit implies too many to keep.
                    own.sort_unstable_by_key(|&signal| (self.frequencies.of(signal), signal));
                    own.dedup();
                    own.truncate(MAX_REQUIRED);
                }
                Gate::False | Gate::Move(..) | Gate::Variable(..) => {}
            }
            self.required.push(own);
        }
    }

    /// The rare fluents that a signal implies.
    fn for_each_required(&self, signal: Signal, mut take: impl FnMut(Signal)) {
        match (self.gates.gate(signal.gate()), signal.is_inverted()) {
            (Gate::Fluent(_), _) => self.rare(signal).into_iter().for_each(take),
            (_, true) => {}
            (_, false) => self.required[signal.gate()]
                .iter()
                .for_each(|&own| take(own)),
        }
    }

    fn rare(&self, signal: Signal) -> Option<Signal> {
        self.frequencies.are_rare(&[signal]).then_some(signal)
    }

    fn require_eager(&mut self, gate: usize) {
        self.chosen[gate] = Some(Enablers::new());
    }

    /// Adds, for each input of a gate, the conditions under which the gate observes it: the enablers of the gate
    /// itself, or a rare fluent that another input implies.
    fn propagate_to_inputs(&mut self, gate: usize) {
        // `legal = king-here ∧ threatened`: if `legal` itself is observed under E, then `threatened` is under E, or
        // under king-here, whichever is rarer in the end.
        let own = self.chosen[gate].clone().unwrap_or_default();
        let required = self.required_by(gate);
        for &input in self.gates.inputs(gate) {
            // Once eager, always eager: another reader cannot make it less observable.
            let is_eager = self.chosen[input.gate()]
                .as_ref()
                .is_some_and(Enablers::is_empty);
            if self.gates.gate(input.gate()) == Gate::And && !is_eager {
                // An input cannot enable itself: what it implies says nothing while its value is outdated.
                let others = required.iter().filter(|&&(_, by)| by != input);
                let others = others.map(|&(signal, _)| Enablers::from_slice(&[signal]));
                let own = Some(own.clone()).filter(|own| !own.is_empty());
                self.narrow(input.gate(), own.into_iter().chain(others).collect());
            }
        }
    }

    /// The rare fluents that a gate implies, the rarest first, and by which of its inputs.
    fn required_by(&self, gate: usize) -> Vec<(Signal, Signal)> {
        let mut required = Vec::new();
        for &input in self.gates.inputs(gate) {
            self.for_each_required(input, |signal| required.push((signal, input)));
        }
        required
            .sort_unstable_by_key(|&(signal, input)| (self.frequencies.of(signal), signal, input));
        required.truncate(MAX_REQUIRED);
        required
    }

    /// Extends the enablers of a gate by one more reader; any one of `lists` makes the gate observable to that reader.
    fn narrow(&mut self, gate: usize, lists: Vec<Enablers>) {
        // It must be evaluated if any reader observes it, so that the enablers of all readers are united. If one of
        // the lists is already contained, this reader adds nothing.
        let would_do = match &self.chosen[gate] {
            Some(chosen) if lists.iter().any(|list| is_part(list, chosen)) => return,
            Some(chosen) => lists.iter().map(|list| union(chosen, list)).collect(),
            None => lists,
        };
        let few = would_do
            // What is often enabled is not worth the bookkeeping.
            .into_iter()
            .filter(|list| list.len() <= MAX_ENABLERS && self.frequencies.are_rare(list));
        let rarest = few.min_by_key(|list| self.frequencies.sum(list));
        // None is left: eager, which an empty list says.
        self.chosen[gate] = Some(rarest.unwrap_or_default());
    }

    /// Restores the invariant for one gate: without the enablers of a lazy input it is lazy, or false by an own input.
    fn add_missing_enablers(&self, gate: usize, found: &mut LazyGates) {
        let inputs = self.gates.inputs(gate);
        // For each lazy input: an outdated true may only be read where another input makes the gate false.
        for input in inputs {
            let Some(enablers) = found.enablers.get(&input.gate()) else {
                continue;
            };
            let is_lazy = found
                .enablers(gate)
                .is_some_and(|own| is_part(own, enablers));
            let mut known = inputs.iter().chain(found.inputs(gate));
            if is_lazy || known.any(|known| enablers.contains(known)) {
                continue;
            }
            // `chosen` took the enablers from these, so that one of them is here; as an input of its own it is not
            // lazy, being a fluent.
            let required = self.required_by(gate).into_iter();
            let mut others =
                required.filter(|(signal, by)| by != input && enablers.contains(signal));
            match others.next() {
                Some((enabler, _)) => found.inputs.entry(gate).or_default().push(enabler),
                None => unreachable!("enablers are chosen from what a gate implies"),
            }
        }
    }
}

/// Whether one list contains the other; both are ascending.
fn is_part(part: &[Signal], whole: &[Signal]) -> bool {
    part.iter()
        .all(|signal| whole.binary_search(signal).is_ok())
}

fn union(one: &Enablers, other: &Enablers) -> Enablers {
    let mut all = one.clone();
    all.extend_from_slice(other);
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::circuit::assemble::{Fluent, Move, Payoff};
    use crate::circuit::incremental::{Network, Values};
    use crate::circuit::schedule::Phase;
    use crate::gdl::{FluentId, GoalValue, State, Vocabulary};
    use crate::term::{Store, TermId};

    const FLUENTS: u32 = 16;
    const MOVES: u32 = 6;
    const GATES: usize = 160;

    /// A circuit of some layers, with a move or two in the last ones.
    fn circuit(random: &mut Xoshiro256PlusPlus) -> Circuit {
        let mut gates = Gates::default();
        let sources = (0..FLUENTS).map(|fluent| gates.source(Gate::Fluent(fluent)));
        let mut signals: Vec<Signal> = sources.collect();
        let made: Vec<Signal> = (0..MOVES).map(|mv| gates.source_move(0, mv)).collect();
        let grow = |gates: &mut Gates, signals: &mut Vec<Signal>, random: &mut _, count: usize| {
            for _ in 0..count {
                let mut inputs: Vec<Signal> = (0..2 + pick(random, 3))
                    .map(|_| {
                        let fluent = pick(random, 2) == 0;
                        let most = if fluent {
                            FLUENTS as usize
                        } else {
                            signals.len()
                        };
                        let is_inverted = pick(random, if fluent { 8 } else { 2 }) == 0;
                        signals[pick(random, most)].inverted_if(is_inverted)
                    })
                    .collect();
                signals.push(gates.and(&mut inputs));
            }
        };
        grow(&mut gates, &mut signals, random, GATES);
        let any = |random: &mut _| signals[FLUENTS as usize + pick(random, GATES)];
        let moves = made.iter().map(|&made| Move {
            term: TermId::from_index(0),
            made,
            legal: any(random),
        });
        let moves = vec![moves.collect()];
        let goals = vec![vec![Payoff {
            term: TermId::from_index(0),
            value: None::<GoalValue>,
            signal: any(random),
        }]];
        let terminal = any(random);
        signals.extend(&made);
        grow(&mut gates, &mut signals, random, GATES / 4);
        let fluents = (0..FLUENTS as usize).map(|fluent| Fluent {
            term: TermId::from_index(fluent),
            initial: false,
            holds: signals[fluent],
            next: signals[signals.len() - 1 - fluent],
        });
        Circuit {
            fluents: fluents.collect(),
            gates,
            moves,
            terminal,
            goals,
        }
    }

    fn fluents() -> Vec<FluentId> {
        let mut vocabulary = Vocabulary::new(Store::new());
        let fluents = (0..FLUENTS).map(|fluent| {
            let term = vocabulary.store_mut().constant(&fluent.to_string());
            vocabulary.fluent(term)
        });
        fluents.collect()
    }

    fn pick(random: &mut Xoshiro256PlusPlus, most: usize) -> usize {
        random.random_range(0..most)
    }

    /// What is observed of a state and a move: the end, legal moves, payoffs, the next state.
    type View = (bool, Vec<usize>, Vec<usize>, Vec<u64>);

    fn observe(network: &Network, values: &mut Values, state: &State, mv: u32) -> View {
        values.enter(network, state);
        values.propagate(network, Phase::State);
        let legal = values.legal(network, 0).collect();
        values.propagate(network, Phase::Goals);
        values.set_move(network, 0, mv, true);
        values.propagate(network, Phase::Next);
        let view = (
            values.is_terminal(network),
            legal,
            values.goals(network, 0).collect(),
            values.next(network).to_vec(),
        );
        values.set_move(network, 0, mv, false);
        view
    }

    /// Whatever is taken for rare: it is a matter of speed alone.
    #[test]
    fn lazy_gates_change_nothing_that_is_seen() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut lazy = 0;
        for _ in 0..200 {
            let circuit = circuit(&mut random);
            let fluents = fluents();
            let held = circuit.gates.len();
            let frequencies = Frequencies {
                states: 100,
                held: (0..held).map(|_| random.random_range(0..20)).collect(),
            };
            let plain = Network::with(&circuit, &fluents, None);
            let network = Network::with(&circuit, &fluents, Some(&frequencies));
            let enabled = &network.masks.open[network.masks.enabled..];
            lazy += enabled.iter().map(|word| word.count_zeros()).sum::<u32>();
            let mut values = Values::new(&network);
            let mut state = vec![false; FLUENTS as usize];
            for _ in 0..60 {
                for _ in 0..1 + pick(&mut random, 3) {
                    let fluent = pick(&mut random, FLUENTS as usize);
                    state[fluent] = !state[fluent] && pick(&mut random, 2) == 0;
                }
                let held = fluents.iter().filter(|fluent| state[fluent.index()]);
                let held: State = held.copied().collect();
                let mv = random.random_range(0..MOVES);
                assert_eq!(
                    observe(&network, &mut values, &held, mv),
                    observe(&plain, &mut Values::new(&plain), &held, mv),
                );
            }
        }
        assert!(lazy > 2_000, "{lazy}");
    }
}
