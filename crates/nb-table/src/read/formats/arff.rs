//! Attribute relations, as Weka writes them.

use std::{
    io::{BufReader, Read},
    path::Path,
};

use crate::read::{
    BadRows, Csv, CsvReader, Inferred, KindChoice, Overrides, Place, ReadError, Reason, RecordProblem,
    TableOptions,
    bad_rows::Skipped,
    error::shortened,
    file::{
        line::{leave_line, read_line},
        source::Source,
    },
    formats::as_csv::{Convert, Converted, Counting, RowText, Unit},
};
use crate::{Schema, with::with_fields};

/// How to read ARFF files, the format of Weka, also compressed as [`Csv`] files may be.
///
/// Attributes that are `numeric`, `real` or `integer` are numeric, those with a list of values categorical,
/// with the categories of the rows; `string` and `date` attributes are looked at as columns of a CSV file
/// are. `?` is a missing cell, and the [markers of missing values](TableOptions::missing) that are given hold
/// as well. Keywords are in any case; names and values may be in single or double quotes. Sparse rows and
/// relational attributes are refused.
///
/// ```
/// use nb_table::{Schema, read::{Arff, Overrides, ReadChunks}};
///
/// let text = "@relation flowers\n@attribute length real\n@attribute species {a, b}\n@data\n1.5, a\n?, b\n";
/// let open = || Ok(text.as_bytes());
/// let inferred = Arff::default().infer_from(open, "flowers.arff", "species", &Overrides::default())?;
/// assert_eq!(inferred.schema, Schema::numeric(["length"], "species"));
/// let mut reader = Arff::default().read_from(text.as_bytes(), "flowers.arff", &inferred.schema)?;
/// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arff {
    /// The longest line, in bytes.
    pub max_line_bytes: usize,
    /// What holds for all tables.
    pub table: TableOptions,
}

impl Default for Arff {
    /// Lines of up to 64 MiB.
    fn default() -> Self {
        Self { max_line_bytes: 1 << 26, table: TableOptions::default() }
    }
}

/// # Options
impl Arff {
    with_fields! {
        with_max_line_bytes max_line_bytes: usize;
        with_table table: TableOptions;
    }
}

impl Arff {
    /// Learns a schema from the attributes of a file and, where there are categories, from all rows.
    ///
    /// ```
    /// use nb_table::read::{Arff, Overrides};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-infer.arff");
    /// # std::fs::write(&path, "@relation r\n@attribute length real\n@attribute species {a,b}\n@data\n1.5,a\n")?;
    /// let inferred = Arff::default().infer(&path, "species", &Overrides::default())?;
    /// assert_eq!(inferred.columns[0].reason.to_string(), "the file says numeric");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong, with its line.
    pub fn infer(
        &self,
        path: impl AsRef<Path>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        self.infer_passes(|| Source::open(path.as_ref()), label, overrides)
    }

    /// Learns a schema from a stream that can be opened more than once. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::{Arff, Overrides};
    ///
    /// let text = "@relation r\n@attribute length real\n@attribute species {a,b}\n@data\n1.5,a\n";
    /// let open = || Ok(text.as_bytes());
    /// let inferred = Arff::default().infer_from(open, "flowers", "species", &Overrides::default())?;
    /// assert_eq!(inferred.schema.columns[0].name, "length");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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
        let open = || Source::text(open().map_err(|error| ReadError::io(name, error))?, name);
        self.infer_passes(open, label, overrides)
    }

    /// Reads the columns of a schema from a file.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Arff, ReadChunks}};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-read.arff");
    /// # std::fs::write(&path, "@relation r\n@attribute length real\n@attribute species {a,b}\n@data\n1.5,a\n")?;
    /// let mut reader = Arff::default().read(&path, &Schema::numeric(["length"], "species"))?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a"]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or does not have the columns.
    pub fn read(&self, path: impl AsRef<Path>, schema: &Schema) -> Result<CsvReader<'static>, ReadError> {
        CsvReader::new(self.convert(Source::open(path.as_ref())?)?.1, &self.csv(), schema)
    }

    /// Reads the columns of a schema from a stream. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Arff, ReadChunks}};
    ///
    /// let text = "@relation r\n@attribute length real\n@attribute species {a,b}\n@data\n{0 1.5, 1 a}\n";
    /// let schema = Schema::numeric(["length"], "species");
    /// let error = Arff::default().read_from(text.as_bytes(), "flowers", &schema).and_then(|mut rows| rows.next_chunk());
    /// assert!(error.unwrap_err().to_string().starts_with("flowers, line 5: no ARFF file: the row is sparse"));
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read or does not have the columns.
    pub fn read_from<'a>(
        &self,
        input: impl Read + Send + 'a,
        name: &str,
        schema: &Schema,
    ) -> Result<CsvReader<'a>, ReadError> {
        CsvReader::new(self.convert(Source::text(input, name)?)?.1, &self.csv(), schema)
    }

    /// The names of the columns of a file: those of its attributes.
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or has no attributes.
    pub fn columns(&self, path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
        self.names(Source::open(path.as_ref())?)
    }

    /// The names of the columns of a stream. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::Arff;
    ///
    /// let text = "@relation r\n@attribute length real\n@attribute species {a,b}\n@data\n1.5,a\n";
    /// assert_eq!(Arff::default().columns_from(text.as_bytes(), "flowers")?, ["length", "species"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read or has no attributes.
    pub fn columns_from(&self, input: impl Read + Send, name: &str) -> Result<Vec<String>, ReadError> {
        self.names(Source::text(input, name)?)
    }

    fn names(&self, source: Source<'_>) -> Result<Vec<String>, ReadError> {
        let (attributes, _) = self.convert(source)?;
        Ok(attributes.into_iter().map(|attribute| attribute.name).collect())
    }

    fn csv(&self) -> Csv {
        Csv::default()
            .with_table(self.table.clone().with_empty_missing())
            .with_max_record_bytes(self.max_line_bytes.saturating_mul(2).saturating_add(2))
    }

    fn infer_passes<'a>(
        &self,
        mut open: impl FnMut() -> Result<Source<'a>, ReadError>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let (attributes, _) = self.convert(open()?)?;
        let mut choices = overrides.clone();
        for Attribute { name, kind } in &attributes {
            if let Some(kind) = kind
                && name != label
            {
                choices.kinds.entry(name.clone()).or_insert(*kind);
            }
        }
        let csv = self.csv();
        let mut inferred = csv.infer_passes(|| Ok(self.convert(open()?)?.1), label, &choices, usize::MAX)?;
        for column in &mut inferred.columns {
            if overrides.kinds.contains_key(&column.column) {
                continue;
            }
            if let Reason::ChosenDates(dates) = &column.reason {
                column.reason = Reason::WrittenDates(dates.clone());
            }
            if column.reason == Reason::Override {
                let is_nominal = choices.kinds.get(&column.column) == Some(&KindChoice::Categorical);
                column.reason = Reason::Type(if is_nominal { "nominal" } else { "numeric" }.into());
            }
        }
        Ok(inferred)
    }

    /// The attributes, and the rows as delimited text.
    fn convert<'a>(&self, source: Source<'a>) -> Result<(Vec<Attribute>, Source<'a>), ReadError> {
        let mut lines = Lines {
            file: source.name.clone(),
            input: BufReader::with_capacity(1 << 16, source.input),
            line: 0,
            max_bytes: self.max_line_bytes,
            skipped: (self.table.bad_rows == BadRows::Skip).then(Skipped::default),
            bytes: Vec::new(),
        };
        let skipped = lines.skipped.clone();
        let attributes = lines.attributes()?;
        let header = lines.line;
        let names: Vec<String> = attributes.iter().map(|attribute| attribute.name.clone()).collect();
        let input = Converted::new(names, lines);
        let counting = Counting { unit: Unit::Line, header };
        Ok((attributes, Source { skipped, ..Source::converted(&source.name, input, counting) }))
    }
}

/// A column, and its kind where its type says that.
struct Attribute {
    name: String,
    kind: Option<KindChoice>,
}

/// The lines of a file.
struct Lines<'a> {
    file: String,
    input: BufReader<Box<dyn Read + Send + 'a>>,
    line: u64,
    max_bytes: usize,
    /// The rows that are left out, if they may be.
    skipped: Option<Skipped>,
    bytes: Vec<u8>,
}

impl Lines<'_> {
    fn refuse(&self, problem: RecordProblem) -> ReadError {
        ReadError::record(&self.file, Place::Line(self.line), problem)
    }

    fn refuse_form(&self, reason: &str) -> ReadError {
        self.refuse(RecordProblem::Arff { reason: reason.into() })
    }

    /// Reads a line; whether there was one.
    fn advance(&mut self) -> Result<bool, ReadError> {
        read_line(&mut self.input, &mut self.bytes, &mut self.line, self.max_bytes, &self.file)
    }

    /// The line at hand; none if it is blank or a comment.
    fn text(&self) -> Result<Option<&str>, ReadError> {
        let text = std::str::from_utf8(&self.bytes).map_err(|_| self.refuse(RecordProblem::NotUtf8))?;
        Ok(Some(text.trim()).filter(|text| !text.is_empty() && !text.starts_with('%')))
    }

    /// Reads all up to the rows.
    fn attributes(&mut self) -> Result<Vec<Attribute>, ReadError> {
        let mut attributes = Vec::new();
        while self.advance()? {
            let Some(text) = self.text()? else { continue };
            let (keyword, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            match keyword.to_ascii_lowercase().as_str() {
                "@relation" => {}
                "@attribute" => attributes.push(self.attribute(rest.trim_start())?),
                "@data" if attributes.is_empty() => {
                    return Err(self.refuse_form("there is no @attribute before @data"));
                }
                "@data" => return Ok(attributes),
                _ => {
                    let reason = format!("{:?} is no @relation, @attribute or @data", shortened(keyword));
                    return Err(self.refuse_form(&reason));
                }
            }
        }
        Err(self.refuse_form("there is no @data; is the file complete?"))
    }

    fn attribute(&self, text: &str) -> Result<Attribute, ReadError> {
        let mut name = String::new();
        let rest = word(text, &mut name, char::is_whitespace);
        let Some(rest) = rest.map(str::trim).filter(|rest| !rest.is_empty()) else {
            return Err(
                self.refuse_form("an attribute has a name, in quotes if there are spaces in it, and a type")
            );
        };
        let keyword =
            rest.split(|letter: char| letter.is_whitespace() || letter == '{').next().unwrap_or_default();
        let kind = match keyword.to_ascii_lowercase().as_str() {
            "" if rest.starts_with('{') => Some(KindChoice::Categorical),
            "numeric" | "real" | "integer" => Some(KindChoice::Numeric),
            "string" | "date" => None,
            _ => {
                let reason = format!(
                    "attribute {name:?} is of type {:?}, which is not numeric, nominal, string or date; remove it",
                    shortened(keyword)
                );
                return Err(self.refuse_form(&reason));
            }
        };
        Ok(Attribute { name, kind })
    }
}

impl Convert for Lines<'_> {
    fn line(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        let before = text.bytes.len();
        match (self.row(text), &self.skipped) {
            (Err(error), Some(skipped)) => {
                skipped.add(self.line, error)?;
                leave_line(&mut self.input, &self.bytes, &self.file)?;
                text.bytes.truncate(before);
                text.end_line();
                Ok(true)
            }
            (is_line, _) => is_line,
        }
    }
}

impl Lines<'_> {
    /// Appends the next line as a row; whether there was one.
    fn row(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        if !self.advance()? {
            return Ok(false);
        }
        let Some(mut rest) = self.text()? else {
            text.end_line();
            return Ok(true);
        };
        if rest.starts_with('{') {
            return Err(self
                .refuse_form("the row is sparse; save the file with the filter SparseToNonSparse of Weka"));
        }
        let mut cell = String::new();
        loop {
            cell.clear();
            let is_quoted = rest.starts_with(['\'', '"']);
            let Some(behind) = word(rest, &mut cell, |letter| letter == ',' || letter == '\t') else {
                return Err(self.refuse(RecordProblem::OpenQuote));
            };
            let value = if is_quoted { &cell } else { cell.trim() };
            text.cell(if value == "?" && !is_quoted { "" } else { value });
            match behind.trim_start_matches(' ').strip_prefix([',', '\t']) {
                Some(next) => rest = next.trim_start_matches(' '),
                None if behind.trim().is_empty() => break,
                None => return Err(self.refuse_form("there is something between a quote and the next comma")),
            }
        }
        text.end_row();
        Ok(true)
    }
}

/// Takes a word, which may be in quotes, up to its end; none if a quote is not closed.
fn word<'a>(text: &'a str, word: &mut String, is_end: impl Fn(char) -> bool) -> Option<&'a str> {
    let Some(quote) = text.chars().next().filter(|first| "'\"".contains(*first)) else {
        let (start, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
        word.push_str(start);
        return Some(rest);
    };
    let mut letters = text[1..].char_indices();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next()?.1 {
                'n' => word.push('\n'),
                't' => word.push('\t'),
                'r' => word.push('\r'),
                other => word.push(other),
            },
            _ if letter == quote => return text.get(place + 2..),
            _ => word.push(letter),
        }
    }
    None
}
