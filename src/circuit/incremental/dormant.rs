//! Dormant gates: what nobody looks at is not brought up to date.
//!
//! Whether a king could be taken on some square matters only while it stands there. So a gate may be *dormant* while
//! none of its *wakers* holds: a few fluents (or their inverses) without which everything that depends on the gate is
//! false, whatever the gate is. A change of a dormant gate waits on the agenda; it is passed on when the gate wakes
//! up, unless it was undone meanwhile.
//!
//! ```text
//! legal  = king-here ∧ threatened      king-here wakes threatened
//! threatened = ¬(¬a ∧ ¬b)              and what only that depends on: a, b
//! ```
//!
//! A gate that depends on a dormant one is false without wakers if it is dormant itself, or if one of them is among
//! its inputs. That one of its other inputs asks for a waker is not enough, as this input may be dormant as well, and
//! be taken for true: then the waker is made an input.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::incremental::layout::Output;
use crate::circuit::incremental::practice::Frequencies;
use crate::circuit::schedule::Schedule;

/// Of the fluents that a gate asks for, so many are looked at, the rarest.
const MAX_ASKED: usize = 6;

/// A gate with more wakers is never dormant.
const MAX_WAKERS: usize = 8;

/// Fluents, or their inverses, all of which must hold for a gate to be true.
type Asked = SmallVec<[Signal; MAX_ASKED]>;

/// Fluents, or their inverses, one of which must hold for a gate to matter, ascending.
pub(super) type Wakers = SmallVec<[Signal; 4]>;

/// Who wakes whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Dormancy {
    /// By gate.
    wakers: FxHashMap<usize, Wakers>,
    /// By gate, wakers that it needs as inputs.
    inputs: FxHashMap<usize, Asked>,
}

impl Dormancy {
    /// Chooses wakers, given where gates are seen, and which are nothing but outputs.
    pub(super) fn choose(
        circuit: &Circuit,
        schedule: &Schedule,
        shown: &[(Signal, Output)],
        last: &[Option<Output>],
        frequencies: &Frequencies,
    ) -> Self {
        let gates = &circuit.gates;
        let mut chooser = Chooser {
            gates,
            frequencies,
            asked: Vec::new(),
            chosen: vec![None; gates.len()],
        };
        chooser.ask();
        let definitions = gates.loops().iter().flat_map(|own| &own.definitions);
        for signal in shown.iter().map(|(signal, _)| signal).chain(definitions) {
            chooser.keep_awake(signal.gate());
        }
        let is_needed = |&gate: &usize| gates.gate(gate) == Gate::And && schedule.is_needed(gate);
        let needed: Vec<usize> = (1..gates.len()).rev().filter(is_needed).collect();
        for &gate in &needed {
            match schedule.block(gate) {
                Some(_) => {
                    chooser.keep_awake(gate);
                    let inputs = gates.inputs(gate).iter();
                    inputs.for_each(|input| chooser.keep_awake(input.gate()));
                }
                None => chooser.pass_on(gate),
            }
        }
        let mut found = Self::default();
        for &gate in needed.iter().filter(|&&gate| last[gate].is_none()) {
            let chosen = chooser.chosen[gate].take();
            let wakers = chosen.filter(|wakers| !wakers.is_empty());
            found.wakers.extend(wakers.map(|wakers| (gate, wakers)));
        }
        for &gate in &needed {
            chooser.secure(gate, &mut found);
        }
        found
    }

    /// What wakes a gate, if it may be dormant.
    pub(super) fn wakers(&self, gate: usize) -> Option<&Wakers> {
        self.wakers.get(&gate)
    }

    /// The wakers of all gates, each once, in order.
    pub(super) fn all(&self) -> Vec<Wakers> {
        let mut all: Vec<&Wakers> = self.wakers.values().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().cloned().collect()
    }

    /// The wakers that a gate needs as inputs.
    pub(super) fn inputs(&self, gate: usize) -> &[Signal] {
        self.inputs.get(&gate).map_or(&[], |own| own)
    }
}

/// Chooses wakers of gates from what depends on them.
struct Chooser<'c> {
    gates: &'c Gates,
    frequencies: &'c Frequencies,
    /// By gate, rare fluents that it asks for, the rarest first.
    asked: Vec<Asked>,
    /// By gate, what would do for all that depends on it and was looked at, none if it has to be awake.
    chosen: Vec<Option<Wakers>>,
}

impl Chooser<'_> {
    /// Finds out which rare fluents gates ask for.
    fn ask(&mut self) {
        for gate in 0..self.gates.len() {
            let mut own = Asked::new();
            match self.gates.gate(gate) {
                Gate::Fluent(_) => own.extend(self.rare(Signal::of(gate))),
                Gate::And => {
                    for &input in self.gates.inputs(gate) {
                        self.ask_for(input, |signal| own.push(signal));
                    }
                    own.sort_unstable_by_key(|&signal| (self.frequencies.of(signal), signal));
                    own.dedup();
                    own.truncate(MAX_ASKED);
                }
                Gate::False | Gate::Move(..) | Gate::Variable(..) => {}
            }
            self.asked.push(own);
        }
    }

    /// The rare fluents that a signal asks for.
    fn ask_for(&self, signal: Signal, mut take: impl FnMut(Signal)) {
        match (self.gates.gate(signal.gate()), signal.is_inverted()) {
            (Gate::Fluent(_), _) => self.rare(signal).into_iter().for_each(take),
            (_, true) => {}
            (_, false) => self.asked[signal.gate()].iter().for_each(|&own| take(own)),
        }
    }

    fn rare(&self, signal: Signal) -> Option<Signal> {
        self.frequencies.are_rare(&[signal]).then_some(signal)
    }

    fn keep_awake(&mut self, gate: usize) {
        self.chosen[gate] = Some(Wakers::new());
    }

    /// Tells the inputs of a gate what must hold for them to matter to it.
    fn pass_on(&mut self, gate: usize) {
        let own = self.chosen[gate].clone().unwrap_or_default();
        let asked = self.asked_of(gate);
        for &input in self.gates.inputs(gate) {
            let is_awake = self.chosen[input.gate()]
                .as_ref()
                .is_some_and(Wakers::is_empty);
            if self.gates.gate(input.gate()) == Gate::And && !is_awake {
                let others = asked.iter().filter(|&&(_, by)| by != input);
                let others = others.map(|&(signal, _)| Wakers::from_slice(&[signal]));
                let own = Some(own.clone()).filter(|own| !own.is_empty());
                self.narrow(input.gate(), own.into_iter().chain(others).collect());
            }
        }
    }

    /// The rare fluents that a gate asks for, the rarest first, and by which of its inputs.
    fn asked_of(&self, gate: usize) -> Vec<(Signal, Signal)> {
        let mut asked = Vec::new();
        for &input in self.gates.inputs(gate) {
            self.ask_for(input, |signal| asked.push((signal, input)));
        }
        asked.sort_unstable_by_key(|&(signal, input)| (self.frequencies.of(signal), signal, input));
        asked.truncate(MAX_ASKED);
        asked
    }

    /// Leaves a gate what would do for something more that depends on it as well; any of some lists would do for that.
    fn narrow(&mut self, gate: usize, lists: Vec<Wakers>) {
        let would_do = match &self.chosen[gate] {
            Some(chosen) if lists.iter().any(|list| is_part(list, chosen)) => return,
            Some(chosen) => lists.iter().map(|list| union(chosen, list)).collect(),
            None => lists,
        };
        let few = would_do
            .into_iter()
            .filter(|list| list.len() <= MAX_WAKERS && self.frequencies.are_rare(list));
        let rarest = few.min_by_key(|list| self.frequencies.sum(list));
        self.chosen[gate] = Some(rarest.unwrap_or_default());
    }

    /// Sees to it that a gate is false, or dormant, without the wakers of its inputs.
    fn secure(&self, gate: usize, found: &mut Dormancy) {
        let inputs = self.gates.inputs(gate);
        for input in inputs {
            let Some(wakers) = found.wakers.get(&input.gate()) else {
                continue;
            };
            let is_dormant = found.wakers(gate).is_some_and(|own| is_part(own, wakers));
            let mut known = inputs.iter().chain(found.inputs(gate));
            if is_dormant || known.any(|known| wakers.contains(known)) {
                continue;
            }
            let asked = self.asked_of(gate).into_iter();
            let mut others = asked.filter(|(signal, by)| by != input && wakers.contains(signal));
            match others.next() {
                Some((waker, _)) => found.inputs.entry(gate).or_default().push(waker),
                None => unreachable!("wakers are chosen from what a gate asks for"),
            }
        }
    }
}

/// Whether one list contains the other; both are ascending.
fn is_part(part: &[Signal], whole: &[Signal]) -> bool {
    part.iter()
        .all(|signal| whole.binary_search(signal).is_ok())
}

fn union(one: &Wakers, other: &Wakers) -> Wakers {
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

    /// What is seen of a state and a move: the end, legal moves, payoffs, the next state.
    type View = (bool, Vec<usize>, Vec<usize>, Vec<u64>);

    fn look_at(network: &Network, values: &mut Values, state: &State, mv: u32) -> View {
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
    fn dormant_gates_change_nothing_that_is_seen() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut dormant = 0;
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
            let awake = &network.masks.open[network.masks.awake..];
            dormant += awake.iter().map(|word| word.count_zeros()).sum::<u32>();
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
                    look_at(&network, &mut values, &held, mv),
                    look_at(&plain, &mut Values::new(&plain), &held, mv),
                );
            }
        }
        assert!(dormant > 2_000, "{dormant}");
    }
}
