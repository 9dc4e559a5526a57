//! Two samples of one variable, of which only counts or moments are known: have they the same distribution?

mod counts;
mod homogeneity;
mod means;
mod stability;

pub use counts::CountsError;
pub use homogeneity::{Homogeneity, homogeneity};
pub use means::{MeansError, SampleMoments, TwoMeans, two_means};
pub use stability::{jensen_shannon, population_stability_index, stability_of_normals};
