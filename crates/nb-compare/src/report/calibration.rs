//! Whether posteriors come true.

use nb_metrics::{Interval, Z_95};
use nb_report::{Figure, Reliability, ReliabilityPoint, Section};

use crate::{Analysis, report};

/// The fewest rows of one repeat of a point of a diagram.
const LEAST_ROWS: f64 = 20.0;

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let mut section = Section::new("calibration", "Calibration");
    section.push(
        "How often rows that were given a posterior had the class that was predicted. On the diagonal posteriors say what \
         happens; below it a model is too sure. Bins are fifteenths of the posterior, pooled over folds and repeats, and joined until each has 20 rows; those of the calibration \
         error have about equal mass. Intervals are score intervals of 95 % (Wilson 1927) with the number of rows of one repeat, as bars \
         for up to three variants, else with the numbers of each point.",
    );
    for (set, data) in analysis.comparison.data.iter().enumerate() {
        let mut plot = Reliability::default();
        // A row of several repeats is one row.
        let repeats = data.splits.repeats as f64;
        for (variant, name) in report::names(analysis.comparison).enumerate() {
            let Some(summary) = analysis.cells[set][variant].summary() else { continue };
            let bins = summary.reliability.iter();
            let points = bins
                .map(|bin| ReliabilityPoint::new(bin.confidence, bin.accuracy, bin.rows as f64 / repeats));
            let points = ReliabilityPoint::joined(points, LEAST_ROWS).into_iter().map(|point| {
                let n_rows = point.rows;
                let interval = Interval::wilson((point.accuracy * n_rows).min(n_rows), n_rows, Z_95);
                interval.map_or(point, |interval| point.between(interval.lower, interval.upper))
            });
            plot.push(name, points);
        }
        if !plot.series.is_empty() {
            let caption = format!("Reliability on {}", data.name);
            section.push(Figure::new(caption, plot).with_id(format!("figure-reliability-{set}")));
        }
    }
    section
}
