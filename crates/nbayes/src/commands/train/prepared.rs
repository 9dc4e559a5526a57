//! Cut points, grids and powers, which families need before rows are summed.

use anyhow::{Result, anyhow, bail};
use nb_core::{
    Rows,
    error::{PredictError, ValueError, ValueProblem},
    family::BlockBuffer,
};
use nb_io::{Family, Model, PreparationError, Schema};
use nb_train::{Sampler, Watch};
use nb_variants::{Cuts, Transform};

use super::{Train, pairs, refined::read};
use crate::{
    columns::Found,
    design::Choice,
    failure::usage,
    output::{Screen, counted, short},
    words::value_error,
};

impl Train {
    /// The family with cut points, grids and powers that are learnt from the rows, or from some of large tables.
    pub(super) fn prepared(&self, family: Family, found: &Found, screen: Screen) -> Result<Family> {
        if !family.is_learnt() {
            return Ok(family);
        }
        let schema = &found.inferred.schema;
        let sampler = Sampler::new(&found.inferred, self.effort.level().most_cells());
        let mut watch = Watch::new(schema).without_record();
        let Ok(sample) = read(sampler, found, &mut watch, screen)?.0.finish() else {
            bail!(
                "bins, kernel densities and powers are learnt from tables with all cells of a row; the rows here store only some \
                 cells: convert them to CSV or Parquet, or choose other families"
            );
        };
        if !sample.is_all {
            screen.note(&format!(
                "cut points, grids and powers are learnt from {} of the rows, the sums are those of all; --best learns from more",
                sample.labels.len()
            ));
        }
        let prepared = family.prepared(self.family.preparation(), &sample.rows, &sample.labels);
        let n_classes = sample.labels.iter().max().map_or(0, |last| last + 1);
        if let Ok(family) = &prepared {
            pairs::check_memory(family, schema, n_classes)?;
            pairs::note_single_bins(family, schema, screen);
            note_powers(family, &family.columns_at_limit(&sample.rows, &sample.labels)?, schema, screen);
        }
        prepared.map_err(|error| {
            let column = error.column().and_then(|feature| schema.feature_name(feature)).unwrap_or_default();
            match error {
                PreparationError::Value { column: feature, value, reason } => {
                    let refused = Refused { feature, value, reason };
                    refused.in_file(found, screen).unwrap_or_else(|error| error)
                }
                PreparationError::NoValues { .. } => {
                    anyhow!("column {column:?} has no values to learn from; leave it out (--ignore)")
                }
                PreparationError::Layout(error) => {
                    anyhow!("{error}; `--parents`, `--bins width:5` and `--ignore` are the options for that")
                }
                error => error.into(),
            }
        })
    }
}

/// Names the columns whose power is cut off where doubles end.
fn note_powers(family: &Family, features: &[usize], schema: &Schema, screen: Screen) {
    let named = |feature: &usize| {
        let (name, power) = (schema.feature_name(*feature)?, learnt(family, *feature)?);
        Some(format!("{name:?} ({power})"))
    };
    let names: Vec<String> = features.iter().filter_map(named).collect();
    let (columns, suit) = match names.len() {
        0 => return,
        1 => ("column", "the column"),
        _ => ("columns", "these columns"),
    };
    screen.note(&format!(
        "--power: for {columns} {} a power beyond it fits better, but numbers of 16 digits do not tell the values apart there; \
         `--binned` or `--kernel` may suit {suit} better",
        names.join(", ")
    ));
}

/// A cell that its family does not take.
struct Refused {
    feature: usize,
    value: f64,
    reason: ValueProblem,
}

impl Refused {
    /// The error that names the first row with such a cell.
    fn in_file(self, found: &Found, screen: Screen) -> Result<anyhow::Error> {
        let Self { feature: column, value, reason } = self;
        for input in found.inputs.iter() {
            let mut reader = found.open(input, Vec::new(), screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                let mut buffer = BlockBuffer::default();
                let mut first = None;
                buffer.read(&chunk.rows, 0..chunk.rows.n_rows()).for_each_stored(|row, place, cell| {
                    let is_it = cell == value || (cell.is_nan() && value.is_nan());
                    if place == column && is_it && first.is_none() {
                        first = Some(row);
                    }
                });
                if let Some(row) = first {
                    let error = PredictError::Value(ValueError { row, column, value, reason });
                    let schema = &found.inferred.schema;
                    return Ok(value_error(error, input, &found.read, schema, chunk.first_row));
                }
            }
        }
        let column = found.inferred.schema.feature_name(column).unwrap_or_default();
        Ok(anyhow!("column {column:?}: {value} {reason}"))
    }
}

/// Refuses families that other engines cannot make ready.
pub(super) fn refuse(choices: &[Choice]) -> Result<()> {
    match choices.iter().find(|choice| choice.is_learnt()) {
        Some(choice) => Err(usage(format!("--{} works only with --engine local", choice.name()))),
        None => Ok(()),
    }
}

/// What was learnt for a feature, in a few words.
pub(super) fn learnt(family: &Family, feature: usize) -> Option<String> {
    match family {
        Family::Blocks(blocks) => {
            let own = blocks.iter().find_map(|(columns, family)| {
                Some((columns.iter().position(|&column| column == feature)?, family))
            });
            own.and_then(|(position, family)| learnt(family, position))
        }
        Family::Binned(binned) => Some(bins(&binned.cuts, feature)),
        Family::Power(power) => Some(match power.transforms.get(feature)? {
            Transform::Log => "logarithm".into(),
            Transform::Identity => "as it is".into(),
            Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => {
                format!("λ = {}", short(*lambda))
            }
        }),
        family => {
            let codings = &family.pair_counts()?.codings;
            let is_of_numbers = codings.n_categories().get(feature) == Some(&0);
            is_of_numbers.then(|| bins(codings.cuts(), feature))
        }
    }
}

fn bins(cuts: &Cuts, feature: usize) -> String {
    counted(cuts.n_bins(feature) as f64, "bin", "bins")
}

/// The same for the first feature of each column of a plain model.
pub(super) fn learnt_by_column(model: &Model) -> Vec<Option<String>> {
    let features = model.schema().feature_ranges();
    features.map(|mut features| learnt(model.family(), features.next()?)).collect()
}
