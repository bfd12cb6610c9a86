//! What came of random playouts, for programs and for people.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::gdl::{Payoffs, Statistics};

/// Rows of the histogram of lengths.
const ROWS: u64 = 10;

/// Width of the longest bar of the histogram, in characters.
const WIDTH: u64 = 40;

/// What is printed; the fields of the JSON form.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(in crate::cli) struct PlayoutReport {
    /// All playouts: finished, cut and stuck.
    pub(super) playouts: u64,
    pub(super) states: u64,
    pub(super) seconds: f64,
    pub(super) states_per_second: f64,
    /// Of finished playouts.
    pub(super) mean_length: Option<f64>,
    /// By role, the mean over the playouts that give it a value.
    pub(super) goals: IndexMap<String, Option<f64>>,
    pub(super) finished: u64,
    pub(super) cut: u64,
    pub(super) stuck: u64,
    pub(super) undefined: u64,
    pub(super) ambiguous: u64,
    /// By role, what the mean is over and who won.
    pub(super) outcomes: IndexMap<String, RoleOutcomes>,
    /// How many finished playouts have a length from `from` to `to`.
    pub(super) lengths: Vec<Bucket>,
    pub(super) engine: &'static str,
    pub(super) setup_seconds: f64,
    /// What is wrong with the rules or kept the series from its end.
    pub(super) fault: Option<String>,
}

/// What a role got.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Outcomes")]
pub(super) struct RoleOutcomes {
    /// Playouts with a value of this role.
    pub(super) count: u64,
    /// The 95 % confidence interval of the mean.
    pub(super) interval: Option<(f64, f64)>,
    pub(super) win: u64,
    pub(super) draw: u64,
    pub(super) loss: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Bucket {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) count: u64,
}

/// What a role got in all playouts.
pub(super) fn outcomes(payoffs: &Payoffs) -> RoleOutcomes {
    RoleOutcomes {
        count: payoffs.count,
        interval: payoffs.interval(),
        win: payoffs.wins,
        draw: payoffs.draws,
        loss: payoffs.losses,
    }
}

/// The lengths of finished playouts, in buckets.
pub(super) fn lengths(statistics: &Statistics) -> Vec<Bucket> {
    let buckets = statistics.lengths.buckets();
    let buckets = buckets.map(|(from, to, count)| Bucket { from, to, count });
    buckets.collect()
}

/// The report for people.
pub(super) fn text(report: &PlayoutReport) -> String {
    let mut lines = vec![format!(
        "{} playouts, {} states in {:.2} s: {:.0} states a second ({}, {:.3} s to prepare)",
        report.playouts,
        report.states,
        report.seconds,
        report.states_per_second,
        report.engine,
        report.setup_seconds
    )];
    if report.finished < report.playouts {
        lines.push(format!(
            "finished: {} of {}; {} cut, {} stuck",
            report.finished, report.playouts, report.cut, report.stuck
        ));
    }
    if report.undefined + report.ambiguous > 0 {
        lines.push(format!(
            "finished with a missing payoff: {}, with several payoffs of one role: {}",
            report.undefined, report.ambiguous
        ));
    }
    if let Some(length) = report.mean_length {
        let over = over(report, report.finished);
        lines.push(format!("mean length: {length:.2} moves{over}"));
    }
    for (role, outcomes) in &report.outcomes {
        let mean = report.goals.get(role).copied().flatten();
        lines.push(match mean {
            None => format!("mean payoff of {role}: undefined"),
            Some(mean) => format!(
                "mean payoff of {role}: {mean:.2}{}{}; {} won, {} drawn, {} lost",
                interval(outcomes),
                over(report, outcomes.count),
                outcomes.win,
                outcomes.draw,
                outcomes.loss
            ),
        });
    }
    lines.extend(histogram(&report.lengths));
    lines.join("\n")
}

/// Of how many playouts a mean is, if not of all.
fn over(report: &PlayoutReport, count: u64) -> String {
    if count == report.playouts {
        String::new()
    } else {
        format!(" over {count} of {} playouts", report.playouts)
    }
}

/// The confidence interval behind a mean.
fn interval(outcomes: &RoleOutcomes) -> String {
    let interval = outcomes.interval;
    interval.map_or_else(String::new, |(low, high)| {
        format!(" ({low:.2} to {high:.2})")
    })
}

/// Rows of equal width from the least to the greatest length; none if there is only one length.
fn histogram(lengths: &[Bucket]) -> Vec<String> {
    let (Some(first), Some(last)) = (lengths.first(), lengths.last()) else {
        return Vec::new();
    };
    if lengths.len() == 1 {
        return Vec::new();
    }
    // Rounded up, so that there are ROWS rows at most: lengths from 5 to 24 take ten rows of two.
    let width = (last.from - first.from) / ROWS + 1;
    let mut rows: Vec<u64> = vec![0; ((last.from - first.from) / width + 1) as usize];
    for bucket in lengths {
        // A bucket of long playouts may reach into the next row; it is counted where it begins.
        rows[((bucket.from - first.from) / width) as usize] += bucket.count;
    }
    let most = rows.iter().copied().max().unwrap_or(1).max(1);
    let digits = last.to.to_string().len();
    let mut lines = vec!["lengths:".to_owned()];
    for (row, &count) in rows.iter().enumerate() {
        let from = first.from + row as u64 * width;
        let to = (from + width - 1).min(last.to);
        let bar = "#".repeat((count as f64 / most as f64 * WIDTH as f64).round() as usize);
        let range = match width {
            1 => format!("{from:>digits$}"),
            _ => format!("{from:>digits$} to {to:>digits$}"),
        };
        let line = format!("{range} {count:>9} {bar}");
        lines.push(line.trim_end().to_owned());
    }
    lines
}
