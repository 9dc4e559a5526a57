//! What nb-core promises, tested through its public interface.

mod hostile;
mod laws;
#[cfg(feature = "rayon")]
mod parallel;
mod precision;
mod quick;
mod sampling;
mod third_party;
