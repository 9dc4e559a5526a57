//! Formats of data files.

use clap::ValueEnum;
use nb_io::read::FileFormat;

/// How a data file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Delimited text: CSV, TSV.
    Csv,
    /// Parquet or Arrow IPC (Feather).
    #[value(alias = "parquet")]
    Arrow,
    /// Records as JSON objects: one a line, or all in an array.
    #[value(alias = "jsonl", alias = "ndjson")]
    Json,
    /// Attribute relations of Weka: .arff.
    Arff,
    /// Workbooks: .xlsx, .xlsm, .xlsb, .xls, .ods.
    #[value(alias = "xlsx", alias = "xls", alias = "ods")]
    Excel,
    /// Mails: .eml, .mbox and Maildir; each .eml of a folder is a row.
    #[value(alias = "eml", alias = "mbox")]
    Mail,
    /// Texts: each .txt of a folder is a row.
    #[value(alias = "txt")]
    Text,
    /// Sparse rows as `label index:value ...`.
    #[value(alias = "libsvm")]
    Svmlight,
    /// NumPy archives with the arrays `X` (or `x`) and `y`.
    #[value(alias = "npy")]
    Npz,
}

impl Format {
    /// Whether the name of a file says that tabs are between its fields.
    pub(crate) fn is_tsv(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        [".tsv", ".tab"].iter().any(|end| decompressed(&name).ends_with(end))
    }

    /// Whether a missing cell is not a text, so that no text but those that the user names means one.
    pub(crate) fn has_missing_cells(self) -> bool {
        matches!(self, Self::Arff | Self::Arrow | Self::Json | Self::Mail | Self::Text)
    }

    /// The format of a file: what its first bytes say, and for text what its name says.
    pub(crate) fn of(name: &str, content: FileFormat) -> Self {
        let name = name.to_ascii_lowercase();
        let of_name = match decompressed(&name).rsplit('.').next().unwrap_or_default() {
            "parquet" | "pq" | "arrow" | "feather" | "ipc" => Self::Arrow,
            "jsonl" | "ndjson" | "json" => Self::Json,
            "arff" => Self::Arff,
            "eml" | "mbox" => Self::Mail,
            "svm" | "svmlight" | "libsvm" => Self::Svmlight,
            "npz" | "npy" => Self::Npz,
            "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => Self::Excel,
            _ => Self::Csv,
        };
        match content {
            FileFormat::Arrow => Self::Arrow,
            FileFormat::Npy => Self::Npz,
            FileFormat::Excel => Self::Excel,
            FileFormat::Json => Self::Json,
            FileFormat::Arff => Self::Arff,
            FileFormat::Mail => Self::Mail,
            // Text is not a binary format, whatever its name; readers of text refuse binary files.
            FileFormat::Text if matches!(of_name, Self::Arrow | Self::Npz | Self::Excel) => Self::Csv,
            FileFormat::Unreadable => Self::Csv,
            _ => of_name,
        }
    }
}

/// The name of a file without the end that says how it is compressed.
fn decompressed(name: &str) -> &str {
    [".gz", ".zst", ".bz2", ".xz"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_come_before_names() {
        let of = |name: &str, content: &[u8]| Format::of(name, FileFormat::of(content).unwrap());
        for (name, content, expected) in [
            ("a.CSV.gz", &b"x,y"[..], Format::Csv),
            ("rows.svm.zst", b"1 1:2", Format::Svmlight),
            ("data.txt", b"a,b", Format::Csv),
            ("a.jsonl.bz2", b"", Format::Json),
            ("-", b"PAR1\x15\x04", Format::Arrow),
            ("a.csv", b"PAR1\x15\x04", Format::Arrow),
            ("a.csv", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", Format::Excel),
            ("a.txt", b"{\"x\": 1}", Format::Json),
            ("a.parquet", b"x,y\n", Format::Csv),
            ("a.xlsx", b"x,y\n", Format::Csv),
            ("a.parquet", b"<html>", Format::Csv),
            ("a.arrow", b"\x10\0\0\0", Format::Arrow),
            ("download", b"\x93NUMPY", Format::Npz),
            ("a.eml", b"", Format::Mail),
            ("2024.mbox.gz", b"x", Format::Mail),
            ("-", b"From: a@b.org\nSubject: x\n\n", Format::Mail),
        ] {
            assert_eq!(of(name, content), expected, "{name}, {content:?}");
        }
    }
}
