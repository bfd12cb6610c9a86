//! The sentences of a text: clauses into the database, directives run as they come.

use crate::limits::Limits;
use crate::prolog::consult::load::{DISCONTIGUOUS, Load};
use crate::prolog::consult::trees::VariableNames;
use crate::prolog::program::install::NewClause;
use crate::prolog::program::instruction::PredicateId;
use crate::prolog::program::predicate::ClauseOrigin;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::syntax::{Diagnostic, Document, PrologReader, Sentence, SentenceKind, Source, Span};

impl Machine {
    /// Loads a text: adds its clauses to the database and runs its directives.
    ///
    /// Faults do not end the load; the result lists them in textual order, and is empty if there
    /// are none. A text that was loaded before under the same name is replaced.
    pub fn consult(&mut self, source: &Source) -> Vec<Diagnostic> {
        self.consult_with(source, Limits::default())
    }

    /// The same, with limits for each directive.
    pub fn consult_with(&mut self, source: &Source, limits: Limits) -> Vec<Diagnostic> {
        // Loading a text again replaces what it gave before.
        self.unload(source.name());
        self.reset();
        let id = self.add_source(source);
        let was_loading = std::mem::replace(&mut self.consulted.is_loading, true);
        let mut load = Load::new(source, id);
        self.load_sentences(&mut load, &limits);
        for (goal, span) in std::mem::take(&mut load.initialization) {
            if self.consulted.halt.is_some() {
                break;
            }
            self.reset();
            let goal = self.heap.recall(&goal);
            self.run_directive(&mut load, goal, span, &limits);
        }
        self.consulted.is_loading = was_loading;
        self.reset();
        self.drop_all_tables();
        self.tables.release();
        load.diagnostics
    }

    pub(super) fn load_sentences(&mut self, load: &mut Load<'_>, limits: &Limits) {
        let mut reader = PrologReader::new(load.source);
        while self.consulted.halt.is_none() {
            // Sentence by sentence: a directive may change the flag and the operators for what follows.
            reader.set_strict(self.flags.iso);
            let mut operators = std::mem::take(&mut self.consulted.operators);
            let sentence = reader.next(&mut operators);
            self.consulted.operators = operators;
            match sentence {
                None => break,
                Some(Err(_)) if load.is_skipping() => {}
                Some(Err(fault)) => load.diagnostics.push(fault),
                Some(Ok(sentence)) => {
                    self.load_sentence(load, reader.document(), &sentence, limits);
                }
            }
        }
    }

    fn load_sentence(
        &mut self,
        load: &mut Load<'_>,
        document: &Document,
        sentence: &Sentence,
        limits: &Limits,
    ) {
        self.reset();
        // A clause that is refused has nothing to do with what an earlier directive has run.
        self.backtrace.clear();
        let mut names = Vec::new();
        let head = self.load_node(document, load.source, sentence.head, &mut names);
        match sentence.kind {
            // Conditions first: they are read even where everything else is skipped.
            SentenceKind::Directive if self.condition(load, head, sentence.span, limits) => {}
            _ if load.is_skipping() => {}
            kind if self.has_expansions() => {
                let goals = self.goals(load, document, sentence, &mut names);
                let body = self.conjunction(&goals);
                let term = match kind {
                    SentenceKind::Directive => self.heap.compound(atoms::NECK, &[head]),
                    SentenceKind::Rule => self.heap.compound(atoms::NECK, &[head, body]),
                    SentenceKind::Fact => head,
                };
                self.load_translation(load, "expand_term", term, sentence.span, limits);
            }
            SentenceKind::Directive => {
                self.directive(load, head, sentence.span, limits);
            }
            SentenceKind::Fact if self.heap.functor(head) == Some((atoms::DCG_ARROW, 2)) => {
                self.load_translation(load, "$dcg_rule", head, sentence.span, limits);
            }
            SentenceKind::Fact | SentenceKind::Rule => {
                self.load_rule(load, document, sentence, head, &mut names);
            }
        }
    }

    /// Loads a clause, whose head is read.
    pub(super) fn load_rule(
        &mut self,
        load: &mut Load<'_>,
        document: &Document,
        sentence: &Sentence,
        head: Cell,
        names: &mut VariableNames,
    ) {
        let goals = self.goals(load, document, sentence, names);
        let nodes = document.children(sentence.body);
        let literals = nodes.iter().map(|&node| document.span(node)).collect();
        let body = self.conjunction(&goals);
        let origin = ClauseOrigin {
            source: load.id,
            span: sentence.span,
            literals,
        };
        self.load_clause(load, head, body, origin);
    }

    /// The goals of a sentence's body.
    fn goals(
        &mut self,
        load: &Load<'_>,
        document: &Document,
        sentence: &Sentence,
        names: &mut VariableNames,
    ) -> Vec<Cell> {
        let nodes = document.children(sentence.body).iter();
        let load_node = |&node| self.load_node(document, load.source, node, names);
        nodes.map(load_node).collect()
    }

    /// The conjunction of goals, `true` if there are none.
    pub(in crate::prolog) fn conjunction(&mut self, goals: &[Cell]) -> Cell {
        let Some((&last, front)) = goals.split_last() else {
            return Cell::atom(atoms::TRUE);
        };
        let mut body = last;
        for &goal in front.iter().rev() {
            body = self.heap.compound(atoms::COMMA, &[goal, body]);
        }
        body
    }

    pub(super) fn load_clause(
        &mut self,
        load: &mut Load<'_>,
        head: Cell,
        body: Cell,
        origin: ClauseOrigin,
    ) {
        let span = origin.span;
        // What is no body is refused by the compiler.
        let body = self.clause_body(body).unwrap_or(body);
        let split = self.heap.compound(atoms::NECK, &[head, body]);
        let result = self
            .split_clause(split)
            .and_then(|(head, _)| Ok((head, self.own_predicate(head)?)))
            .and_then(|(head, id)| {
                let record = self.heap.record_clause(head, body);
                self.heap.stopped()?;
                self.database
                    .add(
                        &mut self.heap.store,
                        id,
                        NewClause::last(record, Some(Box::new(origin))),
                    )
                    .map(|_| id)
                    .map_err(|fault| self.compile_error(fault, body))
            });
        match result {
            Ok(id) => self.check_together(load, id, span),
            Err(fault) => self.report(load, span, &fault),
        }
    }

    /// Warns when clauses of another predicate stand between those of this one.
    fn check_together(&mut self, load: &mut Load<'_>, id: PredicateId, span: Span) {
        let is_new = load.defined.insert(id);
        let predicate = self.database.get(id);
        // A second run of clauses in this text, with others in between.
        if !is_new
            && load.last != Some(id)
            && !predicate.is_discontiguous
            && !predicate.is_dynamic
            && !self.consulted.is_library
        {
            let name = self.heap.name(predicate.name).to_owned();
            let indicator = format!("{name}/{}", predicate.arity);
            load.diagnostics.push(
                Diagnostic::warning(
                    DISCONTIGUOUS,
                    span,
                    format!("clauses of {indicator} are not together"),
                )
                .with_help(format!("add `:- discontiguous {indicator}.`")),
            );
            // Once is enough.
            self.database.get_mut(id).is_discontiguous = true;
        }
        load.last = Some(id);
    }
}
