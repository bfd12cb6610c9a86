//! Which signals are true in states: the labelling of the graph, 256 states at once.

use std::collections::BTreeMap;

use crate::circuit::invariants::{LANES, Row};
use crate::circuit::lanes::{bit, lanes, none, set_bit};
use crate::circuit::{Circuit, Probe};
use crate::gdl::{Expansion, Expansions, MoveId, State, Vocabulary};
use crate::prove::cover::{self, Cover};

/// What is true in the states of a graph.
pub(in crate::prove) struct Labels {
    /// By state, which signals are true in it, a bit each.
    facts: Vec<Vec<u64>>,
    /// By target of which one play is enough, the first state, and the place of the joint move made in it, that
    /// reach it, if they were looked for.
    pub(in crate::prove) covered: Vec<Option<(usize, Option<usize>)>>,
}

impl Labels {
    /// Nothing is known of so many targets.
    pub(super) fn new(targets: usize) -> Self {
        Self {
            facts: Vec::new(),
            covered: vec![None; targets],
        }
    }

    /// Whether a signal is true in a state.
    pub(super) fn has(&self, state: usize, signal: usize) -> bool {
        self.facts[state][signal / 64] >> (signal % 64) & 1 == 1
    }
}

/// What is looked for in states.
pub(in crate::prove) struct LabelledSignals<'e> {
    /// The circuit with the signals as payoffs of its first role.
    pub(in crate::prove) circuit: &'e Circuit,
    /// How many signals are kept of each state.
    pub(in crate::prove) signals: usize,
    pub(in crate::prove) covers: &'e [Cover],
    /// The targets among them that are still looked for.
    pub(in crate::prove) open: Vec<usize>,
}

/// What signals a circuit has in its states: those that stand as payoffs of its first role.
pub(in crate::prove) struct Labeller<'e> {
    pub(super) circuit: &'e Circuit,
    probe: &'e mut Probe,
    signals: usize,
    pub(super) covers: &'e [Cover],
    open: Vec<usize>,
    /// By id of a fluent, its place in the circuit.
    places: Vec<Option<usize>>,
    /// By role and id of a move, its place in the circuit.
    moves: Vec<Vec<Option<usize>>>,
}

impl<'e> Labeller<'e> {
    pub(in crate::prove) fn new(
        wanted: LabelledSignals<'e>,
        probe: &'e mut Probe,
        vocabulary: &mut Vocabulary,
    ) -> Self {
        let LabelledSignals {
            circuit,
            signals,
            covers,
            open,
        } = wanted;
        let fluents = circuit.fluents.iter();
        let fluents = fluents.map(|fluent| vocabulary.fluent(fluent.term).index());
        let places = inverse(&fluents.collect::<Vec<_>>());
        let moves = circuit.moves.iter().map(|own| {
            let own = own.iter().map(|mv| vocabulary.mv(mv.term).index());
            inverse(&own.collect::<Vec<_>>())
        });
        Self {
            moves: moves.collect(),
            circuit,
            probe,
            signals,
            covers,
            open,
            places,
        }
    }

    /// Sets the fluents of states, a lane each.
    fn enter<'s>(&mut self, states: impl Iterator<Item = &'s State>) {
        let mut rows: Vec<Row> = vec![none(); self.circuit.fluents.len()];
        for (lane, state) in states.enumerate() {
            for fluent in state.fluents() {
                if let Some(Some(place)) = self.places.get(fluent.index()) {
                    set_bit(&mut rows[*place], lane, true);
                }
            }
        }
        self.probe.enter(&rows);
    }

    /// Looks among so many lanes for targets that are still open; gives each with the lane.
    fn cover(&mut self, is_of_moves: bool, number: usize) -> Vec<(usize, usize)> {
        let first = [self.signals, self.circuit.fluents.len()];
        // Lanes behind the last state are those of an empty one, which plays need not reach.
        let (covers, probe) = (self.covers, &*self.probe);
        let mut found = Vec::new();
        self.open.retain(|&target| {
            let cover = &covers[target];
            if cover::is_of_moves(&cover.target) != is_of_moves {
                return true;
            }
            let lane = lanes(cover.row(probe, first))
                .next()
                .filter(|&lane| lane < number);
            found.extend(lane.map(|lane| (target, lane)));
            lane.is_none()
        });
        found
    }

    /// Looks at the joint moves of some states for targets that are still open: the target, and the number of the
    /// joint move among those of all of them.
    pub(super) fn cover_moves(
        &mut self,
        states: &[State],
        expansions: &Expansions,
    ) -> Vec<(usize, usize)> {
        let is_open = |&target: &usize| cover::is_of_moves(&self.covers[target].target);
        if !self.open.iter().any(is_open) {
            return Vec::new();
        }
        // A lane for each joint move, with the state in which it is made.
        let mut joint: Vec<(&State, &[MoveId])> = Vec::new();
        for (state, expansion) in states.iter().zip(expansions.iter()) {
            if let Expansion::Successors(successors) = expansion {
                joint.extend(successors.iter().map(|(moves, _)| (state, moves)));
            }
        }
        let mut found = Vec::new();
        for (chunk, joint) in joint.chunks(LANES).enumerate() {
            self.enter(joint.iter().map(|&(state, _)| state));
            for role in 0..self.circuit.moves.len() {
                self.probe.clear(role);
                let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
                for (lane, (_, moves)) in joint.iter().enumerate() {
                    if let Some(Some(place)) = self.moves[role].get(moves[role].index()) {
                        set_bit(rows.entry(*place).or_insert(none()), lane, true);
                    }
                }
                for (place, row) in rows {
                    self.probe.make(role, place, row);
                }
            }
            self.probe.step();
            let here = self.cover(true, joint.len());
            found.extend(
                here.iter()
                    .map(|&(target, lane)| (target, chunk * LANES + lane)),
            );
        }
        found
    }

    /// Labels states that were found, in the order of their numbers.
    pub(super) fn label(&mut self, states: &[State], labels: &mut Labels) {
        for states in states.chunks(LANES) {
            self.enter(states.iter());
            self.probe.score();
            let first = labels.facts.len();
            for (target, lane) in self.cover(false, states.len()) {
                labels.covered[target] = Some((first + lane, None));
            }
            let words = self.signals.div_ceil(64);
            let facts = &mut labels.facts;
            facts.extend(states.iter().map(|_| vec![0; words]));
            for signal in 0..self.signals {
                let row = self.probe.payoff(0, signal);
                for (lane, facts) in facts[first..].iter_mut().enumerate() {
                    facts[signal / 64] |= u64::from(bit(&row, lane)) << (signal % 64);
                }
            }
        }
    }
}

/// By id, the place of it.
fn inverse(ids: &[usize]) -> Vec<Option<usize>> {
    let mut places = vec![None; ids.iter().max().map_or(0, |most| most + 1)];
    for (place, &id) in ids.iter().enumerate() {
        places[id] = Some(place);
    }
    places
}
