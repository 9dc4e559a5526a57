//! Types that pass calls on pass on all of them.

use std::sync::Arc;

use nb_core::{
    FeatureModel,
    error::FamilyError,
    family::{BoxedModel, ClassSums, forward_family},
};
use nb_laws::{Probe, check_forwarding_of_density};

#[test]
fn pointers_and_boxes_pass_everything_on() {
    check_forwarding_of_density(|probe| &*Box::leak(Box::new(probe)));
    check_forwarding_of_density(Box::new);
    check_forwarding_of_density(Arc::new);
    check_forwarding_of_density(BoxedModel::new);
}

/// A family whose fitted form is behind a pointer.
struct Behind<P>(Probe, fn(Probe) -> P);

macro_rules! probe {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.0;
        $work
    }};
}

impl<P: nb_core::Likelihood> FeatureModel for Behind<P> {
    type Fitted = P;

    forward_family!(self, probe);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<P, FamilyError> {
        self.0.fit(classes).map(self.1)
    }
}

#[test]
fn pointers_to_fitted_families_pass_everything_on() {
    check_forwarding_of_density(|probe| Behind(probe, Box::new));
    check_forwarding_of_density(|probe| Behind(probe, Arc::new));
    check_forwarding_of_density(|probe| Behind::<&Probe>(probe, |probe| Box::leak(Box::new(probe))));
}
