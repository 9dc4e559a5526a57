//! Models of embedded data sets.

mod absent;
mod sets;
