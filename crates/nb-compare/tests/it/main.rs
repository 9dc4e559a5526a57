//! Comparisons on embedded data sets.

mod journal;
mod plans;
mod retraction;
mod runs;
mod variants;
