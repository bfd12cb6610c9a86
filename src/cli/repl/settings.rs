//! What `:set` sets.

use crate::cli::failure::Failure;
use crate::syntax::Notation;

/// Answers printed at once, unless more are asked for.
const ANSWERS: u64 = 100;

/// The settings of a session.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// So many answers where all are printed.
    pub(super) answers: u64,
    /// So long may a query take.
    pub(super) seconds: Option<f64>,
    /// So many steps may a query take.
    pub(super) steps: Option<u64>,
    /// Print all answers, do not ask after each.
    pub(super) all: bool,
    /// The notation of terms; none is that of the game.
    pub(super) notation: Option<Notation>,
    /// For random moves.
    pub(super) seed: u64,
}

impl Settings {
    pub(super) fn new(all: bool, seconds: Option<f64>, steps: Option<u64>) -> Self {
        Self {
            answers: ANSWERS,
            seconds,
            steps,
            all,
            notation: None,
            seed: 0,
        }
    }

    /// Changes one.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        let number = || {
            let number = value.parse::<u64>();
            number.map_err(|_| wrong(key, value, "a whole number, such as 50"))
        };
        match key {
            "answers" => self.answers = number()?.max(1),
            "steps" => self.steps = Some(number()?).filter(|&steps| steps > 0),
            "seed" => self.seed = number()?,
            "seconds" => {
                let seconds = value.parse::<f64>().ok();
                // Durations have an end, and NaN is in no range.
                let seconds = seconds.filter(|&seconds| (0.0..1e9).contains(&seconds));
                let wrong = || wrong(key, value, "a number of seconds, such as 2.5");
                self.seconds = Some(seconds.ok_or_else(wrong)?).filter(|&seconds| seconds > 0.0);
            }
            "all" => match value {
                "on" => self.all = true,
                "off" => self.all = false,
                _ => return Err(wrong(key, value, "on or off")),
            },
            "notation" => match value {
                "prefix" => self.notation = Some(Notation::Prefix),
                "infix" => self.notation = Some(Notation::Infix),
                "game" => self.notation = None,
                _ => return Err(wrong(key, value, "prefix, infix or game")),
            },
            _ => {
                return Err(Failure::bad_input(format!(
                    "there is no setting {key}; :help set lists them"
                )));
            }
        }
        Ok(())
    }

    /// All keys with their values.
    pub(super) fn list(&self) -> Vec<(&'static str, String)> {
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "no limit".to_owned());
        let notation = match self.notation {
            None => "game",
            Some(Notation::Prefix) => "prefix",
            Some(Notation::Infix | Notation::Prolog) => "infix",
        };
        vec![
            ("all", if self.all { "on" } else { "off" }.to_owned()),
            ("answers", self.answers.to_string()),
            ("notation", notation.to_owned()),
            ("seconds", or_none(self.seconds.map(|s| s.to_string()))),
            ("seed", self.seed.to_string()),
            ("steps", or_none(self.steps.map(|s| s.to_string()))),
        ]
    }
}

fn wrong(key: &str, value: &str, expected: &str) -> Failure {
    match value {
        "" => Failure::bad_input(format!(":set {key} needs {expected}")),
        _ => Failure::bad_input(format!(":set {key} needs {expected}, not {value}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_changes_nothing() {
        let mut settings = Settings::new(false, None, None);
        let before = settings.list();
        for (key, value) in [
            ("answers", "x"),
            ("seconds", "-1"),
            ("seconds", "NaN"),
            ("all", ""),
            ("notation", "kif"),
            ("colour", "on"),
        ] {
            assert!(settings.set(key, value).is_err(), "{key} {value}");
        }
        assert_eq!(settings.list(), before);
        assert!(settings.set("seconds", "0").is_ok() && settings.seconds.is_none());
    }
}
