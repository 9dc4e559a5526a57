//! Counts of two samples in the same categories or bins.

/// Why two samples cannot be compared by their counts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// The samples have different numbers of categories.
    #[error("there are {first} counts of the first sample and {second} of the second; give one per category")]
    Lengths {
        /// How many of the first.
        first: usize,
        /// How many of the second.
        second: usize,
    },
    /// A count is negative or no number.
    #[error("count {index} is {value}; it must be a finite number from 0")]
    Count {
        /// Which category, counted from 0.
        index: usize,
        /// Its count.
        value: f64,
    },
    /// A sample has no rows.
    #[error("a sample has no rows; give at least one row of each")]
    NoRows,
}

/// The counts of two samples in the categories that at least one of them has.
pub(super) struct Table {
    /// The place of each category among all, and its counts.
    pub(super) cells: Vec<(usize, [f64; 2])>,
    /// The number of rows of each sample.
    pub(super) totals: [f64; 2],
}

impl Table {
    pub(super) fn new(first: &[f64], second: &[f64]) -> Result<Self, CountsError> {
        if first.len() != second.len() {
            return Err(CountsError::Lengths { first: first.len(), second: second.len() });
        }
        for counts in [first, second] {
            if let Some(index) = counts.iter().position(|count| !(0.0..f64::INFINITY).contains(count)) {
                return Err(CountsError::Count { index, value: counts[index] });
            }
        }
        let totals = [first, second].map(|counts| counts.iter().sum::<f64>());
        if totals.iter().any(|total| *total <= 0.0) {
            return Err(CountsError::NoRows);
        }
        let cells = first.iter().zip(second).map(|(&a, &b)| [a, b]).enumerate();
        Ok(Self { cells: cells.filter(|(_, [a, b])| a + b > 0.0).collect(), totals })
    }
}
