//! On which columns each column depends.

use nb_core::{error::LayoutError, family::ClassSums};

use super::super::{EdgeScore, PairCounts, information};

/// Which columns are the parents of others.
///
/// ```
/// use nb_variants::Parents;
///
/// assert_eq!("3".parse::<Parents>(), Ok(Parents::Most(3)));
/// assert_eq!(Parents::Tree.to_string(), "tree");
/// assert!("-1".parse::<Parents>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parents {
    /// Up to this number of the columns that say more of the class (Sahami 1996).
    Most(usize),
    /// One each, as the tree of [`Tan`](crate::Tan).
    Tree,
}

impl Default for Parents {
    /// Up to two.
    fn default() -> Self {
        Self::Most(2)
    }
}

impl Parents {
    /// The parents of each column, from the sums of the classes.
    pub(super) fn learn(self, counts: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<usize>> {
        match self {
            Self::Most(k) => by_information(counts, classes, k),
            Self::Tree => by_tree(counts, classes),
        }
    }
}

/// Refuses parents that are not there, are there twice, or depend on their own children.
pub(super) fn check(parents: &[Vec<usize>]) -> Result<(), LayoutError> {
    let n_columns = parents.len();
    let wrong = |value: usize, must_be| {
        Err(LayoutError::Parameter { name: "a parent of a column", value: value as f64, must_be })
    };
    for own in parents {
        for (place, &parent) in own.iter().enumerate() {
            if parent >= n_columns {
                return wrong(parent, "the number of a column");
            }
            if own[..place].contains(&parent) {
                return wrong(parent, "named once");
            }
        }
    }
    // Columns all of whose parents are placed can be placed; where none can, they depend on each other.
    let mut is_placed = vec![false; n_columns];
    let mut rest: Vec<usize> = (0..n_columns).collect();
    while !rest.is_empty() {
        let (ready, waiting): (Vec<usize>, Vec<usize>) =
            rest.iter().partition(|&&column| parents[column].iter().all(|&parent| is_placed[parent]));
        if ready.is_empty() {
            return wrong(waiting[0], "a column that does not depend on itself by way of its parents");
        }
        for column in ready {
            is_placed[column] = true;
        }
        rest = waiting;
    }
    Ok(())
}

/// The parents of each column: up to `k` of the columns that say more of the class, by their information within the classes.
fn by_information(counts: &PairCounts, classes: &[ClassSums<'_>], k: usize) -> Vec<Vec<usize>> {
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
fn by_tree(counts: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<usize>> {
    let parents = EdgeScore::MutualInformation.parents(counts, classes);
    parents.into_iter().map(|parent| parent.into_iter().collect()).collect()
}
