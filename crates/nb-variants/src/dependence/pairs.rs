//! What all families on counts of pairs pass on: to the evidence, and to naive Bayes from it.

/// Within `impl FeatureModel`: rows are checked and summed as the family's `counts` have it.
macro_rules! sums_of_pairs {
    () => {
        fn check(&self, rows: &nb_core::family::Block<'_>) -> Result<(), nb_core::error::ValueError> {
            self.counts.check(rows)
        }

        fn update(
            &self,
            rows: &nb_core::family::Block<'_>,
            weights: nb_core::family::Weights<'_>,
            sums: &mut [nb_core::exact::ExactSums],
        ) {
            self.counts.update(rows, weights, sums);
        }
    };
}

/// Within `impl Variant`: cells become codes as the family's `counts` have it.
macro_rules! codes_of_pairs {
    () => {
        fn pairs(&self) -> Option<&crate::PairCounts> {
            Some(&self.counts)
        }

        fn set_pairs(&mut self, counts: crate::PairCounts) -> Result<(), nb_core::error::LayoutError> {
            self.counts = counts;
            Ok(())
        }
    };
}

/// Within `impl Likelihood`: a class and column alone have the probabilities of naive Bayes, which is the
/// field named, and the score of a row is not the sum of their logarithms.
macro_rules! columns_of_naive_bayes {
    ($($field:ident).+) => {
        fn shape(&self) -> Option<(usize, usize)> {
            self.$($field).+.shape()
        }

        fn check(&self, rows: &nb_core::family::Block<'_>) -> Result<(), nb_core::error::ValueError> {
            self.$($field).+.check(rows)
        }

        fn is_additive(&self) -> bool {
            false
        }

        fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
            self.$($field).+.log_likelihood(class, column, value)
        }
    };
}

pub(super) use {codes_of_pairs, columns_of_naive_bayes, sums_of_pairs};
