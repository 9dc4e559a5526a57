//! Models of embedded data sets.

mod absent;
mod few;
mod groups;
mod order;
mod sets;
