//! Learning curves: how the losses of variants fall with the number of training rows, and what they fall to.
//!
//! In each split a stratified part of the rows is tested. Of the others the first `n` of a stratified order
//! are trained on, for every size `n`: training sets are nested, and all variants have the same ones, so that
//! differences are of pairs.
//!
//! Each classifier is trained from its rows alone, as if there were no others: what is learnt from rows
//! beforehand (cut points, scales, vocabularies) belongs to the curve. A method whose training is a sum
//! ([`Method::grow`]) sums each row once for all sizes, and has the same bits.

mod fit;
mod groups;
mod pair;
mod report;
mod split;

use serde::{Deserialize, Serialize};

pub use super::Trial;
pub use fit::{EXPONENTS, Estimate, FEWEST_SIZES, Fit, LARGEST_MISFIT, PowerLaw, Verdict, power_law};
pub use pair::{Crossing, Difference, Pair};
pub use report::{report, results_csv, results_json};

use crate::{
    Comparison, Condition, Design, DesignError, Done, Folds, Measure, Method, MethodError, Plan, Table, Unit,
    labels, plan::generator, run::Tested,
};
use split::Split;

/// The number of sizes of the geometric grid.
const N_SIZES: usize = 10;

/// The options of learning curves. The plan of the design holds rows out: its part is tested, and its repeats
/// are the splits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningCurve {
    /// The sizes of training sets, ascending. By default ten sizes grow by a constant factor, from where
    /// every class has two rows up to all rows that are not tested. Sizes beyond the rows of a table are
    /// left out for it.
    pub sizes: Vec<usize>,
}

/// What falls with the number of training rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The part of the tested rows that gets a wrong label: 1 - accuracy.
    Error,
    /// The log-loss.
    LogLoss,
}

impl Loss {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Error, Self::LogLoss];

    /// The name as reports write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::LogLoss => "log-loss",
        }
    }

    /// What it is of a classifier; `None` if there is no result.
    pub fn of(self, trial: &Trial) -> Option<f64> {
        let values = trial.values()?;
        match self {
            Self::Error => values.get(Measure::Accuracy).map(|accuracy| 1.0 - accuracy),
            Self::LogLoss => values.get(Measure::LogLoss),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearningCurves {
    /// The number of random splits of each data set.
    pub splits: usize,
    /// The part of the rows that is tested in each.
    pub test: f64,
    /// The names of the variants.
    pub variants: Vec<String>,
    /// One for each data set.
    pub sets: Vec<SetCurves>,
}

/// The curves of all variants on a data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetCurves {
    /// The name of the data set.
    pub name: String,
    /// The number of rows.
    pub n_rows: usize,
    /// The number of rows tested in each split, the mean where groups of rows make it differ.
    pub n_test: usize,
    /// The sizes of the training sets, ascending.
    pub sizes: Vec<usize>,
    /// The curves, one for each variant.
    pub variants: Vec<VariantCurves>,
    /// Pairs of variants that have curves, by loss.
    pub pairs: Vec<Pair>,
}

/// The curves of a variant on a data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantCurves {
    /// What was measured: a row for each split, and in it a value for each size.
    pub trials: Vec<Vec<Trial>>,
    /// The means, in the order of [`Loss::ALL`]; empty if no split gave results.
    pub curves: Vec<Curve>,
    /// Why splits gave no results, the first reason.
    pub reason: Option<String>,
}

/// Means over splits by size, and the law through them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The means, for the sizes at which every split gave a result.
    pub points: Vec<Point>,
    /// The law. It is fitted to finite means only.
    pub fit: Fit,
}

/// A mean over splits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The number of training rows.
    pub size: usize,
    /// The mean over splits; infinite if one of them is.
    #[serde(with = "crate::json::number")]
    pub mean: f64,
    /// The standard error of the mean over random splits of these rows; `None` where the mean is infinite.
    /// It does not cover how other rows would differ.
    pub standard_error: Option<f64>,
    /// The number of splits whose loss is infinite: a true class had posterior 0.
    pub n_infinite: usize,
}

impl LearningCurve {
    /// The plan of a learning curve if nothing is said: a third of the rows is tested in each of 30 splits.
    pub const PLAN: Plan = Plan::HeldOut { test: 1.0 / 3.0, repeats: 30 };

    pub(super) fn check(&self, plan: Plan) -> Result<(), DesignError> {
        let error = |name, value, must_be| Err(DesignError::Option { name, value, must_be });
        let Plan::HeldOut { repeats, .. } = plan else { return Err(DesignError::LearningCurve) };
        if repeats < 2 {
            return error("the number of splits", repeats as f64, "at least 2");
        }
        if let Some(&size) = self.sizes.iter().find(|size| **size < 2) {
            return error("a size of training sets", size as f64, "at least 2");
        }
        match self.sizes.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => error("a size of training sets", pair[1] as f64, "larger than the one before it"),
            None => Ok(()),
        }
    }
}

/// The classifiers of a method on the training rows of a split, by size, and what they answer. Those whose
/// training is a sum have each row added once.
pub(crate) fn of_split<'a>(
    method: &dyn Method,
    (table, key): (&Table, &str),
    folds: &Folds,
    (seed, number): (u64, usize),
    sizes: &[usize],
    tested: impl Fn() -> Tested<'a>,
) -> Vec<Result<Done, MethodError>> {
    let split = Split::new(table, key, folds, (seed, number));
    let mut growing = method.grow(table).ok().flatten();
    let mut n_added = 0;
    let at = |&size: &usize| {
        // Every size was made for these rows.
        let train = split.order.get(..size).unwrap_or(&split.order);
        if let Some(sums) = &mut growing
            && sums.add(&train[n_added..]).is_err()
        {
            // Training on all of them says why.
            growing = None;
        }
        n_added = train.len();
        let fitted = match &growing {
            Some(sums) => sums.fit(),
            None => method.fit(table, train),
        }?;
        let log_posteriors = fitted.log_posteriors(table, &split.test)?;
        let mut tested = tested();
        tested.add(&split.test, Some(&log_posteriors), &labels(&log_posteriors))?;
        tested.done()
    };
    sizes.iter().map(at).collect()
}

impl LearningCurves {
    /// The curves of a comparison whose design has a [`LearningCurve`], carried out on these tables. The
    /// example of [`experiment`](crate::experiment) has one.
    pub fn new(comparison: &Comparison, tables: &[Table]) -> Self {
        let Design { plan, seed, variants, .. } = &comparison.design;
        let of_set = |(table, data): (&Table, &crate::Data)| {
            let units: Vec<&Unit> = comparison.units.iter().filter(|unit| unit.set == data.name).collect();
            let mut sizes: Vec<usize> = units.iter().filter_map(|unit| size(unit)).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let of_variant = |name: &str| -> Vec<Vec<Trial>> {
                let open = Trial::None("the run was interrupted before it came to this".to_owned());
                let mut trials = vec![vec![open; sizes.len()]; plan.repeats()];
                for unit in units.iter().filter(|unit| unit.variant == name) {
                    let place = size(unit).and_then(|size| sizes.binary_search(&size).ok());
                    if let (Some(trials), Some(place)) = (trials.get_mut(unit.repeat), place) {
                        trials[place] = Trial::pooled(unit);
                    }
                }
                trials
            };
            let trials = variants.iter().map(|variant| of_variant(&variant.name)).collect();
            let ratio = data.splits.test_to_train;
            let n_test = (data.n_rows as f64 * ratio / (1.0 + ratio)).round() as usize;
            SetCurves::new(table, sizes, n_test, trials, *seed, &table.split_key())
        };
        Self {
            splits: plan.repeats(),
            test: if let Plan::HeldOut { test, .. } = plan { *test } else { 0.0 },
            variants: variants.iter().map(|variant| variant.name.clone()).collect(),
            sets: tables.iter().zip(&comparison.data).map(of_set).collect(),
        }
    }
}

fn size(unit: &Unit) -> Option<usize> {
    if let Condition::Size(size) = unit.condition { Some(size) } else { None }
}

impl SetCurves {
    fn new(
        table: &Table,
        sizes: Vec<usize>,
        n_test: usize,
        trials: Vec<Vec<Vec<Trial>>>,
        seed: u64,
        key: &str,
    ) -> Self {
        // Every curve and every pair has the same samples, so that equal curves have equal intervals.
        let random = || generator(seed, &format!("bootstrap of {key}"), 0);
        let curve = |loss: Loss, splits: &[Vec<Trial>]| -> Curve {
            let points: Vec<Point> =
                (0..sizes.len()).filter_map(|at| Point::new(sizes[at], splits, at, loss)).collect();
            let finite: Vec<&Point> = points.iter().filter(|point| point.mean.is_finite()).collect();
            let (known, errors): (Vec<f64>, Vec<f64>) = finite
                .iter()
                .map(|point| (point.size as f64, point.standard_error.unwrap_or_default()))
                .unzip();
            let is_known = |at: &usize| finite.iter().any(|point| point.size == sizes[*at]);
            let of_split = |split: &Vec<Trial>| -> Vec<f64> {
                (0..sizes.len()).filter(is_known).filter_map(|at| loss.of(&split[at])).collect()
            };
            let losses: Vec<Vec<f64>> = splits.iter().map(of_split).collect();
            let fit = Fit::new(&known, &errors, &losses, &mut random());
            Curve { points, fit }
        };
        let mut pairs = Vec::new();
        for loss in Loss::ALL {
            for (first, second) in nb_significance::pairs(trials.len()) {
                let both = |(one, other): (&Trial, &Trial)| Some([loss.of(one)?, loss.of(other)?]);
                let of_split =
                    |(one, other): (&Vec<Trial>, &Vec<Trial>)| one.iter().zip(other).map(both).collect();
                let splits: Vec<Vec<Option<[f64; 2]>>> =
                    trials[first].iter().zip(&trials[second]).map(of_split).collect();
                if splits.iter().flatten().any(Option::is_some) {
                    pairs.push(Pair::new((loss, first, second), &sizes, &splits, n_test, &mut random()));
                }
            }
        }
        let variants = trials
            .into_iter()
            .map(|splits| {
                let is_done = splits.iter().flatten().any(|trial| trial.values().is_some());
                let curves =
                    if is_done { Loss::ALL.map(|loss| curve(loss, &splits)).to_vec() } else { Vec::new() };
                let reason = splits.iter().flatten().find_map(Trial::reason).map(str::to_owned);
                VariantCurves { trials: splits, curves, reason }
            })
            .collect();
        Self { name: table.name.clone(), n_rows: table.n_rows(), n_test, variants, pairs, sizes }
    }
}

impl Point {
    /// `None` unless every split gave a result.
    fn new(size: usize, splits: &[Vec<Trial>], at: usize, loss: Loss) -> Option<Self> {
        let losses: Vec<f64> = splits.iter().map(|split| loss.of(&split[at])).collect::<Option<_>>()?;
        let n = losses.len() as f64;
        let mean = losses.iter().sum::<f64>() / n;
        let squares: f64 = losses.iter().map(|loss| (loss - mean).powi(2)).sum();
        Some(Self {
            size,
            mean,
            standard_error: mean.is_finite().then(|| (squares / (n - 1.0) / n).sqrt()),
            n_infinite: losses.iter().filter(|loss| loss.is_infinite()).count(),
        })
    }
}

#[cfg(test)]
mod tests;
