//! What is done to the text of chapters before mdBook renders it.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use mdbook_driver::book::Book;
use mdbook_markdown::pulldown_cmark::{Event, Options, Parser, Tag};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

use crate::{PLAYGROUND, code, math};

/// Where files of the repository are that are not in the book.
const REPOSITORY: &str = "https://github.com/naive-bayes-rs/naive-bayes/blob/main";

/// Formulas as `MathML`, links to files outside of the book as links to the repository, links to the
/// playground if there is one.
#[derive(Debug)]
pub(crate) struct Chapters {
    pub(crate) has_playground: bool,
}

impl Preprocessor for Chapters {
    fn name(&self) -> &'static str {
        "chapters"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut result: Result<()> = Ok(());
        book.for_each_chapter_mut(|chapter| {
            // The name in the repository: mdBook calls a README index.
            let Some(path) = chapter.source_path.clone() else { return };
            match self.text(&chapter.content, &path) {
                Ok(text) => chapter.content = text,
                Err(error) => result = Err(error).context(format!("docs/{}", path.display())),
            }
        });
        result.map(|()| book)
    }
}

impl Chapters {
    fn text(&self, markdown: &str, path: &Path) -> Result<String> {
        let depth = path.components().count() - 1;
        let text = code::blocks(markdown)?;
        let text = relinked(&playground(&text, self.has_playground, depth), path);
        math::render(&text)
    }
}

/// `<!-- playground: scene | words -->` is a link to a scene of the playground if there is one.
fn playground(markdown: &str, is_there: bool, depth: usize) -> String {
    let mut text = String::with_capacity(markdown.len());
    for line in markdown.split_inclusive('\n') {
        let link = line
            .trim_end()
            .strip_prefix("<!-- playground: ")
            .and_then(|line| line.strip_suffix(" -->"))
            .and_then(|line| line.split_once(" | "));
        match link {
            Some((scene, words)) if is_there => {
                let page = "../".repeat(depth) + PLAYGROUND;
                let start = "<p class=\"playground\"><a href=\"";
                text.extend([start, &page, "#scene=", scene, "\">", words, "</a></p>\n"]);
            }
            Some(_) => {}
            None => text.push_str(line),
        }
    }
    text
}

/// Relative links that leave the folder `docs` lead to the repository, and those to a `README.md` to the page
/// of its folder.
fn relinked(markdown: &str, path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let mut text = markdown.to_owned();
    let events: Vec<_> = Parser::new_ext(markdown, options).into_offset_iter().collect();
    // From the end, so that ranges stay right.
    for (event, range) in events.into_iter().rev() {
        let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
        if dest_url.contains("://") || dest_url.starts_with('#') {
            continue;
        }
        let new = match outside(folder, &dest_url) {
            Some(outside) => format!("{REPOSITORY}/{outside}"),
            // The page that mdBook makes of it.
            None => dest_url.replace("README.md", "index.md"),
        };
        if let Some(at) = text[range.clone()].rfind(&*dest_url) {
            let at = range.start + at;
            text.replace_range(at..at + dest_url.len(), &new);
        }
    }
    text
}

/// The path from the root of the repository, of a link that leaves `docs`.
fn outside(folder: &Path, link: &str) -> Option<String> {
    let mut path = PathBuf::from("docs").join(folder);
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    let path = path.to_string_lossy().replace('\\', "/");
    (!path.starts_with("docs/") && path != "docs").then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_lead_to_the_repository() {
        let text =
            relinked("[a](../../crates/x.rs) [b](../use/README.md#x) [c](#here)\n", Path::new("learn/a.md"));
        assert_eq!(text, format!("[a]({REPOSITORY}/crates/x.rs) [b](../use/index.md#x) [c](#here)\n"));
    }

    #[test]
    fn the_playground_is_linked_only_if_it_is_there() {
        let source = "a\n\n<!-- playground: underflow | Try it -->\n";
        assert_eq!(playground(source, false, 1), "a\n\n");
        assert!(playground(source, true, 1).contains("href=\"../playground.html#scene=underflow\""));
    }
}
