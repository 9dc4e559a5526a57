//! `nb-book ROOT OUTPUT [PLAYGROUND]`: the book of the folder `docs` below `ROOT` as HTML pages in `OUTPUT`,
//! with the page `PLAYGROUND` beside it. `cargo xtask book` runs it.

mod chapters;
mod code;
mod links;
mod math;
mod page;
mod summary;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use mdbook_driver::MDBook;

/// The name of the page with the playground, in the output.
const PLAYGROUND: &str = "playground.html";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    match &arguments[..] {
        [root, output] => build(root, output, None),
        [root, output, playground] => build(root, output, Some(playground)),
        _ => bail!("usage: nb-book ROOT OUTPUT [PLAYGROUND]"),
    }
}

/// Builds the book and checks it.
fn build(root: &Path, output: &Path, playground: Option<&Path>) -> Result<()> {
    summary::check(&root.join("docs"))?;
    let mut book = MDBook::load(root.join("book"))?;
    book.config.build.build_dir = std::path::absolute(output)?;
    book.with_preprocessor(chapters::Chapters { has_playground: playground.is_some() });
    book.build()?;
    // mdBook copies style sheets, and not what they name.
    fs::copy(root.join("book/theme/math/math.woff2"), output.join("theme/math.woff2"))?;
    if let Some(playground) = playground {
        fs::copy(playground, output.join(PLAYGROUND))
            .with_context(|| format!("{} cannot be copied", playground.display()))?;
    }
    let found = links::check(output)?;
    println!(
        "{}: {} pages, {} links within the book, {} pictures",
        output.join("index.html").display(),
        found.pages,
        found.internal,
        found.pictures
    );
    Ok(())
}
