//! Comparisons on embedded data sets.

mod experiments;
mod journal;
mod plans;
mod retraction;
mod runs;
mod variants;
