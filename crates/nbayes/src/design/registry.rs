//! The families that the program knows. Options, schema files and help are made from this list.

use anyhow::Result;
use nb_io::Family;
pub(super) use nb_train::families;

/// The family of this name, with underscores or hyphens.
pub(super) fn family(name: &str) -> Result<Family> {
    Ok(nb_train::family(name)?)
}

/// A name as options are written.
pub(super) fn option_name(name: &str) -> String {
    name.replace('_', "-")
}
