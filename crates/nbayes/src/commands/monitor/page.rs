//! Drift as a page.

use anyhow::Result;
use nb_report::{Axis, Cell, Column, Document, Dot, Dots, Figure, Section, Table};

use super::{
    Monitored,
    text::{change, name, p_value, percent, word},
};
use crate::{
    drift::{ClassDrift, ColumnDrift, Group, Status, Test},
    output::{counted, measure, short},
};

/// The most columns in the table, and with pictures.
const MOST_ROWS: usize = 2000;
const MOST_PICTURES: usize = 24;

pub(super) fn page(result: &Monitored) -> Result<String> {
    let model = result.model.file_name().unwrap_or(result.model.as_os_str()).to_string_lossy();
    let mut document = Document::new(format!("Drift of the rows of {model}"));
    document.subtitle = result.summary.clone().into();
    document.fact("model", model.into_owned());
    document.fact("rows of the model", short(result.model_rows));
    document.fact("new rows", format!("{}, {}", result.rows, result.files.join(", ")));
    document.fact("labelled", result.labeled_rows.to_string());
    document.fact("tests", result.tests.to_string());
    document.fact("made by", concat!("nbayes ", env!("CARGO_PKG_VERSION")));
    document.series = vec!["model".into(), "new rows".into()];
    document.push(columns(result));
    document.push(classes(result));
    if !result.measures.is_empty() {
        document.push(measures(result));
    }
    document.sections.extend(pictures(result));
    document.push(meaning(result));
    Ok(document.to_html()?)
}

fn test_cells(test: Option<&Test>) -> [Cell; 3] {
    let Some(test) = test else { return [Cell::missing(), Cell::missing(), Cell::missing()] };
    let number = |value: Option<f64>| value.map_or_else(Cell::missing, |value| Cell::number(value, 3));
    [
        number(test.psi),
        number(test.psi_by_chance),
        Cell::text(p_value(test.adjusted_p_value)).sorted_by(test.adjusted_p_value),
    ]
}

fn status(status: Status) -> Cell {
    let cell = Cell::text(word(status)).sorted_by(f64::from(status as u8));
    if status >= Status::Notice { cell } else { cell.muted() }
}

fn columns(result: &Monitored) -> Section {
    let mut section = Section::new("columns", "Columns");
    let heads = [Column::text("column"), Column::text("status"), Column::text("compared")]
        .into_iter()
        .chain(["PSI", "by chance", "p", "Jensen-Shannon"].map(Column::number))
        .chain([Column::text("largest change")])
        .chain(["missing before", "missing now"].map(Column::number));
    let mut table = Table::new("Columns of the model, the worst first", heads);
    for column in result.columns.iter().take(MOST_ROWS) {
        let missing = |of: fn(&crate::drift::MissingCells) -> f64| match &column.missing {
            Some(missing) => Cell::text(percent(of(missing))).sorted_by(of(missing)),
            None => Cell::missing(),
        };
        let compared = column.compared.replace('_', " ");
        table.push(
            [Cell::text(&column.column), status(column.status), Cell::text(compared)]
                .into_iter()
                .chain(test_cells(column.worst()))
                .chain([
                    column.jensen_shannon.map_or_else(Cell::missing, |value| Cell::number(value, 4)),
                    Cell::text(change(column)),
                    missing(|missing| missing.model),
                    missing(|missing| missing.new),
                ]),
        );
    }
    if result.columns.len() > MOST_ROWS {
        table.note(format!("{MOST_ROWS} of {} columns; `--json` has all.", result.columns.len()));
    }
    table.note("PSI, chance and p are those of missing cells where these have changed more than the values.");
    section.push(table);
    for column in &result.columns {
        if let Some(table) = terms(column) {
            section.push(table);
        }
    }
    section
}

fn terms(column: &ColumnDrift) -> Option<Table> {
    let heads = [Column::text("term")].into_iter().chain(["before", "now", "p"].map(Column::number));
    let mut table =
        Table::new(format!("Terms of {} that are more frequent now, times a row", column.column), heads);
    for term in &column.terms {
        table.push([
            Cell::text(&term.name),
            Cell::short(term.model, 4),
            Cell::short(term.new, 4),
            Cell::text(p_value(term.p_value)).sorted_by(term.p_value),
        ]);
    }
    if let Some(share) = column.rows_without_terms {
        table.note(format!("{} of the new rows have no term that the model knows.", percent(share)));
    }
    (!column.terms.is_empty()).then_some(table)
}

fn classes(result: &Monitored) -> Section {
    let mut section = Section::new("classes", "Classes");
    let of_label = result.label.as_ref().map(|label| ("Classes of the label", label));
    let predicted = ("Mean probabilities of the classes", &result.predicted);
    for (title, ClassDrift { test, jensen_shannon, classes, why_not_tested }) in
        of_label.into_iter().chain([predicted])
    {
        let heads = [Column::text("class")].into_iter().chain(["model", "new rows"].map(Column::number));
        let mut table = Table::new(title, heads);
        for class in classes {
            let share = |share: f64| Cell::text(percent(share)).sorted_by(share);
            table.push([Cell::text(&class.name), share(class.model), share(class.new)]);
        }
        match (test, why_not_tested) {
            (Some(test), _) => table.note(format!(
                "{}: PSI {}, p {}, Jensen-Shannon divergence {}.",
                word(test.status),
                test.psi.map_or_else(String::new, short),
                p_value(test.adjusted_p_value),
                jensen_shannon.map_or_else(String::new, short)
            )),
            (None, Some(why)) => table.note(format!("Not tested: {why}.")),
            _ => {}
        }
        if !classes.is_empty() {
            section.push(table);
        }
    }
    section
}

fn measures(result: &Monitored) -> Section {
    let mut section = Section::new("measures", "Measures");
    let heads = [Column::text("measure"), Column::text("status")]
        .into_iter()
        .chain(["held out in training", "new rows", "p"].map(Column::number));
    let rows = counted(result.labeled_rows, "labelled row", "labelled rows");
    let mut table = Table::new(format!("Measures of {rows}, and of rows held out in training"), heads);
    for own in &result.measures {
        let number = |value: Option<f64>| {
            value.map_or_else(Cell::missing, |value| Cell::text(measure(name(own), value)).sorted_by(value))
        };
        let (status, p) = match &own.test {
            Some(test) => (
                status(test.status),
                Cell::text(p_value(test.adjusted_p_value)).sorted_by(test.adjusted_p_value),
            ),
            None => (Cell::missing(), Cell::missing()),
        };
        table.push([Cell::text(name(own)), status, number(own.held_out), number(own.new), p]);
    }
    section.push(table);
    section
}

/// The groups of the worst columns.
fn pictures(result: &Monitored) -> Option<Section> {
    let mut section = Section::new("distributions", "Distributions");
    let with_groups = result.columns.iter().filter(|column| !column.groups.is_empty());
    let mut n = 0;
    for column in with_groups.take(MOST_PICTURES) {
        let caption = format!("{}: share of the rows ({})", column.column, word(column.status));
        section.push(Figure::new(caption, dots(&column.groups)));
        n += 1;
    }
    (n > 0).then_some(section)
}

fn dots(groups: &[Group]) -> Dots {
    let axis = Axis::linear("share of the rows").between(0.0, 0.0);
    let mut dots = Dots::new(axis, "group", groups.iter().map(|group| group.name.as_str()));
    dots.push("model", groups.iter().map(|group| Some(Dot::new(group.model))));
    dots.push("new rows", groups.iter().map(|group| Some(Dot::new(group.new))));
    dots
}

fn meaning(result: &Monitored) -> Section {
    let rules = &result.rules;
    let mut section = Section::new("meaning", "What the words mean");
    section.push(format!(
        "A notice is a population stability index (PSI) of {} beyond chance, an alarm one of {}; for log-loss and error rate it is a rise by {} and {}. \
         Both need a p-value below {}, corrected by Holm's procedure for {}: new rows of the same distribution cause a false alarm in at most this \
         share of all runs.",
        short(rules.notice),
        short(rules.alarm),
        percent(rules.notice_rise),
        percent(rules.alarm_rise),
        short(rules.alpha),
        counted(result.tests, "test", "tests")
    ));
    section.push(
        "PSI: the sum over bins or categories of (q - p) ln(q / p) with the shares p of the rows of the model and q of new ones; of means, that of two normal \
         distributions. By chance it is about the number of groups less one, times the sum of one over the numbers of rows. \
         P-values: chi-squared test and Fisher's exact test for counts, Welch's and Student's t-test for means.",
    );
    section
}
