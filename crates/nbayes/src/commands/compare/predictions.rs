//! The file of predictions.

use std::path::Path;

use anyhow::Result;
use nb_compare::{Comparison, Condition, Study, Table};

use super::output;
use crate::output::{Cell, ColumnType, RowWriter};

/// What a row of the file says before its log-posteriors.
const FACTS: [(&str, ColumnType); 7] = [
    ("set", ColumnType::Text),
    ("variant", ColumnType::Text),
    ("repeat", ColumnType::Whole),
    ("fold", ColumnType::Whole),
    ("row", ColumnType::Whole),
    ("label", ColumnType::Text),
    ("predicted", ColumnType::Text),
];

/// The place of the repeat, behind which the condition of an experiment is.
const REPEAT: usize = 2;

/// How many rows are written at once.
const CHUNK: usize = 4096;

/// Refuses a file that could not be written before all work is done in vain.
pub(super) fn check(path: &Path) -> Result<()> {
    output::check_format(path, &["csv", "tsv", "jsonl", "ndjson", "parquet", "pq"])
}

/// Writes an answer a row. There is a column for each class of any data set, empty for the rows of sets that
/// have no such class.
pub(super) fn write(comparison: &Comparison, tables: &[Table], path: &Path) -> Result<()> {
    let mut classes: Vec<&str> = Vec::new();
    for class in tables.iter().flat_map(|table| &table.classes) {
        if !classes.contains(&class.as_str()) {
            classes.push(class);
        }
    }
    let (before, after) = FACTS.split_at(REPEAT + 1);
    let conditions: &[(&str, ColumnType)] = match &comparison.design.experiment {
        None => &[],
        Some(Study::LearningCurve(_)) => &[("size", ColumnType::Whole)],
        Some(Study::Robustness(_)) => &[("disturbance", ColumnType::Text), ("level", ColumnType::Number)],
    };
    let facts = before.iter().chain(conditions).chain(after);
    let facts = facts.map(|(name, kind)| ((*name).to_owned(), *kind));
    let of_classes = classes.iter().map(|class| (format!("log_p({class})"), ColumnType::Number));
    let columns: Vec<(String, ColumnType)> = facts.chain(of_classes).collect();
    let mut writer = RowWriter::new(Some(path), false, &columns)?;
    let mut rows = Vec::with_capacity(CHUNK);
    // The columns of the classes of a set.
    let mut places: (&str, Vec<usize>) = ("", Vec::new());
    nb_compare::predictions(comparison, tables, |prediction| -> Result<()> {
        if prediction.set != places.0
            && let Some(table) = tables.iter().find(|table| table.name == prediction.set)
        {
            let place = |class: &String| classes.iter().position(|known| known == class);
            places = (&table.name, table.classes.iter().filter_map(place).collect());
        }
        let number = |number: usize| Cell::Number(number as f64);
        let mut row = vec![
            Cell::Text(prediction.set.into()),
            Cell::Text(prediction.variant.into()),
            number(prediction.repeat),
        ];
        match (prediction.condition, conditions) {
            (_, []) => {}
            (Condition::Plain, _) => row.extend([Cell::Text(String::new()), Cell::Number(0.0)]),
            (Condition::Size(size), _) => row.push(number(size)),
            (Condition::Disturbed { disturbance, level }, _) => {
                row.extend([Cell::Text(disturbance.name().into()), Cell::Number(level)]);
            }
        }
        row.extend([
            number(prediction.fold),
            number(prediction.row),
            Cell::Text(prediction.label.into()),
            prediction.predicted.map_or(Cell::Missing, |label| Cell::Text(label.into())),
        ]);
        let first = row.len();
        row.resize(first + classes.len(), Cell::Missing);
        for (place, value) in places.1.iter().zip(prediction.log_posteriors) {
            row[first + place] = Cell::Number(*value);
        }
        rows.push(row);
        if rows.len() == CHUNK {
            writer.write(&rows)?;
            rows.clear();
        }
        Ok(())
    })?;
    writer.write(&rows)?;
    writer.finish()
}
