//! What nb-private promises, tested through its public interface.

mod audit;
mod errors;
mod estimates;
mod merging;
#[cfg(feature = "serde")]
mod stored;
mod utility;

use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}
