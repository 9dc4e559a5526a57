//! One file per architecture. Kernels meet them as [`Isa`](crate::Isa) only.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_ifma;
pub(crate) mod portable;
