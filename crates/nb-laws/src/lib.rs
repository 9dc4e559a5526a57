//! The laws of naive Bayes families, as property tests.
//!
//! A family of your own, an implementation of [`FeatureModel`], gets streaming, merging,
//! forgetting, mixed models and sparse input from nb-core. [`check`] tests that it keeps what they rely on:
//!
//! - statistics form a commutative group: the order, the batches and the merge tree do not matter, and
//!   retracting restores, all bit for bit;
//! - a weight of 2 is twice, a weight of 0 is not at all;
//! - memory order, number type and sparsity of the input do not matter, also where zeros that sparse rows do
//!   not store would be refused or add something;
//! - a block of columns adds to the score what the family alone would, and renaming classes only renames
//!   them;
//! - where a family scores rows from their sums, it says of them what it says of the rows;
//! - scores are the sum of their explanation, never NaN, and posteriors add up to one;
//! - what is refused changes nothing.
//!
//! [`check_forwarding`] tests that a type which only passes calls on to a family loses none of them.
//!
//! ```
//! use nb_core::Gaussian;
//!
//! nb_laws::check(&Gaussian::default(), 3, nb_laws::reals());
//! ```

mod case;
mod forwarding;
mod scores;
mod statistics;

pub use case::{Case, cases, counts, counts_of_any_size, reals, reals_of_any_size};
pub use forwarding::{Probe, check_forwarding, check_forwarding_of_density};

use std::fmt::Debug;

use nb_core::{
    Density, FeatureModel, Likelihood,
    error::FamilyError,
    family::{BoxedModel, ClassSums, forward_family},
};
use proptest::{
    strategy::{BoxedStrategy, Strategy},
    test_runner::{Config, TestCaseError, TestRunner},
};

/// What a law says of one case.
pub type Outcome = Result<(), TestCaseError>;

/// Checks all laws on random rows of `n_columns` columns, whose cells come from `values`.
///
/// For a family that is no [`Density`], see [`check_statistics`] and [`check_scores`].
///
/// # Panics
/// If a law is broken, with its name and the smallest case found.
pub fn check<M>(model: &M, n_columns: usize, values: impl Strategy<Value = f64> + Clone + 'static)
where
    M: FeatureModel + Clone + Debug + 'static,
    M::Fitted: Density + 'static,
{
    let (values, erased, boxed) = (values.boxed(), Erased(model), BoxedModel::new(model.clone()));
    laws_of_statistics(&erased, n_columns, &values);
    laws_of_scores(&erased, n_columns, &values);
    laws_of_blocks(&erased, &boxed, n_columns, &values);
}

/// Checks the laws of the statistics.
///
/// # Panics
/// If a law is broken, with its name and the smallest case found.
pub fn check_statistics<M>(model: &M, n_columns: usize, values: impl Strategy<Value = f64> + Clone + 'static)
where
    M: FeatureModel + Debug,
    M::Fitted: 'static,
{
    laws_of_statistics(&Erased(model), n_columns, &values.boxed());
}

/// Checks the laws of the scores.
///
/// # Panics
/// If a law is broken, with its name and the smallest case found.
pub fn check_scores<M>(model: &M, n_columns: usize, values: impl Strategy<Value = f64> + Clone + 'static)
where
    M: FeatureModel + Debug,
    M::Fitted: 'static,
{
    laws_of_scores(&Erased(model), n_columns, &values.boxed());
}

/// A family of any type, so that the laws are compiled once.
type Family<'a> = dyn FeatureModel<Fitted = Box<dyn Likelihood>> + 'a;

fn laws_of_statistics(model: &Family<'_>, n_columns: usize, values: &BoxedStrategy<f64>) {
    for (name, law) in statistics::laws::<&Family<'_>>() {
        run(name, n_columns, values.clone(), |case| law(&model, case));
    }
}

fn laws_of_scores(model: &Family<'_>, n_columns: usize, values: &BoxedStrategy<f64>) {
    for (name, law) in scores::laws::<&Family<'_>>() {
        run(name, n_columns, values.clone(), |case| law(&model, case));
    }
}

fn laws_of_blocks(model: &Family<'_>, boxed: &BoxedModel, n_columns: usize, values: &BoxedStrategy<f64>) {
    run("one block is the family itself", n_columns, values.clone(), |case| {
        scores::one_block(&model, boxed, case)
    });
    run("blocks add up", n_columns, values.clone(), |case| scores::blocks_add_up(&model, boxed, case));
}

/// A family whose fitted form has no type.
struct Erased<'a, M>(&'a M);

/// What is erased.
macro_rules! erased {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = $self.0;
        $work
    }};
}

impl<M> FeatureModel for Erased<'_, M>
where
    M: FeatureModel,
    M::Fitted: 'static,
{
    type Fitted = Box<dyn Likelihood>;

    forward_family!(self, erased);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError> {
        Ok(Box::new(self.0.fit(classes)?))
    }
}

/// Runs one law on random cases.
fn run(name: &str, n_columns: usize, values: BoxedStrategy<f64>, law: impl Fn(&Case) -> Outcome) {
    // Cases that fail are printed; there is no file to remember them in.
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&cases(n_columns, values), |case| law(&case));
    assert!(
        result.is_ok(),
        "broken law: {name}\n{}",
        result.err().map(|error| error.to_string()).unwrap_or_default()
    );
}

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
