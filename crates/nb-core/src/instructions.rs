//! Instruction sets, chosen at run time: the one place that knows them, and, with the files below it, the only
//! `unsafe` code.
//!
//! A [`Kernel`] is written once, over arrays of [`LANES`] doubles that the compiler turns into vector registers.
//! [`InstructionSet::run`] compiles it for each set and calls the copy that the processor can execute. Every copy gives
//! the same bits: kernels fuse a multiplication and an addition only where the product is exact or where the result is
//! an estimate that is checked afterwards.

#[cfg(target_arch = "x86_64")]
mod look_up;
#[cfg(target_arch = "x86_64")]
mod pick;
mod singles;
#[cfg(target_arch = "x86_64")]
mod turn;
mod vector;

use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use singles::{CODES, SINGLES, Singles, Table, Words};
pub(crate) use vector::{
    FixedPoint, SHIFTER, Span, Vector, add_compensated, add_smaller, are_at_most, split_exponent,
    take_smaller, times_power_of_two,
};

/// The doubles that kernels work on together: the width of the widest registers.
pub(crate) const LANES: usize = 8;

/// The bytes that memory hands out together.
pub(crate) const LINE: usize = 64;

/// A set of vector instructions.
///
/// No result depends on it. Naming one serves tests and benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstructionSet {
    /// What every processor of the architecture has.
    Portable,
    /// AVX2 and fused multiply-add, on x86-64 since about 2013.
    Avx2,
    /// AVX-512 (F, VL, DQ, BW), on some x86-64; Gaussian fits multiply whole numbers (IFMA) where the processor can.
    Avx512,
}

/// The limit that [`InstructionSet::limit`] set, as a number; no limit at first.
static LIMIT: AtomicU8 = AtomicU8::new(u8::MAX);

/// The widest set that the processor has, as a number, once it was asked.
static WIDEST: AtomicU8 = AtomicU8::new(u8::MAX);

impl InstructionSet {
    /// All sets, the narrowest first; each contains the ones before it.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

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
            return if wide { Self::Avx512 } else { Self::Avx2 };
        }
        Self::Portable
    }

    /// From now on the whole process uses no wider set than this one. For tests and benchmarks, which want to see all
    /// of them; results stay the same.
    pub fn limit(self) {
        LIMIT.store(self as u8, Ordering::Relaxed);
    }

    /// The widest set that this processor has, up to the limit.
    #[inline]
    pub fn current() -> Self {
        let limit = LIMIT.load(Ordering::Relaxed);
        let usable = |set: &Self| *set as u8 <= limit && set.is_available();
        Self::ALL.into_iter().rev().find(usable).unwrap_or(Self::Portable)
    }

    /// Runs a kernel compiled for this set, or the portable copy if the processor does not have it.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the processor was asked for the instructions")
    )]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            // SAFETY: `is_available` says that the processor has the instructions of the set.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if self.is_available() => unsafe { run_avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => unsafe { run_avx2(kernel) },
            _ => kernel.run::<PortableCode>(),
        }
    }

    /// Whether the set has, on this processor, instructions that multiply whole numbers of 52 bits (AVX-512 IFMA).
    #[inline]
    pub(crate) fn multiplies(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx512 && self.is_available() {
            return is_x86_feature_detected!("avx512ifma");
        }
        false
    }

    /// [`run`](Self::run) for a kernel that multiplies whole numbers of 52 bits, with instructions for it if there are any.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the processor was asked for the instructions")
    )]
    pub(crate) fn run_multiplying<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self.multiplies() {
            // SAFETY: the processor has the instructions of the set and those that multiply.
            return unsafe { run_avx512_ifma(kernel) };
        }
        self.run(kernel)
    }
}

/// A computation that is worth compiling for several instruction sets.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// The computation. Implementations are `#[inline(always)]`, and so is everything they call, so that all of it is
    /// compiled with the instructions of the caller.
    fn run<C: Code>(self) -> Self::Output;
}

/// What a kernel may ask about the code that is being made of it.
pub(crate) trait Code {
    /// Eight doubles.
    type Vector: FixedPoint;

    /// Sixteen floats.
    type Singles: Singles;

    /// Whether a fused multiply-add is one instruction; without it `f64::mul_add` is a slow library call.
    const FUSED: bool;

    /// Whether registers hold thirty-two vectors.
    const MANY_REGISTERS: bool = false;

    /// The columns of eight rows of eight: compilers do not find the shuffles by themselves.
    #[inline(always)]
    fn turn(rows: &[&[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        std::array::from_fn(|column| rows.map(|row| row[column]))
    }

    /// The codes of sixteen rows, column by column: the first sixteen codes, and those that lie one and more strides behind
    /// them.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn words(codes: &[u8], stride: usize) -> Words {
        std::array::from_fn(|word| {
            std::array::from_fn(|row| {
                let codes = &codes[row * stride + 4 * word..][..4];
                u32::from_le_bytes([codes[0], codes[1], codes[2], codes[3]])
            })
        })
    }

    /// The places of the numbers that are `wanted`, counted from `first`, at the front of `places`, the rest of which is
    /// left undefined; how many they are.
    #[inline(always)]
    fn pick(numbers: &[u32; PICKED], wanted: u32, first: u32, places: &mut [u32; PICKED]) -> usize {
        let mut found = 0;
        for (place, &number) in numbers.iter().enumerate() {
            // Overwritten by the next unless this one is wanted.
            places[found] = first + place as u32;
            found += usize::from(number == wanted);
        }
        found
    }
}

/// So many numbers are looked through together.
pub(crate) const PICKED: usize = 16;

struct PortableCode;

impl Code for PortableCode {
    type Vector = vector::Array;
    type Singles = singles::Array;

    const FUSED: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));
}

#[cfg(target_arch = "x86_64")]
struct Avx2Code;

#[cfg(target_arch = "x86_64")]
impl Code for Avx2Code {
    type Vector = vector::Avx2;
    type Singles = singles::Avx2;

    const FUSED: bool = true;

    #[inline(always)]
    #[expect(unsafe_code, reason = "reached only by way of `run_avx2`")]
    fn turn(rows: &[&[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        // SAFETY: the processor has the instructions, or `run_avx2` would not have been called.
        unsafe { turn::turn_avx2(rows) }
    }
}

#[cfg(target_arch = "x86_64")]
struct Avx512Code<const IFMA: bool>;

#[cfg(target_arch = "x86_64")]
impl<const IFMA: bool> Code for Avx512Code<IFMA> {
    type Vector = vector::Avx512<IFMA>;
    type Singles = singles::Avx512;

    const FUSED: bool = true;
    const MANY_REGISTERS: bool = true;

    #[inline(always)]
    #[expect(unsafe_code, reason = "reached only by way of `run_avx512`")]
    fn turn(rows: &[&[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        // SAFETY: the processor has the instructions, or `run_avx512` would not have been called.
        unsafe { turn::turn_avx512(rows) }
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "reached only by way of `run_avx512`")]
    fn words(codes: &[u8], stride: usize) -> Words {
        // SAFETY: as above.
        unsafe { look_up::words_avx512(codes, stride) }
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "reached only by way of `run_avx512`")]
    fn pick(numbers: &[u32; PICKED], wanted: u32, first: u32, places: &mut [u32; PICKED]) -> usize {
        // SAFETY: as above.
        unsafe { pick::pick_avx512(numbers, wanted, first, places) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2Code>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512Code<false>>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,avx512ifma")]
fn run_avx512_ifma<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512Code<true>>()
}

/// Asks for the cache line that lies `ahead` numbers behind the first of these. Neither need exist: this is a hint that reads
/// nothing and cannot fail.
///
/// It goes into the second-level cache. The nearest one has few places for what is on its way, and cells at hand wait for
/// them: on Zen 4, dense rows take up to twice the time that way, and sparse ones up to a half more.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "a prefetch reads nothing, whatever its address")
)]
pub(crate) fn prefetch<T>(numbers: &[T], ahead: usize) {
    let address = numbers.as_ptr().wrapping_add(ahead);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch does not access memory as the language sees it, and faults on no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Turn([[f64; LANES]; LANES]);

    impl Kernel for Turn {
        type Output = [[f64; LANES]; LANES];

        #[inline(always)]
        fn run<C: Code>(self) -> Self::Output {
            C::turn(&self.0.each_ref())
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

    /// Whether all these values, one after the other in every lane, are between a quarter and four, or their sizes.
    struct Between<'a> {
        values: &'a [f64],
        signed: bool,
    }

    impl Kernel for Between<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<C: Code>(self) -> bool {
            let mut span = Span::of_nothing();
            for &value in self.values {
                let value = C::Vector::splat(value);
                if self.signed { span.widen_to_sizes(value) } else { span.widen(value) }
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
