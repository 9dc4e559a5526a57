//! Hyper-parameters and fitting in one call, and a classifier that is fitted after each row.

pub(crate) mod naive_bayes;
pub(crate) mod online;

pub use naive_bayes::NaiveBayes;
pub use online::OnlineClassifier;
