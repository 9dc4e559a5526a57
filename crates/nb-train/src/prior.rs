//! Where the prior probabilities of the classes come from.

use nb_core::Prior;

/// The prior probabilities of classes, which are known by name only.
///
/// ```
/// use nb_core::Prior;
/// use nb_train::ClassPrior;
///
/// let prior = ClassPrior::Given(vec![("b".into(), 0.25), ("a".into(), 0.75)]);
/// let classes = ["a".to_owned(), "b".to_owned()];
/// assert_eq!(prior.over(&classes)?, Prior::Given(vec![0.75, 0.25]));
/// assert!(prior.over(&classes[..1]).is_err());
/// # Ok::<(), nb_train::PriorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ClassPrior {
    /// The shares of the classes among the rows.
    #[default]
    Empirical,
    /// The same for all classes.
    Uniform,
    /// Of each class, by its label.
    Given(Vec<(String, f64)>),
}

/// Why a prior does not fit some classes.
///
/// ```
/// use nb_train::ClassPrior;
///
/// let error = ClassPrior::Given(vec![("c".into(), 1.0)]).over(&["a".to_owned()]).unwrap_err();
/// assert_eq!(error.to_string(), "the prior names the class \"c\", which has no rows");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PriorError {
    /// It names a class that has no rows.
    #[error("the prior names the class {class:?}, which has no rows")]
    NoRows {
        /// The class.
        class: String,
        /// The classes that there are.
        known: Vec<String>,
    },
    /// It does not name a class.
    #[error("the prior has no probability for the class {class:?}")]
    NotNamed {
        /// The class.
        class: String,
    },
}

impl ClassPrior {
    /// The prior over the classes of a model, which are in order.
    ///
    /// ```
    /// use nb_core::Prior;
    /// use nb_train::ClassPrior;
    ///
    /// assert_eq!(ClassPrior::default().over(["a".to_owned()].iter())?, Prior::Empirical);
    /// # Ok::<(), nb_train::PriorError>(())
    /// ```
    ///
    /// # Errors
    /// [`PriorError`] if it names other classes.
    pub fn over<'a>(&self, classes: impl IntoIterator<Item = &'a String>) -> Result<Prior, PriorError> {
        let given = match self {
            Self::Empirical => return Ok(Prior::Empirical),
            Self::Uniform => return Ok(Prior::Uniform),
            Self::Given(given) => given,
        };
        let classes: Vec<&String> = classes.into_iter().collect();
        if let Some((label, _)) = given.iter().find(|(label, _)| !classes.contains(&label)) {
            let known = classes.into_iter().cloned().collect();
            return Err(PriorError::NoRows { class: label.clone(), known });
        }
        let of_class = |class: &&String| {
            let found = given.iter().find(|(label, _)| label == *class).map(|&(_, probability)| probability);
            found.ok_or_else(|| PriorError::NotNamed { class: (*class).clone() })
        };
        Ok(Prior::Given(classes.iter().map(of_class).collect::<Result<_, _>>()?))
    }
}
