//! Ways to learn from the rows themselves.

mod counts;
mod dependent;
mod logistic;
mod naive_bayes;
mod prior;
mod private;
mod refined;
pub(crate) mod wrong;

pub use counts::{CountRatioMethod, DirichletMultinomialMethod};
pub use dependent::DependentMethod;
pub use logistic::LogisticMethod;
pub use naive_bayes::{
    CategoryModel, ColumnModel, Discretisation, KernelWidth, LearntModel, NaiveBayesMethod,
};
pub(crate) use naive_bayes::{Training, entry, is_fixed, one, option_name, setting};
pub use prior::PriorMethod;
pub use private::PrivateMethod;
pub use refined::RefinedMethod;
pub use wrong::{WrongGaussian, WrongRule};
