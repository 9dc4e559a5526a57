//! A vector of pseudo-counts: every family with its own `l` for each feature.

use nb_core::{Bernoulli, Categorical, Complement, FeatureModel, Multinomial, NaiveBayes, Smoothing};
use ndarray::{Array2, ArrayView2};

use super::{same_bits, special};
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::ulps_between;

/// For the six words of `iir_china`. Halves and quarters, so that all sums below are exact.
const WORDS: [f64; 6] = [1.0, 0.5, 2.0, 0.25, 4.0, 0.75];

pub(super) fn checks() -> Vec<Check> {
    let source = "fractions, and a single l";
    vec![
        special("vector l: multinomial", source, multinomial),
        special("vector l: Bernoulli", source, bernoulli),
        special("vector l: complement", source, complement),
        special("vector l: categorical", source, categorical),
    ]
}

/// A set with counts of each class and column.
struct Counts {
    x: Array2<f64>,
    labels: Vec<usize>,
    /// By class, then column.
    sums: Array2<f64>,
    n_rows: [f64; 2],
}

impl Counts {
    fn load(count: fn(f64) -> f64) -> Result<Self, Problem> {
        let set = nb_datasets::load("iir_china")?;
        let x = set.x();
        let (mut sums, mut n_rows) = (Array2::zeros((2, x.ncols())), [0.0; 2]);
        for (row, &class) in x.rows().into_iter().zip(&set.labels) {
            n_rows[class] += 1.0;
            for (column, &value) in row.iter().enumerate() {
                sums[[class, column]] += count(value);
            }
        }
        Ok(Self { x, labels: set.labels, sums, n_rows })
    }

    /// Fits with the vector, and with a constant vector and the same single `l`.
    fn outcome<M: FeatureModel>(
        &self,
        model: impl Fn(Smoothing) -> M,
        read: impl Fn(&M::Fitted) -> ArrayView2<'_, f64>,
        expected: impl Fn(usize, usize) -> f64,
    ) -> Result<Outcome, Problem> {
        let parameters = |smoothing| -> Result<Array2<f64>, Problem> {
            let classifier = NaiveBayes::new(model(smoothing)).fit(&self.x, &self.labels)?;
            Ok(read(classifier.likelihood()).to_owned())
        };
        let got = parameters(Smoothing::per_feature(WORDS.to_vec())?)?;
        let expected = Array2::from_shape_fn(got.dim(), |(class, column)| expected(class, column));
        let constant = parameters(Smoothing::per_feature(vec![0.5; WORDS.len()])?)?;
        let single = parameters(Smoothing::new(0.5)?)?;
        Ok(outcome(&expected, &got, same_bits(&constant, &single)))
    }
}

fn outcome(expected: &Array2<f64>, got: &Array2<f64>, constant_is_single: bool) -> Outcome {
    let errors = expected.iter().zip(got).map(|(&expected, &got)| ulps_between(expected, got));
    let worst = errors.max().unwrap_or(u64::MAX);
    let text = |table: &Array2<f64>| {
        let first = table.iter().take(3).map(|log| format!("{log:.6}"));
        format!("{} ...", first.collect::<Vec<_>>().join(" "))
    };
    Outcome::equal(text(expected), text(got))
        .with_error(format!("{worst} of 4 ulp"))
        .and(worst <= 4, "the parameters differ")
        .and(constant_is_single, "a constant vector differs from the same single l")
}

fn multinomial() -> Result<Outcome, Problem> {
    let set = Counts::load(|count| count)?;
    let total = |class| set.sums.row(class).sum() + WORDS.iter().sum::<f64>();
    set.outcome(
        |smoothing| Multinomial { smoothing, ..Multinomial::default() },
        nb_core::fitted::FittedMultinomial::log_probabilities,
        |class, word| ((set.sums[[class, word]] + WORDS[word]) / total(class)).ln(),
    )
}

fn bernoulli() -> Result<Outcome, Problem> {
    let set = Counts::load(|count| f64::from(count > 0.0))?;
    set.outcome(
        |smoothing| Bernoulli { smoothing, ..Bernoulli::default() },
        nb_core::fitted::FittedBernoulli::log_probabilities,
        |class, word| {
            ((set.sums[[class, word]] + WORDS[word]) / (set.n_rows[class] + 2.0 * WORDS[word])).ln()
        },
    )
}

fn complement() -> Result<Outcome, Problem> {
    let set = Counts::load(|count| count)?;
    let other = |class: usize, word: usize| set.sums[[1 - class, word]] + WORDS[word];
    set.outcome(
        |smoothing| Complement { smoothing, ..Complement::default() },
        nb_core::fitted::FittedComplement::weights,
        |class, word| {
            let total: f64 = (0..WORDS.len()).map(|word| other(class, word)).sum();
            -(other(class, word) / total).ln()
        },
    )
}

fn categorical() -> Result<Outcome, Problem> {
    const FEATURES: [f64; 4] = [1.0, 0.5, 2.0, 0.25];
    let set = nb_datasets::load("playtennis")?;
    let x = set.x();
    let n_levels: Vec<usize> = x
        .columns()
        .into_iter()
        .map(|column| column.fold(0.0_f64, |most, &code| most.max(code)) as usize + 1)
        .collect();
    let cells: Vec<(usize, usize, usize)> = (0..2)
        .flat_map(|class| (0..4).map(move |column| (class, column)))
        .flat_map(|(class, column)| (0..n_levels[column]).map(move |level| (class, column, level)))
        .collect();
    let table = |value: &dyn Fn(usize, usize, usize) -> f64| {
        let values = cells.iter().map(|&(class, column, level)| value(class, column, level));
        Array2::from_shape_vec((1, cells.len()), values.collect())
    };
    let fitted = |smoothing| -> Result<Array2<f64>, Problem> {
        let model = Categorical { smoothing, ..Categorical::default() };
        let classifier = NaiveBayes::new(model).fit(&x, &set.labels)?;
        let read = |class, column, level| {
            let log = classifier.likelihood().log_probability(class, column, level);
            log.unwrap_or(f64::NAN)
        };
        Ok(table(&read)?)
    };
    let expected = table(&|class, column, level| {
        let own = (0..set.n_rows()).filter(|&row| set.labels[row] == class);
        let n_class = own.clone().count() as f64;
        let n_level = own.filter(|&row| x[[row, column]] == level as f64).count() as f64;
        let l = FEATURES[column];
        ((n_level + l) / (n_class + l * n_levels[column] as f64)).ln()
    })?;
    let got = fitted(Smoothing::per_feature(FEATURES.to_vec())?)?;
    let constant = fitted(Smoothing::per_feature(vec![0.5; 4])?)?;
    Ok(outcome(&expected, &got, same_bits(&constant, &fitted(Smoothing::new(0.5)?)?)))
}
