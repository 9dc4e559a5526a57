//! Prior probabilities of the classes.

use crate::model::log_ratio::LogRatio;
use exact_sums::Exact;

use crate::model::PriorError;

/// Where the prior probabilities of the classes come from.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Prior {
    /// The share of each class in the training weight, `n_c / n`: maximum likelihood.
    #[default]
    Empirical,
    /// The same for every class.
    Uniform,
    /// Given probabilities, one per class in label order, that add up to one (within `1e-9`). A class with
    /// probability zero is never predicted.
    Given(Vec<f64>),
}

impl Prior {
    /// Refuses given probabilities that are not a distribution; that there is one per class is checked in
    /// fitting.
    ///
    /// # Errors
    /// [`PriorError`] names the class whose probability is wrong, or the sum.
    pub fn check(&self) -> Result<(), PriorError> {
        let Self::Given(probabilities) = self else { return Ok(()) };
        let invalid = |p: &f64| !(0.0..=1.0).contains(p);
        if let Some(class) = probabilities.iter().position(invalid) {
            return Err(PriorError::Probability { class, probability: probabilities[class] });
        }
        let sum = Exact::sum(probabilities.iter().copied()).to_f64();
        if (sum - 1.0).abs() > 1e-9 {
            return Err(PriorError::Sum { sum });
        }
        Ok(())
    }

    /// The natural logarithms of the prior, for classes of these weights.
    ///
    /// # Errors
    /// [`PriorError`] if given probabilities are not a distribution over the classes.
    pub(crate) fn log(&self, weights: &[Exact]) -> Result<Vec<f64>, PriorError> {
        let n_classes = weights.len();
        match self {
            Self::Empirical => {
                let total = Exact::sum(weights.iter().flat_map(Exact::components).copied());
                Ok(weights.iter().map(|weight| weight.ln_ratio(&total)).collect())
            }
            Self::Uniform => Ok(vec![-libm::log(n_classes as f64); n_classes]),
            Self::Given(probabilities) => {
                if probabilities.len() != n_classes {
                    return Err(PriorError::Length { found: probabilities.len(), n_classes });
                }
                self.check()?;
                Ok(probabilities.iter().map(|&p| libm::log(p)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_priors_are_validated() {
        let weights = [Exact::from(1.0), Exact::from(3.0)];
        assert_eq!(Prior::Empirical.log(&weights).unwrap(), [-2.0 * std::f64::consts::LN_2, 0.75_f64.ln()]);
        assert_eq!(Prior::Given(vec![1.0, 0.0]).log(&weights).unwrap(), [0.0, f64::NEG_INFINITY]);
        assert_eq!(Prior::Given(vec![1.0]).log(&weights), Err(PriorError::Length { found: 1, n_classes: 2 }));
        assert_eq!(Prior::Given(vec![0.5, 0.4]).log(&weights), Err(PriorError::Sum { sum: 0.9 }));
        let negative = PriorError::Probability { class: 1, probability: -0.5 };
        assert_eq!(
            Prior::Given(vec![1.5, -0.5]).log(&weights).unwrap_err(),
            PriorError::Probability { class: 0, probability: 1.5 }
        );
        assert_eq!(Prior::Given(vec![1.0, -0.5]).log(&weights), Err(negative));
        assert!(Prior::Given(vec![f64::NAN, 1.0]).log(&weights).is_err());
    }
}
