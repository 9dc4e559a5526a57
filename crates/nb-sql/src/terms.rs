//! What one cell adds to the log-joint of each class, in SQL.

use nb_core::{
    FittedBernoulli, FittedCategorical, FittedComplement, FittedGaussian, FittedMultinomial, FittedPoisson,
    Missing, Unseen, exact::domain::MAX_ABS_VALUE,
};
use nb_io::{FittedFamily, Kind};
use ndarray::ArrayView2;

use crate::{Dialect, design::LARGEST_COUNT};

/// What a column adds to the classes, and under which condition a row can be scored at all.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// By class; nothing where the column adds nothing.
    pub(crate) of_class: Vec<Option<String>>,
    /// The condition on the cell; none if every cell will do.
    pub(crate) condition: Option<String>,
}

/// The values that a family can score.
#[derive(Clone, Copy, Debug)]
enum Values {
    Real,
    Finite,
    NotNegative,
    Whole,
}

/// How a cell is called in a query, and how the dialect writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) x: &'a str,
    pub(crate) kind: &'a Kind,
}

/// The term of a column of a fitted family that is no block; `None` if it has none in SQL.
pub(crate) fn term(fitted: &FittedFamily, column: usize, cell: Cell<'_>) -> Option<Term> {
    Some(match fitted {
        FittedFamily::Gaussian(fitted) => gaussian(fitted, column, cell),
        FittedFamily::SharedGaussian(fitted) => {
            let variance = |_| fitted.variances()[column];
            let parameters =
                Normal { means: fitted.means(), rests: fitted.mean_rests(), variance: &variance };
            normal(&parameters, column, cell, fitted.missing())
        }
        FittedFamily::Categorical(fitted) => categorical(fitted, column, cell),
        FittedFamily::Multinomial(fitted) => multinomial(fitted, column, cell),
        FittedFamily::Complement(fitted) => complement(fitted, column, cell),
        FittedFamily::Bernoulli(fitted) => bernoulli(fitted, column, cell),
        FittedFamily::Poisson(fitted) => poisson(fitted, column, cell),
        _ => return None,
    })
}

impl Cell<'_> {
    fn double(&self, value: f64) -> String {
        self.dialect.double(value)
    }

    /// The condition that a number can be scored. Where it is NULL, a missing cell is refused.
    fn condition(&self, values: Values, missing: Missing) -> String {
        let x = self.x;
        let scorable = match values {
            Values::Real => format!("abs({x}) <= {}", self.double(MAX_ABS_VALUE)),
            Values::Finite => format!("abs({x}) <= {}", self.double(f64::MAX)),
            Values::NotNegative => {
                format!("{x} >= {} AND {x} <= {}", self.double(0.0), self.double(MAX_ABS_VALUE))
            }
            Values::Whole => {
                format!(
                    "{x} >= {} AND {x} <= {} AND {x} = floor({x})",
                    self.double(0.0),
                    self.double(LARGEST_COUNT)
                )
            }
        };
        match missing {
            Missing::Skip => format!("({x} IS NULL OR ({scorable}))"),
            Missing::Error => format!("({scorable})"),
        }
    }

    /// An expression that is NULL where the cell is missing, and then counts as zero.
    fn or_zero(&self, expression: &str) -> String {
        format!("COALESCE({expression}, {})", self.double(0.0))
    }
}

/// The parameters of normal distributions.
struct Normal<'a> {
    means: ArrayView2<'a, f64>,
    rests: ArrayView2<'a, f64>,
    variance: &'a dyn Fn(usize) -> f64,
}

/// `-½ log(2πv) - (x - μ)²/2v`, never expanded, with both doubles of the mean.
fn normal(parameters: &Normal<'_>, column: usize, cell: Cell<'_>, missing: Missing) -> Term {
    let of_class = (0..parameters.means.nrows()).map(|class| {
        let (mean, rest) = (parameters.means[[class, column]], parameters.rests[[class, column]]);
        let variance = (parameters.variance)(class);
        // A column that was constant over all training rows says nothing.
        if !variance.is_finite() {
            return None;
        }
        let mut difference = format!("({} - {})", cell.x, cell.double(mean));
        if rest != 0.0 {
            difference = format!("({difference} - {})", cell.double(rest));
        }
        let (log_norm, half_precision) = (-0.5 * libm::log(std::f64::consts::TAU * variance), 0.5 / variance);
        let (log_norm, half_precision) = (cell.double(log_norm), cell.double(half_precision));
        Some(cell.or_zero(&format!("{log_norm} - {difference} * {difference} * {half_precision}")))
    });
    Term { of_class: of_class.collect(), condition: Some(cell.condition(Values::Real, missing)) }
}

fn gaussian(fitted: &FittedGaussian, column: usize, cell: Cell<'_>) -> Term {
    let variances = fitted.variances();
    let variance = |class: usize| variances[[class, column]];
    let parameters = Normal { means: fitted.means(), rests: fitted.mean_rests(), variance: &variance };
    normal(&parameters, column, cell, fitted.missing())
}

/// `log θ` of the category.
fn categorical(fitted: &FittedCategorical, column: usize, cell: Cell<'_>) -> Term {
    let (dialect, x) = (cell.dialect, cell.x);
    let n_classes = fitted.log_probabilities(column).map_or(0, |table| table.ncols());
    let names: &[String] = if let Kind::Categorical { levels } = cell.kind { levels } else { &[] };
    let codes = fitted.codes(column);
    let known: Vec<(usize, String)> = codes
        .iter()
        .map(|&code| {
            // Where categories have no names, their codes are in the column.
            let name = names.get(code).cloned().unwrap_or_else(|| code.to_string());
            (code, dialect.text(&name))
        })
        .collect();
    let of_class = (0..n_classes).map(|class| {
        let log = |code| fitted.log_probability(class, column, code).map(|log| cell.double(log));
        let cases: String = known
            .iter()
            .filter_map(|(code, name)| Some(format!(" WHEN {x} = {name} THEN {}", log(*code)?)))
            .collect();
        // No code is that large, so that only the reserved other category answers.
        let zero = cell.double(0.0);
        let other = match log(usize::MAX) {
            Some(other) => format!(" WHEN {x} IS NULL THEN {zero} ELSE {other}"),
            None => format!(" ELSE {zero}"),
        };
        Some(if cases.is_empty() { zero } else { format!("CASE{cases}{other} END") })
    });
    let of_class = of_class.collect();
    let names: Vec<&str> = known.iter().map(|(_, name)| name.as_str()).collect();
    let is_known = if names.is_empty() { "FALSE".into() } else { format!("{x} IN ({})", names.join(", ")) };
    let condition = match (fitted.missing(), fitted.unseen()) {
        (Missing::Skip, Unseen::Error) => Some(format!("({x} IS NULL OR {is_known})")),
        // NULL where the cell is missing, which is refused then.
        (Missing::Error, Unseen::Error) => Some(is_known),
        (Missing::Error, _) => Some(format!("{x} IS NOT NULL")),
        (Missing::Skip, _) => None,
    };
    Term { of_class, condition }
}

/// `x w`, where zero times negative infinity is zero.
fn times(cell: Cell<'_>, weight: f64) -> String {
    let (x, weight_text) = (cell.x, cell.double(weight));
    if weight.is_finite() {
        format!("{x} * {weight_text}")
    } else {
        let zero = cell.double(0.0);
        format!("CASE WHEN {x} > {zero} THEN {weight_text} ELSE {zero} END")
    }
}

fn weighted(weights: &ArrayView2<'_, f64>, column: usize, cell: Cell<'_>, missing: Missing) -> Term {
    let of_class =
        weights.column(column).iter().map(|&weight| Some(cell.or_zero(&times(cell, weight)))).collect();
    // Columns of models that were trained elsewhere may hold fractional counts.
    let values = if matches!(cell.kind, Kind::Count) { Values::Whole } else { Values::NotNegative };
    Term { of_class, condition: Some(cell.condition(values, missing)) }
}

fn multinomial(fitted: &FittedMultinomial, column: usize, cell: Cell<'_>) -> Term {
    weighted(&fitted.log_probabilities(), column, cell, fitted.missing())
}

fn complement(fitted: &FittedComplement, column: usize, cell: Cell<'_>) -> Term {
    weighted(&fitted.weights(), column, cell, fitted.missing())
}

/// `log p` above the threshold, else `log(1 - p)`.
fn bernoulli(fitted: &FittedBernoulli, column: usize, cell: Cell<'_>) -> Term {
    let (x, threshold, zero) = (cell.x, cell.double(fitted.threshold()), cell.double(0.0));
    let (ones, zeros) = (fitted.log_probabilities(), fitted.log_complements());
    let of_class = ones.column(column).into_iter().zip(zeros.column(column)).map(|(&one, &other)| {
        let (one, other) = (cell.double(one), cell.double(other));
        Some(format!("CASE WHEN {x} > {threshold} THEN {one} WHEN {x} IS NULL THEN {zero} ELSE {other} END"))
    });
    let of_class = of_class.collect();
    Term { of_class, condition: Some(cell.condition(Values::Finite, fitted.missing())) }
}

/// `x log λ - λ`, without `log x!`, which all classes share. (Where `log λ` is infinite, λ is zero.)
fn poisson(fitted: &FittedPoisson, column: usize, cell: Cell<'_>) -> Term {
    let (rates, log_rates) = (fitted.rates(), fitted.log_rates());
    let of_class =
        rates.column(column).into_iter().zip(log_rates.column(column)).map(|(&rate, &log_rate)| {
            Some(cell.or_zero(&format!("{} - {}", times(cell, log_rate), cell.double(rate))))
        });
    let of_class = of_class.collect();
    Term { of_class, condition: Some(cell.condition(Values::Whole, fitted.missing())) }
}
