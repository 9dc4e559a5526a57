//! How often rows were there before.

use std::collections::HashMap;

/// The most distinct rows that are counted; further ones always count as new.
const MOST_KEYS: usize = 1 << 20;

/// Counts rows by the hashes of what they hold, so that equal rows, of which it does not matter which is
/// which, need not share their fate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times(HashMap<u64, u64>);

impl Times {
    /// How often the row was there before.
    pub(crate) fn next(&mut self, key: u64) -> u64 {
        if let Some(times) = self.0.get_mut(&key) {
            *times += 1;
            return *times;
        }
        if self.0.len() < MOST_KEYS {
            self.0.insert(key, 0);
        }
        0
    }
}
