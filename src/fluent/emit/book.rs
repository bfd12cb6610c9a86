//! The axioms as [G07, Chapter 2] prints them, in Unicode or LaTeX.
//!
//! With several roles the action of the calculus is the joint move; what one role's action
//! contributes is written as an axiom about the joint moves in which it is made.

use crate::fluent::axioms::{Case, GameAxioms, PreconditionAxiom, StateUpdateAxiom};
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::constraint::Constraint;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::emit::layout::Formula;
use crate::fluent::emit::names::Names;
use crate::term::{Functor, Store, TermId};

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookStyle {
    /// Plain text with the signs of logic.
    Unicode,
    /// A document for LaTeX with the package amsmath.
    Latex,
}

/// The signs of a style.
struct Signs {
    and: &'static str,
    or: &'static str,
    not: &'static str,
    exists: &'static str,
    implies: &'static str,
    equivalent: &'static str,
    differs: &'static str,
    compose: &'static str,
    minus: &'static str,
    for_all: &'static str,
}

impl BookStyle {
    fn signs(self) -> Signs {
        match self {
            BookStyle::Unicode => Signs {
                and: "∧",
                or: "∨",
                not: "¬",
                exists: "∃",
                implies: "⊃",
                equivalent: "≡",
                differs: "≠",
                compose: "∘",
                minus: "−",
                for_all: "∀",
            },
            BookStyle::Latex => Signs {
                and: "\\land",
                or: "\\lor",
                not: "\\lnot ",
                exists: "\\exists ",
                implies: "\\supset",
                equivalent: "\\equiv",
                differs: "\\neq",
                compose: "\\circ",
                minus: "-",
                for_all: "\\forall ",
            },
        }
    }

    /// A symbol of the game, with a capital in front.
    pub(super) fn symbol(self, name: &str) -> String {
        let mut letters = name.chars();
        let capital: String = match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => String::new(),
        };
        match self {
            BookStyle::Unicode => capital,
            BookStyle::Latex if capital.chars().all(|c| c.is_ascii_digit()) => capital,
            BookStyle::Latex => format!("\\mathit{{{}}}", escape(&capital)),
        }
    }

    pub(super) fn variable(self, name: &str) -> String {
        match self {
            BookStyle::Unicode => name.to_owned(),
            BookStyle::Latex if name.len() > 1 => format!("{}_{{{}}}", &name[..1], &name[1..]),
            BookStyle::Latex => name.to_owned(),
        }
    }

    /// A word of the calculus.
    fn word(self, word: &str) -> String {
        match self {
            BookStyle::Unicode => word.to_owned(),
            BookStyle::Latex => format!("\\mathit{{{word}}}"),
        }
    }
}

/// Text in which nothing means something to LaTeX.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '_' | '&' | '%' | '$' | '#' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\\' => escaped.push_str("\\backslash{}"),
            '^' => escaped.push_str("\\hat{}"),
            '~' => escaped.push_str("\\sim{}"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The axioms of a game as text; `title` names the game.
pub fn book(axioms: &GameAxioms, store: &Store, style: BookStyle, title: &str) -> String {
    let mut writer = Writer {
        axioms,
        store,
        style,
        signs: style.signs(),
        text: String::new(),
    };
    writer.document(title);
    writer.text
}

/// The axioms of one action as text: when it is possible, and what it changes, alone and together
/// with other moves; `is_meant` says whether an action, with variables for its arguments, is the one.
pub fn action_axioms(
    axioms: &GameAxioms,
    store: &Store,
    style: BookStyle,
    is_meant: &dyn Fn(TermId) -> bool,
) -> String {
    let mut writer = Writer {
        axioms,
        store,
        style,
        signs: style.signs(),
        text: String::new(),
    };
    writer.heading("Precondition axioms");
    let preconditions = axioms.preconditions.iter();
    preconditions
        .filter(|axiom| is_meant(axiom.action))
        .for_each(|axiom| writer.precondition(axiom));
    writer.heading("State update axioms");
    writer.joint_moves();
    let before = writer.text.len();
    let updates = axioms.updates.iter();
    updates
        .filter(|axiom| axiom.cause.is_some_and(|(_, action)| is_meant(action)))
        .for_each(|axiom| writer.update(axiom, axioms.roles.len() == 1));
    let joint = axioms.joint.iter();
    joint
        .filter(|effect| effect.moves.iter().any(|&(_, mv)| is_meant(mv)))
        .for_each(|effect| writer.effect(None, effect));
    if writer.text.len() == before {
        writer.remark("No change is ascribed to this action.");
    }
    writer.text
}

struct Writer<'a> {
    axioms: &'a GameAxioms,
    store: &'a Store,
    style: BookStyle,
    signs: Signs,
    text: String,
}

impl Writer<'_> {
    fn document(&mut self, title: &str) {
        if self.style == BookStyle::Latex {
            self.text.push_str(
                "\\documentclass{article}\n\\usepackage{amsmath,amssymb}\n\
                 \\setlength{\\parindent}{0pt}\n\\allowdisplaybreaks\n\\sloppy\n\\begin{document}\n",
            );
            self.text
                .push_str(&format!("\\section*{{{}}}\n", escape(title)));
        } else {
            self.text.push_str(&format!("Axioms of {title}\n"));
        }
        self.initial();
        self.preconditions();
        self.updates();
        self.constraints();
        self.termination();
        self.goals();
        self.auxiliary();
        if self.style == BookStyle::Latex {
            self.text.push_str("\\end{document}\n");
        }
    }

    fn heading(&mut self, words: &str) {
        match self.style {
            BookStyle::Unicode => self.text.push_str(&format!("\n{words}\n")),
            BookStyle::Latex => self.text.push_str(&format!("\\subsection*{{{words}}}\n")),
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match self.style {
            BookStyle::Unicode => {
                self.text.push_str(&formula.lines("  "));
                self.text.push('\n');
            }
            BookStyle::Latex => {
                self.text.push_str(&format!(
                    "$\\displaystyle {}$\\par\\smallskip\n",
                    formula.flat()
                ));
            }
        }
    }

    fn remark(&mut self, words: &str) {
        match self.style {
            BookStyle::Unicode => self.text.push_str(&format!("  {words}\n")),
            BookStyle::Latex => self.text.push_str(&format!("{words}\\par\\smallskip\n")),
        }
    }

    fn initial(&mut self) {
        self.heading("Initial state");
        let fluents = self.axioms.initial.clone();
        let state = self.state(&mut Names::default(), &fluents);
        let left = format!("{}(S{}) = ", self.style.word("State"), self.subscript("0"));
        self.formula(&state.wrap(&left, ""));
    }

    fn subscript(&self, digit: &str) -> String {
        match self.style {
            BookStyle::Unicode => "₀".to_owned(),
            BookStyle::Latex => format!("_{digit}"),
        }
    }

    /// Fluents put together to a state.
    fn state(&self, names: &mut Names, fluents: &[TermId]) -> Formula {
        if fluents.is_empty() {
            return Formula::atom(match self.style {
                BookStyle::Unicode => "∅",
                BookStyle::Latex => "\\emptyset",
            });
        }
        let parts = fluents
            .iter()
            .map(|&fluent| Formula::atom(names.term(self.store, self.style, fluent)));
        Formula::join(parts, self.signs.compose)
    }

    /// The action as an argument of Poss and Do: with one role it is named alone.
    fn action(&self, names: &mut Names, role: usize, action: TermId) -> String {
        let action = names.term(self.store, self.style, action);
        match self.axioms.roles.len() {
            1 => action,
            _ => {
                let role = names.term(self.store, self.style, self.axioms.roles[role]);
                format!("{role}, {action}")
            }
        }
    }

    fn preconditions(&mut self) {
        self.heading("Precondition axioms");
        for axiom in &self.axioms.preconditions {
            self.precondition(axiom);
        }
    }

    fn precondition(&mut self, axiom: &PreconditionAxiom) {
        let mut names = Names::of(self.store, &[axiom.action]);
        let action = self.action(&mut names, axiom.role, axiom.action);
        let alternatives = axiom.alternatives.iter().map(|alternative| {
            self.quantified(
                &mut names.clone(),
                &alternative.conditions,
                "z",
                axiom.alternatives.len() > 1,
            )
        });
        let alternatives: Vec<Formula> = alternatives.collect();
        let end = format!(
            "{} {}{}(z)",
            self.signs.and,
            self.signs.not,
            self.style.word("Terminal")
        );
        let body = match alternatives.len() {
            0 => Formula::atom(self.falsity()),
            1 if alternatives[0].pieces.is_empty() => Formula::atom(format!(
                "{}{}(z)",
                self.signs.not,
                self.style.word("Terminal")
            )),
            1 => {
                let mut body = Formula::join(alternatives, self.signs.or);
                body.pieces.push(end);
                body
            }
            _ => {
                let mut body = Formula::join(alternatives, self.signs.or).wrap("(", ")");
                body.pieces.push(end);
                body
            }
        };
        let left = format!(
            "{}({action}, z) {} ",
            self.style.word("Poss"),
            self.signs.equivalent
        );
        self.formula(&body.wrap(&left, ""));
    }

    fn falsity(&self) -> &'static str {
        match self.style {
            BookStyle::Unicode => "⊥",
            BookStyle::Latex => "\\bot",
        }
    }

    fn truth(&self) -> &'static str {
        match self.style {
            BookStyle::Unicode => "⊤",
            BookStyle::Latex => "\\top",
        }
    }

    /// A conjunction with its own variables quantified; in brackets if so asked and of several
    /// parts.
    fn quantified(
        &self,
        names: &mut Names,
        conditions: &Conjunction,
        state: &str,
        brackets: bool,
    ) -> Formula {
        let own = self.own_variables(names, conditions, &[]);
        let body = self.conjunction(names, conditions, state);
        self.quantify(names, &own, body, brackets)
    }

    fn own_variables(&self, names: &Names, conditions: &Conjunction, terms: &[TermId]) -> Vec<u32> {
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

    fn quantify(&self, names: &mut Names, own: &[u32], body: Formula, brackets: bool) -> Formula {
        if own.is_empty() {
            return match brackets && body.pieces.len() > 1 {
                true => body.wrap("(", ")"),
                false => body,
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

    fn conjunction(&self, names: &mut Names, conditions: &Conjunction, state: &str) -> Formula {
        let parts: Vec<Formula> = conditions
            .iter()
            .map(|condition| self.condition(names, condition, state))
            .collect();
        Formula::join(parts, self.signs.and)
    }

    fn condition(&self, names: &mut Names, condition: &Condition, state: &str) -> Formula {
        match condition {
            Condition::Holds(atom) => Formula::atom(self.atom(names, *atom, state)),
            Condition::Fails(atom) => Formula::atom(format!(
                "{}{}",
                self.signs.not,
                self.atom(names, *atom, state)
            )),
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
                let used = self.own_variables(&Names::default(), inner, &[]);
                let own: Vec<u32> = local.iter().copied().filter(|v| used.contains(v)).collect();
                let body = self.quantify(&mut names, &own, body, true);
                body.wrap(self.signs.not, "")
            }
        }
    }

    fn relation(&self, names: &mut Names, left: TermId, sign: &str, right: TermId) -> String {
        let left = names.term(self.store, self.style, left);
        format!(
            "{left} {sign} {}",
            names.term(self.store, self.style, right)
        )
    }

    /// An atom; one that depends on the state has it as its last argument.
    fn atom(&self, names: &mut Names, atom: TermId, state: &str) -> String {
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
                let moves = functor.is_some_and(|f| self.axioms.of_moves.contains(&f));
                let states = functor.is_some_and(|f| self.axioms.of_state.contains(&f));
                let more = match (moves, states) {
                    (true, _) => format!("m, {state}"),
                    (false, true) => state.to_owned(),
                    (false, false) => return text,
                };
                match text.strip_suffix(')') {
                    Some(open) => format!("{open}, {more})"),
                    None => format!("{text}({more})"),
                }
            }
        }
    }

    fn updates(&mut self) {
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
    fn joint_moves(&mut self) {
        if self.axioms.roles.len() != 1 {
            let minus = self.signs.minus;
            let theta = match self.style {
                BookStyle::Unicode => format!("State(Do(m, s)) = State(s) {minus} ϑ⁻ + ϑ⁺ for a joint move m; what each move contributes to ϑ⁻ and ϑ⁺:"),
                BookStyle::Latex => "$\\mathit{State}(\\mathit{Do}(m, s)) = \\mathit{State}(s) - \\vartheta^- + \\vartheta^+$ for a joint move $m$; what each move contributes to $\\vartheta^-$ and $\\vartheta^+$:".to_owned(),
            };
            self.remark(&theta);
        }
    }

    fn update(&mut self, axiom: &StateUpdateAxiom, single: bool) {
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
        match single {
            true => {
                let several = axiom.cases.len() > 1;
                let cases = axiom.cases.iter();
                let cases: Vec<Formula> = cases
                    .map(|case| self.case(&mut names.clone(), case, &own, several))
                    .collect();
                let body = Formula::join(cases, self.signs.or);
                self.formula(&body.wrap(&poss, ""));
            }
            false => {
                let cases = axiom.cases.iter();
                cases
                    .filter(|case| !case.negative.is_empty() || !case.positive.is_empty())
                    .for_each(|case| self.contribution(&mut names.clone(), axiom, case));
            }
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
        let body = match body.pieces.is_empty() {
            true => change,
            false => Formula::join([body, change], self.signs.and),
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
    fn effect(&mut self, axiom: Option<&StateUpdateAxiom>, effect: &Effect) {
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
        let body = match conditions.is_empty() {
            true => Formula::default(),
            false => {
                let mut body = Formula::join(conditions, self.signs.and);
                body.pieces.push(self.signs.implies.to_owned());
                body
            }
        };
        let mut body = body;
        body.pieces.push(format!("{sign} {fluent}"));
        let prefix = match quantified.is_empty() {
            true => String::new(),
            false => format!("({}{}) ", self.signs.for_all, quantified.join(", ")),
        };
        self.formula(&body.wrap(&prefix, ""));
    }

    fn constraints(&mut self) {
        if self.axioms.constraints.is_empty() {
            return;
        }
        self.heading("Domain constraints");
        for constraint in &self.axioms.constraints {
            let formula = self.constraint(constraint);
            self.formula(&formula);
        }
    }

    fn constraint(&self, constraint: &Constraint) -> Formula {
        let holds = |fluent: Functor, arguments: &[String]| {
            let name = self.style.symbol(self.store.name(fluent.symbol));
            let fluent = match arguments.is_empty() {
                true => name,
                false => format!("{name}({})", arguments.join(", ")),
            };
            format!("{}({fluent}, z)", self.style.word("Holds"))
        };
        let fresh = |letter: &str, index: usize, many: bool| {
            let name = match many {
                true => format!("{letter}{}", index + 1),
                false => letter.to_owned(),
            };
            self.style.variable(&name)
        };
        match constraint {
            Constraint::Functional { fluent, key, only } => {
                let arity = fluent.arity as usize;
                let is_open = |at: usize| !key.contains(&at) && only.is_none_or(|(o, _)| o != at);
                let many_values = (0..arity).filter(|&at| is_open(at)).count() > 1;
                let arguments = |letter: &str| -> Vec<String> {
                    (0..arity)
                        .map(|at| match (key.iter().position(|&k| k == at), only) {
                            (Some(index), _) => fresh("x", index, key.len() > 1),
                            (None, Some((of, term))) if *of == at => {
                                Names::default().term(self.store, self.style, *term)
                            }
                            (None, _) => {
                                let index = (0..at).filter(|&before| is_open(before)).count();
                                fresh(letter, index, many_values)
                            }
                        })
                        .collect()
                };
                let (left, right) = (arguments("u"), arguments("v"));
                let equations: Vec<Formula> = (0..arity)
                    .filter(|&at| is_open(at))
                    .map(|at| Formula::atom(format!("{} = {}", left[at], right[at])))
                    .collect();
                let both = Formula::join(
                    [
                        Formula::atom(holds(*fluent, &left)),
                        Formula::atom(holds(*fluent, &right)),
                    ],
                    self.signs.and,
                );
                Formula::join(
                    [both, Formula::join(equations, self.signs.and)],
                    self.signs.implies,
                )
            }
            Constraint::Exclusive { one, other, key } => {
                let left: Vec<String> = (0..one.arity as usize)
                    .map(|at| match key.iter().position(|&(i, _)| i == at) {
                        Some(index) => fresh("x", index, key.len() > 1),
                        None => {
                            let open = |at: &usize| key.iter().all(|(i, _)| i != at);
                            let index = (0..at).filter(open).count();
                            let many = (0..one.arity as usize).filter(open).count() > 1;
                            fresh("u", index, many)
                        }
                    })
                    .collect();
                let right: Vec<String> = (0..other.arity as usize)
                    .map(|at| match key.iter().position(|&(_, j)| j == at) {
                        Some(index) => fresh("x", index, key.len() > 1),
                        None => {
                            let open = |at: &usize| key.iter().all(|(_, j)| j != at);
                            let index = (0..at).filter(open).count();
                            let many = (0..other.arity as usize).filter(open).count() > 1;
                            fresh("v", index, many)
                        }
                    })
                    .collect();
                let both = Formula::join(
                    [
                        Formula::atom(holds(*one, &left)),
                        Formula::atom(holds(*other, &right)),
                    ],
                    self.signs.and,
                );
                both.wrap(&format!("{}(", self.signs.not), ")")
            }
            Constraint::Some { fluent, key } => {
                let arity = fluent.arity as usize;
                let many = arity - key.len() > 1;
                let mut own = Vec::new();
                let arguments: Vec<String> = (0..arity)
                    .map(|at| match key.iter().position(|&k| k == at) {
                        Some(index) => fresh("x", index, key.len() > 1),
                        None => {
                            let name = fresh("u", own.len(), many);
                            own.push(name.clone());
                            name
                        }
                    })
                    .collect();
                let prefix = match own.is_empty() {
                    true => String::new(),
                    false => format!("({}{})", self.signs.exists, own.join(", ")),
                };
                let now = Formula::atom(format!("{prefix}{}", holds(*fluent, &arguments)));
                if key.is_empty() {
                    return now;
                }
                let start = match self.style {
                    BookStyle::Unicode => "State(S₀)",
                    BookStyle::Latex => "\\mathit{State}(S_0)",
                };
                let then = holds(*fluent, &arguments).replace(", z)", &format!(", {start})"));
                Formula::join(
                    [Formula::atom(format!("{prefix}{then}")), now],
                    self.signs.implies,
                )
            }
        }
    }

    fn termination(&mut self) {
        self.heading("Termination axiom");
        let several = self.axioms.termination.len() > 1;
        let alternatives: Vec<Formula> = self
            .axioms
            .termination
            .iter()
            .map(|alternative| match alternative.conditions.is_empty() {
                true => Formula::atom(self.truth()),
                false => {
                    self.quantified(&mut Names::default(), &alternative.conditions, "z", several)
                }
            })
            .collect();
        let body = match alternatives.is_empty() {
            true => Formula::atom(self.falsity()),
            false => Formula::join(alternatives, self.signs.or),
        };
        let left = format!(
            "{}(z) {} ",
            self.style.word("Terminal"),
            self.signs.equivalent
        );
        self.formula(&body.wrap(&left, ""));
    }

    fn goals(&mut self) {
        self.heading("Goal value axiom");
        let single = self.axioms.roles.len() == 1;
        let alternatives: Vec<Formula> = self
            .axioms
            .goals
            .iter()
            .map(|goal| {
                let mut names = Names::default();
                let own =
                    self.own_variables(&names, &goal.when.conditions, &[goal.role, goal.value]);
                let body = self.conjunction(&mut names, &goal.when.conditions, "z");
                let value = names.term(self.store, self.style, goal.value);
                let word = self.style.word("Goal");
                let equation = match single {
                    true => format!("{word}(z) = {value}"),
                    false => {
                        let role = names.term(self.store, self.style, goal.role);
                        format!("{word}({role}, z) = {value}")
                    }
                };
                let body = match body.pieces.is_empty() {
                    true => Formula::atom(equation),
                    false => Formula::join([body, Formula::atom(equation)], self.signs.and),
                };
                self.quantify(&mut names, &own, body, false)
            })
            .collect();
        if !alternatives.is_empty() {
            let left = format!("{}(z) {} ", self.style.word("Terminal"), self.signs.implies);
            let body = Formula::join(alternatives, self.signs.or);
            self.formula(&body.wrap(&left, ""));
        }
    }

    fn auxiliary(&mut self) {
        if self.axioms.auxiliary.is_empty() {
            return;
        }
        self.heading("Auxiliary axioms");
        let mut facts: Vec<Formula> = Vec::new();
        for &rule in &self.axioms.auxiliary {
            let clause = &self.axioms.rules[rule];
            let functor = self.store.functor(clause.head);
            if functor.is_some_and(|f| f.arity == 0 && self.store.name(f.symbol) == "terminal") {
                continue;
            }
            if clause.body.is_empty() && self.store.is_ground(clause.head) {
                facts.push(Formula::atom(self.atom(
                    &mut Names::default(),
                    clause.head,
                    "z",
                )));
                continue;
            }
            self.facts(&mut facts);
            let formula = self.rule(rule);
            self.formula(&formula);
        }
        self.facts(&mut facts);
    }

    fn facts(&mut self, facts: &mut Vec<Formula>) {
        if !facts.is_empty() {
            let formula = Formula::join(std::mem::take(facts), self.signs.and);
            self.formula(&formula);
        }
    }

    /// A rule of the game as an implication.
    fn rule(&self, rule: usize) -> Formula {
        let clause = &self.axioms.rules[rule];
        let mut names = Names::default();
        let head = self.atom(&mut names, clause.head, "z");
        let parts: Vec<Formula> = clause
            .body
            .iter()
            .map(|&part| self.literal(&mut names, part))
            .collect();
        if parts.is_empty() {
            return Formula::atom(head);
        }
        Formula::join(
            [Formula::join(parts, self.signs.and), Formula::atom(head)],
            self.signs.implies,
        )
    }

    /// A condition of a rule. Nesting is bounded by the engine's check.
    fn literal(&self, names: &mut Names, term: TermId) -> Formula {
        use crate::term::Literal;
        let several = |names: &mut Names, parts: &[TermId], sign: &str| {
            let parts: Vec<Formula> = parts
                .iter()
                .map(|&part| self.literal(names, part))
                .collect();
            match parts.len() {
                1 => Formula::join(parts, sign),
                _ => Formula::join(parts, sign).wrap("(", ")"),
            }
        };
        match Literal::of(self.store, term) {
            Literal::Call(atom) => Formula::atom(self.atom(names, atom, "z")),
            Literal::Not(inner) => self.literal(names, inner).wrap(self.signs.not, ""),
            Literal::Distinct(left, right) => {
                Formula::atom(self.relation(names, left, self.signs.differs, right))
            }
            Literal::Or(parts) => several(names, parts, self.signs.or),
            Literal::And(parts) => several(names, parts, self.signs.and),
        }
    }
}
