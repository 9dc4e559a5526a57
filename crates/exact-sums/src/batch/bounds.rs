//! The bounds of bins, which are powers of two.

use crate::batch::{Lanes, MANY_ROWS, split::Split};
use nb_simd::{LANES, Vector};

/// The tops of bins in which no product of parts underflows, and all that fits is observable: a multiple of
/// `2^-360` and at most `2^400`.
const TOPS: std::ops::RangeInclusive<i32> = -270..=398;

/// The bounds of a bin, for each column of a column group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinBounds {
    /// `2^e`; zero if there is no bin.
    tops: Lanes,
}

impl BinBounds {
    /// No window: nothing fits.
    pub(crate) const NONE: Self = Self { tops: [0.0; LANES] };

    /// Bins with room above the sizes of these values. A column of zeros gets one somewhere.
    #[inline]
    pub(crate) fn covering(sizes: &Lanes) -> Self {
        Self { tops: sizes.map(top_above) }
    }

    /// The bins below these; none where values would be too small for one.
    pub(crate) fn below<S: Split>(&self) -> Self {
        const LEAST: f64 = power_of_two(*TOPS.start());
        let tops = self.tops.map(|top| top * const { power_of_two(-S::RANGE) });
        Self { tops: tops.map(|top| if top < LEAST { 0.0 } else { top }) }
    }

    /// These bins, but moved up where rows are above them, if many or not by far, and down where all of many
    /// rows are below.
    pub(crate) fn refitted_to<S: Split>(&self, rows: &[Lanes]) -> Self {
        let mut tops = self.tops;
        for (lane, top) in tops.iter_mut().enumerate() {
            let sizes = rows.iter().map(|row| row[lane].abs());
            let largest = sizes.clone().fold(0.0, f64::max);
            let n_above = sizes.filter(|size| size > top).count();
            let is_above =
                largest > *top && largest < *top * power_of_two(S::RANGE) || 4 * n_above > rows.len();
            let is_below = largest < *top * power_of_two(-S::RANGE) && largest > 0.0;
            if *top == 0.0 || is_above || is_below && rows.len() >= MANY_ROWS {
                *top = top_above(largest);
            }
        }
        Self { tops }
    }

    /// These bins, with one raised to hold this size, if that is above it and not by far: what has turned up
    /// once comes again.
    pub(crate) fn widened_to<S: Split>(mut self, lane: usize, size: f64) -> Option<Self> {
        let top = &mut self.tops[lane];
        if size <= *top || size >= *top * power_of_two(S::RANGE) {
            return None;
        }
        *top = power_of_two((exponent(size) + 1).min(*TOPS.end()));
        (self.tops[lane] > size).then_some(self)
    }

    /// Whether each top is zero, or a power of two in the range of tops.
    #[inline]
    pub(crate) fn are_valid(&self) -> bool {
        let is_valid =
            |top: &f64| *top == 0.0 || TOPS.contains(&exponent(*top)) && *top == power_of_two(exponent(*top));
        self.tops.iter().all(is_valid)
    }

    /// The top of each bin.
    #[inline]
    pub(crate) fn tops(&self) -> &Lanes {
        &self.tops
    }

    /// Whether there is a bin at all.
    #[inline]
    pub(crate) fn are_set(&self) -> bool {
        self.tops[0] != 0.0
    }

    /// The least and the largest size that fits, besides zero.
    #[inline(always)]
    pub(crate) fn limits<S: Split, V: Vector>(&self) -> (V, V) {
        let tops = V::load(&self.tops);
        (tops.mul(V::splat(const { power_of_two(-S::RANGE) })), tops)
    }

    /// Sums of nothing: the tops, raised to a power, times numbers.
    #[inline(always)]
    pub(crate) fn starts<const N: usize>(&self, factors: [(i32, f64); N]) -> [Lanes; N] {
        let mut starts = [self.tops; N];
        for (start, (power, factor)) in starts.iter_mut().zip(factors) {
            for top in start {
                *top *= if power == 1 { factor } else { *top * factor };
            }
        }
        starts
    }
}

/// The top of a bin with room above a size.
fn top_above(size: f64) -> f64 {
    let exponent = if size == 0.0 { 0 } else { exponent(size) + 2 };
    power_of_two(exponent.clamp(*TOPS.start(), *TOPS.end()))
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// `2^exponent`, for a normal result.
#[inline]
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
