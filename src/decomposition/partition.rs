//! Parts: the finest partition of the variables that dependencies, moves and legality allow.
//!
//! Variables are joined by what was seen:
//!
//! - the successor of one depends on the other ([`crate::decomposition::dependencies`]);
//! - moves act in both, but are neither a join nor a sum: in some state two legal moves have local effects
//!   c₁ and c₂ in the two parts that no legal move has together, though some move is active in both
//!   (Genesereth, Thielscher 2014, ch. 14, lossless join of action equivalence classes);
//! - which local moves one offers depends on the other.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::invariants::Row;
use crate::circuit::invariants::{ALL, Sample, change, options};
use crate::circuit::lanes::{and, any, none, or, without, xor};
use crate::decomposition::classes::{ClassId, Classes, of_part};
use crate::decomposition::model::Model;
use crate::decomposition::phases::{Phases, of_roles};
use crate::limits::StopReason;

/// Why two variables belong to the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// What one is next depends on the other.
    Successor,
    /// Moves of a role act in both, and neither join nor are made in one of them at a time.
    Moves(usize),
    /// Which moves of a role are legal in one depends on the other.
    Legality(usize),
    /// The end or the payoffs depend on both in a way that no few classes of states of each tell.
    Concept,
    /// A proof that they are apart failed: the solver found states that tell them to belong together, or gave up.
    Refuted,
}

/// Variables put together, with the reasons.
#[derive(Clone)]
pub(super) struct Partition {
    sets: UnionFind<usize>,
    /// Variables that are partitioned; the others are autonomous or constant.
    is_member: Vec<bool>,
    pub(super) links: Vec<(usize, usize, Cause)>,
}

impl Partition {
    /// Each member by itself.
    pub(super) fn new(is_member: Vec<bool>) -> Self {
        Self {
            sets: UnionFind::new(is_member.len()),
            is_member,
            links: Vec::new(),
        }
    }

    /// Makes a variable that was none a member, by itself.
    pub(super) fn admit(&mut self, variable: usize) {
        self.is_member[variable] = true;
    }

    /// Puts two variables together; whether they were apart.
    pub(super) fn join(&mut self, one: usize, other: usize, cause: Cause) -> bool {
        let is_new = self.is_member[one] && self.is_member[other] && self.sets.union(one, other);
        if is_new {
            self.links.push((one, other, cause));
        }
        is_new
    }

    /// Joins all variables of which one depends on the other.
    pub(super) fn join_dependent(&mut self, rows: &[FixedBitSet]) {
        for (by, row) in rows.iter().enumerate() {
            for other in row.ones() {
                self.join(by, other, Cause::Successor);
            }
        }
    }

    /// The parts, each with its variables ascending, by their first variable.
    pub(super) fn parts(&self) -> Vec<Vec<usize>> {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for variable in (0..self.is_member.len()).filter(|&variable| self.is_member[variable]) {
            let place = *places
                .entry(self.sets.find(variable))
                .or_insert(parts.len());
            match parts.get_mut(place) {
                Some(part) => part.push(variable),
                None => parts.push(vec![variable]),
            }
        }
        parts
    }
}

/// Joins parts by moves that act in several of them, until the rest join or are sums.
///
/// A part that grows has other classes of moves, so that all pairs with it are looked at again; pairs of single
/// variables stay as they are.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn join_by_moves(model: &Model, partition: &mut Partition) -> Result<(), StopReason> {
    let mut passed: FxHashSet<(usize, usize, usize)> = FxHashSet::default();
    loop {
        let parts = partition.parts();
        if parts.len() < 2 {
            return Ok(());
        }
        let mut is_stable = true;
        for role in 0..model.roles() {
            let of_role = &model.classes[role];
            let classes: Vec<Classes> = parts.iter().map(|part| of_part(of_role, part)).collect();
            for (one, other) in active_together(&classes) {
                let [first, second] = [parts[one][0], parts[other][0]];
                // Both may have been joined in this round, by another pair.
                if partition.sets.equiv(first, second) {
                    continue;
                }
                let key = (role, first, second);
                // What passed stays so while neither part grows; a part that grew is looked at again.
                let sizes = (parts[one].len(), parts[other].len());
                if sizes == (1, 1) && passed.contains(&key) {
                    continue;
                }
                model.stop.poll()?;
                if is_composed(&model.samples, role, &classes[one], &classes[other]) {
                    passed.insert(key);
                } else {
                    is_stable &= !partition.join(first, second, Cause::Moves(role));
                }
            }
        }
        if is_stable {
            return Ok(());
        }
    }
}

/// Pairs of parts in both of which some move is active.
fn active_together(classes: &[Classes]) -> Vec<(usize, usize)> {
    let moves = classes.first().map_or(0, |classes| classes.of.len());
    let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut order = Vec::new();
    for mv in 0..moves {
        let active: Vec<usize> = (0..classes.len())
            .filter(|&part| classes[part].is_active(mv))
            .collect();
        for (at, &one) in active.iter().enumerate() {
            for &other in &active[at + 1..] {
                if pairs.insert((one, other)) {
                    order.push((one, other));
                }
            }
        }
    }
    order
}

/// Whether in every state the legal moves, or those that act in one of two parts, are all combinations of local
/// ones, or each is neutral in one part.
fn is_composed(samples: &[Sample], role: usize, one: &Classes, other: &Classes) -> bool {
    let (active, neutral): (Vec<usize>, Vec<usize>) =
        (0..one.of.len()).partition(|&mv| one.is_active(mv) || other.is_active(mv));
    samples.iter().all(|sample| {
        let among = sample.open;
        let legal = &sample.legal[role];
        let mut pairs = Pairs::default();
        for &mv in &active {
            pairs.add((one.of[mv], other.of[mv]), and(legal[mv], among));
        }
        // A state refutes both forms: some move acts in both parts, so that it is no sum, and some combination of
        // what is legal in the two is missing, so that it is no join.
        let unjoined = pairs.unjoined();
        let added = pairs.added(one.neutral, other.neutral);
        if !any(and(unjoined, added)) {
            return true;
        }
        // The only missing combination may be that of moves which act in neither part, of which there may be thousands.
        pairs.add(
            (one.neutral, other.neutral),
            some_legal(legal, &neutral, among),
        );
        !any(and(and(unjoined, pairs.unjoined()), added))
    })
}

/// In which states some of these moves is legal. Thousands may be; a few of them often do for all states.
fn some_legal(legal: &[Row], moves: &[usize], among: Row) -> Row {
    let mut some = none();
    for &mv in moves {
        some = or(some, and(legal[mv], among));
        if some == among {
            break;
        }
    }
    some
}

/// In which states which classes of two parts have legal moves.
#[derive(Default)]
struct Pairs {
    left: FxHashMap<ClassId, Row>,
    right: FxHashMap<ClassId, Row>,
    both: FxHashMap<(ClassId, ClassId), Row>,
}

impl Pairs {
    /// A move of these classes is legal in some states.
    fn add(&mut self, (c, d): (ClassId, ClassId), legal: Row) {
        if !any(legal) {
            return;
        }
        for row in [
            self.both.entry((c, d)).or_insert(none()),
            self.left.entry(c).or_insert(none()),
            self.right.entry(d).or_insert(none()),
        ] {
            *row = or(*row, legal);
        }
    }

    /// Where two classes have legal moves, but not in common.
    fn unjoined(&self) -> Row {
        let mut unjoined = none();
        for (&c, &offered) in &self.left {
            for (&d, &also) in &self.right {
                let both = and(offered, also);
                let together = self.both.get(&(c, d)).copied().unwrap_or(none());
                unjoined = or(unjoined, without(both, together));
            }
        }
        unjoined
    }

    /// Where a move is legal that is neutral in neither part.
    fn added(&self, one: ClassId, other: ClassId) -> Row {
        let both = self.both.iter();
        both.filter(|((c, d), _)| *c != one && *d != other)
            .fold(none(), |all, (_, &row)| or(all, row))
    }
}

/// Joins parts of which one decides what is legal in the other, among states of the same phase.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn join_by_legality(
    model: &mut Model,
    partition: &mut Partition,
    phases: Option<&Phases>,
) -> Result<(), StopReason> {
    loop {
        let found = legality(model, partition, phases)?;
        let mut is_stable = true;
        for (by, other, role) in found {
            is_stable &= !partition.join(by, other, Cause::Legality(role));
        }
        join_by_moves(model, partition)?;
        if is_stable {
            return Ok(());
        }
    }
}

/// Variables that decide what is legal in a part that they do not belong to: variable, one of the part, role.
fn legality(
    model: &mut Model,
    partition: &Partition,
    phases: Option<&Phases>,
) -> Result<Vec<(usize, usize, usize)>, StopReason> {
    let parts = partition.parts();
    if parts.len() < 2 {
        return Ok(Vec::new());
    }
    let classes: Vec<Vec<Classes>> = parts.iter().map(|part| of_roles(model, part)).collect();
    let mut found = FxHashSet::default();
    let mut order = Vec::new();
    // Two states that differ in one variable, and so agree in each part that it is not of, must offer the same there.
    for number in 0..model.samples.len() {
        for by in (0..model.variables.len()).filter(|&by| partition.is_member[by]) {
            model.stop.poll()?;
            let sample = &model.samples[number];
            let mut state = sample.state.clone();
            change(&model.variables[by], &mut state, ALL, &mut model.random);
            let (open, legal) = options(model.circuit, &mut model.probe, &state);
            let mut both = and(open, sample.open);
            if let Some(phases) = phases {
                both = and(both, phases.agree(&sample.legal, &legal));
            }
            for (part, classes) in parts.iter().zip(&classes) {
                if part.contains(&by) {
                    continue;
                }
                for (role, classes) in classes.iter().enumerate() {
                    let known = (by, part[0], role);
                    let offers = [&sample.legal[role], &legal[role]];
                    if !found.contains(&known) && !is_offered_alike(classes, offers, both) {
                        found.insert(known);
                        order.push(known);
                    }
                }
            }
        }
    }
    Ok(order)
}

/// Whether the same classes but the neutral one have legal moves in two lists of states.
fn is_offered_alike(classes: &Classes, legal: [&Vec<Row>; 2], among: Row) -> bool {
    if classes.count < 2 || !any(among) {
        return true;
    }
    // Only classes with a move that is legal in one state and not in the other can be offered in one of them alone.
    let changes = |mv: &usize| any(and(xor(legal[0][*mv], legal[1][*mv]), among));
    let mut open: Vec<ClassId> = (0..classes.of.len())
        // In a sum the neutral class is what is made elsewhere: that it comes and goes says nothing of this part.
        .filter(|&mv| classes.is_active(mv))
        .filter(changes)
        .map(|mv| classes.of[mv])
        .collect();
    open.sort_unstable();
    open.dedup();
    open.into_iter().all(|class| {
        let offered = legal.map(|legal| {
            classes
                .members(class)
                .fold(none(), |all, mv| or(all, legal[mv]))
        });
        !any(and(xor(offered[0], offered[1]), among))
    })
}
