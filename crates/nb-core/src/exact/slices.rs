//! The arithmetic of [`window`](super::window): values as short slices whose sums and products do not round.

#![expect(clippy::needless_range_loop, reason = "a lane is the same in several arrays")]

use std::ops::Range;

use super::{
    ExactSums,
    columns::{add_strip_squares, add_strip_sums},
    window::Lanes,
};
use crate::{
    Missing, ValueProblem,
    instructions::{Code, LANES},
    observable,
};

/// The bits of a value, from the window's top down, that slices hold.
const BITS: i32 = 80;

/// How far below the window's top a value that is not zero may lie, so that its 53 bits are among these.
const RANGE: i32 = BITS - 53;

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
        Self {
            tops: sizes.map(|size| {
                let exponent = if size == 0.0 { 0 } else { exponent(size) + 2 };
                power_of_two(exponent.clamp(*TOPS.start(), *TOPS.end()))
            }),
        }
    }

    /// Whether there is a window at all.
    pub(super) fn are_set(&self) -> bool {
        self.tops[0] != 0.0
    }

    /// Whether all values that were seen fit.
    #[inline(always)]
    pub(super) fn contain(&self, seen: &Seen) -> bool {
        let mut fits = true;
        for lane in 0..LANES {
            let bottom = self.tops[lane] * const { power_of_two(-RANGE) };
            fits &= seen.largest[lane] <= self.tops[lane]
                && seen.smallest[lane] >= bottom.to_bits() - 1
                && seen.least[lane] == 0.0;
        }
        fits
    }

    /// For each lane the number that, added and taken off again, rounds to multiples of `2^(e - bits)`.
    #[inline(always)]
    fn rounders(&self, bits: i32) -> Lanes {
        // One and a half times the number whose last bit is that multiple: the sum stays in its binade.
        self.tops.map(|top| top * (1.5 * power_of_two(52 - bits)))
    }
}

/// The extremes of the values in each lane.
pub(super) struct Seen {
    /// The largest size.
    largest: Lanes,
    /// The smallest size but zero, as the integer that its bits are, less one: this makes zero the largest of all.
    smallest: [u64; LANES],
    /// The least value below zero where there must be none, else zero.
    least: Lanes,
}

impl Seen {
    pub(super) const NOTHING: Self =
        Self { largest: [0.0; LANES], smallest: [u64::MAX; LANES], least: [0.0; LANES] };

    /// Looks at one value of each lane. The comparisons are in the form that is one instruction.
    #[inline(always)]
    pub(super) fn see<S: Slices>(&mut self, lanes: &Lanes) {
        for lane in 0..LANES {
            let size = lanes[lane].abs();
            self.largest[lane] = if size > self.largest[lane] { size } else { self.largest[lane] };
        }
        for lane in 0..LANES {
            let below = lanes[lane].abs().to_bits().wrapping_sub(1);
            self.smallest[lane] = if below < self.smallest[lane] { below } else { self.smallest[lane] };
        }
        if !S::SIGNED {
            for lane in 0..LANES {
                self.least[lane] =
                    if lanes[lane] < self.least[lane] { lanes[lane] } else { self.least[lane] };
            }
        }
    }
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// `2^exponent`, for a normal result.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// `value` rounded to a multiple, and what is left; both exact.
#[inline(always)]
fn slice(value: &Lanes, rounder: &Lanes) -> (Lanes, Lanes) {
    let (mut high, mut rest) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        high[lane] = (value[lane] + rounder[lane]) - rounder[lane];
        rest[lane] = value[lane] - high[lane];
    }
    (high, rest)
}

/// `sum += value`, by the multiplier where there is a fused one: the adders are what these loops wait for. `one` is 1,
/// unknown to the compiler.
#[inline(always)]
fn add<C: Code>(sum: &mut Lanes, value: &Lanes, one: f64) {
    for lane in 0..LANES {
        sum[lane] = if C::FUSED { value[lane].mul_add(one, sum[lane]) } else { sum[lane] + value[lane] };
    }
}

/// `sum += a b`, where the product and the sum are exact.
#[inline(always)]
fn add_product<C: Code>(sum: &mut Lanes, a: &Lanes, b: &Lanes) {
    for lane in 0..LANES {
        sum[lane] = C::multiply_add(a[lane], b[lane], sum[lane]);
    }
}

/// A way to slice values, and what is summed of the slices.
pub(crate) trait Slices: Sized {
    /// The plain sums of one strip.
    type Planes: Copy + Default + std::fmt::Debug + Send;
    /// What they are emptied into.
    type Sums: Clone + std::fmt::Debug + Send;
    /// What is computed once for many rows.
    type Constants;

    /// Whether values may be negative; if not, negative ones do not fit a window.
    const SIGNED: bool;

    /// What is wrong with a value, if anything.
    fn problem(value: f64, missing: Missing) -> Option<ValueProblem>;

    /// Sums of `n_columns` columns, all zero.
    fn sums(n_columns: usize) -> Self::Sums;

    /// What [`add`](Self::add) needs to know of the window.
    fn constants(edges: &Edges) -> Self::Constants;

    /// Adds one value to each lane.
    fn add<C: Code>(planes: &mut Self::Planes, lanes: &Lanes, constants: &Self::Constants);

    /// Whether no plane is infinite or not a number.
    fn are_finite(planes: &Self::Planes) -> bool;

    /// Moves the lanes `own` of the planes to the sums of as many columns; lane 0 stands for column `first`.
    fn empty(planes: &Self::Planes, sums: &mut Self::Sums, first: usize, own: Range<usize>);

    /// Adds rows to the sums of the columns from `first` on, one value at a time.
    fn add_slowly<'a>(sums: &mut Self::Sums, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone);
}

/// `Σ x` of counts, by two slices of forty bits: each sum of 4096 has at most 52.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts;

impl Slices for Counts {
    type Planes = [Lanes; 2];
    type Sums = ExactSums;
    type Constants = Lanes;

    const SIGNED: bool = false;

    fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
        observable::count(value, missing)
    }

    fn sums(n_columns: usize) -> ExactSums {
        ExactSums::new(n_columns)
    }

    #[inline(always)]
    fn constants(edges: &Edges) -> Lanes {
        edges.rounders(BITS / 2)
    }

    #[inline(always)]
    fn add<C: Code>(planes: &mut [Lanes; 2], lanes: &Lanes, rounder: &Lanes) {
        let (high, low) = slice(lanes, rounder);
        for lane in 0..LANES {
            planes[0][lane] += high[lane];
            planes[1][lane] += low[lane];
        }
    }

    #[inline(always)]
    fn are_finite(planes: &[Lanes; 2]) -> bool {
        planes[0].iter().all(|sum| sum.is_finite())
    }

    fn empty(planes: &[Lanes; 2], sums: &mut ExactSums, first: usize, own: Range<usize>) {
        add_strip_sums(sums, first + own.start, planes.iter().map(|plane| &plane[own.clone()]));
    }

    fn add_slowly<'a>(sums: &mut ExactSums, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone) {
        add_strip_sums(sums, first, rows);
    }
}

/// `Σ x` and `Σ x²`, by four slices of twenty bits, `x = a + b + c + d`:
///
/// ```text
///  Σ x  = Σ a + Σ b + Σ (c + d)
///  Σ x² = Σ aa + 2 Σ ab + 2 Σ ac + Σ bb + 2 Σ ad + 2 Σ bc + 2 Σ bd + Σ cc + 2 Σ cd + Σ dd
/// ```
///
/// A product has at most 40 bits, a sum of 4096 at most 52. Nine additions for the slices and thirteen operations for
/// the sums, against some 65 for chains of error-free additions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments;

/// What [`Moments`] sums.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MomentPlanes {
    sums: [Lanes; 3],
    squares: [Lanes; 10],
}

/// How often each of [`MomentPlanes::squares`] counts.
const FACTORS: [f64; 10] = [1.0, 2.0, 2.0, 1.0, 2.0, 2.0, 2.0, 1.0, 2.0, 1.0];

impl Slices for Moments {
    type Planes = MomentPlanes;
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];
    type Constants = ([Lanes; 3], f64);

    const SIGNED: bool = true;

    fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
        observable::real(value, missing)
    }

    fn sums(n_columns: usize) -> [ExactSums; 2] {
        [ExactSums::new(n_columns), ExactSums::new(n_columns)]
    }

    #[inline(always)]
    fn constants(edges: &Edges) -> ([Lanes; 3], f64) {
        ([1, 2, 3].map(|slices| edges.rounders(slices * (BITS / 4))), std::hint::black_box(1.0))
    }

    #[inline(always)]
    fn add<C: Code>(planes: &mut MomentPlanes, lanes: &Lanes, (rounders, one): &([Lanes; 3], f64)) {
        let (a, rest) = slice(lanes, &rounders[0]);
        let (b, rest) = slice(&rest, &rounders[1]);
        let (c, d) = slice(&rest, &rounders[2]);
        for (sum, slice) in planes.sums.iter_mut().zip([&a, &b, &rest]) {
            add::<C>(sum, slice, *one);
        }
        let pairs = [
            (&a, &a),
            (&a, &b),
            (&a, &c),
            (&b, &b),
            (&a, &d),
            (&b, &c),
            (&b, &d),
            (&c, &c),
            (&c, &d),
            (&d, &d),
        ];
        for (sum, (left, right)) in planes.squares.iter_mut().zip(pairs) {
            add_product::<C>(sum, left, right);
        }
    }

    #[inline(always)]
    fn are_finite(planes: &MomentPlanes) -> bool {
        planes.sums[0].iter().all(|sum| sum.is_finite())
    }

    fn empty(planes: &MomentPlanes, [sums, squares]: &mut [ExactSums; 2], first: usize, own: Range<usize>) {
        add_strip_sums(sums, first + own.start, planes.sums.iter().map(|plane| &plane[own.clone()]));
        let mut whole = planes.squares;
        for (plane, factor) in whole.iter_mut().zip(FACTORS) {
            for sum in plane {
                *sum *= factor;
            }
        }
        add_strip_sums(squares, first + own.start, whole.iter().map(|plane| &plane[own.clone()]));
    }

    fn add_slowly<'a>(
        [sums, squares]: &mut [ExactSums; 2],
        first: usize,
        rows: impl Iterator<Item = &'a [f64]> + Clone,
    ) {
        add_strip_squares(sums, squares, first, rows);
    }
}
