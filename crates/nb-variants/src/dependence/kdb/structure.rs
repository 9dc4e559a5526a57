//! On which columns each column depends.

use nb_core::family::ClassSums;

use super::super::{PairCounts, information, tree};

/// The parents of each column: up to `k` of the columns that say more of the class, by their information within the classes.
pub(super) fn by_information(counts: &PairCounts, classes: &[ClassSums<'_>], k: usize) -> Vec<Vec<usize>> {
    let with_class = information::with_class(counts, classes);
    let within_classes = information::conditional_weights(counts, classes);
    let mut order: Vec<usize> = (0..with_class.len()).collect();
    order.sort_by(|&a, &b| with_class[b].total_cmp(&with_class[a]));
    let mut parents = vec![Vec::new(); order.len()];
    for (position, &column) in order.iter().enumerate() {
        let mut before = order[..position].to_vec();
        let information = &within_classes[column];
        before.sort_by(|&a, &b| information[b].total_cmp(&information[a]));
        before.truncate(k);
        parents[column] = before;
    }
    parents
}

/// The parents of each column in the tree of [`Tan`](crate::Tan).
pub(super) fn by_tree(counts: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<usize>> {
    let information = information::conditional_information(counts, classes);
    tree::largest_tree(&information).into_iter().map(|parent| parent.into_iter().collect()).collect()
}
