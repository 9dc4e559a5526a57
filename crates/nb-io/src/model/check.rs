//! Whether families and columns fit together.

use super::ModelError;
use crate::{Family, Feature, Kind};

/// How many blocks may be within one another: more than any model needs, and fewer than the smallest stack
/// has room for.
pub(crate) const MAX_DEPTH: usize = 8;

pub(super) fn check_depth(family: &Family, depth: usize) -> Result<(), ModelError> {
    let Family::Blocks(blocks) = family else { return Ok(()) };
    if depth == MAX_DEPTH {
        return Err(ModelError::Depth);
    }
    blocks.iter().try_for_each(|(_, family)| check_depth(family, depth + 1))
}

/// Refuses named categories and texts outside the families that take them, and names that are not as many as
/// declared. `features` are those that the family sees.
pub(super) fn check_kinds(family: &Family, features: &[Feature<'_>]) -> Result<(), ModelError> {
    if let Family::Blocks(blocks) = family {
        return blocks.iter().try_for_each(|(own, family)| {
            let features: Vec<Feature<'_>> =
                own.iter().filter_map(|&place| features.get(place).copied()).collect();
            check_kinds(family, &features)
        });
    }
    let counts_terms = family.description().takes_terms;
    for (position, feature) in features.iter().enumerate() {
        let name = || match feature.column.kind {
            Kind::Dates(_) => feature.name(),
            _ => feature.column.name.clone(),
        };
        match (feature.kind(), family) {
            (Kind::Categorical { levels }, family) if family.category_counts().is_some() => {
                let counts = family.category_counts();
                if let Some(declared) = counts.and_then(|counts| counts.categories.declared(position))
                    && declared != levels.len()
                {
                    return Err(ModelError::Levels { column: name(), levels: levels.len(), declared });
                }
            }
            (Kind::Categorical { levels }, family) if family.pair_counts().is_some() => {
                let of_columns = family.pair_counts().map(|counts| counts.codings.n_categories());
                let declared = of_columns.and_then(|all| all.get(position)).copied().unwrap_or(0);
                if declared != levels.len() {
                    return Err(ModelError::Levels { column: name(), levels: levels.len(), declared });
                }
            }
            (Kind::Categorical { .. }, _) => return Err(ModelError::CategoriesAsNumbers { column: name() }),
            (Kind::Text(_), _) if !counts_terms => return Err(ModelError::TextAsNumbers { column: name() }),
            _ => {}
        }
    }
    Ok(())
}
