//! The edges of windows, which are powers of two.

use super::{
    slices::Slices,
    window::{Lanes, MANY_ROWS},
};
use nb_simd::{LANES, Vector};

/// The tops of windows in which no product of slices underflows, and all that fits is observable: a multiple of
/// `2^-360` and at most `2^400`.
const TOPS: std::ops::RangeInclusive<i32> = -270..=398;

/// The edges of a window, for each column of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edges {
    /// `2^e`; zero if there is no window.
    tops: Lanes,
}

impl Edges {
    /// No window: nothing fits.
    pub(super) const NONE: Self = Self { tops: [0.0; LANES] };

    /// Windows with room above the sizes of these values. A column of zeros gets one somewhere.
    pub(super) fn around(sizes: &Lanes) -> Self {
        Self { tops: sizes.map(top_above) }
    }

    /// The windows below these; none where values would be too small for one.
    pub(super) fn below<S: Slices>(&self) -> Self {
        const LEAST: f64 = power_of_two(*TOPS.start());
        let tops = self.tops.map(|top| top * const { power_of_two(-S::RANGE) });
        Self { tops: tops.map(|top| if top < LEAST { 0.0 } else { top }) }
    }

    /// These windows, but moved up where rows are above them, if many or not by far, and down where all of many rows are
    /// below.
    pub(super) fn moved_to<S: Slices>(&self, rows: &[Lanes]) -> Self {
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

    /// These windows, with one raised to hold this size, if that is above it and not by far: what has turned up once comes
    /// again.
    pub(super) fn raised_to<S: Slices>(mut self, lane: usize, size: f64) -> Option<Self> {
        let top = &mut self.tops[lane];
        if size <= *top || size >= *top * power_of_two(S::RANGE) {
            return None;
        }
        *top = power_of_two((exponent(size) + 1).min(*TOPS.end()));
        (self.tops[lane] > size).then_some(self)
    }

    /// The top of each window.
    pub(super) fn tops(&self) -> &Lanes {
        &self.tops
    }

    /// Whether there is a window at all.
    pub(super) fn are_set(&self) -> bool {
        self.tops[0] != 0.0
    }

    /// The least and the largest size that fits, besides zero.
    #[inline(always)]
    pub(super) fn limits<S: Slices, V: Vector>(&self) -> (V, V) {
        let tops = V::load(&self.tops);
        (tops.times(V::splat(const { power_of_two(-S::RANGE) })), tops)
    }

    /// Sums of nothing: the tops, raised to a power, times numbers.
    #[inline(always)]
    pub(super) fn starts<const N: usize>(&self, factors: [(i32, f64); N]) -> [Lanes; N] {
        let mut starts = [self.tops; N];
        for (start, (power, factor)) in starts.iter_mut().zip(factors) {
            for top in start {
                *top *= if power == 1 { factor } else { *top * factor };
            }
        }
        starts
    }
}

/// The top of a window with room above a size.
fn top_above(size: f64) -> f64 {
    let exponent = if size == 0.0 { 0 } else { exponent(size) + 2 };
    power_of_two(exponent.clamp(*TOPS.start(), *TOPS.end()))
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// `2^exponent`, for a normal result.
pub(super) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
