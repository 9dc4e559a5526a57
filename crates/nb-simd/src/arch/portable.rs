//! Plain arrays, for all processors: no `unsafe` here.

use crate::{
    LANES, LANES_F32,
    error_free::two_prod,
    f32x16::VectorF32,
    f64x8::{Vector, mul_power_of_two, split_exponent},
    isa::Isa,
    u52x8::FixedPoint,
};

/// The code that every processor can run.
pub(crate) struct Portable;

impl Isa for Portable {
    type Vector = F64x8;
    type VectorF32 = F32x16;

    const HAS_FMA: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));
}

/// An array, for all that has no kind of its own. Two lanes at a time is what x86-64 and ARM have at least.
#[derive(Clone, Copy)]
pub(crate) struct F64x8([f64; LANES]);

impl F64x8 {
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn zip(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        let mut lanes = self.0;
        for lane in 0..LANES {
            lanes[lane] = operation(self.0[lane], other.0[lane]);
        }
        Self(lanes)
    }
}

impl Vector for F64x8 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn load(lanes: &[f64; LANES]) -> Self {
        Self(*lanes)
    }

    #[inline(always)]
    fn load_f32(lanes: &[f32; LANES]) -> Self {
        let mut wide = [0.0; LANES];
        for (wide, &lane) in wide.iter_mut().zip(lanes) {
            *wide = f64::from(lane);
        }
        Self(wide)
    }

    #[inline(always)]
    fn load_i16(lanes: &[i16; LANES]) -> Self {
        Self(lanes.map(f64::from))
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f64; LANES]) {
        *lanes = self.0;
    }

    #[inline(always)]
    fn store_f32(self, lanes: &mut [f32; LANES]) {
        for (single, lane) in lanes.iter_mut().zip(self.0) {
            *single = lane as f32;
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.zip(self, |a, _| a.abs())
    }

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| f64::from_bits(a.to_bits() | b.to_bits()))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if b > a { b } else { a })
    }

    #[inline(always)]
    fn min_bits_minus_one(self, size: Self) -> Self {
        self.zip(size, |a, b| f64::from_bits(a.to_bits().min(b.to_bits().wrapping_sub(1))))
    }

    #[inline(always)]
    fn all_le(self, limit: Self) -> bool {
        self.0.iter().zip(&limit.0).all(|(value, limit)| value <= limit)
    }

    #[inline(always)]
    fn bits_ge(self, limit: Self) -> bool {
        self.0.iter().zip(&limit.0).all(|(value, limit)| value.to_bits() >= limit.to_bits())
    }

    #[inline(always)]
    fn out_of_range_mask(self, lowest: Self, highest: Self) -> u8 {
        let mut out_of_range_mask = 0;
        for lane in 0..LANES {
            let value = self.0[lane];
            let is_within = u8::from(value >= lowest.0[lane]) & u8::from(value <= highest.0[lane]);
            out_of_range_mask |= (u8::from(value != 0.0) & !is_within) << lane;
        }
        out_of_range_mask
    }

    #[inline(always)]
    fn zero_lanes(mut self, lanes: u8) -> Self {
        for (lane, value) in self.0.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                *value = 0.0;
            }
        }
        self
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self.mul(factor).add(term)
    }

    #[inline(always)]
    fn square(self) -> (Self, Self) {
        let (mut products, mut errors) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            (products[lane], errors[lane]) = two_prod(self.0[lane], self.0[lane]);
        }
        (Self(products), Self(errors))
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        self.zip(divisor, |a, b| a / b)
    }

    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn select_gt(self, limit: Self, then: Self, otherwise: Self) -> Self {
        let mut lanes = otherwise.0;
        for lane in 0..LANES {
            lanes[lane] = if self.0[lane] > limit.0[lane] { then.0[lane] } else { lanes[lane] };
        }
        Self(lanes)
    }

    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn zero_where_eq(self, left: Self, right: Self) -> Self {
        let mut lanes = self.0;
        for lane in 0..LANES {
            lanes[lane] = if left.0[lane] == right.0[lane] { 0.0 } else { lanes[lane] };
        }
        Self(lanes)
    }

    #[inline(always)]
    fn mul_power_of_two(self, exponent: Self) -> Self {
        self.zip(exponent, mul_power_of_two)
    }

    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        (self.zip(self, |a, _| split_exponent(a).0), self.zip(self, |a, _| split_exponent(a).1))
    }
}

impl FixedPoint for F64x8 {}

/// An array, for all that has no kind of its own.
#[derive(Clone, Copy)]
pub(crate) struct F32x16([f32; LANES_F32]);

impl F32x16 {
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn zip(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let mut lanes = self.0;
        for lane in 0..LANES_F32 {
            lanes[lane] = operation(self.0[lane], other.0[lane]);
        }
        Self(lanes)
    }
}

impl VectorF32 for F32x16 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; LANES_F32])
    }

    #[inline(always)]
    fn load(lanes: &[f32; LANES_F32]) -> Self {
        Self(*lanes)
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f32; LANES_F32]) {
        *lanes = self.0;
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self.mul(factor).add(term)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if b > a { b } else { a })
    }

    #[inline(always)]
    fn lane_sums(rows: &[Self; LANES_F32]) -> Self {
        let mut sums = [0.0; LANES_F32];
        for (sum, Self(row)) in sums.iter_mut().zip(rows) {
            let mut lanes = *row;
            for width in [8, 4] {
                for lane in 0..width {
                    lanes[lane] += lanes[lane + width];
                }
            }
            *sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
        }
        Self(sums)
    }
}
