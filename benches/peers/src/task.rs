//! What a contender offers: an operation that can be repeated, and a look at what it answered.

use std::hash::{DefaultHasher, Hasher};

use serde::Serialize;

/// An operation whose preparation is over: calling it is what is timed.
pub(crate) type Task<'a> = Box<dyn FnMut() -> Answer<'a> + 'a>;

/// What a task returned. Calling it is not timed; it says how good the answers are.
pub(crate) type Answer<'a> = Box<dyn FnOnce() -> Check + 'a>;

/// A figure on which contenders should agree, and a digest of all bits of the answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Check {
    /// The accuracy over the rows (of a fit: over the first of them), or the mean logarithm of the largest
    /// posterior.
    pub(crate) check: f64,
    /// Equal for equal answers. One process is compared with another of the same program only.
    pub(crate) digest: String,
}

impl Check {
    /// The accuracy of labels.
    pub(crate) fn labels(predicted: impl Iterator<Item = i64>, y: &[i64]) -> Self {
        let (mut right, mut hasher) = (0_usize, DefaultHasher::new());
        for (predicted, &label) in predicted.zip(y) {
            right += usize::from(predicted == label);
            hasher.write_i64(predicted);
        }
        Self::new(right as f64 / y.len() as f64, &hasher)
    }

    /// The mean of the largest entry of each row of `classes` log-posteriors.
    pub(crate) fn log_posteriors(posteriors: impl Iterator<Item = f64>, classes: usize) -> Self {
        let (mut hasher, mut total, mut rows, mut top) =
            (DefaultHasher::new(), 0.0, 0_usize, f64::NEG_INFINITY);
        for (position, value) in posteriors.enumerate() {
            hasher.write_u64(value.to_bits());
            // NaN stays NaN, so that a broken answer is seen.
            top = if value > top || value.is_nan() { value } else { top };
            if (position + 1) % classes == 0 {
                (total, rows, top) = (total + top, rows + 1, f64::NEG_INFINITY);
            }
        }
        Self::new(total / rows as f64, &hasher)
    }

    /// Says that other numbers, such as the posteriors of a fitted model, belong to the answer.
    #[must_use]
    pub(crate) fn with_digest_of(self, values: impl Iterator<Item = f64>) -> Self {
        let mut hasher = DefaultHasher::new();
        values.for_each(|value| hasher.write_u64(value.to_bits()));
        Self::new(self.check, &hasher)
    }

    /// A check that is only there because there must be one.
    pub(crate) fn number(check: f64) -> Self {
        Self::new(check, &DefaultHasher::new())
    }

    fn new(check: f64, hasher: &DefaultHasher) -> Self {
        Self { check, digest: format!("{:016x}", hasher.finish()) }
    }
}

/// A message for an operation that a contender does not have.
pub(crate) fn none<'a>(what: &str) -> Result<Task<'a>, String> {
    Err(format!("no {what}"))
}
