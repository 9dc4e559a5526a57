//! Naive Bayes in SQL.
//!
//! # Should I be using this crate?
//!
//! Yes, where the rows are in a database and shall stay there. [`fit_query`] writes a plain aggregation
//! query; [`Evidence::read`] makes a model of its result, which can be merged, updated and fitted again like
//! any other; and [`predict_query`] writes a query that scores rows by a model. It is text in and text out:
//! this crate connects to nothing and reads no files.
//!
//! ```
//! use nb_core::Gaussian;
//! use nb_io::Family;
//! use nb_sql::{Design, DesignColumn, Dialect, Evidence, Kept, Shift, fit_query, predict_query};
//!
//! let columns = vec![DesignColumn { name: "length".into(), kept: Kept::Moments }];
//! let design = Design { label: "species".into(), weights: None, group: None, columns };
//! let query = fit_query(&design, Dialect::Postgres, "plants", Shift::Mean)?;
//! // ... which an engine answers:
//! let result = "\
//! class,kind,feature,category,n_rows,weight,missing,refused,shift,sum,sum_of_squares
//! a,class,,,2,2,,0,,,
//! a,feature,length,,2,,0,0,2,0,2
//! b,class,,,2,2,,0,,,
//! b,feature,length,,2,,0,0,8,0,2
//! ";
//! let model = Evidence::read(result, &design)?.into_model(Family::Gaussian(Gaussian::default()))?;
//! let query = predict_query(&model, Dialect::Postgres, "new_plants", Some("id"))?;
//! assert!(query.contains("AS \"predicted_species\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is lost
//!
//! Counts, and sums of whole numbers up to `2^53`, are exact, and their evidence is that of the rows bit for
//! bit. Sums of other numbers are rounded by the engine; the shift in the query keeps that error near
//! `10^-16` of the variance at any offset ([`fit_query`] says how). `docs/sql.md` has measurements.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod choice;
mod design;
mod dialect;
mod error;
mod fit;
mod import;
mod moments;
mod pairs;
mod parts;
mod predict;
mod result;
mod sorted;
mod terms;
mod words;

pub use design::{Design, DesignColumn, DesignError, Kept};
pub use dialect::Dialect;
pub use error::ImportError;
pub use fit::{Shift, fit_query};
pub use import::{Evidence, LostDigits};
pub use predict::{PredictError, predict_expressions, predict_query};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
