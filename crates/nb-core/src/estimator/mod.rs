//! Hyper-parameters and fitting in one call.

pub(crate) mod naive_bayes;

pub use naive_bayes::NaiveBayes;
