//! A decomposed game as sheets need it: whose each fluent is, what the whole game asks of each part, and how things
//! are called.

use crate::circuit::{Circuit, Signal};
use crate::decomposition::emit::rules::{Stand, Stands};
use crate::decomposition::local_concepts::LocalConcepts;
use crate::decomposition::report::DecomposedGame;
use crate::decomposition::whole::Decomposition;
use crate::term::{Prefix, TermId};

/// The move of a role that is made in other parts.
pub(super) const ELSEWHERE: &str = "elsewhere";

/// A decomposed game with the owners of its fluents and the local concepts of its parts.
pub(super) struct DividedGame<'g> {
    pub(super) subject: &'g DecomposedGame<'g>,
    pub(super) circuit: &'g Circuit,
    pub(super) found: &'g Decomposition,
    /// By fluent, by place, the part that it belongs to; none if it runs by itself.
    pub(super) owners: Vec<Option<usize>>,
    pub(super) concepts: LocalConcepts,
}

impl<'g> DividedGame<'g> {
    /// None if end, goal or legality are no formulas over the parts.
    pub(super) fn of(subject: &'g DecomposedGame<'g>) -> Option<Self> {
        let owners = owners(subject);
        let concepts = LocalConcepts::of(subject.circuit, &owners, &roots(subject, &owners))?;
        Some(Self {
            subject,
            circuit: subject.circuit,
            found: subject.found,
            owners,
            concepts,
        })
    }

    /// What stands for fluents in questions about the sheet of a part: some may be anything, and the others are as in
    /// a state. Moves do not matter there.
    pub(super) fn stands(&self, state: &[bool], is_open: impl Fn(Option<usize>) -> bool) -> Stands {
        let fluents = self.owners.iter().zip(state).map(|(&owner, &holds)| {
            if is_open(owner) {
                Stand::Literal(String::new())
            } else {
                Stand::Constant(holds)
            }
        });
        Stands {
            fluents: fluents.collect(),
            moves: None,
        }
    }

    /// The text of a term.
    pub(super) fn text(&self, term: TermId) -> String {
        Prefix::new(self.subject.store, term).to_string()
    }

    /// What a fluent is called.
    pub(super) fn fluent(&self, place: usize) -> String {
        self.text(self.circuit.fluents[place].term)
    }

    /// What a local move is called.
    pub(super) fn mv(&self, role: usize, mv: usize) -> String {
        self.text(self.circuit.moves[role][mv].term)
    }
}

/// The name of a local concept.
pub(super) fn concept(place: usize) -> String {
    format!("concept{}", place + 1)
}

fn owners(subject: &DecomposedGame<'_>) -> Vec<Option<usize>> {
    let mut owners = vec![None; subject.circuit.fluents.len()];
    for (number, part) in subject.found.parts.iter().enumerate() {
        for fluent in subject.fluents(&part.variables) {
            owners[fluent] = Some(number);
        }
    }
    owners
}

/// What the whole game asks of its parts: end, goal values, legality, and what runs by itself.
fn roots(subject: &DecomposedGame<'_>, owners: &[Option<usize>]) -> Vec<Signal> {
    let circuit = subject.circuit;
    let mut roots = vec![circuit.terminal];
    roots.extend(circuit.goals.iter().flatten().map(|payoff| payoff.signal));
    roots.extend(circuit.moves.iter().flatten().map(|mv| mv.legal));
    // Without phases the sheet of what runs by itself says what it is next.
    if subject.found.phases > 1 {
        let by_itself = circuit.fluents.iter().zip(owners);
        let by_itself = by_itself.filter(|(_, owner)| owner.is_none());
        roots.extend(by_itself.map(|(fluent, _)| fluent.next));
    }
    roots
}
