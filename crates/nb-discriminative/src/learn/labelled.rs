//! What is learnt from: rows with their labels, and what is known of them.

use nb_core::Rows;

use super::ColumnKind;
use crate::LearnError;

/// The least weight that is not 0.
const LEAST_WEIGHT: f64 = 1e-290;
/// The largest weight, which is that of the sums.
const MOST_WEIGHT: f64 = 1e290;

/// Rows with their labels, and with what is known of them: how much each counts, and where the bins of
/// numbers are.
///
/// ```
/// use nb_discriminative::{ColumnKind, LabelledRows, Learner};
///
/// let pima = nb_datasets::load("pima")?;
/// let rows = pima.x();
/// let features = [ColumnKind::Numbers; 8];
/// let learner = Learner::default().weights_only();
/// let once = learner.learn(&rows, &features, &pima.labels, 2)?;
/// // Weights say how rows count beside each other.
/// let weights = vec![3.0; 768];
/// let rows = LabelledRows::new(&rows, &features, &pima.labels, 2).with_weights(&weights);
/// let thrice = learner.learn_from(&rows)?;
/// assert_eq!(thrice.refinement, once.refinement);
/// assert_eq!(thrice.pseudo_counts[0], 3.0 * once.pseudo_counts[0]);
/// // Weights and corrections for bins that are there already.
/// let again = learner.learn_from(&rows.with_cuts(&once.cuts))?;
/// assert_eq!(again.cuts, once.cuts);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LabelledRows<'a, R: ?Sized> {
    pub(super) rows: &'a R,
    pub(super) features: &'a [ColumnKind],
    pub(super) labels: &'a [usize],
    pub(super) n_classes: usize,
    pub(super) weights: Option<&'a [f64]>,
    pub(super) groups: Option<&'a [usize]>,
    pub(super) cuts: Option<&'a [Vec<f64>]>,
    pub(super) rising: Option<&'a [Option<usize>]>,
}

impl<R: ?Sized> Clone for LabelledRows<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized> Copy for LabelledRows<'_, R> {}

impl<'a, R: Rows + ?Sized> LabelledRows<'a, R> {
    /// Rows, of which `features` says what the columns hold, with a class below `n_classes` each.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, LabelledRows, Learner};
    /// # let iris = nb_datasets::load("iris")?;
    /// let (x, features) = (iris.x(), [ColumnKind::Numbers; 4]);
    /// let rows = LabelledRows::new(&x, &features, &iris.labels, 3);
    /// let learnt = Learner::default().weights_only().learn_from(&rows)?;
    /// assert_eq!(learnt.refinement.weights.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rows: &'a R, features: &'a [ColumnKind], labels: &'a [usize], n_classes: usize) -> Self {
        Self { rows, features, labels, n_classes, weights: None, groups: None, cuts: None, rising: None }
    }

    /// The same with a weight per row: how much it counts beside the others, in counts, losses and measures,
    /// and not where cut points are found. Only ratios of weights matter, and a row with the weight 0 is
    /// absent. Each row is one observation, whatever its weight: it is held out and left out as a whole.
    /// So a row with the weight 2 is nearly, and not quite, what two equal rows are, of which one may
    /// be learnt from where the other is held out.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, LabelledRows, Learner};
    /// # let iris = nb_datasets::load("iris")?;
    /// let (x, features) = (iris.x(), [ColumnKind::Numbers; 4]);
    /// let rows = LabelledRows::new(&x, &features, &iris.labels, 3);
    /// let mut weights = vec![1.0; 150];
    /// weights[..10].fill(0.0);
    /// let learnt = Learner::default().weights_only().learn_from(&rows.with_weights(&weights))?;
    /// assert_eq!(learnt.summary.n_rows, 140);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_weights(self, weights: &'a [f64]) -> Self {
        Self { weights: Some(weights), ..self }
    }

    /// The same with a number per row, which rows of a group have in common, such as visits of a patient:
    /// they are held out together, so that measures are those of new groups, and weights and corrections
    /// are used as far as they help with these.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, LabelledRows, Learner};
    /// # let iris = nb_datasets::load("iris")?;
    /// let (x, features) = (iris.x(), [ColumnKind::Numbers; 4]);
    /// let rows = LabelledRows::new(&x, &features, &iris.labels, 3);
    /// let visits_of: Vec<usize> = (0..150).map(|row| row / 2).collect(); // two visits of each patient
    /// let learnt = Learner::default().weights_only().learn_from(&rows.with_groups(&visits_of))?;
    /// let parts = learnt.held_out.parts;
    /// assert!(parts.chunks(2).all(|visits| visits[0] == visits[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_groups(self, groups: &'a [usize]) -> Self {
        Self { groups: Some(groups), ..self }
    }

    /// The same with cut points of the bins of each column, which are then not learnt; none for columns that
    /// are no numbers. Nothing is held out from them.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, LabelledRows, Learner};
    /// # let iris = nb_datasets::load("iris")?;
    /// let (x, features) = (iris.x(), [ColumnKind::Numbers; 4]);
    /// let rows = LabelledRows::new(&x, &features, &iris.labels, 3);
    /// let cuts = [vec![6.0], vec![3.0], vec![2.5, 5.0], vec![1.0, 1.7]];
    /// let learnt = Learner::default().weights_only().learn_from(&rows.with_cuts(&cuts))?;
    /// assert_eq!(learnt.cuts, cuts);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_cuts(self, cuts: &'a [Vec<f64>]) -> Self {
        Self { cuts: Some(cuts), ..self }
    }

    /// The same with the class that larger numbers of a column never speak against, for each column that has
    /// one: the others being equal, its posterior probability does not fall as the number grows. That is
    /// for columns of numbers and two classes.
    ///
    /// Such a column has no weight of naive Bayes, no slope and no pairs, but a step function of bins that is
    /// monotone.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, LabelledRows, Learner};
    /// let x = ndarray::Array2::from_shape_fn((200, 1), |(row, _)| row as f64);
    /// let labels: Vec<usize> = (0..200).map(|row| usize::from(row * 7 % 60 + row > 120)).collect();
    /// let rows = LabelledRows::new(&x, &[ColumnKind::Numbers], &labels, 2).with_rising(&[Some(1)]);
    /// let learnt = Learner::default().learn_from(&rows)?;
    /// let added = &learnt.refinement.corrections[0];
    /// assert!(added.at(0.0)[1] < added.at(100.0)[1] && added.at(100.0)[1] < added.at(199.0)[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_rising(self, rising: &'a [Option<usize>]) -> Self {
        Self { rising: Some(rising), ..self }
    }

    /// Refuses labels and weights that do not fit the rows, and cut points that are none.
    pub(super) fn check(&self) -> Result<(), LearnError> {
        let (n_rows, n_columns) = (self.rows.n_rows(), self.rows.n_columns());
        if n_rows == 0 {
            return Err(LearnError::NoRows);
        }
        if self.labels.len() != n_rows {
            return Err(LearnError::Labels { rows: n_rows, labels: self.labels.len() });
        }
        let n_classes = self.n_classes;
        if let Some((row, &label)) = self.labels.iter().enumerate().find(|(_, label)| **label >= n_classes) {
            return Err(LearnError::Class { row, label, n_classes });
        }
        if let Some(weights) = self.weights {
            if weights.len() != n_rows {
                return Err(LearnError::Weights { rows: n_rows, weights: weights.len() });
            }
            let is_weight = |weight: f64| weight == 0.0 || (LEAST_WEIGHT..=MOST_WEIGHT).contains(&weight);
            if let Some(row) = weights.iter().position(|&weight| !is_weight(weight)) {
                return Err(LearnError::Weight { row, weight: weights[row] });
            }
            if weights.iter().all(|&weight| weight == 0.0) {
                return Err(LearnError::NoRows);
            }
        }
        if let Some(groups) = self.groups {
            if groups.len() != n_rows {
                return Err(LearnError::Groups { rows: n_rows, groups: groups.len() });
            }
            let mut counted =
                (0..n_rows).filter(|&row| self.weights.is_none_or(|weights| weights[row] > 0.0));
            let first = counted.next();
            if counted.all(|row| first.is_some_and(|first| groups[row] == groups[first])) {
                return Err(LearnError::OneGroup);
            }
        }
        self.check_rising()?;
        let Some(cuts) = self.cuts else { return Ok(()) };
        if cuts.len() != n_columns {
            return Err(LearnError::Features { columns: n_columns, features: cuts.len() });
        }
        for (column, cuts) in cuts.iter().enumerate() {
            let is_in_order = cuts.windows(2).all(|pair| pair[0] < pair[1]);
            if !is_in_order || cuts.iter().any(|cut| !cut.is_finite()) {
                return Err(LearnError::Cuts { column });
            }
        }
        Ok(())
    }

    fn check_rising(&self) -> Result<(), LearnError> {
        let rising = self.rising.unwrap_or_default();
        if self.rising.is_some() && rising.len() != self.features.len() {
            return Err(LearnError::Features { columns: self.features.len(), features: rising.len() });
        }
        for (column, class) in rising.iter().enumerate() {
            let Some(class) = *class else { continue };
            if self.n_classes != 2 || class > 1 {
                return Err(LearnError::RisingClasses { column, n_classes: self.n_classes });
            }
            if self.features[column] != ColumnKind::Numbers {
                return Err(LearnError::RisingKind { column });
            }
        }
        Ok(())
    }

    /// The rows that count at all, and how much: weights of which the mean is 1, if they are not all 1, and
    /// what they were divided by.
    pub(super) fn counted(&self) -> Counted {
        let Some(weights) = self.weights else {
            return Counted { rows: None, weights: None, scale: 1.0 };
        };
        let rows: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
        let first = rows.first().map_or(1.0, |&row| weights[row]);
        if rows.iter().all(|&row| weights[row] == first) {
            return Counted { rows: Some(rows), weights: None, scale: first };
        }
        let scale = rows.iter().map(|&row| weights[row] / rows.len() as f64).sum::<f64>();
        let weights = rows.iter().map(|&row| weights[row] / scale).collect();
        Counted { rows: Some(rows), weights: Some(weights), scale }
    }
}

/// The rows that count; `None` if all do.
pub(super) struct Counted {
    pub(super) rows: Option<Vec<usize>>,
    /// Their weights, of which the mean is 1; `None` if all are 1.
    pub(super) weights: Option<Vec<f64>>,
    /// The mean of the weights that were given.
    pub(super) scale: f64,
}
