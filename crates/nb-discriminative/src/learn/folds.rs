//! Which rows are held out together.

use std::{cmp::Reverse, collections::BTreeMap};

/// The fold of each row: the rows of a class are dealt to the folds in turn, in an order that depends on
/// their number alone, and each class goes on where the one before it ended. Rows of a group are in one fold.
pub(super) fn stratified(
    labels: &[usize],
    groups: Option<&[usize]>,
    n_classes: usize,
    n_folds: usize,
) -> Vec<usize> {
    debug_assert!(labels.iter().all(|&label| label < n_classes));
    if let Some(groups) = groups {
        return by_groups(labels, groups, n_classes, n_folds);
    }
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_unstable_by_key(|&row| (labels[row], mixed(row as u64)));
    let mut folds = vec![0; labels.len()];
    for (place, row) in order.into_iter().enumerate() {
        folds[row] = place % n_folds;
    }
    folds
}

/// Whole groups are dealt, the largest first, each to the fold that has the smallest shares of the classes of
/// its rows.
fn by_groups(labels: &[usize], groups: &[usize], n_classes: usize, n_folds: usize) -> Vec<usize> {
    let mut of_groups = BTreeMap::<usize, Vec<usize>>::new();
    let mut totals = vec![0.0; n_classes];
    for (row, &group) in groups.iter().enumerate() {
        of_groups.entry(group).or_default().push(row);
        totals[labels[row]] += 1.0;
    }
    let mut order: Vec<(usize, Vec<usize>)> = of_groups.into_iter().collect();
    order.sort_unstable_by_key(|(group, rows)| (Reverse(rows.len()), mixed(*group as u64)));
    let mut shares = vec![vec![0.0; n_classes]; n_folds];
    let (mut sizes, mut folds) = (vec![0; n_folds], vec![0; labels.len()]);
    for (_, rows) in order {
        let shares_in = |fold: usize| rows.iter().map(|&row| shares[fold][labels[row]]).sum::<f64>();
        let least =
            |a: &usize, b: &usize| shares_in(*a).total_cmp(&shares_in(*b)).then(sizes[*a].cmp(&sizes[*b]));
        let fold = (0..n_folds).min_by(least).unwrap_or(0);
        sizes[fold] += rows.len();
        for row in rows {
            shares[fold][labels[row]] += 1.0 / totals[labels[row]];
            folds[row] = fold;
        }
    }
    folds
}

/// Some of the rows, about the same share of each class, and whole groups; all of them if there are not more.
pub(super) fn sample(
    labels: &[usize],
    groups: Option<&[usize]>,
    n_classes: usize,
    at_most: usize,
) -> Vec<usize> {
    if labels.len() <= at_most {
        return (0..labels.len()).collect();
    }
    let n_parts = labels.len().div_ceil(at_most);
    let folds = stratified(labels, groups, n_classes, n_parts);
    (0..labels.len()).filter(|&row| folds[row] == 0).collect()
}

/// A number that looks random (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number generators*).
pub(super) fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_every_class() {
        let labels: Vec<usize> = (0..103).map(|row| usize::from(row % 4 == 0)).collect();
        let folds = stratified(&labels, None, 2, 5);
        for fold in 0..5 {
            let of_class = |class| (0..103).filter(|&row| folds[row] == fold && labels[row] == class).count();
            assert!((15..=16).contains(&of_class(0)) && (5..=6).contains(&of_class(1)), "{fold}");
        }
    }

    #[test]
    fn a_sample_has_the_shares_of_the_classes() {
        let labels: Vec<usize> = (0..1000).map(|row| usize::from(row % 10 == 0)).collect();
        let sample = sample(&labels, None, 2, 300);
        let ones = sample.iter().filter(|&&row| labels[row] == 1).count();
        assert!(sample.len() == 250 && ones == 25, "{} {ones}", sample.len());
    }

    #[test]
    fn groups_stay_whole_and_classes_are_shared_out() {
        let groups: Vec<usize> = (0..600).map(|row| row / 12).collect();
        let labels: Vec<usize> = groups.iter().map(|group| usize::from(group % 4 == 0)).collect();
        let folds = stratified(&labels, Some(&groups), 2, 5);
        assert!(groups.iter().zip(&folds).all(|(group, fold)| folds[group * 12] == *fold));
        for fold in 0..5 {
            let of_class = |class| (0..600).filter(|&row| folds[row] == fold && labels[row] == class).count();
            assert!((70..=100).contains(&of_class(0)) && (24..=36).contains(&of_class(1)), "{fold}");
        }
        let sample = sample(&labels, Some(&groups), 2, 200);
        assert!(sample.len().is_multiple_of(12) && (150..=250).contains(&sample.len()), "{}", sample.len());
    }
}
