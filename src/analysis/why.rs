//! Why two nodes of the dependency graph have to do with each other: the rules behind an edge.
//!
//! An edge is written as an arrow between names, `cell -> grab` for a precondition, `move -> cell(+)`
//! and `move -> cell(-)` for effects. A name without arguments stands for all nodes of that name.

use std::fmt::Write;

use crate::analysis::analyze::Analysis;
use crate::analysis::definition::Related;
use crate::analysis::link::DependencyKind;
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

/// The relations that the text of an edge means.
#[derive(Clone, Debug)]
pub struct Meant {
    relations: Vec<DependencyKind>,
    fluents: Vec<usize>,
    actions: Vec<usize>,
}

impl Meant {
    /// Whether a relation between a fluent and an action, by place, is one of them.
    pub fn contains(&self, relation: DependencyKind, fluent: usize, action: usize) -> bool {
        self.relations.contains(&relation)
            && self.fluents.contains(&fluent)
            && self.actions.contains(&action)
    }
}

impl Structure {
    /// Reads the text of an edge.
    ///
    /// # Errors
    /// [`EdgeFault`].
    pub fn meant(&self, store: &Store, text: &str) -> Result<Meant, EdgeFault> {
        let (from, to) = text.split_once("->").ok_or(EdgeFault::NoArrow)?;
        let effects = [
            DependencyKind::PositiveEffect,
            DependencyKind::NegativeEffect,
        ];
        // A sign means one kind of effect, no sign either.
        let (to, effects) = match to.trim() {
            to if to.ends_with("(+)") => (&to[..to.len() - 3], &effects[..1]),
            to if to.ends_with("(-)") => (&to[..to.len() - 3], &effects[1..]),
            to => (to, &effects[..]),
        };
        let (from, to) = (self.end(store, from)?, self.end(store, to)?);
        if !from.actions.is_empty() && !to.fluents.is_empty() {
            return Ok(Meant {
                relations: effects.to_vec(),
                fluents: to.fluents,
                actions: from.actions,
            });
        }
        // Preconditions have no sign.
        if effects.len() < 2 || from.fluents.is_empty() || to.actions.is_empty() {
            return Err(EdgeFault::SameKind);
        }
        Ok(Meant {
            relations: vec![DependencyKind::Precondition],
            fluents: from.fluents,
            actions: to.actions,
        })
    }

    /// The edges that are meant; none if these nodes have nothing to do with each other in this way.
    pub fn edges_of(&self, meant: &Meant) -> Vec<&Edge> {
        // Tautologies are no edges, but may be asked about: the answer says why they are none.
        let edges = self.edges.iter().chain(&self.tautologies);
        let found = edges.filter(|edge| meant.contains(edge.relation, edge.fluent, edge.action));
        found.collect()
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
        // `cell(1, _, _)` is meant as `cell(1,_,_)`, the form in which names are printed.
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
        DependencyKind::Precondition if edge.by_every_move => format!(
            "{fluent} is a potential precondition of {action} ({source} 3): what every joint move does \
             depends on it.\n"
        ),
        DependencyKind::Precondition => {
            format!("{fluent} is a potential precondition of {action} ({source} 3):\n")
        }
        DependencyKind::PositiveEffect | DependencyKind::NegativeEffect => {
            let (sign, means) = match edge.relation {
                DependencyKind::NegativeEffect if edge.rules.is_empty() => {
                    ("negative", "no rule keeps it")
                }
                DependencyKind::NegativeEffect => {
                    ("negative", "none of the rules that keep it need apply")
                }
                DependencyKind::PositiveEffect | DependencyKind::Precondition => {
                    ("positive", "a rule adds it")
                }
            };
            let whoever = if edge.by_every_move {
                ", whatever is done"
            } else {
                ""
            };
            let end = if edge.rules.is_empty() { '.' } else { ':' };
            format!(
                "{fluent} is a potential {sign} effect of {action} ({source} 2); {means}{whoever}{end}\n"
            )
        }
    }
}

/// Says why there is no edge although the definitions, taken by their words, relate two nodes.
pub fn why_not(analysis: &Analysis, store: &Store, (relation, fluent, action): Related) -> String {
    let structure = &analysis.structure;
    let fluent = names::node(store, structure.fluents[fluent].pattern);
    let action = names::node(store, structure.actions[action].pattern);
    match relation {
        DependencyKind::PositiveEffect => format!(
            "By its form some rule for {fluent} is compatible with {action}. But the axioms prove that where \
             {action} is possible no such rule applies, or {fluent} holds already.\n"
        ),
        DependencyKind::NegativeEffect => format!(
            "No single rule keeps {fluent} whenever {action} is done. But the axioms prove that several \
             together do, or that {action} is not possible where none does.\n"
        ),
        DependencyKind::Precondition => format!(
            "{fluent} stands in a rule that {action} has to do with. But by the axioms neither whether \
             {action} is possible nor what it changes depends on it.\n"
        ),
    }
}
