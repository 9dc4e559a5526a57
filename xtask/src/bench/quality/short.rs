//! The summary in sentences, and where the baseline loses.

use std::fmt::Write as _;

use super::{
    super::report::{ratio, table},
    BASELINE,
    page::{ACCURACY, LOG_LOSS, Measure, Page},
};

/// By how much the log-loss of another contender is smaller where the baseline is said to lose.
const MARGIN: f64 = 0.02;

/// The contenders that are compared in sentences, and what they are called there.
const NAMED: &[(&str, &str)] = &[
    ("prior", "the class prior"),
    ("sklearn logistic", "scikit-learn's logistic regression"),
    ("EBM", "EBM"),
    ("Khiops", "Khiops"),
    ("boosted trees", "boosted trees"),
];

/// Ranks, comparisons with other programs, times, and losses.
///
/// # Errors
/// If there are no ranks.
pub(super) fn short(page: &Page<'_>) -> Result<String, String> {
    let baseline = &page.outcomes[BASELINE];
    let (name, n_sets) = (baseline.contender.name, page.sets.len());
    let mut text = String::new();
    for (measure, what) in [(LOG_LOSS, "log-loss"), (ACCURACY, "accuracy")] {
        let ranks = page.ranks(measure)?;
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
        let first: Vec<String> = order
            .iter()
            .take(4)
            .map(|&number| format!("{} ({:.2})", page.outcomes[number].contender.name, ranks[number]))
            .collect();
        let place = order.iter().position(|&number| number == BASELINE).unwrap_or_default() + 1;
        let _ = writeln!(
            text,
            "- By {what}, `{name}` is number {place} of {} by mean rank; the first four are {}.",
            ranks.len(),
            first.join(", ")
        );
    }
    for (number, outcome) in page.outcomes.iter().enumerate() {
        let named = NAMED.iter().find(|(key, _)| *key == outcome.contender.name);
        let Some((_, other)) = named else { continue };
        let _ = write!(
            text,
            "- `{name}` is no worse than {other} at {} of {n_sets} data sets by log-loss, and at {} by accuracy",
            page.no_worse(number, LOG_LOSS),
            page.no_worse(number, ACCURACY),
        );
        let times = if outcome.contender.is_ours {
            String::new()
        } else {
            format!("; CPU time is {} that of `{name}`", ratio(outcome.seconds / baseline.seconds))
        };
        let _ = writeln!(text, "{times}.");
    }
    let losses = losses(page, LOG_LOSS);
    if losses.len() > 1 {
        let _ = write!(
            text,
            "\nWhere `{name}` loses: data sets at which some contender has a log-loss that is smaller by at least {MARGIN}.\n\n{}",
            table(&losses)
        );
    }
    Ok(text)
}

/// The data sets at which another contender is better by more than the margin, the largest difference first.
fn losses(page: &Page<'_>, measure: Measure) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (number, set) in page.sets.iter().enumerate() {
        let of = |contender: usize| measure.of(&page.outcomes[contender].scores[number]);
        let best = (0..page.outcomes.len()).min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(BASELINE);
        let difference = of(BASELINE) - of(best);
        if difference >= MARGIN {
            found.push((difference, set, of(BASELINE), best, of(best)));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let head = ["data set", "rows", page.outcomes[BASELINE].contender.name, "best contender", "its log-loss"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(found.into_iter().map(|(_, set, own, best, least)| {
        vec![
            set.table.name.clone(),
            set.table.n_rows().to_string(),
            measure.text(own),
            page.outcomes[best].contender.name.to_owned(),
            measure.text(least),
        ]
    }));
    rows
}
