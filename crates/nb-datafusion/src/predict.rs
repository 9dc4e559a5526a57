//! Labelling from Rust.

use datafusion::{
    functions_nested::extract::array_element,
    logical_expr::{Expr, ScalarUDF, lit},
    prelude::DataFrame,
    scalar::ScalarValue,
};
use nb_core::Classifier;
use nb_io::{FittedFamily, Model};

use crate::{
    FitError, Models,
    failure::failed,
    fit::column,
    scalar::{Answer, Question},
};

/// What to say of each row beside its label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The probability of each class, in columns `p(class)`.
    pub proba: bool,
    /// The natural logarithm of the probability of each class, in columns `log_p(class)`.
    pub log_proba: bool,
}

/// The rows of a frame with their labels: the columns to keep, the predicted label (NULL for a row that is
/// impossible under every class) as `predicted_` and its name, and what else is wanted. Features are found by
/// their names.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use nb_datafusion::{Design, Wanted, fit_frame, predict_frame};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = SessionContext::new();
/// let rows = "SELECT column1 AS y, column2 AS x FROM (VALUES ('a', 1.0), ('a', 2.0), ('b', 8.0), ('b', 9.0))";
/// let frame = context.sql(rows).await?;
/// let columns = [("x", frame.schema().field_with_unqualified_name("x")?.data_type())];
/// let template = Design::default().template("y", &columns)?;
/// let model = fit_frame(frame.clone(), None, &template).await?;
/// let answers = predict_frame(frame, &["x"], &model, Wanted { proba: true, log_proba: false })?;
/// let names: Vec<_> = answers.schema().fields().iter().map(|field| field.name().clone()).collect();
/// assert_eq!(names, ["x", "predicted_y", "p(a)", "p(b)"]);
/// assert_eq!(answers.count().await?, 4);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`FitError`] if a feature or a column to keep is not there, or the model cannot be fitted.
pub fn predict_frame(
    frame: DataFrame,
    keep: &[&str],
    model: &Model,
    wanted: Wanted,
) -> Result<DataFrame, FitError> {
    let schema = model.schema();
    let names = schema.columns.iter().map(|column| column.name.as_str());
    for name in names.clone().chain(keep.iter().copied()) {
        frame.schema().field_with_unqualified_name(name)?;
    }
    let classifier = model.classifier().map_err(failed)?;
    let label = format!("predicted_{}", schema.label);
    let answers = classes_of(&classifier, wanted).chain([label.clone()]);
    if let Some(name) = answers.into_iter().find(|name| keep.contains(&name.as_str())) {
        return Err(FitError::TwoMeanings { name });
    }
    let bytes = model.to_bytes()?;
    let ask = |question: Question| -> Expr {
        let mut arguments = vec![lit(ScalarValue::Binary(Some(bytes.clone())))];
        arguments.extend(names.clone().map(column));
        ScalarUDF::from(Answer::new(question, Models::default())).call(arguments)
    };
    let mut lists = Vec::new();
    for (is_wanted, question, name) in
        [(wanted.proba, Question::Posteriors, "p"), (wanted.log_proba, Question::LogPosteriors, "log_p")]
    {
        if is_wanted {
            lists.push((name, format!("all {name}"), question));
        }
    }
    // Lists first, so that each is computed once and not once for each class.
    let mut inner: Vec<Expr> = keep.iter().map(|name| column(name)).collect();
    inner.push(ask(Question::Label).alias(&label));
    inner.extend(lists.iter().map(|(_, list, question)| ask(*question).alias(list)));
    let mut outer: Vec<Expr> = keep.iter().map(|name| column(name)).collect();
    outer.push(column(&label));
    for (name, list, _) in &lists {
        for (place, class) in (1_i64..).zip(classifier.classes()) {
            outer.push(array_element(column(list), lit(place)).alias(of_class(name, class)));
        }
    }
    Ok(frame.select(inner)?.select(outer)?)
}

/// The name of the column with the probability of a class, or its logarithm.
fn of_class(name: &str, class: &str) -> String {
    format!("{name}({class})")
}

/// The names of all such columns.
fn classes_of(classifier: &Classifier<String, FittedFamily>, wanted: Wanted) -> impl Iterator<Item = String> {
    let names =
        [(wanted.proba, "p"), (wanted.log_proba, "log_p")].into_iter().filter(|(is_wanted, _)| *is_wanted);
    names.flat_map(|(_, name)| classifier.classes().iter().map(move |class| of_class(name, class)))
}
