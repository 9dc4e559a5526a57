//! What the families share in scoring rows of which only the sums are known.

use exact_sums::ExactSums;

/// Calls `visit` with every index and the sum there, rounded to a double; `None` if there are not `len` sums.
pub(crate) fn for_each_count(sums: &ExactSums, len: usize, mut visit: impl FnMut(usize, f64)) -> Option<()> {
    if sums.len() != len {
        return None;
    }
    match sums.as_plain() {
        Some(plain) => plain.iter().enumerate().for_each(|(index, &sum)| visit(index, sum)),
        None => sums.iter().enumerate().for_each(|(index, sum)| visit(index, sum.to_f64())),
    }
    Some(())
}
