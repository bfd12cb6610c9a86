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
//! Source: \[LHHSG08\], the definition of stratified rules.

use rustc_hash::FxHashMap;

use crate::term::{Dependency, DependencyGraph, Functor, Sign};

/// A cycle of dependencies of which the first, and maybe others, is negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegativeCycle {
    /// Each leads to the predicate from which the next starts; the last to where the first starts.
    pub dependencies: Vec<Dependency>,
}

/// The stratum of every relation: 0 for those that need no negation, then upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratification {
    strata: FxHashMap<Functor, u32>,
    count: u32,
}

impl Stratification {
    /// The lowest strata that there are. Linear in the size of the graph if it has strata.
    ///
    /// # Errors
    /// For every negation between two predicates that lies on a cycle, a shortest such cycle, in
    /// the order of the text.
    pub fn of(graph: &DependencyGraph) -> Result<Self, Vec<NegativeCycle>> {
        let cycles = negative_cycles(graph);
        if !cycles.is_empty() {
            return Err(cycles);
        }
        let mut strata: FxHashMap<Functor, u32> = FxHashMap::default();
        let mut count = 0;
        // Callees come first, so all strata below a component are known when it is reached.
        for component in graph.components() {
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

fn negative_cycles(graph: &DependencyGraph) -> Vec<NegativeCycle> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut cycles = Vec::new();
    for &first in graph.dependencies() {
        let closes = first.sign == Sign::Negative && graph.is_in_cycle(&first);
        if !closes || !seen.insert((first.from, first.to)) {
            continue;
        }
        let mut dependencies = vec![first];
        if first.to != first.from
            && let Some(back) = graph.chain(first.to, first.from, |_| true)
        {
            dependencies.extend(back);
        }
        cycles.push(NegativeCycle { dependencies });
    }
    cycles
}
