//! Spam with unbiased variances: our labels, and the published wrong numbers of klaR beside the right ones.

use std::collections::BTreeMap;

use nb_core::{
    Classifier, Gaussian, NaiveBayes, VarianceEstimator, VarianceSmoothing, fitted::FittedGaussian,
};
use nb_datasets::Dataset;
use serde::Deserialize;

use super::klar::KlarModel;
use super::n_correct;
use crate::verify::check::{Check, Group, Outcome, Problem};

/// Right labels of the exact model.
const CORRECT: usize = 3_772;

/// What was published about klaR on this set. Ids count rows from 1, as R does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    package: String,
    set: String,
    /// By true class, how many rows klaR's posterior of the first class puts on either side of one half.
    table: BTreeMap<String, Sides>,
    nan_ids: Vec<usize>,
    first_truncation: Truncation,
    /// Rows whose posteriors differ when rounded to one decimal.
    differing_ids: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sides {
    at_most_half: usize,
    above_half: usize,
}

/// The feature whose density klaR truncates.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Truncation {
    id: usize,
    feature: String,
    class: String,
}

fn published() -> Result<Published, Problem> {
    Ok(serde_json::from_str(include_str!("../../../data/klar_spam.json"))?)
}

pub(super) fn checks() -> Vec<Check> {
    let check = |name: &str, source: &str, run: fn(&Spam, &Published) -> Result<Outcome, Problem>| {
        Check::new(Group::Published, format!("spam: {name}"), source, move || {
            let published = published()?;
            run(&Spam::load(&published.set)?, &published).map(|outcome| outcome.remark(published.package))
        })
    };
    vec![
        Check::new(Group::Published, "spam: unbiased variances", "exact labels", || {
            Spam::load("spam")?.labels()
        }),
        check("klaR's table", "published output of klaR", |spam, published| Ok(table(spam, published))),
        check("rows that klaR loses to NaN", "klaR run again", lost_rows),
        check("rows that differ at one decimal", "published comparison", differing_rows),
        check("the density that klaR truncates in row 177", "klaR run again", truncated_density),
    ]
}

/// The set, the exact model and the wrong one.
struct Spam {
    set: Dataset,
    exact: Classifier<usize, FittedGaussian>,
    klar: KlarModel,
}

impl Spam {
    fn load(name: &str) -> Result<Self, Problem> {
        let set = nb_datasets::load(name)?;
        let gaussian = Gaussian {
            estimator: VarianceEstimator::Unbiased,
            smoothing: VarianceSmoothing::None,
            ..Gaussian::default()
        };
        Ok(Self {
            exact: NaiveBayes::new(gaussian).fit(&set.x(), &set.labels)?,
            klar: KlarModel::fit(&set.x().view(), &set.labels, set.classes.len()),
            set,
        })
    }

    fn labels(&self) -> Result<Outcome, Problem> {
        let correct = n_correct(&self.exact.predict(&self.set.x())?, &self.set.labels);
        let n_rows = self.set.n_rows();
        Ok(Outcome::equal(format!("{CORRECT} of {n_rows} right"), format!("{correct} of {n_rows} right")))
    }

    /// klaR's posterior of the first class, for every row.
    fn klar_posteriors(&self) -> Vec<f64> {
        let rows = self.set.x();
        rows.rows().into_iter().map(|row| self.klar.posterior(&row, 0)).collect()
    }
}

fn table(spam: &Spam, published: &Published) -> Outcome {
    let mut table: BTreeMap<String, Sides> = BTreeMap::new();
    for (label, posterior) in spam.set.y().into_iter().zip(spam.klar_posteriors()) {
        let sides = table.entry(label.to_owned()).or_default();
        if posterior > 0.5 {
            sides.above_half += 1;
        } else if posterior <= 0.5 {
            sides.at_most_half += 1;
        }
    }
    let text = |table: &BTreeMap<String, Sides>| {
        let sides: Vec<String> =
            table.values().map(|sides| format!("{}/{}", sides.at_most_half, sides.above_half)).collect();
        sides.join("/")
    };
    let outcome = Outcome::equal(text(&published.table), text(&table));
    outcome.and(table == published.table, "the classes of the table differ")
}

fn lost_rows(spam: &Spam, published: &Published) -> Result<Outcome, Problem> {
    let posteriors = spam.klar_posteriors();
    let lost = (0..posteriors.len()).filter(|&row| posteriors[row].is_nan());
    let lost: Vec<usize> = lost.map(|row| row + 1).collect();
    let exact = spam.exact.predict_log_proba(&spam.set.x())?;
    Ok(Outcome::equal(format!("ids {:?}", published.nan_ids), format!("ids {lost:?}"))
        .and(!exact.iter().any(|log| log.is_nan()), "a posterior of ours is NaN"))
}

fn differing_rows(spam: &Spam, published: &Published) -> Result<Outcome, Problem> {
    let exact = spam.exact.predict_proba(&spam.set.x())?;
    let one_decimal = |probability: f64| (probability * 10.0).round() / 10.0;
    let differing: Vec<usize> = spam
        .klar_posteriors()
        .into_iter()
        .enumerate()
        .filter(|(row, klar)| !klar.is_nan() && one_decimal(*klar) != one_decimal(exact[[*row, 0]]))
        .map(|(row, _)| row + 1)
        .collect();
    let text = |ids: &[usize]| {
        let first: Vec<String> = ids.iter().take(5).map(ToString::to_string).collect();
        format!("{} ids: {} ...", ids.len(), first.join(" "))
    };
    let expected = &published.differing_ids;
    let n_other = symmetric_difference(expected, &differing);
    Ok(Outcome::equal(text(expected), text(&differing))
        .with_error(format!("{n_other} ids differ"))
        .and(n_other == 0, "not the published ids"))
}

fn symmetric_difference(a: &[usize], b: &[usize]) -> usize {
    let only = |a: &[usize], b: &[usize]| a.iter().filter(|id| !b.contains(id)).count();
    only(a, b) + only(b, a)
}

/// Found with `explain`: the contributions whose density a double cannot hold are those that klaR truncates.
fn truncated_density(spam: &Spam, published: &Published) -> Result<Outcome, Problem> {
    let expected = &published.first_truncation;
    let row = expected.id.checked_sub(1).ok_or("ids count from 1")?;
    let (x, names) = (spam.set.x(), spam.set.columns.iter().map(|column| column.name.as_str()));
    let (names, explanation) = (names.collect::<Vec<_>>(), spam.exact.explain(&x, row)?);
    let underflowing = explanation.contributions.indexed_iter();
    let found: Vec<((usize, usize), f64)> = underflowing
        .filter(|(_, contribution)| contribution.exp() == 0.0)
        .map(|(cell, &contribution)| (cell, contribution))
        .collect();
    let places: Vec<String> = found
        .iter()
        .map(|&((class, column), _)| format!("{} in {}", names[column], spam.set.classes[class]))
        .collect();
    let logs: Vec<String> = found.iter().map(|(_, log)| format!("{log:.1}")).collect();
    let same_as_klar = found.iter().map(|&(cell, _)| cell).eq(spam.klar.truncated(&x.row(row)));
    let expected = format!("{} in {}", expected.feature, expected.class);
    Ok(Outcome::equal(expected, places.join(", "))
        .and(same_as_klar, "klaR's formulas truncate other densities")
        .remark(format!("exact log-density {}", logs.join(", "))))
}
