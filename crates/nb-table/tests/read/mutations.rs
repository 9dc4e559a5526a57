//! Damaged files, made again from a seed.

/// Calls `check` with the start of a file, for each length, and with this many copies of it in which bits are
/// changed.
pub(crate) fn of(intact: &[u8], n_mutations: u64, mut check: impl FnMut(&[u8])) {
    let step = (intact.len() / 200).max(1);
    (0..intact.len()).step_by(step).for_each(|length| check(&intact[..length]));
    // SplitMix64.
    let mut state: u64 = 0;
    let mut next = |limit: usize| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    };
    for _ in 0..n_mutations {
        let mut bytes = intact.to_vec();
        for _ in 0..=next(4) {
            let place = next(bytes.len());
            bytes[place] = match next(4) {
                0 => 0xFF,
                1 => 0,
                _ => bytes[place] ^ 1 << next(8),
            };
        }
        check(&bytes);
    }
}
