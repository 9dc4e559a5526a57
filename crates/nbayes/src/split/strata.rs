//! Rows dealt class by class.

use super::TRAIN;

/// The part of each row: for training, or one of those that are held out, which have `sizes` rows. Of each
/// class as many rows are held out as its share of all rows says, by largest remainders, but at least one row
/// is left for training. Rows are taken in the order of their keys. `None` if there are too few rows for
/// that.
pub(crate) fn stratified(
    keys: &[u64],
    classes: &[usize],
    n_classes: usize,
    sizes: &[usize],
) -> Option<Vec<u8>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n_classes];
    for (row, &class) in classes.iter().enumerate() {
        rows[class].push(row);
    }
    for rows in &mut rows {
        rows.sort_by_key(|&row| (keys[row], row));
    }
    let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    let mut left = counts.clone();
    let mut parts = vec![TRAIN; keys.len()];
    for (part, &size) in (TRAIN + 1..).zip(sizes) {
        // One class is no choice between classes.
        let spare = |&left: &usize| if n_classes > 1 { left.saturating_sub(1) } else { left };
        let quotas = quotas(&counts, &left.iter().map(spare).collect::<Vec<_>>(), size)?;
        for (class, quota) in quotas.into_iter().enumerate() {
            let first = counts[class] - left[class];
            for &row in &rows[class][first..first + quota] {
                parts[row] = part;
            }
            left[class] -= quota;
        }
    }
    Some(parts)
}

/// A number of rows of each class, `size` in all, in proportion to `counts` and none above its limit
/// (Hamilton's method).
fn quotas(counts: &[usize], limits: &[usize], size: usize) -> Option<Vec<usize>> {
    if limits.iter().sum::<usize>() < size {
        return None;
    }
    let n_rows: usize = counts.iter().sum();
    let exact = |count: usize| count as u128 * size as u128;
    let mut quotas: Vec<usize> = counts
        .iter()
        .zip(limits)
        .map(|(&count, &limit)| ((exact(count) / n_rows as u128) as usize).min(limit))
        .collect();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&class| std::cmp::Reverse(exact(counts[class]) % n_rows as u128));
    let mut missing = size - quotas.iter().sum::<usize>();
    while missing > 0 {
        for &class in &order {
            if missing > 0 && quotas[class] < limits[class] {
                quotas[class] += 1;
                missing -= 1;
            }
        }
    }
    Some(quotas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_proportional_within_limits() {
        assert_eq!(quotas(&[50, 30, 20], &[49, 29, 19], 10), Some(vec![5, 3, 2]));
        // 3.5, 2.1 and 1.4: the largest remainder gets the last.
        assert_eq!(quotas(&[50, 30, 20], &[50, 30, 20], 7), Some(vec![4, 2, 1]));
        assert_eq!(quotas(&[1, 9], &[0, 8], 5), Some(vec![0, 5]));
        assert_eq!(quotas(&[1, 1], &[0, 0], 1), None);
    }

    #[test]
    fn every_class_stays_in_training() {
        let classes = [0, 0, 0, 0, 1, 1, 2];
        let parts = stratified(&[5, 3, 1, 7, 2, 9, 4], &classes, 3, &[2, 1]).unwrap();
        let count = |part| parts.iter().map(|&other| usize::from(other == part)).sum::<usize>();
        assert_eq!((count(0), count(1), count(2)), (4, 2, 1));
        for class in 0..3 {
            assert!(parts.iter().zip(classes).any(|(&part, other)| part == TRAIN && other == class));
        }
        // The smallest keys first.
        assert_eq!(parts[2], 1);
    }
}
