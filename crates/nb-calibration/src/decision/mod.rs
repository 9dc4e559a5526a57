//! From posteriors to answers: weights, costs, thresholds, abstention and prediction sets.

mod error;
mod rule;
mod sets;

pub use error::DecisionError;
pub use rule::DecisionRule;
pub use sets::PredictionSets;

/// How the probabilities of the classes become a label, or a set of labels.
///
/// Without a decision the label is the most probable class. A decision is kept with a [model](crate::Model::with_decision), and
/// changes no probability.
///
/// ```
/// use nb_io::{Decision, DecisionRule};
///
/// let classes = vec!["ham".to_owned(), "spam".to_owned()];
/// // To take ham for spam is five times as bad as the other way round.
/// let decision = Decision::new(classes, DecisionRule::Weights(vec![5.0, 1.0]))?;
/// let log_posterior = [0.3_f64, 0.7].map(f64::ln);
/// assert_eq!(decision.choose(1, &log_posterior), Some(0));
/// # Ok::<(), nb_io::DecisionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    classes: Vec<String>,
    rule: DecisionRule,
    abstention: Option<Abstention>,
    sets: Option<PredictionSets>,
}

/// When no class is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Abstention {
    /// The least probability of the most probable class with which a class is chosen.
    pub min_probability: f64,
    /// The label of other rows; `None` is no label.
    pub label: Option<String>,
}

impl Decision {
    /// A rule for classes, which are in the order of their labels. Rules that choose the most probable class, such as weights that
    /// are all the same, become [`DecisionRule::MostProbable`].
    ///
    /// # Errors
    /// [`DecisionError`] if the rule does not fit the classes, or has numbers that are none of its kind.
    pub fn new(classes: Vec<String>, rule: DecisionRule) -> Result<Self, DecisionError> {
        if classes.is_empty() || !classes.is_sorted_by(|class, next| class < next) {
            return Err(DecisionError::Order);
        }
        rule.check(classes.len())?;
        let rule = if rule.is_trivial(classes.len()) { DecisionRule::MostProbable } else { rule };
        Ok(Self { classes, rule, abstention: None, sets: None })
    }

    /// The same with rows that get no class, or without.
    ///
    /// ```
    /// use nb_io::{Abstention, Decision, DecisionRule};
    ///
    /// let decision = Decision::new(vec!["a".into(), "b".into()], DecisionRule::MostProbable)?;
    /// let decision = decision.with_abstention(Some(Abstention { min_probability: 0.8, label: None }))?;
    /// assert_eq!(decision.choose(0, &[0.75_f64, 0.25].map(f64::ln)), None);
    /// # Ok::<(), nb_io::DecisionError>(())
    /// ```
    ///
    /// # Errors
    /// [`DecisionError`] if the probability is none, or the label is one of the classes.
    pub fn with_abstention(self, abstention: Option<Abstention>) -> Result<Self, DecisionError> {
        if let Some(Abstention { min_probability, label }) = &abstention {
            if !(0.0..=1.0).contains(min_probability) {
                return Err(DecisionError::Probability { value: *min_probability });
            }
            if let Some(label) = label.as_ref().filter(|label| self.classes.contains(label)) {
                return Err(DecisionError::Label { label: label.clone() });
            }
        }
        Ok(Self { abstention, ..self })
    }

    /// The same with sets of labels, or without.
    #[must_use]
    pub fn with_sets(self, sets: Option<PredictionSets>) -> Self {
        Self { sets, ..self }
    }

    /// The classes, in the order of their labels.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Which class is chosen.
    pub fn rule(&self) -> &DecisionRule {
        &self.rule
    }

    /// When none is chosen.
    pub fn abstention(&self) -> Option<&Abstention> {
        self.abstention.as_ref()
    }

    /// Sets of labels.
    pub fn sets(&self) -> Option<&PredictionSets> {
        self.sets.as_ref()
    }

    /// Whether it answers as no decision would.
    pub fn is_trivial(&self) -> bool {
        self.rule == DecisionRule::MostProbable && self.abstention.is_none() && self.sets.is_none()
    }

    /// The place of the class that is chosen for a row, by the natural logarithms of the posterior probabilities of all classes;
    /// `most_probable` is the class that a classifier predicts. `None` if no class is probable enough.
    ///
    /// Of equally good classes it is the first.
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

    /// Refuses other classes than those that it was made for.
    ///
    /// # Errors
    /// [`DecisionError::Classes`] with the classes of both.
    pub fn check_classes<'a>(&self, classes: impl Iterator<Item = &'a String>) -> Result<(), DecisionError> {
        let found: Vec<String> = classes.cloned().collect();
        if found == self.classes {
            return Ok(());
        }
        Err(DecisionError::Classes { of_rule: self.classes.clone(), of_model: found })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decision(n: usize, rule: DecisionRule) -> Decision {
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
        let new = |rule| Decision::new(vec!["a".into(), "b".into()], rule).unwrap_err().to_string();
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
        assert!(Decision::new(vec!["b".into(), "a".into()], DecisionRule::MostProbable).is_err());
        let decision = decision(2, DecisionRule::MostProbable);
        let label = |label: &str| Abstention { min_probability: 0.5, label: Some(label.into()) };
        assert!(decision.clone().with_abstention(Some(label("c0"))).is_err());
        assert!(decision.clone().with_abstention(Some(label("unsure"))).is_ok());
        assert!(decision.check_classes(["c0".to_owned()].iter()).is_err());
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
