//! What can go wrong with a cluster.

use std::error::Error;

use ballista_core::error::BallistaError;
use datafusion::error::DataFusionError;

/// Why a scheduler or an executor could not be started, or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address to listen on cannot be had.
    #[error("cannot listen on {address}: {error}; choose another host or port")]
    Listen {
        /// Host and port.
        address: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Others would be told an address at which they do not reach this process.
    #[error("{host} is no address that others can reach; say with `advertise` by which name they do")]
    Advertise {
        /// The address to listen on.
        host: String,
    },
    /// There is no scheduler.
    #[error("no scheduler answered at {address} within {seconds} s; start it first, or name another")]
    NoScheduler {
        /// Host and port.
        address: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// No folder for results could be made.
    #[error("no folder for results can be made in {folder}: {error}; name another")]
    Folder {
        /// Where.
        folder: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Ballista says what is wrong.
    #[error("the process cannot go on: {0}")]
    Ballista(BallistaError),
    /// The functions cannot be registered.
    #[error("the functions cannot be registered: {0}")]
    Functions(DataFusionError),
}

impl From<BallistaError> for ServeError {
    fn from(error: BallistaError) -> Self {
        Self::Ballista(error)
    }
}

impl From<DataFusionError> for ServeError {
    fn from(error: DataFusionError) -> Self {
        Self::Functions(error)
    }
}

/// Why a cluster gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The address of the scheduler is none.
    #[error("{address:?} is no address of a scheduler; write it as df://host:port")]
    Address {
        /// What was given.
        address: String,
    },
    /// Nobody answers at the address of the scheduler.
    #[error(
        "no scheduler answered at {address} within {seconds} s; start one with `nb-datafusion scheduler`, or name another \
         with --scheduler"
    )]
    Unreachable {
        /// Host and port.
        address: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The scheduler has nobody to give tasks to.
    #[error(
        "the scheduler at {address} had no executors for {seconds} s; start some with `nb-datafusion executor --scheduler \
         df://{address}`, and send the query again"
    )]
    NoExecutors {
        /// Host and port.
        address: String,
        /// How long they were waited for.
        seconds: u64,
    },
    /// The scheduler is a stranger.
    #[error(
        "the scheduler at {address} does not know the functions of nb-datafusion; start it with `nb-datafusion scheduler` \
         of this version ({reason})"
    )]
    SchedulerLacksFunctions {
        /// Host and port.
        address: String,
        /// What it said.
        reason: String,
    },
    /// An executor is a stranger.
    #[error(
        "an executor of the scheduler at {address} refused a task, most likely because it does not know the functions of \
         nb-datafusion; start all of them with `nb-datafusion executor` of this version ({reason})"
    )]
    ExecutorLacksFunctions {
        /// Host and port.
        address: String,
        /// What it said.
        reason: String,
    },
    /// The query got lost each time.
    #[error("the cluster lost the query {attempts} times, at last with: {reason}")]
    Lost {
        /// How often it was sent.
        attempts: u32,
        /// The last thing that was heard.
        reason: String,
    },
    /// The query took too long each time.
    #[error(
        "there was no answer within {seconds} s, {attempts} times; if the query takes longer, allow it a longer time"
    )]
    TooLong {
        /// How often it was sent.
        attempts: u32,
        /// How long was waited each time.
        seconds: u64,
    },
    /// The context for queries cannot be made.
    #[error("the cluster cannot be used: {0}")]
    Context(DataFusionError),
    /// The query is wrong, or its data are.
    #[error(transparent)]
    Query(Box<dyn Error + Send + Sync>),
}

impl From<DataFusionError> for ClusterError {
    fn from(error: DataFusionError) -> Self {
        Self::Context(error)
    }
}
