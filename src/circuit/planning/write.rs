//! A planning task as text.

use std::fmt::Write;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::circuit::planning::action::Action;
use crate::circuit::planning::conditions::{TaskAtom, TaskLiteral};
use crate::circuit::planning::effects::Effect;
use crate::circuit::planning::task::PlanningTask;
use crate::gdl::GoalValue;

impl PlanningTask {
    /// The domain: the moves as actions, each under a comment that says which one it is.
    pub fn domain(&self) -> String {
        let name = self.name();
        let mut text = format!(
            "; {name} as a planning task: its plans are the plays of the game that end as the problem says.\n"
        );
        if self.left_out > 0 {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(
                text,
                "; Fluents without influence on legal moves, end and goal values are left out: {}.",
                self.left_out
            );
        }
        let _ = writeln!(text, "(define (domain {name})");
        let _ = writeln!(text, "  (:requirements {})", self.requirements().join(" "));
        text.push_str("  (:predicates");
        for (place, fact) in self.facts.iter().enumerate() {
            if fact.is_used {
                let _ = write!(text, "\n    ({})", self.names.fact(place));
            }
        }
        for number in 0..self.derived.len() {
            let _ = write!(text, "\n    ({})", self.names.derived(number));
        }
        text.push_str(")\n");
        for (number, rules) in self.derived.iter().enumerate() {
            for rule in rules {
                let name = self.names.derived(number);
                let _ = writeln!(text, "  (:derived ({name}) {})", self.conjunction(rule));
            }
        }
        for (number, action) in self.actions.iter().enumerate() {
            self.write_action(&mut text, number, action);
        }
        text.push_str(")\n");
        text
    }

    /// The problem of ending the game with a goal value; none if the rules name no such value.
    pub fn problem(&self, value: GoalValue) -> Option<String> {
        let (_, goal) = self.goals.iter().find(|&&(own, _)| own == value)?;
        let name = self.name();
        let mut text = format!("; To end {name} with {} points.\n", value.0);
        let _ = writeln!(text, "(define (problem {name}-{})", value.0);
        let _ = writeln!(text, "  (:domain {name})\n  (:init");
        for (place, fact) in self.facts.iter().enumerate() {
            if fact.is_used && fact.initial {
                let _ = writeln!(text, "    ({})", self.names.fact(place));
            }
        }
        let _ = writeln!(text, "  )\n  (:goal {}))", self.conjunction(goal));
        Some(text)
    }

    /// The title as a word.
    fn name(&self) -> String {
        let word: String = self
            .title
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' {
                    c.to_ascii_lowercase()
                } else {
                    '-'
                }
            })
            .collect();
        if word.starts_with(|first: char| first.is_ascii_lowercase()) {
            word
        } else {
            format!("game-{word}")
        }
    }

    fn requirements(&self) -> Vec<&'static str> {
        let mut found = vec![":strips"];
        let effects = || self.actions.iter().flat_map(|action| &action.effects);
        let bodies = self.derived.iter().flatten();
        let goals = self.goals.iter().map(|(_, goal)| goal);
        let preconditions = self.actions.iter().map(|action| &action.precondition);
        let conditions = effects().map(|effect| &effect.condition);
        let mut all = bodies
            .chain(goals)
            .chain(preconditions)
            .chain(conditions)
            .flatten();
        if all.any(|literal| !literal.holds) {
            found.push(":negative-preconditions");
        }
        if effects().any(|effect| !effect.condition.is_empty()) {
            found.push(":conditional-effects");
        }
        if !self.derived.is_empty() {
            found.push(":derived-predicates");
        }
        found
    }

    fn write_action(&self, text: &mut String, number: usize, action: &Action) {
        let (name, condition) = (
            self.names.action(number),
            self.conjunction(&action.precondition),
        );
        let _ = writeln!(text, "  ; {}", action.text);
        let _ = writeln!(
            text,
            "  (:action {name}\n    :parameters ()\n    :precondition {condition}"
        );
        text.push_str("    :effect (and");
        // Effects with the same condition are one.
        let mut grouped: IndexMap<&[TaskLiteral], Vec<&Effect>, FxBuildHasher> =
            IndexMap::default();
        for effect in &action.effects {
            grouped.entry(&effect.condition).or_default().push(effect);
        }
        for (condition, effects) in grouped {
            let literal = |effect: &&Effect| {
                let atom = TaskAtom::Fact(effect.fact);
                self.literal(TaskLiteral {
                    atom,
                    holds: effect.adds,
                })
            };
            let literals: Vec<String> = effects.iter().map(literal).collect();
            match (condition, &literals[..]) {
                ([], _) => {
                    literals
                        .iter()
                        .for_each(|literal| text.push_str(&format!("\n      {literal}")));
                }
                (_, [one]) => {
                    let _ = write!(text, "\n      (when {} {one})", self.conjunction(condition));
                }
                _ => {
                    let effects = literals.join(" ");
                    let _ = write!(
                        text,
                        "\n      (when {} (and {effects}))",
                        self.conjunction(condition)
                    );
                }
            }
        }
        text.push_str("))\n");
    }

    fn conjunction(&self, literals: &[TaskLiteral]) -> String {
        match literals {
            [one] => self.literal(*one),
            _ => {
                let literals = literals
                    .iter()
                    .map(|&literal| format!(" {}", self.literal(literal)));
                format!("(and{})", literals.collect::<String>())
            }
        }
    }

    fn literal(&self, literal: TaskLiteral) -> String {
        let name = match literal.atom {
            TaskAtom::Fact(place) => self.names.fact(place),
            TaskAtom::Derived(number) => self.names.derived(number),
        };
        if literal.holds {
            format!("({name})")
        } else {
            format!("(not ({name}))")
        }
    }
}
