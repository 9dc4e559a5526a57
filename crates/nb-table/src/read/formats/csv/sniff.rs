//! Telling the delimiter and the decimal separator of a file from its first lines.

use std::{borrow::Cow, io::Read};

use super::{
    Csv,
    fields::{Dialect, Field, Fields},
    header::texts,
};
use crate::read::{
    Encoding,
    cells::marked::marked_number,
    file::source::{Failure, Source},
};

/// How the fields and numbers of a file are written: what [`Csv`] says, or else what the first lines of the
/// file tell.
///
/// - Lines that are skipped ([`Csv::skip_lines`]) and comments ([`Csv::comment`]) do not count.
/// - A first line `sep=;`, as Excel writes it, names the delimiter and is skipped.
/// - A name that ends with `.tsv` or `.tab` (before `.gz`, `.zst`, `.bz2` or `.xz`) means tabs.
/// - Otherwise it is the one of comma, semicolon, tab and `|` by which most of the first 100 lines have as
///   many fields as the first line, and that more than one; of equally good ones the first of these four, and
///   a comma if there is none. Delimiters in quotes do not count. Where none of them is in the first line,
///   but several names in quotes, it is a space if all lines agree, or all but the first have one field more,
///   as R's `write.table` writes them.
/// - Fields may be in quotes; but where they are separated by tabs, and one of them begins with a quote that
///   does not end it in the same line, quotes are characters like any other, as in most files with tabs.
/// - Decimals are separated by points if fields are by commas. Otherwise the first cell decides that is a
///   number with a comma or a point in it. Numbers such as `1,234`, whose commas or points may group
///   thousands, decide only if there are no others: then a comma is one of decimals in files with semicolons,
///   and otherwise not.
///
/// No more than the first megabyte is looked at.
///
/// ```
/// use nb_table::read::Csv;
///
/// let format = Csv::default().format_from("length;species\n1,5;a\n2,25;b\n".as_bytes(), "flowers")?;
/// assert_eq!((format.delimiter, format.decimal, format.encoding.to_string()), (b';', b',', "UTF-8".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvFormat {
    /// The byte between fields.
    pub delimiter: u8,
    /// The byte around fields that contain delimiters, quotes or line ends, if there is one.
    pub quote: Option<u8>,
    /// The byte before decimals: a point or a comma.
    pub decimal: u8,
    /// The encoding of the text.
    pub encoding: Encoding,
}

/// Most lines that a delimiter is judged by.
const LINES: usize = 100;
/// How much is read at first: enough for these lines of most files.
const FIRST: usize = 1 << 16;
/// How much is looked at.
const MOST: usize = 1 << 20;

/// The first bytes of a file, and what they tell.
#[derive(Debug)]
pub(super) struct Sniffed {
    pub(super) format: CsvFormat,
    /// The bytes that were read, without skipped lines and one that names the delimiter.
    pub(super) start: Vec<u8>,
    /// How many such lines there were.
    pub(super) n_skipped: u64,
    /// Whether they are the whole file.
    pub(super) ended: bool,
    /// What kept more from being read: said when the rows before it were.
    pub(super) failure: Failure,
}

impl Sniffed {
    pub(super) fn new(source: &mut Source<'_>, csv: &Csv) -> Self {
        let Source { name, input, encoding, .. } = source;
        let mut failure = None;
        let mut read = |start: &mut Vec<u8>, most: usize| {
            let more = (most - start.len()) as u64;
            if let Err(error) = input.take(more).read_to_end(start) {
                failure.get_or_insert(error);
            }
            start.len()
        };
        let mut start = Vec::new();
        let mut ended = read(&mut start, FIRST) < FIRST;
        let mut n_skipped = 0;
        while n_skipped < csv.skip_lines {
            match start.iter().position(|&byte| byte == b'\n') {
                Some(end) => {
                    start.drain(..=end);
                    n_skipped += 1;
                }
                None if ended => {
                    start.clear();
                    break;
                }
                None => {
                    start.clear();
                    ended = read(&mut start, FIRST) < FIRST;
                }
            }
        }
        if n_skipped > 0 && !ended {
            ended = read(&mut start, FIRST) < FIRST;
        }
        if !ended && start.split(|&byte| byte == b'\n').nth(LINES + 1).is_none() {
            ended = read(&mut start, MOST) < MOST;
        }
        let named = named_delimiter(&start);
        if let Some((_, length)) = named {
            start.drain(..length);
        }
        n_skipped += u64::from(named.is_some());
        let delimiter = csv.delimiter.or(named.map(|(delimiter, _)| delimiter));
        let delimiter = delimiter
            .or_else(|| has_tabs(name).then_some(b'\t'))
            .unwrap_or_else(|| likely_delimiter(&without_comments(&start, csv.comment), csv.quote, ended));
        let quote = match csv.quoting {
            Some(true) => csv.quote,
            None if delimiter != b'\t'
                || !csv.quote.is_some_and(|quote| {
                    has_open_quotes(&without_comments(&start, csv.comment), quote, ended)
                }) =>
            {
                csv.quote
            }
            Some(false) | None => None,
        };
        let decimal = match csv.decimal {
            Some(decimal) => decimal,
            None if delimiter == b',' => b'.',
            None => {
                let dialect = Dialect { delimiter, quote };
                let lines = without_comments(&start, csv.comment);
                let mut decimal = Decimals::of(&lines, dialect, csv.header, ended);
                drop(lines);
                if !decimal.is_sure() && !ended && start.len() < MOST {
                    ended = read(&mut start, MOST) < MOST;
                    let lines = without_comments(&start, csv.comment);
                    decimal = Decimals::of(&lines, dialect, csv.header, ended);
                }
                decimal.separator(delimiter)
            }
        };
        let format = CsvFormat { delimiter, quote, decimal, encoding: *encoding };
        Self { format, start, n_skipped, ended, failure: Failure(failure) }
    }
}

/// The lines that are no comments.
pub(super) fn without_comments(start: &[u8], comment: Option<u8>) -> Cow<'_, [u8]> {
    let Some(comment) = comment else { return start.into() };
    let lines = start.split_inclusive(|&byte| byte == b'\n');
    lines.filter(|line| line.first() != Some(&comment)).flatten().copied().collect::<Vec<u8>>().into()
}

/// Whether the name of a file says that tabs are between its fields.
fn has_tabs(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = [".gz", ".zst", ".bz2", ".xz"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    [".tsv", ".tab"].iter().any(|end| name.ends_with(end))
}

/// Whether a field of lines with tabs begins with a quote that does not end it in the same line.
fn has_open_quotes(start: &[u8], quote: u8, ended: bool) -> bool {
    let n_lines = start.split(|&byte| byte == b'\n').count();
    // The last line may be cut.
    let lines = start.split(|&byte| byte == b'\n').take(if ended { n_lines } else { n_lines - 1 });
    let fields = lines.flat_map(|line| line.strip_suffix(b"\r").unwrap_or(line).split(|&byte| byte == b'\t'));
    let is_open = |field: &[u8]| {
        let Some(rest) = field.strip_prefix(&[quote]) else { return false };
        let n_quotes = rest.split(|&byte| byte == quote).count() - 1;
        let n_at_end = rest.iter().rev().take_while(|&&byte| byte == quote).count();
        // One closes, and the others are doubled.
        n_at_end % 2 == 0 || n_quotes % 2 == 0
    };
    fields.into_iter().any(is_open)
}

/// The delimiter that a first line `sep=;` names, and the length of the line.
pub(super) fn named_delimiter(start: &[u8]) -> Option<(u8, usize)> {
    match start.strip_prefix(b"sep=")? {
        [delimiter, b'\n', ..] => Some((*delimiter, 6)),
        [delimiter, b'\r', b'\n', ..] => Some((*delimiter, 7)),
        _ => None,
    }
    .filter(|(delimiter, _)| delimiter.is_ascii() && !b"\r\n".contains(delimiter))
}

/// The delimiter that agrees with most of the first lines.
fn likely_delimiter(start: &[u8], quote: Option<u8>, ended: bool) -> u8 {
    let (mut best, mut likely) = (0, b',');
    for delimiter in *b",;\t|" {
        let (agreeing, lines) = agreement(start, Dialect { delimiter, quote }, ended);
        if agreeing > best {
            (best, likely) = (agreeing, delimiter);
        }
        if best == lines && best > 0 {
            break;
        }
    }
    if best == 0 && quote.is_some_and(|quote| has_spaces(start, quote, ended)) { b' ' } else { likely }
}

/// Whether spaces are between fields, as R's `write.table` writes them: between names that are all in quotes,
/// and all rows have as many fields, or all one more.
fn has_spaces(start: &[u8], quote: u8, ended: bool) -> bool {
    let (mut header, mut n_fields, mut lines, mut agree) = (Vec::new(), 0, 0, true);
    for_each_record(start, Dialect { delimiter: b' ', quote: Some(quote) }, ended, |record, fields| {
        let found = fields.places.len();
        match lines {
            0 => {
                header = texts(record, fields);
                let is_quoted = |place: &Field| match place {
                    Field::Raw(range) => range.start > 0 && record[range.start - 1] == quote,
                    _ => false,
                };
                agree = found > 1 && fields.places.iter().all(is_quoted);
            }
            1 => (n_fields, agree) = (found, found == header.len() || found == header.len() + 1),
            // Joined files repeat the header.
            _ => agree = found == n_fields || texts(record, fields) == header,
        }
        lines += 1;
        agree && lines < LINES
    });
    agree && lines > 1
}

/// How many of the first lines have as many fields as the first, unless that has only one; and how many there
/// are.
fn agreement(start: &[u8], dialect: Dialect, ended: bool) -> (usize, usize) {
    let (mut first, mut agreeing, mut lines) = (0, 0, 0);
    for_each_record(start, dialect, ended, |_, fields| {
        let found = fields.places.len();
        if lines == 0 {
            first = found;
        }
        agreeing += usize::from(found == first && first > 1);
        lines += 1;
        lines < LINES
    });
    (agreeing, lines)
}

/// Splits the records that are complete, as long as `go_on` returns true.
pub(super) fn for_each_record(
    start: &[u8],
    dialect: Dialect,
    ended: bool,
    mut go_on: impl FnMut(&[u8], &Fields) -> bool,
) {
    let mut with_line_end = Vec::new();
    let mut bytes = start;
    if ended && !start.ends_with(b"\n") {
        with_line_end.extend_from_slice(start);
        with_line_end.push(b'\n');
        bytes = &with_line_end;
    }
    let mut fields = Fields::default();
    loop {
        let blank = bytes.iter().take_while(|byte| b"\r\n".contains(byte)).count();
        bytes = &bytes[blank..];
        let Some(length) = fields.split(bytes, dialect) else { return };
        if !go_on(bytes, &fields) {
            return;
        }
        bytes = &bytes[length..];
    }
}

/// What the numbers of a file have before their decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decimals {
    Points,
    Commas,
    /// There were commas, but they may group thousands.
    MaybeCommas,
    Unknown,
}

impl Decimals {
    fn of(start: &[u8], dialect: Dialect, header: bool, ended: bool) -> Self {
        let (mut found, mut is_header) = (Self::Unknown, header);
        for_each_record(start, dialect, ended, |record, fields| {
            if std::mem::take(&mut is_header) {
                return true;
            }
            for place in &fields.places {
                let cell = match place {
                    Field::Raw(range) => &record[range.clone()],
                    _ => continue,
                };
                match Self::of_cell(cell) {
                    Self::Unknown => {}
                    sure if sure.is_sure() => {
                        found = sure;
                        return false;
                    }
                    maybe => found = maybe,
                }
            }
            true
        });
        found
    }

    /// What one cell tells.
    fn of_cell(cell: &[u8]) -> Self {
        let is_mark = |byte: &u8| !byte.is_ascii_alphanumeric() && !b".,".contains(byte);
        let n_before = cell.iter().take_while(|byte| is_mark(byte)).count();
        let n_behind = cell[n_before..].iter().rev().take_while(|byte| is_mark(byte)).count();
        let cell = &cell[n_before..cell.len() - n_behind];
        if let Some(sure) = Self::of_both(cell) {
            return sure;
        }
        let n_digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let whole = n_digits(cell);
        let Some((&separator, decimals)) = cell[whole..].split_first() else { return Self::Unknown };
        let n_decimals = n_digits(decimals);
        let is_number = match &decimals[n_decimals..] {
            [] => true,
            [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
                !exponent.is_empty() && n_digits(exponent) == exponent.len()
            }
            _ => false,
        };
        let may_be_grouped =
            n_decimals == 3 && decimals.len() == 3 && (1..=3).contains(&whole) && cell[0] != b'0';
        match separator {
            _ if !is_number || n_decimals == 0 => Self::Unknown,
            b',' if may_be_grouped => Self::MaybeCommas,
            b',' => Self::Commas,
            b'.' if !may_be_grouped => Self::Points,
            _ => Self::Unknown,
        }
    }

    /// What a number with commas and points in it tells: the last of them is before the decimals.
    fn of_both(cell: &[u8]) -> Option<Self> {
        let is_number = cell.iter().all(|byte| byte.is_ascii_digit() || b".,".contains(byte));
        let last = |separator: u8| cell.iter().rposition(|&byte| byte == separator);
        let (comma, point) = (last(b',')?, last(b'.')?);
        let text = std::str::from_utf8(cell).ok().filter(|_| is_number)?;
        let (decimal, found) = if comma > point { (b',', Self::Commas) } else { (b'.', Self::Points) };
        marked_number(text, decimal).map(|_| found)
    }

    fn is_sure(self) -> bool {
        matches!(self, Self::Points | Self::Commas)
    }

    fn separator(self, delimiter: u8) -> u8 {
        match self {
            Self::Commas => b',',
            Self::MaybeCommas if delimiter == b';' => b',',
            _ => b'.',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(text: &str, name: &str, csv: &Csv) -> (char, char) {
        let sniffed = Sniffed::new(&mut Source::text(text.as_bytes(), name).unwrap(), csv);
        (char::from(sniffed.format.delimiter), char::from(sniffed.format.decimal))
    }

    #[test]
    fn delimiters_agree_with_the_first_line() {
        for (text, expected) in [
            ("", ','),
            ("only\n", ','),
            ("a,b\n1,2\n", ','),
            ("a;b\n1,5;2\n2,5;3\n", ';'),
            ("a\tb\n1,5\t2\n", '\t'),
            ("a|b|c\n1|2|3", '|'),
            // Other delimiters in the cells of files with commas.
            ("a,b\nx;y,2\nz;w,3\n", ','),
            ("text\nwell; yes\none | two\n", ','),
            ("text;label\n\"a;b;c\";1\n\"d,\n;e\";2\n", ';'),
            // A file with commas and a line that is wrong stays one.
            ("a,b;c\n1,2\n1\n", ','),
            ("sep=;\na;b\n", ';'),
            ("sep=|\r\na|b\n", '|'),
        ] {
            assert_eq!(sniff(text, "t.csv", &Csv::default()).0, expected, "{text:?}");
        }
        assert_eq!(sniff("a;b\n", "t.tsv.gz", &Csv::default()).0, '\t');
        assert_eq!(sniff("sep=;\na;b\n", "t.csv", &Csv::default().with_delimiter(Some(b'|'))).0, '|');
        // Spaces are between names in quotes only.
        for (text, delimiter) in [
            ("\"a b\" \"y\"\n\"1\" 5 \"u\"\n\"2\" 7 \"v\"\n", ' '),
            ("\"a\" \"y\"\n5 \"u\"\n7 \"v\"\n", ' '),
            ("a y\n5 u\n7 v\n", ','),
            ("\"a\" \"y\"\n5 u\n7 v w\n", ','),
            ("\"a\" \"y\"\n", ','),
            ("\"order date\"\n2024-01-01 12:00\n", ','),
        ] {
            assert_eq!(sniff(text, "t.csv", &Csv::default()).0, delimiter, "{text}");
        }
    }

    #[test]
    fn the_first_number_with_decimals_tells_their_separator() {
        for (text, expected) in [
            ("1,5;a", ','),
            ("-0,125;a", ','),
            (",5e-3;a", ','),
            ("\"2,5\";a", ','),
            ("1.5;2,5", '.'),
            ("x,y;a", '.'),
            ("1,5 kg;a", '.'),
            // These may be thousands.
            ("1,234;a", ','),
            ("1,234;0.5", '.'),
            ("1.234;2,5", ','),
            ("31.12.2024;2,5", ','),
        ] {
            let text = format!("u;v\n{text}\n");
            assert_eq!(sniff(&text, "t.csv", &Csv::default()), (';', expected), "{text:?}");
        }
        assert_eq!(sniff("a\tb\n1,234\tx\n", "t.csv", &Csv::default()), ('\t', '.'));
        assert_eq!(sniff("a,b\n\"1,5\",x\n", "t.csv", &Csv::default()), (',', '.'));
        // Far from the start, but in the first megabyte.
        let text = format!("a;b\n{}1,5;x\n", "1;x\n".repeat(100_000));
        assert_eq!(sniff(&text, "t.csv", &Csv::default()), (';', ','));
        let text = format!("a;b\n{}1,5;x\n", "1;x\n".repeat(300_000));
        assert_eq!(sniff(&text, "t.csv", &Csv::default()), (';', '.'));
    }
}
