//! Samples of tables, from which weights and corrections are learnt.

use datafusion::{
    arrow::{array::AsArray, datatypes::Int64Type, record_batch::RecordBatch},
    functions_aggregate::expr_fn::count,
    logical_expr::{Expr, ScalarUDF, lit, when},
    prelude::DataFrame,
    scalar::ScalarValue,
};

use crate::{FitError, failure::refused, fit::column, scalar::Sampled};

/// About how many rows of each class are drawn, if there are that many.
const ALWAYS: f64 = 100.0;
/// The share of the wanted rows that are drawn on average. It is below 1 so that chance seldom draws more
/// than are wanted.
const FEWER: f64 = 0.95;
/// With more rare classes, these are drawn like the others: each is a comparison for every row.
const MOST_RARE: usize = 1000;

/// How many rows a table has, and which share of each class is drawn.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use nb_datafusion::{Models, Sampling, register, sample_frame};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut context = SessionContext::new();
/// register(&mut context, &Models::default())?;
/// let frame = context.sql("SELECT x, x % 2 AS y FROM (SELECT unnest(range(20000)) AS x)").await?;
/// let counts = Sampling::query(frame.clone(), "y")?.collect().await?;
/// let sampling = Sampling::new(&counts, 500)?;
/// assert_eq!(sampling.n_rows(), 20_000);
/// let n_drawn = sample_frame(frame, "y", &sampling)?.count().await?;
/// assert!((400..600).contains(&n_drawn), "{n_drawn}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    n_rows: usize,
    share: f64,
    /// The classes with few rows, and their shares.
    rare: Vec<(ScalarValue, f64)>,
}

impl Sampling {
    /// The query that counts the rows of each class; [`new`](Self::new) takes its result.
    ///
    /// # Errors
    /// [`FitError`] if there is no such column.
    pub fn query(frame: DataFrame, label: &str) -> Result<DataFrame, FitError> {
        frame.schema().field_with_unqualified_name(label)?;
        Ok(frame.aggregate(vec![column(label)], vec![count(lit(1_i64))])?)
    }

    /// A sample of at most about `most_rows` rows: all if there are no more, else a share of them, and about
    /// a hundred of each class with fewer in it.
    ///
    /// # Errors
    /// [`FitError`] if these are no counts of classes.
    pub fn new(counts: &[RecordBatch], most_rows: usize) -> Result<Self, FitError> {
        let mut classes = Vec::new();
        for batch in counts {
            let numbers = batch.columns().get(1).and_then(|numbers| numbers.as_primitive_opt::<Int64Type>());
            let numbers =
                numbers.ok_or_else(|| refused("a query for counts of classes gave something else"))?;
            for (row, number) in numbers.iter().enumerate() {
                let class = ScalarValue::try_from_array(batch.column(0), row)?;
                classes.push((class, number.unwrap_or_default() as f64));
            }
        }
        let n_rows: f64 = classes.iter().map(|(_, number)| number).sum();
        let most_rows = most_rows as f64;
        let share = if n_rows <= most_rows { 1.0 } else { FEWER * most_rows / n_rows };
        classes.retain(|(class, number)| !class.is_null() && share * number < ALWAYS.min(*number));
        if classes.len() > MOST_RARE {
            classes.clear();
        }
        let rare = classes.into_iter().map(|(class, number)| (class, (ALWAYS / number).min(1.0)));
        Ok(Self { n_rows: n_rows as usize, share, rare: rare.collect() })
    }

    /// The number of rows of the table.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }
}

/// The rows of a frame that are in a sample, with all of their columns. The functions of this crate must be
/// [registered](crate::register) where the query runs.
///
/// # Errors
/// [`FitError`] if there is no such column as the label.
pub fn sample_frame(frame: DataFrame, label: &str, sampling: &Sampling) -> Result<DataFrame, FitError> {
    if sampling.share >= 1.0 {
        return Ok(frame);
    }
    let names: Vec<String> = frame.schema().fields().iter().map(|field| field.name().clone()).collect();
    let usual = lit(sampling.share);
    let share = match &sampling.rare[..] {
        [] => usual,
        [(first, share), others @ ..] => {
            let is = |class: &ScalarValue| column(label).eq(lit(class.clone()));
            let mut cases = when(is(first), lit(*share));
            for (class, share) in others {
                cases = cases.when(is(class), lit(*share));
            }
            cases.otherwise(usual)?
        }
    };
    let mut arguments: Vec<Expr> = vec![share];
    arguments.extend(names.iter().map(|name| column(name)));
    Ok(frame.filter(ScalarUDF::from(Sampled::new()).call(arguments))?)
}
