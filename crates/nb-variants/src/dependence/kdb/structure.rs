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
/// assert_eq!("selective".parse::<Parents>(), Ok(Parents::Selective(5)));
/// assert!("-1".parse::<Parents>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parents {
    /// Up to this number of the columns that say more of the class (Sahami 1996).
    Most(usize),
    /// One each, as the tree of [`Tan`](crate::Tan).
    Tree,
    /// The first `k'` parents of [`Most(k)`](Self::Most), of the columns that say most of the class, and no
    /// others: which `k'` up to `k` and how many columns, leave-one-out cross-validation decides
    /// (Martínez, Webb, Chen and Zaidi 2016, *Scalable learning of Bayesian network classifiers*, Journal
    /// of Machine Learning Research 17(44): selective kDB).
    ///
    /// The loss of a row is `(1 - P(y | x))²`, with counts of the other rows and the pseudo-counts of the
    /// family (also where a hierarchy takes their place afterwards); of equal sums fewer parents win, and
    /// then fewer columns. It takes one more pass over the rows, and for each row `k + 1` times as long
    /// as to score it. Cut points and the order of columns are those of all rows, as in the paper. A column
    /// that is left out is its own parent.
    Selective(usize),
}

impl Default for Parents {
    /// Up to two.
    fn default() -> Self {
        Self::Most(2)
    }
}

impl Parents {
    /// The most columns that selective kDB lets a column depend on if nothing is said, as in the paper.
    pub(crate) const SELECTIVE: Self = Self::Selective(5);

    /// The parents of each column, from the sums of the classes, and the columns in the order of what they
    /// say of the class, the most first, if it matters.
    pub(super) fn learn(
        self,
        counts: &PairCounts,
        classes: &[ClassSums<'_>],
    ) -> (Vec<Vec<usize>>, Vec<usize>) {
        match self {
            Self::Most(k) | Self::Selective(k) => by_information(counts, classes, k),
            Self::Tree => (by_tree(counts, classes), Vec::new()),
        }
    }
}

/// Refuses parents that are not there, are there twice, or depend on their own children.
pub(super) fn check(parents: &[Vec<usize>]) -> Result<(), LayoutError> {
    let n_columns = parents.len();
    let wrong = |value: usize, must_be| {
        Err(LayoutError::Parameter { name: "a parent of a column", value: value as f64, must_be })
    };
    for (column, own) in parents.iter().enumerate() {
        if is_left_out(parents, column) {
            continue;
        }
        for (place, &parent) in own.iter().enumerate() {
            if parent >= n_columns {
                return wrong(parent, "the number of a column");
            }
            if own[..place].contains(&parent) {
                return wrong(parent, "named once");
            }
            if is_left_out(parents, parent) {
                return wrong(parent, "a column that is not left out");
            }
        }
    }
    // Columns all of whose parents are placed can be placed; where none can, they depend on each other.
    let mut is_placed = vec![false; n_columns];
    let mut rest: Vec<usize> = (0..n_columns).filter(|&column| !is_left_out(parents, column)).collect();
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

/// Whether a column is left out: it is its own parent, and given itself its probability is 1.
pub(super) fn is_left_out(parents: &[Vec<usize>], column: usize) -> bool {
    parents[column] == [column]
}

/// The parents of each column: up to `k` of the columns that say more of the class, by their information
/// within the classes; and the columns in the order of what they say.
fn by_information(counts: &PairCounts, classes: &[ClassSums<'_>], k: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    let with_class = information::with_class(counts, classes);
    let within_classes = information::conditional_weights(counts, classes);
    let mut order: Vec<usize> = (0..with_class.len()).collect();
    order.sort_by(|&a, &b| with_class[b].total_cmp(&with_class[a]));
    (in_order(&order, &within_classes, k), order)
}

/// The parents of each column: the `k` columns before it in an order with which it has the most information
/// within the classes.
pub(super) fn in_order(order: &[usize], within_classes: &[Vec<f64>], k: usize) -> Vec<Vec<usize>> {
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
