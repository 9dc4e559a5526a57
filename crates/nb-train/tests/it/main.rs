//! Models of embedded data sets.

mod absent;
mod calibrate;
mod few;
mod groups;
mod order;
mod sets;
