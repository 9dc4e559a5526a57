//! What the controls of the page say of the model.

use std::collections::BTreeMap;

use nb_train::{Choice, Choices, ClassPrior, Effort, Families, Trainer};
use serde::Deserialize;

use crate::{Problem, table::Table};

/// The model that is wanted. What is not given is as `nbayes train` has it, except that nothing is weighted
/// and corrected.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Design {
    /// Families of columns, by the names that `nbayes train` has for them.
    pub(crate) families: BTreeMap<String, String>,
    /// Hyper-parameters by name.
    settings: BTreeMap<String, String>,
    /// Whether the variance of a column is the same in all classes.
    shared_variance: bool,
    /// How numbers become bins; `mdl` if nothing is given.
    bins: Option<String>,
    /// `empirical` or `uniform`.
    prior: Option<String>,
    /// Probabilities of the classes instead, in label order; they are divided by their sum.
    priors: Option<Vec<f64>>,
    /// Whether weights and corrections are learnt.
    pub(crate) refined: bool,
}

impl Design {
    pub(crate) fn trainer(&self, table: &Table, effort: Effort) -> Result<Trainer, Problem> {
        let mut choices = Choices::default();
        for (column, name) in &self.families {
            if !table.schema.columns.iter().any(|own| own.name == *column) {
                return Err(Problem::new(format!("column {column:?} not found")));
            }
            let choice: Choice = name.parse()?;
            choices = choices.with(column, choice);
        }
        let mut families = Families::default();
        for (name, value) in &self.settings {
            families = families.with(name, value)?;
        }
        families.shared_variance = self.shared_variance;
        if let Some(bins) = &self.bins {
            families.preparation.bins = bins.parse()?;
        }
        let trainer = Trainer::default().with_choices(choices).with_families(families);
        Ok(trainer.with_prior(self.prior(table)).with_effort(effort).with_regression_allowed(true))
    }

    fn prior(&self, table: &Table) -> ClassPrior {
        let sum: f64 = self.priors.iter().flatten().sum();
        match (&self.priors, self.prior.as_deref()) {
            (Some(given), _) if given.len() == table.classes.len() && sum > 0.0 => {
                let given = table.classes.iter().zip(given);
                ClassPrior::Given(given.map(|(class, share)| (class.clone(), share / sum)).collect())
            }
            (_, Some("uniform")) => ClassPrior::Uniform,
            _ => ClassPrior::Empirical,
        }
    }
}
