//! The summary in sentences, and where the baseline loses.

use std::fmt::Write as _;

use nb_significance::critical_difference;

use super::{
    super::report::{ratio, table},
    contenders::{BASELINE, PRIOR},
    measure::{ACCURACY, LOG_LOSS, Measure},
    score::difference,
    tables::mean_and_error,
    view::{Row, View},
};

/// By how much the log-loss of another contender is smaller where the baseline is said to lose.
const MARGIN: f64 = 0.02;

/// At this level a difference of ranks is called significant.
const LEVEL: f64 = 0.05;

/// How many contenders of the ranking are named.
const FIRST: usize = 5;

/// The contenders that are compared in sentences.
const NAMED: [&str; 6] = ["sk logistic CV", "EBM", "EBM pairs", "LightGBM", "random forest", "Khiops"];

/// Ranks, comparisons with other programs, times, and losses, of groups with their names.
pub(super) fn summary(views: &[(&str, &View<'_>)]) -> Result<String, String> {
    let mut text = String::new();
    for (what, view) in views {
        let _ = writeln!(text, "On {} {what}:\n", count(view.sets.len(), "data set"));
        for (measure, name) in [(LOG_LOSS, "log-loss"), (ACCURACY, "accuracy")] {
            let _ = writeln!(text, "- {}", ranking(view, measure, name)?);
        }
        if let Some(prior) = view.named(PRIOR) {
            let worse = view.worse_than(prior);
            let named = if worse.is_empty() { String::new() } else { format!(" ({})", worse.join(", ")) };
            let _ = writeln!(
                text,
                "- `{BASELINE}` has a larger log-loss than the class prior, by more than a standard error, \
                 on {}{named}.",
                count(worse.len(), "data set")
            );
        }
        // One that was run on a few data sets only is in the tables.
        let is_known = |row: &&Row| 2 * view.wins(row, LOG_LOSS).n > view.sets.len();
        for row in NAMED.iter().filter_map(|name| view.named(name)).filter(is_known) {
            let _ = writeln!(text, "- {}", against(view, row));
        }
        let _ = writeln!(text, "\n{}", losses(what, view));
    }
    Ok(text)
}

/// A number of things.
fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// The first contenders, the place of the baseline, and what difference is noise.
fn ranking(view: &View<'_>, measure: Measure, name: &str) -> Result<String, String> {
    let mut ranked: Vec<(f64, &str)> =
        view.ranked().map(|row| (mean_and_error(&view.ranks(row, measure)).0, row.contender.name)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let place = ranked.iter().position(|(_, name)| *name == BASELINE).map_or(0, |place| place + 1);
    let first: Vec<String> =
        ranked.iter().take(FIRST).map(|(rank, name)| format!("{name} ({rank:.1})")).collect();
    let least =
        critical_difference(ranked.len(), view.sets.len(), LEVEL).map_err(|error| error.to_string())?;
    Ok(format!(
        "By mean rank of {name}, `{BASELINE}` is number {place} of {}; the first are {}. \
         Mean ranks that differ by less than {least:.1} do not differ significantly \
         (Nemenyi's test at {LEVEL}).",
        ranked.len(),
        first.join(", ")
    ))
}

/// How the baseline compares with a contender.
fn against(view: &View<'_>, row: &Row) -> String {
    let (losses, accuracies) = (view.wins(row, LOG_LOSS), view.wins(row, ACCURACY));
    let (times, baseline) = view.times(row);
    format!(
        "Against {}: log-loss no worse on {} of {} (clearly better on {}, clearly worse on {}), \
         accuracy no worse on {}; {} takes {} the training time of `{BASELINE}`.",
        row.contender.name,
        losses.no_worse,
        losses.n,
        losses.clearly_better,
        losses.clearly_worse,
        accuracies.no_worse,
        row.contender.name,
        ratio(times.train / baseline.train),
    )
}

/// The data sets at which another contender is better by more than the margin, the largest difference first.
fn losses(what: &str, view: &View<'_>) -> String {
    let own = |set: usize| LOG_LOSS.of(&view.baseline().cells[set]);
    let mut found = Vec::new();
    for (number, set) in view.sets.iter().enumerate() {
        let best = view.best(number);
        let scores = view.baseline().cells[number].score().zip(best.cells[number].score());
        let Some((score, least)) = scores else { continue };
        let (mean, error) = difference(&score.losses, &least.losses);
        if mean >= MARGIN {
            found.push((mean, error, number, set, best));
        }
    }
    if found.is_empty() {
        return format!("No contender has a log-loss that is smaller by {MARGIN} on any data set {what}.\n");
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let head = ["data set", "rows", BASELINE, "best contender", "its log-loss", "difference"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(found.iter().map(|(mean, error, number, set, best)| {
        vec![
            set.table.name.clone(),
            set.table.n_rows().to_string(),
            LOG_LOSS.text(own(*number)),
            best.contender.name.to_owned(),
            LOG_LOSS.text(LOG_LOSS.of(&best.cells[*number])),
            format!("{mean:.3} ± {error:.3}"),
        ]
    }));
    format!(
        "Where `{BASELINE}` loses: the log-loss of the best contender is smaller by at least {MARGIN}, \
         on {} of {}.\n\n{}",
        found.len(),
        count(view.sets.len(), "data set"),
        table(&rows)
    )
}
