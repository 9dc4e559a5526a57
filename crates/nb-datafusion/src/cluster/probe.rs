//! A query that only a cluster with our functions can answer.

use datafusion::{
    arrow::record_batch::RecordBatch,
    error::{DataFusionError, Result},
    prelude::SessionContext,
};

/// The evidence of no models, merged, in groups: several tasks, so that several executors get one. A single
/// group for each of several tables would do as well, but Ballista 55.0 answers a union of those with too
/// many rows.
pub(super) async fn run(context: &SessionContext) -> Result<()> {
    let groups: Vec<String> = (0..N_GROUPS).map(|group| format!("({group})")).collect();
    let query = format!(
        "SELECT g, nb_merge(CAST(NULL AS BYTEA)) AS m FROM (VALUES {}) AS t(g) GROUP BY g",
        groups.join(", ")
    );
    let answers = context.sql(&query).await?.collect().await?;
    let n_rows: usize = answers.iter().map(RecordBatch::num_rows).sum();
    if n_rows == N_GROUPS {
        Ok(())
    } else {
        Err(DataFusionError::Execution(format!("the answer to a question for {N_GROUPS} rows has {n_rows}")))
    }
}

/// Enough of them that every task has one.
const N_GROUPS: usize = 256;
