//! Numbers that a coverage-guided fuzzer chooses.

use super::draw::Numbers;

/// One byte for each number, and zeros behind the last.
pub(super) struct Bytes(pub(super) std::vec::IntoIter<u8>);

impl Numbers for Bytes {
    fn next_u64(&mut self) -> u64 {
        self.0.next().unwrap_or_default().into()
    }

    fn real(&mut self) -> f64 {
        f64::from(self.0.next().unwrap_or_default()) / 32.0 - 4.0
    }
}
