//! The axioms of a game as a FLUX program: Prolog over the kernel `kb/flux.pl`.
//!
//! The program answers what a player asks: `init/1`, `poss/3`, `state_update/3`, `terminal/1` and
//! `goal/3`. States are arguments, so that a program can look at many of them. Successors come from
//! the effects; the rules of `next` are not in the program unless an effect asks for one of them.
//! With one role an action whose axiom is closed reads as in the book:
//!
//! ```text
//! state_update(Z1, s(X,Y), Z2) :-
//!     holds(step(U), Z1),
//!     succ(U, V),
//!     update(Z1, [on(X,Y), step(V)], [table(X), clear(Y), step(U)], Z2).
//! ```
//!
//! All else is collected: what a joint move adds and takes are the answers of `positive_effect/3`
//! and `negative_effect/3`.
//!
//! Source: M. Thielscher: Reasoning Robots, Springer 2005, chapter 2, for the form of the programs.

mod changes;
mod relations;
mod text;

use crate::fluent::axioms::GameAxioms;
use crate::fluent::effect::Sign;
use crate::fluent::emit::flux::changes::{ChangeClause, ClauseForm, updates};
use crate::fluent::emit::flux::relations::{Extra, Predicate, ProgramWords, Relations};
use crate::fluent::emit::flux::text::{
    ClauseText, ProgramSetting, apply, clause, list, variable_names,
};
use crate::gdl::Program;
use crate::term::{Clause, DependencyGraph, Functor, Infix, Store, SymbolId, TermId};

/// The program of a game; `title` names the game.
pub fn flux_program(axioms: &GameAxioms, store: &mut Store, title: &str) -> String {
    let words = ProgramWords::of(store);
    let updates = updates(store, axioms);
    let rules = called(store, &words, axioms, &updates);
    let all: Vec<Clause> = rules
        .into_iter()
        .chain(updates.iter().map(|update| update.clause.clone()))
        .collect();
    let relations = Relations::of(store, &words, &all);
    let program = Program::new(store, &all, |_, _| false);
    // The clauses of changes come last, as they were handed in.
    let split = program.clauses.len() - updates.len();
    let (rules, changes) = program.clauses.split_at(split);
    let mut emission = Emission {
        axioms,
        store,
        words: &words,
        relations: &relations,
        rules,
        text: String::new(),
    };
    emission.header(title);
    emission.declarations();
    emission.initial();
    emission.preconditions();
    emission.updates(&updates, changes);
    emission.auxiliary();
    emission.question("The termination axiom", words.terminal);
    emission.question("The goal value axiom", words.goal);
    emission.text
}

/// The rules that the program needs: those of what players ask, and of what these call.
fn called(
    store: &Store,
    words: &ProgramWords,
    axioms: &GameAxioms,
    updates: &[ChangeClause],
) -> Vec<Clause> {
    let clauses = axioms
        .rules
        .iter()
        .chain(updates.iter().map(|update| &update.clause));
    let clauses: Vec<Clause> = clauses.cloned().collect();
    let graph = DependencyGraph::of(store, &clauses);
    let heads = updates
        .iter()
        .filter_map(|update| store.functor(update.clause.head));
    let needed = graph.reachable(
        [words.legal, words.terminal, words.goal]
            .into_iter()
            .chain(heads),
    );
    // Facts of the program say who plays.
    let is_needed = |rule: &&Clause| {
        let head = store.functor(rule.head);
        head.is_some_and(|head| needed.contains(&head) && head != words.role)
    };
    axioms.rules.iter().filter(is_needed).cloned().collect()
}

/// A program in the making.
struct Emission<'a> {
    axioms: &'a GameAxioms,
    store: &'a mut Store,
    words: &'a ProgramWords,
    relations: &'a Relations,
    /// The rules, with conditions as goals.
    rules: &'a [Clause],
    text: String,
}

impl Emission<'_> {
    fn header(&mut self, title: &str) {
        let title: String = title.chars().filter(|c| !c.is_control()).collect();
        self.line(&format!(
            "% The game {title} as a FLUX program, written by flux."
        ));
        self.line("%");
        self.line(
            "% Load the kernel first, kb/flux.pl of flux. States are lists of ground fluents.",
        );
        self.line("%");
        self.line("%   init(Z)                      the initial state");
        self.line(
            "%   poss(Role, Action, Z)        what a role may do; nothing in a terminal state",
        );
        if self.axioms.roles.len() == 1 {
            self.line("%   poss(Action, Z)              the same for the only role");
            self.line("%   state_update(Z1, Action, Z2) the successor of a state");
        }
        self.line(
            "%   state_update(Z1, Joint, Z2)  its successor; Joint is [does(Role,Action), ...],",
        );
        self.line("%                                in the order of role/1");
        self.line("%   terminal(Z)                  whether the game is over");
        self.line("%   goal(Role, Value, Z)         what that is worth to a role");
        self.line("");
        self.module(&title);
    }

    /// A module of its own: relations of the game may have names that other files use.
    fn module(&mut self, title: &str) {
        let name = text::atom(&format!("game_{title}"));
        let mut exports = vec!["role/1", "init/1", "poss/3"];
        exports.extend(["state_update/3", "terminal/1", "goal/3"]);
        if self.axioms.roles.len() == 1 {
            exports.insert(2, "poss/2");
        }
        self.line(&format!(
            ":- module({name},\n    [{}]).",
            exports.join(", ")
        ));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn heading(&mut self, words: &str) {
        let dashes = "-".repeat(91usize.saturating_sub(words.chars().count()));
        self.line(&format!("\n% ---- {words} {dashes}\n"));
    }

    fn declarations(&mut self) {
        let replacing = self.indicators(|predicate| predicate.replaces_another);
        if !replacing.is_empty() {
            self.line(
                "\n% Names that systems have predicates for; here they are relations of the game.",
            );
        }
        for predicate in replacing {
            self.line(&format!(":- discontiguous {predicate}."));
        }
        let tabled = self.indicators(|predicate| predicate.is_tabled);
        if !tabled.is_empty() {
            self.line("\n% Relations that depend on themselves.");
        }
        for predicate in tabled {
            self.line(&format!(":- table {predicate}."));
        }
    }

    /// Names and arities of some of the relations.
    fn indicators(&self, test: impl Fn(&Predicate) -> bool) -> Vec<String> {
        let relations = self.relations.iter();
        relations
            .filter(|(_, predicate)| test(predicate))
            .map(|(_, predicate)| format!("{}/{}", text::atom(&predicate.name), predicate.arity))
            .collect()
    }

    /// Whether there are tables about states, which are of no use in the next state.
    fn keeps_states(&self) -> bool {
        let mut predicates = self.relations.iter();
        predicates.any(|(_, p)| p.is_tabled && p.extra != Extra::Nothing)
    }

    fn ground(&self, term: TermId) -> String {
        Infix::new(self.store, term).to_string()
    }

    fn initial(&mut self) {
        self.heading("Σ_init");
        for &role in &self.axioms.roles {
            let role = self.ground(role);
            self.line(&clause_line("role", &[role]));
        }
        let fluents = self.axioms.initial.iter();
        let fluents: Vec<String> = fluents.map(|&fluent| self.ground(fluent)).collect();
        self.line("");
        self.line(&format!("init({}).", list(&fluents, "init(".len())));
    }

    fn preconditions(&mut self) {
        self.heading("Σ_poss");
        self.line("poss(Role, Action, Z) :-\n    \\+ terminal(Z),\n    legal(Role, Action, Z).");
        if let [role] = self.axioms.roles[..] {
            let role = self.ground(role);
            self.line(&format!(
                "\nposs(Action, Z) :-\n    poss({role}, Action, Z)."
            ));
        }
        self.line("");
        self.relation(self.words.legal);
    }

    fn updates(&mut self, updates: &[ChangeClause], changes: &[Clause]) {
        self.heading("Σ_sua");
        let is_open = |update: &ChangeClause| matches!(update.form, ClauseForm::Open);
        // One update clause a case is enough for one role whose cases are all closed; else the changes of a joint move are
        // collected by `findall`.
        let collects = self.axioms.roles.len() != 1 || updates.iter().any(is_open);
        match self.axioms.roles[..] {
            [role] => {
                let role = self.ground(role);
                self.line(&format!(
                    "state_update(Z1, [does({role},Action)], Z2) :-\n    \
                     state_update(Z1, Action, Z2)."
                ));
            }
            _ => {
                let goals = self.collecting("Joint");
                let text = clause("state_update(Z1, Joint, Z2)", &goals);
                self.text.push_str(&text);
            }
        }
        let mut last: Option<Sign> = None;
        for (update, change) in updates.iter().zip(changes) {
            match update.form {
                ClauseForm::Closed => self.case(change),
                ClauseForm::Open => self.open(change),
                ClauseForm::Effect(sign) => {
                    if last.replace(sign) != Some(sign) {
                        self.line("");
                    }
                    self.effect(change, sign);
                }
            }
        }
        // `findall` calls both predicates, also where a game has only effects of one sign.
        for sign in [Sign::Negative, Sign::Positive] {
            let exists = updates
                .iter()
                .any(|update| matches!(update.form, ClauseForm::Effect(of) if of == sign));
            if !exists && collects {
                self.line(&format!("\n:- dynamic {}/3.", effect_name(sign)));
            }
        }
    }

    /// The goals of an update that collects all changes.
    fn collecting(&self, joint: &str) -> Vec<String> {
        let mut goals: Vec<String> = [(Sign::Negative, "Negative"), (Sign::Positive, "Positive")]
            .map(|(sign, list)| {
                format!("findall(F, {}(F, {joint}, Z1), {list})", effect_name(sign))
            })
            .to_vec();
        goals.push("update(Z1, Positive, Negative, Z2)".to_owned());
        goals.extend(self.forgetting());
        goals
    }

    /// The goal that drops tables of the state that is left.
    fn forgetting(&self) -> Option<String> {
        self.keeps_states().then(|| "abolish_all_tables".to_owned())
    }

    fn case(&mut self, change: &Clause) {
        let names = self.names(change);
        let role = self.ground(self.axioms.roles[0]);
        let &[action, negative, positive] = self.store.arguments(change.head) else {
            unreachable!("the head of a case has three arguments");
        };
        let setting = self.setting();
        let written = ClauseText::new(self.store, setting, names.clone(), "Z1", "");
        let action = written.term(action);
        let joint = format!("[does({role},{action})]");
        let mut writer = ClauseText::new(self.store, setting, names, "Z1", &joint);
        let mut goals = writer.goals(&change.body);
        let fluents = |state: TermId| {
            let fluents = self.store.arguments(state).iter();
            let fluents: Vec<String> = fluents.map(|&fluent| writer.term(fluent)).collect();
            list(&fluents, "    update(Z1, ".len())
        };
        goals.push(update_goal(&fluents(positive), &fluents(negative)));
        goals.extend(self.forgetting());
        let text = clause(&format!("state_update(Z1, {action}, Z2)"), &goals);
        self.text.push('\n');
        self.text.push_str(&text);
    }

    fn open(&mut self, change: &Clause) {
        let action = self.store.arguments(change.head)[0];
        let names: Vec<SymbolId> = change.variables.to_vec();
        let names: Vec<String> = names
            .iter()
            .map(|&name| self.store.name(name).to_owned())
            .collect();
        // Twice: the action is named in the head and in the body.
        let names = variable_names(self.store, &names, &[action, action]);
        let action = Infix::with_variables(self.store, action, &names).to_string();
        let role = self.ground(self.axioms.roles[0]);
        let goals = self.collecting(&format!("[does({role},{action})]"));
        let text = clause(&format!("state_update(Z1, {action}, Z2)"), &goals);
        self.text.push('\n');
        self.text.push_str(&text);
    }

    fn effect(&mut self, change: &Clause, sign: Sign) {
        let names = self.names(change);
        let mut writer = ClauseText::new(self.store, self.setting(), names, "Z", "Joint");
        let goals = writer.goals(&change.body);
        let fluent = writer.term(self.store.arguments(change.head)[0]);
        let arguments = [
            fluent,
            writer.head_joint().to_owned(),
            writer.head_state().to_owned(),
        ];
        let text = clause(&apply(effect_name(sign), &arguments), &goals);
        self.text.push_str(&text);
    }

    fn auxiliary(&mut self) {
        let words = self.words;
        let known = [
            words.role,
            words.state,
            words.moves,
            words.legal,
            words.terminal,
            words.goal,
        ];
        let relations: Vec<Functor> = self
            .relations
            .iter()
            .map(|(relation, _)| relation)
            .filter(|relation| !known.contains(relation) && !self.is_own(*relation))
            .collect();
        if relations.is_empty() {
            return;
        }
        self.heading("Σ_aux");
        for (index, relation) in relations.into_iter().enumerate() {
            if index > 0 {
                self.line("");
            }
            self.relation(relation);
        }
    }

    /// Whether a relation is the head of clauses about changes.
    fn is_own(&self, relation: Functor) -> bool {
        self.store.name(relation.symbol) == " update"
    }

    fn question(&mut self, words: &str, relation: Functor) {
        self.heading(words);
        self.relation(relation);
    }

    /// The clauses of a relation; a declaration where there are none.
    fn relation(&mut self, relation: Functor) {
        let rules = self.rules;
        let mut own = rules
            .iter()
            .filter(|rule| self.store.functor(rule.head) == Some(relation))
            .peekable();
        if own.peek().is_none() {
            let (name, arity) = match self.relations.get(relation) {
                Some(predicate) => (predicate.name.clone(), predicate.arity),
                // What players ask, and no rule speaks of.
                None => (
                    self.store.name(relation.symbol).to_owned(),
                    relation.arity + 1,
                ),
            };
            self.line(&format!(":- dynamic {}/{arity}.", text::atom(&name)));
            return;
        }
        let rules: Vec<&Clause> = own.collect();
        for rule in rules {
            self.rule(rule, relation);
        }
    }

    fn rule(&mut self, rule: &Clause, relation: Functor) {
        let names = self.names(rule);
        let extra = self
            .relations
            .get(relation)
            .map(|predicate| predicate.extra);
        // Where no moves are handed on, there are none.
        let joint = match extra {
            Some(Extra::MovesAndState) => "Joint",
            Some(Extra::Nothing | Extra::State) | None => "[]",
        };
        let mut writer = ClauseText::new(self.store, self.setting(), names, "Z", joint);
        let goals = writer.goals(&rule.body);
        let text = clause(&writer.head(rule.head, relation), &goals);
        self.text.push_str(&text);
    }

    fn setting(&self) -> ProgramSetting<'_> {
        ProgramSetting {
            words: self.words,
            relations: self.relations,
        }
    }

    fn names(&mut self, clause: &Clause) -> Vec<SymbolId> {
        let written = clause.variables.iter();
        let written: Vec<String> = written
            .map(|&name| self.store.name(name).to_owned())
            .collect();
        let terms: Vec<TermId> = [clause.head].iter().chain(&clause.body).copied().collect();
        variable_names(self.store, &written, &terms)
    }
}

fn effect_name(sign: Sign) -> &'static str {
    match sign {
        Sign::Negative => "negative_effect",
        Sign::Positive => "positive_effect",
    }
}

/// The goal that makes the successor, on two lines if one is too short.
fn update_goal(positive: &str, negative: &str) -> String {
    let line = format!("update(Z1, {positive}, {negative}, Z2)");
    if line.chars().count() <= 94 && !line.contains('\n') {
        return line;
    }
    let margin = " ".repeat("    update(".len());
    format!("update(Z1, {positive},\n{margin}    {negative}, Z2)")
}

fn clause_line(name: &str, arguments: &[String]) -> String {
    format!("{}.", apply(name, arguments))
}
