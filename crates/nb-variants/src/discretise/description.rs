//! Name and hyper-parameters of bins.

use nb_core::description::{Columns, Described, Description, Hyper, parameters};

use ndarray::Array2;

use super::{Binned, Cuts};
use crate::{LearntError, LearntList, Preparation, PreparationError, Variant};

/// The cut points are learnt, and no hyper-parameter. Bins are no density of the numbers within them.
impl Described for Binned {
    fn describe() -> Description {
        Description::new("binned", Columns::Real)
            .about("Real numbers in bins, with a probability of each", "Columns of numbers in bins (--bins)")
            .learnt_by(&["bins"])
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }
}

impl Variant for Binned {
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        self.cuts = rules.bins.cuts(rows, classes)?;
        Ok(())
    }

    fn lists(&self) -> &'static [LearntList] {
        &[LearntList::CUTS]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        vec![self.cuts.to_columns()]
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        self.cuts = Cuts::new(learnt.into_iter().next().unwrap_or_default())?;
        Ok(())
    }

    fn bins(&self) -> Option<&Cuts> {
        Some(&self.cuts)
    }
}
