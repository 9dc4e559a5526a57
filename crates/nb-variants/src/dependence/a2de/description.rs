//! What users and programs know of averaged two-dependence estimators.

use nb_core::description::{Columns, Described, Description, Hyper, Inspect, Parameter};

use super::{
    super::{PairCounts, description::inspect_as_naive_bayes, pairs::codes_of_pairs},
    A2de, FittedA2de,
};
use crate::{CodeCounts, Variant};

/// The training weight that makes two values parents.
static MINIMUM_PAIR_COUNT: Parameter = Parameter::new(
    "minimum_pair_count",
    "How many training rows must have two values together, so that other columns of A2DE depend on them",
)
.called("", "COUNT")
.tuned_over(&[1.0, 3.0, 10.0, 30.0, 100.0]);

impl Described for A2de {
    fn describe() -> Description {
        Description::new("a2de", Columns::Mixed)
            .titled("A2DE")
            .about(
                "Categories and bins, every two columns in turn the parents of all others (A2DE)",
                "Columns of numbers and categories that depend on each other, every two in turn the parents of all others (A2DE)",
            )
            .learnt_by(&["bins"])
            .method("averaged two-dependence estimators")
            .cited(
                "Webb et al. 2012",
                "Webb, Boughton, Zheng, Ting and Salem (2012). Learning by extrapolation from marginal to full-multivariate probability distributions: decreasingly naive Bayesian classification. Machine Learning 86, 233-272.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_PAIR_COUNT, &mut self.minimum_count));
        all
    }
}

impl Variant for A2de {
    codes_of_pairs!();

    fn code_places(&self, new: &PairCounts, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        self.places_in(new, codes).into()
    }

    fn code_counts(&self, n_classes: usize) -> Option<CodeCounts> {
        let words = ("triples", "every three values", "aode");
        Some(CodeCounts::new(words, (self.n_triples(), Self::MOST_TRIPLES), self.memory(n_classes)))
    }
}

impl Inspect for FittedA2de {
    inspect_as_naive_bayes!();
}
