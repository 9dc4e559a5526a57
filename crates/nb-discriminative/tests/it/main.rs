//! What nb-discriminative promises, tested through its public interface.

mod family;
mod learner;
mod pairs;
mod rising;
mod weighted;
