//! State update axioms: closed ones with their cases, and effects on all instances that a state has.

use super::BookWriter;
use crate::fluent::axioms::{Case, StateUpdateAxiom};
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::emit::layout::Formula;
use crate::fluent::emit::names::Names;
use crate::fluent::emit::style::BookStyle;
use crate::term::TermId;

impl BookWriter<'_> {
    pub(super) fn updates(&mut self) {
        self.heading("State update axioms");
        self.joint_moves();
        let single = self.axioms.roles.len() == 1;
        for axiom in &self.axioms.updates {
            self.update(axiom, single);
        }
        for effect in &self.axioms.joint {
            self.effect(None, effect);
        }
    }

    /// With several roles, how contributions of moves make up a change.
    pub(super) fn joint_moves(&mut self) {
        if self.axioms.roles.len() != 1 {
            let minus = self.signs.minus;
            let theta = match self.style {
                BookStyle::Unicode => format!("State(Do(m, s)) = State(s) {minus} ϑ⁻ + ϑ⁺ for a joint move m; what each move contributes to ϑ⁻ and ϑ⁺:"),
                BookStyle::Latex => "$\\mathit{State}(\\mathit{Do}(m, s)) = \\mathit{State}(s) - \\vartheta^- + \\vartheta^+$ for a joint move $m$; what each move contributes to $\\vartheta^-$ and $\\vartheta^+$:".to_owned(),
            };
            self.remark(&theta);
        }
    }

    pub(super) fn update(&mut self, axiom: &StateUpdateAxiom, single: bool) {
        let action = axiom.cause.map(|(_, action)| action);
        let mut names = Names::of(self.store, action.as_slice());
        let poss = match axiom.cause {
            Some((role, action)) if single => {
                let action = self.action(&mut names, role, action);
                format!(
                    "{}({action}, s) {} ",
                    self.style.word("Poss"),
                    self.signs.implies
                )
            }
            Some((role, action)) => {
                let action = self.action(&mut names, role, action);
                format!(
                    "{}({action}, m) {} ",
                    self.style.word("Does"),
                    self.signs.implies
                )
            }
            None => String::new(),
        };
        let own = match axiom.cause {
            Some((role, action)) if single => self.action(&mut names, role, action),
            _ => "m".to_owned(),
        };
        if single {
            let several = axiom.cases.len() > 1;
            let cases = axiom.cases.iter();
            let cases: Vec<Formula> = cases
                .map(|case| self.case(&mut names.clone(), case, &own, several))
                .collect();
            let body = Formula::join(cases, self.signs.or);
            self.formula(&body.wrap(&poss, ""));
        } else {
            let cases = axiom.cases.iter();
            cases
                .filter(|case| !case.negative.is_empty() || !case.positive.is_empty())
                .for_each(|case| self.contribution(&mut names.clone(), axiom, case));
        }
        for effect in &axiom.rest {
            self.effect(Some(axiom), effect);
        }
    }

    fn case(&self, names: &mut Names, case: &Case, own: &str, several: bool) -> Formula {
        let terms: Vec<TermId> = case
            .negative
            .iter()
            .chain(&case.positive)
            .copied()
            .collect();
        let variables = self.own_variables(names, &case.conditions, &terms);
        let body = self.conjunction(names, &case.conditions, "s");
        let (state, do_) = (self.style.word("State"), self.style.word("Do"));
        let mut change = Formula::atom(format!("{state}({do_}({own}, s)) = {state}(s)"));
        change.pieces.extend(self.change(names, case));
        let body = if body.pieces.is_empty() {
            change
        } else {
            Formula::join([body, change], self.signs.and)
        };
        self.quantify(names, &variables, body, several)
    }

    /// What a move of one role contributes where the conditions of a case hold.
    fn contribution(&mut self, names: &mut Names, axiom: &StateUpdateAxiom, case: &Case) {
        let mut conditions: Vec<Formula> = Vec::new();
        if let Some((role, action)) = axiom.cause {
            let action = self.action(names, role, action);
            let does = format!("{}({action}, m)", self.style.word("Does"));
            conditions.push(Formula::atom(does));
        }
        if !case.conditions.is_empty() {
            conditions.push(self.conjunction(names, &case.conditions, "s"));
        }
        let mut body = Formula::join(conditions, self.signs.and);
        if !body.pieces.is_empty() {
            body.pieces.push(self.signs.implies.to_owned());
        }
        body.pieces.extend(self.change(names, case));
        self.formula(&body);
    }

    /// − ϑ⁻ + ϑ⁺
    fn change(&self, names: &mut Names, case: &Case) -> Vec<String> {
        let mut pieces = Vec::new();
        for (sign, fluents) in [(self.signs.minus, &case.negative), ("+", &case.positive)] {
            if !fluents.is_empty() {
                let part = self.state(names, fluents);
                pieces.extend(part.wrap(&format!("{sign} "), "").pieces);
            }
        }
        pieces
    }

    /// An effect that is not part of a case: all instances for which the conditions hold.
    pub(super) fn effect(&mut self, axiom: Option<&StateUpdateAxiom>, effect: &Effect) {
        let moves: Vec<TermId> = effect.moves.iter().map(|&(_, mv)| mv).collect();
        let cause = axiom
            .and_then(|axiom| axiom.cause)
            .map(|(_, action)| vec![action]);
        let mut names = Names::of(self.store, &cause.unwrap_or(moves));
        let mut conditions: Vec<Formula> = Vec::new();
        for &(role, mv) in &effect.moves {
            let action = self.action(&mut names, role, mv);
            let word = match self.axioms.roles.len() {
                1 => format!("{}({action}, s)", self.style.word("Poss")),
                _ => format!("{}({action}, m)", self.style.word("Does")),
            };
            conditions.push(Formula::atom(word));
        }
        let outer = self.own_variables(&names, &Vec::new(), &[effect.fluent]);
        let quantified: Vec<String> = outer
            .iter()
            .map(|&variable| self.style.variable(&names.name(variable)))
            .collect();
        if !effect.conditions.is_empty() {
            conditions.push(self.quantified(&mut names, &effect.conditions, "s", false));
        }
        let fluent = names.term(self.store, self.style, effect.fluent);
        let sign = match effect.sign {
            Sign::Negative => self.signs.minus,
            Sign::Positive => "+",
        };
        let has_conditions = !conditions.is_empty();
        let mut body = Formula::join(conditions, self.signs.and);
        if has_conditions {
            body.pieces.push(self.signs.implies.to_owned());
        }
        body.pieces.push(format!("{sign} {fluent}"));
        let prefix = if quantified.is_empty() {
            String::new()
        } else {
            format!("({}{}) ", self.signs.for_all, quantified.join(", "))
        };
        self.formula(&body.wrap(&prefix, ""));
    }
}
