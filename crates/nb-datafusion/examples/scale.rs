//! What fitting and labelling cost by the row, next to the engine's own aggregates: the numbers of
//! `docs/distributed.md`.
//!
//! `cargo run --release --example scale -- [LARGEST_EXPONENT] [FOLDER]` writes Parquet tables of 10^5 rows
//! and on, and prints times of the same run. With `df://host:port` as a third argument, the queries run on a
//! Ballista cluster that sees the folder.

#![allow(clippy::print_stdout, reason = "it is a program that prints")]

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use datafusion::{
    arrow::array::AsArray,
    dataframe::DataFrameWriteOptions,
    error::Result,
    logical_expr::Partitioning,
    prelude::{ParquetReadOptions, SessionConfig, SessionContext},
};
use nb_datafusion::{Models, register};
use nb_io::Model;

/// The engine's own aggregates of the same columns: what a Gaussian model needs, without exactness.
const OWN: &str = "SELECT y, count(*), avg(x1), var_pop(x1), avg(x2), var_pop(x2), avg(x3), var_pop(x3), avg(x4), var_pop(x4) \
                   FROM t GROUP BY y";
const FIT: &str = "SELECT nb_fit(y, x1, x2, x3, x4) FROM t";

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let largest = arguments.next().map_or(Ok(6), |text| text.parse::<u32>())?;
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from).join("nb-scale");
    let cluster = arguments.next();
    println!(
        "{:>11} {:>8} {:>10} {:>10} {:>10} {:>8} {:>9} {:>9}",
        "rows", "MB", "own ns/row", "fit ns/row", "label ns/r", "fit/own", "model B", "peak MB"
    );
    for exponent in 5..=largest {
        let n_rows = 10_u64.pow(exponent);
        let table = folder.join(format!("{n_rows}"));
        let bytes = write(&table, n_rows).await?;
        let context = context(cluster.as_deref()).await?;
        context.register_parquet("t", table.display().to_string(), ParquetReadOptions::default()).await?;
        let own = least_seconds(&context, OWN).await?;
        let fit = least_seconds(&context, FIT).await?;
        let batches = context.sql(FIT).await?.collect().await?;
        let model = batches[0].column(0).as_binary::<i32>().value(0).to_vec();
        Model::from_bytes(&model)?.classifier()?;
        let hex = model.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        let label = format!("SELECT nb_predict(X'{hex}', x1, x2, x3, x4) AS l, count(*) FROM t GROUP BY 1");
        let label = least_seconds(&context, &label).await?;
        let by_row = |seconds: f64| seconds * 1e9 / n_rows as f64;
        println!(
            "{n_rows:>11} {:>8.1} {:>10.1} {:>10.1} {:>10.1} {:>8.2} {:>9} {:>9.0}",
            bytes as f64 / 1e6,
            by_row(own),
            by_row(fit),
            by_row(label),
            fit / own,
            model.len(),
            peak_megabytes(),
        );
    }
    Ok(())
}

async fn context(cluster: Option<&str>) -> Result<SessionContext> {
    if let Some(url) = cluster {
        return connected(url).await;
    }
    let mut context = SessionContext::new_with_config(SessionConfig::new());
    register(&mut context, &Models::default())?;
    Ok(context)
}

#[cfg(feature = "cluster")]
async fn connected(url: &str) -> Result<SessionContext> {
    use ballista::prelude::SessionContextExt;

    let mut context = SessionContext::remote(url).await?;
    register(&mut context, &Models::default())?;
    Ok(context)
}

#[cfg(not(feature = "cluster"))]
async fn connected(_: &str) -> Result<SessionContext> {
    datafusion::common::not_impl_err!("a cluster needs the feature `cluster`")
}

/// Writes the table if it is not there, in eight files; its size.
async fn write(folder: &Path, n_rows: u64) -> Result<u64> {
    if !folder.is_dir() {
        let context = SessionContext::new();
        let query = format!(
            "SELECT CASE value % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END AS y, \
             1e9 + (value * 2654435761 % 1000003) / 1000003.0 + value % 3 AS x1, \
             (value * 40503 % 999983) / 1000.0 AS x2, \
             ln(1 + value % 1009) AS x3, \
             CAST(value % 17 AS DOUBLE) AS x4 \
             FROM generate_series(1, {n_rows})"
        );
        let frame = context.sql(&query).await?.repartition(Partitioning::RoundRobinBatch(8))?;
        frame.write_parquet(&folder.display().to_string(), DataFrameWriteOptions::new(), None).await?;
    }
    let mut bytes = 0;
    for file in std::fs::read_dir(folder)? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes)
}

/// The least time of some runs.
async fn least_seconds(context: &SessionContext, query: &str) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        context.sql(query).await?.collect().await?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// The most memory that this process has had, where the system tells.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e3
}
