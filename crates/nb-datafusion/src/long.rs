//! Fitting tables with one line per cell.

use datafusion::{
    arrow::{
        array::{Array, AsArray, StringViewArray},
        compute::{cast, kernels::cmp::not_distinct},
        datatypes::DataType,
    },
    common::JoinType,
    error::Result,
    functions_aggregate::expr_fn::{array_agg, max, min},
    logical_expr::{
        ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
    },
    prelude::DataFrame,
};
use nb_io::Model;

use crate::{
    FitError,
    failure::failed,
    fit::{column, fit_expressions, fitted},
};

/// The names of the columns of a table in long form: one line per cell that is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Long<'a> {
    /// Which row a cell belongs to.
    pub row: &'a str,
    /// Which feature it is: the name of a column of the model, or its place, counted from 0.
    pub feature: &'a str,
    /// The number in it.
    pub value: &'a str,
    /// The label of the row, repeated in every line, or in the table of labels.
    pub label: &'a str,
    /// The weight of the row, likewise.
    pub weight: Option<&'a str>,
}

/// Fits a model to a table with one line per cell, such as the words of documents.
///
/// Cells that are not there are zero. `labels` is a table with a line per row of its number, its label and
/// perhaps its weight; it also tells of rows that are all zero. Without it, labels stand in every line of
/// `cells`. Features and label of the template, a model without rows, are numbers. The cells of a row may be
/// anywhere in the table: the engine brings them together, on disk where memory does not suffice.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use nb_core::{Multinomial, Prior};
/// use nb_datafusion::{Long, fit_long};
/// use nb_io::{Family, Model, Schema};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let words = Schema::numeric(["free", "see", "you"], "kind");
/// let template = Model::new(words, Family::Multinomial(Multinomial::default()), Prior::Empirical)?;
/// let cells = "SELECT * FROM (VALUES (1, 'spam', 'free', 2.0), (2, 'ham', 'see', 1.0), (2, 'ham', 'you', 1.0)) \
///              AS t (mail, kind, word, n)";
/// let cells = SessionContext::new().sql(cells).await?;
/// let names = Long { row: "mail", feature: "word", value: "n", label: "kind", weight: None };
/// let model = fit_long(cells, None, names, &template).await?;
/// assert_eq!(model.classifier()?.predict(&ndarray::array![[1.0, 0.0, 0.0]])?, ["spam"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`FitError`] if a column is not there, a row has no label or several, a feature is unknown or is
/// duplicated in a row, or there are no rows.
pub async fn fit_long(
    cells: DataFrame,
    labels: Option<DataFrame>,
    names: Long<'_>,
    template: &Model,
) -> Result<Model, FitError> {
    fitted(&long_query(cells, labels, names, template)?.collect().await?)
}

/// The query that [`fit_long`] runs; [`fitted`] takes its result.
///
/// # Errors
/// [`FitError`] if a column is not there.
pub fn long_query(
    cells: DataFrame,
    labels: Option<DataFrame>,
    names: Long<'_>,
    template: &Model,
) -> Result<DataFrame, FitError> {
    let lists =
        [array_agg(column(names.feature)).alias(FEATURES), array_agg(column(names.value)).alias(VALUES)];
    // What stands once for every row, and must not be different from line to line.
    let once = std::iter::once(names.label).chain(names.weight).enumerate();
    let once: Vec<Expr> = once
        .flat_map(|(place, name)| {
            let [least, most] = LEAST_AND_MOST[place];
            [min(column(name)).alias(least), max(column(name)).alias(most)]
        })
        .collect();
    let rows = match labels {
        None => {
            cells.aggregate(vec![column(names.row).alias(ROW)], lists.into_iter().chain(once).collect())?
        }
        Some(labels) => {
            let labels = labels.aggregate(vec![column(names.row).alias(ROW)], once)?;
            let cells = cells.aggregate(vec![column(names.row).alias(ROW_OF_CELLS)], lists.to_vec())?;
            // Full: a cell of a row without a label is an error, which nb_fit reports, and must not be lost.
            labels.join(cells, JoinType::Full, &[ROW], &[ROW_OF_CELLS], None)?
        }
    };
    let same = ScalarUDF::from(Same::new());
    let the = |place: usize| {
        let [least, most] = LEAST_AND_MOST[place];
        same.call(vec![column(ROW), column(least), column(most)])
    };
    let features = vec![column(FEATURES), column(VALUES)];
    fit_expressions(rows, the(0), names.weight.map(|_| the(1)), features, template)
}

/// Names that no table has.
const ROW: &str = "nb row";
const ROW_OF_CELLS: &str = "nb row of cells";
const FEATURES: &str = "nb features";
const VALUES: &str = "nb values";
const LEAST_AND_MOST: [[&str; 2]; 2] =
    [["nb least label", "nb most label"], ["nb least weight", "nb most weight"]];

/// `nb_same(row, least, most)`: what stands in all lines of a row, if it is the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Same {
    signature: Signature,
}

impl Same {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::any(3, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Same {
    fn name(&self) -> &'static str {
        "nb_same"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(types[1].clone())
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&arguments.args)?;
        let [rows, least, most] = &arrays[..] else { return Err(failed("nb_same takes three arguments")) };
        let texts = |place: usize| -> Result<_> {
            Ok(cast(&arrays[place], &DataType::Utf8View).map_err(failed)?.as_string_view().clone())
        };
        let different =
            not_distinct(least, most).map_err(failed)?.iter().position(|same| same == Some(false));
        if let Some(place) = different {
            let (rows, least, most) = (texts(0)?, texts(1)?, texts(2)?);
            let shown = |array: &StringViewArray| {
                if array.is_null(place) { "NULL" } else { array.value(place) }.to_owned()
            };
            return Err(failed(format!(
                "row {} has the label or weight {} in one line and {} in another; a row has one of each",
                shown(&rows),
                shown(&least),
                shown(&most)
            )));
        }
        if rows.null_count() > 0 {
            return Err(failed(
                "a line of the table does not say to which row it belongs (NULL), or this row has no label",
            ));
        }
        Ok(ColumnarValue::Array(least.clone()))
    }
}
