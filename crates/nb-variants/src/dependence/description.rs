//! Hyper-parameters that families of pairs share, and what users know of single columns.

use nb_core::{
    Missing,
    description::{Hyper, Inspect, Outline, Parameter, ParameterName, Values, parameters},
};

use super::{FittedPairCounts, PairCounts};
use crate::discretise::{bin_outline, bin_parameters};

/// The training weight that makes a parent.
pub(super) static MINIMUM_COUNT: Parameter = Parameter::new(
    "minimum_count",
    "How many training rows must have a value, so that other columns of AODE, AODEsr and ASAODE depend on it",
)
.called("m", "COUNT")
.tuned_over(&[1.0, 3.0, 10.0, 30.0, 100.0]);

/// What the pseudo-count is added to.
static PSEUDO_COUNTS: Parameter = Parameter::new(
    "pseudo_counts",
    "What --smoothing is added to, in columns that depend on each other (AODE, TAN, kDB and their relatives)",
);

impl PairCounts {
    pub(super) fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::CATEGORIES, &mut self.codings),
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&PSEUDO_COUNTS, &mut self.pseudo_counts),
            Hyper::new(&parameters::UNSEEN, &mut self.unseen),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }
}

/// What a class says of a single column is what naive Bayes says of its codes.
impl Inspect for FittedPairCounts {
    fn missing_cells(&self) -> Missing {
        self.categorical().missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        if column >= self.codings().n_columns() || !self.codings().is_of_numbers(column) {
            return self.categorical().parameters(column);
        }
        let table = self.categorical().log_probabilities(column);
        table.map_or_else(Vec::new, |table| bin_parameters(self.codings().cuts().column(column), &table))
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        if column >= self.codings().n_columns() || !self.codings().is_of_numbers(column) {
            return self.categorical().outline(column);
        }
        self.categorical().log_probabilities(column).map(|table| bin_outline(&table))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        self.categorical().divergences(column, weights)
    }

    fn cuts(&self, column: usize) -> Option<&[f64]> {
        Some(self.codings().cuts().column(column))
    }

    fn values(&self) -> Values {
        Values::Finite
    }
}

/// Within `impl Inspect`: passes on what naive Bayes of the same evidence says of columns.
macro_rules! inspect_as_naive_bayes {
    () => {
        fn missing_cells(&self) -> nb_core::Missing {
            self.naive_bayes().missing_cells()
        }

        fn parameters(&self, column: usize) -> Vec<(nb_core::description::ParameterName, Vec<f64>)> {
            self.naive_bayes().parameters(column)
        }

        fn outline(&self, column: usize) -> Option<nb_core::description::Outline> {
            self.naive_bayes().outline(column)
        }

        fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
            self.naive_bayes().divergences(column, weights)
        }

        fn cuts(&self, column: usize) -> Option<&[f64]> {
            self.naive_bayes().cuts(column)
        }

        fn values(&self) -> nb_core::description::Values {
            self.naive_bayes().values()
        }
    };
}

pub(super) use inspect_as_naive_bayes;
