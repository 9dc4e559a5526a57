//! Names and hyper-parameters of families of pairs, and what users know of single columns.

use nb_core::{
    Missing,
    description::{
        Columns, Described, Description, Hyper, Inspect, Outline, Parameter, ParameterName, Values,
        parameters,
    },
};

use crate::discretise::{bin_outline, bin_parameters};

use super::{
    A2de, Aode, Aodesr, FittedA2de, FittedAode, FittedAodesr, FittedHnb, FittedPairCounts, FittedTan,
    FittedWaode, Hnb, Kdb, PairCounts, Tan, Waode,
};

/// The training weight that makes a parent.
static MINIMUM_COUNT: Parameter = Parameter::new(
    "minimum_count",
    "How many training rows must have a value, so that other columns of AODE and AODEsr depend on it",
)
.called("m", "COUNT")
.tuned_over(&[1.0, 3.0, 10.0, 30.0, 100.0]);

/// The training weight that makes two values parents.
static MINIMUM_PAIR_COUNT: Parameter = Parameter::new(
    "minimum_pair_count",
    "How many training rows must have two values together, so that other columns of A2DE depend on them",
)
.called("", "COUNT")
.tuned_over(&[1.0, 3.0, 10.0, 30.0, 100.0]);

/// How many sweeps the sampler of hierarchical smoothing makes.
static SWEEPS: Parameter = Parameter::new(
    "sweeps",
    "How many sweeps the sampler of hierarchical Dirichlet smoothing makes in kDB, such as 5000; 0 is additive smoothing",
)
.called("", "COUNT");

/// What the pseudo-count is added to.
static PSEUDO_COUNTS: Parameter = Parameter::new(
    "pseudo_counts",
    "What --smoothing is added to, in columns that depend on each other (AODE, TAN, kDB and their relatives)",
);

/// The training weight that makes a value imply others.
static CRITICAL_COUNT: Parameter = Parameter::new(
    "critical_count",
    "How many training rows must have a value, all of them with another one, so that AODEsr leaves the other out",
)
.tuned_over(&[10.0, 30.0, 100.0, 300.0]);

impl PairCounts {
    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::CATEGORIES, &mut self.codings),
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&PSEUDO_COUNTS, &mut self.pseudo_counts),
            Hyper::new(&parameters::UNSEEN, &mut self.unseen),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }
}

impl Described for Aode {
    fn describe() -> Description {
        Description::new("aode", Columns::Mixed)
            .titled("AODE")
            .about(
                "Categories and bins, each column in turn the parent of all others (AODE)",
                "Columns of numbers and categories that depend on each other, each in turn the parent of all others (AODE)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_COUNT, &mut self.minimum_count));
        all
    }
}

impl Described for Tan {
    fn describe() -> Description {
        Description::new("tan", Columns::Mixed)
            .titled("TAN")
            .about(
                "Categories and bins, each column with one other as its parent (TAN)",
                "Columns of numbers and categories that depend on each other as a tree (TAN)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }
}

impl Described for Hnb {
    fn describe() -> Description {
        Description::new("hnb", Columns::Mixed)
            .titled("HNB")
            .about(
                "Categories and bins, each column with a hidden parent of all others (HNB)",
                "Columns of numbers and categories that depend on all others by a hidden parent each (HNB)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }
}

impl Described for Waode {
    fn describe() -> Description {
        Description::new("waode", Columns::Mixed)
            .titled("WAODE")
            .about(
                "Categories and bins, each column in turn the parent of all others, weighted (WAODE)",
                "Columns of numbers and categories that depend on each other, each in turn the parent of all others, weighted (WAODE)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }
}

impl Described for Aodesr {
    fn describe() -> Description {
        Description::new("aodesr", Columns::Mixed)
            .titled("AODEsr")
            .about(
                "Categories and bins as in AODE, without values that others imply (AODEsr)",
                "Columns of numbers and categories that depend on each other, some values of which imply others (AODEsr)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_COUNT, &mut self.minimum_count));
        all.push(Hyper::new(&CRITICAL_COUNT, &mut self.critical_count));
        all
    }
}

impl Described for A2de {
    fn describe() -> Description {
        Description::new("a2de", Columns::Mixed)
            .titled("A2DE")
            .about(
                "Categories and bins, every two columns in turn the parents of all others (A2DE)",
                "Columns of numbers and categories that depend on each other, every two in turn the parents of all others (A2DE)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_PAIR_COUNT, &mut self.minimum_count));
        all
    }
}

impl Described for Kdb {
    fn describe() -> Description {
        Description::new("kdb", Columns::Mixed)
            .titled("kDB")
            .about(
                "Categories and bins, each column with up to --parents others as its parents (kDB)",
                "Columns of numbers and categories that depend on each other, each on up to --parents others (kDB)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&SWEEPS, &mut self.hierarchical));
        all
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

    fn values(&self) -> Values {
        Values::Finite
    }
}

/// Passes on what naive Bayes of the same evidence says.
macro_rules! inspect_as_naive_bayes {
    ($($fitted:ident),*) => {$(
        impl Inspect for $fitted {
            fn missing_cells(&self) -> Missing {
                self.naive_bayes().missing_cells()
            }

            fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
                self.naive_bayes().parameters(column)
            }

            fn outline(&self, column: usize) -> Option<Outline> {
                self.naive_bayes().outline(column)
            }

            fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
                self.naive_bayes().divergences(column, weights)
            }

            fn values(&self) -> Values {
                self.naive_bayes().values()
            }
        }
    )*};
}

inspect_as_naive_bayes!(FittedA2de, FittedAode, FittedAodesr, FittedHnb, FittedTan, FittedWaode);
