//! Comparisons on embedded data sets.

mod analysis;
#[cfg(feature = "experiments")]
mod experiments;
mod groups;
mod journal;
#[path = "../../../nb-report/tests/it/pdflatex.rs"]
mod pdflatex;
mod plans;
mod predictions;
mod python;
mod records;
mod reports;
mod retraction;
mod runs;
mod scikit_learn;
mod studies;
mod texts;
mod texts_scikit_learn;
mod tuning;
mod variants;
mod worked;
