//! The design of a report that was made before.

use serde::Deserialize;

use crate::{
    Design, DesignError, Table,
    report::raw::{RECORD, RESULTS},
};

/// The design that a report was made from, and the data it was carried out on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// The design.
    pub design: Design,
    /// The name of each data set and its [`Table::fingerprint`], in the order of the design.
    pub fingerprints: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Whole {
    design: String,
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    name: String,
    fingerprint: String,
}

impl From<Design> for Recorded {
    /// A design that was not carried out yet.
    fn from(design: Design) -> Self {
        Self { design, fingerprints: Vec::new() }
    }
}

impl Recorded {
    /// Reads it from a report as a page, which has its results within.
    ///
    /// # Errors
    /// [`DesignError`] if the page is no report of a comparison.
    pub fn from_html(page: &str) -> Result<Self, DesignError> {
        let results = nb_report::saved_text(page, RESULTS).or_else(|| nb_report::saved_text(page, RECORD));
        Self::from_json(&results.ok_or(DesignError::NoReport)?)
    }

    /// Reads it from results as [`results_json`](crate::results_json) writes them.
    ///
    /// # Errors
    /// [`DesignError`] if they are none.
    pub fn from_json(results: &str) -> Result<Self, DesignError> {
        let Whole { design, data } = serde_json::from_str(results).map_err(|_| DesignError::NoReport)?;
        let fingerprints = data.into_iter().map(|data| (data.name, data.fingerprint)).collect();
        Ok(Self { design: Design::from_toml(&design)?, fingerprints })
    }

    /// The names of those of the tables that are not what they were.
    pub fn changed<'a>(&self, tables: &'a [Table]) -> Vec<&'a str> {
        let is_changed = |table: &&Table| {
            let known = self.fingerprints.iter().find(|(name, _)| *name == table.name);
            known.is_some_and(|(_, fingerprint)| *fingerprint != table.fingerprint())
        };
        tables.iter().filter(is_changed).map(|table| table.name.as_str()).collect()
    }
}
