//! The picture: states and seconds by the number of towers, on scales that multiply.

use std::error::Error;
use std::path::Path;

use flux::search::plan::PlanAlgorithm;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::MOST;
use crate::measure::Row;
use crate::rules::Task;

const SIZE: (u32, u32) = (960, 720);

/// Okabe and Ito's vermilion and blue, which everybody can tell apart.
const DIRECT: RGBColor = RGBColor(213, 94, 0);
const AUTO: RGBColor = RGBColor(0, 114, 178);

/// What is measured.
#[derive(Clone, Copy)]
enum Measure {
    States,
    Seconds,
}

impl Measure {
    fn of(self, row: &Row) -> f64 {
        match self {
            Measure::States => row.states as f64,
            Measure::Seconds => row.seconds,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Measure::States => "computed states",
            Measure::Seconds => "seconds",
        }
    }

    fn range(self) -> (f64, f64) {
        match self {
            Measure::States => (10.0, 1e9),
            Measure::Seconds => (0.001, 100.0),
        }
    }
}

/// Draws what was measured: tasks side by side, states above seconds.
pub(crate) fn draw(rows: &[Row], file: &Path) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let panels = area.split_evenly((2, 2));
    let measures = [Measure::States, Measure::Seconds];
    let contents = measures
        .into_iter()
        .flat_map(|measure| Task::BOTH.map(|task| (measure, task)));
    for (panel, (measure, task)) in panels.iter().zip(contents) {
        draw_panel(panel, rows, task, measure)?;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(
    panel: &DrawingArea<SVGBackend<'_>, Shift>,
    rows: &[Row],
    task: Task,
    measure: Measure,
) -> Result<(), Box<dyn Error>> {
    let (least, most) = measure.range();
    let mut chart = ChartBuilder::on(panel)
        .caption(
            format!("{}: {}", task.name(), measure.name()),
            ("sans-serif", 18),
        )
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(0.7..MOST as f64 + 0.3, (least..most).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_labels(MOST)
        .x_label_formatter(&|towers| format!("{towers:.0}"))
        .y_label_formatter(&|value| short(*value))
        .x_desc("towers")
        .label_style(("sans-serif", 13))
        .draw()?;
    for (algorithm, color) in [(PlanAlgorithm::Direct, DIRECT), (PlanAlgorithm::Auto, AUTO)] {
        let own = || {
            rows.iter()
                .filter(|row| (row.task, row.algorithm) == (task, algorithm))
        };
        let point = |row: &Row| (row.towers as f64, measure.of(row));
        let line = LineSeries::new(own().map(point), color.stroke_width(2));
        chart
            .draw_series(line)?
            .label(algorithm.name())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        let done = own().filter(|row| row.is_done).map(point);
        chart.draw_series(done.map(|at| Circle::new(at, 4, color.filled())))?;
        let given_up = own().filter(|row| !row.is_done).map(point);
        chart.draw_series(given_up.map(|at| Cross::new(at, 6, color.stroke_width(2))))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .label_font(("sans-serif", 14))
        .draw()?;
    Ok(())
}

/// A power of ten without needless zeros.
fn short(value: f64) -> String {
    match value {
        value if value >= 1e9 => format!("{:.0} G", value / 1e9),
        value if value >= 1e6 => format!("{:.0} M", value / 1e6),
        value if value >= 1e3 => format!("{:.0} k", value / 1e3),
        value => format!("{value}"),
    }
}
