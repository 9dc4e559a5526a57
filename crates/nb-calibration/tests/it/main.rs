//! What nb-calibration promises, tested through its public interface.

mod cases;
mod corners;
mod data;
mod held_out;
mod laws;
mod reference;
mod scikit_learn;
