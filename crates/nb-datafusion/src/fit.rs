//! Fitting from Rust.

use datafusion::{
    arrow::{array::AsArray, record_batch::RecordBatch},
    common::{Column as ColumnName, DFSchema},
    logical_expr::{Expr, lit},
    prelude::{DataFrame, SessionContext},
    scalar::ScalarValue,
};
use nb_core::NaiveBayes;
use nb_io::{Column, Family, Kind, Model, Schema};

use crate::{
    FitError,
    aggregate::{Fit, Form},
    failure::refused,
    model_bytes::once,
};

/// The name of the column with the model.
const MODEL: &str = "model";

/// Fits a model to the rows of a table, on the engine that the context stands for.
///
/// The columns of the table that the family takes for categories may be texts, whole numbers or truth values;
/// all others are numbers. The model is the same, byte for byte, on every engine.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use nb_core::{Gaussian, NaiveBayes, Prior};
/// use nb_io::Family;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = SessionContext::new();
/// context.sql("CREATE TABLE t AS SELECT column1 AS y, column2 AS x FROM (VALUES ('a', 1.0), ('a', 2.0), ('b', 8.0), ('b', 9.0))").await?;
/// let gaussian = NaiveBayes { model: Family::Gaussian(Gaussian::default()), prior: Prior::Empirical };
/// let model = nb_datafusion::fit(&context, "t", "y", &["x"], &gaussian).await?;
/// assert_eq!(model.classifier()?.predict(&ndarray::array![[7.0]])?, ["b"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`FitError`] if there is no such table or column, a cell cannot be observed, or there are no rows.
pub async fn fit(
    context: &SessionContext,
    table: &str,
    label: &str,
    columns: &[&str],
    naive_bayes: &NaiveBayes<Family>,
) -> Result<Model, FitError> {
    let frame = context.table(table).await?;
    let template = template(frame.schema(), label, columns, naive_bayes)?;
    fit_frame(frame, None, &template).await
}

/// A model without rows for some columns of a table. Categories need not be known: they are learnt with the
/// rows.
///
/// # Errors
/// [`FitError`] if there is no such column, or the family does not take as many.
pub fn template(
    schema: &DFSchema,
    label: &str,
    columns: &[&str],
    naive_bayes: &NaiveBayes<Family>,
) -> Result<Model, FitError> {
    for name in columns.iter().chain([&label]) {
        schema.field_with_unqualified_name(name)?;
    }
    let mut kinds = vec![Kind::Numeric; columns.len()];
    let all: Vec<usize> = (0..columns.len()).collect();
    set_kinds(&naive_bayes.model, &all, &mut kinds);
    let columns = columns.iter().zip(kinds).map(|(&name, kind)| Column { name: name.into(), kind });
    let schema = Schema { columns: columns.collect(), label: label.into() };
    let family = crate::families::open(&naive_bayes.model);
    Ok(Model::new(schema, family, naive_bayes.prior.clone())?)
}

/// What the cells of the columns of a family mean.
fn set_kinds(family: &Family, own: &[usize], kinds: &mut [Kind]) {
    if let Family::Blocks(blocks) = family {
        for (places, family) in blocks.iter() {
            let own: Vec<usize> = places.iter().filter_map(|&place| own.get(place).copied()).collect();
            set_kinds(family, &own, kinds);
        }
        return;
    }
    let kind = crate::design::kind(family);
    for &place in own {
        kinds[place] = kind.clone();
    }
}

/// Fits a model to the rows of a frame. The template, a model without rows, says which columns are features
/// and which is the label, by their names.
///
/// # Errors
/// [`FitError`] if a column is not there, a cell cannot be observed, or there are no rows.
pub async fn fit_frame(frame: DataFrame, weight: Option<&str>, template: &Model) -> Result<Model, FitError> {
    fitted(&fit_query(frame, weight, template)?.collect().await?)
}

/// The query that [`fit_frame`] runs, to be run in another way; [`fitted`] takes its result.
///
/// # Errors
/// [`FitError`] if a column is not there.
pub fn fit_query(frame: DataFrame, weight: Option<&str>, template: &Model) -> Result<DataFrame, FitError> {
    let schema = template.schema();
    let names = schema.columns.iter().map(|column| column.name.as_str());
    for name in names.clone().chain([schema.label.as_str()]).chain(weight) {
        frame.schema().field_with_unqualified_name(name)?;
    }
    let features = names.map(column).collect();
    fit_expressions(frame, column(&schema.label), weight.map(column), features, template)
}

/// The query that fits a template to features that are given by expressions.
pub(crate) fn fit_expressions(
    frame: DataFrame,
    label: Expr,
    weight: Option<Expr>,
    features: Vec<Expr>,
    template: &Model,
) -> Result<DataFrame, FitError> {
    let design = lit(once(ScalarValue::Binary(Some(template.to_bytes()?))));
    let mut arguments = vec![design, label, weight.unwrap_or_else(|| lit(1_i64))];
    arguments.extend(features);
    let function = datafusion::logical_expr::AggregateUDF::from(Fit::new(Form::Designed));
    Ok(frame.aggregate(vec![], vec![function.call(arguments).alias(MODEL)])?)
}

/// The model in the result of a [`fit_query`].
///
/// # Errors
/// [`FitError::NoRows`] if there is none, since there were no rows.
pub fn fitted(batches: &[RecordBatch]) -> Result<Model, FitError> {
    let mut models = batches.iter().filter(|batch| batch.num_rows() > 0);
    let (Some(batch), None) = (models.next(), models.next()) else {
        return Err(FitError::Query(refused("a query for one model gave none or many")));
    };
    let models = batch.column(0).as_binary_opt::<i32>();
    let models = models.ok_or_else(|| refused("a query for a model gave something else"))?;
    match models.iter().next().flatten() {
        Some(bytes) => Ok(Model::from_bytes(bytes)?),
        None => Err(FitError::NoRows),
    }
}

/// A column by its name as it stands, whatever its letters.
pub(crate) fn column(name: &str) -> Expr {
    Expr::Column(ColumnName::from_name(name))
}
