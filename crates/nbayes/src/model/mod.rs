//! Models as the commands use them: files under a lock, the classifier of a model, its answers, and how rows
//! compare with those of training.

mod answers;
mod classifier;
mod file;
mod numbers_beyond;
mod parameters;
pub(crate) mod seen_rows;
mod unseen_values;
mod whole_counts;

use nb_io::Model;

pub(crate) use answers::{Answer, for_each_answer, pieces};
pub(crate) use classifier::{
    BEFORE_CALIBRATION, class_prior, dependent_options, first_probabilities, first_term, fitted,
    is_calibrated_plain, note_calibration, refuse_dependent, uncalibrated,
};
pub(crate) use file::{Lock, LockArgs, limit_memory, limits, load, load_classifier, most_memory, save};
pub(crate) use numbers_beyond::note_beyond;
pub(crate) use parameters::{Parameters, for_each_block, parameters};
pub(crate) use seen_rows::Seen;
pub(crate) use unseen_values::{Unfamiliar, note_non_numeric};

/// The total weight of the rows behind a model: their number, if they had no weights.
pub(crate) fn weight(model: &Model) -> f64 {
    // From zero: the sum of nothing would be a negative zero.
    model
        .stats()
        .class_weights()
        .iter()
        .map(nb_core::exact::Exact::to_f64)
        .fold(0.0, |sum, weight| sum + weight)
}
