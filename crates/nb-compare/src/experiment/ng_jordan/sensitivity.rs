//! How far the crossings depend on what the paper leaves open: the penalty, and how many splits there are.

use serde::{Deserialize, Serialize};

use super::{
    Place, crossing,
    curve::Wrong,
    summary::{self, Pattern},
};

/// The pattern of a problem with another penalty, or of fewer splits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The penalty of logistic regression.
    pub l2: f64,
    /// The number of splits.
    pub splits: usize,
    /// Where the curves cross for the last time.
    pub place: Place,
    /// Who is ahead where.
    pub pattern: Pattern,
}

impl Setting {
    /// The splits of one penalty; `None` if fewer than two of them have both classes at any size.
    pub(super) fn new(l2: f64, sizes: &[usize], n_test: usize, splits: &[Wrong]) -> Option<Self> {
        let points = summary::points(sizes, n_test, splits);
        let sizes: Vec<usize> = points.iter().map(|point| point.size).collect();
        let differences: Vec<f64> = points.iter().map(|point| point.difference.mean).collect();
        let pattern = Pattern::of(&points)?;
        Some(Self { l2, splits: splits.len(), place: crossing::place(&sizes, &differences), pattern })
    }
}

/// The tenth, the third (in ratios) and all of the splits, without repetitions and at least 2 each.
pub(super) fn numbers(splits: usize) -> Vec<usize> {
    let root = libm::sqrt(10.0);
    let mut numbers: Vec<usize> = [10.0, root, 1.0]
        .map(|part| ((splits as f64 / part).round() as usize).max(2))
        .into_iter()
        .filter(|&number| number <= splits)
        .collect();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_of_their_splits() {
        assert_eq!(numbers(1000), [100, 316, 1000]);
        assert_eq!(numbers(6), [2, 6]);
        assert_eq!(numbers(2), [2]);
        // Of ten test rows: naive Bayes is ahead at two rows and behind at eight, but not in the first two
        // splits.
        let ahead = [Some([1, 3]), Some([2, 2]), Some([3, 1])];
        let behind = [Some([4, 2]), Some([4, 2]), None];
        let splits: Vec<Wrong> =
            [behind, behind, ahead, ahead, ahead, ahead].map(|split| split.to_vec()).to_vec();
        let setting = |splits| Setting::new(0.1, &[2, 4, 8], 10, splits);
        let few = setting(&splits[..2]).expect("two splits");
        assert_eq!((few.splits, few.place, few.pattern), (2, Place::Before, Pattern::NeverAhead));
        let four = setting(&splits[2..]).expect("four splits");
        assert_eq!((four.place, four.pattern), (Place::At(4.0), Pattern::Overtaken));
        assert_eq!(setting(&splits[..1]), None);
    }
}
