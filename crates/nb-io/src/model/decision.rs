//! The decision rule of a model.

use nb_calibration::Decision;

use super::{Model, ModelError, error::listed};

/// The decision rule of a model is for other classes than the model has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the decision rule is for the classes {}, and the model has {}; make a new one with `nbayes decide`, or remove it with \
     `nbayes decide --none`",
    listed(of_rule),
    listed(of_model)
)]
pub struct OtherClassesError {
    /// The classes of the rule.
    pub of_rule: Vec<String>,
    /// The classes of the model.
    pub of_model: Vec<String>,
}

impl Model {
    /// How posteriors become labels, if not by the most probable class;
    /// [`with_decision`](Self::with_decision) has an example.
    pub fn decision(&self) -> Option<&Decision<String>> {
        self.decision.as_ref()
    }

    /// The same model with another decision rule, or without. It changes no probability, and nothing that
    /// [`classifier`](Self::classifier) answers: who labels rows asks [`Decision::choose`].
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// use nb_calibration::{Decision, DecisionRule};
    ///
    /// let rule = DecisionRule::Threshold { positive: 1, threshold: 0.3 }; // "b" from a probability of 0.3 on
    /// let model = model.with_decision(Some(Decision::new(vec!["a".into(), "b".into()], rule)?))?;
    /// let log_posterior = model.classifier()?.predict_log_proba(&array![[4.9]])?.row(0).to_vec();
    /// assert!(log_posterior[0] > log_posterior[1]);
    /// assert_eq!(model.decision().unwrap().choose(0, &log_posterior), Some(1));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::Decision`] if it is for other classes than those of the model.
    pub fn with_decision(self, decision: Option<Decision<String>>) -> Result<Self, ModelError> {
        let model = Self { decision, ..self };
        model.check_decision()?;
        Ok(model)
    }

    /// The same model with a decision that may be for other classes: rows of others were added after it was
    /// made.
    pub(crate) fn with_loaded_decision(self, decision: Option<Decision<String>>) -> Self {
        Self { decision, ..self }
    }

    /// Refuses a decision that is for other classes than those of the model, which rows of other classes have
    /// got since it was made.
    ///
    /// # Errors
    /// [`OtherClassesError`] has the classes of both.
    pub fn check_decision(&self) -> Result<(), OtherClassesError> {
        let Some(decision) = &self.decision else { return Ok(()) };
        if self.stats.classes().eq(decision.classes()) {
            return Ok(());
        }
        Err(OtherClassesError {
            of_rule: decision.classes().to_vec(),
            of_model: self.stats.classes().cloned().collect(),
        })
    }
}
