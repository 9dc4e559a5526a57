//! Instruction sets, chosen at run time: the one place that knows them, and, with the files below it, the
//! only `unsafe` code.
//!
//! A [`Kernel`] is written once, over arrays of [`LANES`] doubles that the compiler turns into vector
//! registers. [`InstructionSet::run`] compiles it for each set and calls the copy that the processor can
//! execute. Every copy gives the same bits: kernels fuse a multiplication and an addition only where the
//! product is exact or where the result is an estimate that is checked afterwards.

use std::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "x86_64")]
use crate::arch::{avx2::run_avx2, avx512::run_avx512, avx512_ifma::run_avx512_ifma};
use crate::{
    LANES,
    arch::portable::Portable,
    f32x16::{VectorF32, Words},
    u52x8::FixedPoint,
};

/// A set of vector instructions.
///
/// No result depends on it. Naming one serves tests and benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstructionSet {
    /// What every processor of the architecture has.
    Portable,
    /// AVX2 and fused multiply-add, on x86-64 since about 2013.
    Avx2,
    /// AVX-512 (F, VL, DQ, BW), on some x86-64.
    Avx512,
    /// AVX-512 with instructions that multiply whole numbers of 52 bits (IFMA), which Gaussian fits use.
    Avx512Ifma,
}

/// The widest set that the processor has, as a number, once it was asked.
static WIDEST: AtomicU8 = AtomicU8::new(u8::MAX);

impl InstructionSet {
    /// All sets, the narrowest first; each contains the ones before it.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Avx512Ifma];

    /// The name of the set, as `NB_INSTRUCTIONS` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Avx512Ifma => "avx512ifma",
        }
    }

    /// Whether this processor has the set.
    #[inline]
    pub fn is_available(self) -> bool {
        let mut widest = WIDEST.load(Ordering::Relaxed);
        if widest == u8::MAX {
            widest = Self::detect() as u8;
            WIDEST.store(widest, Ordering::Relaxed);
        }
        self as u8 <= widest
    }

    fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw");
            return match (wide, is_x86_feature_detected!("avx512ifma")) {
                (true, true) => Self::Avx512Ifma,
                (true, false) => Self::Avx512,
                (false, _) => Self::Avx2,
            };
        }
        Self::Portable
    }

    /// Runs a kernel compiled for this set, or the portable copy if the processor does not have it.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the instructions were detected at run time")
    )]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 | Self::Avx512Ifma if self.is_available() => {
                Self::Avx512.record();
                // SAFETY: `is_available` says that the processor has the instructions of the set.
                unsafe { run_avx512(kernel) }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => {
                Self::Avx2.record();
                // SAFETY: as above.
                unsafe { run_avx2(kernel) }
            }
            _ => {
                Self::Portable.record();
                kernel.run::<Portable>()
            }
        }
    }

    /// Whether the set has, on this processor, instructions that multiply whole numbers of 52 bits (AVX-512
    /// IFMA).
    #[inline]
    pub fn has_ifma(self) -> bool {
        self == Self::Avx512Ifma && self.is_available()
    }

    /// [`run`](Self::run) for a kernel that multiplies whole numbers of 52 bits, with instructions for it if
    /// there are any.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the instructions were detected at run time")
    )]
    pub fn run_with_ifma<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self.has_ifma() {
            Self::Avx512Ifma.record();
            // SAFETY: the processor has the instructions of the set and those that multiply.
            return unsafe { run_avx512_ifma(kernel) };
        }
        self.run(kernel)
    }
}

/// A computation that is worth compiling for several instruction sets.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// The computation. Implementations are `#[inline(always)]`, and so is everything they call, so that all
    /// of it is compiled with the instructions of the caller.
    fn run<C: Isa>(self) -> Self::Output;
}

/// What a kernel may ask about the code that is being made of it.
pub trait Isa {
    /// Eight doubles.
    type Vector: FixedPoint;

    /// Sixteen floats.
    type VectorF32: VectorF32;

    /// Whether a fused multiply-add is one instruction; without it `f64::mul_add` is a slow library call.
    const HAS_FMA: bool;

    /// Whether registers hold thirty-two vectors.
    const HAS_32_REGISTERS: bool = false;

    /// The columns of eight rows of eight: compilers do not find the shuffles by themselves.
    #[inline(always)]
    fn transpose(rows: &[&[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        std::array::from_fn(|column| rows.map(|row| row[column]))
    }

    /// The codes of sixteen rows, column by column: the first sixteen codes, and those that lie one and more
    /// strides behind them.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn gather_bytes(codes: &[u8], stride: usize) -> Words {
        std::array::from_fn(|word| {
            std::array::from_fn(|row| {
                let codes = &codes[row * stride + 4 * word..][..4];
                u32::from_le_bytes([codes[0], codes[1], codes[2], codes[3]])
            })
        })
    }

    /// The places of the numbers that are `wanted`, counted from `first`, at the front of `places`, the rest
    /// of which is left undefined; how many they are.
    #[inline(always)]
    fn compress(
        numbers: &[u32; COMPRESS_LANES],
        wanted: u32,
        first: u32,
        places: &mut [u32; COMPRESS_LANES],
    ) -> usize {
        let mut found = 0;
        for (place, &number) in numbers.iter().enumerate() {
            // Overwritten by the next unless this one is wanted.
            places[found] = first + place as u32;
            found += usize::from(number == wanted);
        }
        found
    }
}

/// Number of integers that are compressed together.
pub const COMPRESS_LANES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::f64x8::{MagnitudeRange, Vector};

    struct Turn([[f64; LANES]; LANES]);

    impl Kernel for Turn {
        type Output = [[f64; LANES]; LANES];

        #[inline(always)]
        fn run<C: Isa>(self) -> Self::Output {
            C::transpose(&self.0.each_ref())
        }
    }

    #[test]
    fn every_set_turns_squares() {
        let square: [[f64; LANES]; LANES] =
            std::array::from_fn(|row| std::array::from_fn(|column| (row * LANES + column) as f64));
        for set in InstructionSet::ALL {
            let turned = set.run(Turn(square));
            for row in 0..LANES {
                for column in 0..LANES {
                    assert_eq!(turned[column][row], square[row][column], "{set:?}");
                }
            }
        }
    }

    /// Whether all these values, one after the other in every lane, are between a quarter and four, or their
    /// sizes.
    struct Between<'a> {
        values: &'a [f64],
        signed: bool,
    }

    impl Kernel for Between<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<C: Isa>(self) -> bool {
            let mut span = MagnitudeRange::empty();
            for &value in self.values {
                let value = C::Vector::splat(value);
                if self.signed { span.include_abs(value) } else { span.include(value) }
            }
            span.is_between(C::Vector::splat(0.25), C::Vector::splat(4.0))
        }
    }

    #[test]
    fn every_set_tells_between_which_powers_of_two_sizes_are() {
        let (least, most) = (0.25 * (1.0 + 1e-6), 4.0 * (1.0 - 1e-6));
        let above_or_below = [0.25 * (1.0 - 1e-6), 4.0 * (1.0 + 1e-6), 1e-310, f64::INFINITY];
        let outside = [&above_or_below[..], &[f64::NAN, -1.0, -0.0]].concat();
        let outside_without_sign = [above_or_below, above_or_below.map(|value| -value)].concat();
        for set in InstructionSet::ALL {
            let between = |signed: bool, values: &[f64]| set.run(Between { values, signed });
            for within in [&[][..], &[0.0], &[1.0], &[least, 0.0, most], &[most, least, 2.5]] {
                let negative: Vec<f64> = within.iter().map(|value| -value).collect();
                assert!(between(false, within), "{set:?} {within:?}");
                assert!(between(true, within) && between(true, &negative), "{set:?} {within:?}");
                for (signed, outside) in [(false, &outside), (true, &outside_without_sign)] {
                    for &value in outside {
                        for place in 0..=within.len() {
                            let mut values = within.to_vec();
                            values.insert(place, value);
                            assert!(!between(signed, &values), "{set:?} {values:?}");
                        }
                    }
                }
            }
        }
    }
}
