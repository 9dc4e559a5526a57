//! Naive Bayes variants compared with one another and with logistic regression.
//!
//! # Should I be using this crate?
//!
//! Yes, to find out which variant suits your data, to compare one of your own with the known ones, or to
//! report a comparison as the field demands: the same splits for all, spread over folds, tests that allow for
//! what folds share, ranks over many data sets, and a page that says how to repeat it. The program `nbayes
//! compare` is a thin layer over it. To train one classifier, nb-core is enough.
//!
//! ```text
//!  Table ┐                    ┌─▶ Journal (a run that was interrupted goes on)
//!        ├─ Design ──run──▶ Unit ... ──▶ Comparison ──▶ Analysis ──▶ report ──▶ HTML, Markdown, LaTeX
//!  Variant (Method)
//! ```
//!
//! ```
//! use std::{num::NonZeroUsize, ops::ControlFlow};
//!
//! use nb_compare::{Analysis, Comparison, Design, Table, report, run};
//!
//! let design = Design::from_toml(r#"
//!     sets = ["iris", "wine", "zoo"]
//!     variants = ["gaussian", "mdl", "gaussian:calibration=isotonic,name=calibrated"]
//!     plan = { kind = "cross-validation", folds = 5, repeats = 2 }
//! "#)?;
//! let tables = design.set_names().iter().map(|name| Table::embedded(name)).collect::<Result<Vec<_>, _>>()?;
//! let units = run(&design, &tables, Vec::new(), NonZeroUsize::MIN, |_progress| ControlFlow::Continue(()))?;
//!
//! let comparison = Comparison::new(design, &tables, units);
//! let analysis = Analysis::new(&comparison);
//! println!("{}", analysis.conclusion().unwrap_or_default());
//! assert_eq!(analysis.ranking().map(|ranking| ranking.sets.len()), Some(3));
//! let page = report(&analysis).to_html()?;
//! assert!(page.contains("What may be concluded"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is random
//!
//! The splits, and nothing else. They follow from the seed, the contents of the table and the number of the
//! repeat, so that threads, variants, other tables, and the names and folders of files do not show in any
//! result; only times do.
//!
//! # A method of your own
//!
//! Implement [`Method`] and [`Fitted`], and learn from the training rows alone. [`Method::fold`] and
//! [`Method::grow`] are there for methods whose training is a sum from which rows can be taken out again, or
//! to which more can be added.
#![cfg_attr(docsrs, feature(doc_cfg))]

//!
//! # Features
//!
//! `experiments` adds published experiments on naive Bayes to the module `experiment`. `rayon` uses all
//! cores; the results have the same bits.

mod analysis;
mod answers;
mod comparison;
mod design;
mod evaluate;
pub mod experiment;
mod json;
mod measure;
mod method;
mod outcome;
mod parallel;
mod plan;
mod predictions;
mod report;
mod run;
mod table;
mod variant;

pub use analysis::{
    Analysis, Cell, Decomposition, LossSpread, Overall, Pair, Practical, PracticalOutcome, PracticalTest,
    Summary,
};
pub use answers::{Answer, AnswerError, Answers};
pub use comparison::{Comparison, Data, Made, Texts};
pub use design::{Design, DesignError, FileSet, Set};
pub use experiment::{Condition, Study};
pub use measure::{Measure, Values};
pub use method::{
    CalibratedMethod, CategoryModel, ColumnModel, CountRatioMethod, DependentMethod,
    DirichletMultinomialMethod, Discretisation, Fitted, Growing, KernelWidth, LearntModel, LogisticMethod,
    Method, MethodError, NaiveBayesMethod, PriorMethod, PrivateMethod, RefinedMethod, Retracting,
    TunedMethod, TunedValues, WrongGaussian, WrongRule, labels,
};
pub use outcome::{
    Done, FailedValues, GroupOutcome, Losses, Outcome, PowerLimit, Reliability, SetOutcome, Times, Unit,
};
pub use plan::{Dealing, Folds, Plan, PlanError, SplitBy, Splits, deal_groups};
pub use predictions::{Prediction, predictions};
pub use report::{Recorded, TestRecord, report, results_csv, results_json, test_records, tests_csv};
pub use run::{Journal, JournalError, Progress, run};
pub use table::{Column, Documents, Features, Kind, Matrix, Protected, Provenance, Table, TableError};
pub use variant::{
    AnswerFile, CalibrationChoice, DependentChoice, HdpChoice, Learner, PriorChoice, SmoothingChoice, Tune,
    Variant, VariantError,
};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
