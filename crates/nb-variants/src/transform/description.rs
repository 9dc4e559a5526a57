//! Name and hyper-parameters of transformed Gaussians.

use nb_core::{
    description::{Columns, Described, Description, Hyper},
    family::BoxedModel,
};

use super::Transformed;

/// The transforms are learnt, and no hyper-parameters; those of the normal distributions are.
impl Described for Transformed {
    fn describe() -> Description {
        Description::new("power", Columns::Real)
            .titled("Gaussian after a power")
            .about(
                "Real numbers: normal distributions after a power or logarithm",
                "Columns of skewed real numbers, normal after a power or logarithm (--transform)",
            )
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.gaussian.hyper_parameters()
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }
}
