//! `nb-datafusion scheduler` and `nb-datafusion executor`: the processes of a cluster.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context, Result};
use log::LevelFilter;
use nb_datafusion::cluster::{
    ExecutorOptions, PORT, Scheduler, SchedulerAddress, SchedulerOptions, executor,
};

use super::{failure::say, log as logging, test_functions};

/// What both have in common.
#[derive(Debug, clap::Args)]
struct ServeArgs {
    /// The address to listen on. There is no authentication: listen on others than 127.0.0.1 in a trusted
    /// network only.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The name or address by which others reach this process, if it is not the one it listens on.
    #[arg(long, value_name = "NAME")]
    advertise: Option<String>,
    /// The longest message; all processes of a cluster must allow it.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    message_limit: usize,
    /// What is written to standard error: off, error, warn, info, debug or trace.
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = level)]
    log: LevelFilter,
    /// Registers a function that takes its time, for tests.
    #[arg(long, hide = true)]
    test_functions: bool,
    /// Registers no functions of ours, for tests.
    #[arg(long, hide = true)]
    without_functions: bool,
}

/// Gives the tasks of queries to executors; a cluster has one scheduler.
#[derive(Debug, clap::Args)]
pub(crate) struct SchedulerArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// The port to listen on; 0 for any.
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// An executor that has not been heard of for so long is lost, and others get its tasks. It must be
    /// longer than the heartbeat of the executors.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    executor_timeout: u64,
    /// How long queries wait for new executors when all are lost.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    grace: u64,
}

/// Carries out tasks; a cluster has as many executors as it likes, on machines that see the same files.
#[derive(Debug, clap::Args)]
pub(crate) struct ExecutorArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// The scheduler.
    #[arg(long, value_name = "ADDRESS", default_value = "df://127.0.0.1:50050")]
    scheduler: SchedulerAddress,
    /// How long a scheduler that does not answer is waited for.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    scheduler_timeout: u64,
    /// The port at which results are fetched; 0 for any.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The port at which the scheduler gives tasks; 0 for any.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    task_port: u16,
    /// How many tasks run at a time; by default one per core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    cores: usize,
    /// The most memory for sorting, joining and grouping; by default seven tenths of the machine's.
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// A folder for results, which go when the executor does; by default one for temporary files.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Interval of heartbeats to the scheduler.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    heartbeat: u64,
}

impl SchedulerArgs {
    pub(crate) async fn run(&self, quiet: bool) -> Result<()> {
        let serve = &self.serve;
        logging::server(serve.log);
        let scheduler = Scheduler::bind(&SchedulerOptions {
            host: serve.host,
            port: self.port,
            advertise: serve.advertise.clone(),
            executor_timeout: Duration::from_secs(self.executor_timeout),
            grace: Duration::from_secs(self.grace),
            message_limit: serve.message_limit << 20,
            register: test_functions::register(serve.test_functions, !serve.without_functions),
        })
        .await?;
        if !quiet {
            say(&format!("the scheduler listens on df://{}", scheduler.address()?));
            warn_of_strangers(serve.host);
        }
        Ok(scheduler.serve().await?)
    }
}

impl ExecutorArgs {
    pub(crate) async fn run(&self, quiet: bool) -> Result<()> {
        let serve = &self.serve;
        logging::server(serve.log);
        let options = ExecutorOptions {
            scheduler: self.scheduler.clone(),
            scheduler_timeout: Duration::from_secs(self.scheduler_timeout),
            host: serve.host,
            port: self.port,
            task_port: self.task_port,
            advertise: serve.advertise.clone(),
            cores: self.cores,
            memory: self.memory.map(|mib| mib << 20),
            folder: self.folder.clone(),
            heartbeat: Duration::from_secs(self.heartbeat),
            message_limit: serve.message_limit << 20,
            register: test_functions::register(serve.test_functions, !serve.without_functions),
        };
        if !quiet {
            say(&format!("this executor works for df://{}", self.scheduler));
            warn_of_strangers(serve.host);
        }
        executor(&options).await.context("the executor stopped")
    }
}

fn level(text: &str) -> Result<LevelFilter, String> {
    text.parse().map_err(|error: log::ParseLevelError| error.to_string())
}

fn warn_of_strangers(host: IpAddr) {
    if !host.is_loopback() {
        say(
            "there is no authentication and no encryption: who can reach this port can run queries and read files",
        );
    }
}
