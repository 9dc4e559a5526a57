//! Naive Bayes where the data are: fitting and predicting inside DataFusion and Ballista queries.
//!
//! # Should I be using this crate?
//!
//! Yes, if the data are in tables of [DataFusion](https://datafusion.apache.org) (one machine, all cores, more than
//! memory) or of [Ballista](https://datafusion.apache.org/ballista) (a cluster), or have to be joined, filtered or grouped
//! before they are learnt from. A single file that is read from start to end needs only `nb-io`.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//! use nb_datafusion::{Models, register};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut context = SessionContext::new();
//! register(&mut context, &Models::default())?;
//! context.sql("CREATE TABLE flowers AS VALUES ('a', 1.0, 5), ('a', 2.0, 6), ('b', 8.0, 1), ('b', 9.5, 2)").await?;
//! context.sql("CREATE TABLE model AS SELECT nb_fit(column1, column2, column3) AS model FROM flowers").await?;
//! let answer = context.sql("SELECT nb_predict(model, 7.0, 3) AS label FROM model").await?.collect().await?;
//! assert!(datafusion::arrow::util::pretty::pretty_format_batches(&answer)?.to_string().contains("| b     |"));
//! # Ok(())
//! # }
//! ```
//!
//! # Functions of SQL
//!
//! | function | value |
//! | --- | --- |
//! | `nb_fit(label, x, ...)` | aggregate: the model of the rows, as the bytes of a model file |
//! | `nb_fit_weighted(label, weight, x, ...)` | the same for rows with weights |
//! | `nb_fit_as(design, label, weight, x, ...)` | the same with a [`Design`] or a model without rows, as a constant; the weight may be 1 |
//! | `nb_merge(model)` | aggregate: the evidence of all models together |
//! | `nb_predict(model, x, ...)` | the label; NULL for a row that is impossible under every class |
//! | `nb_log_posterior(model, class, x, ...)` | the natural logarithm of the probability of a class |
//! | `nb_posterior(model, class, x, ...)` | the probability of a class |
//! | `nb_log_posteriors(model, x, ...)`, `nb_posteriors(model, x, ...)` | those of all classes in label order, as a list |
//! | `nb_explain(model, class, against, x, ...)` | what each feature adds to the log-odds of two classes, as a list of structs `feature`, `log_odds`; the first, without a feature, is the prior |
//! | `nb_sample(share, cell, ...)` | whether a row is in a sample of this share of the rows, for `WHERE`; the same cells in the same batches give the same sample |
//!
//! *Features* `x, ...` are columns, in the order of the model; or one list of numbers; or two lists, of
//! features (numbers from 0, or names) and of their numbers, where all others are zero. Numbers are Gaussian,
//! texts categorical and truth values Bernoulli unless the design says otherwise. NULL and NaN are missing
//! cells and are left out of their row; a NULL label or weight is an error.
//!
//! *The model* is binary, as `nb_fit` gives it and model files have it, and may differ from row to row; or it
//! is a constant text: a name given to it by [`Models::insert`], or the path of a model file.
//!
//! With `GROUP BY`, `nb_fit` gives a model per group; with `OVER (... ROWS ...)` one per window of numbers,
//! from which rows are taken out as they leave it. A group without rows has NULL. Features that are
//! expressions are called `x1`, `x2`, ... by their places; name them in a subquery to merge models or use
//! them by name.
//!
//! # The same bits
//!
//! Evidence is exact, so that the value of `nb_fit` does not depend on how rows are spread over files,
//! partitions, threads and machines, nor on the order in which their sums arrive: it is the same model, byte
//! for byte, as from one process.
//!
//! # From Rust
//!
//! [`fit`], [`fit_frame`] and [`fit_long`] fit, [`predict_frame`] labels, [`sample_frame`] draws rows; on a
//! context of DataFusion and on one that is connected to a cluster. The module `cluster` (feature `cluster`)
//! starts and reaches one.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod aggregate;
#[cfg(feature = "cluster")]
pub mod cluster;
mod design;
mod error;
mod failure;
mod families;
mod fit;
mod functions;
mod long;
mod model_bytes;
mod plans;
mod predict;
mod rows;
mod sample;
mod scalar;

pub use design::{ColumnFamily, Design, DesignValue};
pub use error::FitError;
pub use fit::{fit, fit_frame, fit_query, fitted, template};
pub use functions::{Register, aggregates, ours, register, scalars};
pub use long::{Long, fit_long, long_query};
pub use plans::{Plans, watched};
pub use predict::{Wanted, predict_frame};
pub use sample::{Sampling, sample_frame};
pub use scalar::Models;
