//! The families that the program knows.

use std::sync::LazyLock;

use anyhow::Result;
use nb_core::description::Description;
use nb_io::{Family, Registry};

/// Those that can be used as they are, and then those for which something is learnt from rows. Options, schema files and help
/// are made from this list.
static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let registry = Registry::default();
    registry.families().cloned().chain(Family::learnt()).collect()
});

/// All families, with the hyper-parameters that they have by default.
pub(super) fn families() -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter()
}

/// What they are called, in order.
pub(super) fn descriptions() -> impl Iterator<Item = Description> {
    families().map(Family::description)
}

/// The family of this name, with underscores or hyphens.
pub(super) fn family(name: &str) -> Result<Family> {
    let wanted = name.replace('-', "_");
    let found = families().find(|family| family.description().name == wanted);
    match found {
        Some(family) => Ok(family.clone()),
        None => Ok(Registry::default().family(name)?),
    }
}

/// A name as options are written.
pub(super) fn option_name(name: &str) -> String {
    name.replace('_', "-")
}
