//! Which rows are held out together.

/// The fold of each row: the rows of a class are dealt to the folds in turn, in an order that depends on their number
/// alone, and each class goes on where the one before it ended.
pub(super) fn stratified(labels: &[usize], n_classes: usize, n_folds: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_unstable_by_key(|&row| (labels[row], mixed(row as u64)));
    debug_assert!(labels.iter().all(|&label| label < n_classes));
    let mut folds = vec![0; labels.len()];
    for (place, row) in order.into_iter().enumerate() {
        folds[row] = place % n_folds;
    }
    folds
}

/// Some of the rows, about the same share of each class; all of them if there are not more.
pub(super) fn sample(labels: &[usize], n_classes: usize, at_most: usize) -> Vec<usize> {
    if labels.len() <= at_most {
        return (0..labels.len()).collect();
    }
    let n_parts = labels.len().div_ceil(at_most);
    let folds = stratified(labels, n_classes, n_parts);
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
        let folds = stratified(&labels, 2, 5);
        for fold in 0..5 {
            let of_class = |class| (0..103).filter(|&row| folds[row] == fold && labels[row] == class).count();
            assert!((15..=16).contains(&of_class(0)) && (5..=6).contains(&of_class(1)), "{fold}");
        }
    }

    #[test]
    fn a_sample_has_the_shares_of_the_classes() {
        let labels: Vec<usize> = (0..1000).map(|row| usize::from(row % 10 == 0)).collect();
        let sample = sample(&labels, 2, 300);
        let ones = sample.iter().filter(|&&row| labels[row] == 1).count();
        assert!(sample.len() == 250 && ones == 25, "{} {ones}", sample.len());
    }
}
