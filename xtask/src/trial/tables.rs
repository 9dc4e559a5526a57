//! The tables below a folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Extensions of tables; each may be followed by `.gz`.
const EXTENSIONS: [&str; 11] =
    ["csv", "tsv", "tab", "txt", "data", "parquet", "arrow", "json", "jsonl", "arff", "xlsx"];

/// All tables below a folder, sorted. Hidden files and folders are left out, and links to folders are not
/// followed.
///
/// # Errors
/// The folder that cannot be read.
pub(crate) fn find(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort_unstable();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(named)? {
        let entry = entry.map_err(named)?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type().map_err(named)?.is_dir() {
            collect(&path, found)?;
        } else if is_table(&name) && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

fn is_table(name: &str) -> bool {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_extensions() {
        for name in ["a.csv", "b.CSV.gz", "c.d.parquet", "iris.data"] {
            assert!(is_table(name), "{name}");
        }
        for name in ["csv", "a.gz", "a.md", "a.csv.zip", "a.csv.bak"] {
            assert!(!is_table(name), "{name}");
        }
    }
}
