//! The drift of a column of texts, by its terms.

use std::ops::Range;

use nb_io::Schema;
use nb_significance::{SampleMoments, homogeneity, two_means};
use serde::Serialize;

use super::{
    column::{ColumnDrift, varying_as},
    groups::Grouped,
    new_rows::{NewRows, Seen},
    stored::{Stored, Values},
};

/// How many terms are named.
const MOST_TERMS: usize = 20;

/// A term that is more frequent now: how often it is in a row, on average.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Term {
    #[serde(rename = "term")]
    pub(crate) name: String,
    pub(crate) model: f64,
    pub(crate) new: f64,
    /// After Bonferroni's correction over the terms of the column.
    pub(crate) p_value: f64,
}

/// The occurrences of a term in the rows of the model and in new ones, and the p-value of a difference.
struct Compared {
    feature: usize,
    sums: [f64; 2],
    p_value: f64,
}

/// Compares each term alone, since those of a text are not independent; the index is over the terms that are
/// frequent enough.
pub(super) fn compare(
    schema: &Schema,
    column: &str,
    features: Range<usize>,
    (stored, rows): (&[Stored], f64),
    new: &NewRows<'_>,
) -> ColumnDrift {
    let mut drift = ColumnDrift::empty(column.to_owned(), "terms");
    drift.rows_without_terms = new.share_without_terms(&features);
    let n = [rows, new.rows as f64];
    let n_terms = features.len() as f64;
    let mut terms: Vec<Compared> = features
        .clone()
        .filter_map(|feature| term(feature, &stored[feature], &new.seen[feature], n))
        .collect();
    if terms.is_empty() {
        drift.why_not_tested = Some(match new.rows {
            0..2 => "there are too few rows",
            _ => "the model keeps no counts of its terms",
        });
        return drift;
    }
    for term in &mut terms {
        term.p_value = (n_terms * term.p_value).min(1.0);
    }
    let least = terms.iter().map(|term| term.p_value).fold(1.0, f64::min);
    terms.sort_by(|a, b| (b.sums[0] + b.sums[1]).total_cmp(&(a.sums[0] + a.sums[1])));
    let totals = [0, 1].map(|sample| terms.iter().map(|term| term.sums[sample]).sum::<f64>());
    let mut grouped = Grouped::default();
    let mut others = [0.0, 0.0];
    for term in &terms {
        let whole = term.sums[0] + term.sums[1];
        if totals.iter().all(|total| whole * total / (totals[0] + totals[1]) >= 5.0) {
            grouped.push(String::new(), term.sums[0], term.sums[1]);
        } else {
            (0..2).for_each(|sample| others[sample] += term.sums[sample]);
        }
    }
    grouped.push(String::new(), others[0], others[1]);
    drift.values = grouped.test(least);
    drift.jensen_shannon = grouped.jensen_shannon();
    let mut risen: Vec<&Compared> =
        terms.iter().filter(|term| term.sums[1] * n[0] > term.sums[0] * n[1] && term.p_value < 1.0).collect();
    risen.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
    let names = risen.into_iter().take(MOST_TERMS).map(|term| {
        let name = schema.feature_name(term.feature).unwrap_or_default();
        Term {
            name: name.strip_prefix(&format!("{column}: ")).unwrap_or(&name).to_owned(),
            model: term.sums[0] / n[0],
            new: term.sums[1] / n[1],
            p_value: term.p_value,
        }
    });
    drift.terms = names.collect();
    drift
}

fn term(feature: usize, stored: &Stored, seen: &Seen, n: [f64; 2]) -> Option<Compared> {
    match &stored.values {
        Values::Split { counts, .. } => {
            let new = seen.counts.get(1).copied().unwrap_or(0.0);
            let test = homogeneity(counts, &[n[1] - new, new]).ok()?;
            Some(Compared { feature, sums: [counts[1], new], p_value: test.p_value })
        }
        Values::Counts(model) => {
            let new = seen.moments();
            let model = varying_as(&SampleMoments { n: n[0], ..*model }, &new);
            let test = two_means(&model, &new).ok()?;
            Some(Compared { feature, sums: [model.mean * n[0], new.mean * new.n], p_value: test.p_value })
        }
        _ => None,
    }
}
