//! What end and payoffs ask of the parts: which parts they need together, and which not at all.
//!
//! A set of parts is a *module* if end and payoffs depend on it through few classes of its states only: its
//! local concept. Candidates are the supports of gates. Supports that overlap, as the lines of a board do,
//! belong together; what is left is a tree, as that of modular decomposition (Möhring, Radermacher,
//! Substitution decomposition for discrete structures, 1984).
//!
//! ```text
//! win₁ ∧ win₂                    {a₁ … i₁, a₂ … i₂}
//! ├ line ∨ line ∨ …              ├ {a₁ … i₁}   its lines overlap
//! └ line ∨ line ∨ …              └ {a₂ … i₂}
//! ```
//!
//! A set is split into those below only if these have few classes: otherwise a board falls into cells (what
//! Hufschmitt, Vittaut, Méhat 2016 call over-decomposition).

use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::circuit::invariants::{LANES, Row};
use crate::circuit::invariants::{crossed, ended, reached};
use crate::circuit::lanes::{Lanes, and};
use crate::circuit::{Gate, Signal};
use crate::decomposition::model::Model;

/// Different supports that are put in order.
const MAX_SUPPORTS: usize = 20_000;

/// Classes of states that end and payoffs tell apart, of a part that is a game of its own. Boards that are won by
/// a line have 3 to 5; what is left of one without its centre has 11, one without a column 20 and more.
const MAX_CLASSES: usize = 8;

/// The same if end and payoffs tell all states of some other part apart: a board without its centre is no game beside
/// the centre, and rules that name the centre in front of each line make it look like one.
const MAX_CLASSES_BESIDE_STATES: usize = 5;

/// Contexts in which states of a part are compared.
const CONTEXTS: usize = 64;

/// The parts that end and payoffs need, put together.
pub(super) struct Needed {
    /// Parts that belong together, by number; parts that nothing depends on are in none.
    pub(super) groups: Vec<Vec<usize>>,
}

/// Puts parts together that end and payoffs need together.
pub(super) fn group(model: &mut Model, parts: &[Vec<usize>]) -> Needed {
    let Supports {
        sets,
        needed: everything,
    } = Supports::of(model, parts);
    let whole = || vec![everything.ones().collect()];
    let Some(tree) = Tree::of(sets, &everything) else {
        return Needed { groups: whole() };
    };
    // What subgoal-predicates are for (Hufschmitt et al. 2016, Definition 8): cells of one board that only end and
    // goal values connect.
    let children = tree.children(&everything);
    let groups = if children.len() < 2 || is_worth_splitting(model, parts, &tree, &children) {
        let children = children.iter();
        children.map(|child| child.ones().collect()).collect()
    } else {
        whole()
    };
    Needed { groups }
}

/// Whether end and payoffs tell few classes of the states of each set of parts apart.
fn is_worth_splitting(
    model: &mut Model,
    parts: &[Vec<usize>],
    tree: &Tree,
    children: &[FixedBitSet],
) -> bool {
    let counts: Vec<(usize, usize)> = children
        .iter()
        .map(|child| {
            let variables = child.ones().flat_map(|part| parts[part].clone());
            classes_of_states(model, &variables.collect::<Vec<_>>())
        })
        .collect();
    // A part of which each state matters, as a cell does, is one beside parts with few classes only.
    let has_single_states = counts.iter().any(|&(states, classes)| classes >= states);
    let most = if has_single_states {
        MAX_CLASSES_BESIDE_STATES
    } else {
        MAX_CLASSES
    };
    counts.iter().all(|&(states, classes)| {
        // Where parts are needed in overlapping pairs, each must have fewer classes than states, too.
        classes <= most && (!tree.overlaps || states >= 4 * classes)
    })
}

/// The signals that decide end and payoffs.
pub(super) fn outputs(model: &Model) -> Vec<Signal> {
    let goals = model.circuit.goals.iter().flatten();
    let goals = goals.map(|payoff| payoff.signal);
    goals.chain([model.circuit.terminal]).collect()
}

/// By gate that end and payoffs depend on, the parts that it depends on.
struct Supports {
    /// Those of gates that are no mere part of a larger conjunction, each once.
    sets: Vec<FixedBitSet>,
    /// What end and payoffs depend on.
    needed: FixedBitSet,
}

impl Supports {
    fn of(model: &Model, parts: &[Vec<usize>]) -> Self {
        let gates = &model.circuit.gates;
        let mut part_of = vec![None; model.circuit.fluents.len()];
        for (number, part) in parts.iter().enumerate() {
            for fluent in part
                .iter()
                .flat_map(|&variable| &model.variables[variable].fluents)
            {
                part_of[*fluent] = Some(number);
            }
        }
        let by_gate = cone_supports(model, &part_of, parts.len());
        // A conjunction that is only an input of larger ones names no concept: a ∧ b in a ∧ b ∧ c. It does if it is an
        // output, defines an atom of a loop, or is negated somewhere, as a member of a disjunction is.
        let mut is_inner = vec![true; gates.len()];
        let outputs = outputs(model);
        let definitions = gates.loops().iter().flat_map(|one| &one.definitions);
        for signal in outputs.iter().chain(definitions) {
            is_inner[signal.gate()] = false;
        }
        for gate in 0..gates.len() {
            for input in gates
                .inputs(gate)
                .iter()
                .filter(|input| input.is_inverted())
            {
                is_inner[input.gate()] = false;
            }
        }
        let mut needed = FixedBitSet::with_capacity(parts.len());
        for output in &outputs {
            if let Some(support) = &by_gate[output.gate()] {
                needed.union_with(support);
            }
        }
        let mut known = FxHashSet::default();
        let mut sets = Vec::new();
        for (gate, support) in by_gate.into_iter().enumerate() {
            if let Some(support) = support.filter(|_| !is_inner[gate])
                && known.insert(support.clone())
            {
                sets.push(support);
            }
        }
        Self { sets, needed }
    }
}

/// The supports of all gates in the cone of end and payoffs.
fn cone_supports(
    model: &Model,
    part_of: &[Option<usize>],
    parts: usize,
) -> Vec<Option<FixedBitSet>> {
    let gates = &model.circuit.gates;
    let mut supports: Vec<Option<FixedBitSet>> = vec![None; gates.len()];
    let mut open: Vec<usize> = outputs(model).iter().map(|signal| signal.gate()).collect();
    let mut cone = FixedBitSet::with_capacity(gates.len());
    // The cone of influence of end and payoffs; gates outside of it keep no support.
    while let Some(gate) = open.pop() {
        if cone.put(gate) {
            continue;
        }
        open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
        if let Gate::Variable(number, _) = gates.gate(gate) {
            let definitions = &gates.loops()[number as usize].definitions;
            open.extend(definitions.iter().map(|signal| signal.gate()));
        }
    }
    // Gates of loops come before their definitions; sweeps go on until nothing grows.
    loop {
        let mut grown = false;
        for gate in cone.ones() {
            let mut support = FixedBitSet::with_capacity(parts);
            let add = |support: &mut FixedBitSet, signals: &[Signal]| {
                for signal in signals {
                    if let Some(other) = &supports[signal.gate()] {
                        support.union_with(other);
                    }
                }
            };
            match gates.gate(gate) {
                Gate::Fluent(place) => support.extend(part_of[place as usize]),
                Gate::Variable(number, _) => {
                    add(&mut support, &gates.loops()[number as usize].definitions);
                }
                Gate::And => add(&mut support, gates.inputs(gate)),
                Gate::False | Gate::Move(..) => {}
            }
            // Without loops one sweep is enough: inputs have lower numbers.
            grown |= supports[gate].as_ref() != Some(&support)
                && matches!(gates.gate(gate), Gate::Variable(..));
            supports[gate] = Some(support);
        }
        if !grown {
            return supports;
        }
    }
}

/// Sets of which none overlap: each two are disjoint, or one is in the other.
struct Tree {
    /// All but the whole.
    sets: Vec<FixedBitSet>,
    /// Whether sets that overlap make up the whole.
    overlaps: bool,
}

/// Whether two sets have something in common, and each something of its own.
fn overlap(one: &FixedBitSet, other: &FixedBitSet) -> bool {
    !one.is_disjoint(other) && !one.is_subset(other) && !other.is_subset(one)
}

impl Tree {
    /// The tree of the sets inside of a whole, where those that overlap are put together; none if there are
    /// too many.
    fn of(sets: Vec<FixedBitSet>, whole: &FixedBitSet) -> Option<Self> {
        if sets.len() > MAX_SUPPORTS {
            return None;
        }
        // {a,b}, {b,c}, {d} in the whole {a,b,c,d,e} become {a,b,c} and {d}; e is a child by itself.
        let is_inner = |set: &FixedBitSet| !set.is_clear() && set != whole;
        let sets: Vec<FixedBitSet> = sets.into_iter().filter(is_inner).collect();
        // Overlapping sets are joined as they are, not as the unions that some order makes of them: a set that lies
        // in the union of two others may overlap both.
        let mut together: UnionFind<usize> = UnionFind::new(sets.len());
        for one in 0..sets.len() {
            for other in 0..one {
                if !together.equiv(one, other) && overlap(&sets[one], &sets[other]) {
                    together.union(one, other);
                }
            }
        }
        let mut unions: IndexMap<usize, FixedBitSet, FxBuildHasher> = IndexMap::default();
        for (number, set) in sets.iter().enumerate() {
            let union = unions.entry(together.find(number));
            union.or_default().union_with(set);
        }
        // Sets that overlap may make up what is a set by itself, too.
        let mut unions: IndexSet<FixedBitSet, FxBuildHasher> = unions.into_values().collect();
        let overlaps = unions.shift_remove(whole);
        Some(Self {
            sets: unions.into_iter().collect(),
            overlaps,
        })
    }

    /// The largest sets, and each of what is in none of them by itself.
    fn children(&self, whole: &FixedBitSet) -> Vec<FixedBitSet> {
        let is_largest = |set: &&FixedBitSet| {
            let others = self.sets.iter();
            !others
                .into_iter()
                .any(|other| other != *set && set.is_subset(other))
        };
        let mut children: Vec<FixedBitSet> = self.sets.iter().filter(is_largest).cloned().collect();
        for part in whole.ones() {
            if !children.iter().any(|child| child.contains(part)) {
                let mut single = FixedBitSet::with_capacity(whole.len());
                single.insert(part);
                children.push(single);
            }
        }
        children.sort_by_key(|child| child.minimum());
        children
    }
}

/// Different states of some variables in a sample, and the classes of them that end and payoffs tell apart.
fn classes_of_states(model: &mut Model, variables: &[usize]) -> (usize, usize) {
    let fluents: Vec<usize> = variables
        .iter()
        .flat_map(|&variable| model.variables[variable].fluents.clone())
        .collect();
    let one = reached(&model.plays, &mut model.random);
    let other = reached(&model.plays, &mut model.random);
    let own = crossed(&model.variables, &one, &other, &mut model.random);
    let columns = |rows: &[Row]| -> Vec<Vec<bool>> {
        let bit = |row: &Row, lane: usize| row[lane / 64] >> (lane % 64) & 1 == 1;
        let lanes = 0..LANES;
        lanes
            .map(|lane| rows.iter().map(|row| bit(row, lane)).collect())
            .collect()
    };
    let rows: Vec<Row> = fluents.iter().map(|&fluent| own[fluent]).collect();
    let states = columns(&rows);
    // Lane i has the i-th state of the part in all contexts; the verdicts in all of them are its signature.
    let mut seen: Vec<Row> = Vec::new();
    for number in 0..CONTEXTS {
        // The same context in all lanes, that of one lane: half of them from ends of plays, where a part is most
        // likely to matter.
        let around = match number % 2 {
            0 => ended(&model.plays, &mut model.random),
            _ => {
                let one = reached(&model.plays, &mut model.random);
                let other = reached(&model.plays, &mut model.random);
                crossed(&model.variables, &one, &other, &mut model.random)
            }
        };
        let mut state: Vec<Row> = around.iter().map(|row| spread(*row)).collect();
        for &fluent in &fluents {
            state[fluent] = own[fluent];
        }
        seen.extend(verdicts(model, &state));
    }
    // Different states with the same signature are one class, as far as these contexts tell.
    let signatures = columns(&seen);
    let mut known: FxHashSet<&Vec<bool>> = FxHashSet::default();
    let mut classes: FxHashSet<&Vec<bool>> = FxHashSet::default();
    for (state, signature) in states.iter().zip(&signatures) {
        known.insert(state);
        classes.insert(signature);
    }
    (known.len(), classes.len())
}

/// The first lane of a row in all lanes.
fn spread<const W: usize>(row: Lanes<W>) -> Lanes<W> {
    // 0 − 1 has all bits.
    [0u64.wrapping_sub(row[0] & 1); W]
}

/// End and payoffs of states; payoffs count where the game is over.
fn verdicts(model: &mut Model, state: &[Row]) -> Vec<Row> {
    model.probe.enter(state);
    model.probe.score();
    let terminal = model.probe.terminal();
    let mut rows = vec![terminal];
    for (role, payoffs) in model.circuit.goals.iter().enumerate() {
        let each = 0..payoffs.len();
        rows.extend(each.map(|place| and(model.probe.payoff(role, place), terminal)));
    }
    rows
}
