//! What nb-significance promises, tested through its public interface.

mod bayesian_signed_rank;
mod conclusions;
mod corners;
mod demsar;
mod hierarchical;
mod laws;
mod power;
mod practical;
mod reference;
