//! Records as JSON objects: one a line, or in an array.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::read::{
    BadRows, CellProblem, Csv, CsvReader, FileProblem, Inferred, Overrides, Place, ReadError, RecordProblem,
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

/// How to read records as JSON objects: one a line (`.jsonl`, `.ndjson`), or all of them in an array. They
/// may be compressed, as [`Csv`] files may.
///
/// The columns are the keys of all records, in the order in which they first appear; a key that a record does
/// not have, or that is `null`, is a missing cell. Numbers, truth values and strings are what they are as
/// cells of a CSV file: a string of digits is a number, and `true` a category. The [markers of missing
/// values](TableOptions::missing) that are given hold as well.
///
/// A file is read once more than a CSV file, to find the keys. Only a record is in memory.
///
/// ```
/// use nb_table::{Schema, read::{Json, Overrides, ReadChunks}};
///
/// let text = "{\"length\": 1.5, \"species\": \"a\"}\n{\"species\": \"b\", \"length\": null}\n";
/// let open = || Ok(text.as_bytes());
/// let json = Json::default();
/// let inferred = json.infer_from(open, "flowers.jsonl", "species", &Overrides::default())?;
/// assert_eq!(inferred.schema, Schema::numeric(["length"], "species"));
/// let mut reader = json.read_from(open, "flowers.jsonl", &inferred.schema)?;
/// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Json {
    /// The longest record, in bytes.
    pub max_record_bytes: usize,
    /// The most different keys.
    pub max_columns: usize,
    /// What holds for all tables.
    pub table: TableOptions,
}

impl Default for Json {
    /// Records of up to 64 MiB, up to 65,536 different keys.
    fn default() -> Self {
        Self { max_record_bytes: 1 << 26, max_columns: 1 << 16, table: TableOptions::default() }
    }
}

/// # Options
impl Json {
    with_fields! {
        with_max_record_bytes max_record_bytes: usize;
        with_max_columns max_columns: usize;
        with_table table: TableOptions;
    }
}

impl Json {
    /// Learns a schema from all records of a file, by the rules of [`Csv::infer`].
    ///
    /// ```
    /// use nb_table::read::{Json, Overrides};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-infer.jsonl");
    /// # std::fs::write(&path, "{\"length\": 1.5, \"species\": \"a\"}\n")?;
    /// let inferred = Json::default().infer(&path, "species", &Overrides::default())?;
    /// assert_eq!(inferred.columns[0].reason.to_string(), "all cells are numbers");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong, such as the line and key of a nested object.
    pub fn infer(
        &self,
        path: impl AsRef<Path>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let open = || Source::open(path.as_ref());
        let keys = self.keys(open()?)?;
        self.csv().infer_passes(|| self.convert(open()?, &keys), label, overrides, usize::MAX)
    }

    /// Learns a schema from a stream that can be opened more than once. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::{Json, Overrides};
    ///
    /// let text = "[{\"length\": 1.5, \"species\": \"a\"}, {\"length\": {\"mm\": 7}}]";
    /// let open = || Ok(text.as_bytes());
    /// let error = Json::default().infer_from(open, "flowers.json", "species", &Overrides::default()).unwrap_err();
    /// assert!(error.to_string().starts_with("flowers.json, record 2, column \"length\": \"{\\\"mm\\\": 7}\" is an object"));
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer_from<R: Read + Send>(
        &self,
        mut open: impl FnMut() -> std::io::Result<R>,
        name: &str,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let mut open = || Source::text(open().map_err(|error| ReadError::io(name, error))?, name);
        let keys = self.keys(open()?)?;
        self.csv().infer_passes(|| self.convert(open()?, &keys), label, overrides, usize::MAX)
    }

    /// Reads the columns of a schema from a file.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Json, ReadChunks}};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-read.jsonl");
    /// # std::fs::write(&path, "{\"length\": 1.5, \"species\": \"a\"}\n")?;
    /// let mut reader = Json::default().read(&path, &Schema::numeric(["length"], "species"))?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a"]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened, is not JSON or does not have the columns.
    pub fn read(&self, path: impl AsRef<Path>, schema: &Schema) -> Result<CsvReader<'static>, ReadError> {
        let keys = self.keys(Source::open(path.as_ref())?)?;
        CsvReader::new(self.convert(Source::open(path.as_ref())?, &keys)?, &self.csv(), schema)
    }

    /// Reads the columns of a schema from a stream that can be opened twice. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Json, ReadChunks}};
    ///
    /// let text = "{\"length\": 1.5}\n{\"length\": \"long\"}\n";
    /// let schema = Schema::numeric(["length"], "species");
    /// let mut reader = Json::default().read_from(|| Ok(text.as_bytes()), "flowers", &schema)?;
    /// let error = reader.next_chunk().unwrap_err().to_string();
    /// assert!(error.starts_with("flowers, line 2, column \"length\": \"long\" is not a number"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read, is not JSON or does not have the columns.
    pub fn read_from<'a, R: Read + Send + 'a>(
        &self,
        mut open: impl FnMut() -> std::io::Result<R>,
        name: &str,
        schema: &Schema,
    ) -> Result<CsvReader<'a>, ReadError> {
        let mut open = || Source::text(open().map_err(|error| ReadError::io(name, error))?, name);
        let keys = self.keys(open()?)?;
        CsvReader::new(self.convert(open()?, &keys)?, &self.csv(), schema)
    }

    /// The names of the columns of a file: the keys of all records, in the order in which they first appear.
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or is not JSON.
    pub fn columns(&self, path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
        self.keys(Source::open(path.as_ref())?)
    }

    /// The names of the columns of a stream, which is read to its end. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::Json;
    ///
    /// let text = "{\"length\": 1.5}\n{\"species\": \"b\", \"length\": null}\n";
    /// assert_eq!(Json::default().columns_from(text.as_bytes(), "flowers")?, ["length", "species"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read or is not JSON.
    pub fn columns_from(&self, input: impl Read + Send, name: &str) -> Result<Vec<String>, ReadError> {
        self.keys(Source::text(input, name)?)
    }

    fn csv(&self) -> Csv {
        // A text with commas is at most twice as long as its JSON, except for commas of keys that a record
        // does not have.
        let most = self.max_record_bytes.saturating_mul(2).saturating_add(self.max_columns);
        let table = self.table.clone().with_empty_missing();
        Csv::default().with_table(table).with_max_record_bytes(most)
    }

    /// The keys of all records.
    fn keys(&self, source: Source<'_>) -> Result<Vec<String>, ReadError> {
        let mut records = Records::new(source, self)?;
        let (mut keys, mut known) = (Vec::new(), HashSet::new());
        let mut any = false;
        while let Some(is_record) = records.advance()? {
            any |= is_record;
            let record = if is_record { records.record()? } else { Record(Vec::new()) };
            for (key, _) in &record.0 {
                if known.contains(key) {
                    continue;
                }
                if keys.len() >= self.max_columns {
                    let (what, limit) = ("the number of different keys is at least", self.max_columns as u64);
                    let problem = FileProblem::TooLarge { what, size: limit + 1, limit };
                    return Err(ReadError::of_file(&records.file, problem));
                }
                known.insert(key.clone());
                keys.push(key.clone());
            }
        }
        match (any, keys.is_empty()) {
            (false, _) => {
                let skipped = records.skipped.and_then(|skipped| skipped.take_first_error());
                Err(skipped.unwrap_or_else(|| ReadError::of_file(&records.file, FileProblem::NoRecords)))
            }
            (true, true) => Err(ReadError::of_file(&records.file, FileProblem::NoFeatures)),
            (true, false) => Ok(keys),
        }
    }

    /// The records as delimited text.
    fn convert<'a>(&self, source: Source<'a>, keys: &[String]) -> Result<Source<'a>, ReadError> {
        let records = Records::new(source, self)?;
        let (name, unit, header) = (records.file.clone(), records.unit(), records.n_read);
        let skipped = records.skipped.clone();
        let places = keys.iter().cloned().zip(0..).collect();
        let converter = Cells { records, places, row: vec![String::new(); keys.len()] };
        let input = Converted::new(keys, converter);
        Ok(Source { skipped, ..Source::converted(&name, input, Counting { unit, header }) })
    }
}

/// The records as rows.
struct Cells<'a> {
    records: Records<'a>,
    places: HashMap<String, usize>,
    row: Vec<String>,
}

impl Convert for Cells<'_> {
    fn line(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        let Some(is_record) = self.records.advance()? else { return Ok(false) };
        if !is_record {
            text.end_line();
            return Ok(true);
        }
        let record = self.records.record()?;
        self.row.iter_mut().for_each(String::clear);
        for (key, value) in record.0 {
            // All keys are known, unless the file was changed meanwhile.
            let Some(cell) = self.places.get(&key).and_then(|&place| self.row.get_mut(place)) else {
                continue;
            };
            match self.records.string(value)? {
                Some(string) => *cell = string,
                None if value.get() == "null" => {}
                None => cell.push_str(value.get()),
            }
        }
        self.row.iter().for_each(|cell| text.cell(cell));
        text.end_row();
        Ok(true)
    }
}

/// The records of a file, one at a time.
struct Records<'a> {
    file: String,
    input: BufReader<Box<dyn Read + Send + 'a>>,
    is_array: bool,
    /// Whether the end of the array was read.
    ended: bool,
    /// How many lines, or records of an array, were read.
    n_read: u64,
    max_bytes: usize,
    /// The records that are left out, if they may be.
    skipped: Option<Skipped>,
    bytes: Vec<u8>,
}

impl<'a> Records<'a> {
    fn new(source: Source<'a>, json: &Json) -> Result<Self, ReadError> {
        let mut records = Self {
            file: source.name,
            input: BufReader::with_capacity(1 << 16, source.input),
            is_array: false,
            ended: false,
            n_read: 0,
            max_bytes: json.max_record_bytes,
            skipped: (json.table.bad_rows == BadRows::Skip).then(Skipped::default),
            bytes: Vec::new(),
        };
        // Lines before the first record are counted, those before an array are not.
        let mut n_lines = 0;
        while let Some(byte) = records.peek()? {
            match byte {
                b'[' => {
                    records.is_array = true;
                    n_lines = 0;
                    records.input.consume(1);
                }
                b'\n' => {
                    n_lines += 1;
                    records.input.consume(1);
                    continue;
                }
                b' ' | b'\t' | b'\r' => {
                    records.input.consume(1);
                    continue;
                }
                _ => {}
            }
            break;
        }
        records.n_read = n_lines;
        Ok(records)
    }

    fn unit(&self) -> Unit {
        if self.is_array { Unit::Record } else { Unit::Line }
    }

    /// Where the last record is.
    fn place(&self) -> Place {
        Counting { unit: self.unit(), header: 0 }.place(self.n_read)
    }

    fn refuse(&self, error: &serde_json::Error) -> ReadError {
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let reason = format!("{reason}, at character {}", error.column());
        ReadError::record(&self.file, self.place(), RecordProblem::Json { reason })
    }

    fn refuse_record(&self, problem: RecordProblem) -> ReadError {
        ReadError::record(&self.file, self.place(), problem)
    }

    /// Goes to the next line or element of the array: whether there is a record, and none to be left out.
    /// `None` at the end.
    fn advance(&mut self) -> Result<Option<bool>, ReadError> {
        let Some(skipped) = self.skipped.clone() else { return self.advance_to_any() };
        let is_record = self.advance_to_any();
        let is_record = match is_record {
            Ok(Some(true)) => self.check().map(|()| Some(true)),
            // What is not one record cannot be left out.
            Err(_) if self.is_array => return is_record,
            is_record => is_record,
        };
        let Err(error) = is_record else { return is_record };
        skipped.add(self.n_read, error)?;
        if !self.is_array {
            leave_line(&mut self.input, &self.bytes, &self.file)?;
        }
        Ok(Some(false))
    }

    /// The same, whether or not it is left out.
    fn advance_to_any(&mut self) -> Result<Option<bool>, ReadError> {
        let any = if self.is_array {
            self.bytes.clear();
            self.read_element()?
        } else {
            read_line(&mut self.input, &mut self.bytes, &mut self.n_read, self.max_bytes, &self.file)?
        };
        Ok(any.then(|| self.is_array || !self.bytes.trim_ascii().is_empty()))
    }

    /// The record at hand.
    fn record(&self) -> Result<Record<'_>, ReadError> {
        let text =
            std::str::from_utf8(&self.bytes).map_err(|_| self.refuse_record(RecordProblem::NotUtf8))?;
        let record: Record<'_> = serde_json::from_str(text).map_err(|error| self.refuse(&error))?;
        if let Some((key, value)) = record.0.iter().find(|(_, value)| value.get().starts_with(['{', '['])) {
            return Err(ReadError::cell(&self.file, self.place(), key, value.get(), CellProblem::Nested));
        }
        match record.duplicate() {
            Some(key) => Err(self.refuse_record(RecordProblem::DuplicateKey { key: shortened(key) })),
            None => Ok(record),
        }
    }

    /// Whether all of the record at hand can be read.
    fn check(&self) -> Result<(), ReadError> {
        self.record()?.0.iter().try_for_each(|(_, value)| self.string(value).map(drop))
    }

    /// The text of a value that is a string.
    fn string(&self, value: &RawValue) -> Result<Option<String>, ReadError> {
        let string = Some(value.get()).filter(|value| value.starts_with('"'));
        string.map(|string| serde_json::from_str(string).map_err(|error| self.refuse(&error))).transpose()
    }

    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::io(&self.file, error)),
            }
        }
    }

    fn skip_spaces(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.input.consume(1),
                other => return Ok(other),
            }
        }
    }

    /// Reads an element of the array and what separates it from the next one; whether there was one.
    fn read_element(&mut self) -> Result<bool, ReadError> {
        let array = |reason: &str| RecordProblem::Json { reason: reason.into() };
        if self.ended {
            return Ok(false);
        }
        let first = self.skip_spaces()?;
        if first == Some(b']') && self.n_read == 0 {
            self.input.consume(1);
            return self.end_array();
        }
        self.n_read += 1;
        // Brackets and strings tell where the element ends; whether it is an object is looked at later.
        let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
        loop {
            let Some(byte) = self.peek()? else {
                return Err(self.refuse_record(array("the array is not closed; is the file complete?")));
            };
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => depth += 1,
                b',' | b']' if depth == 0 => break,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bytes.push(byte);
            self.input.consume(1);
            if self.bytes.len() > self.max_bytes {
                return Err(self.refuse_record(RecordProblem::TooLong { limit: self.max_bytes }));
            }
        }
        let separator = self.peek()?;
        self.input.consume(1);
        if separator == Some(b']') {
            self.end_array()?;
        }
        Ok(true)
    }

    /// Says that the array ends here, with which the file ends.
    fn end_array(&mut self) -> Result<bool, ReadError> {
        self.ended = true;
        if self.skip_spaces()?.is_none() {
            return Ok(false);
        }
        let reason = "there is something behind the array".into();
        Err(self.refuse_record(RecordProblem::Json { reason }))
    }
}

/// The keys and values of an object, in its order.
struct Record<'a>(Vec<(String, &'a RawValue)>);

impl Record<'_> {
    fn duplicate(&self) -> Option<&str> {
        const FEW: usize = 16;
        if self.0.len() <= FEW {
            let mut keys = self.0.iter().enumerate();
            let is_duplicate = |(place, (key, _)): (usize, &(String, _))| {
                self.0[..place].iter().any(|(other, _)| other == key).then_some(place)
            };
            return keys.find_map(is_duplicate).map(|place| self.0[place].0.as_str());
        }
        let mut keys: Vec<&str> = self.0.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        keys.windows(2).find(|two| two[0] == two[1]).map(|two| two[0])
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Record<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut cells = Vec::new();
                while let Some(cell) = map.next_entry()? {
                    cells.push(cell);
                }
                Ok(cells)
            }
        }
        deserializer.deserialize_map(Keys).map(Record)
    }
}
