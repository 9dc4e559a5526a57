//! Cut points, grids and powers, which families need before rows are summed.

use anyhow::{Result, anyhow, bail};
use nb_io::{Family, Model};
use nb_variants::Transform;

use super::{Train, copies, sample::Sample};
use crate::{
    commands::columns::Found,
    design::Choice,
    failure::usage,
    output::{Screen, counted, short},
};

impl Train {
    /// The family with cut points, grids and powers that are learnt from the rows, or from some of large tables.
    pub(super) fn prepared(&self, family: Family, found: &Found, screen: Screen) -> Result<Family> {
        if !family.is_learnt() {
            return Ok(family);
        }
        let schema = &found.inferred.schema;
        let mut copies = copies::watch(schema);
        let Some(sample) = Sample::read(found, self.effort.most_cells(), &mut copies, screen)? else {
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
        family.prepared(self.family.preparation(), &sample.rows, &sample.labels).map_err(|error| {
            let column = error.column().and_then(|feature| schema.feature_name(feature));
            let Some(column) = column else { return error.into() };
            let words = error.to_string();
            let words = words.split_once(": ").map_or(words.as_str(), |(_, words)| words);
            match error {
                nb_io::PreparationError::NoValues { .. } => {
                    anyhow!("column {column:?} has no values to learn from; leave it out (--ignore)")
                }
                _ => anyhow!("column {column:?}: {words}"),
            }
        })
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
        Family::Binned(binned) => Some(counted(binned.cuts.n_bins(feature) as f64, "bin", "bins")),
        Family::Power(power) => Some(match power.transforms.get(feature)? {
            Transform::Log => "logarithm".into(),
            Transform::Identity => "as it is".into(),
            Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => {
                format!("λ = {}", short(*lambda))
            }
        }),
        _ => None,
    }
}

/// The same for the first feature of each column of a plain model.
pub(super) fn learnt_by_column(model: &Model) -> Vec<Option<String>> {
    let features = model.schema().feature_ranges();
    features.map(|mut features| learnt(model.family(), features.next()?)).collect()
}
