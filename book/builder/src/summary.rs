//! The table of contents has every page.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

/// Every `.md` file of a folder is a chapter.
///
/// # Errors
/// Which are not.
pub(crate) fn check(docs: &Path) -> Result<()> {
    let path = docs.join("SUMMARY.md");
    let summary = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut pages = Vec::new();
    pages_below(docs, docs, &mut pages)?;
    pages.retain(|page| page != "SUMMARY.md" && !summary.contains(&format!("]({page})")));
    if pages.is_empty() { Ok(()) } else { bail!("docs/SUMMARY.md does not have {}", pages.join(", ")) }
}

/// The `.md` files below a folder, relative to the first.
fn pages_below(docs: &Path, folder: &Path, pages: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            pages_below(docs, &path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path.strip_prefix(docs)?.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}
