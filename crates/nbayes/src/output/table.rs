//! Tables of text.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

const LINE_BELOW_HEADER: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table with aligned columns and no lines but one below the header.
#[derive(Debug)]
pub(crate) struct Table(comfy_table::Table);

impl Table {
    /// A table with these column heads; those that start with `>` have their cells on the right.
    pub(crate) fn new<'a>(heads: impl IntoIterator<Item = &'a str>) -> Self {
        let heads: Vec<&str> = heads.into_iter().collect();
        let mut table = comfy_table::Table::new();
        table.load_style(LINE_BELOW_HEADER).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(heads.iter().map(|head| head.trim_start_matches('>')));
        for (column, head) in heads.iter().enumerate() {
            if let (true, Some(column)) = (head.starts_with('>'), table.column_mut(column)) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self(table)
    }

    /// Appends a row.
    pub(crate) fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.0.add_row(cells.into_iter().map(|cell| cell.to_string()).collect::<Vec<_>>());
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
