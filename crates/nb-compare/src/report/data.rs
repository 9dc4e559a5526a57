//! The data, and where they come from.

use nb_report::{Cell, Column, Section, Table};

use crate::{Comparison, Data};

pub(super) fn section(comparison: &Comparison) -> Section {
    let mut section = Section::new("data", "Data");
    let columns = [
        Column::text("data set"),
        Column::number("rows"),
        Column::number("numbers"),
        Column::number("counts"),
        Column::number("categories"),
        Column::number("texts"),
        Column::number("terms")
            .with_note("of documents whose terms are given; those of texts are in the next table"),
        Column::number("missing cells"),
        Column::number("classes"),
        Column::number("largest class")
            .with_note("its share of the rows: the accuracy of always answering it"),
        Column::number("tested rows").with_note("in some repeat"),
        Column::number("training rows").with_note("of the first split"),
    ];
    let mut table = Table::new("Rows, columns of each kind, and classes", columns).with_id("table-data");
    for data in &comparison.data {
        let largest = data.classes.iter().map(|(_, rows)| *rows).max().unwrap_or_default();
        let counts = [
            data.n_rows,
            data.n_numeric,
            data.n_count,
            data.n_categorical,
            data.texts.len(),
            data.n_terms,
            data.n_missing,
        ];
        let counts = counts.map(|count| Cell::count(count as u64));
        let classes = Cell::count(data.classes.len() as u64);
        let share = Cell::number(largest as f64 / data.n_rows as f64, 3);
        let splits = &data.splits;
        let parts =
            [data.n_rows - splits.never_tested, splits.trained].map(|count| Cell::count(count as u64));
        let name = [Cell::text(&data.name)].into_iter();
        table.push(name.chain(counts).chain([classes, share]).chain(parts));
        if let Some(warning) = data.untested() {
            table.note(warning);
        }
    }
    section.push(table);
    if let Some(texts) = texts(&comparison.data) {
        section.push(texts);
    }
    section.push(sources(&comparison.data));
    section
}

/// What becomes of texts, if there are any.
fn texts(data: &[Data]) -> Option<Table> {
    let columns = [
        Column::text("data set"),
        Column::text("text column"),
        Column::number("terms")
            .with_note("of all rows; the vocabulary of a split is that of its training rows"),
        Column::text("how texts become terms"),
    ];
    let mut table = Table::new("Texts", columns).with_id("table-texts");
    for (data, texts) in data.iter().flat_map(|data| data.texts.iter().map(move |texts| (data, texts))) {
        table.push([
            Cell::text(&data.name),
            Cell::text(&texts.column),
            Cell::count(texts.n_terms as u64),
            Cell::text(&texts.settings),
        ]);
    }
    table.note("Terms are counted by the family of a variant for texts (`text.family`): that for its counts, or else multinomial.");
    (!table.rows.is_empty()).then_some(table)
}

fn sources(data: &[Data]) -> Table {
    let columns = [
        Column::text("data set"),
        Column::text("citation"),
        Column::text("copy"),
        Column::text("licence"),
        Column::text("SHA-256").with_note("of the file, then of all that a variant can see of it"),
    ];
    let mut table = Table::new("Sources", columns).with_id("table-sources");
    for data in data {
        let from = &data.provenance;
        let sums = from.sha256.iter().chain([&data.fingerprint]);
        let short = sums.clone().map(|sum| sum.get(..12).unwrap_or(sum)).collect::<Vec<_>>().join(" ");
        let whole = sums.cloned().collect::<Vec<_>>().join(" ");
        table.push([
            Cell::text(&data.name),
            Cell::text(&from.citation),
            Cell::text(&from.source),
            Cell::text(&from.licence),
            Cell::text(short).with_title(whole),
        ]);
    }
    table
}
