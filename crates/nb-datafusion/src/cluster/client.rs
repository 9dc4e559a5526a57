//! Queries sent to a cluster, and sent again when they get lost.

use std::{
    error::Error,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use ballista_core::{
    config::BALLISTA_CLIENT_PULL,
    execution_plans::DistributedQueryExec,
    extension::{SessionConfigExt, SessionStateExt},
    planner::BallistaQueryPlanner,
    serde::protobuf::{CancelJobParams, scheduler_grpc_client::SchedulerGrpcClient},
};
use datafusion::{
    execution::SessionStateBuilder,
    physical_plan::ExecutionPlan,
    prelude::{SessionConfig, SessionContext},
};
use datafusion_proto::protobuf::LogicalPlanNode;
use log::warn;
use tokio::time::{sleep, timeout};

use super::{
    ClusterError, MESSAGE_LIMIT, SchedulerAddress,
    health::{Health, health},
    probe,
};
use crate::{Plans, Register, ours, plans::Remembering};

/// How patient a client is, and how it cuts queries.
#[derive(Clone)]
pub struct ClientOptions {
    /// Into how many tasks the reading of data is cut: 16.
    pub partitions: usize,
    /// How long a scheduler that does not answer, or has no executors, is waited for: 60 s.
    pub patience: Duration,
    /// How long an answer is waited for before the query is sent again: 30 minutes.
    pub time_limit: Duration,
    /// How often a query is sent at most: 3 times.
    pub attempts: u32,
    /// The longest message, in bytes: [`MESSAGE_LIMIT`].
    pub message_limit: usize,
    /// Further settings for queries, such as those of how files are read.
    pub config: SessionConfig,
    /// The functions that queries may use.
    pub register: Register,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            partitions: 16,
            patience: Duration::from_mins(1),
            time_limit: Duration::from_mins(30),
            attempts: 3,
            message_limit: MESSAGE_LIMIT,
            config: SessionConfig::new(),
            register: ours(),
        }
    }
}

impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientOptions")
            .field("partitions", &self.partitions)
            .field("patience", &self.patience)
            .field("time_limit", &self.time_limit)
            .field("attempts", &self.attempts)
            .field("message_limit", &self.message_limit)
            .finish_non_exhaustive()
    }
}

/// A cluster that runs and knows the functions of this crate.
///
/// ```no_run
/// use nb_datafusion::cluster::{ClientOptions, Cluster};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let cluster = Cluster::connect("df://127.0.0.1:50050", ClientOptions::default()).await?;
/// let context = cluster.context();
/// context.register_parquet("iris", "/data/iris/", Default::default()).await?;
/// let rows = cluster.run(async || context.sql("SELECT count(*) FROM iris").await?.collect().await).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cluster {
    context: SessionContext,
    address: String,
    options: ClientOptions,
    plans: Plans,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("address", &self.address)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Why one attempt brought no answer.
enum Failure {
    /// The next may.
    Lost(String),
    /// Time was up; the next may take less.
    TooLong,
    /// The next would not bring one either.
    Final(ClusterError),
}

impl Cluster {
    /// Connects to the scheduler at `address` (`df://host:port`), and asks it and its executors whether they
    /// know our functions.
    ///
    /// # Errors
    /// [`ClusterError`] if the address is none, if nobody answers or there are no executors for as long as
    /// the options say, or if the functions are not known.
    pub async fn connect(address: &str, options: ClientOptions) -> Result<Self, ClusterError> {
        let host_and_port = address.parse::<SchedulerAddress>()?.to_string();
        let scheduler = format!("http://{host_and_port}");
        let config = options
            .config
            .clone()
            .with_target_partitions(options.partitions.max(1))
            .upgrade_for_ballista()
            .with_ballista_grpc_client_max_message_size(options.message_limit)
            // Only a client that asks for the state of a job learns its name before it is done, and can
            // cancel it.
            .set_bool(BALLISTA_CLIENT_PULL, true);
        let plans = Plans::default();
        let planner =
            BallistaQueryPlanner::<LogicalPlanNode>::new(scheduler.clone(), config.ballista_config());
        let planner = Remembering { planner: Arc::new(planner), plans: plans.clone() };
        let config = config.with_ballista_query_planner(Arc::new(planner));
        let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
        // Whatever was registered before is gone now.
        let mut state = state.upgrade_for_ballista(scheduler)?;
        (options.register)(&mut state)?;
        let context = SessionContext::new_with_state(state);
        let cluster = Self { context, address: host_and_port, options, plans };
        cluster.probe().await?;
        Ok(cluster)
    }

    /// Where tables are registered and queries are made. Carry them out within [`run`](Self::run).
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Carries out a query, and again if the cluster loses it. `query` must change nothing that a second call
    /// would mind.
    ///
    /// # Errors
    /// - [`ClusterError::Query`] with the error of `query` if it does not come from the cluster having lost
    ///   something;
    /// - [`ClusterError::Lost`] and [`ClusterError::TooLong`] if every attempt failed;
    /// - [`ClusterError::Unreachable`] and [`ClusterError::NoExecutors`] if that was so for as long as the
    ///   options say.
    pub async fn run<T, E>(&self, query: impl AsyncFn() -> Result<T, E>) -> Result<T, ClusterError>
    where
        E: Error + Send + Sync + 'static,
    {
        let attempts = self.options.attempts.max(1);
        let mut attempt = 0;
        loop {
            attempt += 1;
            self.wait_until_ready().await?;
            self.plans.clear();
            let failure = tokio::select! {
                answer = query() => match answer {
                    Ok(answer) => return Ok(answer),
                    Err(error) => self.judge(error),
                },
                gone = self.gone() => Failure::Final(gone),
                () = sleep(self.options.time_limit) => Failure::TooLong,
            };
            self.cancel().await;
            let seconds = self.options.time_limit.as_secs();
            match failure {
                Failure::Final(error) => return Err(error),
                Failure::Lost(reason) if attempt >= attempts => {
                    return Err(ClusterError::Lost { attempts, reason });
                }
                Failure::TooLong if attempt >= attempts => {
                    return Err(ClusterError::TooLong { attempts, seconds });
                }
                Failure::Lost(reason) => warn!("the query got lost and is sent again: {reason}"),
                Failure::TooLong => {
                    warn!("there was no answer within {seconds} s, and the query is sent again");
                }
            }
        }
    }

    /// Tells the scheduler to give up the queries that are under way, if it can be told within two seconds.
    pub async fn cancel(&self) {
        let jobs = jobs(&self.plans);
        self.plans.clear();
        let cancel = async {
            let scheduler = SchedulerGrpcClient::connect(format!("http://{}", self.address)).await;
            let Ok(mut scheduler) = scheduler else { return };
            for job_id in jobs {
                if let Err(error) = scheduler.cancel_job(CancelJobParams { job_id }).await {
                    warn!("a query cannot be cancelled: {error}");
                }
            }
        };
        // A job that goes on costs time only.
        drop(timeout(Duration::from_secs(2), cancel).await);
    }

    /// Whether an error says that something was lost. Ballista hands causes on as text, so that it has to be
    /// read.
    fn judge<E: Error + Send + Sync + 'static>(&self, error: E) -> Failure {
        let text = chain(&error);
        if text.contains(REJECTED) {
            let (address, reason) = (self.address.clone(), first_line(&text));
            return Failure::Final(ClusterError::ExecutorLacksFunctions { address, reason });
        }
        if LOST.iter().any(|sign| text.contains(sign)) {
            Failure::Lost(first_line(&text))
        } else {
            Failure::Final(ClusterError::Query(Box::new(error)))
        }
    }

    /// Waits for the scheduler and an executor.
    async fn wait_until_ready(&self) -> Result<(), ClusterError> {
        let start = Instant::now();
        loop {
            let state = health(&self.address).await;
            if state == Health::Ready {
                return Ok(());
            }
            if start.elapsed() >= self.options.patience {
                return Err(self.absent(&state));
            }
            sleep(Duration::from_millis(200)).await;
        }
    }

    /// Ends when there has been no scheduler, or no executor, for too long: a job would wait for ever.
    async fn gone(&self) -> ClusterError {
        let mut last_ready = Instant::now();
        loop {
            sleep(Duration::from_secs(1)).await;
            match health(&self.address).await {
                Health::Ready => last_ready = Instant::now(),
                state if last_ready.elapsed() >= self.options.patience => return self.absent(&state),
                Health::NoExecutors | Health::Unreachable => {}
            }
        }
    }

    fn absent(&self, state: &Health) -> ClusterError {
        let (address, seconds) = (self.address.clone(), self.options.patience.as_secs());
        match state {
            Health::Unreachable => ClusterError::Unreachable { address, seconds },
            Health::NoExecutors | Health::Ready => ClusterError::NoExecutors { address, seconds },
        }
    }

    /// Has a function of ours computed on the cluster, so that a stranger in it is found before the data are
    /// read.
    async fn probe(&self) -> Result<(), ClusterError> {
        let probed = self.run(async || probe::run(&self.context).await).await;
        match probed {
            Err(ClusterError::Query(error)) => {
                let (address, reason) = (self.address.clone(), first_line(&chain(error.as_ref())));
                Err(ClusterError::SchedulerLacksFunctions { address, reason })
            }
            probed => probed,
        }
    }
}

/// The jobs of the cluster that queries have become.
fn jobs(plans: &Plans) -> Vec<String> {
    let job = |plan: &Arc<dyn ExecutionPlan>| {
        let query = plan.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>()?;
        query.job_id().map(|id| id.to_string())
    };
    plans.each(job).into_iter().flatten().collect()
}

/// What the scheduler says when an executor does not understand a task.
const REJECTED: &str = "rejected by executor";

/// What is said when something was lost, and not wrong.
const LOST: &[&str] = &[
    "all executors were lost",
    "Stream closed without job completing",
    "stream closed because of a broken pipe",
    "transport error",
    "code: Unavailable",
    "tcp connect error",
    "Connection refused",
    "connection reset",
    "error reading a body from connection",
    "h2 protocol error",
    "GrpcConnectionError",
    "FetchFailed",
];

/// An error and its causes.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
