//! Groups of categories that have about the same proportions of the classes.

mod criterion;
mod description;
mod fitted;
mod grouped;
mod search;

pub use fitted::FittedGrouped;
pub use grouped::Grouped;
pub use search::modl_groups;
