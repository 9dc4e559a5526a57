//! Tables in HTML.

use std::fmt::Write as _;

use super::Page;
use crate::{Cell, Column, Emphasis, Kind, Table, escape, number};

impl Page<'_> {
    /// A numbered table with its caption and notes, and files of it; its id and caption.
    pub(super) fn table(&mut self, table: &Table) -> (Option<String>, String) {
        self.n_tables += 1;
        let number = self.n_tables;
        let id = table.id.as_ref().map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
        let caption = format!("<strong>Table {number}.</strong> {}", escape::html(&table.caption));
        let _ = writeln!(
            self.body,
            "<div class=\"block\"{id}>\n<p class=\"caption\" id=\"nb-table-{number}\">{caption}</p>"
        );
        self.bare_table(table, &format!("aria-labelledby=\"nb-table-{number}\""));
        let of_columns = table.column_notes();
        let of_columns =
            of_columns.iter().map(|(letter, note)| format!("<sup>{letter}</sup> {}", escape::html(note)));
        let notes: Vec<String> =
            of_columns.chain(table.notes.iter().map(|note| escape::html(note))).collect();
        if !notes.is_empty() {
            let _ = writeln!(self.body, "<p class=\"notes\">{}</p>", notes.join("<br>"));
        }
        let files = [
            ("LaTeX", "tex", "text/x-tex", table.to_latex()),
            ("Markdown", "md", "text/markdown", table.to_markdown()),
        ];
        self.csv_button(&format!("table-{number}.csv"));
        for (label, extension, media_type, content) in files {
            // The document was checked, so that there is a content.
            let Ok(content) = content else { continue };
            self.save_button(label, &format!("table-{number}.{extension}"), media_type, &content);
        }
        self.body.push_str("</p>\n</div>\n");
        (table.id.clone(), caption)
    }

    /// The beginning of the buttons below a table, the first of which makes a file of what is in the table.
    pub(super) fn csv_button(&mut self, name: &str) {
        let _ = write!(
            self.body,
            "<p class=\"tools chrome\">Save as <button type=\"button\" data-csv=\"{name}\">CSV</button> "
        );
    }

    fn save_button(&mut self, label: &str, name: &str, media_type: &str, content: &str) {
        let file = self.files.add(name, media_type, content.as_bytes());
        let _ = write!(self.body, "<button type=\"button\" data-save=\"{file}\">{label}</button> ");
    }

    /// The table alone, in a box in which it scrolls sideways.
    pub(super) fn bare_table(&mut self, table: &Table, label: &str) {
        let body = &mut self.body;
        let wide = if table.columns.len() > 9 { " wide" } else { "" };
        let _ = write!(
            body,
            "<div class=\"scroll{wide}\" tabindex=\"0\" role=\"region\" {label}>\n<table {label}>\n<thead>\n<tr>"
        );
        for (column, letter) in table.lettered_columns() {
            let raised = letter.map(|letter| format!("<sup>{letter}</sup>")).unwrap_or_default();
            let _ = write!(
                body,
                "<th scope=\"col\"{}><span>{}{raised}</span></th>",
                class(kind(column), &[("short", column.title.chars().count() <= 12)]),
                escape::html(&column.title)
            );
        }
        body.push_str("</tr>\n</thead>\n<tbody>\n");
        let marked: Vec<bool> = (0..table.columns.len())
            .map(|j| table.rows.iter().chain(&table.footer).any(|row| !row[j].mark.is_empty()))
            .collect();
        for row in &table.rows {
            write_row(body, table, row, &marked);
        }
        body.push_str("</tbody>\n");
        if !table.footer.is_empty() {
            body.push_str("<tfoot>\n");
            for row in &table.footer {
                write_row(body, table, row, &marked);
            }
            body.push_str("</tfoot>\n");
        }
        body.push_str("</table>\n</div>\n");
    }
}

fn kind(column: &Column) -> &'static [(&'static str, bool)] {
    match column.kind {
        Kind::Text => &[],
        Kind::Number => &[("number", true)],
    }
}

/// An attribute with the classes that hold.
fn class(some: &[(&str, bool)], others: &[(&str, bool)]) -> String {
    let names: Vec<&str> =
        some.iter().chain(others).filter(|(_, holds)| *holds).map(|(name, _)| *name).collect();
    if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) }
}

fn write_row(body: &mut String, table: &Table, row: &[Cell], marked: &[bool]) {
    body.push_str("<tr>");
    for (j, ((cell, column), &marked)) in row.iter().zip(&table.columns).zip(marked).enumerate() {
        let (open, close) = if j == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
        let exact = cell.value.map(number::exact).filter(|_| column.kind == Kind::Number);
        let value = match cell.value {
            // The script reads the text.
            Some(value) if !(value.is_finite() && exact.as_ref() == Some(&cell.text)) => {
                format!(" data-value=\"{}\"", for_script(value))
            }
            _ => String::new(),
        };
        // The script shows the digits of the value.
        let is_derived = exact.is_some_and(|exact| exact == cell.title);
        let title = if is_derived { String::new() } else { escape::html(&number::for_eyes(&cell.title)) };
        let title = if title.is_empty() { title } else { format!(" title=\"{title}\"") };
        // Marks hang behind their column, so that digits stay below digits.
        let mark = if marked { format!("<sup>{}</sup>", escape::html(&cell.mark)) } else { String::new() };
        let text = escape::html(&number::for_eyes(&cell.text));
        let classes = [
            ("best", cell.emphasis == Emphasis::Best),
            ("muted", cell.emphasis == Emphasis::Muted),
            ("long", cell.text.chars().count() > if j == 0 { 30 } else { 60 }),
        ];
        let _ = write!(body, "<{open}{}{value}{title}>{text}{mark}</{close}>", class(kind(column), &classes));
    }
    body.push_str("</tr>\n");
}

/// A number as the script reads it.
fn for_script(value: f64) -> String {
    if value.is_infinite() {
        if value > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else {
        number::exact(value)
    }
}
