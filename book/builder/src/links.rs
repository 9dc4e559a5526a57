//! Every link within the book leads somewhere, nothing is loaded from elsewhere, and every picture has a
//! description.

use std::{
    collections::BTreeMap,
    fs,
    path::{Component, Path, PathBuf},
};

use anyhow::{Result, bail};

use crate::{PLAYGROUND, page::Page};

/// What was checked.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) pages: usize,
    pub(crate) internal: usize,
    pub(crate) pictures: usize,
}

/// Checks all pages that mdBook wrote below a folder.
///
/// # Errors
/// Every link that leads nowhere, with its page.
pub(crate) fn check(output: &Path) -> Result<Found> {
    let mut pages = BTreeMap::new();
    read(output, output, &mut pages)?;
    let mut faults = Vec::new();
    let mut found = Found { pages: 0, internal: 0, pictures: 0 };
    // The page for printing has all chapters once more; pages that others wrote have links of their own.
    let chapters = pages.iter().filter(|(_, (page, is_chapter))| *is_chapter && !page.ids.is_empty());
    for (path, (page, _)) in chapters {
        found.pages += 1;
        found.pictures += page.pictures;
        let shown = path.display();
        faults.extend(page.nameless.iter().map(|picture| format!("{shown}: {picture} has no description")));
        let elsewhere = page.loads.iter().filter(|link| link.contains("://") || link.starts_with("//"));
        faults.extend(elsewhere.map(|link| format!("{shown} loads {link} from the network")));
        for link in &page.links {
            if link.contains(':') || link.starts_with("//") {
                continue;
            }
            found.internal += 1;
            if let Some(fault) = fault(output, path, link, &pages) {
                faults.push(format!("{shown}: {link} {fault}"));
            }
        }
    }
    if faults.is_empty() { Ok(found) } else { bail!("broken links\n{}", faults.join("\n")) }
}

/// What is wrong with a link of a page.
fn fault(
    output: &Path,
    from: &Path,
    link: &str,
    pages: &BTreeMap<PathBuf, (Page, bool)>,
) -> Option<&'static str> {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let file = file.split_once('?').map_or(file, |(file, _)| file);
    let path = if file.is_empty() { from.to_owned() } else { resolved(from, file) };
    let target = output.join(&path);
    let path = if target.is_dir() { path.join("index.html") } else { path };
    if !output.join(&path).is_file() {
        return Some("leads nowhere");
    }
    // The playground reads its scene from what is an anchor elsewhere.
    let anchor = anchor.filter(|anchor| !anchor.is_empty() && path != Path::new(PLAYGROUND))?;
    let (page, _) = pages.get(&path)?;
    (!page.ids.contains(anchor)).then_some("has no such anchor")
}

/// The path of a link, from the folder of all pages.
fn resolved(from: &Path, link: &str) -> PathBuf {
    let mut path = from.parent().unwrap_or(Path::new("")).to_owned();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => path = PathBuf::new(),
            Component::CurDir => {}
        }
    }
    path
}

/// All pages below a folder, and whether each is a chapter.
fn read(output: &Path, folder: &Path, pages: &mut BTreeMap<PathBuf, (Page, bool)>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(output, &path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let html = fs::read_to_string(&path)?;
            let by_mdbook = html.contains("<!-- Book generated using mdBook -->");
            let name = path.strip_prefix(output)?.to_owned();
            let is_chapter =
                by_mdbook && !["print.html", "404.html", "toc.html"].map(Path::new).contains(&&*name);
            let page = if by_mdbook { Page::of(&html) } else { Page::default() };
            pages.insert(name, (page, is_chapter));
        }
    }
    Ok(())
}
