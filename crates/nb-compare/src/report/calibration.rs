//! Whether posteriors come true.

use nb_report::{Figure, Reliability, ReliabilityPoint, Section};

use crate::{Analysis, report};

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let mut section = Section::new("calibration", "Calibration");
    section.push(
        "How often rows that were given a posterior had the class that was predicted. On the diagonal posteriors say what \
         happens; below it a model is too sure. Bins are fifteenths of the posterior, pooled over folds and repeats; those of the calibration \
         error have about equal mass.",
    );
    for (set, data) in analysis.comparison.data.iter().enumerate() {
        let mut plot = Reliability::default();
        for (variant, name) in report::names(analysis.comparison).enumerate() {
            let Some(summary) = analysis.cells[set][variant].summary() else { continue };
            let points = summary.reliability.iter().map(|bin| ReliabilityPoint {
                confidence: bin.confidence,
                accuracy: bin.accuracy,
                rows: bin.rows as f64,
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
