//! Which class is chosen.

use super::DecisionError;

/// Which class is chosen by the posterior probabilities `p(k | x)`.
///
/// A weight of a class is what it costs to take a row of it for one of any other class: weights are the costs
/// `c_jk = w_k` for `j ≠ k`, and `c_kk = 0`.
///
/// ```
/// use nb_calibration::{Decision, DecisionError, DecisionRule};
///
/// let classes = vec!["benign", "malignant"];
/// // A row for each predicted class: what it costs if the row is benign, and malignant.
/// let costs = DecisionRule::Costs(vec![0.0, 10.0, 1.0, 0.0]);
/// let log_posterior = [0.8_f64, 0.2].map(f64::ln);
/// assert_eq!(Decision::new(classes.clone(), costs)?.label(0, &log_posterior), Some(&"malignant")); // 0.2 × 10 > 0.8 × 1
///
/// let weights = DecisionRule::Weights(vec![1.0, 10.0]);
/// assert_eq!(Decision::new(classes.clone(), weights)?.label(0, &log_posterior), Some(&"malignant"));
///
/// let threshold = DecisionRule::Threshold { positive: 1, threshold: 1.0 / 11.0 };
/// assert_eq!(Decision::new(classes, threshold)?.label(0, &log_posterior), Some(&"malignant"));
/// # Ok::<(), DecisionError>(())
/// ```
///
/// References: Elkan (2001), *The foundations of cost-sensitive learning*, IJCAI 17, 973-978; Bishop,
/// *Pattern Recognition and Machine Learning* (2006), 1.5.2.
#[derive(Clone, Debug, PartialEq)]
pub enum DecisionRule {
    /// The most probable one: `argmax_k p(k | x)`.
    MostProbable,
    /// The one with the largest product of weight and probability: `argmax_k w_k p(k | x)`. There is a weight
    /// above 0 for each class.
    Weights(Vec<f64>),
    /// The one with the least expected cost: `argmin_j Σ_k c_jk p(k | x)`. There is a cost for each predicted
    /// class `j` (a row of the matrix) and each actual class `k`, row by row; each mistake costs more
    /// than the right answer for the row.
    Costs(Vec<f64>),
    /// One class where its probability reaches the threshold, and elsewhere the most probable one of the
    /// others. With two classes it is the rule of the costs `c_fp` of false positives and `c_fn` of false
    /// negatives where the threshold is `c_fp / (c_fp + c_fn)`.
    Threshold {
        /// The place of the class.
        positive: usize,
        /// The least probability with which it is chosen, between 0 and 1.
        threshold: f64,
    },
}

impl DecisionRule {
    pub(super) fn check(&self, n_classes: usize) -> Result<(), DecisionError> {
        let counted = |n: usize| if n == 1 { "1 number".into() } else { format!("{n} numbers") };
        let numbers = |found: usize, expected: usize, of: &str| {
            let expected = format!("{expected} {of}");
            Err(DecisionError::Numbers { found: counted(found), expected })
        };
        match self {
            Self::MostProbable => Ok(()),
            Self::Weights(weights) if weights.len() != n_classes => {
                numbers(weights.len(), n_classes, "classes")
            }
            Self::Weights(weights) => {
                let wrong = weights.iter().position(|weight| !(weight.is_finite() && *weight > 0.0));
                wrong.map_or(Ok(()), |class| Err(DecisionError::Weight { value: weights[class], class }))
            }
            Self::Costs(costs) if n_classes.checked_mul(n_classes) != Some(costs.len()) => {
                numbers(costs.len(), n_classes.saturating_mul(n_classes), "pairs of classes")
            }
            Self::Costs(costs) => {
                if let Some(&value) = costs.iter().find(|cost| !(cost.is_finite() && **cost >= 0.0)) {
                    return Err(DecisionError::Cost { value });
                }
                let is_mistake = |place: usize| place / n_classes != place % n_classes;
                let right = |place: usize| costs[place % n_classes * (n_classes + 1)];
                let is_free = |place: usize| is_mistake(place) && costs[place] <= right(place);
                if (0..costs.len()).any(is_free) { Err(DecisionError::NoMistake) } else { Ok(()) }
            }
            Self::Threshold { positive, .. } if *positive >= n_classes => {
                Err(DecisionError::Positive { class: *positive })
            }
            Self::Threshold { threshold, .. } if *threshold > 0.0 && *threshold < 1.0 => Ok(()),
            Self::Threshold { threshold, .. } => Err(DecisionError::Threshold { value: *threshold }),
        }
    }

    /// Whether it chooses the most probable class, whatever the probabilities are.
    pub(super) fn is_trivial(&self, n_classes: usize) -> bool {
        let all_same = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
        match self {
            Self::MostProbable => true,
            Self::Weights(weights) => all_same(weights),
            Self::Costs(costs) => {
                let places = 0..costs.len();
                let (right, wrong): (Vec<usize>, Vec<usize>) =
                    places.partition(|place| place / n_classes == place % n_classes);
                let of = |places: Vec<usize>| places.iter().map(|&place| costs[place]).collect::<Vec<_>>();
                all_same(&of(right)) && all_same(&of(wrong))
            }
            // At one half, a tie goes to another class perhaps.
            Self::Threshold { .. } => n_classes == 1,
        }
    }

    /// The place of the class that is chosen.
    pub(super) fn choose(&self, most_probable: usize, log_posterior: &[f64]) -> usize {
        let n_classes = log_posterior.len();
        match self {
            Self::MostProbable => most_probable,
            Self::Weights(weights) => {
                first_largest(log_posterior.iter().zip(weights).map(|(log, weight)| log + libm::log(*weight)))
            }
            Self::Costs(costs) => {
                let posterior: Vec<f64> = log_posterior.iter().map(|log| libm::exp(*log)).collect();
                let expected = costs.chunks(n_classes).map(|costs| {
                    costs.iter().zip(&posterior).map(|(cost, posterior)| cost * posterior).sum::<f64>()
                });
                first_largest(expected.map(|cost| -cost))
            }
            Self::Threshold { positive, threshold } => {
                if log_posterior[*positive] >= libm::log(*threshold) || n_classes == 1 {
                    return *positive;
                }
                let others = (0..n_classes).filter(|class| class != positive);
                let best =
                    others.reduce(
                        |best, class| if log_posterior[class] > log_posterior[best] { class } else { best },
                    );
                best.unwrap_or(*positive)
            }
        }
    }
}

/// The place of the largest number, the first of equal ones.
fn first_largest(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (place, value) in values.enumerate() {
        if value > best.1 {
            best = (place, value);
        }
    }
    best.0
}
