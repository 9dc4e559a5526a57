//! Tables in LaTeX.

use std::fmt::Write as _;

use crate::{
    Block, Cell, Column, Document, DocumentError, Emphasis, Kind, Section, Table, check, escape, number,
};

impl Table {
    /// The table as a `table` with its caption, its [`id`](Table::id) as the label, and a `tabular` with the rules of the
    /// package `booktabs`; notes are in small print below. The best cells are bold.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Row`] for a row that has not one cell per column.
    ///
    /// ```
    /// use nb_report::{Cell, Column, Table};
    ///
    /// let columns = [Column::text("set"), Column::number("error")];
    /// let mut table = Table::new("Mean error", columns).with_id("table-error");
    /// table.push([Cell::text("R&D"), Cell::number(-0.5, 2).best().with_mark("*")]);
    /// assert_eq!(
    ///     table.to_latex()?,
    ///     r"\begin{table}
    /// \centering
    /// \caption{Mean error}
    /// \label{table-error}
    /// \begin{tabular}{lr}
    /// \toprule
    /// set & error \\
    /// \midrule
    /// R\&D & \textbf{$-$0.50}\textsuperscript{{*}} \\
    /// \bottomrule
    /// \end{tabular}
    /// \end{table}
    /// "
    /// );
    /// # Ok::<(), nb_report::DocumentError>(())
    /// ```
    pub fn to_latex(&self) -> Result<String, DocumentError> {
        check::table(self)?;
        let mut lines = String::from("\\begin{table}\n\\centering\n");
        if !self.caption.is_empty() {
            let caption = escape::latex(&self.caption.replace(char::is_control, " "));
            let _ = writeln!(lines, "\\caption{{{caption}}}");
        }
        if let Some(id) = &self.id {
            let _ = writeln!(lines, "\\label{{{}}}", id.replace(|c: char| !is_of_label(c), "-"));
        }
        let places: String = self.columns.iter().map(place).collect();
        let _ = writeln!(lines, "\\begin{{tabular}}{{{places}}}\n\\toprule");
        let titles: Vec<String> = self
            .lettered_columns()
            .map(|(column, letter)| {
                escape::latex(&column.title) + &raised(letter.as_deref().unwrap_or_default())
            })
            .collect();
        write_row(&mut lines, &titles);
        lines.push_str("\\midrule\n");
        for row in &self.rows {
            write_row(&mut lines, &cells(row));
        }
        if !self.footer.is_empty() {
            lines.push_str("\\midrule\n");
        }
        for row in &self.footer {
            write_row(&mut lines, &cells(row));
        }
        lines.push_str("\\bottomrule\n\\end{tabular}\n");
        let of_columns = self.column_notes();
        let notes =
            of_columns.iter().map(|(letter, note)| format!("{} {}", raised(letter), escape::latex(note)));
        let notes: Vec<String> = notes.chain(self.notes.iter().map(|note| escape::latex(note))).collect();
        if !notes.is_empty() {
            let notes = notes.join("\\\\\n");
            let _ = writeln!(
                lines,
                "\\par\\smallskip\n\\begin{{minipage}}{{\\linewidth}}\\footnotesize\n{notes}\n\\end{{minipage}}"
            );
        }
        lines.push_str("\\end{table}\n");
        Ok(lines)
    }
}

impl Document {
    /// All tables of the document as [`Table::to_latex`] gives them, in reading order.
    ///
    /// # Errors
    ///
    /// What makes the document impossible to render.
    pub fn latex_tables(&self) -> Result<Vec<String>, DocumentError> {
        fn collect<'a>(section: &'a Section, tables: &mut Vec<&'a Table>) {
            tables.extend(section.blocks.iter().filter_map(|block| match block {
                Block::Table(table) => Some(table),
                _ => None,
            }));
            section.sections.iter().for_each(|inner| collect(inner, tables));
        }
        check::document(self)?;
        let mut tables = Vec::new();
        self.sections.iter().for_each(|section| collect(section, &mut tables));
        tables.into_iter().map(Table::to_latex).collect()
    }
}

/// Whether a character means nothing else in a label.
fn is_of_label(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.')
}

fn place(column: &Column) -> char {
    match column.kind {
        Kind::Text => 'l',
        Kind::Number => 'r',
    }
}

fn write_row(lines: &mut String, cells: &[String]) {
    let _ = writeln!(lines, "{} \\\\", cells.join(" & "));
}

fn cells(row: &[Cell]) -> Vec<String> {
    let cell = |cell: &Cell| {
        let text = escape::latex(&number::for_eyes(&cell.text));
        let text = if cell.emphasis == Emphasis::Best { format!("\\textbf{{{text}}}") } else { text };
        text + &raised(&cell.mark)
    };
    row.iter().map(cell).collect()
}

fn raised(mark: &str) -> String {
    if mark.is_empty() { String::new() } else { format!("\\textsuperscript{{{}}}", escape::latex(mark)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footers_and_notes() -> Result<(), DocumentError> {
        let columns = [Column::text("[a]"), Column::number("b").with_note("better is larger")];
        let mut table = Table::new("50 %\nof it", columns);
        table.push([Cell::text("x"), Cell::missing()]);
        table.push_footer([Cell::text("mean"), Cell::count(3).muted()]);
        table.note("n.a.: –");
        assert_eq!(
            table.to_latex()?,
            r"\begin{table}
\centering
\caption{50 \% of it}
\begin{tabular}{lr}
\toprule
{[}a{]} & b\textsuperscript{a} \\
\midrule
x & -- \\
\midrule
mean & 3 \\
\bottomrule
\end{tabular}
\par\smallskip
\begin{minipage}{\linewidth}\footnotesize
\textsuperscript{a} better is larger\\
n.a.: --
\end{minipage}
\end{table}
"
        );
        table.push([Cell::text("x")]);
        let error = table.to_latex();
        assert_eq!(
            error,
            Err(DocumentError::Row { table: "50 %\nof it".into(), row: 2, found: 1, expected: 2 })
        );
        Ok(())
    }
}
