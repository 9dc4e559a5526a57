//! Explanations: what each feature adds.

use ndarray::Array2;

/// Why one row got its label: an additive account of the joint log-likelihood of every class.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[1.0, 5.0], [2.0, 6.0], [8.0, 5.0], [9.0, 6.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
/// let explanation = classifier.explain(&array![[2.0, 5.5]], 0)?;
/// let log_odds = explanation.log_odds(1, 0); // "low" against "high"
/// assert!(log_odds[0] > 10.0); // the first column speaks for "low",
/// assert_eq!(log_odds[1], 0.0); // the second says nothing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Explanation<L> {
    /// The labels, in order.
    pub classes: Vec<L>,
    /// The log-prior of each class.
    pub log_prior: Vec<f64>,
    /// What each column adds to each class, `n_classes × n_columns`: `log p(value | class)`.
    pub contributions: Array2<f64>,
    /// What columns add together, in families that have such terms.
    pub interactions: Vec<Interaction>,
    /// The sum of the log-prior, the contributions and the interactions, for each class.
    pub joint_log_likelihood: Vec<f64>,
}

/// What some columns add together to the score of a row.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Interaction {
    /// The columns.
    pub columns: Vec<usize>,
    /// What they add to each class.
    pub contributions: Vec<f64>,
}

impl<L> Explanation<L> {
    /// What each column adds to the log-odds of one class against another, both by their position in
    /// [`classes`](Self::classes). Zero where both classes are impossible: the column does not tell them
    /// apart.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let explanation = classifier.explain(&array![[5.5]], 0)?;
    /// let by_column = explanation.log_odds(0, 1); // what each column adds to the log-odds of "high" against "low"
    /// assert_eq!(by_column.len(), 1);
    /// assert!(by_column[0] > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_odds(&self, class: usize, against: usize) -> Vec<f64> {
        let pairs = self.contributions.row(class).into_iter().zip(self.contributions.row(against));
        pairs.map(|(a, b)| if a == b { 0.0 } else { a - b }).collect()
    }
    /// What each of the interactions adds to the log-odds of one class against another, as
    /// [`log_odds`](Self::log_odds).
    pub fn interaction_log_odds(&self, class: usize, against: usize) -> Vec<f64> {
        let difference = |interaction: &Interaction| {
            let [a, b] = [class, against].map(|class| interaction.contributions[class]);
            if a == b { 0.0 } else { a - b }
        };
        self.interactions.iter().map(difference).collect()
    }
}
