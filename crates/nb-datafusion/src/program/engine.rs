//! Where queries are carried out: in this process, or on a cluster.

use std::error::Error;
#[cfg(feature = "cluster")]
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use anyhow::Result;
use clap::ValueEnum;
use datafusion::{
    common::Column,
    execution::SessionStateBuilder,
    logical_expr::{Expr, lit},
    prelude::{DataFrame, SessionConfig, SessionContext},
};
#[cfg(feature = "cluster")]
use nb_datafusion::cluster::{ClientOptions, Cluster};
use nb_datafusion::{Plans, Register, watched};

use super::{
    failure::{say, usage},
    log,
    progress::{Watched, progress},
    test_functions::{self, nb_test_delay},
};

/// What carries out queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// This process, with all cores.
    Datafusion,
    /// A cluster.
    Ballista,
}

/// Which engine, and how patient to be with it.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineArgs {
    /// What carries out queries.
    #[arg(long, value_enum, default_value_t = EngineName::Datafusion)]
    engine: EngineName,
    /// The scheduler of the cluster.
    #[arg(long, value_name = "ADDRESS", default_value = "df://127.0.0.1:50050")]
    scheduler: String,
    /// Into how many tasks the reading of data is cut; by default one per core, or 16 on a cluster.
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    /// How long a cluster without scheduler or executors is waited for.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
    /// How long an answer of a cluster is waited for before the query is sent again.
    #[arg(long, value_name = "SECONDS", default_value_t = 1800)]
    time_limit: u64,
    /// How often a query is sent to a cluster at most.
    #[arg(long, value_name = "N", default_value_t = 3)]
    attempts: u32,
    /// The longest message of a cluster; all of its processes must allow it.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    message_limit: usize,
    /// Delays each batch of rows by this many milliseconds, for tests; the cluster needs --test-functions.
    #[arg(long, hide = true)]
    test_delay: Option<u64>,
}

/// What there is to cancel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running {
    #[cfg(feature = "cluster")]
    cluster: Arc<OnceLock<Cluster>>,
    quiet: bool,
}

impl Running {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, ..Self::default() }
    }

    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// Says something of what is done, unless nobody wants to know.
    pub(crate) fn say(&self, message: &str) {
        if !self.quiet {
            say(message);
        }
    }

    /// Gives up the queries on the cluster.
    pub(crate) async fn cancel(&self) {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = self.cluster.get() {
            cluster.cancel().await;
        }
    }
}

/// What carries out queries.
pub(crate) struct Engine {
    place: Place,
    quiet: bool,
    test_delay: Option<u64>,
}

enum Place {
    Here {
        context: Box<SessionContext>,
        plans: Plans,
    },
    #[cfg(feature = "cluster")]
    Cluster(Cluster),
}

impl EngineArgs {
    /// Connects to the cluster, if there is one.
    pub(crate) async fn start(&self, running: &Running) -> Result<Engine> {
        log::client(running.quiet());
        if self.partitions == Some(0) || self.attempts == 0 || self.message_limit == 0 {
            return Err(usage("--partitions, --attempts and --message-limit must be 1 or more"));
        }
        let register = test_functions::register(self.test_delay.is_some(), true);
        let place = match self.engine {
            EngineName::Datafusion => Place::here(self.partitions, &register)?,
            #[cfg(not(feature = "cluster"))]
            EngineName::Ballista => {
                return Err(usage(
                    "this nb-datafusion was compiled without clusters; compile it with them: \
                     `cargo install nb-datafusion --features cluster`",
                ));
            }
            #[cfg(feature = "cluster")]
            EngineName::Ballista => {
                let defaults = ClientOptions::default();
                let options = ClientOptions {
                    partitions: self.partitions.unwrap_or(defaults.partitions),
                    patience: Duration::from_secs(self.patience),
                    time_limit: Duration::from_secs(self.time_limit),
                    attempts: self.attempts,
                    message_limit: self.message_limit << 20,
                    register,
                    ..defaults
                };
                let cluster = Cluster::connect(&self.scheduler, options).await?;
                drop(running.cluster.set(cluster.clone()));
                Place::Cluster(cluster)
            }
        };
        Ok(Engine { place, quiet: running.quiet(), test_delay: self.test_delay })
    }
}

impl Place {
    fn here(partitions: Option<usize>, register: &Register) -> Result<Self> {
        let mut config = SessionConfig::new();
        if let Some(partitions) = partitions {
            config = config.with_target_partitions(partitions);
        }
        let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
        let (mut state, plans) = watched(state);
        register(&mut state)?;
        Ok(Self::Here { context: Box::new(SessionContext::new_with_state(state)), plans })
    }
}

impl Engine {
    /// Whether others carry out queries.
    pub(crate) fn is_cluster(&self) -> bool {
        !matches!(self.place, Place::Here { .. })
    }

    /// Where tables are registered and queries made.
    pub(crate) fn context(&self) -> &SessionContext {
        match &self.place {
            Place::Here { context, plans: _ } => context,
            #[cfg(feature = "cluster")]
            Place::Cluster(cluster) => cluster.context(),
        }
    }

    /// The same frame, whose rows take their time if a test wants it.
    pub(crate) fn delayed(&self, frame: DataFrame, column: &str) -> Result<DataFrame> {
        let Some(milliseconds) = self.test_delay else { return Ok(frame) };
        let delay = nb_test_delay().call(vec![Expr::Column(Column::from_name(column)), lit(milliseconds)]);
        Ok(frame.with_column(column, delay)?)
    }

    /// Carries out a query, telling how it goes.
    pub(crate) async fn run<T, E>(&self, query: impl AsyncFn() -> Result<T, E>) -> Result<T>
    where
        E: Error + Send + Sync + 'static,
    {
        match &self.place {
            Place::Here { context: _, plans } => {
                plans.clear();
                tokio::select! {
                    answer = query() => Ok(answer?),
                    never = progress(Watched::Here(plans), self.quiet) => match never {},
                }
            }
            #[cfg(feature = "cluster")]
            Place::Cluster(cluster) => tokio::select! {
                answer = cluster.run(query) => Ok(answer?),
                never = progress(Watched::Cluster, self.quiet) => match never {},
            },
        }
    }
}
