//! Whether the first row of a file has the names of its columns.

use std::collections::HashSet;

use super::{
    fields::{Dialect, Field, Fields},
    sniff::for_each_record,
};
use crate::read::cells::number::number_with;

/// How many rows are looked at.
const ROWS: usize = 100;

/// Whether the first row is one of names: see [`Csv::has_header_from`](super::Csv::has_header_from) for the rule.
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

fn texts(record: &[u8], fields: &Fields) -> Vec<String> {
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
