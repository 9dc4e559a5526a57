//! The vector instructions behind nb-core and exact-sums, chosen at run time.
//!
//! # Should I be using this crate?
//!
//! No. It has what kernels of naive Bayes need and nothing else, and promises nothing between versions. Look
//! at `pulp` or `wide` instead.
//!
//! # What is here
//!
//! A [`Kernel`] is written once, over vectors of [`LANES`] doubles or [`LANES_F32`] floats.
//! [`InstructionSet::run`] compiles it for every instruction set and calls the copy that the processor can
//! execute; every copy gives the same bits.
//!
//! ```
//! use nb_simd::{Isa, InstructionSet, Kernel, LANES, Vector};
//!
//! struct Sum<'a>(&'a [[f64; LANES]]);
//!
//! impl Kernel for Sum<'_> {
//!     type Output = [f64; LANES];
//!
//!     #[inline(always)]
//!     fn run<C: Isa>(self) -> [f64; LANES] {
//!         let mut sum = C::Vector::splat(0.0);
//!         for lanes in self.0 {
//!             sum = sum.add(C::Vector::load(lanes));
//!         }
//!         let mut sums = [0.0; LANES];
//!         sum.store(&mut sums);
//!         sums
//!     }
//! }
//!
//! assert_eq!(InstructionSet::current().run(Sum(&[[1.0; LANES], [0.5; LANES]])), [1.5; LANES]);
//! ```
//!
//! All `unsafe` code of the workspace is in this crate, one file per architecture: `arch/avx2.rs`,
//! `arch/avx512.rs`, `arch/avx512_ifma.rs`, and a prefetch.

#![expect(clippy::return_self_not_must_use, reason = "vectors are numbers: every method gives a new one")]

mod arch;
mod choice;
pub mod error_free;
mod f32x16;
mod f64x8;
mod isa;
pub mod math;
pub mod prefetch;
pub mod tile;
mod u52x8;

pub use choice::{ForcedError, VARIABLE};
pub use f32x16::{CODES, LANES_F32, Table, VectorF32, Words};
pub use f64x8::{
    MagnitudeRange, SHIFTER, Vector, add_compensated, add_smaller, all_vectors_le, mul_power_of_two,
    split_exponent, take_smaller,
};
pub use isa::{COMPRESS_LANES, InstructionSet, Isa, Kernel};
pub use u52x8::FixedPoint;

/// The doubles that kernels work on together: the width of the widest registers.
pub const LANES: usize = 8;

/// The bytes that memory hands out together.
pub const LINE: usize = 64;

/// The README's examples, to be run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
