//! Numbers for the cases of unit tests.

/// Numbers from zero to one, uniform, the same for the same seed: a linear congruential generator (Knuth,
/// *The Art of Computer Programming*, volume 2, 3.3.4), of which the upper bits are used.
pub(crate) fn uniforms(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}
