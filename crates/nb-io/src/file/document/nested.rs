//! Blocks within blocks: read to a depth that no model needs more of and every stack has room for.

use std::cell::Cell;

use serde::{Deserialize, Deserializer, de::Error};

use super::FamilyDocument;
use crate::model::MAX_DEPTH;

thread_local! {
    /// How many blocks the one that is being read is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// One block deeper until it is dropped, also when reading fails.
struct Deeper;

impl Deeper {
    fn new() -> Self {
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// The family of a block.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FamilyDocument, D::Error> {
    if DEPTH.get() == MAX_DEPTH {
        return Err(D::Error::custom(format!("blocks are nested more than {MAX_DEPTH} deep")));
    }
    let _deeper = Deeper::new();
    FamilyDocument::deserialize(deserializer)
}
