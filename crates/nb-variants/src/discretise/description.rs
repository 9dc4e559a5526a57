//! Name and hyper-parameters of bins.

use nb_core::description::{Columns, Described, Description, Hyper, parameters};

use super::Binned;

/// The cut points are learnt, and no hyper-parameter. Bins are no density of the numbers within them.
impl Described for Binned {
    fn describe() -> Description {
        Description::new("binned", Columns::Real)
            .about("Real numbers in bins, with a probability of each", "Columns of numbers in bins (--bins)")
            .learnt()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }
}
