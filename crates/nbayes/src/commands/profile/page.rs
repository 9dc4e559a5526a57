//! A profile as a page.

use anyhow::Result;
use nb_io::profile::{ColumnProfile, NumbersProfile};
use nb_report::{Bars, Cell, Column, Document, Figure, Section, Table};

use super::{Line, Profiled, distinct, percent, share_of_entropy, shortened};
use crate::output::counted;

/// How many characters of a value are shown.
const LONGEST: usize = 40;

/// How many columns have pictures, and how many are in tables.
const MOST_PICTURES: usize = 300;
const MOST_ROWS: usize = 2000;

pub(super) fn page(result: &Profiled) -> Result<String> {
    let title = match result.files.as_slice() {
        [file] => format!("Profile of {file}"),
        files => format!("Profile of {} files", files.len()),
    };
    let mut document = Document::new(title);
    document.fact("rows", result.rows.to_string());
    document.fact("columns", result.columns.len().to_string());
    if let Some(label) = &result.label {
        document.fact("label", label.column.clone());
    }
    document.fact("made by", concat!("nbayes ", env!("CARGO_PKG_VERSION")));
    document.push(columns(result));
    if let Some(section) = findings(result) {
        document.push(section);
    }
    document.push(pictures(result));
    if let Some(section) = label(result) {
        document.push(section);
    }
    Ok(document.to_html()?)
}

/// The tables of all columns.
fn columns(result: &Profiled) -> Section {
    let mut section = Section::new("columns", "Columns");
    let has_information = result.columns.iter().any(|line| line.profile.information.is_some());
    let mut heads = vec![Column::text("column"), Column::text("family")];
    heads.extend(["missing", "distinct"].map(Column::number));
    if has_information {
        heads.push(Column {
            note: "Mutual information with the label, as a share of the entropy of the label: the share of the uncertainty about \
                   the label that the column takes away. Numbers count by tenths between deciles."
                .into(),
            ..Column::number("information")
        });
    }
    heads.extend(["commonest", "why"].map(Column::text));
    let mut table = Table::new("What the columns hold, and the family that nbayes train chooses", heads);
    for line in result.columns.iter().take(MOST_ROWS) {
        let profile = &line.profile;
        let mut row = vec![
            Cell::text(&profile.column),
            Cell::text(&line.family),
            share(profile.n_missing, result.rows),
            Cell::text(distinct(profile.distinct)).sorted_by(profile.distinct.n as f64),
        ];
        if has_information {
            row.push(profile.information.map_or_else(Cell::missing, |information| {
                let title = format!("{} nats; by chance {:.2e}", information.nats, information.by_chance);
                Cell::text(share_of_entropy(information.share)).sorted_by(information.share).with_title(title)
            }));
        }
        row.push(line.commonest().map_or_else(Cell::missing, |(value, n)| {
            Cell::text(format!("{} ({})", shortened(&value, LONGEST), percent(n, result.rows)))
                .sorted_by(n as f64)
        }));
        row.push(Cell::text(&line.why));
        table.push(row);
    }
    if result.columns.iter().any(|line| !line.profile.distinct.is_exact) {
        table.note("≈: an estimate with a standard error of 1.6 %.");
    }
    if result.columns.len() > MOST_ROWS {
        table.note(format!(
            "The first {MOST_ROWS} columns; there are {} more (`--json` has all).",
            result.columns.len() - MOST_ROWS
        ));
    }
    section.push(table);
    if let Some(figure) = missing(result) {
        section.push(figure);
    }
    if result.columns.iter().any(|line| line.profile.numbers.is_some()) {
        section.push(table_of_numbers(result));
    }
    section
}

/// Moments and quantiles of the columns of numbers.
fn table_of_numbers(result: &Profiled) -> Table {
    let heads = [
        "min", "1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %", "max", "mean", "sd", "skewness",
        "zeros",
    ];
    let heads = [Column::text("column")].into_iter().chain(heads.map(Column::number));
    let mut table = Table::new("Quantiles and moments of numbers", heads);
    let mut largest_error = 0.0_f64;
    for line in result.columns.iter().take(MOST_ROWS) {
        let Some(found) = &line.profile.numbers else { continue };
        largest_error = largest_error.max(found.max_rank_error);
        table.push([Cell::text(&line.profile.column)].into_iter().chain(numbers(line, found)));
    }
    if largest_error > 0.0 {
        table.note(format!(
            "Quantiles of columns with many different numbers are those of a sketch: their ranks are wrong by at most {:.2} % of \
             the rows.",
            100.0 * largest_error
        ));
    }
    table
}

fn share(n: u64, of: u64) -> Cell {
    Cell::text(percent(n, of)).sorted_by(n as f64)
}

/// The cells of a column about its numbers.
fn numbers(line: &Line, numbers: &NumbersProfile) -> Vec<Cell> {
    let number = |value: f64| Cell::text(line.number(value)).sorted_by(value);
    let known = |value: Option<f64>| value.map_or_else(Cell::missing, number);
    let plain = |value: Option<f64>| {
        value
            .filter(|_| !line.is_dates)
            .map_or_else(Cell::missing, |value| Cell::text(crate::output::short(value)).sorted_by(value))
    };
    let mut cells = vec![number(numbers.min)];
    cells.extend(numbers.quantiles.iter().map(|quantile| number(quantile.value)));
    cells.push(number(numbers.max));
    cells.extend([known(numbers.mean), plain(numbers.standard_deviation), plain(numbers.skewness)]);
    cells.push(share(numbers.n_zero, line.profile.n_numbers));
    cells
}

/// The shares of missing cells, of the columns that have some.
fn missing(result: &Profiled) -> Option<Figure> {
    const MOST: usize = 60;
    let mut columns: Vec<(&str, u64)> = result
        .columns
        .iter()
        .map(|line| (line.profile.column.as_str(), line.profile.n_missing))
        .filter(|(_, n)| *n > 0)
        .collect();
    columns.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let n_columns = columns.len();
    columns.truncate(MOST);
    let mut bars = Bars::new("% missing");
    bars.push_named(
        "",
        columns.iter().map(|&(name, n)| (name, tenths(100.0 * n as f64 / result.rows as f64))),
    );
    let caption = match n_columns {
        0 => return None,
        n if n > MOST => {
            format!("Missing cells, in percent of the rows: the {MOST} columns with most of {n}")
        }
        _ => "Missing cells, in percent of the rows; the other columns have none".into(),
    };
    Some(Figure::new(caption, bars))
}

fn tenths(percent: f64) -> f64 {
    if percent < 0.1 { (percent * 1e4).round() / 1e4 } else { (percent * 10.0).round() / 10.0 }
}

fn findings(result: &Profiled) -> Option<Section> {
    let mut table = Table::new(
        "What is worth knowing before a model is made of the columns",
        ["column", "finding", "why"].map(Column::text),
    );
    for line in result.columns.iter().take(MOST_ROWS) {
        for finding in &line.profile.findings {
            table.push([
                Cell::text(&line.profile.column),
                Cell::text(finding.kind.name()),
                Cell::text(&finding.why),
            ]);
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    let mut section = Section::new("findings", "Findings");
    section.push(table);
    Some(section)
}

/// Histograms of numbers, and bars of the commonest values of other columns.
fn pictures(result: &Profiled) -> Section {
    let mut section = Section::new("distributions", "Distributions");
    let pictured = || result.columns.iter().take(MOST_PICTURES);
    let (mut histograms, mut categories) = (Bars::new("rows"), Bars::new("rows"));
    let mut beyond = 0;
    for line in pictured() {
        let profile = &line.profile;
        match &profile.numbers {
            Some(numbers) if !line.is_dates => {
                beyond += usize::from(numbers.n_beyond > 0);
                histograms.push_histogram(title(profile, numbers), bins(numbers));
            }
            _ => {
                if let Some(bars) = bars_of_values(line, result.rows) {
                    categories.push_named(profile.column.clone(), bars);
                }
            }
        }
    }
    if !histograms.panels.is_empty() {
        let mut caption = String::from("Numbers of the columns, in rows");
        if beyond > 0 {
            caption.push_str(
                "; where a few numbers are far away from the others, the picture goes from the quantile of 1 % to that of 99 %, \
                 and the title says how many rows are beyond",
            );
        }
        section.push(Figure::new(caption, histograms));
    }
    if !categories.panels.is_empty() {
        section.push(Figure::new("The commonest values of the other columns, in rows", categories));
    }
    if result.columns.len() > MOST_PICTURES {
        section.push(format!(
            "The pictures are of the first {MOST_PICTURES} columns; there are {} more.",
            result.columns.len() - MOST_PICTURES
        ));
    }
    section
}

fn title(profile: &ColumnProfile, numbers: &NumbersProfile) -> String {
    match numbers.n_beyond {
        0 => profile.column.clone(),
        n => format!("{} ({} beyond)", profile.column, counted(n, "row", "rows")),
    }
}

fn bins(numbers: &NumbersProfile) -> Vec<(f64, f64, f64)> {
    numbers.histogram.iter().map(|bin| (bin.low, bin.high, bin.n as f64)).collect()
}

/// The bars of the commonest values, and of all others together; none if each value occurs once.
fn bars_of_values(line: &Line, rows: u64) -> Option<Vec<(String, f64)>> {
    const MOST: usize = 8;
    let profile = &line.profile;
    if profile.commonest.first()?.n < 2 {
        return None;
    }
    let named = profile.commonest.iter().take(MOST);
    let mut bars: Vec<(String, f64)> = named
        .map(|commonest| {
            let date = if line.is_dates { commonest.value.parse().map(super::date).ok() } else { None };
            (date.unwrap_or_else(|| commonest.value.clone()), commonest.n as f64)
        })
        .collect();
    let shown: f64 = bars.iter().map(|(_, n)| n).sum();
    let others = rows.saturating_sub(profile.n_missing) as f64 - shown;
    let n_others = profile.distinct.n.saturating_sub(bars.len() as u64);
    if n_others > 0 && others > 0.0 {
        bars.push((format!("({n_others} others)"), others));
    }
    Some(bars)
}

fn label(result: &Profiled) -> Option<Section> {
    let label = result.label.as_ref()?;
    let mut section = Section::new("label", "Label");
    let mut bars = Bars::new("rows");
    bars.push_named("", label.classes.iter().map(|class| (class.value.clone(), class.n as f64)));
    section.push(Figure::new(format!("Rows of each class of {}", label.column), bars));
    if label.n_missing > 0 {
        section.push(format!("{} without a label.", counted(label.n_missing, "row", "rows")));
    }
    Some(section)
}
