//! Whether the first row of a file has the names of its columns, and which.

use std::collections::HashSet;

use super::{
    fields::{Dialect, Field, Fields},
    orange::OrangeHeader,
    sniff::for_each_record,
};
use crate::read::cells::number::number_with;

/// How many rows are looked at.
const ROWS: usize = 100;

/// Whether the first row is one of names: see [`Csv::has_header_from`](super::Csv::has_header_from) for the
/// rule.
pub(super) fn has_header(start: &[u8], dialect: Dialect, decimal: u8, missing: &[&str], ended: bool) -> bool {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for_each_record(start, dialect, ended, |record, fields| {
        rows.push(texts(record, fields));
        rows.len() <= ROWS
    });
    let Some((first, rest)) = rows.split_first() else { return true };
    let rest: Vec<&Vec<String>> = rest.iter().filter(|row| row.len() == first.len()).collect();
    let number = |cell: &str| number_with(cell, decimal).ok();
    let (mut numbers, mut repeats, mut texts) = (Vec::new(), false, 0);
    for (column, cell) in first.iter().enumerate() {
        let below: Vec<&str> = rest.iter().map(|row| row[column].as_str()).collect();
        let below: Vec<&str> = below.into_iter().filter(|cell| !missing.contains(cell)).collect();
        if below.is_empty() {
            continue;
        }
        if below.iter().all(|cell| number(cell).is_some()) {
            match number(cell) {
                Some(value) => numbers.push(value),
                // A name above numbers.
                None if !missing.contains(&cell.as_str()) => return true,
                None => {}
            }
        } else {
            texts += 1;
            repeats |= below.into_iter().collect::<HashSet<_>>().contains(cell.as_str());
        }
    }
    let count_columns = numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    numbers.is_empty() || count_columns || (texts > 0 && !repeats)
}

/// The names of the columns of a file of delimited text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvHeader {
    /// The names, in the order of the file. No two are the same.
    pub names: Vec<String>,
    /// Whether the first column has the names of the rows, for which the header has no name.
    pub has_row_names: bool,
    /// Names that the header has more than once, and what the further columns are called: `x_1` and so on.
    pub renamed: Vec<(String, String)>,
    /// What the header says of the columns, if it is one of Orange.
    pub orange: Option<OrangeHeader>,
}

impl CsvHeader {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self { names, ..Self::default() }
    }

    /// The names in a header, told apart.
    pub(super) fn with_different_names(given: Vec<String>, has_row_names: bool) -> Self {
        let mut taken: HashSet<String> = given.iter().cloned().collect();
        let mut free = |name: &str, first: usize| {
            let mut numbered =
                (first..).map(|n| if n == 0 { name.to_owned() } else { format!("{name}_{n}") });
            numbered.find(|name| taken.insert(name.clone())).unwrap_or_default()
        };
        let (mut names, mut renamed, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        if has_row_names {
            names.push(free("row names", 0));
        }
        for name in given {
            if seen.insert(name.clone()) {
                names.push(name);
            } else {
                names.push(free(&name, 1));
                renamed.push((name, names.last().cloned().unwrap_or_default()));
            }
        }
        Self { names, has_row_names, renamed, orange: None }
    }
}

/// Whether all of the first rows have one field more than the header, which is then the name of the row, as
/// `write.table` of R writes them: no two are the same. A delimiter at the end of each row makes no row name.
pub(super) fn has_row_names(start: &[u8], dialect: Dialect, ended: bool) -> bool {
    let (mut header, mut names, mut n_rows) = (None, HashSet::new(), 0);
    let (mut is_one_more, mut has_last) = (true, false);
    for_each_record(start, dialect, ended, |record, fields| {
        let mut cells = texts(record, fields);
        let Some(header) = &header else {
            header = Some(cells);
            return true;
        };
        // Joined files repeat it.
        if cells == *header {
            return true;
        }
        is_one_more = cells.len() == header.len() + 1;
        if is_one_more {
            has_last |= cells.pop().is_some_and(|last| !last.is_empty());
            is_one_more = names.insert(cells.swap_remove(0));
        }
        n_rows += 1;
        is_one_more && n_rows < ROWS
    });
    n_rows > 0 && is_one_more && has_last
}

/// The fields of a record, without the spaces around them.
pub(super) fn texts(record: &[u8], fields: &Fields) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let cells = fields.places.iter().map(|place| match place {
        Field::Raw(range) => text(&record[range.clone()]),
        Field::Copied(range) => text(&fields.copied[range.clone()]),
        Field::Number => String::new(),
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use crate::read::Csv;

    #[test]
    fn rows_with_names() {
        let header = |text: &str| Csv::default().header_from(text.as_bytes(), "t.csv").unwrap();
        for text in [
            "x,y\na,1,2\nb,3,4\n",
            "\"x\"\t\"y\"\n\"1\"\t5\t\"u\"\n\"2\"\t7\t\"v\"\n",
            "\"x\" \"y\"\n\"1\" 5.5 \"u v\"\n\"2\" 7 \"w\"\n",
            "x;y\n1;2,5;3\n",
        ] {
            let header = header(text);
            assert_eq!(
                (header.names, header.has_row_names),
                (["row names", "x", "y"].map(String::from).into(), true)
            );
        }
        assert_eq!(header("x,row names\na,1,2\n").names, ["row names_1", "x", "row names"]);
        for text in [
            "x,y\n1,2\n",
            "x,y\n",
            // Some rows only, a delimiter at the end of each, and a name that comes again.
            "x,y\n1,2,3\n1,2\n",
            "x,y\n1,2,\n3,4,\n",
            "x,y\na,1,2\na,3,4\n",
            "x,y\na,1,2,3\n",
        ] {
            assert!(!header(text).has_row_names, "{text:?}");
        }
        let csv = Csv::default().with_header(false);
        assert!(!csv.header_from(&b"x,y\n"[..], "t.csv").unwrap().has_row_names);
    }

    #[test]
    fn names_that_are_given_twice() {
        let header = Csv::default().header_from(&b"x,y,x,x_1,x,,\n1,2,3,4,5,6,7\n"[..], "t.csv").unwrap();
        assert_eq!(header.names, ["x", "y", "x_2", "x_1", "x_3", "", "_1"]);
        let renamed = [("x", "x_2"), ("x", "x_3"), ("", "_1")];
        assert_eq!(header.renamed, renamed.map(|(from, to)| (from.into(), to.into())));
    }

    #[test]
    fn names_are_told_from_numbers() {
        let has_header = |text: &str| Csv::default().has_header_from(text.as_bytes(), "t.csv").unwrap();
        for text in [
            "",
            "x,y\n",
            "x,y\n1,a\n2,b\n",
            "1,2\n",
            "a,b\nc,d\n",
            // Names of years, and of columns by number.
            "country,2019,2020\nNZ,1,2\nAU,3,4\n",
            "2019,2020,2021\n5,6,7\n8,9,9\n",
            "0,1,2\n5.5,1,2\n5,1,2\n",
            // Texts that are not seen again may be names.
            "1.5,first\n2.5,a\n3.5,b\n",
            "NA,x\n1,a\n2,b\n",
        ] {
            assert!(has_header(text), "{text:?}");
        }
        for text in [
            "5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,versicolor\n",
            "1,7.5\n2,1.5\n3,8\n",
            "7\n8\n9\n",
            "NA,1.5,x\n1,NA,y\n2,3,x\n",
            "\"1,5\";a\n2,5;a\n",
        ] {
            assert!(!has_header(text), "{text:?}");
        }
        // By the other options, too.
        let csv = Csv::default().with_skip_lines(2).with_comment(Some(b'#'));
        assert!(!csv.has_header_from("a\nb,c\n# x,y\n1.5,p\n2.5,p\n".as_bytes(), "t.csv").unwrap());
    }
}
