//! Documents in LaTeX.

mod fit;
mod table;
mod text;

use std::fmt::Write as _;

use crate::{Block, Document, DocumentError, Figure, Section, Table, check, plot};

/// What a document needs before its beginning.
const HEAD: &str = "\
% To be included in a document of the class article, or one with lines as wide:
%   \\documentclass{article}
%   \\usepackage{array,booktabs,graphicx,longtable,tikz}
%   \\begin{document}
%   \\input{this file}
%   \\end{document}
";

impl Document {
    /// The document in LaTeX, to be included in another: sections, texts, tables as [`Table::to_latex`] gives
    /// them, and figures drawn by `TikZ`. It begins with a comment that has the packages that it needs.
    /// Files inside the document are named only.
    ///
    /// ```
    /// use nb_report::{Document, Section};
    ///
    /// let mut document = Document::new("Two classifiers");
    /// let mut section = Section::new("data", "Data & more");
    /// section.push("150 rows.");
    /// document.push(section);
    /// assert!(document.to_latex()?.contains("\\subsection{Data \\& more}\n\\label{data}\n\n150 rows.\n"));
    /// # Ok::<(), nb_report::DocumentError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What makes the document impossible to render.
    pub fn to_latex(&self) -> Result<String, DocumentError> {
        check::document(self)?;
        let mut writer = Writer { document: self, latex: String::from(HEAD) };
        writer.latex.push_str("\\begingroup\\sloppy\n");
        writer.add(&format!("\\section{{{}}}", text::words(&self.title)));
        writer.add(&text::text(&self.subtitle));
        let facts = self.facts.iter();
        writer.items(
            "itemize",
            facts.map(|(name, value)| format!("{}: {}", text::words(name), text::text(value))),
        );
        for section in &self.sections {
            writer.section(section, 2)?;
        }
        Ok(writer.latex + "\n\\endgroup\n")
    }

    /// All tables of the document as [`Table::to_latex`] gives them, in reading order.
    ///
    /// # Errors
    ///
    /// What makes the document impossible to render.
    pub fn latex_tables(&self) -> Result<Vec<String>, DocumentError> {
        fn collect<'a>(section: &'a Section, tables: &mut Vec<&'a Table>) {
            tables.extend(section.blocks.iter().filter_map(|block| match block {
                Block::Table(table) => Some(table),
                _ => None,
            }));
            section.sections.iter().for_each(|inner| collect(inner, tables));
        }
        check::document(self)?;
        let mut tables = Vec::new();
        self.sections.iter().for_each(|section| collect(section, &mut tables));
        tables.into_iter().map(Table::to_latex).collect()
    }
}

struct Writer<'a> {
    document: &'a Document,
    latex: String,
}

impl Writer<'_> {
    /// Adds a paragraph, or whatever is between two empty lines.
    fn add(&mut self, block: &str) {
        if !block.is_empty() {
            let _ = writeln!(self.latex, "\n{}", block.trim_end());
        }
    }

    fn items(&mut self, kind: &str, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.map(|item| format!("\\item {item}")).collect();
        if !items.is_empty() {
            self.add(&format!("\\begin{{{kind}}}\\raggedright\n{}\n\\end{{{kind}}}", items.join("\n")));
        }
    }

    fn section(&mut self, section: &Section, level: usize) -> Result<(), DocumentError> {
        let command = ["section", "subsection", "subsubsection", "paragraph"][level.min(4) - 1];
        self.add(&format!("\\{command}{{{}}}\n{}", text::words(&section.title), text::label(&section.id)));
        for block in &section.blocks {
            self.block(block)?;
        }
        section.sections.iter().try_for_each(|inner| self.section(inner, level + 1))
    }

    fn block(&mut self, block: &Block) -> Result<(), DocumentError> {
        match block {
            Block::Paragraph(paragraph) => self.add(&text::text(paragraph)),
            Block::Note(note) => self.add(&format!("\\textbf{{Note:}} {}", text::text(note))),
            Block::Quotation(quotation) => {
                self.add(&format!("\\begin{{quote}}\n{}\n\\end{{quote}}", text::text(quotation)));
            }
            Block::List(list) => {
                let kind = if list.numbered { "enumerate" } else { "itemize" };
                self.items(kind, list.items.iter().map(text::text));
            }
            Block::Table(table) => self.add(&table.to_latex()?),
            Block::Figure(figure) => self.figure(figure),
            Block::Code(code) => self.add(&text::code(&code.text)),
            Block::Download(file) => {
                let label = if file.label.is_empty() { "file" } else { &file.label };
                self.add(&format!("{}: \\texttt{{{}}}", text::words(label), text::words(&file.file_name)));
            }
        }
        Ok(())
    }

    /// A figure, as wide as a line, or as high as a page allows.
    fn figure(&mut self, figure: &Figure) {
        const HIGHEST: f64 = 440.0;
        let (drawn, (width, height)) = plot::tikz(&figure.plot, &self.document.series);
        let scale = (fit::LINE / width).min(HIGHEST / height).min(1.0);
        let label = figure.id.as_deref().map(text::label).unwrap_or_default();
        self.add(&format!(
            "\\begin{{figure}}[htbp]\n\\centering\n\\scalebox{{{scale:.4}}}{{%\n{drawn}}}\n\\caption{{{}}}{label}\n\\end{{figure}}",
            text::text(&figure.caption)
        ));
    }
}
