//! Conditions as formulas: conjunctions, negated ones, and the quantifiers in front of them.

use super::BookWriter;
use crate::fluent::condition::Condition;
use crate::fluent::emit::layout::Formula;
use crate::fluent::emit::names::Names;
use crate::fluent::emit::style::BookStyle;
use crate::term::{Functor, TermId};

impl BookWriter<'_> {
    pub(super) fn falsity(&self) -> &'static str {
        match self.style {
            BookStyle::Unicode => "⊥",
            BookStyle::Latex => "\\bot",
        }
    }

    pub(super) fn truth(&self) -> &'static str {
        match self.style {
            BookStyle::Unicode => "⊤",
            BookStyle::Latex => "\\top",
        }
    }

    /// A conjunction with its own variables quantified; in brackets if so asked and of several
    /// parts.
    pub(super) fn quantified(
        &self,
        names: &mut Names,
        conditions: &[Condition],
        state: &str,
        brackets: bool,
    ) -> Formula {
        let own = self.own_variables(names, conditions, &[]);
        let body = self.conjunction(names, conditions, state);
        self.quantify(names, &own, body, brackets)
    }

    pub(super) fn own_variables(
        &self,
        names: &Names,
        conditions: &[Condition],
        terms: &[TermId],
    ) -> Vec<u32> {
        let mut own: Vec<u32> = Vec::new();
        for condition in conditions {
            own.extend(condition.variables(self.store));
        }
        for &term in terms {
            own.extend(self.store.variables(term));
        }
        let mut seen: Vec<u32> = Vec::new();
        own.retain(|&variable| {
            let new = !names.knows(variable) && !seen.contains(&variable);
            seen.push(variable);
            new
        });
        own
    }

    pub(super) fn quantify(
        &self,
        names: &mut Names,
        own: &[u32],
        body: Formula,
        brackets: bool,
    ) -> Formula {
        if own.is_empty() {
            return if brackets && body.pieces.len() > 1 {
                body.wrap("(", ")")
            } else {
                body
            };
        }
        let variables: Vec<String> = own
            .iter()
            .map(|&variable| self.style.variable(&names.name(variable)))
            .collect();
        let prefix = format!("({}{})", self.signs.exists, variables.join(", "));
        match body.pieces.len() {
            1 => body.wrap(&prefix, ""),
            _ => body.wrap(&format!("{prefix}("), ")"),
        }
    }

    pub(super) fn conjunction(
        &self,
        names: &mut Names,
        conditions: &[Condition],
        state: &str,
    ) -> Formula {
        let parts: Vec<Formula> = conditions
            .iter()
            .map(|condition| self.condition(names, condition, state))
            .collect();
        Formula::join(parts, self.signs.and)
    }

    pub(super) fn condition(
        &self,
        names: &mut Names,
        condition: &Condition,
        state: &str,
    ) -> Formula {
        match condition {
            Condition::Holds(atom) => Formula::atom(self.atom(names, *atom, state)),
            Condition::Fails(atom) => Formula::atom(self.negated_atom(names, *atom, state)),
            Condition::Equal(left, right) => {
                Formula::atom(self.relation(names, *left, "=", *right))
            }
            Condition::Differ(pairs) => {
                let parts: Vec<Formula> = pairs
                    .iter()
                    .map(|&(left, right)| {
                        Formula::atom(self.relation(names, left, self.signs.differs, right))
                    })
                    .collect();
                match parts.len() {
                    1 => Formula::join(parts, self.signs.or),
                    _ => Formula::join(parts, self.signs.or).wrap("(", ")"),
                }
            }
            Condition::None(local, inner) => {
                let mut names = names.clone();
                let body = self.conjunction(&mut names, inner, state);
                // Only variables that occur: a simplified negation may have lost some of its own.
                let used = self.own_variables(&Names::default(), inner, &[]);
                let own: Vec<u32> = local.iter().copied().filter(|v| used.contains(v)).collect();
                let body = self.quantify(&mut names, &own, body, true);
                body.wrap(self.signs.not, "")
            }
        }
    }

    pub(super) fn relation(
        &self,
        names: &mut Names,
        left: TermId,
        sign: &str,
        right: TermId,
    ) -> String {
        let left = names.term(self.store, self.style, left);
        format!(
            "{left} {sign} {}",
            names.term(self.store, self.style, right)
        )
    }

    /// An atom that does not hold; a goal value differs.
    pub(super) fn negated_atom(&self, names: &mut Names, atom: TermId, state: &str) -> String {
        self.goal_atom(names, atom, self.signs.differs, state)
            .unwrap_or_else(|| format!("{}{}", self.signs.not, self.atom(names, atom, state)))
    }

    /// An atom; one that depends on the state has it as its last argument.
    pub(super) fn atom(&self, names: &mut Names, atom: TermId, state: &str) -> String {
        if let Some(value) = self.goal_atom(names, atom, "=", state) {
            return value;
        }
        let functor = self.store.functor(atom);
        let name = functor.map_or("", |functor| self.store.name(functor.symbol));
        match (name, self.store.arguments(atom)) {
            ("true", &[fluent]) => {
                let fluent = names.term(self.store, self.style, fluent);
                format!("{}({fluent}, {state})", self.style.word("Holds"))
            }
            ("does", &[role, mv]) => {
                let role = names.term(self.store, self.style, role);
                let mv = names.term(self.store, self.style, mv);
                format!("{}({role}, {mv}, m)", self.style.word("Does"))
            }
            _ => {
                let text = names.term(self.store, self.style, atom);
                functor.map_or_else(
                    || text.clone(),
                    |functor| self.applied(functor, &text, state),
                )
            }
        }
    }

    /// An atom of `goal`, written as an equation or its negation.
    fn goal_atom(
        &self,
        names: &mut Names,
        atom: TermId,
        sign: &str,
        state: &str,
    ) -> Option<String> {
        let functor = self.store.functor(atom)?;
        match (self.store.name(functor.symbol), self.store.arguments(atom)) {
            ("goal", &[role, value]) => {
                let role = names.term(self.store, self.style, role);
                let value = names.term(self.store, self.style, value);
                Some(self.goal_value(&role, sign, &value, state))
            }
            _ => None,
        }
    }

    /// The text of an atom with what its relation depends on as further arguments.
    pub(super) fn applied(&self, functor: Functor, text: &str, state: &str) -> String {
        let more = match (
            self.axioms.of_moves.contains(&functor),
            self.axioms.of_state.contains(&functor),
        ) {
            (true, _) => format!("m, {state}"),
            (false, true) => state.to_owned(),
            (false, false) => return text.to_owned(),
        };
        match text.strip_suffix(')') {
            Some(open) => format!("{open}, {more})"),
            None => format!("{text}({more})"),
        }
    }
}
