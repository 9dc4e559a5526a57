//! Check 2: numbers that others have published.

mod breast_cancer;
mod diagonal_qda;
mod iris;
mod klar;
mod ng_jordan;
mod spam;
mod textbook;

use super::check::Check;

pub(super) fn checks() -> Vec<Check> {
    [
        breast_cancer::checks(),
        spam::checks(),
        iris::checks(),
        diagonal_qda::checks(),
        textbook::checks(),
        ng_jordan::checks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How many labels are those of the data.
fn n_correct(predicted: &[usize], labels: &[usize]) -> usize {
    predicted.iter().zip(labels).filter(|(predicted, label)| predicted == label).count()
}
