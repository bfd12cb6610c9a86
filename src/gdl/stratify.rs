//! Stratification: the layers in which relations can be evaluated so that negation is a look-up.
//!
//! A stratum holds relations that negate only relations of lower strata. Rules have strata exactly
//! if no cycle of the dependency graph passes a negation:
//!
//! ```text
//! p ← ¬q.   q ← r.        q, r: stratum 0;  p: stratum 1
//! p ← ¬q.   q ← p.        p ¬→ q → p: none
//! ```
//!
//! Source: \[LHHSG08\], the definition of stratified rules. DIVERGENCE: games in the wild negate
//! one value of a goal in the rule for another. There are no strata of relations then, but there
//! are of their instances; such cycles are told apart as [`CycleKind::OfNames`].

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Clause, Dependency, DependencyGraph, Functor, Sign, Store, clause_cycle};

/// What goes round in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CycleKind {
    /// Clauses: some clause may lead back to itself through a negation.
    OfClauses,
    /// Only the names of relations; no clause leads back to itself, so every query has an answer.
    OfNames,
}

/// A cycle of dependencies of which the first, and maybe others, is negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegativeCycle {
    /// What goes round.
    pub kind: CycleKind,
    /// Each leads to the relation from which the next starts; the last to where the first starts.
    pub dependencies: Vec<Dependency>,
}

/// The stratum of every relation: 0 for those that need no negation, then upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratification {
    strata: FxHashMap<Functor, u32>,
    count: u32,
}

impl Stratification {
    /// The lowest strata that there are; `graph` is that of the clauses. Linear in its size if
    /// there are strata.
    ///
    /// # Errors
    /// Cycles such that every two relations of which the first negates the second and that lie on a
    /// cycle are on one of them; as short as can be, of clauses where there are such; in the order
    /// of the text.
    pub fn of(
        store: &Store,
        clauses: &[Clause],
        graph: &DependencyGraph,
    ) -> Result<Self, Vec<NegativeCycle>> {
        let cycles = negative_cycles(store, clauses, graph);
        if !cycles.is_empty() {
            return Err(cycles);
        }
        let mut strata: FxHashMap<Functor, u32> = FxHashMap::default();
        let mut count = 0;
        // Callees come first, so all strata below a component are known when it is reached.
        for component in graph.components() {
            // One more than the highest stratum that is negated, as high as the highest that is not; a component
            // has one stratum, and negation inside of it is ruled out before.
            let dependencies = component.iter().flat_map(|&p| graph.dependencies_of(p));
            let stratum = dependencies
                .filter_map(|dependency| {
                    let below = *strata.get(&dependency.to)?;
                    Some(below + u32::from(dependency.sign == Sign::Negative))
                })
                .max()
                .unwrap_or(0);
            strata.extend(component.iter().map(|&predicate| (predicate, stratum)));
            count = count.max(stratum + 1);
        }
        Ok(Self { strata, count })
    }

    /// The stratum of a predicate; 0 for one that the rules do not mention.
    pub fn stratum(&self, predicate: Functor) -> u32 {
        self.strata.get(&predicate).copied().unwrap_or(0)
    }

    /// The number of strata.
    pub fn count(&self) -> u32 {
        self.count
    }
}

fn negative_cycles(
    store: &Store,
    clauses: &[Clause],
    graph: &DependencyGraph,
) -> Vec<NegativeCycle> {
    // Negations whose two relations lie in one component: each closes a cycle of names.
    let closing: Vec<&Dependency> = graph
        .dependencies()
        .iter()
        .filter(|call| call.sign == Sign::Negative && graph.is_in_cycle(call))
        .collect();
    let mut seen = FxHashSet::default();
    let mut cycles = Vec::new();
    for &first in &closing {
        if seen.contains(&(first.from, first.to)) {
            continue;
        }
        // First the cycles that arguments do not rule out.
        if let Some(dependencies) = clause_cycle(store, clauses, graph, first) {
            // The other negations on this cycle are told with it.
            seen.extend(dependencies.iter().map(|step| (step.from, step.to)));
            let kind = CycleKind::OfClauses;
            cycles.push(NegativeCycle { kind, dependencies });
        }
    }
    // A cycle of names is told only where no cycle of clauses is.
    for &first in &closing {
        if !seen.contains(&(first.from, first.to)) {
            let mut dependencies = vec![*first];
            // A relation that negates itself is a cycle of one step.
            if first.to != first.from
                && let Some(back) = graph.chain(first.to, first.from, |_| true)
            {
                dependencies.extend(back);
            }
            seen.extend(dependencies.iter().map(|step| (step.from, step.to)));
            let kind = CycleKind::OfNames;
            cycles.push(NegativeCycle { kind, dependencies });
        }
    }
    cycles.sort_by_key(|cycle| {
        cycle
            .dependencies
            .first()
            .map(|first| (first.clause, first.position))
    });
    cycles
}
