//! Rows dealt by time: the last ones are held out.

use super::TRAIN;

/// The part of each row. The last rows are for testing, those before them for validation; rows of the same
/// time are in one part, so that parts are as near to their sizes as that allows. `None` if there are too few
/// different times.
pub(crate) fn by_time(times: &[f64], sizes: &[usize]) -> Option<Vec<u8>> {
    let mut rows: Vec<usize> = (0..times.len()).collect();
    rows.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
    let mut parts = vec![TRAIN; times.len()];
    let mut end = rows.len();
    for (part, &size) in (TRAIN + 1..).zip(sizes) {
        let start = cut(times, &rows[..end], end.checked_sub(size)?)?;
        for &row in &rows[start..end] {
            parts[row] = part;
        }
        end = start;
    }
    Some(parts)
}

/// The place nearest to `wanted` at which the time of the rows changes.
fn cut(times: &[f64], rows: &[usize], wanted: usize) -> Option<usize> {
    let changes = |&place: &usize| times[rows[place - 1]] < times[rows[place]];
    let before = (1..=wanted.min(rows.len().checked_sub(1)?)).rev().find(changes);
    let after = (wanted.max(1)..rows.len()).find(changes);
    match (before, after) {
        (Some(before), Some(after)) => Some(if wanted - before <= after - wanted { before } else { after }),
        (before, after) => before.or(after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rows_are_held_out() {
        assert_eq!(by_time(&[3.0, 1.0, 2.0, 5.0, 4.0], &[2]).unwrap(), [0, 0, 0, 1, 1]);
        assert_eq!(by_time(&[3.0, 1.0, 2.0, 5.0, 4.0], &[1, 2]).unwrap(), [2, 0, 0, 1, 2]);
    }

    #[test]
    fn ties_stay_together() {
        assert_eq!(by_time(&[1.0, 1.0, 2.0, 2.0, 2.0], &[1]).unwrap(), [0, 0, 1, 1, 1]);
        assert_eq!(by_time(&[1.0, 2.0, 2.0, 2.0, 3.0], &[2]).unwrap(), [0, 0, 0, 0, 1]);
        assert_eq!(by_time(&[1.0, 1.0], &[1]), None);
        assert_eq!(by_time(&[-0.0, 0.0, 1.0], &[1]).unwrap(), [0, 0, 1]);
    }
}
