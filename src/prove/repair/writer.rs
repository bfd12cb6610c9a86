//! Rules and changes of rules, in the notation of the sheet.

use crate::prove::application::word;
use crate::prove::repair::candidate::RepairCandidate;
use crate::prove::repair::trial::SheetTrial;
use crate::syntax::{NodeId, Notation, Replacement, Span};
use crate::term::{Clause, Infix, Prefix, SymbolId, TermId};

/// Writes changes down, one after the other.
pub(super) struct CandidateWriter<'t> {
    pub(super) trial: &'t SheetTrial<'t>,
    pub(super) found: Vec<RepairCandidate>,
}

impl CandidateWriter<'_> {
    pub(super) fn push(&mut self, cost: u32, what: String, span: Span, text: String) {
        self.found.push(RepairCandidate {
            what,
            edits: vec![Replacement { span, text }],
            cost,
        });
    }

    /// A rule behind another one.
    pub(super) fn add_rule(&mut self, cost: u32, after: &Clause, text: &str) {
        let end = after.origin.span.end;
        let what = format!("add {text}");
        self.push(cost, what, Span::new(end, end), format!("\n{text}"));
    }

    pub(super) fn text(&self, term: TermId, variables: &[SymbolId]) -> String {
        let store = self.trial.vocabulary.store();
        match self.trial.notation {
            Notation::Prefix => Prefix::with_variables(store, term, variables).to_string(),
            Notation::Infix | Notation::Prolog => {
                Infix::with_variables(store, term, variables).to_string()
            }
        }
    }

    /// A compound of parts that are text already.
    pub(super) fn compound(&self, name: &str, parts: &[String]) -> String {
        match self.trial.notation {
            _ if parts.is_empty() => name.to_owned(),
            Notation::Prefix => format!("({name} {})", parts.join(" ")),
            Notation::Infix | Notation::Prolog => format!("{name}({})", parts.join(", ")),
        }
    }

    pub(super) fn rule(&self, head: &str, body: &[String]) -> String {
        match self.trial.notation {
            Notation::Prefix if body.is_empty() => head.to_owned(),
            Notation::Prefix => format!("(<= {head} {})", body.join(" ")),
            Notation::Infix | Notation::Prolog if body.is_empty() => format!("{head}."),
            Notation::Infix | Notation::Prolog => format!("{head} :- {}.", body.join(", ")),
        }
    }

    pub(super) fn clauses(&self, name: &str) -> Vec<Clause> {
        let store = self.trial.vocabulary.store();
        let clauses = self.trial.game.clauses().iter();
        let own = clauses.filter(|clause| word(store, clause) == name);
        own.cloned().collect()
    }

    pub(super) fn span(&self, node: NodeId) -> Span {
        self.trial.sheet.document.span(node)
    }

    /// The opposite of a literal.
    pub(super) fn negated(&self, literal: TermId, variables: &[SymbolId]) -> String {
        let store = self.trial.vocabulary.store();
        let functor = store.functor(literal);
        match store.arguments(literal) {
            &[inner] if functor.is_some_and(|f| store.name(f.symbol) == "not") => {
                self.text(inner, variables)
            }
            _ => self.compound("not", &[self.text(literal, variables)]),
        }
    }
}
