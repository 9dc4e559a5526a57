//! Mails and texts: files of which each is a row, and mboxes.

mod mail;
mod mbox;

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::read::{
    BadRows, Csv, CsvReader, Encoding, FileFormat, FileProblem, Inferred, KindChoice, Overrides, Place,
    ReadError, Reason, RecordProblem, TableOptions,
    bad_rows::Skipped,
    error::shortened,
    file::{find, source::Source},
    formats::{
        as_csv::{Convert, Converted, Counting, RowText, Unit},
        decoders::contained,
    },
};
use crate::{Schema, text::TextError, with::with_fields};
use mail::Mail;
use mbox::Mails;

/// What each file of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A mail: its columns are `from` (the address), `subject`, `date` (when it was sent), `attachments` (how
    /// many parts are not read), `text` (its body) and `folder`.
    Mail,
    /// A text: its columns are `text` and `folder`.
    Text,
}

impl DocumentKind {
    /// What the files of a folder or a pattern are, by the first of them: mails if its name ends with `.eml`
    /// or its first bytes are those of a mail, texts if its name ends with `.txt`. `None` if each is a
    /// table, or an `.mbox` of many mails.
    ///
    /// ```
    /// use nb_table::read::DocumentKind;
    ///
    /// assert_eq!(DocumentKind::of_files(&["ham/1.eml".into(), "spam/1.eml".into()]), Some(DocumentKind::Mail));
    /// assert_eq!(DocumentKind::of_files(&["days/1.csv".into()]), None);
    /// ```
    #[must_use]
    pub fn of_files(paths: &[PathBuf]) -> Option<Self> {
        let first = paths.first()?;
        match find::ending(first).as_str() {
            ".eml" => Some(Self::Mail),
            ".txt" => Some(Self::Text),
            // Mails in a Maildir, and in some archives, have names without a known ending.
            "" => {
                let content = File::open(first).and_then(FileFormat::of);
                content.is_ok_and(|content| content == FileFormat::Mail).then_some(Self::Mail)
            }
            _ => None,
        }
    }

    /// The names of the columns.
    ///
    /// ```
    /// use nb_table::read::DocumentKind;
    ///
    /// assert_eq!(DocumentKind::Text.columns(), ["text", "folder"]);
    /// ```
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Mail => &["from", "subject", "date", "attachments", "text", "folder"],
            Self::Text => &["text", "folder"],
        }
    }
}

/// How to read mails and texts: many files of which each is a row, an mbox of which each mail is one, or a
/// single mail or text. They may be compressed, as [`Csv`] files may be.
///
/// The column `folder` has the name of the folder that the file is in, so that mails that are sorted into
/// folders have labels; in a Maildir it is the folder above `cur` and `new`. The text of a mail is its part
/// of plain text, or else its HTML without the markup; attachments are counted and not read. Dates keep their
/// time zone. What a mail lacks is an empty cell. Encodings of headers and bodies are decoded (RFC 2045, RFC
/// 2047); bytes in an encoding that the mail does not name are read as UTF-8.
///
/// ```
/// use nb_table::read::{DocumentKind, Documents, ReadChunks};
/// use nb_table::{Kind, Schema};
///
/// let mbox = "From anna\nFrom: Anna <anna@example.org>\nSubject: =?utf-8?q?Caf=C3=A9?=\n\nAt four?\n\nFrom bob\nFrom: bob@example.org\n\n";
/// let mails = Documents::new(DocumentKind::Mail);
/// let mut schema = Schema::numeric(["attachments"], "subject");
/// let mut reader = mails.read_from(mbox.as_bytes(), "inbox", &schema)?;
/// let error = reader.next_chunk().unwrap_err().to_string();
/// assert!(error.starts_with("inbox, line 7, column \"subject\": \"\" is a missing label"));
/// schema.label = "from".into();
/// let mut reader = mails.read_from(mbox.as_bytes(), "inbox", &schema)?;
/// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["anna@example.org", "bob@example.org"]);
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Documents {
    /// What each file is.
    pub kind: DocumentKind,
    /// The encoding of texts. `None`: what the first bytes tell ([`Encoding`] has the rule). Mails name
    /// theirs.
    pub encoding: Option<Encoding>,
    /// The longest mail or text, in bytes.
    pub max_bytes: usize,
    /// What holds for all tables.
    pub table: TableOptions,
}

impl Documents {
    /// Mails or texts of up to 64 MiB.
    #[must_use]
    pub fn new(kind: DocumentKind) -> Self {
        Self { kind, encoding: None, max_bytes: 1 << 26, table: TableOptions::default() }
    }
}

/// # Options
impl Documents {
    with_fields! {
        with_encoding encoding: Option<Encoding>;
        with_max_bytes max_bytes: usize;
        with_table table: TableOptions;
    }
}

impl Documents {
    /// Learns a schema from files of which each is a row, by the rules of [`Csv::infer`]; `subject` and
    /// `text` are columns of texts if there is a word in them. Messages call all of them `name`.
    ///
    /// ```
    /// use nb_table::{Kind, read::{DocumentKind, Documents, Overrides}};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("1.txt");
    /// std::fs::write(&path, "A separate text.")?;
    /// let texts = Documents::new(DocumentKind::Text);
    /// let inferred = texts.infer(&[path], "texts", "folder", &Overrides::default())?;
    /// assert!(matches!(inferred.schema.columns[0].kind, Kind::Text(_)));
    /// assert_eq!(inferred.schema.n_features(), 2); // "separate" and "text"
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong, with its file.
    pub fn infer(
        &self,
        files: &[PathBuf],
        name: &str,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let files: Arc<[PathBuf]> = files.into();
        self.infer_passes(|| Ok(self.of_files(&files, name)), label, overrides)
    }

    /// Learns a schema from a stream that can be opened more than once: an mbox, a mail or a text. Messages
    /// call it `name`, whose folder is that of the rows.
    ///
    /// ```
    /// use nb_table::read::{DocumentKind, Documents, Overrides};
    ///
    /// let mbox = "From a\nFrom: a@example.org\n\nA first mail\n\nFrom b\nFrom: b@example.org\n\nA second one\n";
    /// let mails = Documents::new(DocumentKind::Mail);
    /// let inferred = mails.infer_from(|| Ok(mbox.as_bytes()), "spam/2024.mbox", "folder", &Overrides::default())?;
    /// assert_eq!(inferred.n_rows, 2);
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong, with its line.
    pub fn infer_from<R: Read + Send>(
        &self,
        mut open: impl FnMut() -> std::io::Result<R>,
        name: &str,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let open = || self.of_stream(open().map_err(|error| ReadError::io(name, error))?, name);
        self.infer_passes(open, label, overrides)
    }

    /// Reads the columns of a schema from files of which each is a row. Messages call all of them `name`.
    ///
    /// ```
    /// use nb_table::{Schema, read::{DocumentKind, Documents, ReadChunks}};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("1.eml");
    /// std::fs::write(&path, "From: anna@example.org\n\nHello\n")?;
    /// let schema = Schema::numeric(["attachments"], "from");
    /// let mut reader = Documents::new(DocumentKind::Mail).read(&[path], "mails", &schema)?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["anna@example.org"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the schema has other columns. Files are opened as they are read.
    pub fn read(
        &self,
        files: &[PathBuf],
        name: &str,
        schema: &Schema,
    ) -> Result<CsvReader<'static>, ReadError> {
        CsvReader::new(self.of_files(&files.into(), name), &self.csv(), schema)
    }

    /// Reads the columns of a schema from a stream: an mbox, a mail or a text. Messages call it `name`, whose
    /// folder is that of the rows. [`Documents`] has an example.
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read, or if the schema has other columns.
    pub fn read_from<'a>(
        &self,
        input: impl Read + Send + 'a,
        name: &str,
        schema: &Schema,
    ) -> Result<CsvReader<'a>, ReadError> {
        CsvReader::new(self.of_stream(input, name)?, &self.csv(), schema)
    }

    fn infer_passes<'a>(
        &self,
        mut open: impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let mut choices = overrides.clone();
        for &name in self.kind.columns() {
            let is_feature = name != label && !overrides.ignore.contains(name);
            if ["subject", "text"].contains(&name) && is_feature {
                choices.kinds.entry(name.into()).or_insert(KindChoice::Text);
            }
        }
        let is_chosen_here = |column: &str| !overrides.kinds.contains_key(column);
        let mut inferred = loop {
            match self.csv().infer_passes(&mut open, label, &choices, usize::MAX) {
                Err(ReadError::File {
                    problem: FileProblem::Text { column, error: TextError::NoTerms(_) },
                    ..
                }) if is_chosen_here(&column) && choices.kinds.remove(&column).is_some() => {}
                inferred => break inferred?,
            }
        };
        for column in &mut inferred.columns {
            if column.reason == Reason::Override && is_chosen_here(&column.column) {
                column.reason = Reason::Type("text".into());
            }
        }
        Ok(inferred)
    }

    fn csv(&self) -> Csv {
        // In another encoding a text has at most three times as many bytes, and quotes are doubled.
        let most = self.max_bytes.saturating_mul(6).saturating_add(1 << 16);
        Csv::default().with_table(self.table.clone().with_empty_missing()).with_max_record_bytes(most)
    }

    /// The rows of files as delimited text.
    fn of_files(&self, files: &Arc<[PathBuf]>, name: &str) -> Source<'static> {
        let skipped = (self.table.bad_rows == BadRows::Skip).then(Skipped::default);
        let rows = FileRows {
            documents: self.clone(),
            paths: Arc::clone(files),
            n_read: 0,
            skipped: skipped.clone(),
        };
        let input = Converted::new(self.kind.columns(), rows);
        let counting = Counting { unit: Unit::Document, header: 0 };
        Source { skipped, files: Some(Arc::clone(files)), ..Source::converted(name, input, counting) }
    }

    /// The rows of a stream as delimited text.
    fn of_stream<'a>(&self, input: impl Read + Send + 'a, name: &str) -> Result<Source<'a>, ReadError> {
        let skipped = (self.table.bad_rows == BadRows::Skip).then(Skipped::default);
        let folder = folder_of(Path::new(name));
        let columns = self.kind.columns();
        let counting = Counting { unit: Unit::Line, header: 0 };
        let converted = match self.kind {
            DocumentKind::Mail => {
                let Source { input, name, .. } = Source::text(input, name)?;
                let mails = Mails::new(name, input, self.max_bytes);
                let rows = MailRows { mails, folder, n_lines: 0, skipped: skipped.clone() };
                Source::converted(&rows.mails.file.clone(), Converted::new(columns, rows), counting)
            }
            DocumentKind::Text => {
                let source = Source::text_in(input, name, self.encoding)?;
                let bytes = self.bytes_of(source, Place::Line(1))?;
                let mut text = RowText::default();
                text.header(columns);
                cells(DocumentKind::Text, &bytes, name, Place::Line(1), &folder, &mut text)?;
                Source::converted(name, std::io::Cursor::new(text.bytes), counting)
            }
        };
        Ok(Source { skipped, ..converted })
    }

    /// All bytes of a file, which may not be longer than is allowed.
    fn bytes_of(&self, source: Source<'_>, place: Place) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        let read = source.input.take((self.max_bytes as u64).saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| ReadError::io(&source.name, error))?;
        if bytes.len() > self.max_bytes {
            let problem = RecordProblem::TooLong { limit: self.max_bytes };
            return Err(ReadError::record(&source.name, place, problem));
        }
        Ok(bytes)
    }

    /// Appends a file as a row.
    fn row_of_file(&self, path: &Path, place: Place, text: &mut RowText) -> Result<(), ReadError> {
        let source = match self.kind {
            DocumentKind::Mail => Source::open(path),
            DocumentKind::Text => Source::open_in(path, self.encoding),
        };
        let bytes = source.and_then(|source| self.bytes_of(source, place));
        let name = path.display().to_string();
        let bytes = bytes.map_err(|error| of_row(error, place))?;
        cells(self.kind, &bytes, &name, place, &folder_of(path), text)
    }
}

/// What is wrong with a file is wrong with its row, which can be left out.
fn of_row(error: ReadError, place: Place) -> ReadError {
    match error {
        ReadError::File { file, problem } => {
            ReadError::record(&file, place, RecordProblem::File(Box::new(problem)))
        }
        error => error,
    }
}

/// The name of the folder that a file is in; of a Maildir that of the whole. An empty text if its path does
/// not say it.
fn folder_of(path: &Path) -> String {
    let folder = path.parent();
    let folder = if find::is_in_maildir(path) { folder.and_then(Path::parent) } else { folder };
    folder.and_then(Path::file_name).map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Appends a document as a row.
fn cells(
    kind: DocumentKind,
    bytes: &[u8],
    file: &str,
    place: Place,
    folder: &str,
    text: &mut RowText,
) -> Result<(), ReadError> {
    match kind {
        DocumentKind::Text => text.cell(String::from_utf8_lossy(bytes).trim()),
        DocumentKind::Mail => {
            // Some archives keep the first line of the mbox that a mail was in.
            let is_from = bytes.trim_ascii_start().starts_with(b"From ");
            let end = bytes.iter().position(|&byte| byte == b'\n').filter(|_| is_from);
            let mail = &bytes[end.map_or(0, |end| end + 1)..];
            let mail = contained(file, "mail", || Ok::<_, String>(Mail::of(mail)));
            let Some(mail) = mail.map_err(|error| of_row(error, place))? else {
                let start = String::from_utf8_lossy(bytes.trim_ascii_start());
                let start = shortened(start.lines().next().unwrap_or_default());
                return Err(ReadError::record(file, place, RecordProblem::Mail { start }));
            };
            text.cell(&mail.from);
            text.cell(&mail.subject);
            text.cell(&mail.date);
            text.cell(&mail.n_attachments.to_string());
            text.cell(&mail.text);
        }
    }
    text.cell(folder);
    text.end_row();
    Ok(())
}

/// Files as rows: one line for each.
struct FileRows {
    documents: Documents,
    paths: Arc<[PathBuf]>,
    n_read: usize,
    /// The rows that are left out, if they may be.
    skipped: Option<Skipped>,
}

impl Convert for FileRows {
    fn line(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        let Some(path) = self.paths.get(self.n_read) else { return Ok(false) };
        self.n_read += 1;
        let number = self.n_read as u64;
        match (self.documents.row_of_file(path, Place::Document(number), text), &self.skipped) {
            (Err(error), Some(skipped)) => {
                skipped.add(number, error)?;
                text.end_line();
                Ok(true)
            }
            (row, _) => row.map(|()| true),
        }
    }
}

/// The mails of a stream as rows, each in the line in which it begins.
struct MailRows<'a> {
    mails: Mails<'a>,
    folder: String,
    /// How many lines were made.
    n_lines: u64,
    /// The rows that are left out, if they may be.
    skipped: Option<Skipped>,
}

impl MailRows<'_> {
    /// Appends the next mail as a row; whether there was one.
    fn row(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        if !self.mails.advance()? {
            return Ok(false);
        }
        let Mails { file, start, mail, .. } = &self.mails;
        let mut row = RowText::default();
        cells(DocumentKind::Mail, mail, file, Place::Line(*start), &self.folder, &mut row)?;
        while self.n_lines + 1 < *start {
            text.end_line();
            self.n_lines += 1;
        }
        text.bytes.append(&mut row.bytes);
        self.n_lines += 1;
        Ok(true)
    }
}

impl Convert for MailRows<'_> {
    fn line(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        match (self.row(text), &self.skipped) {
            (Err(error), Some(skipped)) => skipped.add(self.mails.start, error).map(|()| true),
            (is_row, _) => is_row,
        }
    }
}
