//! Buckets and servers, and how they are reached.

use std::{fmt, sync::Arc, time::Duration};

use anyhow::Result;
use datafusion::{
    datasource::{listing::ListingTableUrl, object_store::ObjectStoreUrl},
    execution::runtime_env::RuntimeEnv,
};
use object_store::{
    BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    http::HttpBuilder,
};
use tokio::time::timeout;
use url::{Position, Url};

use super::{
    error::{Problem, RemoteError, reason},
    store::RemoteStore,
};
use crate::program::{failure::usage, files::Location};

/// What kind of store it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Amazon S3, and what speaks like it.
    Amazon,
    /// Google Cloud Storage.
    Google,
    /// An HTTP server.
    Web,
}

/// A bucket or a server.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) kind: Kind,
    /// Its address, with secrets if the user gave them.
    root: Url,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Site").field(&self.name("")).finish()
    }
}

/// The longest silence of a server that is taken for work.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// The limit of a whole request: a large file takes its time, and silence has its own limit.
const WHOLE_REQUEST: &str = "1 day";

impl Site {
    /// What holds the file of an address.
    pub(super) fn new(kind: Kind, mut address: Url) -> Self {
        address.set_path("/");
        address.set_fragment(None);
        Self { kind, root: address }
    }

    /// Whether its addresses say who reads.
    pub(super) fn is_signed(&self) -> bool {
        self.root.query().is_some()
    }

    /// The address of a file without secrets, by its key.
    pub(super) fn name(&self, key: &str) -> String {
        format!("{}{key}", without_secrets(&self.root))
    }

    /// Where a file is, by its key, in which `%` has no meaning.
    pub(super) fn location(&self, key: &str) -> Result<Location> {
        let mut url = without_secrets(&self.root);
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(key.split('/'));
        }
        Ok(Location::Address { name: self.name(key), url: ListingTableUrl::try_new(url, None)?.into() })
    }

    /// What reads its files, which the engine finds from now on.
    pub(super) async fn store(&self, runtime: &RuntimeEnv) -> Result<Arc<dyn ObjectStore>> {
        let place = ObjectStoreUrl::parse(&self.root[..Position::BeforePath])?;
        if let Ok(known) = runtime.object_store(&place) {
            if self.root != without_secrets(&self.root) {
                return Err(usage(format!(
                    "{} is named twice, with a `?` or a password in an address; download the files first",
                    self.name("")
                )));
            }
            return Ok(known);
        }
        let store: Arc<dyn ObjectStore> = Arc::new(RemoteStore::new(self.clone(), self.open().await?));
        runtime.register_object_store(place.as_ref(), store.clone());
        Ok(store)
    }

    async fn open(&self) -> Result<Box<dyn ObjectStore>, RemoteError> {
        let bucket = self.root.host_str().unwrap_or_default();
        let wrong = |error: object_store::Error| self.error("", Problem::Other { reason: reason(&error) });
        let absent = |reason| self.error("", Problem::NoCredentials { reason });
        // The environment says how to log in. What it lacks is found now, and not by each file.
        match self.kind {
            Kind::Amazon => {
                let builder = AmazonS3Builder::from_env()
                    .with_bucket_name(bucket)
                    .with_retry(retry())
                    .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), WHOLE_REQUEST);
                let is_public = builder.get_config_value(&AmazonS3ConfigKey::SkipSignature);
                let store = builder.build().map_err(wrong)?;
                if is_public.as_deref() != Some("true") {
                    check_credentials(store.credentials().get_credential()).await.map_err(absent)?;
                }
                Ok(Box::new(store))
            }
            Kind::Google => {
                let builder = GoogleCloudStorageBuilder::from_env()
                    .with_bucket_name(bucket)
                    .with_retry(retry())
                    .with_config(GoogleConfigKey::Client(ClientConfigKey::Timeout), WHOLE_REQUEST);
                let is_public = builder.get_config_value(&GoogleConfigKey::SkipSignature);
                let store = builder.build().map_err(wrong)?;
                if is_public.as_deref() != Some("true") {
                    check_credentials(store.credentials().get_credential()).await.map_err(absent)?;
                }
                Ok(Box::new(store))
            }
            Kind::Web => {
                let options = ClientOptions::new().with_allow_http(true).with_timeout_disabled();
                let builder = HttpBuilder::new()
                    .with_url(self.root.as_str())
                    .with_retry(retry())
                    .with_client_options(options);
                Ok(Box::new(builder.build().map_err(wrong)?))
            }
        }
    }

    pub(super) fn error(&self, key: &str, problem: Problem) -> RemoteError {
        RemoteError { address: self.name(key), kind: self.kind, problem }
    }
}

/// Waits for credentials; an error says why there are none.
async fn check_credentials<T>(
    credentials: impl Future<Output = object_store::Result<T>>,
) -> Result<(), String> {
    match timeout(PATIENCE, credentials).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(reason(&error)),
        Err(_) => Err("the service that has them does not answer".into()),
    }
}

/// Servers that are busy are asked again for some seconds, and not for minutes.
fn retry() -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(200),
        max_backoff: Duration::from_secs(5),
        base: 2.0,
    };
    RetryConfig { backoff, max_retries: 4, retry_timeout: Duration::from_secs(30) }
}

/// An address as it may be shown.
pub(super) fn without_secrets(address: &Url) -> Url {
    let mut address = address.clone();
    address.set_query(None);
    address.set_fragment(None);
    // Fails only for addresses that can have neither.
    let _ = address.set_username("").and_then(|()| address.set_password(None));
    address
}
