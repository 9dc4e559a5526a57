//! The document as one HTML file.

mod figure;
mod files;
mod table;
mod text;

use std::{fmt::Write as _, ops::Range};

use crate::{Block, Document, DocumentError, Download, Section, check, escape};
pub use files::saved_text;
use files::{Files, SAVED};
use text::inline;

pub(crate) const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Nothing is loaded from anywhere; style and script are those of the file (Content Security Policy Level 3).
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// The block of the tables and figures of large pages.
const PACKED: &str = "nb-packed";

/// Pages with more bytes than this are large.
const LARGE: usize = 1_000_000;

/// Up to how many bytes of a large page tables and figures are not packed.
const PLAIN: usize = 100_000;

impl Document {
    /// The document as one HTML file that needs no network: the style, the script, all figures and all files
    /// are inside.
    ///
    /// Files are compressed, and so are the tables and figures of pages above 1 MB that come after their
    /// first 100 kB. Without scripts everything else can be read, but not sorted or saved; what is
    /// missing is named. Readers choose between light and dark, or leave it to their system; paper is
    /// always light.
    ///
    /// # Errors
    ///
    /// What makes the document impossible to render.
    pub fn to_html(&self) -> Result<String, DocumentError> {
        check::document(self)?;
        let mut page = Page { series: &self.series, ..Page::default() };
        self.sections.iter().for_each(|section| page.section(section, 2));
        let packed = page.pack();

        let title = escape::html(&self.title);
        let mut html = String::with_capacity(page.body.len() + 2 * STYLE.len());
        let _ = write!(
            html,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#nb-content\">Skip to the content</a>\n<header>\n\
             <button type=\"button\" class=\"chrome\" id=\"nb-scheme\">Colours: automatic</button>\n<h1>{title}</h1>\n"
        );
        if !self.subtitle.is_empty() {
            let _ = writeln!(html, "<p class=\"subtitle\">{}</p>", inline(&self.subtitle));
        }
        if !self.facts.is_empty() {
            html.push_str("<dl>\n");
            for (name, value) in &self.facts {
                let _ =
                    writeln!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escape::html(name), inline(value));
            }
            html.push_str("</dl>\n");
        }
        html.push_str("</header>\n");
        if !self.sections.is_empty() {
            html.push_str("<nav aria-label=\"Contents\">\n");
            contents(&mut html, &self.sections);
            html.push_str("</nav>\n");
        }
        let _ = write!(
            html,
            "<main id=\"nb-content\">\n{}</main>\n<div id=\"nb-tip\" aria-hidden=\"true\"></div>\n{}<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            page.body,
            packed.finish(PACKED) + &page.files.finish(SAVED)
        );
        Ok(html)
    }
}

/// Two levels of sections: more would be longer than it helps.
fn contents(html: &mut String, sections: &[Section]) {
    html.push_str("<ol>\n");
    for section in sections {
        let _ = write!(html, "<li><a href=\"#{}\">{}</a>", section.id, escape::html(&section.title));
        if !section.sections.is_empty() {
            html.push_str("\n<ol>\n");
            for inner in &section.sections {
                let _ =
                    writeln!(html, "<li><a href=\"#{}\">{}</a></li>", inner.id, escape::html(&inner.title));
            }
            html.push_str("</ol>\n");
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n");
}

/// What is written of the page, and what it counts.
#[derive(Debug, Default)]
struct Page<'a> {
    body: String,
    /// The names of series that look the same in all figures.
    series: &'a [String],
    files: Files,
    /// Tables and figures.
    late: Vec<Late>,
    n_tables: usize,
    n_figures: usize,
}

/// A table or figure of the page.
#[derive(Debug)]
struct Late {
    /// Where it is in the body.
    range: Range<usize>,
    id: Option<String>,
    caption: String,
}

impl Page<'_> {
    fn section(&mut self, section: &Section, level: usize) {
        let (level, title) = (level.min(6), escape::html(&section.title));
        let _ = writeln!(self.body, "<section id=\"{}\">\n<h{level}>{title}</h{level}>", section.id);
        section.blocks.iter().for_each(|block| self.block(block));
        section.sections.iter().for_each(|inner| self.section(inner, level + 1));
        self.body.push_str("</section>\n");
    }

    fn block(&mut self, block: &Block) {
        let body = &mut self.body;
        let _ = match block {
            Block::Paragraph(text) => writeln!(body, "<p>{}</p>", inline(text)),
            Block::Note(text) => {
                writeln!(body, "<p class=\"note\" role=\"note\"><strong>Note.</strong> {}</p>", inline(text))
            }
            Block::Quotation(text) => writeln!(
                body,
                "<div class=\"quotation\"><p>{}</p>\n<button type=\"button\" class=\"chrome\" data-copy>Copy</button></div>",
                inline(text)
            ),
            Block::List(list) => {
                let tag = if list.numbered { "ol" } else { "ul" };
                let items: Vec<String> = list.items.iter().map(inline).collect();
                writeln!(body, "<{tag}>\n<li>{}</li>\n</{tag}>", items.join("</li>\n<li>"))
            }
            Block::Table(table) => {
                self.packable(|page| page.table(table));
                Ok(())
            }
            Block::Figure(figure) => {
                self.packable(|page| page.figure(figure));
                Ok(())
            }
            Block::Code(code) => writeln!(
                body,
                "<div class=\"code\"><pre tabindex=\"0\"><code data-language=\"{}\">{}</code></pre>\n\
                 <button type=\"button\" class=\"chrome\" data-copy>Copy</button></div>",
                escape::html(&code.language),
                // The parser takes the first line feed away.
                if code.text.starts_with('\n') { "\n" } else { "" }.to_string() + &escape::html(&code.text)
            ),
            Block::Download(file) => {
                self.download(file);
                Ok(())
            }
        };
    }

    /// Writes a table or figure, which may be packed later. `write` returns its id and its caption.
    fn packable(&mut self, write: impl FnOnce(&mut Self) -> (Option<String>, String)) {
        let start = self.body.len();
        let (id, caption) = write(self);
        self.late.push(Late { range: start..self.body.len(), id, caption });
    }

    /// Packs the tables and figures of a large page, except those at its beginning, and returns them.
    fn pack(&mut self) -> Files {
        let mut packed = Files::default();
        if self.body.len() <= LARGE {
            return packed;
        }
        let (mut body, mut end) = (String::with_capacity(LARGE), 0);
        for Late { range, id, caption } in std::mem::take(&mut self.late) {
            body.push_str(&self.body[end..range.start]);
            end = range.end;
            let html = &self.body[range];
            if body.len() + html.len() <= PLAIN {
                body.push_str(html);
                continue;
            }
            let number = packed.add("", "text/html", html.as_bytes());
            let id = id.map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
            let _ = writeln!(
                body,
                "<div class=\"block\"{id} data-packed=\"{number}\"><p class=\"caption\">{caption}</p>\n\
                 <p class=\"note missing\">It is compressed in this page, and a browser with scripts shows it here.</p></div>"
            );
        }
        body.push_str(&self.body[end..]);
        self.body = body;
        packed
    }

    fn download(&mut self, file: &Download) {
        let id = self.files.add(&file.file_name, &file.media_type, &file.bytes);
        let label = if file.label.is_empty() { String::new() } else { escape::html(&file.label) + ", " };
        let _ = writeln!(
            self.body,
            "<p class=\"download\"><button type=\"button\" data-save=\"{id}\" disabled>{}</button> \
             <span>{label}{}, {}</span></p>",
            escape::html(&file.file_name),
            escape::html(&file.media_type),
            size(file.bytes.len())
        );
    }
}

/// As "12.3 kB", with factors of 1000.
fn size(n_bytes: usize) -> String {
    let n_bytes = n_bytes as f64;
    match n_bytes {
        1.0 => "1 byte".into(),
        n if n < 1e3 => format!("{n} bytes"),
        n if n < 999.95e3 => format!("{:.1} kB", n / 1e3),
        n => format!("{:.1} MB", n / 1e6),
    }
}
