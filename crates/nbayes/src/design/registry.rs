//! The families that the program knows.

use std::sync::LazyLock;

use nb_io::Registry;

/// All of them; options, schema files and help are made from this list.
pub(super) static FAMILIES: LazyLock<Registry> = LazyLock::new(Registry::default);

/// A name as options are written.
pub(super) fn option_name(name: &str) -> String {
    name.replace('_', "-")
}
