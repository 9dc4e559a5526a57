//! The files that names, folders and patterns of the command line stand for.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_io::read::{DocumentKind, FindFilesError, FoundFiles, NamedBy};

use super::ReadArgs;
use crate::{
    failure::usage,
    output::{Screen, counted},
};

/// The files by their names, `-` and `@dataset` among them. How many files a folder or a pattern has is said.
/// Where each file is a row, the folder or pattern keeps its name, which [`Input::find`](super::Input::find)
/// takes for all of them.
pub(crate) fn find_files(names: &[String], read: &ReadArgs, screen: Screen) -> Result<Vec<String>> {
    let mut files = Vec::new();
    // Whether each file was listed and not named.
    let mut known = BTreeMap::new();
    for name in names {
        if is_no_path(name) {
            files.push(name.clone());
            continue;
        }
        let found = FoundFiles::find(name).map_err(explained)?;
        let is_listed = found.named_by() != NamedBy::Name;
        for path in found.paths() {
            // What cannot be found is said when it is read.
            let Ok(absolute) = fs::canonicalize(path) else { continue };
            if known.insert(absolute, is_listed).is_some_and(|was_listed| was_listed || is_listed) {
                return Err(usage(format!(
                    "{} is named twice, also by a folder or a pattern; name each file once",
                    path.display()
                )));
            }
        }
        let kind = documents(&found).filter(|_| read.may_be_documents());
        if is_listed {
            note(name, &found, kind, screen);
        }
        if kind.is_some() {
            files.push(name.clone());
            continue;
        }
        for path in found.into_paths() {
            let name = path.to_str().with_context(|| {
                format!("the name of {} is not valid UTF-8; rename the file", path.display())
            })?;
            files.push(if is_no_path(name) { format!("./{name}") } else { name.into() });
        }
    }
    Ok(files)
}

/// The paths that a name stands for: itself where it stands for no files.
pub(crate) fn paths_of(name: &Path) -> Vec<PathBuf> {
    let found = name.to_str().filter(|name| !is_no_path(name)).map(FoundFiles::find);
    found.and_then(Result::ok).map_or_else(|| vec![name.into()], FoundFiles::into_paths)
}

fn is_no_path(name: &str) -> bool {
    name == "-" || name.starts_with('@')
}

/// What the files of a folder or a pattern are, if each is a row.
pub(super) fn documents(found: &FoundFiles) -> Option<DocumentKind> {
    DocumentKind::of_files(found.paths()).filter(|_| found.named_by() != NamedBy::Name)
}

/// Says how many files there are, and that each is a row where that depends on their names alone.
fn note(name: &str, found: &FoundFiles, kind: Option<DocumentKind>, screen: Screen) {
    let n_files = found.paths().len();
    let files = match kind {
        Some(DocumentKind::Mail) => counted(n_files, "mail", "mails"),
        Some(DocumentKind::Text) => counted(n_files, "text", "texts"),
        _ => counted(n_files, "file", "files"),
    };
    let otherwise = match kind {
        Some(DocumentKind::Text) => "; each is a row (`--format csv` reads tables)",
        _ => "",
    };
    screen.note(&match found.named_by() {
        NamedBy::Folder => format!("{files} of {name}{otherwise}"),
        _ => format!("{files} for '{name}'{otherwise}"),
    });
}

/// What is wrong with a name is wrong with the call.
fn explained(error: FindFilesError) -> anyhow::Error {
    match error {
        error @ FindFilesError::Io { .. } => error.into(),
        error => usage(error.to_string()),
    }
}
