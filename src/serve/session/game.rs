//! A game that was loaded, with what was found out about it so far.

use crate::fluent::EffectRules;
use crate::gdl::State;
use crate::limits::Limits;
use crate::serve::protocol::{Code, Failure};
use crate::serve::session::tree::Tree;
use crate::term::{Case, TermId, bounded_text};
use crate::workbench::{GameMachine, Workbench};

/// Bytes of one term in an answer.
const LARGEST_TERM: usize = 4 << 20;

/// A game and where it stands.
pub(super) struct Opened {
    pub(super) workbench: Workbench,
    pub(super) limits: Limits,
    pub(super) tree: Tree,
    /// What answers questions; none before the first one.
    machine: Option<GameMachine>,
    pub(super) effects: Option<EffectRules>,
}

impl Opened {
    pub(super) fn new(mut workbench: Workbench, limits: Limits) -> Result<Self, Failure> {
        let initial = workbench.initial_state()?;
        Ok(Self {
            workbench,
            limits,
            tree: Tree::new(initial),
            machine: None,
            effects: None,
        })
    }

    /// The number of a state that was visited; without one, of that where the session stands.
    pub(super) fn place(&self, at: Option<usize>) -> Result<usize, Failure> {
        match at {
            None => Ok(self.tree.at),
            Some(at) if self.tree.get(at).is_some() => Ok(at),
            Some(at) => {
                let message = format!("no state has the number {at}");
                Err(Failure::new(Code::BadInput, message))
            }
        }
    }

    /// A state that was visited.
    pub(super) fn state(&self, at: usize) -> State {
        let node = self.tree.get(at);
        // Numbers come from `place`, so that the default is never taken.
        node.map(|node| node.state.clone()).unwrap_or_default()
    }

    /// The machine that questions are put to, made at the first call.
    pub(super) fn machine(&mut self) -> Result<(&mut GameMachine, &mut Workbench), Failure> {
        let machine = match self.machine.take() {
            Some(machine) => machine,
            None => {
                // It has no files and no standard input, whatever a question asks for.
                let mut machine = GameMachine::default();
                let parts = self.workbench.parts();
                machine.add_game(parts.vocabulary.store(), parts.game, Case::Fold)?;
                machine
            }
        };
        Ok((self.machine.insert(machine), &mut self.workbench))
    }

    /// A term of the game as text.
    pub(super) fn text(&mut self, term: TermId) -> Result<String, Failure> {
        text(&mut self.workbench, term)
    }

    /// Terms of the game as texts, in the order of their bytes.
    pub(super) fn texts(&mut self, terms: Vec<TermId>) -> Result<Vec<String>, Failure> {
        let mut texts = Vec::with_capacity(terms.len());
        for term in terms {
            texts.push(self.text(term)?);
        }
        texts.sort_unstable();
        Ok(texts)
    }
}

/// A term of a game as text.
pub(super) fn text(workbench: &mut Workbench, term: TermId) -> Result<String, Failure> {
    let store = workbench.parts().vocabulary.store();
    bounded_text(store, term, LARGEST_TERM).map_err(|_| {
        let message = "a term of more than 4 MiB is part of the answer";
        Failure::new(Code::Limit, message)
    })
}
