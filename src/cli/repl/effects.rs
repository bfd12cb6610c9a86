//! `:axioms` and `:effects`: what an action does in any state, and what a move would change here.

use indexmap::{IndexMap, IndexSet};

use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::repl::play::{View, advised, legal_of_all, names};
use crate::cli::repl::rules::indicator;
use crate::cli::repl::session::{Session, no_game};
use crate::cli::repl::show::{
    BAD, FAINT, GOOD, OPEN, STRONG, columns, count, literal, natural, styled, term,
};
use crate::cli::repl::signature::{signature, signature_text};
use crate::cli::repl::walk::Walk;
use crate::cli::typed_move::MoveFault;
use crate::fluent::{BookStyle, Forecast, Occurrence, Sign, action_axioms};
use crate::gdl::{MoveId, similar};
use crate::syntax::Notation;
use crate::term::TermId;

/// Rules that are shown for one change.
const RULES: usize = 8;

/// Moves of a role that are named where a change depends on them.
const MOVES: usize = 6;

/// `:axioms`, of one action or the list of them.
pub(super) fn axioms(session: &mut Session, wanted: &str) -> Result<(), Failure> {
    let (view, limits) = (session.view(), session.limits());
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    walk.axioms(&limits)?;
    if wanted.is_empty() {
        return list(walk, view);
    }
    let (name, arity) = indicator(function(wanted))?;
    let name = walk.folded(name);
    let Some(axioms) = walk.known_axioms() else {
        return Ok(());
    };
    let store = walk.store();
    let is_meant = |action: TermId| {
        let (own, own_arity) = signature(store, action);
        own == name && arity.is_none_or(|arity| arity == own_arity)
    };
    if !axioms.preconditions.iter().any(|a| is_meant(a.action)) {
        return Err(unknown(walk, wanted));
    }
    let text = action_axioms(axioms, store, BookStyle::Unicode, &is_meant);
    output::text(text.trim_start_matches('\n'))
}

/// The action that a person means by its name or by a move: `mark`, `mark/2`, `mark(1,1)`,
/// `(mark 1 1)`.
fn function(text: &str) -> &str {
    let text = text.trim_start_matches('(').trim_start();
    let end = text.find(|c: char| c == '(' || c == ')' || c.is_whitespace());
    &text[..end.unwrap_or(text.len())]
}

/// The actions of each role.
fn list(walk: &Walk, view: View) -> Result<(), Failure> {
    let Some(axioms) = walk.known_axioms() else {
        return Ok(());
    };
    for (number, (_, role)) in names(walk, view.notation).into_iter().enumerate() {
        let own = axioms.preconditions.iter().filter(|a| a.role == number);
        let actions: IndexSet<String> = own
            .map(|axiom| signature_text(walk.store(), axiom.action))
            .collect();
        let actions: Vec<String> = actions.into_iter().collect();
        let heading = styled(FAINT, &count(actions.len(), "action"));
        output::line(&format!("{} {heading}", styled(STRONG, &role)))?;
        for line in columns(&actions, view.width) {
            output::line(&line)?;
        }
    }
    Ok(())
}

/// What to say of an action that there is not.
fn unknown(walk: &Walk, wanted: &str) -> Failure {
    let axioms = walk.known_axioms();
    let actions: IndexSet<(String, usize)> = axioms
        .into_iter()
        .flat_map(|axioms| &axioms.preconditions)
        .map(|axiom| signature(walk.store(), axiom.action))
        .collect();
    let name = walk.folded(function(wanted));
    let near = similar(&name, actions.iter().map(|(name, _)| name.as_str()));
    let advice = match near {
        Some(near) => format!("did you mean {near}?"),
        None => ":axioms lists them all".to_owned(),
    };
    Failure::bad_input(format!("there is no action {wanted}; {advice}"))
}

/// `:effects`
pub(super) fn effects(session: &mut Session, moves: &str) -> Result<(), Failure> {
    let (view, limits) = (session.view(), session.limits());
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    if walk.is_terminal()? {
        return Err(Failure::bad_input(
            "the game is over, so no move changes anything; :undo takes a move back",
        ));
    }
    let choices = choices(walk, moves, view.notation)?;
    let forecast = walk.forecast(&choices, &limits)?;
    let report = ForecastReport {
        walk,
        view,
        fixed: choices.iter().map(|choice| choice.len() == 1).collect(),
        forecast: &forecast,
    };
    report.print()
}

/// For every role the move that was given, or all that are legal.
fn choices(walk: &mut Walk, text: &str, notation: Notation) -> Result<Vec<Vec<MoveId>>, Failure> {
    let mut legal = legal_of_all(walk)?;
    let given = walk.players(notation).moves_given(text, &legal);
    let given = given.map_err(|fault| explained(&fault, notation))?;
    // With the moves of all roles open, the forecast is of all joint moves, and says little.
    if given.iter().all(Option::is_none) && legal.iter().any(|legal| legal.len() > 1) {
        let note = ":effects needs a move; :legal shows those that are legal";
        return Err(Failure::bad_input(note));
    }
    for ((number, given), legal) in given.into_iter().enumerate().zip(&mut legal) {
        if legal.is_empty() {
            let (_, role) = names(walk, notation).swap_remove(number);
            return Err(advised(&MoveFault::NoneLegal { role }));
        }
        if let Some(mv) = given {
            *legal = vec![mv];
        }
    }
    Ok(legal)
}

/// A fault of what was typed; of a move that is not legal one may ask why.
fn explained(fault: &MoveFault, notation: Notation) -> Failure {
    let MoveFault::Illegal { mv, role } = fault else {
        return advised(fault);
    };
    let goal = match notation {
        Notation::Prefix => format!("(legal {role} {mv})"),
        Notation::Infix | Notation::Prolog => format!("legal({role}, {mv})"),
    };
    Failure::bad_input(format!("{fault}; :whynot {goal} tells why"))
}

/// What is to be told of a forecast.
struct ForecastReport<'r> {
    walk: &'r Walk,
    view: View,
    /// For each role, whether its move is known: it was given, or there is only one.
    fixed: Vec<bool>,
    forecast: &'r Forecast,
}

/// Under what a change is told, in the order of the sections.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Section {
    /// Changes that the known moves of these roles bring about.
    Moves(Vec<usize>),
    /// Changes that come whatever is done.
    EveryMove,
    /// Changes that depend on moves that are not known: on which.
    If(String),
}

/// The changes of a section, each with the reasons for it.
type Changes = IndexMap<(Sign, TermId), IndexSet<String>>;

impl ForecastReport<'_> {
    fn print(&self) -> Result<(), Failure> {
        let (seen, total) = (self.forecast.joint_moves.len(), self.forecast.total);
        if total > seen as u128 {
            let note = format!(
                "only the first {seen} of {total} joint moves were looked at; \
                 with moves of more roles there are fewer"
            );
            output::line(&styled(OPEN, &note))?;
        }
        let mut sections: IndexMap<Section, Changes> = IndexMap::new();
        let mut left_out = false;
        for occurrence in &self.forecast.occurrences {
            let Some(section) = self.section(occurrence) else {
                left_out = true;
                continue;
            };
            let change = (occurrence.sign, occurrence.fluent);
            let changes = sections.entry(section).or_default();
            let reasons = changes.entry(change).or_default();
            reasons.extend(self.reasons(occurrence));
        }
        let own = Section::Moves(self.known());
        // The moves that are given head a section even if they change nothing.
        if !sections.keys().any(|s| matches!(s, Section::Moves(_))) {
            sections.insert(own, Changes::default());
        }
        sections.sort_keys();
        for (section, changes) in &sections {
            output::line(&styled(STRONG, &self.heading(section)))?;
            self.changes(changes)?;
        }
        if left_out {
            let note = "what the moves that are not given change by themselves is left out";
            output::line(&styled(FAINT, note))
        } else {
            Ok(())
        }
    }

    /// The roles whose moves are known.
    fn known(&self) -> Vec<usize> {
        let roles = self.fixed.iter().enumerate();
        roles
            .filter(|(_, known)| **known)
            .map(|(role, _)| role)
            .collect()
    }

    /// Where a change is told; nowhere if only moves that are not known have to do with it.
    fn section(&self, occurrence: &Occurrence) -> Option<Section> {
        let axioms = self.walk.known_axioms()?;
        let effect = &axioms.effects[occurrence.effect];
        let roles = axioms.roles_of(self.walk.store(), effect);
        let is_certain = occurrence.when.len() == self.forecast.joint_moves.len();
        if !roles.is_empty() && roles.iter().all(|&role| !self.fixed[role]) {
            return None;
        }
        Some(match (is_certain, roles.is_empty()) {
            (true, true) => Section::EveryMove,
            (true, false) => {
                let known = roles.into_iter().filter(|&role| self.fixed[role]);
                Section::Moves(known.collect())
            }
            (false, _) => Section::If(self.condition(&occurrence.when)),
        })
    }

    fn heading(&self, section: &Section) -> String {
        match section {
            Section::Moves(roles) => {
                let first = self.forecast.joint_moves.first();
                let moves = roles
                    .iter()
                    .filter_map(|&role| Some((role, *first?.get(role)?)));
                self.moves(moves, " ")
            }
            Section::EveryMove if self.fixed.len() == 1 => "every move".to_owned(),
            Section::EveryMove => "every joint move".to_owned(),
            Section::If(condition) => condition.clone(),
        }
    }

    /// `white mark(1,1), black noop`
    fn moves(&self, moves: impl Iterator<Item = (usize, MoveId)>, sign: &str) -> String {
        let roles = names(self.walk, self.view.notation);
        let moves = moves.map(|(role, mv)| format!("{}{sign}{}", roles[role].1, self.mv(mv)));
        moves.collect::<Vec<String>>().join(", ")
    }

    fn mv(&self, mv: MoveId) -> String {
        let mv = self.walk.move_term(mv);
        term(self.walk.store(), mv, self.view.notation)
    }

    /// Which moves of the other roles are in some joint moves and not in all: `if black: a or b`.
    fn condition(&self, when: &[usize]) -> String {
        let all = &self.forecast.joint_moves;
        let of_role = |role: usize, joint_moves: &mut dyn Iterator<Item = usize>| {
            let moves = joint_moves.map(|index| all[index][role]);
            moves.collect::<IndexSet<MoveId>>()
        };
        let mut product = 1;
        let mut conditions = Vec::new();
        for (role, (_, name)) in names(self.walk, self.view.notation).iter().enumerate() {
            let some = of_role(role, &mut when.iter().copied());
            let possible = of_role(role, &mut (0..all.len()));
            product *= some.len();
            if some.len() < possible.len() {
                conditions.push(format!("{name}: {}", self.choice(&some, &possible)));
            }
        }
        match when.first() {
            // Not all combinations of some moves of each role: one of the joint moves stands for the others.
            Some(&first) if product != when.len() => {
                let roles = (0..self.fixed.len()).filter(|&role| !self.fixed[role]);
                let example = self.moves(roles.map(|role| (role, all[first][role])), ": ");
                let (number, of) = (when.len(), all.len());
                format!("in {number} of {of} joint moves, such as {example}")
            }
            _ => format!("if {}", conditions.join(", ")),
        }
    }

    /// Some of the possible moves of a role, in few words.
    fn choice(&self, some: &IndexSet<MoveId>, possible: &IndexSet<MoveId>) -> String {
        let list = |moves: &mut dyn Iterator<Item = MoveId>, word: &str| {
            let moves = moves.map(|mv| self.mv(mv));
            let mut moves: Vec<String> = moves.collect();
            moves.sort_by(|left, right| natural(left, right));
            moves.join(word)
        };
        let others = || possible.difference(some).copied();
        match (some.len(), others().count()) {
            (number, excluded) if number > MOVES && excluded <= MOVES => {
                format!("anything but {}", list(&mut others(), " and "))
            }
            (number, _) if number > MOVES => {
                let shown = list(&mut some.iter().take(MOVES).copied(), ", ");
                format!("one of {number} moves, such as {shown}")
            }
            _ => list(&mut some.iter().copied(), " or "),
        }
    }

    /// What goes and what comes.
    fn changes(&self, changes: &Changes) -> Result<(), Failure> {
        let mut lines: Vec<(Sign, String, &IndexSet<String>)> = changes
            .iter()
            .map(|(&(sign, fluent), reasons)| {
                let text = term(self.walk.store(), fluent, self.view.notation);
                (sign, text, reasons)
            })
            .collect();
        lines.sort_by(|(sign, text, _), (other_sign, other, _)| {
            sign.cmp(other_sign).then_with(|| natural(text, other))
        });
        if lines.is_empty() {
            output::line(&format!("  {}", styled(FAINT, "changes nothing by itself")))?;
        }
        for (sign, text, reasons) in lines {
            let (sign, style) = match sign {
                Sign::Negative => ("-", BAD),
                Sign::Positive => ("+", GOOD),
            };
            output::line(&format!("  {} {text}", styled(style, sign)))?;
            for reason in reasons {
                output::line(&format!("      {reason}"))?;
            }
        }
        Ok(())
    }

    /// Why a fluent comes or goes: the rules and the conditions.
    fn reasons(&self, occurrence: &Occurrence) -> Vec<String> {
        let word = match occurrence.sign {
            Sign::Negative => "not kept by",
            Sign::Positive => "given by",
        };
        let mut reasons = Vec::new();
        for &rule in occurrence.rules.iter().take(RULES) {
            reasons.push(format!("{word} {}", self.rule(rule)));
        }
        match (occurrence.sign, occurrence.rules.len()) {
            (Sign::Negative, 0) => reasons.push("no rule keeps it".to_owned()),
            (_, number) if number > RULES => {
                reasons.push(format!("{word} {}", count(number - RULES, "more rule")));
            }
            _ => {}
        }
        let (store, notation) = (self.walk.store(), self.view.notation);
        let conditions = occurrence.conditions.iter();
        let conditions: Vec<String> = conditions
            .map(|&condition| literal(store, condition, notation))
            .collect();
        let sign = match notation {
            Notation::Prefix => " ",
            Notation::Infix | Notation::Prolog => ", ",
        };
        if !conditions.is_empty() {
            reasons.push(format!("because {}", conditions.join(sign)));
        }
        reasons
    }

    /// The place of a rule and its text in one line.
    fn rule(&self, rule: usize) -> String {
        let source = self.walk.game().source();
        let Some(clause) = self.walk.game().clauses().get(rule) else {
            return String::new();
        };
        let span = clause.origin.span;
        let place = format!("{}:{}", source.name(), source.line(span));
        let text: Vec<&str> = source.slice(span).split_whitespace().collect();
        format!("{}  {}", styled(FAINT, &place), text.join(" "))
    }
}
