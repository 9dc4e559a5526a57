//! What nb-metrics promises, tested through its public interface.

mod cases;
mod corners;
mod groups;
mod laws;
mod reference;
mod scikit_learn;
