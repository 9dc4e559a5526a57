//! Which features speak for a class.

use super::{EncodedColumn, LinearForm};
use crate::FormError;

/// What a feature says for a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Informative {
    /// The feature.
    pub feature: EncodedColumn,
    /// The weight in the class minus the mean of its weights in the other classes: for two classes the
    /// weight of the log-odds.
    pub weight: f64,
    /// By how much one spread of the feature moves the log-odds: the weight times the standard deviation
    /// within classes for real numbers, times 1 for counts (one more event) and indicators.
    pub effect: f64,
}

impl<L> LinearForm<L> {
    /// The `n` features that speak most for a class, by [`effect`](Informative::effect), largest first; equal
    /// effects stay in column order. What speaks against it is at the end of the whole list.
    ///
    /// Features of different kinds are comparable as far as their spreads are: a word that occurs once more,
    /// or one standard deviation of a measurement.
    ///
    /// ```
    /// use nb_core::{Multinomial, NaiveBayes};
    /// use nb_linear::LinearForm;
    /// use ndarray::array;
    ///
    /// // Columns: "offer", "lunch", "the"
    /// let x = array![[3.0, 0.0, 4.0], [2.0, 0.0, 3.0], [0.0, 3.0, 4.0]];
    /// let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, &["spam", "spam", "ham"])?;
    /// let best = LinearForm::new(&classifier).most_informative(1, 1)?; // of "spam"
    /// assert_eq!(best[0].feature.column, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError`] if there is no such class.
    pub fn most_informative(&self, class: usize, n: usize) -> Result<Vec<Informative>, FormError> {
        self.check_class(class)?;
        let n_others = self.classes.len().saturating_sub(1).max(1) as f64;
        let features = self.weighted_features().map(|weighted| {
            let own = weighted.weights[class];
            let others = weighted.weights.iter().enumerate().filter(|&(other, _)| other != class);
            let others = others.map(|(_, weight)| weight / n_others).sum::<f64>();
            // Where neither this class nor some other can have the feature, it says nothing.
            let weight = if own == others || (own - others).is_nan() { 0.0 } else { own - others };
            let effect = if weight == 0.0 { 0.0 } else { weight * weighted.spread };
            Informative { feature: weighted.feature, weight, effect }
        });
        let mut features: Vec<Informative> = features.collect();
        features.sort_by(|a, b| b.effect.total_cmp(&a.effect));
        features.truncate(n);
        Ok(features)
    }
}
