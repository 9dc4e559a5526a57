//! The families that can be named.

use nb_core::description::{Described, Description, Inspect};

use super::Family;

/// The families that files, options and queries can name. The [default](Self::default) one has all of these
/// crates, and [`with`](Self::with) adds others, so that their models can be loaded.
///
/// ```
/// use nb_io::Registry;
///
/// let families = Registry::default();
/// assert_eq!(families.family("poisson")?.description().name, "poisson");
/// assert!(families.family("poison").is_err());
/// # Ok::<(), nb_io::RegistryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Registry {
    families: Vec<Family>,
}

/// Why a family cannot be named, or not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// There is a family of this name.
    #[error("there is a family {name:?} already; give the new one another name")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The name cannot be written everywhere.
    #[error(
        "{name:?} cannot name a family: use lower-case letters, digits and underscores, beginning with a letter"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// There is no family of this name.
    #[error("there is no family {name:?}; there are: {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
}

impl Default for Registry {
    fn default() -> Self {
        Self { families: Family::listed() }
    }
}

impl Registry {
    /// The same with another family, whose hyper-parameters here are the default ones.
    ///
    /// # Errors
    /// [`RegistryError`] if its name is taken or cannot be written.
    pub fn with<M>(mut self, family: M) -> Result<Self, RegistryError>
    where
        M: Described,
        M::Fitted: Inspect + 'static,
    {
        let name = M::describe().name;
        let is_usual = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.chars().all(is_usual) {
            return Err(RegistryError::Name { name: name.into() });
        }
        let is_learnt = |family: &Family| family.description().name == name;
        if name == "blocks" || self.find(name).is_some() || Family::learnt().iter().any(is_learnt) {
            return Err(RegistryError::Duplicate { name: name.into() });
        }
        self.families.push(Family::other(family));
        Ok(self)
    }

    /// What the families are called, in order.
    pub fn descriptions(&self) -> impl Iterator<Item = Description> + '_ {
        self.families.iter().map(Family::description)
    }

    /// All families, with the hyper-parameters that they have by default.
    pub fn families(&self) -> impl Iterator<Item = &Family> {
        self.families.iter()
    }

    /// The family of this name, with underscores or hyphens, and its hyper-parameters as they are by default.
    ///
    /// # Errors
    /// [`RegistryError::Unknown`] lists the names that there are.
    pub fn family(&self, name: &str) -> Result<Family, RegistryError> {
        self.find(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = self.descriptions().map(|description| description.name).collect();
            RegistryError::Unknown { name: name.into(), known: known.join(", ") }
        })
    }

    fn find(&self, name: &str) -> Option<&Family> {
        let name = name.replace('-', "_");
        self.families.iter().find(|family| family.description().name == name)
    }
}
