//! Hashes that are the same everywhere, as they are in files or in the order of what is chosen.

/// The 64-bit FNV-1a of bytes (Fowler, Noll and Vo).
pub fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The output function of `SplitMix64` (Steele, Lea and Flood 2014), a bijection, in which every bit depends
/// on all.
pub fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
