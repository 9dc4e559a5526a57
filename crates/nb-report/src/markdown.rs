//! The document in Markdown.

use std::{collections::BTreeSet, fmt::Write as _};

use crate::{
    Block, Cell, Code, Document, DocumentError, Emphasis, Figure, Kind, Section, Span, Table, Text, check,
    escape, plot,
};

/// Figures with more rows of data than this have no table of them.
const MOST_ROWS: usize = 60;

impl Document {
    /// The document in Markdown with pipe tables (GitHub's dialect). Figures become their descriptions and
    /// tables of data, if these have at most 60 rows; files inside the document are named only.
    ///
    /// # Errors
    ///
    /// What makes the document impossible to render.
    pub fn to_markdown(&self) -> Result<String, DocumentError> {
        let links = check::document(self)?;
        let mut writer = Writer { blocks: Vec::new(), links, n_tables: 0, n_figures: 0 };
        writer.add(format!("# {}", escape::markdown(&self.title)));
        if !self.subtitle.is_empty() {
            writer.add(text(&self.subtitle));
        }
        let facts = self.facts.iter();
        let facts: Vec<String> =
            facts.map(|(name, value)| format!("- {}: {}", escape::markdown(name), text(value))).collect();
        if !facts.is_empty() {
            writer.add(facts.join("\n"));
        }
        self.sections.iter().for_each(|section| writer.section(section, 2));
        Ok(writer.blocks.join("\n\n") + "\n")
    }
}

impl Table {
    /// The table as a pipe table (GitHub's dialect) whose columns line up, without caption and notes.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Row`] for a row that has not one cell per column.
    pub fn to_markdown(&self) -> Result<String, DocumentError> {
        check::table(self)?;
        Ok(table(self))
    }
}

struct Writer<'a> {
    blocks: Vec<String>,
    /// The ids that links lead to: only these need an anchor.
    links: BTreeSet<&'a str>,
    n_tables: usize,
    n_figures: usize,
}

impl Writer<'_> {
    fn add(&mut self, block: String) {
        self.blocks.push(block);
    }

    fn anchor(&mut self, id: &str) {
        if self.links.contains(id) {
            self.add(format!("<a id=\"{id}\"></a>"));
        }
    }

    fn section(&mut self, section: &Section, level: usize) {
        self.anchor(&section.id);
        self.add(format!("{} {}", "#".repeat(level.min(6)), escape::markdown(&section.title)));
        section.blocks.iter().for_each(|block| self.block(block));
        section.sections.iter().for_each(|inner| self.section(inner, level + 1));
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(paragraph) => self.add(text(paragraph)),
            Block::Note(note) => self.add(format!("**Note:** {}", text(note))),
            Block::Quotation(quotation) => self.add(format!("> {}", text(quotation))),
            Block::List(list) => {
                let bullet = |i: usize| if list.numbered { format!("{}.", i + 1) } else { "-".into() };
                let items = list.items.iter().enumerate();
                let items: Vec<String> =
                    items.map(|(i, item)| format!("{} {}", bullet(i), text(item))).collect();
                self.add(items.join("\n"));
            }
            Block::Table(table) => self.table(table),
            Block::Figure(figure) => self.figure(figure),
            Block::Code(code) => self.add(fenced(code)),
            Block::Download(file) => {
                let label = if file.label.is_empty() { "file" } else { &file.label };
                self.add(format!("- {}: {}", escape::markdown(label), inline_code(&file.file_name)));
            }
        }
    }

    fn table(&mut self, inner: &Table) {
        self.n_tables += 1;
        if let Some(id) = &inner.id {
            self.anchor(id);
        }
        self.add(
            format!("**Table {}.** {}", self.n_tables, escape::markdown(&inner.caption)).trim_end().into(),
        );
        self.add(table(inner).trim_end().into());
        let of_columns = inner.column_notes();
        let notes =
            of_columns.iter().map(|(letter, note)| format!("<sup>{letter}</sup> {}", escape::markdown(note)));
        for note in notes.chain(inner.notes.iter().map(|note| escape::markdown(note))) {
            self.add(note);
        }
    }

    fn figure(&mut self, figure: &Figure) {
        self.n_figures += 1;
        if let Some(id) = &figure.id {
            self.anchor(id);
        }
        self.add(format!("**Figure {}.** {}", self.n_figures, text(&figure.caption)).trim_end().into());
        let description = figure.alternative.clone().unwrap_or_else(|| plot::description(&figure.plot));
        self.add(format!("*{}*", escape::markdown(&description)));
        let data = plot::data(&figure.plot);
        if data.rows.len() > MOST_ROWS {
            self.add(format!("*Its {} rows of data are in the same document as HTML.*", data.rows.len()));
        } else {
            self.add(table(&data).trim_end().into());
        }
    }
}

fn text(text: &Text) -> String {
    let span = |span: &Span| match span {
        Span::Plain(words) => escape::markdown(words),
        Span::Emphasis(words) => format!("*{}*", escape::markdown(words)),
        Span::Strong(words) => format!("**{}**", escape::markdown(words)),
        Span::Code(words) => inline_code(words),
        Span::File(name) => format!("[{}](./{})", escape::markdown(name), escape::address(name)),
        Span::Link { to, text } => format!("[{}](#{to})", escape::markdown(text)),
        Span::Web { url, text } => {
            let forbidden = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '|');
            format!("[{}](<{}>)", escape::markdown(text), url.replace(forbidden, ""))
        }
    };
    text.spans.iter().map(span).collect()
}

/// Code with a fence that is longer than any inside (`CommonMark` 0.31, section 6.1).
fn inline_code(words: &str) -> String {
    let words = words.replace(char::is_control, " ");
    let fence = "`".repeat(longest_fence(&words) + 1);
    let space = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{words}{space}{fence}")
}

fn fenced(code: &Code) -> String {
    let fence = "`".repeat((longest_fence(&code.text) + 1).max(3));
    let language = code.language.replace(|c: char| c.is_whitespace() || c == '`', "");
    format!("{fence}{language}\n{}\n{fence}", code.text.trim_end_matches('\n'))
}

fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn table(table: &Table) -> String {
    let titles = table.lettered_columns().map(|(column, letter)| {
        escape::markdown(&column.title) + &raised(letter.as_deref().unwrap_or_default())
    });
    let mut rows = vec![titles.collect::<Vec<String>>()];
    rows.extend(table.rows.iter().chain(&table.footer).map(|row| row.iter().map(cell).collect()));
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..table.columns.len()).map(wide).collect();
    let rule = table.columns.iter().zip(&widths).map(|(column, &width)| match column.kind {
        Kind::Text => format!(":{}", "-".repeat(width - 1)),
        Kind::Number => format!("{}:", "-".repeat(width - 1)),
    });
    rows.insert(1, rule.collect());
    let mut lines = String::new();
    for row in rows {
        for ((content, column), &width) in row.iter().zip(&table.columns).zip(&widths) {
            let fill = " ".repeat(width - content.chars().count());
            let (before, after) = match column.kind {
                Kind::Text => ("", fill.as_str()),
                Kind::Number => (fill.as_str(), ""),
            };
            let _ = write!(lines, "| {before}{content}{after} ");
        }
        lines.push_str("|\n");
    }
    lines
}

fn cell(cell: &Cell) -> String {
    let text = escape::markdown(&cell.text);
    let text = if cell.emphasis == Emphasis::Best { format!("**{text}**") } else { text };
    text + &raised(&cell.mark)
}

fn raised(mark: &str) -> String {
    if mark.is_empty() { String::new() } else { format!("<sup>{}</sup>", escape::markdown(mark)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Lines, Point, Series};

    #[test]
    fn code_keeps_its_fences() {
        assert_eq!(inline_code("a`b"), "``a`b``");
        assert_eq!(inline_code("`"), "`` ` ``");
        let code = Code { language: "md".into(), text: "```\nx\n```\n".into() };
        assert_eq!(fenced(&code), "````md\n```\nx\n```\n````");
    }

    #[test]
    fn long_data_of_figures_are_left_out() {
        let with = |n: usize| {
            let mut lines = Lines::new(Axis::linear("x"), Axis::linear("y"));
            lines.series.push(Series::new("s", (0..n).map(|x| Point::new(x as f64, 1.0))));
            let mut section = Section::new("s", "S");
            section.push(Figure::new("F", lines));
            let mut document = Document::new("D");
            document.push(section);
            document.to_markdown().unwrap()
        };
        assert!(with(60).contains("| s ") && !with(60).contains("rows of data"));
        assert!(
            with(61).contains("*Its 61 rows of data are in the same document as HTML.*")
                && !with(61).contains("| s ")
        );
    }

    #[test]
    fn spans() {
        let all = Text::new("a_b")
            .emphasis("c")
            .strong("d")
            .code("e")
            .link("f", "g")
            .web("https://h.i/(j k)", "l]");
        assert_eq!(text(&all), r"a\_b*c***d**`e`[g](#f)[l\]](<https://h.i/(jk)>)");
    }
}
