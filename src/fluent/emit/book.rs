//! The axioms as [G07, Chapter 2] prints them, in Unicode or LaTeX.
//!
//! With several roles the action of the calculus is the joint move; what one role's action
//! contributes is written as an axiom about the joint moves in which it is made.

mod conditions;
mod constraints;
mod definitions;
mod updates;

use crate::fluent::axioms::{GameAxioms, GoalAxiom, PreconditionAxiom};
use crate::fluent::emit::layout::Formula;
use crate::fluent::emit::names::Names;
use crate::fluent::emit::style::{BookStyle, Signs, escape};
use crate::term::{Store, TermId};

/// The axioms of a game as text; `title` names the game.
pub fn book(axioms: &GameAxioms, store: &Store, style: BookStyle, title: &str) -> String {
    let mut writer = BookWriter {
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
    let mut writer = BookWriter {
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

struct BookWriter<'a> {
    axioms: &'a GameAxioms,
    store: &'a Store,
    style: BookStyle,
    signs: Signs,
    text: String,
}

impl BookWriter<'_> {
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
        let open = format!("{}{}(z)", self.signs.not, self.style.word("Terminal"));
        let body = match &alternatives[..] {
            [] => Formula::atom(self.falsity()),
            [only] if only.pieces.is_empty() => Formula::atom(open),
            _ => {
                let several = alternatives.len() > 1;
                let mut body = Formula::join(alternatives, self.signs.or);
                if several {
                    body = body.wrap("(", ")");
                }
                body.pieces.push(format!("{} {open}", self.signs.and));
                body
            }
        };
        self.definition(&format!("{}({action}, z)", self.style.word("Poss")), body);
    }

    /// That an atom holds exactly where a formula does.
    fn definition(&mut self, atom: &str, body: Formula) {
        let left = format!("{atom} {} ", self.signs.equivalent);
        self.formula(&body.wrap(&left, ""));
    }

    fn termination(&mut self) {
        self.heading("Termination axiom");
        let several = self.axioms.termination.len() > 1;
        let alternatives: Vec<Formula> = self
            .axioms
            .termination
            .iter()
            .map(|alternative| {
                if alternative.conditions.is_empty() {
                    Formula::atom(self.truth())
                } else {
                    self.quantified(&mut Names::default(), &alternative.conditions, "z", several)
                }
            })
            .collect();
        let body = if alternatives.is_empty() {
            Formula::atom(self.falsity())
        } else {
            Formula::join(alternatives, self.signs.or)
        };
        self.definition(&format!("{}(z)", self.style.word("Terminal")), body);
    }

    /// One axiom a role, so that what is said of one leaves nothing open of another.
    fn goals(&mut self) {
        self.heading("Goal value axioms");
        for role in 0..self.axioms.roles.len() {
            let goals = self.axioms.goals.iter().filter(|goal| goal.role == role);
            let alternatives: Vec<Formula> = goals.map(|goal| self.goal(goal)).collect();
            if !alternatives.is_empty() {
                let left = format!("{}(z) {} ", self.style.word("Terminal"), self.signs.implies);
                let body = Formula::join(alternatives, self.signs.or);
                self.formula(&body.wrap(&left, ""));
            }
        }
    }

    /// The value of a role, and what must hold for it.
    fn goal(&self, goal: &GoalAxiom) -> Formula {
        let mut names = Names::default();
        let own = self.own_variables(&names, &goal.when.conditions, &[goal.value]);
        let body = self.conjunction(&mut names, &goal.when.conditions, "z");
        let role = names.term(self.store, self.style, self.axioms.roles[goal.role]);
        let value = names.term(self.store, self.style, goal.value);
        let equation = Formula::atom(self.goal_value(&role, "=", &value, "z"));
        let body = if body.pieces.is_empty() {
            equation
        } else {
            Formula::join([body, equation], self.signs.and)
        };
        self.quantify(&mut names, &own, body, false)
    }

    /// The value of a role in a state: `Goal(white, z) = 100`, without the role if there is no other.
    fn goal_value(&self, role: &str, sign: &str, value: &str, state: &str) -> String {
        let word = self.style.word("Goal");
        match self.axioms.roles.len() {
            1 => format!("{word}({state}) {sign} {value}"),
            _ => format!("{word}({role}, {state}) {sign} {value}"),
        }
    }
}
