//! Where a scheduler is.

use std::{fmt, str::FromStr};

use url::Url;

use super::{ClusterError, PORT};

/// The address of a scheduler, written `df://host:port`; the port is 50050 unless it is said.
///
/// ```
/// use nb_datafusion::cluster::SchedulerAddress;
///
/// let address: SchedulerAddress = "df://node7".parse()?;
/// assert_eq!((address.host.as_str(), address.port), ("node7", 50050));
/// assert!("http://node7".parse::<SchedulerAddress>().is_err());
/// # Ok::<(), nb_datafusion::cluster::ClusterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulerAddress {
    /// Its name or number on the network.
    pub host: String,
    /// The port on which it listens.
    pub port: u16,
}

impl Default for SchedulerAddress {
    /// This machine, the usual port.
    fn default() -> Self {
        Self { host: "127.0.0.1".into(), port: PORT }
    }
}

impl FromStr for SchedulerAddress {
    type Err = ClusterError;

    fn from_str(address: &str) -> Result<Self, ClusterError> {
        let wrong = || ClusterError::Address { address: address.to_owned() };
        let url = Url::parse(address).map_err(|_| wrong())?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
        if url.scheme() != "df" || !matches!(url.path(), "" | "/") {
            return Err(wrong());
        }
        Ok(Self { host: host.to_owned(), port: url.port().unwrap_or(PORT) })
    }
}

/// Host and port, as sockets want them.
impl fmt::Display for SchedulerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_default_port() {
        let parsed = |address: &str| address.parse::<SchedulerAddress>().map(|address| address.to_string());
        assert_eq!(parsed("df://host").unwrap(), "host:50050");
        assert_eq!(parsed("df://127.0.0.1:7").unwrap(), "127.0.0.1:7");
        for wrong in ["", "host:50050", "http://host", "df://", "df://host/path"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
