//! The process that gives tasks to executors.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use ballista_core::{extension::SessionConfigExt, utils::default_session_builder};
use ballista_scheduler::{
    cluster::BallistaCluster,
    config::{SchedulerConfig, TaskDistributionPolicy},
    scheduler_process::{create_scheduler, start_grpc_service_with_listener},
};
use datafusion::{datasource::object_store::ObjectStoreUrl, prelude::SessionConfig};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::net::TcpListener;
use url::Url;

use super::{MESSAGE_LIMIT, PORT, ServeError, files::Present};
use crate::{Register, ours};

/// How a scheduler listens, and when it gives up on executors.
#[derive(Clone)]
pub struct SchedulerOptions {
    /// The address to listen on: 127.0.0.1. There is no authentication; see [`crate::cluster`].
    pub host: IpAddr,
    /// The port to listen on: 50050; 0 for any.
    pub port: u16,
    /// The name by which executors reach the scheduler, if it is not `host`.
    pub advertise: Option<String>,
    /// An executor that has not been heard of for so long is lost, and its tasks are given to others: 30 s.
    /// It must be longer than the heartbeat of the executors.
    pub executor_timeout: Duration,
    /// How long jobs wait for new executors when all are lost: 60 s.
    pub grace: Duration,
    /// The longest message, in bytes: [`MESSAGE_LIMIT`].
    pub message_limit: usize,
    /// The functions that queries may use.
    pub register: Register,
}

impl Default for SchedulerOptions {
    fn default() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: PORT,
            advertise: None,
            executor_timeout: Duration::from_secs(30),
            grace: Duration::from_mins(1),
            message_limit: MESSAGE_LIMIT,
            register: ours(),
        }
    }
}

impl std::fmt::Debug for SchedulerOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, port, advertise, executor_timeout, grace, message_limit, register: _ } = self;
        f.debug_struct("SchedulerOptions")
            .field("host", host)
            .field("port", port)
            .field("advertise", advertise)
            .field("executor_timeout", executor_timeout)
            .field("grace", grace)
            .field("message_limit", message_limit)
            .finish_non_exhaustive()
    }
}

/// A scheduler that listens.
#[derive(Debug)]
pub struct Scheduler {
    listener: TcpListener,
    config: SchedulerConfigOf,
}

/// Ballista's own type has no `Debug`.
struct SchedulerConfigOf(SchedulerConfig);

impl std::fmt::Debug for SchedulerConfigOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SchedulerConfig")
    }
}

impl Scheduler {
    /// Begins to listen.
    ///
    /// # Errors
    /// [`ServeError`] if the address cannot be had, or if others could not reach it.
    pub async fn bind(options: &SchedulerOptions) -> Result<Self, ServeError> {
        let address = SocketAddr::new(options.host, options.port);
        let listen = |error| ServeError::Listen { address: address.to_string(), error };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let port = listener.local_addr().map_err(listen)?.port();
        let external_host = match &options.advertise {
            Some(name) => name.clone(),
            None if options.host.is_unspecified() => {
                return Err(ServeError::Advertise { host: options.host.to_string() });
            }
            None => options.host.to_string(),
        };
        let limit = u32::try_from(options.message_limit).unwrap_or(u32::MAX);
        let register = options.register.clone();
        let message_limit = options.message_limit;
        let files = AsRef::<Url>::as_ref(&ObjectStoreUrl::local_filesystem()).clone();
        let config = SchedulerConfig {
            bind_host: options.host.to_string(),
            bind_port: port,
            external_host,
            // One task for each executor in turn, so that all disks and networks work.
            task_distribution: TaskDistributionPolicy::RoundRobin,
            executor_timeout_seconds: seconds(options.executor_timeout),
            expire_dead_executor_interval_seconds: (seconds(options.executor_timeout) / 4).clamp(1, 15),
            no_executors_grace_period_seconds: seconds(options.grace),
            grpc_server_max_decoding_message_size: limit,
            grpc_server_max_encoding_message_size: limit,
            grpc_client_max_message_size: limit,
            override_config_producer: Some(Arc::new(move || {
                SessionConfig::new_with_ballista().with_ballista_grpc_client_max_message_size(message_limit)
            })),
            override_session_builder: Some(Arc::new(move |config| {
                let mut state = default_session_builder(config)?;
                register(&mut state)?;
                state.runtime_env().register_object_store(&files, Arc::new(Present::default()));
                Ok(state)
            })),
            ..SchedulerConfig::default()
        };
        Ok(Self { listener, config: SchedulerConfigOf(config) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not know.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the future is dropped.
    ///
    /// # Errors
    /// [`ServeError`] if the process cannot go on.
    pub async fn serve(self) -> Result<(), ServeError> {
        let config = self.config.0;
        config.validate()?;
        let cluster = BallistaCluster::new_from_config(&config).await?;
        let scheduler =
            create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
        start_grpc_service_with_listener(self.listener, scheduler).await?;
        Ok(())
    }
}

/// Ballista counts whole seconds, of which there must be one.
pub(super) fn seconds(duration: Duration) -> u64 {
    duration.as_secs().max(1)
}
