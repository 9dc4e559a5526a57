//! Files of a comparison.

use std::{io::Write, path::Path};

use anyhow::{Result, bail};
use nb_compare::{Comparison, report, results_csv, results_json};

use crate::{failure::usage, output::Replacement};

/// Refuses a file that could not be written before all work is done in vain.
pub(super) fn check(path: &Path) -> Result<()> {
    if !["html", "md", "tex", "csv", "json", "toml"].contains(&extension(path)) {
        return Err(usage(format!(
            "{}: a report is written as .html, .md, .tex, .csv, .json or .toml",
            path.display()
        )));
    }
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => bail!("cannot write {}: there is no folder {}", path.display(), folder.display()),
        None => Ok(()),
    }
}

/// Writes a comparison in the format that the name of the file asks for.
pub(super) fn write(comparison: &Comparison, path: &Path) -> Result<()> {
    let content = match extension(path) {
        "md" => report(comparison).to_markdown()?,
        "tex" => report(comparison).latex_tables()?.join("\n"),
        "csv" => results_csv(comparison),
        "json" => results_json(comparison),
        "toml" => comparison.design.to_toml(),
        _ => report(comparison).to_html()?,
    };
    let mut file = Replacement::new(path)?;
    file.write_all(content.as_bytes())?;
    file.finish()
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}
