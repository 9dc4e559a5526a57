//! Tables as comma-separated values.

use crate::{Cell, Column, DocumentError, Kind, Table, check, number};

impl Table {
    /// The table as comma-separated values after RFC 4180, with titles in the first line; numbers have all
    /// their digits, and missing numbers are empty.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Row`] for a row that has not one cell per column.
    pub fn to_csv(&self) -> Result<String, DocumentError> {
        check::table(self)?;
        Ok(table(self))
    }
}

/// The table after RFC 4180, but with line feeds alone: titles, rows, rows of the footer. Numbers have all
/// their digits.
pub(crate) fn table(table: &Table) -> String {
    let mut lines = String::new();
    let titles: Vec<String> = table.columns.iter().map(|column| field(&column.title)).collect();
    lines.push_str(&titles.join(","));
    lines.push('\n');
    for row in table.rows.iter().chain(&table.footer) {
        let fields: Vec<String> =
            table.columns.iter().zip(row).map(|(column, cell)| field(&content(column, cell))).collect();
        lines.push_str(&fields.join(","));
        lines.push('\n');
    }
    lines
}

fn content(column: &Column, cell: &Cell) -> String {
    match (column.kind, cell.value) {
        (Kind::Number, None) if cell.text == Cell::missing().text => String::new(),
        (Kind::Number, Some(value)) if cell.text.parse::<f64>().is_ok() => number::exact(value),
        _ => cell.text.clone(),
    }
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_numbers_whole() {
        let mut example = Table::new("", [Column::text("a \"b\", c"), Column::number("d")]);
        example.push([Cell::text("1\n2"), Cell::number(1.0 / 3.0, 1).with_mark("*")]);
        example.push([Cell::text("–"), Cell::missing()]);
        example.push_footer([Cell::text("mean"), Cell::spread(0.5, 0.25, 2)]);
        assert_eq!(
            table(&example),
            "\"a \"\"b\"\", c\",d\n\"1\n2\",0.3333333333333333\n–,\nmean,0.50 ± 0.25\n"
        );
    }
}
