//! The analysis as text: what the game consists of, a plain sentence for each finding.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::analysis::analyze::{Analysis, Concepts};
use crate::analysis::goal_structure::{Order, PayoffTable};
use crate::analysis::link::DependencyKind;
use crate::analysis::report::names;
use crate::analysis::structure::{Component, Edge, Structure, Subgame};
use crate::term::{Infix, Store};

/// Rows of a table of goal values that are printed; JSON has them all.
const MAX_ROWS: usize = 64;

/// The report on a game of this name.
pub fn text(analysis: &Analysis, store: &Store, title: &str) -> String {
    let mut report = String::new();
    let sections = [
        subgames(analysis, store, title),
        levels(analysis),
        influences(analysis, store),
        goal(analysis, store),
        end(analysis, store),
    ];
    for section in sections.iter().filter(|section| !section.is_empty()) {
        if !report.is_empty() {
            report.push('\n');
        }
        report.push_str(section);
    }
    report
}

/// `1 subgame`, `2 subgames`.
fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

fn subgames(analysis: &Analysis, store: &Store, title: &str) -> String {
    let structure = &analysis.structure;
    let (acting, idle): (Vec<&Subgame>, Vec<&Subgame>) = structure
        .subgames
        .iter()
        .partition(|subgame| !subgame.actions.is_empty());
    let mut text = format!(
        "{title} has {}, {} and {}. ",
        count(analysis.roles.len(), "role"),
        count(structure.fluents.len(), "fluent"),
        count(structure.actions.len(), "action"),
    );
    let rest = match idle.len() {
        0 => String::new(),
        number => format!(
            ", with {} in which nobody acts",
            count(number, "more subgame")
        ),
    };
    let sentence = match acting.len() {
        0 => "Nothing depends on what is done.".to_owned(),
        1 => format!("It is one game{rest}{}.", hubs(analysis, store)),
        number => format!(
            "It consists of {}{rest}.",
            count(number, "independent subgame")
        ),
    };
    text.push_str(&sentence);
    text.push('\n');
    for (place, subgame) in structure.subgames.iter().enumerate() {
        text.push('\n');
        text.push_str(&one_subgame(analysis, store, place, subgame));
    }
    let noops: Vec<usize> = (0..structure.actions.len())
        .filter(|&place| structure.actions[place].is_noop)
        .collect();
    if !noops.is_empty() {
        let names = names::nodes(store, structure.action_patterns(&noops));
        let names = listed(&names, ", ");
        let _ = writeln!(
            text,
            "\nNo-ops, which change nothing of their own: {names}."
        );
    }
    text
}

/// Why a game is one: what all actions have to do with.
fn hubs(analysis: &Analysis, store: &Store) -> String {
    let structure = &analysis.structure;
    let concerned = structure
        .edges
        .iter()
        .map(|edge| (edge.fluent, edge.action));
    let concerned: BTreeSet<(usize, usize)> = concerned.collect();
    let mut actions = vec![0; structure.fluents.len()];
    concerned
        .iter()
        .for_each(|&(fluent, _)| actions[fluent] += 1);
    // What joins all actions: a fluent that each of them reads or changes.
    let is_hub = |&fluent: &usize| {
        !structure.fluents[fluent].is_action_independent
            && actions[fluent] == structure.actions.len()
    };
    if structure.fluents.len() < 2 || structure.actions.len() < 2 {
        return String::new();
    }
    let hubs: Vec<usize> = (0..structure.fluents.len()).filter(is_hub).collect();
    if hubs.is_empty() {
        return String::new();
    }
    let names = names::nodes(store, structure.fluent_patterns(&hubs));
    let names = listed(&names, " and ");
    format!(": every action reads or changes {names}")
}

/// What each level of detail says.
fn levels(analysis: &Analysis) -> String {
    if analysis.levels.len() < 2 {
        return String::new();
    }
    let mut text = String::new();
    for detail in &analysis.levels {
        let name = detail.level.name();
        let _ = match detail.counts {
            Some(counts) => writeln!(
                text,
                "Level {name}: {}, {}, {} with actions.",
                count(counts.fluents, "fluent"),
                count(counts.actions, "action"),
                count(counts.acting, "subgame"),
            ),
            None => writeln!(
                text,
                "Level {name}: too many fluents or actions to be looked at."
            ),
        };
    }
    let _ = writeln!(text, "This report is at level {}.", analysis.level.name());
    text
}

fn one_subgame(analysis: &Analysis, store: &Store, place: usize, subgame: &Subgame) -> String {
    let structure = &analysis.structure;
    let fluents = names::nodes(store, structure.fluent_patterns(&subgame.fluents));
    let fluents = listed(&fluents, ", ");
    let is_rigid = |&fluent: &usize| structure.fluents[fluent].is_rigid;
    let is_rigid = subgame.fluents.iter().all(is_rigid);
    let mut text = format!("  {}. {fluents}\n", place + 1);
    if !subgame.actions.is_empty() {
        let roles: Vec<String> = analysis
            .roles_of(subgame)
            .into_iter()
            .map(|role| Infix::new(store, analysis.roles[role]).to_string())
            .collect();
        let actions = names::nodes(store, structure.action_patterns(&subgame.actions));
        let actions = listed(&actions, ", ");
        let _ = writeln!(
            text,
            "     played by {} with {actions}.",
            roles.join(" and ")
        );
        if is_rigid {
            text.push_str("     never changes.\n");
        }
    } else if subgame.is_action_independent {
        text.push_str("     changes in the same way whatever is done.\n");
    } else {
        text.push_str("     never changes.\n");
    }
    text.push_str(match (subgame.in_goal, subgame.in_terminal) {
        (true, true) => "     The goal values and the end depend on it.\n",
        (true, false) => "     The goal values depend on it.\n",
        (false, true) => "     The end depends on it.\n",
        (false, false) => "     Useless: neither goal values nor the end depend on it.\n",
    });
    text.push_str(&joints(analysis, store, subgame));
    let with_fluents = subgame.parts.iter().filter(|part| !part.fluents.is_empty());
    if with_fluents.count() > 1 && !subgame.actions.is_empty() {
        let parts = subgame
            .parts
            .iter()
            .map(|part| piece(analysis, store, part));
        let parts: Vec<String> = parts.collect();
        let _ = writeln!(
            text,
            "     One-sided: of {} each may depend on those before it, never on those behind it.",
            parts.join(", ")
        );
    }
    text
}

/// Fluents without which a subgame would fall apart.
fn joints(analysis: &Analysis, store: &Store, subgame: &Subgame) -> String {
    let mut text = String::new();
    for &(fluent, parts) in &subgame.joints {
        let name = names::node(store, analysis.structure.fluents[fluent].pattern);
        let _ = writeln!(
            text,
            "     {name} holds it together: without it there would be {}.",
            count(parts, "subgame")
        );
    }
    text
}

fn piece(analysis: &Analysis, store: &Store, part: &Component) -> String {
    let structure = &analysis.structure;
    let mut names = names::nodes(store, structure.fluent_patterns(&part.fluents));
    names.extend(names::nodes(
        store,
        structure.action_patterns(&part.actions),
    ));
    format!("{{{}}}", listed(&names, " "))
}

/// Names in a list that a person reads to its end; `--format json` has all.
const MOST_NAMES: usize = 60;

/// The first of some names, and how many there are besides.
fn listed(names: &[String], separator: &str) -> String {
    match names.split_at_checked(MOST_NAMES) {
        Some((first, more)) if !more.is_empty() => {
            format!("{}{separator}{} more", first.join(separator), more.len())
        }
        Some(_) | None => names.join(separator),
    }
}

/// Fluents that every joint move changes, and no move changes by itself.
fn changed_by_all(structure: &Structure) -> BTreeSet<usize> {
    let effects = structure.edges.iter();
    let effects = effects.filter(|edge| edge.relation != DependencyKind::Precondition);
    let mut always: BTreeSet<usize> = effects.clone().map(|edge| edge.fluent).collect();
    for edge in effects.filter(|edge| !edge.by_every_move) {
        always.remove(&edge.fluent);
    }
    always
}

/// What each action reads and changes.
fn influences(analysis: &Analysis, store: &Store) -> String {
    let structure = &analysis.structure;
    let always = changed_by_all(structure);
    let mut of_action = vec![Vec::new(); structure.actions.len()];
    for edge in &structure.edges {
        of_action[edge.action].push(edge);
    }
    let related = |action: usize, relation: DependencyKind| -> String {
        let is_told = |edge: &&&Edge| match relation {
            DependencyKind::Precondition => !edge.by_every_move,
            DependencyKind::PositiveEffect | DependencyKind::NegativeEffect => {
                !always.contains(&edge.fluent)
            }
        };
        let edges = of_action[action].iter();
        let own = edges.filter(|edge| edge.relation == relation);
        let fluents: Vec<usize> = own.filter(is_told).map(|edge| edge.fluent).collect();
        listed(
            &names::nodes(store, structure.fluent_patterns(&fluents)),
            " ",
        )
    };
    let mut rows = vec![["action", "reads", "adds", "takes away"].map(str::to_owned)];
    for (place, action) in structure.actions.iter().enumerate() {
        rows.push([
            names::node(store, action.pattern),
            related(place, DependencyKind::Precondition),
            related(place, DependencyKind::PositiveEffect),
            related(place, DependencyKind::NegativeEffect),
        ]);
    }
    let mut text = table(&rows);
    if !always.is_empty() {
        let always: Vec<usize> = always.into_iter().collect();
        let names = names::nodes(store, structure.fluent_patterns(&always));
        let names = listed(&names, ", ");
        let _ = writeln!(text, "\nEvery joint move may change: {names}.");
    }
    for edge in &structure.tautologies {
        let _ = writeln!(
            text,
            "\n{} stands in the precondition of {}, which does not depend on it.",
            names::node(store, structure.fluents[edge.fluent].pattern),
            names::node(store, structure.actions[edge.action].pattern),
        );
    }
    text
}

/// Columns of left-aligned text, the first row underlined.
fn table(rows: &[[String; 4]]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let columns = row.iter().zip(widths);
        let cells: Vec<String> = columns
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
        if number == 0 {
            let lines: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
            let _ = writeln!(text, "  {}", lines.join("  "));
        }
    }
    text
}

fn concepts(concepts: &Concepts, store: &Store, what: &str) -> String {
    let list = match concepts {
        Ok(list) => list,
        Err(reason) => {
            return format!(
                "{what} cannot be told apart by subgames: {}.\n",
                names::refusal(*reason, store)
            );
        }
    };
    let mut text = if list.is_empty() {
        format!("{what} depends on no concept.\n")
    } else {
        format!("{what} is told by these concepts:\n")
    };
    for concept in list {
        let _ = writeln!(
            text,
            "  {} of subgame {}",
            names::atom(store, concept.atom),
            concept.subgame + 1
        );
    }
    text
}

fn goal(analysis: &Analysis, store: &Store) -> String {
    let mut text = concepts(&analysis.goal_concepts, store, "The goal");
    for payoffs in &analysis.payoffs {
        text.push('\n');
        text.push_str(&goal_values(analysis, store, payoffs));
    }
    text
}

fn goal_values(analysis: &Analysis, store: &Store, payoffs: &PayoffTable) -> String {
    let all = analysis.goal_concepts.as_deref().unwrap_or(&[]);
    let role = Infix::new(store, analysis.roles[payoffs.role]).to_string();
    let names: Vec<String> = payoffs
        .concepts
        .iter()
        .map(|&concept| names::atom(store, all[concept].atom))
        .collect();
    if let (true, [values]) = (names.is_empty(), &payoffs.values[..])
        && let Some(value) = values.first()
    {
        return format!("  {role} gets {value} whatever happens.\n");
    }
    let mut text = String::new();
    let with_value = payoffs.values.iter().filter(|values| !values.is_empty());
    let rows = with_value.count();
    if rows > MAX_ROWS {
        let _ = writeln!(
            text,
            "  The goal values of {role} by {} fill {rows} rows, too many to be shown; --format json has them.",
            count(names.len(), "concept"),
        );
    } else {
        text.push_str(&evaluations(payoffs, &names, &role));
    }
    let without = payoffs.values.len() - rows;
    if without > 0 {
        let _ = writeln!(
            text,
            "  No value of {role} in {}.",
            count(without, "other evaluation")
        );
    }
    let subgames = payoffs.concepts.iter().map(|&concept| all[concept].subgame);
    if subgames.collect::<BTreeSet<usize>>().len() > 1 {
        text.push_str(&judgement(payoffs, &names, &role));
    }
    text
}

/// A row for each evaluation of the concepts that has a value.
fn evaluations(payoffs: &PayoffTable, names: &[String], role: &str) -> String {
    let mut text = format!("  {}  {role}\n", names.join("  "));
    for (evaluation, values) in payoffs.values.iter().enumerate() {
        if values.is_empty() {
            continue;
        }
        let cells = names.iter().enumerate().map(|(bit, name)| {
            let mark = if evaluation >> bit & 1 == 1 {
                "yes"
            } else {
                "–"
            };
            format!("{mark:width$}", width = name.chars().count())
        });
        let cells: Vec<String> = cells.collect();
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        let _ = writeln!(text, "  {}  {}", cells.join("  "), values.join(" or "));
    }
    text
}

/// What can be said of the values.
fn judgement(payoffs: &PayoffTable, names: &[String], role: &str) -> String {
    match (&payoffs.additive, payoffs.order) {
        // Additive values are strictly ordered as well: what a change is worth does not depend on the others.
        (Some((base, worth)), _) => {
            let worth = names
                .iter()
                .zip(worth)
                .map(|(name, worth)| format!("{name} {worth}"));
            let worth: Vec<String> = worth.collect();
            format!(
                "The goals of {role} are additive: {base} points, and for {}.\n",
                worth.join(", ")
            )
        }
        (None, Order::Strict) => format!(
            "The goals of {role} are strictly ordered: what is better in one subgame does not depend on \
             the others.\n"
        ),
        (None, Order::Weak) => format!(
            "The goals of {role} are ordered, but not strictly: what is better in one subgame makes no \
             difference for some evaluations of the others.\n"
        ),
        (None, Order::None) => format!(
            "The goals of {role} are not ordered: what is better in one subgame depends on the others.\n"
        ),
    }
}

fn end(analysis: &Analysis, store: &Store) -> String {
    let mut text = concepts(&analysis.terminal_concepts, store, "The end");
    let told_by = analysis.terminal_concepts.iter().flatten();
    let told_by: BTreeSet<usize> = told_by.map(|concept| concept.subgame).collect();
    if told_by.len() < 2 {
        return text;
    }
    match analysis.is_end_local {
        Some(true) => {
            text.push_str("The game ends exactly when one of these subgames says so by itself.\n");
        }
        Some(false) => {
            text.push_str(
                "In some states only several subgames together tell that the game has ended.\n",
            );
        }
        None => {}
    }
    text
}
