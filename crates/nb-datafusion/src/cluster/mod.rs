//! Queries on a cluster: Ballista's scheduler, executors and client, with the functions of this crate.
//!
//! A cluster is one scheduler and any number of executors. The client plans a query and sends it to the
//! scheduler, which cuts it into tasks and gives these to executors; what an executor has computed it keeps
//! in files, from which others and the client fetch it. Functions travel by name, so that all three have to
//! know them: [`Scheduler`], [`executor`] and [`Cluster`] see to that.
//!
//! # Security
//!
//! There is **no authentication and no encryption**: who can reach the ports can run queries, and a query can
//! read any file that the executors can read. Everything therefore listens on the loopback interface
//! (127.0.0.1) unless told otherwise; listen on other addresses in a trusted network only.
//!
//! # Files
//!
//! A path means the same file to the client, the scheduler and every executor: on several machines, data lie
//! in a shared file system. Our scheduler refuses a query with a file that it does not find, where Ballista's
//! own would go on without its rows. Tables name files or folders: a pattern such as `*.parquet` would not
//! reach the scheduler, which would read the whole folder, so that the program `nb-datafusion` names each
//! file.
//!
//! # Failures
//!
//! Statistics can be computed again, so that queries may be sent again. When an executor is lost, the
//! scheduler gives its tasks to others. When everything is lost, [`Cluster::run`] sends the query again, a
//! stated number of times, and says within a stated time that it does not get an answer. Sums are exact, so
//! that none of this shows in a model.

mod address;
mod client;
mod error;
mod executor;
mod files;
mod health;
mod probe;
mod scheduler;

pub use address::SchedulerAddress;
pub use client::{ClientOptions, Cluster};
pub use error::{ClusterError, ServeError};
pub use executor::{ExecutorOptions, executor};
pub use scheduler::{Scheduler, SchedulerOptions};

/// The port of the scheduler, by default.
pub const PORT: u16 = 50050;

/// The longest message between the processes, in bytes, 256 MiB by default, where Ballista has 16.
/// Statistics of 100,000 terms and 20 classes take some 40 MB.
pub const MESSAGE_LIMIT: usize = 256 << 20;
