//! The command line, and what all commands share.

mod columns;
mod engine;
mod failure;
mod files;
mod log;
mod open;
mod output;
mod predict;
mod progress;
#[cfg(feature = "remote")]
mod remote;
mod sample;
#[cfg(feature = "cluster")]
mod serve;
mod sql;
mod tables;
mod test_functions;
mod train;
mod whole;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use engine::Running;

const EXAMPLES: &str = "\
Examples:
  nb-datafusion train 'data/*.parquet' --label y -o model.nb          all cores of this machine
  nb-datafusion train s3://bucket/data/ --label y -o model.nb         credentials from the environment, such as AWS_ACCESS_KEY_ID
  nb-datafusion predict model.nb 'new/*.csv' --id customer -o out.csv
  nb-datafusion sql 'SELECT count(*) FROM t' --table t='data/*.csv'

A cluster, in three terminals (compiled by `cargo install nb-datafusion --features cluster`):
  nb-datafusion scheduler
  nb-datafusion executor                    as often as you like, on any machine that sees the same files
  nb-datafusion train 'data/*.parquet' --label y --engine ballista -o model.nb

There is no authentication and no encryption: who can reach the ports of a cluster can run queries and read files.
Everything listens on 127.0.0.1 unless configured otherwise.";

/// Naive Bayes with DataFusion on one machine, or with Ballista on many.
#[derive(Debug, Parser)]
#[command(name = "nb-datafusion", version, after_help = EXAMPLES, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Says nothing but results and errors.
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Train(Box<train::Train>),
    Predict(predict::Predict),
    Sql(sql::Sql),
    Sample(sample::Sample),
    Files(files::List),
    #[cfg(feature = "cluster")]
    Scheduler(serve::SchedulerArgs),
    #[cfg(feature = "cluster")]
    Executor(serve::ExecutorArgs),
}

/// How deep recursion may go: plans are deep, and are walked by it.
const STACK: usize = 32 << 20;

/// Runs the program and gives its exit code: 0, 1 for an error, 2 for a wrong call, 130 after Ctrl-C.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let work = move || -> std::io::Result<ExitCode> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build()?;
        let code = runtime.block_on(run(cli.command, Running::new(cli.quiet)));
        // Reads that nobody waits for any more shall not keep the program.
        runtime.shutdown_background();
        Ok(code)
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(error))) | Err(error) => failure::report(&error.into()),
        // The panic has spoken.
        Ok(Err(_)) => ExitCode::from(101),
    }
}

async fn run(command: Command, running: Running) -> ExitCode {
    #[cfg(feature = "cluster")]
    let (stoppable, is_server) =
        (!matches!(command, Command::Executor(_)), matches!(command, Command::Scheduler(_)));
    #[cfg(not(feature = "cluster"))]
    let (stoppable, is_server) = (true, false);
    let command = async {
        match command {
            Command::Train(command) => command.run(&running).await,
            Command::Predict(command) => command.run(&running).await,
            Command::Sql(command) => command.run(&running).await,
            Command::Sample(command) => command.run(&running).await,
            Command::Files(command) => command.run().await,
            #[cfg(feature = "cluster")]
            Command::Scheduler(command) => command.run(running.quiet()).await,
            #[cfg(feature = "cluster")]
            Command::Executor(command) => command.run(running.quiet()).await,
        }
    };
    tokio::select! {
        result = command => match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure::report(&error),
        },
        // Executors stop by themselves, after they have said so to the scheduler.
        _ = tokio::signal::ctrl_c(), if stoppable => {
            running.cancel().await;
            failure::say(if is_server { "stopped" } else { "interrupted; nothing was written" });
            ExitCode::from(130)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn options_do_not_contradict_one_another() {
        Cli::command().debug_assert();
    }
}
