//! What is wrong with a file that is not on this machine, and what to do.

use std::{error::Error, fmt, iter};

use object_store::client::{HttpError, HttpErrorKind};

use super::site::{Kind, PATIENCE, Site};

/// Why a file behind an address cannot be read. Has no secrets in it.
#[derive(Debug)]
pub(crate) struct RemoteError {
    pub(super) address: String,
    pub(super) kind: Kind,
    pub(super) problem: Problem,
}

#[derive(Debug)]
pub(super) enum Problem {
    Missing,
    Denied,
    NoCredentials { reason: String },
    Unreachable { reason: String },
    Silent,
    OnlyWhole,
    Other { reason: String },
}

impl RemoteError {
    /// The one behind an error.
    pub(crate) fn of<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Self> {
        chain(error).find_map(|cause| cause.downcast_ref())
    }

    /// Whether there is no such file.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.problem, Problem::Missing)
    }
}

impl Problem {
    pub(super) fn of(error: &object_store::Error) -> Self {
        let http = chain(error).find_map(|cause| cause.downcast_ref::<HttpError>()).map(HttpError::kind);
        match (status(&error.to_string()), http) {
            (Some(404), _) => Self::Missing,
            (Some(401 | 403), _) => Self::Denied,
            (_, Some(HttpErrorKind::Connect)) => Self::Unreachable { reason: reason(error) },
            (_, Some(HttpErrorKind::Timeout)) => Self::Silent,
            _ if matches!(error, object_store::Error::NotSupported { .. }) => Self::OnlyWhole,
            _ => Self::Other { reason: reason(error) },
        }
    }
}

/// The answer of the server in an error. Lists that fail have no other sign of it.
fn status(error: &str) -> Option<u16> {
    error.split_once("status code: ")?.1.get(..3)?.parse().ok()
}

impl Site {
    /// An error of its store, in words for the user.
    pub(super) fn explained(&self, key: &str, error: &object_store::Error) -> object_store::Error {
        self.error(key, Problem::of(error)).into()
    }

    /// The error that nothing was heard of it.
    pub(super) fn silent(&self, key: &str) -> object_store::Error {
        self.error(key, Problem::Silent).into()
    }
}

/// Also of files that are not there: a table of which one is missing would have no rows for the engine.
impl From<RemoteError> for object_store::Error {
    fn from(error: RemoteError) -> Self {
        Self::Generic { store: "remote", source: Box::new(error) }
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, kind, problem } = self;
        let login = match kind {
            Kind::Amazon => {
                "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN if there is one, and AWS_REGION (`aws configure \
                 export-credentials --format env` prints the keys), or AWS_SKIP_SIGNATURE=true for a public bucket"
            }
            Kind::Google => {
                "set GOOGLE_APPLICATION_CREDENTIALS or GOOGLE_SERVICE_ACCOUNT to the path of a file of credentials, or \
                 GOOGLE_SKIP_SIGNATURE=true for a public bucket"
            }
            Kind::Web => "download it by a program that can log in, and name the file",
        };
        let server = match kind {
            Kind::Amazon => {
                "; check AWS_REGION, and for servers other than Amazon's AWS_ENDPOINT and AWS_ALLOW_HTTP=true (allows http://)"
            }
            Kind::Google | Kind::Web => "",
        };
        match problem {
            Problem::Missing => write!(f, "there is no {address}; check the address"),
            Problem::Denied => write!(f, "access to {address} is denied; {login}"),
            Problem::NoCredentials { reason } => {
                write!(f, "there are no credentials for {address} ({reason}); {login}")
            }
            Problem::Unreachable { reason } => {
                write!(f, "cannot reach the server of {address} ({reason}){server}")
            }
            Problem::Silent => {
                write!(
                    f,
                    "nothing was heard from the server of {address} for {} s; try again",
                    PATIENCE.as_secs()
                )
            }
            Problem::OnlyWhole => {
                write!(
                    f,
                    "the server of {address} gives no parts of files, which reading Parquet needs; download it"
                )
            }
            Problem::Other { reason } => write!(f, "cannot read {address}: {reason}{server}"),
        }
    }
}

impl Error for RemoteError {}

/// What happened, in one line and without what may be secret: the query of an address, and the page of an
/// answer.
pub(super) fn reason(error: &(dyn Error + 'static)) -> String {
    let cause = chain(error).last().map(ToString::to_string).unwrap_or_default();
    let line = cause.split(['<', '?', '\n']).next().unwrap_or_default();
    line.trim_end_matches([' ', ':', '.'])
        .replace("Server returned non-2xx status code: ", "the server says ")
}

/// An error and its causes.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |&error| error.source())
}
