//! Plans of planners as moves of the game.

use thiserror::Error;

use crate::circuit::planning::task::PlanningTask;

/// A plan has an action that the task does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the plan: there is no action {name:?}")]
pub struct UnknownAction {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub name: String,
}

impl PlanningTask {
    /// The moves of a plan, as prefix GDL. A plan is a list of actions, one a line, as planners write them: `(mark-1-1)`,
    /// `mark-1-1()`, `3: MARK-1-1`, with comments behind semicolons.
    ///
    /// # Errors
    /// [`UnknownAction`] for the first line that names none.
    pub fn moves(&self, plan: &str) -> Result<Vec<&str>, UnknownAction> {
        let mut moves = Vec::new();
        for (number, line) in plan.lines().enumerate() {
            let Some(name) = action(line) else { continue };
            let found = self.names.number(&name);
            let found = found.ok_or(UnknownAction {
                line: number + 1,
                name,
            })?;
            moves.push(&self.actions[found].text[..]);
        }
        Ok(moves)
    }
}

/// The name of the action of a line; none if there is nothing but a comment.
fn action(line: &str) -> Option<String> {
    let (line, _) = line.split_once(';').unwrap_or((line, ""));
    let line = line.trim();
    // Some planners number the lines.
    let line = match line.split_once(':') {
        Some((time, rest)) if time.trim().parse::<f64>().is_ok() => rest,
        _ => line,
    };
    let mut words = line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
    let name = words.find(|word| !word.is_empty())?;
    Some(name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_planners_are_read() {
        let cases = [
            ("(mark-1-1 )", Some("mark-1-1")),
            ("mark-1-1()", Some("mark-1-1")),
            ("  0.000: (MARK-1-1)  [1.0]", Some("mark-1-1")),
            ("12: MARK-1-1", Some("mark-1-1")),
            ("; cost = 5 (unit cost)", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(action(line).as_deref(), expected, "{line}");
        }
    }
}
