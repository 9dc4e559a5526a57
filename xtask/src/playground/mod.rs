//! `cargo xtask playground`: one page in which naive Bayes moves, with the libraries compiled to WebAssembly.

mod base85;
mod page;
mod wasm;

use std::{
    fs,
    path::{Path, PathBuf},
};

use page::Page;

/// The largest page that is meant; another compiler may make a larger one.
const MOST_BYTES: usize = 1_500_000;

/// How the command ended.
#[derive(Debug)]
pub(crate) enum Made {
    /// The page, and its size.
    Page { path: PathBuf, n_bytes: usize },
    /// There is no page here, and why.
    Skipped(String),
}

/// Makes the page.
///
/// # Errors
/// What went wrong.
pub(crate) fn run(print: &mut dyn FnMut(&str)) -> Result<Made, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if let Err(why) = wasm::find_target(print) {
        return Ok(Made::Skipped(why));
    }
    let programs = wasm::build(&root, print)?;
    let html = Page::of(&root.join("playground/web"), &programs)?.html();
    if html.len() > MOST_BYTES {
        print(&format!("the page has {} bytes, more than the {MOST_BYTES} that it should have", html.len()));
    }
    let folder = wasm::target_folder(&root).join("playground");
    let path = folder.join("index.html");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, &html))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Made::Page { path, n_bytes: html.len() })
}
