//! Calibrated probabilities.
