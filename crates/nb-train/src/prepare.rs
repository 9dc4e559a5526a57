//! Cut points, grids and powers, which families need before rows are summed.

use nb_core::{Rows, error::ValueError, family::BlockBuffer};
use nb_io::{Family, Preparation, PreparationError};

use crate::{Columns, Note, Sampler, Source, TrainerError, Watch, attempt::sampled, source::for_each_chunk};

/// The family with cut points, grids and powers that are learnt from the rows, or from some of large tables.
pub(crate) fn prepared<S: Source>(
    source: &S,
    columns: &Columns,
    family: Family,
    rules: Preparation,
    most_cells: usize,
    max_memory: u64,
) -> Result<Family, S::Error> {
    if !family.is_learnt() {
        return Ok(family);
    }
    let schema = &columns.inferred.schema;
    let explain = |error| source.explain(error, schema);
    let sampler = Sampler::new(&columns.inferred, most_cells);
    let mut watch = Watch::new(schema);
    let (sampler, _) = sampled(source, &columns.inferred, sampler, &mut watch, &[])?;
    let Ok(sample) = sampler.finish() else { return Err(explain(TrainerError::Sparse)) };
    if !sample.is_all {
        source.note(&Note::PreparedFromSome { n_rows: sample.labels.len() });
    }
    let family = match family.prepared(rules, &sample.rows, &sample.labels) {
        Ok(family) => family,
        Err(PreparationError::Value { column, value, reason }) => {
            let error = ValueError { row: 0, column, value, reason };
            return Err(explain(in_table(source, columns, error)?));
        }
        Err(error) => {
            let column = error.column().and_then(|feature| schema.feature_name(feature)).unwrap_or_default();
            return Err(explain(TrainerError::Preparation { column, error }));
        }
    };
    let n_classes = sample.labels.iter().max().map_or(0, |last| last + 1);
    for memory in family.code_memory(schema.n_features(), n_classes) {
        if memory.bytes > max_memory || memory.is_too_many() {
            return Err(explain(TrainerError::Memory { memory: Box::new(memory), limit: max_memory }));
        }
    }
    let refused = |error| explain(TrainerError::Preparation { column: String::new(), error });
    let cut_off = family.columns_at_limit(&sample.rows, &sample.labels).map_err(refused)?;
    let inexact = family.inexact_columns(rules, &sample.rows, &sample.labels).map_err(refused)?;
    source.note(&Note::Prepared { family: &family, cut_off: &cut_off, inexact: &inexact, schema });
    Ok(family)
}

/// The error about a cell that its family does not take, with the first row that has it.
fn in_table<S: Source>(source: &S, columns: &Columns, error: ValueError) -> Result<TrainerError, S::Error> {
    let schema = &columns.inferred.schema;
    let ValueError { column, value, reason, .. } = error.clone();
    let mut found = None;
    for_each_chunk(
        source,
        &columns.inferred,
        &mut found,
        |_| Vec::new(),
        |found, chunk, place| {
            if found.is_some() {
                return Ok(());
            }
            let mut buffer = BlockBuffer::default();
            let is_it = |place: usize, cell: f64| {
                (place == column && (cell == value || (cell.is_nan() && value.is_nan()))).then_some(())
            };
            let rows = buffer.read(&chunk.rows, 0..chunk.rows.n_rows());
            *found = rows.find_stored(is_it).map(|(row, ..)| {
                let error = ValueError { row, column, value, reason: reason.clone() };
                TrainerError::of_cell(place, schema, chunk.first_row, error)
            });
            Ok(())
        },
    )?;
    let column_name = schema.feature_name(column).unwrap_or_default();
    Ok(found.unwrap_or(TrainerError::Preparation {
        column: column_name,
        error: PreparationError::Value { column, value, reason: error.reason },
    }))
}
