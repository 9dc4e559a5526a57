//! Bounds for what files may ask for.

use crate::with::with_fields;

/// How much a loader may read, and how much memory it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest file, in bytes.
    pub max_bytes: u64,
    /// The most memory that the sums and the parameters of the model may take, in bytes. A small file can
    /// ask for much: it leaves out sums that are zero.
    pub max_memory: u64,
}

impl Default for Limits {
    /// One gibibyte each.
    fn default() -> Self {
        Self { max_bytes: 1 << 30, max_memory: 1 << 30 }
    }
}

/// # Options
impl Limits {
    with_fields! {
        with_max_bytes max_bytes: u64;
        with_max_memory max_memory: u64;
    }
}
