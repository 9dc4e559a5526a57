//! From posteriors to answers: weights, costs, thresholds, abstention and prediction sets.

mod error;
mod rule;
mod sets;

use std::fmt::Debug;

pub use error::DecisionError;
pub use rule::DecisionRule;
pub use sets::PredictionSets;

/// How the probabilities of the classes become a label, or a set of labels.
///
/// Without a decision the label is the most probable class, `argmax_k p(k | x)`, which is best where all
/// mistakes cost the same. A [rule](DecisionRule) weighs them; with [`Abstention`] rows of which a classifier
/// is not sure get no class; with [`PredictionSets`] a row has every label that may well be right. None of
/// them changes a probability.
///
/// Probabilities are only as good for this as they are calibrated ([`Calibrated`](crate::Calibrated)).
///
/// ```
/// use nb_calibration::{Decision, DecisionRule};
/// use nb_core::{Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[1.0], [2.0], [4.0], [3.0], [5.0], [6.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["ham", "ham", "ham", "spam", "spam", "spam"])?;
/// // To take ham for spam is five times as bad as the other way round.
/// let decision = Decision::new(classifier.classes().to_vec(), DecisionRule::Weights(vec![5.0, 1.0]))?;
///
/// let log_posterior = classifier.predict_log_proba(&array![[3.7]])?.row(0).to_vec();
/// assert!(log_posterior[1] > log_posterior[0]);
/// assert_eq!(decision.label(1, &log_posterior), Some(&"ham"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<L> {
    classes: Vec<L>,
    rule: DecisionRule,
    abstention: Option<Abstention<L>>,
    sets: Option<PredictionSets>,
}

/// When no class is chosen: where the posterior probability of the most probable one is too small. With `1 -
/// t` as the least probability it is the rule with the least expected cost where a mistake costs 1 and no
/// answer `t` (Chow 1970, *On optimum recognition error and reject tradeoff*, IEEE Transactions on
/// Information Theory 16).
///
/// ```
/// use nb_calibration::{Abstention, Decision, DecisionRule};
///
/// let unsure = Abstention { min_probability: 0.8, label: Some("unsure") };
/// let decision = Decision::new(vec!["a", "b"], DecisionRule::MostProbable)?.with_abstention(Some(unsure))?;
/// assert_eq!(decision.label(0, &[0.75_f64, 0.25].map(f64::ln)), Some(&"unsure"));
/// # Ok::<(), nb_calibration::DecisionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Abstention<L> {
    /// The least probability of the most probable class with which a class is chosen.
    pub min_probability: f64,
    /// The label of other rows; `None` is no label.
    pub label: Option<L>,
}

impl<L: Ord> Decision<L> {
    /// A rule for classes, which are in the order of their labels, as those of a
    /// [`Classifier`](nb_core::Classifier) are. Rules that choose the most probable class, such as
    /// weights that are all the same, become [`DecisionRule::MostProbable`].
    ///
    /// ```
    /// use nb_calibration::{Decision, DecisionError, DecisionRule};
    ///
    /// let same = Decision::new(vec![1, 2, 3], DecisionRule::Weights(vec![2.0; 3]))?;
    /// assert_eq!(*same.rule(), DecisionRule::MostProbable);
    /// let error = Decision::new(vec![1, 2], DecisionRule::Weights(vec![1.0, -1.0])).unwrap_err();
    /// assert_eq!(error.to_string(), "the weight -1 of class 1 must be a finite number above 0");
    /// # Ok::<(), DecisionError>(())
    /// ```
    ///
    /// # Errors
    /// [`DecisionError`] if the rule does not fit the classes, or has numbers that are none of its kind.
    pub fn new(classes: Vec<L>, rule: DecisionRule) -> Result<Self, DecisionError> {
        if classes.is_empty() || !classes.is_sorted_by(|class, next| class < next) {
            return Err(DecisionError::Order);
        }
        rule.check(classes.len())?;
        let rule = if rule.is_trivial(classes.len()) { DecisionRule::MostProbable } else { rule };
        Ok(Self { classes, rule, abstention: None, sets: None })
    }

    /// The same with rows that get no class, or without; [`Abstention`] has an example.
    ///
    /// ```
    /// # use nb_calibration::{Abstention, Decision, DecisionRule};
    /// let unsure = Abstention { min_probability: 0.8, label: None };
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::MostProbable)?;
    /// let decision = decision.with_abstention(Some(unsure))?;
    /// assert_eq!(decision.label(0, &[0.9_f64, 0.1].map(f64::ln)), Some(&"a"));
    /// assert_eq!(decision.label(0, &[0.7_f64, 0.3].map(f64::ln)), None);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    ///
    /// # Errors
    /// [`DecisionError`] if the probability is none, or the label is one of the classes.
    pub fn with_abstention(self, abstention: Option<Abstention<L>>) -> Result<Self, DecisionError>
    where
        L: Debug,
    {
        if let Some(Abstention { min_probability, label }) = &abstention {
            if !(0.0..=1.0).contains(min_probability) {
                return Err(DecisionError::Probability { value: *min_probability });
            }
            if let Some(label) = label.as_ref().filter(|label| self.classes.contains(label)) {
                return Err(DecisionError::Label { label: format!("{label:?}") });
            }
        }
        Ok(Self { abstention, ..self })
    }
}

impl<L> Decision<L> {
    /// The same with sets of labels, or without; [`PredictionSets`] has an example.
    ///
    /// ```
    /// # use nb_calibration::{Decision, DecisionRule, PredictionSets};
    /// let sets = PredictionSets::new(0.9, 0.25, 1000)?;
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::MostProbable)?;
    /// let decision = decision.with_sets(Some(sets.clone()));
    /// assert_eq!(decision.sets(), Some(&sets));
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    #[must_use]
    pub fn with_sets(self, sets: Option<PredictionSets>) -> Self {
        Self { sets, ..self }
    }

    /// The classes, in the order of their labels.
    ///
    /// ```
    /// # use nb_calibration::{Decision, DecisionRule};
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::Weights(vec![1.0, 5.0]))?;
    /// assert_eq!(decision.classes(), ["a", "b"]);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// Which class is chosen.
    ///
    /// ```
    /// # use nb_calibration::{Decision, DecisionRule};
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::Weights(vec![1.0, 5.0]))?;
    /// assert_eq!(*decision.rule(), DecisionRule::Weights(vec![1.0, 5.0]));
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn rule(&self) -> &DecisionRule {
        &self.rule
    }

    /// When none is chosen.
    ///
    /// ```
    /// # use nb_calibration::{Abstention, Decision, DecisionRule};
    /// let unsure = Abstention { min_probability: 0.8, label: Some("unsure") };
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::MostProbable)?;
    /// let decision = decision.with_abstention(Some(unsure.clone()))?;
    /// assert_eq!(decision.abstention(), Some(&unsure));
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn abstention(&self) -> Option<&Abstention<L>> {
        self.abstention.as_ref()
    }

    /// Sets of labels.
    ///
    /// ```
    /// # use nb_calibration::{Decision, DecisionRule};
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::MostProbable)?;
    /// assert_eq!(decision.sets(), None);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn sets(&self) -> Option<&PredictionSets> {
        self.sets.as_ref()
    }

    /// Whether it answers as no decision would.
    ///
    /// ```
    /// use nb_calibration::{Decision, DecisionError, DecisionRule};
    ///
    /// // All mistakes cost the same.
    /// assert!(Decision::new(vec!["a", "b"], DecisionRule::Costs(vec![0.0, 3.0, 3.0, 0.0]))?.is_trivial());
    /// assert!(!Decision::new(vec!["a", "b"], DecisionRule::Costs(vec![0.0, 3.0, 1.0, 0.0]))?.is_trivial());
    /// # Ok::<(), DecisionError>(())
    /// ```
    pub fn is_trivial(&self) -> bool {
        self.rule == DecisionRule::MostProbable && self.abstention.is_none() && self.sets.is_none()
    }

    /// The place of the class that is chosen for a row, by the natural logarithms of the posterior
    /// probabilities of all classes; `most_probable` is the class that a classifier predicts. `None` if
    /// no class is probable enough.
    ///
    /// Of equally good classes it is the first.
    ///
    /// ```
    /// use nb_calibration::{Decision, DecisionError, DecisionRule};
    ///
    /// let decision = Decision::new(vec!["no", "yes"], DecisionRule::Threshold { positive: 1, threshold: 0.2 })?;
    /// assert_eq!(decision.choose(0, &[0.75_f64, 0.25].map(f64::ln)), Some(1));
    /// assert_eq!(decision.choose(0, &[0.85_f64, 0.15].map(f64::ln)), Some(0));
    /// # Ok::<(), DecisionError>(())
    /// ```
    ///
    /// # Panics
    /// If there is not one logarithm for each class.
    pub fn choose(&self, most_probable: usize, log_posterior: &[f64]) -> Option<usize> {
        assert_eq!(log_posterior.len(), self.classes.len(), "there is one log-posterior for each class");
        if let Some(abstention) = &self.abstention {
            let largest = log_posterior.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if libm::exp(largest) < abstention.min_probability {
                return None;
            }
        }
        Some(self.rule.choose(most_probable, log_posterior))
    }

    /// The label of a row: the class that [`choose`](Self::choose) gives, or where there is none the label
    /// for that. `None` if there is no such label.
    ///
    /// ```
    /// # use nb_calibration::{Decision, DecisionRule};
    /// let decision = Decision::new(vec!["a", "b"], DecisionRule::Weights(vec![1.0, 5.0]))?;
    /// assert_eq!(decision.label(0, &[0.75_f64, 0.25].map(f64::ln)), Some(&"b")); // 1 · 0.75 < 5 · 0.25
    /// assert_eq!(decision.label(0, &[0.9_f64, 0.1].map(f64::ln)), Some(&"a"));
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    ///
    /// # Panics
    /// If there is not one logarithm for each class.
    pub fn label(&self, most_probable: usize, log_posterior: &[f64]) -> Option<&L> {
        match self.choose(most_probable, log_posterior) {
            Some(class) => Some(&self.classes[class]),
            None => self.abstention.as_ref()?.label.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decision(n: usize, rule: DecisionRule) -> Decision<String> {
        Decision::new((0..n).map(|class| format!("c{class}")).collect(), rule).unwrap()
    }

    fn most_probable(log_posterior: &[f64]) -> usize {
        (0..log_posterior.len())
            .fold(0, |best, class| if log_posterior[class] > log_posterior[best] { class } else { best })
    }

    fn posteriors(n: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(-30.0..0.0_f64, n).prop_map(|scores| {
            let total = scores.iter().map(|score| score.exp()).sum::<f64>().ln();
            scores.iter().map(|score| score - total).collect()
        })
    }

    proptest! {
        #[test]
        fn equal_costs_are_no_rule(cost in 0.01..100.0_f64, log_posterior in posteriors(3)) {
            let zero_one: Vec<f64> = (0..9).map(|place| if place % 4 == 0 { 0.0 } else { cost }).collect();
            for rule in [DecisionRule::Weights(vec![cost; 3]), DecisionRule::Costs(zero_one)] {
                let decision = decision(3, rule);
                prop_assert!(decision.is_trivial());
                let best = most_probable(&log_posterior);
                prop_assert_eq!(decision.choose(best, &log_posterior), Some(best));
            }
        }

        #[test]
        fn costs_of_the_actual_class_are_weights(
            weights in prop::collection::vec(0.1..10.0_f64, 3),
            log_posterior in posteriors(3),
        ) {
            let costs = (0..9).map(|place| if place % 4 == 0 { 0.0 } else { weights[place % 3] }).collect();
            let best = most_probable(&log_posterior);
            let by_costs = decision(3, DecisionRule::Costs(costs)).choose(best, &log_posterior);
            let by_weights = decision(3, DecisionRule::Weights(weights)).choose(best, &log_posterior);
            prop_assert_eq!(by_costs, by_weights);
        }

        #[test]
        fn a_higher_threshold_never_adds_a_positive(
            low in 0.01..0.99_f64,
            high in 0.01..0.99_f64,
            log_posterior in posteriors(3),
        ) {
            let (low, high) = (low.min(high), low.max(high));
            let is_positive = |threshold| {
                let rule = DecisionRule::Threshold { positive: 1, threshold };
                decision(3, rule).choose(most_probable(&log_posterior), &log_posterior) == Some(1)
            };
            prop_assert!(is_positive(low) || !is_positive(high));
            prop_assert_eq!(is_positive(low), log_posterior[1] >= low.ln());
        }
    }

    #[test]
    fn wrong_rules_are_refused() {
        let new = |rule| Decision::new(vec!["a", "b"], rule).unwrap_err().to_string();
        for (rule, part) in [
            (DecisionRule::Weights(vec![1.0]), "1 number for 2 classes"),
            (DecisionRule::Weights(vec![1.0, 0.0]), "above 0"),
            (DecisionRule::Weights(vec![1.0, f64::NAN]), "above 0"),
            (DecisionRule::Costs(vec![0.0; 3]), "3 numbers for 4 pairs"),
            (DecisionRule::Costs(vec![0.0, -1.0, 1.0, 0.0]), "not below 0"),
            (DecisionRule::Costs(vec![0.0, 1.0, 0.0, 0.0]), "costs nothing"),
            (DecisionRule::Threshold { positive: 2, threshold: 0.5 }, "class"),
            (DecisionRule::Threshold { positive: 0, threshold: 0.0 }, "between 0 and 1"),
        ] {
            let error = new(rule.clone());
            assert!(error.contains(part), "{rule:?}: {error}");
        }
        assert!(Decision::new(vec!["b", "a"], DecisionRule::MostProbable).is_err());
        let decision = decision(2, DecisionRule::MostProbable);
        let label = |label: &str| Abstention { min_probability: 0.5, label: Some(label.into()) };
        assert!(decision.clone().with_abstention(Some(label("c0"))).is_err());
        assert!(decision.clone().with_abstention(Some(label("unsure"))).is_ok());
    }

    #[test]
    fn a_row_is_left_undecided_below_the_least_probability() {
        let abstention = Abstention { min_probability: 0.8, label: None };
        let decision =
            decision(2, DecisionRule::Weights(vec![1.0, 9.0])).with_abstention(Some(abstention)).unwrap();
        let choose = |p: f64| decision.choose(usize::from(p < 0.5), &[p.ln(), (1.0 - p).ln()]);
        assert_eq!([choose(0.95), choose(0.85), choose(0.7), choose(0.1)], [Some(0), Some(1), None, Some(1)]);
    }
}
