//! A query that only a cluster with our functions can answer.

use datafusion::{
    error::{DataFusionError, Result},
    prelude::SessionContext,
};

/// The evidence of no models, merged: NULL. There are several tasks, so that several executors get one.
pub(super) async fn run(context: &SessionContext) -> Result<()> {
    const NOTHING: &str = "SELECT nb_merge(CAST(x AS BYTEA)) AS m FROM (VALUES (CAST(NULL AS VARCHAR))) AS t(x)";
    let query = vec![NOTHING; N_TASKS].join(" UNION ALL ");
    let answers = context.sql(&query).await?.collect().await?;
    if answers.iter().map(|batch| batch.num_rows()).sum::<usize>() == N_TASKS {
        Ok(())
    } else {
        Err(DataFusionError::Execution("the cluster gives wrong answers".into()))
    }
}

/// Among how many executors a stranger is found; beyond, it is found by the first query that comes to it.
const N_TASKS: usize = 8;
