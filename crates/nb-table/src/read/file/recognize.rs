//! What a file is, by its first bytes.

use std::io::{self, Read};

use crate::read::file::source::{Compressed, decompressed, peek};

/// What the first bytes of a file say that it is. Its name does not count.
///
/// ```
/// use nb_table::read::FileFormat;
///
/// assert_eq!(FileFormat::of(&b"PAR1\x15\x04"[..])?, FileFormat::Arrow);
/// assert_eq!(FileFormat::of(&b"{\"length\": 1.5}\n"[..])?, FileFormat::Json);
/// assert_eq!(FileFormat::of(&b"length,species\n1.5,a\n"[..])?, FileFormat::Text);
/// assert_eq!(FileFormat::of(&b"SQLite format 3\0"[..])?, FileFormat::Unreadable);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileFormat {
    /// Parquet or Arrow IPC: [`Arrow`](crate::read::Arrow).
    Arrow,
    /// NumPy arrays: [`Npy`](crate::read::Npy).
    Npy,
    /// A workbook: [`Excel`](crate::read::Excel).
    Excel,
    /// Records as JSON objects: [`Json`](crate::read::Json).
    Json,
    /// Attribute relations: [`Arff`](crate::read::Arff).
    Arff,
    /// A mail or an mbox: `Documents`.
    Mail,
    /// Another text, such as CSV or svmlight, perhaps compressed.
    Text,
    /// A format that no reader reads; those of text refuse it by its name.
    Unreadable,
    /// None of these formats: bytes that are not text.
    Unknown,
}

/// How much is looked at.
pub(in crate::read) const START: usize = 1024;

impl FileFormat {
    /// What the first bytes of a file say; they may be compressed as [`Csv`](crate::read::Csv) files may be.
    ///
    /// # Errors
    /// An I/O error of the stream. A damaged compressed file is not an error here; it is taken for text.
    pub fn of(input: impl Read + Send) -> io::Result<Self> {
        let (start, input) = peek(input, START)?;
        if let Compressed::No(_) = decompressed(&start, &b""[..]) {
            return Ok(Self::of_start(&start));
        }
        // The reader reports a damaged compressed file.
        let inner = match decompressed(&start, input) {
            Compressed::Yes(Ok(input)) => peek(input, START).map(|(start, _)| start).unwrap_or_default(),
            _ => return Ok(Self::Text),
        };
        Ok(match Self::of_start(&inner) {
            // These are read from files, and not from streams.
            Self::Arrow | Self::Npy | Self::Excel => Self::Unreadable,
            other => other,
        })
    }

    fn of_start(start: &[u8]) -> Self {
        match binary(start) {
            Some(Binary::Read(format, _)) => return format,
            Some(Binary::Refused(..)) => return Self::Unreadable,
            None => {}
        }
        let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
        let after = |first: usize| text.get(first..).unwrap_or_default().trim_ascii_start().first();
        match text.first() {
            Some(b'{') if matches!(after(1), None | Some(b'"' | b'}')) => return Self::Json,
            Some(b'[') if matches!(after(1), None | Some(b'{' | b']')) => return Self::Json,
            _ => {}
        }
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
        let is_arff = first.is_some_and(|line| {
            let has_keyword = |keyword: &str| {
                line.get(..keyword.len()).is_some_and(|word| word.eq_ignore_ascii_case(keyword.as_bytes()))
                    && line.get(keyword.len()).is_none_or(u8::is_ascii_whitespace)
            };
            has_keyword("@relation") || has_keyword("@attribute")
        });
        let is_utf_16 = matches!(start, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
        match () {
            () if is_arff => Self::Arff,
            () if is_mail(text) => Self::Mail,
            () if start.contains(&0) && !is_utf_16 => Self::Unknown,
            () => Self::Text,
        }
    }
}

/// Whether a text begins as mails do: with fields of a header, two at least, of which all mails have some;
/// perhaps behind the line `From ...` of an mbox.
fn is_mail(text: &[u8]) -> bool {
    const OF_MAILS: [&[u8]; 6] =
        [b"from", b"subject", b"received", b"return-path", b"delivered-to", b"message-id"];
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    // The last one may be cut.
    lines.pop();
    let skipped = usize::from(lines.first().is_some_and(|line| line.starts_with(b"From ")));
    let (mut n_fields, mut has_known) = (0, false);
    for line in lines.iter().skip(skipped).take_while(|line| !line.is_empty()) {
        match field_name(line) {
            Some(name) => {
                n_fields += 1;
                has_known |= OF_MAILS.iter().any(|known| name.eq_ignore_ascii_case(known));
            }
            None if n_fields > 0 && matches!(line.first(), Some(b' ' | b'\t')) => {}
            None => return false,
        }
    }
    n_fields >= 2 && has_known
}

/// The name of a field in a header of a mail: what is before the first colon of the line (RFC 5322, section
/// 2.2).
pub(in crate::read) fn field_name(line: &[u8]) -> Option<&[u8]> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let name = line[..colon].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

/// What the first bytes of a file that is no text say.
pub(in crate::read) enum Binary {
    /// A reader reads it.
    Read(FileFormat, &'static str),
    /// No reader does: what it is, and what to do.
    Refused(&'static str, &'static str),
}

/// First bytes of files that no reader reads: what they are, and what to do.
#[rustfmt::skip]
const REFUSED: &[(&[u8], &str, &str)] = &[
    (b"SQLite format 3\0", "an SQLite database", OF_SQLITE),
    (b"%PDF-", "a PDF document", "copy the table into a spreadsheet and save it as CSV"),
    (b"{\\rtf", "an RTF document", SAVE),
    (b"\x89HDF\r\n\x1A\n", "an HDF5 file", "save the arrays with numpy.savez, or the table as CSV or Parquet"),
    (b"CDF\x01", "a NetCDF file", SAVE),
    (b"CDF\x02", "a NetCDF file", SAVE),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", "save the table in MATLAB with writetable"),
    (b"$FL2@(#)", "an SPSS file", "save it in SPSS as CSV"),
    (b"$FL3@(#)", "an SPSS file", "save it in SPSS as CSV"),
    (b"<stata_dta>", "a Stata file", "save it in Stata with export delimited"),
    (b"HEADER RECORD*******", "a SAS transport file", "save it in SAS with PROC EXPORT as CSV"),
    (b"RDX2\n", "an R data file", IN_R),
    (b"RDX3\n", "an R data file", IN_R),
    (b"RDA2\n", "an R data file", IN_R),
    (b"RDA3\n", "an R data file", IN_R),
    (b"X\n\0\0\0", "an R data file", IN_R),
    (b"Obj\x01", "an Avro file", SAVE),
    (b"FEA1\0", "a Feather file of version 1", "save it again as Feather of version 2, or as Parquet"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive", UNPACK),
    (b"Rar!\x1A\x07", "a RAR archive", UNPACK),
    (b"PK\x03\x04", "a ZIP archive", UNPACK),
    (b"PK\x05\x06", "an empty ZIP archive", UNPACK),
    (b"\x04\x22\x4D\x18", "a file compressed by LZ4", DECOMPRESS),
    (b"\x1F\x9D", "a file compressed by compress", DECOMPRESS),
    (b"\x5D\0\0", "a file compressed by LZMA", DECOMPRESS),
    (b"\x89PNG\r\n\x1A\n", "a PNG image", SAVE),
    (b"\xFF\xD8\xFF", "a JPEG image", SAVE),
    (b"GIF89a", "a GIF image", SAVE),
    (b"\x80\x02}", "a Python pickle", "save the table with to_csv or to_parquet"),
    (b"\x80\x03", "a Python pickle", "save the table with to_csv or to_parquet"),
    (b"\x80\x04\x95", "a Python pickle", "save the table with to_csv or to_parquet"),
    (b"\x80\x05\x95", "a Python pickle", "save the table with to_csv or to_parquet"),
    (b"version https://git-lfs.github.com/spec/", "a pointer of Git LFS", "fetch the file itself with git lfs pull"),
];

const OF_SQLITE: &str = "export a table of it: duckdb -c \"copy (select * from sqlite_scan('FILE', 'TABLE')) to 'TABLE.parquet'\"";
const OF_DUCKDB: &str =
    "export a table of it: duckdb FILE -c \"copy (select * from TABLE) to 'TABLE.parquet'\"";
const SAVE: &str = "save the table as CSV or Parquet";
const UNPACK: &str = "unpack it, and read the files in it";
const DECOMPRESS: &str = "decompress it";
const IN_R: &str = "save it in R with write.csv(data, file, row.names = FALSE)";
const SAS: &[u8] = b"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08\0\x09\xC7\x31\x8C";

/// What a file is that is no text, or one that is no table.
pub(in crate::read) fn binary(start: &[u8]) -> Option<Binary> {
    use Binary::{Read, Refused};
    match start {
        // A CSV file may begin with a column of this name.
        _ if start.starts_with(b"PAR1") && start.get(4).copied().is_none_or(is_control) => {
            return Some(Read(FileFormat::Arrow, "a Parquet file"));
        }
        _ if start.starts_with(b"ARROW1\0\0") || start.starts_with(b"\xFF\xFF\xFF\xFF") => {
            return Some(Read(FileFormat::Arrow, "an Arrow file"));
        }
        _ if start.starts_with(b"\x93NUMPY") => return Some(Read(FileFormat::Npy, "a NumPy array")),
        _ if start.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") => {
            return Some(Read(FileFormat::Excel, "a workbook"));
        }
        _ if start.starts_with(b"PK\x03\x04") => {
            // The name of the first part, and what is in it where that is not compressed.
            let length =
                start.get(26..28).map_or(0, |length| usize::from(length[0]) + 256 * usize::from(length[1]));
            let name = start.get(30..30 + length).unwrap_or_default();
            let starts = |starts: &[&[u8]]| starts.iter().any(|start| name.starts_with(start));
            if name.ends_with(b".npy") {
                return Some(Read(FileFormat::Npy, "an archive of NumPy arrays"));
            }
            let is_document = name == b"mimetype" && contains(start, b"opendocument.spreadsheet");
            if is_document || starts(&[b"[Content_Types].xml", b"_rels/", b"xl/", b"docProps/"]) {
                return Some(Read(FileFormat::Excel, "a workbook"));
            }
        }
        _ if start.starts_with(SAS) => {
            return Some(Refused("a SAS file", "save it in SAS with PROC EXPORT as CSV"));
        }
        _ if start.starts_with(b"ORC") && start.get(3).copied().is_some_and(is_control) => {
            return Some(Refused("an ORC file", SAVE));
        }
        _ if start.get(8..12) == Some(b"DUCK") && start.contains(&0) => {
            return Some(Refused("a DuckDB database", OF_DUCKDB));
        }
        _ if start.get(257..262) == Some(b"ustar") => return Some(Refused("a tar archive", UNPACK)),
        _ => {}
    }
    if let Some(&(_, what, remedy)) = REFUSED.iter().find(|(first, ..)| start.starts_with(first)) {
        return Some(Refused(what, remedy));
    }
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let begins =
        |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    if begins("<!doctype html") || begins("<html") {
        return Some(Refused("an HTML page", "download the data file itself, or save the table as CSV"));
    }
    if begins("<?xml") {
        return Some(Refused("an XML document", SAVE));
    }
    None
}

/// Whether a byte is not in texts.
fn is_control(byte: u8) -> bool {
    !(b' '..0x7F).contains(&byte) && !b"\r\n\t".contains(&byte)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> FileFormat {
        FileFormat::of(bytes).expect("bytes in memory")
    }

    #[test]
    fn contents_are_known_by_their_first_bytes() {
        let zip = |name: &str, rest: &str| {
            let mut bytes = b"PK\x03\x04".to_vec();
            bytes.resize(26, 0);
            bytes.extend([name.len() as u8, 0, 0, 0]);
            bytes.extend(name.bytes().chain(rest.bytes()));
            bytes
        };
        for (bytes, expected) in [
            (&b"PAR1\x15\x04\x15"[..], FileFormat::Arrow),
            (b"ARROW1\0\0", FileFormat::Arrow),
            (b"\xFF\xFF\xFF\xFF\x98\0", FileFormat::Arrow),
            (b"\x93NUMPY\x01\0", FileFormat::Npy),
            (&zip("x.npy", ""), FileFormat::Npy),
            (&zip("[Content_Types].xml", ""), FileFormat::Excel),
            (&zip("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), FileFormat::Excel),
            (&zip("mimetype", "application/epub+zip"), FileFormat::Unreadable),
            (&zip("rows.csv", ""), FileFormat::Unreadable),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", FileFormat::Excel),
            (b"\xEF\xBB\xBF {\"x\": 1}", FileFormat::Json),
            (b"[ {\"x\": 1}]", FileFormat::Json),
            (b"% a comment\n\n@RELATION iris\n", FileFormat::Arff),
            (b"SQLite format 3\0", FileFormat::Unreadable),
            (b"\x01\x02\x03\x04\x05\x06\x07\x08DUCK\x40\0\0\0", FileFormat::Unreadable),
            (b" <!DOCTYPE HTML><html>", FileFormat::Unreadable),
            (b"", FileFormat::Text),
            (b"x,y\n1,2\n", FileFormat::Text),
            // Columns with the names of formats.
            (b"PAR1,PAR2\n1,2\n", FileFormat::Text),
            (b"PARENT,CHILD\n", FileFormat::Text),
            (b"ORC,y\n", FileFormat::Text),
            (b"[x],y\n", FileFormat::Text),
            (b"@relations,y\n", FileFormat::Text),
            (b"\xFF\xFEx\0,\0", FileFormat::Text),
            (
                b"Return-Path: <a@b.org>\r\nReceived: from x\r\n\tby y\r\nTo: c@d.org\r\n\r\nText\r\n",
                FileFormat::Mail,
            ),
            (b"From a@b.org Thu Jan 01 00:00:00 2026\nDate: x\nFrom: a@b.org\n\nText", FileFormat::Mail),
            (b"from: a,to: b\n1,2\n", FileFormat::Text),
            (b"Subject: one field\n\n", FileFormat::Text),
            (b"time: 12:30\nplace: 7\n", FileFormat::Text),
            (b"From city,To city\nAachen,Bonn\n", FileFormat::Text),
            (b"\0\x01\x02", FileFormat::Unknown),
        ] {
            assert_eq!(of(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[cfg(feature = "gzip")]
    #[test]
    fn contents_may_be_compressed() {
        let gzip = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            io::Write::write_all(&mut encoder, bytes).expect("memory");
            encoder.finish().expect("memory")
        };
        assert_eq!(of(&gzip(b"{\"x\": 1}")), FileFormat::Json);
        assert_eq!(of(&gzip(b"x,y\n")), FileFormat::Text);
        assert_eq!(of(&gzip(b"PAR1\x15")), FileFormat::Unreadable);
        assert_eq!(of(&gzip(b"RDX3\nX\n")), FileFormat::Unreadable);
        assert_eq!(of(&gzip(b"x,y\n")[..12]), FileFormat::Text);
    }
}
