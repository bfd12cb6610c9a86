//! What a name is: kind, number of arguments, domains, truth in the initial state, effects.

use std::fmt::Write as _;

use crate::gdl::{Keyword, Size};
use crate::serve::lsp::sheet::knowledge::term_text;
use crate::serve::lsp::sheet::{
    Domains, EntityKind, Knowledge, Occurrence, Owner, RulePart, Sheet, Truth, Usage, Values,
};
use crate::syntax::Span;
use crate::term::{Case, Lowering, Store};

/// Values of a domain that are listed.
const MAX_VALUES: usize = 12;

/// Instances that are listed.
const MAX_INSTANCES: usize = 8;

/// Lines of axioms that are shown.
const MAX_LINES: usize = 40;

/// What is said of a name, as Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name.
    pub span: Span,
    /// What is said.
    pub markdown: String,
}

/// Says what the name at an offset is.
pub fn hover(sheet: &Sheet, knowledge: &Knowledge, offset: u32) -> Option<Hover> {
    let one = sheet.at(offset)?;
    let markdown = match sheet.occurrences().entity(one.entity).kind {
        EntityKind::Keyword(keyword) => of_keyword(keyword),
        EntityKind::Relation => of_relation(sheet, knowledge, one),
        EntityKind::Variable(_) => of_variable(sheet, knowledge, one),
        EntityKind::Function => of_function(sheet, knowledge, one),
    };
    Some(Hover {
        span: one.span,
        markdown,
    })
}

fn of_keyword(keyword: Keyword) -> String {
    format!("keyword `{}`\n\n{}", keyword.usage(), meaning(keyword))
}

/// What a reserved word says.
pub(super) fn meaning(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Role => "The role takes part in the game.",
        Keyword::Init => "The fluent holds in the initial state.",
        Keyword::True => "The fluent holds in the current state.",
        Keyword::Does => "The role makes the move in the current state.",
        Keyword::Next => "The fluent holds in the next state.",
        Keyword::Legal => "The role may make the move in the current state.",
        Keyword::Goal => "The current state is worth so much to the role, from 0 to 100.",
        Keyword::Terminal => "The game is over in the current state.",
        Keyword::Base => "The fluent may hold in some state. A hint: domains are computed.",
        Keyword::Input => "The role may be able to make the move. A hint: domains are computed.",
        Keyword::Distinct => "The two terms differ.",
        Keyword::Not => "The condition does not hold.",
        Keyword::Or => "One of the conditions holds.",
        Keyword::And => "All of the conditions hold.",
        Keyword::If => "The head holds where all conditions do.",
    }
}

fn of_relation(sheet: &Sheet, knowledge: &Knowledge, one: &Occurrence) -> String {
    let mut text = format!("relation `{}`", sheet.signature(one.entity));
    let (facts, rules) = sentences(sheet, one, |other| other.part == RulePart::Head);
    let _ = write!(text, " · {}", counts(facts, rules));
    text += &arguments(sheet, knowledge, Owner::Atom, one);
    text += &truth(sheet, knowledge, Owner::Atom, one);
    text
}

fn of_function(sheet: &Sheet, knowledge: &Knowledge, one: &Occurrence) -> String {
    let signature = sheet.signature(one.entity);
    let owner = match one.usage {
        Usage::Fluent(_) => Owner::Fluent,
        Usage::Move(_) => Owner::Move,
        Usage::Role(_) => return format!("role `{signature}`"),
        Usage::Atom | Usage::Argument => Owner::Term,
    };
    let kind = match (owner, sheet.occurrences().entity(one.entity).arity) {
        (Owner::Fluent, _) => "fluent",
        (Owner::Move, _) => "move",
        (_, 0) => "constant",
        (_, _) => "function",
    };
    let mut text = format!("{kind} `{signature}`");
    text += &arguments(sheet, knowledge, owner, one);
    text += &truth(sheet, knowledge, owner, one);
    let name = sheet.occurrences().name(one.entity);
    let arity = sheet.occurrences().entity(one.entity).arity;
    let effects = knowledge.effects.as_deref();
    if let (Owner::Move, Some(axioms)) = (owner, effects.and_then(|all| all.of(name, arity))) {
        let mut rest = axioms.lines();
        let lines: Vec<&str> = rest.by_ref().take(MAX_LINES).collect();
        let more = if rest.next().is_some() { "\n…" } else { "" };
        let _ = write!(text, "\n\n```text\n{}{more}\n```", lines.join("\n"));
    }
    if let (Owner::Term, Some(slot)) = (owner, one.slot) {
        let owner = sheet.signature(slot.entity);
        let _ = write!(text, " · argument {} of `{owner}`", slot.index + 1);
    }
    text
}

fn of_variable(sheet: &Sheet, knowledge: &Knowledge, one: &Occurrence) -> String {
    let mut text = format!("variable `{}`", sheet.signature(one.entity));
    let values = knowledge.domains.as_deref();
    if let Some(values) = values.and_then(|domains| variable_values(sheet, domains, one)) {
        let _ = write!(text, ": {}", listed(values));
    }
    text
}

/// The smallest of the domains at which a variable stands in conditions that bind it, or in the head.
pub(super) fn variable_values<'d>(
    sheet: &Sheet,
    domains: &'d Domains,
    variable: &Occurrence,
) -> Option<&'d Values> {
    let sentence = sheet.sentence(variable.sentence).span;
    let same = sheet.occurrences().within(sentence).iter();
    let same = same.filter(|one| one.entity == variable.entity && one.part != RulePart::Negative);
    let places = same.filter_map(|one| {
        let slot = one.slot?;
        let arity = sheet.occurrences().entity(slot.entity).arity;
        domains.at(
            slot.owner,
            sheet.occurrences().name(slot.entity),
            arity,
            slot.index,
        )
    });
    // Each place is an upper bound of what the variable can be, and the smallest one says most.
    places.min_by_key(|values| values.size)
}

/// The domains of the arguments, one a line.
fn arguments(sheet: &Sheet, knowledge: &Knowledge, owner: Owner, one: &Occurrence) -> String {
    let mut text = String::new();
    let Some(domains) = &knowledge.domains else {
        return text;
    };
    let name = sheet.occurrences().name(one.entity);
    let arity = sheet.occurrences().entity(one.entity).arity;
    for (index, values) in domains.arguments(owner, name, arity).iter().enumerate() {
        let _ = write!(
            text,
            "\n{}{}. {}",
            if index == 0 { "\n" } else { "" },
            index + 1,
            listed(values)
        );
    }
    text
}

/// What holds of it in the initial state.
fn truth(sheet: &Sheet, knowledge: &Knowledge, owner: Owner, one: &Occurrence) -> String {
    let Some(start) = knowledge.start.as_deref() else {
        return String::new();
    };
    let name = sheet.occurrences().name(one.entity);
    let arity = sheet.occurrences().entity(one.entity).arity;
    let Some(truth) = start.of(owner, name, arity) else {
        // That no instance of a fluent holds is known; a term of another kind is not asked for.
        return if owner == Owner::Fluent {
            "\n\nat the start: nowhere".to_owned()
        } else {
            String::new()
        };
    };
    let (word, other) = match owner {
        Owner::Move => ("legal", "not legal"),
        Owner::Atom | Owner::Fluent | Owner::Term => ("true", "false"),
    };
    // Without arguments it is one instance itself, and a move has to say whose it is.
    let is_one = arity == 0 && owner != Owner::Move;
    let holds = if is_one {
        Some(truth.count > 0)
    } else {
        instance(sheet, one).and_then(|instance| truth.holds(&instance))
    };
    let said = match holds {
        Some(true) => word.to_owned(),
        Some(false) => other.to_owned(),
        None => instances(truth, word),
    };
    format!("\n\nat the start: {said}")
}

/// The text of the term at a name, as its instances are written; none if it has variables, or no arguments.
fn instance(sheet: &Sheet, one: &Occurrence) -> Option<String> {
    let inside = sheet.occurrences().within(one.whole).iter();
    let mut kinds = inside.map(|other| sheet.occurrences().entity(other.entity));
    let is_ground = sheet.occurrences().entity(one.entity).arity > 0
        && !kinds.any(|entity| matches!(entity.kind, EntityKind::Variable(_)));
    if !is_ground {
        return None;
    }
    let mut store = Store::new();
    let mut lowering = Lowering::new(sheet.document(), sheet.source(), Case::Fold);
    let term = lowering.term(&mut store, one.node);
    Some(term_text(&store, term, sheet.notation()))
}

fn instances(truth: &Truth, word: &str) -> String {
    let shown = truth
        .texts
        .iter()
        .take(MAX_INSTANCES)
        .map(|text| format!("`{text}`"));
    let shown: Vec<String> = shown.collect();
    let more = if truth.count > shown.len() {
        ", …"
    } else {
        ""
    };
    match truth.count {
        0 => format!("none {word}"),
        count => format!("{count} {word}: {}{more}", shown.join(", ")),
    }
}

/// The first values, such as `1`, `2`, `3`, and their number if they are many.
pub(super) fn listed(values: &Values) -> String {
    let shown: Vec<String> = values
        .texts()
        .take(MAX_VALUES)
        .map(|text| format!("`{text}`"))
        .collect();
    let more = if values.signatures.len() > MAX_VALUES {
        ", …"
    } else {
        ""
    };
    let is_small = matches!(values.size, Size::Finite(size) if size as usize <= MAX_VALUES);
    let size = if is_small {
        String::new()
    } else {
        format!(" ({})", values.size)
    };
    if shown.is_empty() {
        "nothing".to_owned()
    } else {
        format!("{}{more}{size}", shown.join(", "))
    }
}

/// How many facts and rules have an occurrence of the same thing of some kind.
fn sentences(
    sheet: &Sheet,
    one: &Occurrence,
    is_meant: impl Fn(&Occurrence) -> bool,
) -> (usize, usize) {
    let same = sheet.occurrences().of_entity(one.entity);
    let bodies = same
        .filter(|other| is_meant(other))
        .map(|other| sheet.sentence(other.sentence).body.is_empty());
    let bodies: Vec<bool> = bodies.collect();
    let facts = bodies.iter().filter(|&&is_empty| is_empty).count();
    (facts, bodies.len() - facts)
}

fn counts(facts: usize, rules: usize) -> String {
    let count = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    match (facts, rules) {
        (0, 0) => "nothing defines it".to_owned(),
        (0, rules) => count(rules, "rule"),
        (facts, 0) => count(facts, "fact"),
        (facts, rules) => format!("{}, {}", count(facts, "fact"), count(rules, "rule")),
    }
}
