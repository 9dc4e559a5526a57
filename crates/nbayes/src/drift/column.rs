//! The drift of a column.

use nb_io::{Kind, Model, Schema};
use nb_significance::{SampleMoments, stability_of_normals, two_means};
use serde::Serialize;

use super::{
    groups::{Group, Grouped, Levels},
    new_rows::{NewRows, Seen},
    stored::{Stored, Values},
    terms::{self, Term},
    test::{Status, Test},
};

/// What is found of a column.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ColumnDrift {
    pub(crate) column: String,
    /// The worst of values and missing cells.
    pub(crate) status: Status,
    /// What is compared: `bins`, `categories`, `shares`, `mean`, `share_and_mean`, `terms`, `nothing`.
    pub(crate) compared: &'static str,
    pub(crate) values: Option<Test>,
    pub(crate) jensen_shannon: Option<f64>,
    pub(crate) mean: Option<Means>,
    /// The share of the new rows whose category the model does not know.
    pub(crate) unseen_share: Option<f64>,
    pub(crate) missing: Option<MissingCells>,
    pub(crate) groups: Vec<Group>,
    /// The terms of a text that are more frequent now.
    pub(crate) terms: Vec<Term>,
    /// The share of the new rows without a term that the model knows.
    pub(crate) rows_without_terms: Option<f64>,
    pub(crate) why_not_tested: Option<&'static str>,
}

/// Means and standard deviations; after a power, if the model has one.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Means {
    pub(crate) model: f64,
    pub(crate) new: f64,
    pub(crate) model_standard_deviation: f64,
    pub(crate) new_standard_deviation: f64,
}

impl Means {
    fn new(model: &SampleMoments, new: &SampleMoments) -> Self {
        Self {
            model: model.mean,
            new: new.mean,
            model_standard_deviation: model.variance.sqrt(),
            new_standard_deviation: new.variance.sqrt(),
        }
    }
}

/// The share of the rows in which a column is missing.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MissingCells {
    pub(crate) model: f64,
    pub(crate) new: f64,
    pub(crate) test: Test,
}

impl ColumnDrift {
    pub(crate) fn empty(column: String, compared: &'static str) -> Self {
        Self {
            column,
            status: Status::NotTested,
            compared,
            values: None,
            jensen_shannon: None,
            mean: None,
            unseen_share: None,
            missing: None,
            groups: Vec::new(),
            terms: Vec::new(),
            rows_without_terms: None,
            why_not_tested: None,
        }
    }

    /// Its tests.
    pub(crate) fn tests_mut(&mut self) -> impl Iterator<Item = &mut Test> {
        self.values.iter_mut().chain(self.missing.as_mut().map(|missing| &mut missing.test))
    }

    fn tests(&self) -> impl Iterator<Item = &Test> {
        self.values.iter().chain(self.missing.as_ref().map(|missing| &missing.test))
    }

    /// The tests were decided.
    pub(crate) fn finish(&mut self) {
        self.status = self.tests().map(|test| test.status).max().unwrap_or(Status::NotTested);
    }

    /// The test that comes first.
    pub(crate) fn worst(&self) -> Option<&Test> {
        self.tests().max_by(|a, b| a.rank().partial_cmp(&b.rank()).unwrap_or(std::cmp::Ordering::Equal))
    }

    /// Whether missing cells are worse than the values.
    pub(crate) fn is_about_missing(&self) -> bool {
        let missing = self.missing.as_ref().map(|missing| missing.test.rank());
        missing.is_some_and(|missing| self.values.as_ref().is_none_or(|values| values.rank() < missing))
    }
}

/// All columns but those that are ignored, without decisions.
pub(crate) fn compare_columns(
    model: &Model,
    stored: &[Stored],
    new: &NewRows<'_>,
    ignored: &[String],
) -> Vec<ColumnDrift> {
    let schema = model.schema();
    let rows = crate::model::weight(model);
    let mut all = Vec::new();
    for (column, range) in schema.columns.iter().zip(schema.feature_ranges()) {
        if ignored.contains(&column.name) {
            continue;
        }
        if let Kind::Text(_) = column.kind {
            all.push(terms::compare(schema, &column.name, range, (stored, rows), new));
            continue;
        }
        all.extend(range.map(|feature| {
            let rows = [rows, new.rows as f64];
            compare(schema, feature, &stored[feature], &new.seen[feature], rows)
        }));
    }
    all
}

fn compare(schema: &Schema, feature: usize, stored: &Stored, seen: &Seen, rows: [f64; 2]) -> ColumnDrift {
    let name = schema.feature_name(feature).unwrap_or_default();
    let missing = stored.missing.and_then(|missing| missing_cells(missing, seen.missing, rows));
    let mut drift = values(schema, feature, &name, stored, seen);
    if drift.values.is_none() && drift.why_not_tested.is_none() {
        drift.why_not_tested = Some(if seen.missing >= rows[1] {
            "it is missing in all new rows"
        } else {
            "there are too few values"
        });
    }
    drift.missing = missing;
    drift
}

fn values(schema: &Schema, feature: usize, name: &str, stored: &Stored, seen: &Seen) -> ColumnDrift {
    let empty = |compared| ColumnDrift::empty(name.to_owned(), compared);
    match &stored.values {
        Values::Bins { cuts, .. } if cuts.is_empty() => ColumnDrift {
            why_not_tested: Some("the model has one bin for all of its values"),
            ..empty("nothing")
        },
        Values::Bins { cuts, counts } => of_groups(empty("bins"), Grouped::bins(cuts, counts, &seen.counts)),
        Values::Grid { grid, counts } => {
            let middle = |point: usize| grid.origin() + (point as f64 + 0.5) * grid.step();
            let cuts: Vec<f64> = (0..grid.n_points() - 1).map(middle).collect();
            of_groups(empty("bins"), Grouped::bins(&cuts, counts, &seen.counts))
        }
        Values::Split { threshold, counts } => {
            let new = [0, 1].map(|place| seen.counts.get(place).copied().unwrap_or(0.0));
            of_groups(empty("shares"), Grouped::bins(&[*threshold], counts, &new))
        }
        Values::Categories(counts) => {
            let kind = schema.feature(feature).map(|feature| feature.kind());
            let name = |place: usize| match kind {
                Some(Kind::Categorical { levels }) if place < levels.len() => levels[place].clone(),
                _ => place.to_string(),
            };
            let levels = Levels::new([counts, &seen.counts], seen.unseen, &name);
            let grouped = Grouped::categories(&levels);
            let n = seen.counts.iter().sum::<f64>() + seen.unseen;
            let unseen = levels.unseen_counts()[1];
            ColumnDrift {
                values: levels.p_value().and_then(|p_value| grouped.test(p_value)),
                jensen_shannon: grouped.jensen_shannon(),
                unseen_share: (n > 0.0).then(|| unseen / n),
                groups: if n > 0.0 { grouped.shares() } else { Vec::new() },
                ..empty("categories")
            }
        }
        Values::Moments { moments, .. } => of_means(empty("mean"), moments, &seen.moments()),
        Values::Counts(moments) => {
            let new = seen.moments();
            of_means(empty("mean"), &varying_as(moments, &new), &new)
        }
        Values::Beside { value, counts, others } => {
            let mut grouped = Grouped::default();
            let new = [0, 1].map(|place| seen.counts.get(place).copied().unwrap_or(0.0));
            grouped.push(crate::output::short(*value), counts[0], new[0]);
            grouped.push("other values", counts[1], new[1]);
            let n = [counts, &new].map(|counts| counts.iter().sum::<f64>());
            let share = of_groups(empty("share_and_mean"), grouped);
            let means = of_means(empty("mean"), others, &seen.moments());
            // The divergence of Jeffreys is that of the shares and, weighted by the share of the others, that
            // of the others.
            let values = match (&share.values, &means.values) {
                (Some(first), Some(second)) => {
                    let others = f64::midpoint(counts[1] / n[0], new[1] / n[1]);
                    let psi = first.psi.unwrap_or(0.0) + others * second.psi.unwrap_or(0.0);
                    let p_value = (2.0 * first.p_value.min(second.p_value)).min(1.0);
                    Some(Test::of_psi(psi, 3, n, p_value))
                }
                (first, second) => first.clone().or_else(|| second.clone()),
            };
            ColumnDrift { values, mean: means.mean, ..share }
        }
        Values::Unknown(why) => ColumnDrift { why_not_tested: Some(why), ..empty("nothing") },
    }
}

fn of_groups(empty: ColumnDrift, grouped: Grouped) -> ColumnDrift {
    let Some(test) = grouped.homogeneity() else { return empty };
    ColumnDrift {
        values: grouped.test(test.p_value),
        jensen_shannon: grouped.jensen_shannon(),
        groups: grouped.shares(),
        ..empty
    }
}

/// Counts of the model, of which only the mean is known: they vary as much as Poisson distributions in the
/// classes, or as new ones if these vary more.
pub(super) fn varying_as(model: &SampleMoments, new: &SampleMoments) -> SampleMoments {
    SampleMoments { variance: model.variance.max(new.variance), ..*model }
}

fn of_means(empty: ColumnDrift, model: &SampleMoments, new: &SampleMoments) -> ColumnDrift {
    let test = two_means(model, new).ok();
    let psi = stability_of_normals(model, new);
    ColumnDrift {
        values: test.map(|test| Test::of_psi(psi, 2, [model.n, new.n], test.p_value)),
        mean: (model.n > 0.0 && new.n > 0.0).then(|| Means::new(model, new)),
        ..empty
    }
}

fn missing_cells(model: f64, new: f64, rows: [f64; 2]) -> Option<MissingCells> {
    if model + new <= 0.0 {
        return None;
    }
    let mut grouped = Grouped::default();
    grouped.push("missing", model, new);
    grouped.push("known", (rows[0] - model).max(0.0), (rows[1] - new).max(0.0));
    let test = grouped.test(grouped.homogeneity()?.p_value)?;
    Some(MissingCells { model: model / rows[0], new: new / rows[1], test })
}
