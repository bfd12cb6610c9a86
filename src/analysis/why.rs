//! Why two nodes of the dependency graph have to do with each other: the rules behind an edge.
//!
//! An edge is written as an arrow between names, `cell -> grab` for a precondition, `move -> cell(+)`
//! and `move -> cell(-)` for effects. A name without arguments stands for all nodes of that name.

use std::fmt::Write;

use crate::analysis::analyze::Analysis;
use crate::analysis::link::Relation;
use crate::analysis::report::names;
use crate::analysis::structure::{Edge, Structure};
use crate::term::{Store, TermId};

/// What is wrong with the text of an edge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeFault {
    /// There is no arrow in it.
    #[error("an edge is written as `cell -> grab`, `move -> cell(+)` or `move -> cell(-)`")]
    NoArrow,
    /// No fluent or action has this name.
    #[error("there is no fluent or action {name}; there are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// What there is, separated by commas.
        known: String,
    },
    /// Both ends are fluents, or both are actions.
    #[error("one end of an edge is a fluent and the other an action")]
    SameKind,
}

/// Nodes of one kind.
struct End {
    fluents: Vec<usize>,
    actions: Vec<usize>,
}

impl Structure {
    /// The edges that a text means; none if these nodes have nothing to do with each other in this
    /// way.
    ///
    /// # Errors
    /// [`EdgeFault`].
    pub fn edges_of(&self, store: &Store, text: &str) -> Result<Vec<&Edge>, EdgeFault> {
        let (from, to) = text.split_once("->").ok_or(EdgeFault::NoArrow)?;
        let (to, sign) = match to.trim() {
            to if to.ends_with("(+)") => (&to[..to.len() - 3], Some(Relation::PositiveEffect)),
            to if to.ends_with("(-)") => (&to[..to.len() - 3], Some(Relation::NegativeEffect)),
            to => (to, None),
        };
        let (from, to) = (self.end(store, from)?, self.end(store, to)?);
        let is_effect = !from.actions.is_empty() && !to.fluents.is_empty();
        let is_precondition = sign.is_none() && !from.fluents.is_empty() && !to.actions.is_empty();
        if !is_effect && !is_precondition {
            return Err(EdgeFault::SameKind);
        }
        let edges = self.edges.iter().chain(&self.tautologies);
        let meant = edges.filter(|edge| match edge.relation {
            Relation::Precondition => {
                is_precondition
                    && from.fluents.contains(&edge.fluent)
                    && to.actions.contains(&edge.action)
            }
            Relation::PositiveEffect | Relation::NegativeEffect => {
                is_effect
                    && from.actions.contains(&edge.action)
                    && to.fluents.contains(&edge.fluent)
                    && sign.is_none_or(|sign| sign == edge.relation)
            }
        });
        Ok(meant.collect())
    }

    fn end(&self, store: &Store, text: &str) -> Result<End, EdgeFault> {
        let fluents = self.fluents.iter().map(|fluent| fluent.pattern);
        let actions = self.actions.iter().map(|action| action.pattern);
        let end = End {
            fluents: meant(store, fluents, text),
            actions: meant(store, actions, text),
        };
        if end.fluents.is_empty() && end.actions.is_empty() {
            let all = self.fluents.iter().map(|fluent| fluent.pattern);
            let all = all.chain(self.actions.iter().map(|action| action.pattern));
            let known: Vec<String> = all.map(|pattern| names::node(store, pattern)).collect();
            return Err(EdgeFault::Unknown {
                name: text.trim().to_owned(),
                known: known.join(", "),
            });
        }
        Ok(end)
    }
}

/// The places of the patterns that a name means.
fn meant(store: &Store, patterns: impl Iterator<Item = TermId>, name: &str) -> Vec<usize> {
    let name: String = name
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    let is_meant = |&pattern: &TermId| {
        let functor = store.functor(pattern);
        let symbol = functor.map(|functor| store.name(functor.symbol));
        names::node(store, pattern) == name
            || names::indicator(store, pattern) == name
            || symbol.is_some_and(|symbol| symbol == name)
    };
    let places = patterns
        .enumerate()
        .filter(|(_, pattern)| is_meant(pattern));
    places.map(|(place, _)| place).collect()
}

/// Says why there is an edge; `rule_text` gives the line of a rule and what stands there.
pub fn why(
    analysis: &Analysis,
    store: &Store,
    edge: &Edge,
    rule_text: &dyn Fn(usize) -> (usize, String),
) -> String {
    let structure = &analysis.structure;
    let fluent = names::node(store, structure.fluents[edge.fluent].pattern);
    let action = names::node(store, structure.actions[edge.action].pattern);
    let mut text = headline(edge, &fluent, &action, structure.tautologies.contains(edge));
    let mut told = Vec::new();
    for &rule in &edge.rules {
        if told.contains(&rule) {
            continue;
        }
        told.push(rule);
        let (line, source) = rule_text(rule);
        let _ = writeln!(text, "  line {line}");
        for source_line in source.lines() {
            let _ = writeln!(text, "    {source_line}");
        }
    }
    text
}

/// What an edge says, in a sentence.
fn headline(edge: &Edge, fluent: &str, action: &str, is_tautology: bool) -> String {
    let source = "Günther, Schiffel, Thielscher 2009, Definition";
    match edge.relation {
        _ if is_tautology => format!(
            "{fluent} stands in the precondition of {action}, but {action} is possible whether it holds or \
             not (Günther 2007, Section 3.4.2): no edge.\n"
        ),
        Relation::Precondition if edge.by_every_move => format!(
            "{fluent} is a potential precondition of {action} ({source} 3): what every joint move does \
             depends on it.\n"
        ),
        Relation::Precondition => {
            format!("{fluent} is a potential precondition of {action} ({source} 3):\n")
        }
        Relation::PositiveEffect | Relation::NegativeEffect => {
            let (sign, means) = match edge.relation {
                Relation::NegativeEffect if edge.rules.is_empty() => {
                    ("negative", "no rule keeps it")
                }
                Relation::NegativeEffect => {
                    ("negative", "none of the rules that keep it need apply")
                }
                Relation::PositiveEffect | Relation::Precondition => ("positive", "a rule adds it"),
            };
            let whoever = match edge.by_every_move {
                true => ", whatever is done",
                false => "",
            };
            format!(
                "{fluent} is a potential {sign} effect of {action} ({source} 2): {means}{whoever}.\n"
            )
        }
    }
}
