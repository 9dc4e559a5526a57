//! How predictions differ between groups of rows: measures of fairness.

use crate::{
    error::{MergeError, RowError},
    evaluation::is_weight,
    sum::{Sum, ratio},
    tally::{Counter, Tally},
};

/// Predictions of a positive class beside the truth, by group, kept as exact sums: it grows by rows and by
/// merging, and either way, in any order, gives the same [`GroupMeasures`] bit for bit.
///
/// ```
/// use nb_metrics::GroupEvaluation;
///
/// let mut evaluation = GroupEvaluation::new(2);
/// // Group, whether the row is of the positive class, whether it was predicted to be.
/// for (group, truth, predicted) in [
///     (0, true, true), (0, true, true), (0, false, true), (0, false, false),
///     (1, true, true), (1, true, false), (1, false, false), (1, false, false),
/// ] {
///     evaluation.add(group, truth, predicted, 1.0)?;
/// }
/// let measures = evaluation.measures();
/// assert_eq!(measures.groups[0].selection_rate, Some(0.75));
/// assert_eq!(measures.demographic_parity_difference, Some(0.5)); // 3/4 and 1/4
/// assert_eq!(measures.equal_opportunity_difference, Some(0.5)); // 2/2 and 1/2
/// assert_eq!(measures.equalized_odds_difference, Some(0.5)); // the false positive rates are 1/2 and 0/2
/// # Ok::<(), nb_metrics::RowError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroupEvaluation {
    groups: Vec<Group>,
}

/// The rows of a group.
#[derive(Clone, Debug, Default)]
struct Group {
    all: Counter,
    /// Their weights by truth and prediction.
    cells: [[Sum; 2]; 2],
}

/// What predictions of the positive class are in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GroupRates {
    /// The rows of the group.
    pub rows: Tally,
    /// The share that was predicted to be of the positive class; `None` without rows.
    pub selection_rate: Option<f64>,
    /// The share of the rows of the positive class that was predicted to be; `None` if there are none.
    pub true_positive_rate: Option<f64>,
    /// The share of the rows of other classes that was predicted to be of the positive class; `None` if
    /// there are none.
    pub false_positive_rate: Option<f64>,
}

/// How the rates of groups differ. Each difference is the largest rate less the smallest one over the groups
/// that have the rate, 0 where all are equal, and `None` if fewer than two have it.
///
/// These are sample differences: with few rows in a group they are above 0 by chance.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GroupMeasures {
    /// The rates of each group.
    pub groups: Vec<GroupRates>,
    /// Of the selection rates: demographic (statistical) parity.
    ///
    /// Calders and Verwer (2010), *Three naive Bayes approaches for discrimination-free classification*,
    /// Data Mining and Knowledge Discovery 21, 277-292; Dwork, Hardt, Pitassi, Reingold and Zemel
    /// (2012), *Fairness through awareness*, ITCS, 214-226.
    pub demographic_parity_difference: Option<f64>,
    /// Of the true positive rates: equal opportunity.
    ///
    /// Hardt, Price and Srebro (2016), *Equality of opportunity in supervised learning*, NIPS 29, 3315-3323.
    pub equal_opportunity_difference: Option<f64>,
    /// The larger one of the differences of true positive rates and of false positive rates: equalised odds.
    /// `None` if either is.
    ///
    /// Hardt, Price and Srebro (2016).
    pub equalized_odds_difference: Option<f64>,
}

impl GroupEvaluation {
    /// No rows yet, of this number of groups.
    ///
    /// ```
    /// # use nb_metrics::GroupEvaluation;
    /// assert_eq!(GroupEvaluation::new(2).measures().demographic_parity_difference, None);
    /// ```
    pub fn new(n_groups: usize) -> Self {
        Self { groups: vec![Group::default(); n_groups] }
    }

    /// Adds a row: its group, whether it is of the positive class and was predicted to be, and its weight.
    ///
    /// # Errors
    /// If the group does not exist, or the weight is neither 0 nor within `2^-60` and `2^60`. Nothing was
    /// added then.
    ///
    /// ```
    /// # use nb_metrics::GroupEvaluation;
    /// let mut evaluation = GroupEvaluation::new(1);
    /// evaluation.add(0, true, false, 2.0)?;
    /// assert_eq!(evaluation.measures().groups[0].true_positive_rate, Some(0.0));
    /// assert!(evaluation.add(1, true, false, 2.0).is_err());
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn add(
        &mut self,
        group: usize,
        is_positive: bool,
        is_predicted: bool,
        weight: f64,
    ) -> Result<(), RowError> {
        let n_groups = self.groups.len();
        let of_group = self.groups.get_mut(group).ok_or(RowError::Group { group, n_groups })?;
        if !is_weight(weight) {
            return Err(RowError::Weight { weight });
        }
        if weight > 0.0 {
            of_group.all.add(weight);
            of_group.cells[usize::from(is_positive)][usize::from(is_predicted)].add(weight);
        }
        Ok(())
    }

    /// Adds all rows of another evaluation.
    ///
    /// # Errors
    /// If the other has another number of groups. Nothing was added then.
    ///
    /// ```
    /// # use nb_metrics::GroupEvaluation;
    /// let (mut one, mut other) = (GroupEvaluation::new(2), GroupEvaluation::new(2));
    /// one.add(0, true, true, 1.0)?;
    /// other.add(1, true, false, 1.0)?;
    /// one.merge(&other)?;
    /// assert_eq!(one.measures().equal_opportunity_difference, Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        if self.groups.len() != other.groups.len() {
            return Err(MergeError::Groups { ours: self.groups.len(), theirs: other.groups.len() });
        }
        for (group, theirs) in self.groups.iter_mut().zip(&other.groups) {
            group.all.merge(&theirs.all);
            let cells = group.cells.iter_mut().flatten().zip(theirs.cells.iter().flatten());
            cells.for_each(|(cell, theirs)| cell.merge(theirs));
        }
        Ok(())
    }

    /// The rates of the groups, and how they differ.
    ///
    /// ```
    /// # use nb_metrics::GroupEvaluation;
    /// let mut evaluation = GroupEvaluation::new(2);
    /// evaluation.add(0, false, true, 1.0)?;
    /// evaluation.add(1, false, false, 1.0)?;
    /// let measures = evaluation.measures();
    /// assert_eq!(measures.demographic_parity_difference, Some(1.0));
    /// assert_eq!(measures.equal_opportunity_difference, None); // no row is of the positive class
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn measures(&self) -> GroupMeasures {
        let groups: Vec<GroupRates> = self.groups.iter().map(Group::rates).collect();
        let difference = |rate: fn(&GroupRates) -> Option<f64>| {
            let rates: Vec<f64> = groups.iter().filter_map(rate).collect();
            let largest = rates.iter().copied().reduce(f64::max)?;
            let smallest = rates.iter().copied().reduce(f64::min)?;
            (rates.len() > 1).then_some(largest - smallest)
        };
        let of_positives = difference(|group| group.true_positive_rate);
        let of_others = difference(|group| group.false_positive_rate);
        GroupMeasures {
            demographic_parity_difference: difference(|group| group.selection_rate),
            equal_opportunity_difference: of_positives,
            equalized_odds_difference: of_positives.zip(of_others).map(|(one, other)| one.max(other)),
            groups,
        }
    }
}

impl Group {
    fn rates(&self) -> GroupRates {
        let of = |truths: &[usize], predictions: &[usize]| {
            let cells = truths.iter().flat_map(|&truth| predictions.iter().map(move |&found| (truth, found)));
            cells.map(|(truth, found)| &self.cells[truth][found]).sum::<Sum>().value()
        };
        let rate = |truths: &[usize]| ratio(of(truths, &[1]), of(truths, &[0, 1]));
        GroupRates {
            rows: self.all.tally(),
            selection_rate: rate(&[0, 1]),
            true_positive_rate: rate(&[1]),
            false_positive_rate: rate(&[0]),
        }
    }
}
