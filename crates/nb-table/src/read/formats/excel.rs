//! Sheets of workbooks: Excel and `OpenDocument`.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Cursor, Read, Seek},
    path::Path,
};

use calamine::{
    CellErrorType, Data, ExcelDateTime, Ods, Reader, SheetType, SheetVisible, Sheets, Xls, Xlsb, Xlsx,
};

use crate::read::{
    Csv, CsvHeader, CsvReader, FileProblem, Inferred, Overrides, ReadError, TableOptions,
    cells::date::time_text,
    file::source::Source,
    formats::{
        as_csv::{Counting, RowText, Unit},
        decoders::contained,
    },
};
use crate::{Schema, with::with_fields};

/// What messages call the format.
const FORMAT: &str = "Excel or OpenDocument";

/// How to read a sheet of a workbook: `.xlsx`, `.xlsm`, `.xlsb`, `.xls` and `.ods`. The format is known by
/// the first bytes.
///
/// The first row that is not empty has the names of the columns, wherever the table begins; a column without
/// a name is called by its letter. Messages count rows as the sheet does. Formulas are the values that were
/// stored with them. Numbers are read exactly, truth values are the categories `true` and `false`, and dates
/// are dates ([`Reason::Dates`](crate::read::Reason::Dates)); times of day and durations are numbers, in
/// days. `#N/A` is a missing cell; other errors, such as `#DIV/0!`, are texts.
///
/// The sheet is in memory as text; so is the whole of an `.xls` or `.ods` file, with the empty cells before
/// its last one, which a damaged file can put far away: up to gigabytes.
///
/// ```no_run
/// use nb_table::read::{Excel, Overrides, ReadChunks};
///
/// let excel = Excel::default().with_sheet(Some("measured".into()));
/// let inferred = excel.infer("flowers.xlsx", "species", &Overrides::default())?;
/// let mut reader = excel.read("flowers.xlsx", &inferred.schema)?;
/// while let Some(chunk) = reader.next_chunk()? {
///     println!("{:?} {:?}", chunk.rows, chunk.labels);
/// }
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excel {
    /// The name of the sheet. `None`: the first one.
    pub sheet: Option<String>,
    /// Whether the first row that is not empty has the names of the columns. Otherwise they are called `x1`,
    /// `x2`, and so on.
    pub header: bool,
    /// Whether the header may be one as Orange writes it ([`OrangeHeader`](crate::read::OrangeHeader)).
    pub orange: bool,
    /// How many rows of the sheet are left out at the beginning, before all others, such as a title. Empty
    /// ones count.
    pub skip_rows: u64,
    /// The most bytes that the parts of the file may have when they are decompressed, and that the sheet may
    /// have as text.
    pub max_bytes: u64,
    /// What holds for all tables.
    pub table: TableOptions,
}

impl Default for Excel {
    /// The first sheet, of up to 1 GiB.
    fn default() -> Self {
        Self {
            sheet: None,
            header: true,
            orange: true,
            skip_rows: 0,
            max_bytes: 1 << 30,
            table: TableOptions::default(),
        }
    }
}

/// # Options
impl Excel {
    with_fields! {
        with_sheet sheet: Option<String>;
        with_header header: bool;
        with_orange orange: bool;
        with_skip_rows skip_rows: u64;
        with_max_bytes max_bytes: u64;
        with_table table: TableOptions;
    }
}

impl Excel {
    /// Learns a schema from all rows of a sheet, by the rules of [`Csv::infer`].
    ///
    /// ```
    /// use nb_table::read::{Excel, Overrides};
    ///
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read/data/table.xlsx");
    /// let inferred = Excel::default().infer(path, "species", &Overrides::default())?;
    /// assert_eq!(inferred.columns[1].reason.to_string(), "its cells are dates");
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer(
        &self,
        path: impl AsRef<Path>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let sheet = self.open(path.as_ref())?;
        let source = || {
            let input = &sheet.text[..];
            Ok(Source::converted(&sheet.file, input, sheet.counting))
        };
        self.csv().infer_passes(source, label, overrides, usize::MAX)
    }

    /// Reads the columns of a schema from a sheet.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Excel, ReadChunks}};
    ///
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read/data/table.xlsx");
    /// let mut reader = Excel::default().read(path, &Schema::numeric(["length"], "species"))?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened, or the sheet does not have the columns.
    pub fn read(&self, path: impl AsRef<Path>, schema: &Schema) -> Result<CsvReader<'static>, ReadError> {
        let Sheet { file, text, counting } = self.open(path.as_ref())?;
        let source = Source::converted(&file, Cursor::new(text), counting);
        CsvReader::new(source, &self.csv(), schema)
    }

    /// The names of the columns of a sheet, in its order.
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or the sheet is empty.
    pub fn columns(&self, path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
        self.header(path).map(|header| header.names)
    }

    /// The names of the columns of a sheet, and what a header of Orange says of them.
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or the sheet is empty.
    pub fn header(&self, path: impl AsRef<Path>) -> Result<CsvHeader, ReadError> {
        let Sheet { file, text, counting } = self.open(path.as_ref())?;
        self.csv().header_of(Source::converted(&file, &text[..], counting))
    }

    /// The names of the sheets of a workbook, of which [`infer`](Self::infer) and [`read`](Self::read) take
    /// the first unless another one is named: visible ones first, and no charts.
    ///
    /// ```
    /// use nb_table::read::Excel;
    ///
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read/data/table.xlsx");
    /// assert_eq!(Excel::default().sheets(path)?, ["flowers", "notes"]);
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened.
    pub fn sheets(&self, path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
        let file = path.as_ref().display().to_string();
        self.workbook(path.as_ref(), &file).map(|book| sheets(&book))
    }

    fn csv(&self) -> Csv {
        Csv::default().with_orange(self.orange).with_table(self.table.clone())
    }

    fn workbook(&self, path: &Path, file: &str) -> Result<Sheets<BufReader<File>>, ReadError> {
        let io = |error| ReadError::io(file, error);
        let mut input = BufReader::new(File::open(path).map_err(io)?);
        let kind = Kind::of(&mut input).map_err(io)?;
        input.rewind().map_err(io)?;
        if kind.is_archive() {
            self.check_size(file, &mut input)?;
            input.rewind().map_err(io)?;
        }
        contained(file, FORMAT, || {
            Ok::<_, String>(match kind {
                Kind::Xls => Sheets::Xls(Xls::new(input).map_err(|error| error.to_string())?),
                Kind::Xlsx => Sheets::Xlsx(Xlsx::new(input).map_err(|error| error.to_string())?),
                Kind::Xlsb => Sheets::Xlsb(Xlsb::new(input).map_err(|error| error.to_string())?),
                Kind::Ods => Sheets::Ods(Ods::new(input).map_err(|error| error.to_string())?),
                Kind::Other => return Err("it does not begin as one".into()),
            })
        })
    }

    /// Refuses archives with more bytes than are allowed, whatever they say of their size.
    fn check_size(&self, file: &str, input: &mut BufReader<File>) -> Result<(), ReadError> {
        /// The largest ratio of a DEFLATE stream.
        const MOST: u64 = 1032;
        let n_bytes = input.get_ref().metadata().map_or(u64::MAX, |data| data.len());
        if n_bytes.saturating_mul(MOST) <= self.max_bytes {
            return Ok(());
        }
        let archive = zip::ZipArchive::new(input).map_err(|error| error.to_string());
        let mut archive = contained(file, FORMAT, || archive)?;
        let mut size = 0;
        for place in 0..archive.len() {
            // What cannot be decompressed is refused when it is read.
            let Ok(part) = archive.by_index(place) else { continue };
            let most = (self.max_bytes - size).saturating_add(1);
            size += io::copy(&mut part.take(most), &mut io::sink()).unwrap_or_default();
            if size > self.max_bytes {
                let (what, limit) =
                    ("the number of bytes of the decompressed workbook is at least", self.max_bytes);
                return Err(ReadError::of_file(file, FileProblem::TooLarge { what, size, limit }));
            }
        }
        Ok(())
    }

    /// The sheet as delimited text.
    fn open(&self, path: &Path) -> Result<Sheet, ReadError> {
        let file = path.display().to_string();
        let mut book = self.workbook(path, &file)?;
        let found = sheets(&book);
        let refuse = |problem| ReadError::of_file(&file, problem);
        let name = match &self.sheet {
            Some(name) if !found.contains(name) => {
                let name = name.clone();
                return Err(refuse(FileProblem::MissingSheet { name, found }));
            }
            Some(name) => name,
            None => found.first().ok_or_else(|| refuse(FileProblem::Empty))?,
        };
        let mut layout = Layout { has_header: self.header, ..Layout::default() };
        let mut each_cell = |look: &mut dyn FnMut(u32, u32, Data) -> Result<(), FileProblem>| {
            contained(&file, FORMAT, || each_cell(&mut book, name, look))?.map_err(refuse)
        };
        each_cell(&mut |row, column, value| {
            if u64::from(row) >= self.skip_rows {
                layout.look(row, column, &value);
            }
            Ok(())
        })?;
        let Some(first_row) = layout.first_row else {
            return Err(refuse(FileProblem::EmptySheet { name: name.clone() }));
        };
        let mut rows = Rows::new(&layout, first_row, self.max_bytes);
        each_cell(&mut |row, column, value| rows.cell(row, column, &value))?;
        let text = rows.finish().map_err(refuse)?;
        // Without a header the names are before the first row.
        let header = u64::from(first_row) + u64::from(self.header);
        Ok(Sheet { text, counting: Counting { unit: Unit::Row, header }, file })
    }
}

/// A sheet as delimited text.
struct Sheet {
    file: String,
    text: Vec<u8>,
    counting: Counting,
}

/// What a file is by its first bytes and, if it is an archive, the names of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Xls,
    Xlsx,
    Xlsb,
    Ods,
    Other,
}

impl Kind {
    fn of(input: &mut (impl Read + Seek)) -> io::Result<Self> {
        let mut start = Vec::new();
        input.by_ref().take(8).read_to_end(&mut start)?;
        if start == [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] {
            return Ok(Self::Xls);
        }
        input.rewind()?;
        let Ok(archive) = zip::ZipArchive::new(input) else { return Ok(Self::Other) };
        let has = |part: &str| {
            archive.file_names().any(|name| name.is_ok_and(|name| name.eq_ignore_ascii_case(part)))
        };
        Ok(if has("xl/workbook.bin") {
            Self::Xlsb
        } else if has("content.xml") {
            Self::Ods
        } else if has("[Content_Types].xml") {
            Self::Xlsx
        } else {
            Self::Other
        })
    }

    fn is_archive(self) -> bool {
        matches!(self, Self::Xlsx | Self::Xlsb | Self::Ods)
    }
}

/// The names of the sheets that have cells, visible ones first.
fn sheets<R: Read + Seek>(book: &Sheets<R>) -> Vec<String> {
    let sheets = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let (visible, hidden): (Vec<_>, Vec<_>) =
        sheets.partition(|sheet| sheet.visible == SheetVisible::Visible);
    visible.into_iter().chain(hidden).map(|sheet| sheet.name.clone()).collect()
}

/// Shows all cells of a sheet, row by row.
fn each_cell<R: Read + Seek>(
    book: &mut Sheets<R>,
    sheet: &str,
    look: &mut dyn FnMut(u32, u32, Data) -> Result<(), FileProblem>,
) -> Result<Result<(), FileProblem>, String> {
    let mut last = None;
    let mut look = |row: u32, column: u32, value: Data| {
        if last.is_some_and(|last| last >= (row, column)) {
            return Err("its cells are not in order".to_owned());
        }
        last = Some((row, column));
        Ok(look(row, column, value))
    };
    // Cells one by one take less memory than a range, where the format has them.
    macro_rules! cells {
        ($book:expr) => {{
            let mut cells = $book.worksheet_cells_reader(sheet).map_err(|error| error.to_string())?;
            while let Some(cell) = cells.next_cell().map_err(|error| error.to_string())? {
                let (row, column) = cell.get_position();
                if let Err(problem) = look(row, column, cell.get_value().clone().into())? {
                    return Ok(Err(problem));
                }
            }
        }};
    }
    match book {
        Sheets::Xlsx(book) => cells!(book),
        Sheets::Xlsb(book) => cells!(book),
        Sheets::Xls(_) | Sheets::Ods(_) => {
            let range = book.worksheet_range(sheet).map_err(|error| error.to_string())?;
            let (first_row, first_column) = range.start().unwrap_or_default();
            for (row, column, value) in range.used_cells() {
                let (row, column) = (first_row + row as u32, first_column + column as u32);
                if let Err(problem) = look(row, column, value.clone())? {
                    return Ok(Err(problem));
                }
            }
        }
    }
    Ok(Ok(()))
}

/// Where a table is in its sheet.
#[derive(Debug, Default)]
struct Layout {
    has_header: bool,
    first_row: Option<u32>,
    /// The columns with cells, and their names.
    names: BTreeMap<u32, String>,
}

impl Layout {
    fn look(&mut self, row: u32, column: u32, value: &Data) {
        let text = cell_text(value);
        if text.trim().is_empty() {
            return;
        }
        let is_header = *self.first_row.get_or_insert(row) == row && self.has_header;
        let name = self.names.entry(column).or_default();
        if is_header {
            text.trim().clone_into(name);
        }
    }

    fn header(&self) -> Vec<String> {
        let names = self.names.iter().enumerate();
        names
            .map(|(position, (&column, name))| match name.as_str() {
                _ if !self.has_header => format!("x{}", position + 1),
                "" => letters(column),
                name => name.to_owned(),
            })
            .collect()
    }
}

/// The letters of a column, counted from 0.
fn letters(column: u32) -> String {
    let mut rest = u64::from(column) + 1;
    let mut letters = Vec::new();
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// The rows of a table as text.
struct Rows {
    text: RowText,
    /// The position of each column in a row of the text.
    places: BTreeMap<u32, usize>,
    /// The cells of the row at hand.
    cells: Vec<String>,
    row: u32,
    has_cells: bool,
    /// The row with the names of the columns.
    header: Option<u32>,
    max_bytes: u64,
}

impl Rows {
    fn new(layout: &Layout, first_row: u32, max_bytes: u64) -> Self {
        let names = layout.header();
        let mut text = RowText::default();
        text.header(&names);
        Self {
            text,
            places: layout.names.keys().copied().zip(0..).collect(),
            cells: vec![String::new(); names.len()],
            row: if layout.has_header { first_row + 1 } else { first_row },
            has_cells: false,
            header: layout.has_header.then_some(first_row),
            max_bytes,
        }
    }

    fn cell(&mut self, row: u32, column: u32, value: &Data) -> Result<(), FileProblem> {
        let Some(&place) = self.places.get(&column) else { return Ok(()) };
        if self.header == Some(row) || row < self.row {
            return Ok(());
        }
        while self.row < row {
            self.end_row()?;
        }
        self.cells[place] = cell_text(value);
        self.has_cells |= !self.cells[place].trim().is_empty();
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), FileProblem> {
        if std::mem::take(&mut self.has_cells) {
            self.cells.iter().for_each(|cell| self.text.cell(cell));
            self.text.end_row();
        } else {
            self.text.end_line();
        }
        self.cells.iter_mut().for_each(String::clear);
        self.row += 1;
        let size = self.text.bytes.len() as u64;
        if size > self.max_bytes {
            let (what, limit) = ("the number of bytes of the sheet as text is at least", self.max_bytes);
            return Err(FileProblem::TooLarge { what, size, limit });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, FileProblem> {
        self.end_row()?;
        Ok(self.text.bytes)
    }
}

/// A cell as a CSV file would have it.
fn cell_text(value: &Data) -> String {
    match value {
        Data::Int(value) => value.to_string(),
        Data::Float(value) => number_text(*value),
        Data::String(text) | Data::DateTimeIso(text) => text.clone(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(moment) => moment_text(*moment),
        Data::DurationIso(text) => days_of_duration(text).map_or_else(|| text.clone(), number_text),
        Data::Error(CellErrorType::NA) | Data::Empty => String::new(),
        Data::Error(error) => error.to_string(),
    }
}

/// The shortest text that is read as the same number.
fn number_text(value: f64) -> String {
    const PLAIN: std::ops::Range<f64> = 1e-6..1e17;
    if value == 0.0 || PLAIN.contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}

fn moment_text(moment: ExcelDateTime) -> String {
    const MILLIS: i64 = 86_400_000;
    let days = moment.as_f64();
    // Times of day are the days of which the first is the zeroth.
    if moment.is_duration() || (0.0..1.0).contains(&days) {
        return number_text(days);
    }
    let (year, month, day, hour, minute, second, millis) = moment.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let ticks = i64::from(hour) * 3_600_000
        + i64::from(minute) * 60_000
        + i64::from(second) * 1000
        + i64::from(millis);
    if ticks == 0 { date } else { format!("{date}T{}", time_text(ticks.min(MILLIS - 1), 1000)) }
}

/// The days that a duration has, such as `PT12H30M05.5S`.
fn days_of_duration(text: &str) -> Option<f64> {
    let mut rest = text.strip_prefix("PT")?;
    let mut seconds = 0.0;
    for (unit, length) in [('H', 3600.0), ('M', 60.0), ('S', 1.0)] {
        if let Some((number, others)) = rest.split_once(unit) {
            seconds += number.parse::<f64>().ok().filter(|number| number.is_finite())? * length;
            rest = others;
        }
    }
    rest.is_empty().then_some(seconds / 86_400.0)
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType;

    use super::*;

    #[test]
    fn columns_have_letters() {
        for (column, expected) in
            [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")]
        {
            assert_eq!(letters(column), expected);
        }
    }

    #[test]
    fn cells_are_texts_of_a_csv_file() {
        let date = |days| Data::DateTime(ExcelDateTime::new(days, ExcelDateTimeType::DateTime, false));
        for (cell, expected) in [
            (Data::Int(-3), "-3"),
            (Data::Float(0.1), "0.1"),
            (Data::Float(-0.0), "-0"),
            (Data::Float(1e300), "1e300"),
            (Data::Float(5e-324), "5e-324"),
            (Data::Bool(true), "true"),
            (Data::Error(CellErrorType::NA), ""),
            (Data::Error(CellErrorType::Div0), "#DIV/0!"),
            (date(45_296.0), "2024-01-05"),
            (date(45_296.5), "2024-01-05T12:00:00"),
            (date(45_943.541), "2025-10-13T12:59:02.4"),
            (date(0.25), "0.25"),
            (Data::DateTime(ExcelDateTime::new(1.5, ExcelDateTimeType::TimeDelta, false)), "1.5"),
            (Data::DateTime(ExcelDateTime::new(1.0, ExcelDateTimeType::DateTime, true)), "1904-01-02"),
            (Data::DateTimeIso("2024-01-05".into()), "2024-01-05"),
            (Data::DurationIso("PT12H00M00S".into()), "0.5"),
            (Data::DurationIso("P1Y".into()), "P1Y"),
        ] {
            assert_eq!(cell_text(&cell), expected, "{cell:?}");
        }
    }
}
