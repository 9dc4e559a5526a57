//! Formats of data files.

use clap::ValueEnum;

/// How a data file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Delimited text: CSV, TSV.
    Csv,
    /// Parquet or Arrow IPC (Feather).
    #[value(alias = "parquet")]
    Arrow,
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
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        [".tsv", ".tab"].iter().any(|end| name.ends_with(end))
    }

    /// The format that a file's name, or else its first bytes, tell.
    pub(crate) fn of(name: &str, start: &[u8]) -> Self {
        let name = name.to_ascii_lowercase();
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        match name.rsplit('.').next().unwrap_or_default() {
            "csv" | "tsv" | "tab" => Self::Csv,
            "parquet" | "pq" | "arrow" | "feather" | "ipc" => Self::Arrow,
            "svm" | "svmlight" | "libsvm" => Self::Svmlight,
            "npz" | "npy" => Self::Npz,
            _ if start.starts_with(b"PAR1") || start.starts_with(b"ARROW1") => Self::Arrow,
            _ if start.starts_with(b"PK\x03\x04") || start.starts_with(b"\x93NUMPY") => Self::Npz,
            _ => Self::Csv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_contents() {
        assert_eq!(Format::of("a.CSV.gz", b"\x1F\x8B"), Format::Csv);
        assert_eq!(Format::of("table.parquet", b""), Format::Arrow);
        assert_eq!(Format::of("rows.svm.zst", b""), Format::Svmlight);
        assert_eq!(Format::of("-", b"PAR1...."), Format::Arrow);
        assert_eq!(Format::of("download", b"PK\x03\x04"), Format::Npz);
        assert_eq!(Format::of("data.txt", b"a,b"), Format::Csv);
    }
}
