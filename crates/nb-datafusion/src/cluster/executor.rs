//! The process that carries out tasks.

use std::{
    net::{IpAddr, Ipv4Addr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use ballista_core::{
    extension::SessionConfigExt, registry::BallistaFunctionRegistry, utils::default_session_builder,
};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::prelude::SessionConfig;
use tokio::net::TcpStream;

use super::{MESSAGE_LIMIT, SchedulerAddress, ServeError, scheduler::seconds};
use crate::{Register, ours};

/// Where an executor finds its scheduler, and how much of the machine it takes.
#[derive(Clone)]
pub struct ExecutorOptions {
    /// The scheduler: that of this machine, on port 50050.
    pub scheduler: SchedulerAddress,
    /// How long a scheduler that does not answer is waited for: 30 s.
    pub scheduler_timeout: Duration,
    /// The address to listen on: 127.0.0.1. There is no authentication; see [`crate::cluster`].
    pub host: IpAddr,
    /// The port at which results are fetched; 0 (the default) for any.
    pub port: u16,
    /// The port at which the scheduler gives tasks; 0 (the default) for any.
    pub task_port: u16,
    /// The name by which others reach the executor, if it is not the address from which it calls the
    /// scheduler.
    pub advertise: Option<String>,
    /// How many tasks run at a time; 0 (the default) for one per core.
    pub cores: usize,
    /// The most memory for sorting, joining and grouping, in bytes; seven tenths of the machine's if it is
    /// not said.
    pub memory: Option<u64>,
    /// A folder for results; one for temporary files if it is not said. What is in it goes when the executor
    /// does.
    pub folder: Option<PathBuf>,
    /// Interval of heartbeats to the scheduler: every 10 s.
    pub heartbeat: Duration,
    /// The longest message, in bytes: [`MESSAGE_LIMIT`].
    pub message_limit: usize,
    /// The functions that tasks may use.
    pub register: Register,
}

impl Default for ExecutorOptions {
    fn default() -> Self {
        Self {
            scheduler: SchedulerAddress::default(),
            scheduler_timeout: Duration::from_secs(30),
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            task_port: 0,
            advertise: None,
            cores: 0,
            memory: None,
            folder: None,
            heartbeat: Duration::from_secs(10),
            message_limit: MESSAGE_LIMIT,
            register: ours(),
        }
    }
}

impl std::fmt::Debug for ExecutorOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExecutorOptions")
            .field("scheduler", &self.scheduler)
            .field("host", &self.host)
            .field("port", &self.port)
            .field("task_port", &self.task_port)
            .field("cores", &self.cores)
            .finish_non_exhaustive()
    }
}

/// Carries out tasks until it is stopped: by Ctrl-C, by SIGTERM, or because the scheduler is gone.
///
/// # Errors
/// [`ServeError`] if there is no scheduler or an address cannot be had.
pub async fn executor(options: &ExecutorOptions) -> Result<(), ServeError> {
    let limit = u32::try_from(options.message_limit).unwrap_or(u32::MAX);
    let mut state = default_session_builder(SessionConfig::new_with_ballista())?;
    (options.register)(&mut state)?;
    let parent = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    // Ballista's own temporary folder is removed before it is used; this one goes with the process.
    let folder = tempfile::Builder::new()
        .prefix("nb-executor-")
        .tempdir_in(&parent)
        .map_err(|error| ServeError::Folder { folder: parent.display().to_string(), error })?;
    let (port, task_port) = free_ports(options)?;
    wait_for_scheduler(options).await?;
    let message_limit = options.message_limit;
    let config = ExecutorProcessConfig {
        bind_host: options.host.to_string(),
        external_host: options.advertise.clone(),
        port,
        grpc_port: task_port,
        scheduler_host: options.scheduler.host.clone(),
        scheduler_port: options.scheduler.port,
        vcores: options.cores,
        memory_pool_size: options.memory,
        work_dir: Some(folder.path().display().to_string()),
        grpc_max_decoding_message_size: limit,
        grpc_max_encoding_message_size: limit,
        executor_heartbeat_interval_seconds: seconds(options.heartbeat),
        override_config_producer: Some(Arc::new(move || {
            SessionConfig::new_with_ballista().with_ballista_grpc_client_max_message_size(message_limit)
        })),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await?;
    Ok(())
}

/// The ports that were asked for, or free ones. Both are held until both are known, so that they differ.
fn free_ports(options: &ExecutorOptions) -> Result<(u16, u16), ServeError> {
    let listen = |port: u16| {
        TcpListener::bind((options.host, port))
            .and_then(|listener| Ok((listener.local_addr()?.port(), listener)))
            .map_err(|error| ServeError::Listen { address: format!("{}:{port}", options.host), error })
    };
    let (results, tasks) = (listen(options.port)?, listen(options.task_port)?);
    Ok((results.0, tasks.0))
}

/// Ballista would either not wait or wait for ever.
async fn wait_for_scheduler(options: &ExecutorOptions) -> Result<(), ServeError> {
    let address = options.scheduler.to_string();
    let start = Instant::now();
    while TcpStream::connect(&address).await.is_err() {
        if start.elapsed() >= options.scheduler_timeout {
            return Err(ServeError::NoScheduler { address, seconds: options.scheduler_timeout.as_secs() });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}
