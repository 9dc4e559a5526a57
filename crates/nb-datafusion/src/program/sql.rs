//! `nb-datafusion sql`: a query in words.

use anyhow::{Context, Result};
use datafusion::{
    arrow::{csv, record_batch::RecordBatch, util::pretty::pretty_format_batches},
    common::TableReference,
    error::DataFusionError,
};
use futures::StreamExt;

use super::{
    engine::{EngineArgs, Running},
    failure::usage,
    tables::{ReadArgs, Table},
};

/// Carries out a query and prints its rows.
#[derive(Debug, clap::Args)]
pub(crate) struct Sql {
    /// The query.
    query: String,
    /// Data files as a table of this name. Texts in which the first thousand rows have numbers are read as
    /// numbers, also those with leading zeros.
    #[arg(long = "table", value_name = "NAME=FILES")]
    tables: Vec<String>,
    /// Prints CSV instead of a table.
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Sql {
    pub(crate) async fn run(&self, running: &Running) -> Result<()> {
        let engine = self.engine.start(running).await?;
        for table in &self.tables {
            let Some((name, files)) = table.split_once('=') else {
                return Err(usage(format!("{table:?} must be written as NAME=FILES")));
            };
            let files = Table::look(&engine, &[files.to_owned()], self.read, running).await?;
            engine.context().register_table(TableReference::bare(name), files.frame(&engine)?.into_view())?;
        }
        let batches = engine
            .run(async || {
                let mut rows = engine.context().sql(&self.query).await?.execute_stream().await?;
                let mut batches = vec![RecordBatch::new_empty(rows.schema())];
                while let Some(batch) = rows.next().await {
                    batches.push(batch?);
                }
                Ok::<_, DataFusionError>(batches)
            })
            .await?;
        let mut output = std::io::stdout().lock();
        if self.csv {
            let mut writer = csv::Writer::new(&mut output);
            batches.iter().try_for_each(|batch| writer.write(batch)).context("cannot write the answer")
        } else {
            use std::io::Write;
            writeln!(output, "{}", pretty_format_batches(&batches)?).context("cannot write the answer")
        }
    }
}
