//! Classes of states that end and payoffs tell apart, in a sample.
//!
//! Two states of a part are alike if end and payoffs are the same after both, whatever the rest of the game is in. A
//! sample says that from few surroundings, so these must be such that the part matters: that all of four boards are
//! full shows only where three are. What end and payoffs know of a part are the gates that depend on it alone; a part
//! is taken to be in each pattern of these gates as often as in any other, however rarely plays lead there.

use indexmap::IndexMap;
use rand::seq::IndexedRandom;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::Gate;
use crate::circuit::invariants::{ALL, LANES, Row, start};
use crate::circuit::invariants::{crossed, ended, options, reached};
use crate::circuit::lanes::{and, any, bit, inverted_if, none, or, set_bit, without, xor};
use crate::decomposition::concepts::Witness;
use crate::decomposition::concepts::supports::Supports;
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;

/// Surroundings in which states of a part are compared, at least and at most.
const MIN_SURROUNDINGS: usize = 24;
const MAX_SURROUNDINGS: usize = 96;

/// So many times more of them, if the part did not matter in any of those.
const MORE_SURROUNDINGS: usize = 2;

/// Operations, of one word each, after which no further candidates for modules are looked at.
const OPERATIONS: usize = 500_000_000;

/// Times of plays at which states of parts are taken, at least and at most.
const MIN_TIMES: usize = 32;
const MAX_TIMES: usize = 400;

/// States of a part of which each two are told apart, if end and payoffs do.
const MAX_FEW_STATES: usize = 8;

/// Values of fluents that are looked at for states of parts.
const MAX_VALUES: usize = 10_000_000;

/// Every other lane.
const EVEN: Row = [0x5555_5555_5555_5555; LANES / 64];

/// What end and payoffs tell of the states of parts.
pub(super) struct StateClasses<'m, 'c> {
    model: &'m mut Model<'c>,
    /// By part, its fluents.
    fluents: Vec<Vec<usize>>,
    /// By part, its states by what end and payoffs know of them.
    patterns: Vec<Vec<Vec<Vec<bool>>>>,
    /// By part, how many of its states plays reach.
    reached: Vec<usize>,
    /// By part, whether some play changes it more than once.
    keeps_changing: Vec<bool>,
    /// States of the whole game, one a lane; those of the first kind come first.
    surroundings: Vec<Vec<Row>>,
    phases: Option<&'m Phases>,
    /// States in which parts matter.
    witnesses: &'m [Witness],
    /// In how many surroundings states are compared.
    rounds: usize,
    /// Operations done.
    operations: usize,
}

impl<'m, 'c> StateClasses<'m, 'c> {
    pub(super) fn new(
        model: &'m mut Model<'c>,
        parts: &[Vec<usize>],
        supports: &Supports,
        phases: Option<&'m Phases>,
        witnesses: &'m [Witness],
    ) -> Self {
        let fluents = parts.iter().map(|part| {
            let variables = part.iter().map(|&variable| &model.variables[variable]);
            variables
                .flat_map(|variable| variable.fluents.clone())
                .collect()
        });
        let each = model.probe.operations() * (parts.len() + supports.sets.len());
        let mut this = Self {
            fluents: fluents.collect(),
            patterns: Vec::new(),
            reached: Vec::new(),
            keeps_changing: vec![false; parts.len()],
            surroundings: Vec::new(),
            phases,
            witnesses,
            rounds: (OPERATIONS / each.max(1)).clamp(MIN_SURROUNDINGS, MAX_SURROUNDINGS),
            operations: 0,
            model,
        };
        this.observe(supports);
        for Witness { part, states } in witnesses {
            let fluents = &this.fluents[*part];
            let own = |state: &Vec<bool>| fluents.iter().map(|&fluent| state[fluent]).collect();
            this.patterns[*part].extend(states.iter().map(|state| vec![own(state)]));
        }
        let mixed = this.mixed();
        let ends = ended(&this.model.plays, &mut this.model.random);
        let crossed = this.crossed();
        this.surroundings = vec![mixed, ends, crossed];
        this
    }

    /// Collects the states of parts that plays reach, by what end and payoffs know of them. Half of the plays go on where
    /// the game is over: what is the end of one part need not be that of another one.
    fn observe(&mut self, supports: &Supports) {
        let local = supports.local_gates(self.model);
        let mut observed: Vec<IndexMap<Vec<bool>, Vec<bool>, FxBuildHasher>> =
            vec![IndexMap::default(); local.len()];
        let length = self.model.plays.len().clamp(MIN_TIMES, MAX_TIMES);
        // Large parts are looked at now and then only.
        let stride = (self.model.circuit.fluents.len() * LANES * length).div_ceil(MAX_VALUES);
        let first = start(self.model.circuit);
        let mut state = first.clone();
        let mut changed = vec![none(); local.len()];
        for time in 0..length {
            if time % stride != 0 {
                self.advance(&mut state, &first, &mut changed);
                continue;
            }
            let known = values(self.model, supports, &state);
            for (part, gates) in local.iter().enumerate() {
                for lane in 0..LANES {
                    let own = self.fluents[part]
                        .iter()
                        .map(|&fluent| bit(&state[fluent], lane));
                    observed[part].entry(own.collect()).or_insert_with(|| {
                        // Loops of the circuit are not evaluated here.
                        let pattern = gates
                            .iter()
                            .filter_map(|&gate| Some(bit(&known[gate]?, lane)));
                        pattern.collect()
                    });
                }
            }
            self.advance(&mut state, &first, &mut changed);
        }
        for states in observed {
            self.reached.push(states.len());
            let mut patterns: IndexMap<Vec<bool>, Vec<Vec<bool>>, FxBuildHasher> =
                IndexMap::default();
            for (state, mut pattern) in states {
                // A part that is seen through loops alone has a pattern for each state.
                if pattern.is_empty() {
                    pattern.clone_from(&state);
                }
                patterns.entry(pattern).or_default().push(state);
            }
            self.patterns.push(patterns.into_values().collect());
        }
    }

    /// Goes on by a joint move in all lanes, or from the start again where there is none. By part, it is noted where the
    /// play has changed it.
    fn advance(&mut self, state: &mut [Row], first: &[Row], changed: &mut [Row]) {
        let Model { probe, circuit, .. } = &mut *self.model;
        probe.enter(state);
        let mut going = without(ALL, and(probe.terminal(), EVEN));
        for role in 0..circuit.moves.len() {
            going = probe.choose(role, going);
        }
        probe.step();
        for (part, changed) in changed.iter_mut().enumerate() {
            let own = self.fluents[part].iter();
            let differs = own.map(|&fluent| xor(state[fluent], probe.next(fluent)));
            let differs = and(differs.fold(none(), or), going);
            self.keeps_changing[part] |= any(and(differs, *changed));
            *changed = and(or(*changed, differs), going);
        }
        for (place, row) in state.iter_mut().enumerate() {
            *row = or(and(probe.next(place), going), without(first[place], going));
        }
    }

    /// How many states of a part plays reach, as far as was seen.
    pub(super) fn reached(&self, part: usize) -> usize {
        self.reached[part]
    }

    /// States of the whole game in which each part is in one of its patterns, all being equally likely.
    pub(super) fn mixed(&mut self) -> Vec<Row> {
        let Model { plays, random, .. } = &mut *self.model;
        // Where a play is over by its length alone, that another part is done changes nothing.
        let (ends, goes_on) = (ended(plays, random), reached(plays, random));
        let pairs = ends.iter().zip(&goes_on);
        let mut state: Vec<Row> = pairs
            .map(|(&ended, &open)| or(and(ended, EVEN), without(open, EVEN)))
            .collect();
        for (fluents, patterns) in self.fluents.iter().zip(&self.patterns) {
            for lane in 0..LANES {
                let states = patterns.choose(random);
                let Some(own) = states.and_then(|states| states.choose(random)) else {
                    continue;
                };
                for (&fluent, &holds) in fluents.iter().zip(own) {
                    set_bit(&mut state[fluent], lane, holds);
                }
            }
        }
        state
    }

    /// States of the whole game that take each variable from one of two states of plays.
    pub(super) fn crossed(&mut self) -> Vec<Row> {
        let Model {
            plays,
            random,
            blocks,
            ..
        } = &mut *self.model;
        let one = reached(plays, random);
        let other = reached(plays, random);
        crossed(blocks, &one, &other, random)
    }

    /// A state of the whole game, in all lanes: those of witnesses, one of each kind in turn, and those of the first kind
    /// that are left.
    fn surroundings(&self, number: usize) -> Vec<Row> {
        if let Some(Witness { states, .. }) = self.witnesses.get(number) {
            let state = states[0].iter();
            return state.map(|&holds| inverted_if(none(), holds)).collect();
        }
        let number = number - self.witnesses.len();
        let kinds = self.surroundings.len();
        let (kind, lane) = match number.checked_sub(self.rounds) {
            None => (number % kinds, number / kinds),
            Some(more) => (0, self.rounds / kinds + more),
        };
        let around = self.surroundings[kind].iter();
        let state = around.map(|row| inverted_if(none(), bit(row, lane)));
        state.collect()
    }

    /// How many classes there are of the states of some parts that are among those of whole games; if there are more than
    /// asked for, at least one more than that.
    pub(super) fn count(
        &mut self,
        parts: impl IntoIterator<Item = usize>,
        own: &[Row],
        most: usize,
    ) -> usize {
        let fluents = parts
            .into_iter()
            .flat_map(|part| self.fluents[part].clone());
        self.told(&fluents.collect::<Vec<usize>>(), own, most).count
    }

    /// Whether a play changes a part at most once, as far as was seen: a cell that is marked.
    pub(super) fn changes_once(&self, part: usize) -> bool {
        !self.keeps_changing[part]
    }

    /// Whether looking at states has taken as long as it may.
    pub(super) fn is_exhausted(&self) -> bool {
        self.operations > OPERATIONS
    }

    /// Pairs of states of a part that were not told apart, each with the next of its class; none if it has too many
    /// states to tell.
    pub(super) fn alike(&mut self, part: usize) -> Vec<[Vec<bool>; 2]> {
        let states: Vec<Vec<bool>> = self.patterns[part].iter().flatten().cloned().collect();
        if states.len() > MAX_FEW_STATES {
            return Vec::new();
        }
        let fluents = self.fluents[part].clone();
        let mut own = vec![none(); self.model.circuit.fluents.len()];
        for (lane, state) in states.iter().enumerate() {
            for (&fluent, &holds) in fluents.iter().zip(state) {
                set_bit(&mut own[fluent], lane, holds);
            }
        }
        let class = self.told(&fluents, &own, usize::MAX).class;
        let mut last: FxHashMap<usize, usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (lane, &class) in class.iter().enumerate().take(states.len()) {
            if let Some(earlier) = last.insert(class, lane) {
                pairs.push([earlier, lane].map(|lane| states[lane].clone()));
            }
        }
        pairs
    }

    /// Which lanes end and payoffs tell apart by some fluents, in surroundings that are the same for all lanes; if there
    /// are more classes than asked for, not all of them.
    fn told(&mut self, fluents: &[usize], own: &[Row], most: usize) -> Told {
        // Lane i has the i-th state of the parts in all surroundings.
        let mut classes = Told::nothing();
        let few = self.witnesses.len() + self.rounds;
        let more = match self.rounds {
            MIN_SURROUNDINGS => 0,
            rounds => MORE_SURROUNDINGS * rounds,
        };
        for number in 0..few + more {
            // A part that never mattered may matter elsewhere; that there are few classes needs more surroundings, too.
            let is_enough = number >= few && classes.count > 1 && most == usize::MAX;
            if is_enough || classes.count > most {
                break;
            }
            self.operations += self.model.probe.operations();
            let mut state = self.surroundings(number);
            for &fluent in fluents {
                state[fluent] = own[fluent];
            }
            for row in verdicts(self.model, self.phases, &state) {
                classes.tell(&row);
            }
        }
        classes
    }
}

/// End, payoffs and phases of states; payoffs count where the game is over, phases where it is not.
fn verdicts(model: &mut Model, phases: Option<&Phases>, state: &[Row]) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(phases) = phases {
        let (open, legal) = options(model.circuit, &mut model.probe, state);
        rows.extend(
            phases
                .conditions(&legal)
                .into_iter()
                .map(|row| and(row, open)),
        );
    } else {
        model.probe.enter(state);
    }
    model.probe.score();
    let terminal = model.probe.terminal();
    rows.push(terminal);
    for (role, payoffs) in model.circuit.goals.iter().enumerate() {
        let each = 0..payoffs.len();
        rows.extend(each.map(|place| and(model.probe.payoff(role, place), terminal)));
    }
    rows
}

/// The gates that end and payoffs depend on in some states; none of what depends on loops or moves.
fn values(model: &Model, supports: &Supports, state: &[Row]) -> Vec<Option<Row>> {
    let gates = &model.circuit.gates;
    let mut values = vec![None; gates.len()];
    for gate in supports.cone() {
        let inputs = || gates.inputs(gate).iter();
        values[gate] = match gates.gate(gate) {
            Gate::False => Some(none()),
            Gate::Fluent(place) => Some(state[place as usize]),
            Gate::And => inputs().try_fold(inverted_if(none(), true), |all, input| {
                Some(and(
                    all,
                    inverted_if(values[input.gate()]?, input.is_inverted()),
                ))
            }),
            Gate::Move(..) | Gate::Variable(..) => None,
        };
    }
    values
}

/// Lanes that differ in some of the rows seen.
struct Told {
    class: [usize; LANES],
    count: usize,
}

impl Told {
    fn nothing() -> Self {
        Self {
            class: [0; LANES],
            count: 1,
        }
    }

    /// Tells the lanes apart in which a row is true from those in which it is false.
    fn tell(&mut self, row: &Row) {
        let mut known: FxHashMap<(usize, bool), usize> = FxHashMap::default();
        for (lane, class) in self.class.iter_mut().enumerate() {
            let fresh = known.len();
            *class = *known.entry((*class, bit(row, lane))).or_insert(fresh);
        }
        self.count = known.len();
    }
}
