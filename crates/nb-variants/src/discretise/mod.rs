//! Learnt discretisation: numbers by the interval that they lie in.
//!
//! # Model
//! Cut points `c_1 < ... < c_{K-1}` divide the values of a column into `K` bins,
//! `(-∞, c_1], (c_1, c_2], ..., (c_{K-1}, ∞)`, and `log p(x_j in bin k | class) = log θ_jk`. As in Fayyad and Irani
//! (1993), a value equal to a cut lies below it. A column without a cut has one bin and says nothing.
//!
//! # Sums kept
//! Per class, column and bin the weight of the rows. The cuts are part of the layout's name, since the sums mean
//! something else with others: statistics merge only where all cuts are equal.
//!
//! # Estimator
//! `θ_k = (n_k + l) / (n + l K)`, that of [`Categorical`](nb_core::Categorical) with the bins as its categories.
//!
//! # References
//! Dougherty, Kohavi and Sahami (1995), *Supervised and unsupervised discretization of continuous features*, ICML:
//! naive Bayes gains by discretisation, and most by that of Fayyad and Irani; Fayyad and Irani (1993),
//! *Multi-interval discretization of continuous-valued attributes for classification learning*, IJCAI; Yang and Webb
//! (2009), *Discretization for naive-Bayes learning: managing discretization bias and variance*, Machine Learning 74; Boullé
//! (2006), *MODL: a Bayes optimal discretization method for continuous attributes*, Machine Learning 65; Jackson, Scargle, Barnes,
//! Arabhi, Alt, Gioumousis, Gwin, Sangtrakulcharoen, Tan and Tsai (2005), *An algorithm for optimal partitioning of data on an interval*,
//! IEEE Signal Processing Letters 12.

mod binned;
mod columns;
mod cuts;
mod description;
mod error;
mod fitted;
mod inspect;
mod mdl;
mod modl;
mod unsupervised;

pub use binned::Binned;
pub use cuts::Cuts;
pub use error::{CutsError, DiscretiseError};
pub use fitted::FittedBinned;
pub(crate) use inspect::{bin_outline, bin_parameters};
