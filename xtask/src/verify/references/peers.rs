//! What other packages give for the same model and data.

use std::collections::BTreeMap;

use serde::Deserialize;

/// By reference, variant and package.
pub(super) type Peers = BTreeMap<String, BTreeMap<String, BTreeMap<String, Peer>>>;

/// A posterior that is off by more than this is worth a remark.
const LARGE_ERROR: f64 = 1e-3;

/// How one package does on one variant.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Peer {
    /// Labels that are wrong where the reference has no tie.
    labels_wrong: usize,
    labels_compared: usize,
    rows_with_nan_posterior: usize,
    /// The largest absolute error of a posterior probability in the listed rows.
    max_err_posterior: f64,
    /// Set if the package answered although the model is undefined.
    gave_an_answer: bool,
    /// The package's own message, if it refused.
    error: Option<String>,
}

/// A remark for each package that is wrong.
pub(super) fn remarks(peers: &Peers, reference: &str, variant: &str) -> Vec<String> {
    let packages = peers.get(reference).and_then(|variants| variants.get(variant));
    packages
        .into_iter()
        .flatten()
        .filter_map(|(package, peer)| Some(format!("{package}: {}", peer.faults()?)))
        .collect()
}

impl Peer {
    fn faults(&self) -> Option<String> {
        let mut faults = Vec::new();
        if let Some(error) = &self.error {
            faults.push(format!("refuses ({})", error.trim()));
        }
        if self.gave_an_answer {
            faults.push(format!("answers anyway ({} labels)", self.labels_compared));
        }
        if self.labels_wrong > 0 {
            faults.push(format!("{} of {} labels wrong", self.labels_wrong, self.labels_compared));
        }
        if self.rows_with_nan_posterior > 0 {
            faults.push(format!("NaN posteriors in rows: {}", self.rows_with_nan_posterior));
        }
        if self.max_err_posterior > LARGE_ERROR {
            faults.push(format!("a posterior off by {:.2}", self.max_err_posterior));
        }
        (!faults.is_empty()).then(|| faults.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_faults_are_remarked() {
        assert_eq!(Peer::default().faults(), None);
        let peer =
            Peer { labels_wrong: 493, labels_compared: 4601, rows_with_nan_posterior: 1, ..Peer::default() };
        assert_eq!(peer.faults().as_deref(), Some("493 of 4601 labels wrong, NaN posteriors in rows: 1"));
    }
}
