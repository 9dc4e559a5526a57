//! The result of a fitting query as rows of typed cells.

use crate::ImportError;

/// One row of the result. Cells that the kind of the row does not have are not looked at.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The line of the text, counted from 1.
    pub(crate) line: u64,
    /// Empty in a result without groups.
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) class: String,
    pub(crate) feature: String,
    pub(crate) category: String,
    /// As [`NUMBERS`].
    numbers: Vec<String>,
}

/// The columns of numbers.
const NUMBERS: [&str; 7] = ["n_rows", "weight", "missing", "refused", "shift", "sum", "sum_of_squares"];
const TEXTS: [&str; 4] = ["kind", "class", "feature", "category"];

/// The largest size that a sum, or a shift, of usable numbers can have: products of two stay in range.
const LARGEST_SUM: f64 = f64::from_bits((1023 + 512) << 52);
const LARGEST_SQUARES: f64 = f64::from_bits((1023 + 912) << 52);
/// The smallest size of a sum or a shift that is not zero: below, products would lose bits.
const SMALLEST_SUM: f64 = f64::from_bits((1023 - 420) << 52);

/// All rows of a result, which is CSV with a header. `has_groups`: whether it must have a column of groups,
/// or must not.
pub(crate) fn rows(text: &str, has_groups: bool) -> Result<Vec<Row>, ImportError> {
    const GROUP: &str = "nb_group";
    // Some programs begin a file with a byte order mark.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let broken = |error: &csv::Error| ImportError::Csv {
        line: error.position().map_or(1, csv::Position::line),
        problem: match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("it has {len} fields and the header {expected_len}")
            }
            _ => error.to_string(),
        },
    };
    let header = reader.headers().map_err(|error| broken(&error))?.clone();
    let place = |name: &&'static str| {
        header
            .iter()
            .position(|found| found.trim() == *name)
            .ok_or_else(|| ImportError::NoColumn { name, found: header.iter().map(String::from).collect() })
    };
    let texts: Vec<usize> = TEXTS.iter().map(place).collect::<Result<_, _>>()?;
    let numbers: Vec<usize> = NUMBERS.iter().map(place).collect::<Result<_, _>>()?;
    let group = match (place(&GROUP), has_groups) {
        (Ok(_), false) => return Err(ImportError::Grouped),
        (found, true) => Some(found?),
        (Err(_), false) => None,
    };
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let cell = |place: usize| record.get(place).unwrap_or_default().to_owned();
        rows.push(Row {
            line: record.position().map_or(0, csv::Position::line),
            group: group.map(cell).unwrap_or_default(),
            kind: cell(texts[0]),
            class: cell(texts[1]),
            feature: cell(texts[2]),
            category: cell(texts[3]),
            numbers: numbers.iter().map(|&place| cell(place)).collect(),
        });
    }
    Ok(rows)
}

impl Row {
    /// A number that may be negative.
    pub(crate) fn number(&self, column: &'static str) -> Result<f64, ImportError> {
        let place = NUMBERS.iter().position(|name| *name == column).unwrap_or(0);
        let text = self.numbers[place].trim();
        let usable = |value: &f64| match column {
            "sum_of_squares" => value.abs() <= LARGEST_SQUARES,
            _ => *value == 0.0 || (SMALLEST_SUM..=LARGEST_SUM).contains(&value.abs()),
        };
        text.parse().ok().filter(usable).ok_or_else(|| self.bad(column, "not a number of usable size"))
    }

    /// A number that cannot be negative.
    pub(crate) fn size(&self, column: &'static str) -> Result<f64, ImportError> {
        let value = self.number(column)?;
        // Adding zero makes a negative zero positive.
        if value < 0.0 { Err(self.bad(column, "negative")) } else { Ok(value + 0.0) }
    }

    /// A number of rows.
    pub(crate) fn count(&self, column: &'static str) -> Result<f64, ImportError> {
        let value = self.size(column)?;
        if value.fract() == 0.0 { Ok(value) } else { Err(self.bad(column, "not a whole number")) }
    }

    /// The error for a cell.
    pub(crate) fn bad(&self, column: &'static str, problem: &'static str) -> ImportError {
        let value = match NUMBERS.iter().position(|name| *name == column) {
            Some(place) => &self.numbers[place],
            None => &self.kind,
        };
        ImportError::Cell { line: self.line, column, value: value.clone(), problem }
    }
}
