//! Headers in the middle of a file, as `cat a.csv b.csv` makes them.

use super::{
    fields::{Dialect, Fields},
    header::texts,
    plain::Slot,
};
use crate::read::{Place, cells::number::number_with};

/// Lines that repeat the names of the columns, and are no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepeatedHeader {
    /// Where the first of them is.
    pub first: Place,
    /// How many there are.
    pub count: u64,
}

/// The names of the columns as they are written.
#[derive(Debug)]
pub(super) struct HeaderLine {
    names: Vec<String>,
    /// The last name that is no number: what is compared first.
    telling: usize,
    /// Whether a name that is no number stands where rows have one.
    has_text_for_number: bool,
    fields: Fields,
}

impl HeaderLine {
    /// None if a row could be equal to the names: if there is one column, or if all names are numbers.
    pub(super) fn new(names: Vec<String>, decimal: u8) -> Option<Self> {
        let telling = names.iter().rposition(|name| is_text(name, decimal)).filter(|_| names.len() > 1)?;
        Some(Self { names, telling, has_text_for_number: false, fields: Fields::default() })
    }

    /// Says what is expected of each field of a row; numbers have a point before decimals.
    pub(super) fn expect(&mut self, slots: &[Slot]) {
        let mut pairs = slots.iter().zip(&self.names);
        self.has_text_for_number = pairs.any(|(slot, name)| *slot != Slot::Text && is_text(name, b'.'));
    }

    /// Whether a record in which all expected numbers are numbers cannot have the names.
    #[inline]
    pub(super) fn has_text_for_number(&self) -> bool {
        self.has_text_for_number
    }

    /// The place of the field that is compared first.
    pub(super) fn telling(&self) -> usize {
        self.telling
    }

    /// Whether a field is the name at that place.
    #[inline]
    pub(super) fn may_be(&self, field: &[u8]) -> bool {
        let name = self.names[self.telling].as_bytes();
        field.len() >= name.len() && without_mark(field).trim_ascii() == name
    }

    /// Whether the record at the front of `bytes` has the names and nothing else.
    #[cold]
    pub(super) fn is_at(&mut self, bytes: &[u8], dialect: Dialect) -> bool {
        let bytes = without_mark(bytes);
        self.fields.split(bytes, dialect).is_some() && texts(bytes, &self.fields) == self.names
    }
}

fn is_text(name: &str, decimal: u8) -> bool {
    !name.is_empty() && number_with(name, decimal).is_err()
}

/// Without a byte order mark, with which each of the joined files may begin.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use crate::{
        Schema,
        read::{Csv, Overrides, Place, ReadChunks},
    };

    #[test]
    fn lines_that_repeat_the_names_are_no_rows() {
        for (again, what) in [
            ("x,2019,y\n", "the same bytes"),
            ("\"x\",\"2019\",\"y\"\n", "in quotes"),
            (" x , 2019 , y \r\n", "with spaces"),
            ("\u{FEFF}x,2019,y\n", "with a mark"),
            ("\u{FEFF}\"x\",\"2019\",\"y\"\n", "with a mark and quotes"),
            ("x,2019,y\n\nx,2019,y\n", "twice"),
        ] {
            let text = format!("x,2019,y\n1,2,a\n{again}3,4,b\n{again}");
            let open = || Ok(text.as_bytes());
            let csv = Csv::default();
            let inferred = csv.infer_from(open, "t.csv", "y", &Overrides::default()).unwrap();
            assert_eq!(inferred.schema, Schema::numeric(["x", "2019"], "y"), "{what}");
            assert_eq!(inferred.n_rows, 2, "{what}");
            let found = inferred.repeated_header.unwrap();
            assert_eq!(found.first, Place::Line(3), "{what}");
            assert_eq!(found.count, if what == "twice" { 4 } else { 2 });
            let mut reader = csv.read_from(text.as_bytes(), "t.csv", &inferred.schema).unwrap();
            assert_eq!(reader.next_chunk().unwrap().unwrap().labels.unwrap(), ["a", "b"], "{what}");
            assert_eq!(reader.repeated_header(), Some(found), "{what}");
            let loaded = csv.load_from(open, "t.csv", "y", &Overrides::default()).unwrap();
            assert_eq!((loaded.inferred.n_rows, loaded.inferred.repeated_header), (2, Some(found)), "{what}");
        }
    }

    #[test]
    fn other_rows_are_rows() {
        for (text, n_rows) in [
            // All names but one.
            ("x,y\nx,a\nb,y\n", 2),
            // A row of numbers may have the numbers that are names.
            ("1,2\n1,2\n3,4\n", 2),
            ("x,y\n1,a\nX,Y\n", 2),
        ] {
            let mut rows = Csv::default().rows_from(text.as_bytes(), "t.csv").unwrap();
            let mut count = 0;
            while rows.next_row().unwrap().is_some() {
                count += 1;
            }
            assert_eq!(count, n_rows, "{text:?}");
        }
        // A table of one column: the name may be a value, too.
        let csv = Csv::default()
            .with_table(crate::read::TableOptions::default().with_labels(crate::read::Labels::Ignore));
        let inferred = csv.infer_from(|| Ok(&b"x\na\nx\n"[..]), "t.csv", "", &Overrides::default()).unwrap();
        assert_eq!((inferred.n_rows, inferred.repeated_header), (2, None));
        // Without a header there are no names.
        let csv = Csv::default().with_header(false);
        let inferred =
            csv.infer_from(|| Ok(&b"a,b\nc,d\na,b\n"[..]), "t.csv", "x1", &Overrides::default()).unwrap();
        assert_eq!((inferred.n_rows, inferred.repeated_header), (3, None));
    }

    #[test]
    fn rows_with_names_have_such_lines_too() {
        let text = "\"x\" \"y\"\n\"1\" 5.5 \"u\"\n\"x\" \"y\"\n\"2\" 7 \"w\"\n";
        let inferred =
            Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap();
        assert_eq!(inferred.schema.columns[0].name, "row names");
        assert_eq!((inferred.n_rows, inferred.repeated_header.unwrap().count), (2, 1));
    }

    #[test]
    fn copies_of_rows_do_not_have_them() {
        let text = "x,y\n1,a\nx,y\n2,b\nx,y\n";
        let mut rows = Csv::default().rows_from(text.as_bytes(), "t.csv").unwrap();
        let mut all = rows.head().to_vec();
        while let Some(row) = rows.next_row().unwrap() {
            all.extend_from_slice(row.bytes);
        }
        assert_eq!(all, b"x,y\n1,a\n2,b\n");
    }
}
