//! What chapters of the book compute: a module for each chapter, whose code the
//! chapter shows, and whose numbers and pictures it includes from the folder
//! `output` beside it. A test compares these files with what the code computes;
//! with `NB_UPDATE_BOOK=1` in the environment it writes them.

mod bayes;
mod calibration;
mod categories;
mod counts;
mod dependence;
mod exact_sums;
mod gaussian;
mod likelihood;
mod log_space;
mod logistic;
mod ng_jordan;
mod output;
mod rows;
mod sampling;
mod sets;
mod weights;

use std::error::Error;

pub use output::Output;

/// Any error of a listing.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Computes what a chapter shows.
pub type Listing = fn(&mut Output) -> Outcome;

/// The chapters, as their files below `docs` are named, and what they compute.
pub const LISTINGS: [(&str, Listing); 14] = [
    ("learn/bayes", bayes::listing),
    ("learn/log-space", log_space::listing),
    ("learn/likelihood", likelihood::listing),
    ("learn/categories", categories::listing),
    ("learn/counts", counts::listing),
    ("learn/gaussian", gaussian::listing),
    ("learn/logistic", logistic::listing),
    ("learn/ng-jordan", ng_jordan::listing),
    ("learn/sampling", sampling::listing),
    ("learn/dependence", dependence::listing),
    ("learn/weights", weights::listing),
    ("learn/calibration", calibration::listing),
    ("learn/sets", sets::listing),
    ("know/exact-sums", exact_sums::listing),
];
