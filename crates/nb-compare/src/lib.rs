//! Naive Bayes variants compared with one another and with logistic regression.

mod analysis;
mod comparison;
mod design;
mod json;
mod measure;
mod method;
mod outcome;
mod plan;
mod report;
mod run;
mod table;
mod variant;

pub use analysis::{Analysis, Cell, Overall, Pair, Summary};
pub use comparison::{Comparison, Data};
pub use design::{Design, DesignError, Set};
pub use measure::{Measure, Values};
pub use method::{
    AodeMethod, CalibratedMethod, ColumnModel, CountRatioMethod, Discretisation, Fitted, KernelWidth,
    LogisticMethod, Method, MethodError, NaiveBayesMethod, Retracting, labels,
};
pub use outcome::{Done, Outcome, Reliability, Times, Unit};
pub use plan::{Folds, Plan, PlanError};
pub use report::{report, results_csv, results_json};
pub use run::{Journal, JournalError, Progress, run};
pub use table::{Chosen, Column, Documents, Features, Kind, Matrix, Provenance, Table, TableError};
pub use variant::{CalibrationChoice, Learner, PriorChoice, Variant, VariantError};
