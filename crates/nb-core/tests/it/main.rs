//! What nb-core promises, tested through its public interface.

mod any_size;
mod arrays;
mod cross_validation;
mod dispersed;
mod equality;
mod folds;
mod forwarding;
mod hostile;
mod instruction_sets;
mod large_counts;
mod laws;
mod likelihood_of_stats;
mod online;
#[cfg(feature = "rayon")]
mod parallel;
mod precision;
mod quick;
mod removal;
mod sampling;
#[cfg(feature = "serde")]
mod serialization;
mod third_party;
mod weights;
mod wide_counts;
#[cfg(feature = "rayon")]
mod wide_tables;
