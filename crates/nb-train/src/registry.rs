//! The families by name.

use std::sync::LazyLock;

use nb_core::description::Description;
use nb_io::{Family, Registry, RegistryError};

/// Those that can be used as they are, and then those for which something is learnt from rows.
static FAMILIES: LazyLock<Vec<Family>> =
    LazyLock::new(|| Registry::default().families().cloned().chain(Family::learnt()).collect());

/// All families that columns can have, with their default hyper-parameters: first those that are sums alone,
/// then those for which something is learnt from rows before these are summed.
///
/// ```
/// let names: Vec<&str> = nb_train::families().map(|family| family.description().name).collect();
/// assert!(names.contains(&"gaussian") && names.contains(&"kernel"));
/// ```
pub fn families() -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter()
}

/// What they are called, in order.
pub(crate) fn descriptions() -> impl Iterator<Item = Description> {
    families().map(Family::description)
}

/// The family of this name, with underscores or hyphens.
///
/// ```
/// assert_eq!(nb_train::family("shared-gaussian")?.description().name, "shared_gaussian");
/// assert!(nb_train::family("gausian").is_err());
/// # Ok::<(), nb_io::RegistryError>(())
/// ```
///
/// # Errors
/// [`RegistryError`] lists the names that there are.
pub fn family(name: &str) -> Result<Family, RegistryError> {
    let wanted = name.replace('-', "_");
    match families().find(|family| family.description().name == wanted) {
        Some(family) => Ok(family.clone()),
        None => Registry::default().family(name),
    }
}
