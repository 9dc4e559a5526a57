//! Which numbers a model was made from: a number far from them is often in another unit, or in the column of
//! something else.

mod beyond;
mod finder;

use std::collections::BTreeMap;

pub use beyond::{Beyond, BeyondRanges};
pub use finder::RangeFinder;

/// The ranges of columns of numbers in the rows that a model was made from.
///
/// They are rounded outwards, to a hundredth or a tenth of their width, so that they say nothing of a single
/// row. Rows that are added or taken out later change the sums of a model and not its ranges.
///
/// ```
/// use nb_io::ValueRanges;
///
/// let ranges = ValueRanges::default().with("mass", 2700.25, 6298.5).with("sex", 0.0, 1.0);
/// assert_eq!(ranges.get("mass"), Some([2700.0, 6300.0]));
/// assert_eq!(ranges.get("sex"), Some([0.0, 1.0]));
/// assert_eq!(ranges.get("age"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueRanges {
    ranges: BTreeMap<String, [f64; 2]>,
}

impl ValueRanges {
    /// The same with a column whose numbers were from the first to the second; without it if there is no such
    /// range of finite width.
    #[must_use]
    pub fn with(mut self, column: impl Into<String>, least: f64, greatest: f64) -> Self {
        let column = column.into();
        match rounded(least, greatest) {
            Some(range) => self.ranges.insert(column, range),
            None => self.ranges.remove(&column),
        };
        self
    }

    /// The range of a column, if it is known.
    pub fn get(&self, column: &str) -> Option<[f64; 2]> {
        self.ranges.get(column).copied()
    }

    /// All columns whose ranges are known, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, [f64; 2])> {
        self.ranges.iter().map(|(column, &range)| (column.as_str(), range))
    }

    /// Whether no range is known.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The same with ranges as they were stored; none if one of them is no range.
    pub(crate) fn stored(ranges: impl IntoIterator<Item = (String, [f64; 2])>) -> Option<Self> {
        let is_range = |range: [f64; 2]| (range[1] - range[0]).is_finite() && range[0] <= range[1];
        let ranges = ranges.into_iter().map(|(column, range)| is_range(range).then_some((column, range)));
        Some(Self { ranges: ranges.collect::<Option<_>>()? })
    }

    /// The ranges of the rows of two models.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (column, &[low, high]) in &other.ranges {
            let own = self.ranges.entry(column.clone()).or_insert([low, high]);
            *own = [own[0].min(low), own[1].max(high)];
        }
    }
}

/// The range, rounded outwards to two digits of its width.
fn rounded(least: f64, greatest: f64) -> Option<[f64; 2]> {
    let width = greatest - least;
    if !width.is_finite() || width < 0.0 {
        return None;
    }
    if width == 0.0 {
        return Some([least, greatest]);
    }
    let digits = width.log10().floor() as i32 - 1;
    let step = 10_f64.powi(digits);
    // In decimals, so that the ends are written as shortly as they are meant.
    let end = |n_steps: f64| format!("{n_steps:.0}e{digits}").parse::<f64>().ok();
    let low = end((least / step).floor()).filter(|low| low.is_finite());
    let high = end((greatest / step).ceil()).filter(|high| high.is_finite());
    // Steps may be too fine for the size of the numbers.
    Some([low.map_or(least, |low| low.min(least)), high.map_or(greatest, |high| high.max(greatest))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_are_round() {
        for (least, greatest, range) in [
            (0.0, 1.0, [0.0, 1.0]),
            (0.013, 0.985, [0.01, 0.99]),
            (1931.0, 2007.0, [1931.0, 2007.0]),
            (1931.5, 2044.2, [1930.0, 2050.0]),
            (-3.217, 2.962, [-3.3, 3.0]),
            (7.0, 7.0, [7.0, 7.0]),
        ] {
            assert_eq!(rounded(least, greatest), Some(range));
        }
        assert_eq!(rounded(2.0, 1.0), None);
        assert_eq!(rounded(-f64::MAX, f64::MAX), None);
        assert_eq!(rounded(f64::NAN, 1.0), None);
    }

    proptest! {
        #[test]
        fn ranges_have_all_numbers_and_little_more(
            least in prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL,
            width in prop::num::f64::POSITIVE | prop::num::f64::ZERO,
        ) {
            let greatest = least + width;
            prop_assume!(greatest.is_finite() && (greatest - least).is_finite());
            let [low, high] = rounded(least, greatest).unwrap();
            prop_assert!(low <= least && greatest <= high);
            // Up to a tenth of the width on either side, and the rounding of doubles.
            let more = 0.2 * (greatest - least) + 4.0 * f64::EPSILON * least.abs().max(greatest.abs());
            prop_assert!(high - low <= (greatest - least) + more + f64::MIN_POSITIVE, "{low} {high}");
        }
    }
}
