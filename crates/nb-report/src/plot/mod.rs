//! Figures drawn, described and as tables.

mod data;
mod describe;

pub(crate) use data::data;
pub(crate) use describe::description;
