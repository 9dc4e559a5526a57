//! Tables of text.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

use super::visible;

const LINE_BELOW_HEADER: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The head of a column, and on which side its cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head<'a> {
    Left(&'a str),
    Right(&'a str),
}

/// A table with aligned columns and no lines but one below the header.
#[derive(Debug)]
pub(crate) struct Table(comfy_table::Table);

impl Table {
    /// A table whose heads are known; those that start with `>` have their cells on the right. Names from
    /// files are for [`with_heads`](Self::with_heads), as they may start with anything.
    pub(crate) fn new(heads: impl IntoIterator<Item = &'static str>) -> Self {
        Self::with_heads(
            heads.into_iter().map(|head| head.strip_prefix('>').map_or(Head::Left(head), Head::Right)),
        )
    }

    /// A table with these column heads.
    pub(crate) fn with_heads<'a>(heads: impl IntoIterator<Item = Head<'a>>) -> Self {
        let heads: Vec<Head<'_>> = heads.into_iter().collect();
        let mut table = comfy_table::Table::new();
        table.load_style(LINE_BELOW_HEADER).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(heads.iter().map(|head| match head {
            Head::Left(text) | Head::Right(text) => visible(text).into_owned(),
        }));
        for (column, head) in heads.iter().enumerate() {
            if let (Head::Right(_), Some(column)) = (head, table.column_mut(column)) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self(table)
    }

    /// Appends a row.
    pub(crate) fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        let cells = cells.into_iter().map(|cell| visible(&cell.to_string()).into_owned());
        self.0.add_row(cells.collect::<Vec<_>>());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for line in self.0.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_they_are() {
        let mut table = Table::with_heads([Head::Left("label"), Head::Right(">50K"), Head::Right("a\nb")]);
        table.row([">50K", "1", "\u{1b}[2J"]);
        let lines: Vec<String> = table.to_string().lines().map(String::from).collect();
        assert_eq!(lines[0], " label   >50K        a\\nb");
        assert_eq!(lines[2], " >50K       1   \\u{1b}[2J");
    }
}
