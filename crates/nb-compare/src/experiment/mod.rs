//! Experiments: variants under conditions that are varied ([`Study`]), and published experiments that are
//! repeated.
//!
//! A study is part of a [`Design`](crate::Design), so that [`run`](crate::run) carries it out, a
//! [`Journal`](crate::Journal) keeps its results, and a report is repeated from itself, as those of any
//! comparison.
//!
//! ```
//! use std::{num::NonZeroUsize, ops::ControlFlow};
//! use nb_compare::{Comparison, Design, Table, experiment::learning_curve::LearningCurves, run};
//!
//! let design = Design::from_toml(r#"
//!     sets = ["iris"]
//!     variants = ["gaussian", "shared-gaussian"]
//!     plan = { kind = "held-out", test = 0.3, repeats = 5 }
//!     experiment = { kind = "learning-curve", sizes = [10, 100] }
//! "#)?;
//! let tables = [Table::embedded("iris")?];
//! let units = run(&design, &tables, Vec::new(), NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
//! let curves = LearningCurves::new(&Comparison::new(design, &tables, units), &tables);
//! let points = &curves.sets[0].variants[1].curves[0].points;
//! assert!(points[0].mean > points[1].mean);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "experiments")]
pub mod assumptions;
#[cfg(feature = "experiments")]
mod error;
pub mod learning_curve;
#[cfg(feature = "experiments")]
pub mod ng_jordan;
mod place;
#[cfg(feature = "experiments")]
mod published;
#[cfg(feature = "experiments")]
mod published_report;
pub mod robustness;
mod study;
#[cfg(feature = "experiments")]
mod tasks;
mod trial;
#[cfg(feature = "experiments")]
pub mod truncation;

#[cfg(feature = "experiments")]
pub use error::ExperimentError;
pub use place::Place;
#[cfg(feature = "experiments")]
pub use published::{Experiment, Options, Results};
pub use study::{Condition, Study};
#[cfg(feature = "experiments")]
pub use tasks::Progress;
pub use trial::Trial;
