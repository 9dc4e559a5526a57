//! Groups of categories that have about the same proportions of the classes.
//!
//! # Sums kept
//! Those of [`Categorical`](nb_core::Categorical): per class, column and category the weight of the rows. Groups are read off the sums
//! when a model is fitted, as smoothing is applied then, so that models are updated, merged and made to forget rows like any other, and
//! statistics of one family can be fitted with the other.

mod criterion;
mod description;
mod fitted;
mod grouped;
mod search;

pub use fitted::FittedGrouped;
pub use grouped::Grouped;
pub use search::modl_groups;
