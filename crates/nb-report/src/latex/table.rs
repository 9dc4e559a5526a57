//! Tables in LaTeX.

use std::fmt::Write as _;

use super::{
    fit::{self, Layout, Place},
    text,
};
use crate::{Cell, DocumentError, Emphasis, Kind, Table, check, escape, number};

impl Table {
    /// The table as a `table` with its caption, its [`id`](Table::id) as the label, and a `tabular` with the
    /// rules of the package `booktabs`; notes are in small print below. The best cells are bold.
    ///
    /// It fits the page of the class `article`: a wide table has smaller letters, then columns of words in
    /// several lines (package `array`), then parts below one another that have its first columns of words
    /// in common; one that is higher than a page is a `longtable`, of the package of this name.
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
    ///     r"\begin{table}[htbp]
    /// \centering
    /// \caption{Mean error}
    /// \label{table-error}
    /// \smallskip
    /// \begin{tabular}{@{}lr@{}}
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
        let layout = fit::layout(self);
        Ok(if layout.is_long { self.over_pages(&layout) } else { self.on_a_page(&layout) })
    }

    /// All parts in one float.
    fn on_a_page(&self, layout: &Layout) -> String {
        let mut lines = String::from("\\begin{table}[htbp]\n\\centering\n");
        if !self.caption.is_empty() {
            let _ = writeln!(lines, "\\caption{{{}}}", text::words(&self.caption));
        }
        lines.push_str(&self.label());
        lines.push_str("\\smallskip\n");
        lines.push_str(&size(layout));
        for (number, part) in layout.parts.iter().enumerate() {
            if number > 0 {
                lines.push_str("\\par\\bigskip\n");
            }
            let _ = writeln!(lines, "\\begin{{tabular}}{{{}}}\n\\toprule", self.places(part));
            write_row(&mut lines, &self.titles(part, layout));
            lines.push_str("\\midrule\n");
            self.write_rows(&mut lines, part);
            lines.push_str("\\bottomrule\n\\end{tabular}\n");
        }
        let notes = self.all_notes();
        if !notes.is_empty() {
            let notes = notes.join("\\\\\n");
            let _ = writeln!(
                lines,
                "\\par\\smallskip\n\\begin{{minipage}}{{\\linewidth}}\\footnotesize\\raggedright\n{notes}\n\\end{{minipage}}"
            );
        }
        lines.push_str("\\end{table}\n");
        lines
    }

    /// A `longtable` for each part.
    fn over_pages(&self, layout: &Layout) -> String {
        let mut lines = format!("\\begingroup\n{}", size(layout));
        for (number, part) in layout.parts.iter().enumerate() {
            let _ = writeln!(lines, "\\begin{{longtable}}{{{}}}", self.places(part));
            let caption = text::words(&self.caption);
            match number {
                0 if self.caption.is_empty() => {}
                0 => {
                    let _ = writeln!(lines, "\\caption{{{caption}}}{}\\\\", self.label().trim_end());
                }
                _ => {
                    let _ = writeln!(lines, "\\caption*{{{caption} (continued)}}\\\\");
                }
            }
            lines.push_str("\\toprule\n");
            write_row(&mut lines, &self.titles(part, layout));
            lines.push_str("\\midrule\n\\endfirsthead\n\\toprule\n");
            write_row(&mut lines, &self.titles(part, layout));
            lines.push_str("\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n");
            self.write_rows(&mut lines, part);
            lines.push_str("\\end{longtable}\n");
        }
        for note in self.all_notes() {
            let _ = writeln!(lines, "\\noindent{{\\footnotesize\\raggedright {note}\\par}}");
        }
        lines.push_str("\\endgroup\n");
        lines
    }

    fn label(&self) -> String {
        self.id.as_deref().map(|id| format!("{}\n", text::label(id))).unwrap_or_default()
    }

    /// What the columns of a part are.
    fn places(&self, part: &[Place]) -> String {
        let place = |place: &Place| match (place.is_wrapped, self.columns[place.column].kind) {
            (true, _) => format!(">{{\\raggedright\\arraybackslash}}p{{{:.1}pt}}", place.width),
            (false, Kind::Text) => "l".into(),
            (false, Kind::Number) => "r".into(),
        };
        format!("@{{}}{}@{{}}", part.iter().map(place).collect::<String>())
    }

    /// The titles of a part; those that are wider than their column are in several lines.
    fn titles(&self, part: &[Place], layout: &Layout) -> Vec<String> {
        let all: Vec<_> = self.lettered_columns().collect();
        let title = |place: &Place| {
            let (column, letter) = &all[place.column];
            let lines = if place.is_wrapped {
                vec![column.title.clone()]
            } else {
                fit::title_lines(&column.title, place.width, layout.size)
            };
            let lines: Vec<String> = lines.iter().map(|line| text::words(line)).collect();
            let title = lines.join("\\\\") + &raised(letter.as_deref().unwrap_or_default());
            let side = if column.kind == Kind::Text { 'l' } else { 'r' };
            match lines.len() {
                0 | 1 => title,
                _ => format!("\\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{title}\\end{{tabular}}"),
            }
        };
        part.iter().map(title).collect()
    }

    fn write_rows(&self, lines: &mut String, part: &[Place]) {
        for row in &self.rows {
            write_row(lines, &cells(row, part));
        }
        if !self.footer.is_empty() {
            lines.push_str("\\midrule\n");
        }
        for row in &self.footer {
            write_row(lines, &cells(row, part));
        }
    }

    /// The notes of columns, then those of the table.
    fn all_notes(&self) -> Vec<String> {
        let of_columns = self.column_notes();
        let notes =
            of_columns.iter().map(|(letter, note)| format!("{} {}", raised(letter), text::words(note)));
        notes.chain(self.notes.iter().map(|note| text::words(note))).collect()
    }
}

/// The commands for the size of letters and the distance of columns.
fn size(layout: &Layout) -> String {
    match layout.size.command {
        "" => String::new(),
        command => format!("{command}\\setlength{{\\tabcolsep}}{{{}pt}}\n", layout.size.gap),
    }
}

fn write_row(lines: &mut String, cells: &[String]) {
    let _ = writeln!(lines, "{} \\\\", cells.join(" & "));
}

fn cells(row: &[Cell], part: &[Place]) -> Vec<String> {
    let cell = |place: &Place| {
        let cell = &row[place.column];
        let text = number::for_eyes(&cell.text);
        let text = if place.is_wrapped { text::words(&text) } else { escape::latex(&text) };
        let text = if cell.emphasis == Emphasis::Best { format!("\\textbf{{{text}}}") } else { text };
        text + &raised(&cell.mark)
    };
    part.iter().map(cell).collect()
}

fn raised(mark: &str) -> String {
    if mark.is_empty() { String::new() } else { format!("\\textsuperscript{{{}}}", escape::latex(mark)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn footers_and_notes() -> Result<(), DocumentError> {
        let columns = [Column::text("[a]"), Column::number("b").with_note("better is larger")];
        let mut table = Table::new("50 %\nof it", columns);
        table.push([Cell::text("x"), Cell::missing()]);
        table.push_footer([Cell::text("mean"), Cell::count(3).muted()]);
        table.note("n.a.: –");
        assert_eq!(
            table.to_latex()?,
            r"\begin{table}[htbp]
\centering
\caption{50 \% of it}
\smallskip
\begin{tabular}{@{}lr@{}}
\toprule
{[}a{]} & b\textsuperscript{a} \\
\midrule
x & -- \\
\midrule
mean & 3 \\
\bottomrule
\end{tabular}
\par\smallskip
\begin{minipage}{\linewidth}\footnotesize\raggedright
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
