//! One case of a rule as text.

use crate::gdl::answer_sets::conditions::Condition;
use crate::gdl::answer_sets::names::SolverNames;
use crate::gdl::answer_sets::relations::Relations;
use crate::gdl::keyword::{Keyword, Keywords};
use crate::term::{Functor, Store, TermId};

/// What the text of a rule is made of.
pub(super) struct RuleText<'a> {
    pub(super) store: &'a Store,
    pub(super) keywords: &'a Keywords,
    pub(super) relations: &'a Relations,
    pub(super) names: &'a SolverNames,
    /// By number.
    pub(super) variables: &'a [String],
}

impl RuleText<'_> {
    /// The rule of a head and the conditions of one case, with a line end.
    pub(super) fn rule(&self, head: TermId, case: &[Condition]) -> String {
        let Some(functor) = self.store.functor(head) else {
            return String::new();
        };
        let [_, time, goes_on, ..] = self.names.reserved();
        let mut body = Vec::new();
        // `init` and `next` say what is true at some time; all other relations keep their names.
        let head = match self.keywords.predicate(functor) {
            Some(Keyword::Init) => format!("true{}", self.arguments(head, Some("0"))),
            Some(Keyword::Next) => {
                // Without it the state after an end would be described, and one state beyond the horizon.
                body.push(format!("{goes_on}(T)"));
                format!("true{}", self.arguments(head, Some("T+1")))
            }
            Some(_) | None => {
                // Without a timed condition T would be unbound, which the solver refuses.
                if self.is_timed(functor) && !self.binds_time(case) {
                    body.push(format!("{time}(T)"));
                }
                self.atom(head)
            }
        };
        body.extend(case.iter().map(|condition| self.condition(condition)));
        if body.is_empty() {
            format!("{head}.\n")
        } else {
            format!("{head} :- {}.\n", body.join(", "))
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match *condition {
            Condition::Atom(atom, true) => self.atom(atom),
            Condition::Atom(atom, false) => format!("not {}", self.atom(atom)),
            Condition::Equal(one, other, equal) => {
                let relation = if equal { "=" } else { "!=" };
                format!("{} {relation} {}", self.term(one), self.term(other))
            }
        }
    }

    fn atom(&self, atom: TermId) -> String {
        let Some(functor) = self.store.functor(atom) else {
            return self.term(atom);
        };
        let is_timed = self.is_timed(functor);
        let name = self.names.relation(self.store, functor, is_timed);
        let arguments = self.arguments(atom, is_timed.then_some("T"));
        format!("{name}{arguments}")
    }

    fn arguments(&self, atom: TermId, time: Option<&str>) -> String {
        let terms = self.store.arguments(atom);
        self.names
            .arguments(self.store, terms, self.variables, time)
    }

    fn term(&self, term: TermId) -> String {
        let text = self
            .names
            .arguments(self.store, &[term], self.variables, None);
        // One argument without its parentheses.
        text[1..text.len() - 1].to_owned()
    }

    fn is_timed(&self, functor: Functor) -> bool {
        self.relations.timed.contains(&functor)
    }

    /// Whether some condition says which times there are.
    fn binds_time(&self, case: &[Condition]) -> bool {
        case.iter().any(|condition| match *condition {
            Condition::Atom(atom, true) => {
                let functor = self.store.functor(atom);
                functor.is_some_and(|functor| self.is_timed(functor))
            }
            Condition::Atom(_, false) | Condition::Equal(..) => false,
        })
    }
}
