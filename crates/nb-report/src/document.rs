//! The document: sections of blocks.

use crate::{Figure, Table, Text};

/// A report: a title, what is known about the whole, and sections.
///
/// ```
/// use nb_report::{Document, Section};
///
/// let mut document = Document::new("Two classifiers");
/// document.fact("seed", "7");
/// let mut section = Section::new("data", "Data");
/// section.push("150 rows of iris.");
/// document.push(section);
/// assert!(document.to_html()?.contains("<h2>Data</h2>"));
/// assert!(document.to_markdown()?.starts_with("# Two classifiers\n"));
/// # Ok::<(), nb_report::DocumentError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The title, also that of the browser's window.
    pub title: String,
    /// A sentence or two below the title; may be empty.
    pub subtitle: Text,
    /// Names and values that hold for the whole document, such as versions and seeds, in this order.
    pub facts: Vec<(String, Text)>,
    /// Names of series that look the same in all figures, such as those of methods. Others are given colours
    /// and markers figure by figure, as they come.
    pub series: Vec<String>,
    /// The sections.
    pub sections: Vec<Section>,
}

impl Document {
    /// A document without sections.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a name and a value that hold for the whole document.
    pub fn fact(&mut self, name: impl Into<String>, value: impl Into<Text>) {
        self.facts.push((name.into(), value.into()));
    }

    /// Adds a section.
    pub fn push(&mut self, section: Section) {
        self.sections.push(section);
    }
}

/// A section: a heading, blocks, then sections one level below.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What links name it by: letters, digits, `-`, `_` and `.`, once in a document.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The content of the section, in this order.
    pub blocks: Vec<Block>,
    /// Sections one level below, after the blocks.
    pub sections: Vec<Section>,
}

impl Section {
    /// A section without content.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), ..Self::default() }
    }

    /// Adds a block; strings and texts become paragraphs.
    pub fn push(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }
}

/// One thing in a section.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// A paragraph.
    Paragraph(Text),
    /// A paragraph that warns or explains, set apart.
    Note(Text),
    /// A paragraph to be copied into a paper, such as one about methods.
    Quotation(Text),
    /// A list of points.
    List(List),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Figure),
    /// Source text, shown as it is.
    Code(Code),
    /// A file inside the document.
    Download(Download),
}

/// A list of points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Whether the points are numbered.
    pub numbered: bool,
    /// The points.
    pub items: Vec<Text>,
}

/// Source text, shown as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The language, such as `toml`; may be empty.
    pub language: String,
    /// The text.
    pub text: String,
}

/// A file inside the document, which a reader can save.
///
/// It is saved with the bytes that it has here, and [`saved_text`](crate::saved_text) reads it from a page.
///
/// ```
/// use nb_report::{Block, Download};
///
/// let block = Block::from(Download {
///     file_name: "plan.json".into(),
///     media_type: "application/json".into(),
///     bytes: br#"{"folds": 10}"#.to_vec(),
///     label: "configuration".into(),
/// });
/// assert!(matches!(block, Block::Download(_)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Download {
    /// The name of the file, without folders.
    pub file_name: String,
    /// The media type, such as `text/csv`.
    pub media_type: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// What the file is, beside its name; may be empty.
    pub label: String,
}

macro_rules! blocks {
    ($($kind:ident: $($from:ty),+;)+) => {
        $($(impl From<$from> for Block {
            fn from(content: $from) -> Self {
                Block::$kind(content.into())
            }
        })+)+
    };
}

blocks! {
    Paragraph: &str, String, Text;
    List: List;
    Table: Table;
    Figure: Figure;
    Code: Code;
    Download: Download;
}
