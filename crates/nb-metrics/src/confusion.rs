//! The confusion matrix, and what is read off it.

use std::collections::BTreeMap;

use crate::{
    interval::{Interval, Z_95},
    sum::{Sum, mean, ratio},
};

/// How often each class was taken for which: the weights of all rows by true and predicted class.
///
/// `None` as the true class stands for classes that the model never saw, as the predicted one for rows
/// without an answer. Only the cells that occur take memory.
#[derive(Clone, Debug)]
pub struct Confusion {
    n_classes: usize,
    cells: BTreeMap<(Option<usize>, Option<usize>), Sum>,
}

/// What is measured of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ClassMeasures {
    /// The weight of the rows of the class.
    pub support: f64,
    /// The weight of the rows that were predicted to be of the class.
    pub predicted: f64,
    /// The part of the rows predicted to be of the class that are; `None` if there are none.
    pub precision: Option<f64>,
    /// The part of the rows of the class that were predicted to be; `None` if there are none.
    pub recall: Option<f64>,
    /// `2 TP/(2 TP + FP + FN)`, the harmonic mean of precision and recall where both exist; 0 if there are
    /// rows of the class and none was predicted, or the other way round; `None` if there are neither.
    ///
    /// Van Rijsbergen 1979, *Information Retrieval*, chapter 7.
    pub f1: Option<f64>,
    /// The area under the ROC curve of this class against all others; see
    /// [`Measures::auc`](crate::Measures::auc).
    pub auc: Option<f64>,
}

/// How far predictions agree with the truth beyond chance.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) matthews: Option<f64>,
    pub(crate) kappa: Option<f64>,
}

impl Confusion {
    pub(crate) fn new(n_classes: usize) -> Self {
        Self { n_classes, cells: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, truth: Option<usize>, predicted: Option<usize>, weight: f64) {
        self.cells.entry((truth, predicted)).or_default().add(weight);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (&cell, sum) in &other.cells {
            self.cells.entry(cell).or_default().merge(sum);
        }
    }

    /// The number of classes of the model.
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// assert_eq!(Evaluation::new(3).confusion().n_classes(), 3);
    /// ```
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The weight of the rows of class `truth` that were predicted to be of class `predicted`; 0 where there
    /// are none.
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// let mut evaluation = Evaluation::new(2);
    /// evaluation.add_label(0, 1, 2.0)?;
    /// evaluation.add_label(None, 1, 1.0)?;
    /// assert_eq!(evaluation.confusion().weight(0, 1), 2.0);
    /// assert_eq!(evaluation.confusion().weight(None, 1), 1.0);
    /// assert_eq!(evaluation.confusion().weight(1, 1), 0.0);
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn weight(&self, truth: impl Into<Option<usize>>, predicted: impl Into<Option<usize>>) -> f64 {
        self.cells.get(&(truth.into(), predicted.into())).map_or(0.0, Sum::value)
    }

    /// All cells that occur, as true class, predicted class and weight, in this order; `None` comes before
    /// the classes.
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// let mut evaluation = Evaluation::new(2);
    /// for (truth, predicted) in [(1, 0), (0, 0), (1, 0)] {
    ///     evaluation.add_label(truth, predicted, 1.0)?;
    /// }
    /// let cells: Vec<_> = evaluation.confusion().cells().collect();
    /// assert_eq!(cells, [(Some(0), Some(0), 1.0), (Some(1), Some(0), 2.0)]);
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn cells(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>, f64)> + '_ {
        self.cells.iter().map(|(&(truth, predicted), sum)| (truth, predicted, sum.value()))
    }

    /// The weight of the rows that were predicted right.
    fn correct(&self) -> f64 {
        let right = self.cells.iter().filter(|((truth, predicted), _)| truth.is_some() && truth == predicted);
        right.map(|(_, sum)| sum).sum::<Sum>().value()
    }

    /// The weight of all rows.
    fn total(&self) -> f64 {
        self.cells.values().sum::<Sum>().value()
    }

    /// Whether there are rows of classes that the model never saw.
    fn has_unseen(&self) -> bool {
        self.cells.keys().any(|(truth, _)| truth.is_none())
    }

    pub(crate) fn accuracy(&self) -> Option<f64> {
        ratio(self.correct(), self.total())
    }

    /// The interval of as many trials as there are `effective` rows.
    pub(crate) fn accuracy_interval(&self, effective: f64) -> Option<Interval> {
        let correct = self.correct() * ratio(effective, self.total())?;
        Interval::wilson(correct.min(effective), effective, Z_95)
    }

    /// Matthews' correlation and Cohen's kappa.
    pub(crate) fn agreement(&self) -> Agreement {
        let Some(accuracy) = self.accuracy() else { return Agreement::default() };
        let total = self.total();
        let classes = self.classes();
        let outside = |is_outside: fn(&(Option<usize>, Option<usize>)) -> bool| {
            let cells = self.cells.iter().filter(|(cell, _)| is_outside(cell));
            cells.map(|(_, sum)| sum).sum::<Sum>().value()
        };
        // Unseen classes are one more class, and no answer is one more answer, which is never right.
        let (unseen, unanswered) = (outside(|cell| cell.0.is_none()), outside(|cell| cell.1.is_none()));
        let shares = |weights: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
            weights.map(|weight| weight / total).collect()
        };
        let support = shares(&mut classes.iter().map(|class| class.support).chain([unseen]));
        let predicted = shares(&mut classes.iter().map(|class| class.predicted).chain([unanswered]));
        let products = |one: &[f64], other: &[f64]| {
            one.iter().zip(other).map(|(one, other)| one * other).sum::<Sum>().value()
        };
        let n_classes = classes.len();
        let by_chance = products(&support[..n_classes], &predicted[..n_classes]);
        let is_constant = |shares: &[f64]| shares.contains(&1.0);
        let matthews = match [is_constant(&support), is_constant(&predicted)] {
            [true, true] => None,
            [false, false] => {
                let variances =
                    (1.0 - products(&support, &support)) * (1.0 - products(&predicted, &predicted));
                Some(((accuracy - by_chance) / variances.sqrt()).clamp(-1.0, 1.0))
            }
            _ => Some(0.0),
        };
        let kappa = ratio(accuracy - by_chance, 1.0 - by_chance);
        Agreement { matthews, kappa: kappa.map(|kappa| kappa.max(-1.0)) }
    }

    /// Precision, recall and F1 of each class, without the AUC.
    pub(crate) fn classes(&self) -> Vec<ClassMeasures> {
        let mut support = vec![Sum::default(); self.n_classes];
        let mut predicted = support.clone();
        for (&(truth, answer), weight) in &self.cells {
            if let Some(sum) = truth.and_then(|class| support.get_mut(class)) {
                sum.merge(weight);
            }
            if let Some(sum) = answer.and_then(|class| predicted.get_mut(class)) {
                sum.merge(weight);
            }
        }
        let sums = support.iter().zip(&predicted).enumerate();
        sums.map(|(class, (support, predicted))| {
            let right = self.weight(class, class);
            let both = [support, predicted].into_iter().sum::<Sum>().value();
            let (support, predicted) = (support.value(), predicted.value());
            ClassMeasures {
                support,
                predicted,
                precision: ratio(right, predicted),
                recall: ratio(right, support),
                f1: ratio(2.0 * right, both),
                auc: None,
            }
        })
        .collect()
    }

    /// The mean of what classes have, with 0 for the unseen ones together.
    pub(crate) fn macro_average(&self, values: impl Iterator<Item = Option<f64>> + Clone) -> Option<f64> {
        mean(values.flatten().chain(self.has_unseen().then_some(0.0)))
    }
}
