//! Sentences that a program or a grammar translates before they are loaded: `term_expansion/2`, `goal_expansion/2`,
//! grammar rules.

use crate::limits::Limits;
use crate::prolog::consult::load::Load;
use crate::prolog::program::predicate::ClauseOrigin;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::Interruption;
use crate::syntax::Span;

impl Machine {
    /// Whether the program has clauses that translate what is read.
    pub(super) fn has_expansions(&self) -> bool {
        [atoms::TERM_EXPANSION, atoms::GOAL_EXPANSION]
            .into_iter()
            .any(|name| {
                let found = self.database.find(name, 2);
                found.is_some_and(|id| self.database.get(id).live > 0)
            })
    }

    /// Loads what `translation(Sentence, X)` gives for X: a clause, a directive, or a list of these.
    pub(super) fn load_translation(
        &mut self,
        load: &mut Load<'_>,
        translation: &str,
        sentence: Cell,
        span: Span,
        limits: &Limits,
    ) {
        let result = self.heap.variable();
        let name = self.heap.store.symbol(translation);
        let goal = self.heap.compound(name, &[sentence, result]);
        match self.solve_once(goal, limits) {
            Ok(true) => {}
            Ok(false) => return,
            Err(fault) => return self.report(load, span, &fault),
        }
        let (elements, rest) = self.heap.read_list(result);
        let sentences = if rest == Cell::atom(atoms::NIL) {
            elements
        } else {
            vec![self.heap.deref(result)]
        };
        // Out of the heap of the query that translated it: a directive begins another one.
        let records: Vec<_> = sentences
            .iter()
            .map(|&sentence| self.heap.record(&[sentence]))
            .collect();
        for record in records {
            self.reset();
            let sentence = self.heap.recall(&record);
            if let Err(fault) = self.load_term_as_sentence(load, sentence, span, limits) {
                self.report(load, span, &fault);
            }
        }
    }

    fn load_term_as_sentence(
        &mut self,
        load: &mut Load<'_>,
        sentence: Cell,
        span: Span,
        limits: &Limits,
    ) -> Result<(), Interruption> {
        if self.heap.functor(sentence) == Some((atoms::NECK, 1)) {
            let goal = self.heap.arguments(sentence)[0];
            self.directive(load, goal, span, limits);
            return Ok(());
        }
        let (head, body) = self.split_clause(sentence)?;
        let origin = ClauseOrigin {
            source: load.id,
            span,
            literals: Box::default(),
        };
        self.load_clause(load, head, body, origin);
        Ok(())
    }
}
