//! Designs that papers can name.

use super::{Design, DesignError};

/// The suites by name. What a suite is does not change; a new one gets a new name.
const SUITES: [(&str, &str); 1] = [("nb-2026", include_str!("nb-2026.toml"))];

impl Design {
    /// A design that this crate comes with: `nb-2026` has twenty embedded data sets and naive Bayes plain,
    /// semi-naive, weighted, refined and tuned, beside logistic regression.
    ///
    /// ```
    /// let suite = nb_compare::Design::suite("nb-2026")?;
    /// assert_eq!((suite.sets.len(), suite.seed), (20, 1));
    /// assert!(nb_compare::Design::suite("nb-1926").is_err());
    /// # Ok::<(), nb_compare::DesignError>(())
    /// ```
    ///
    /// # Errors
    /// [`DesignError::Suite`] if none has this name.
    pub fn suite(name: &str) -> Result<Self, DesignError> {
        let found = SUITES.iter().find(|(known, _)| *known == name);
        let (_, text) = found.ok_or_else(|| DesignError::Suite {
            name: name.to_owned(),
            known: SUITES.iter().map(|(known, _)| *known).collect(),
        })?;
        Self::from_toml(text)
    }
}
