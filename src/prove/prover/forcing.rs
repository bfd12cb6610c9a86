//! What is asked of the graph of all states: who can force to win, and formulas over all or some plays.

use crate::gdl::{ReasonerError, Vocabulary};
use crate::prove::branching;
use crate::prove::finding::{Finding, Method, Verdict};
use crate::prove::graph::Graph;
use crate::prove::property::{Property, PropertyQuestion};
use crate::prove::prover::claims::TargetOutcome;
use crate::prove::prover::prepare::Prover;

impl Prover {
    /// Whether some role, or a given one, can force to win.
    pub(super) fn decide_strong(
        &mut self,
        property: Property,
        vocabulary: &mut Vocabulary,
    ) -> Result<Finding, ReasonerError> {
        let roles = (0..self.circuit.moves.len()).filter(|&role| property.is_of(role));
        let roles: Vec<usize> = roles.collect();
        if let ([role], 1) = (&roles[..], self.circuit.moves.len()) {
            // A role that is alone can force whatever it can reach.
            let question = PropertyQuestion::Named(property);
            return self.decide_claims(&question, &[(self.wins[*role], true)], vocabulary);
        }
        let told = |verdict, method| Finding {
            verdict,
            method: Some(method),
            ..Finding::open(None)
        };
        let graph = self.graph.as_ref().filter(|graph| graph.is_complete);
        if let Some(graph) = graph {
            let can = roles.iter().any(|&role| {
                let place = self.watches[self.wins[role]].places[0][0];
                graph.can_force(role, place)
            });
            let verdict = if can {
                Verdict::Proved
            } else {
                Verdict::Refuted
            };
            return Ok(told(verdict, Method::Exhaustion));
        }
        // Who cannot win with the help of the others cannot win without it.
        let mut method = Method::Induction;
        for role in roles {
            match self.outcome(self.wins[role], vocabulary)? {
                TargetOutcome::Unreachable(by) => method = by,
                TargetOutcome::Reached(..) => return Ok(Finding::open(None)),
                TargetOutcome::Open(depth) => return Ok(Finding::open(Some(depth))),
            }
        }
        Ok(told(Verdict::Refuted, method))
    }

    /// Looks at all states, if they are known.
    pub(super) fn decide_branching(&self, formula: &branching::WatchedFormula) -> Finding {
        let depth = self.graph.as_ref().map(Graph::depth);
        let Some(graph) = self.graph.as_ref().filter(|graph| graph.is_complete) else {
            return Finding::open(depth);
        };
        let holds = branching::holding(graph, formula);
        Finding {
            // State 0 is the start.
            verdict: match holds.first() {
                Some(true) => Verdict::Proved,
                Some(false) | None => Verdict::Refuted,
            },
            method: Some(Method::Exhaustion),
            ..Finding::open(None)
        }
    }
}
