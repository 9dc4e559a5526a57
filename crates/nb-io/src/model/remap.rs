//! Giving the categories of a model other codes, so that models that learnt them in another order can be merged.

use nb_core::{Blocks, Categories, ExactSums, FeatureModel, SufficientStats};

use super::{Model, ModelError};
use crate::{Family, Kind, Schema};

impl Model {
    /// The same model with the categories of `schema`, which has at least those of this model.
    pub(super) fn with_levels(&self, schema: &Schema) -> Result<Self, ModelError> {
        if self.schema == *schema {
            return Ok(self.clone());
        }
        let all: Vec<usize> = (0..schema.columns.len()).collect();
        let family = redeclared(&self.family, schema, &all);
        let columns = part_columns(&self.family, &all);
        let codes: Vec<Option<Vec<usize>>> = columns
            .iter()
            .map(|&column| new_codes(&self.schema.columns[column?].kind, &schema.columns[column?].kind))
            .collect();
        let classes = self.stats.classes().zip(self.stats.class_weights()).zip(self.stats.class_sums());
        let classes = classes.map(|((label, weight), parts)| {
            let parts = parts.iter().zip(&codes).map(|(sums, codes)| match codes {
                Some(codes) => recoded(sums, codes),
                None => sums.clone(),
            });
            (label.clone(), weight, parts.collect())
        });
        let stats = SufficientStats::from_parts(&family, schema.columns.len(), classes)?;
        Self::from_parts(schema.clone(), family, self.prior.clone(), stats)
    }
}

/// The family with as many declared categories as the schema names.
pub(crate) fn redeclared(family: &Family, schema: &Schema, columns: &[usize]) -> Family {
    match family {
        Family::Categorical(categorical) => {
            let mut categorical = categorical.clone();
            if let Categories::Declared(counts) = &mut categorical.categories {
                for (count, &column) in counts.iter_mut().zip(columns) {
                    if let Kind::Categorical { levels } = &schema.columns[column].kind {
                        *count = levels.len();
                    }
                }
            }
            Family::Categorical(categorical)
        }
        Family::Blocks(blocks) => {
            let mut new = Blocks::default().ignore(blocks.ignored().iter().copied());
            for (own, family) in blocks.iter() {
                let of_schema: Vec<usize> = own.iter().map(|&column| columns[column]).collect();
                new = new.with_same(own.iter().copied(), redeclared(family, schema, &of_schema));
            }
            Family::Blocks(new)
        }
        other => other.clone(),
    }
}

/// For every part of the sums the column whose categories it counts, if that is what it does.
fn part_columns(family: &Family, columns: &[usize]) -> Vec<Option<usize>> {
    match family {
        Family::Categorical(_) => columns.iter().copied().map(Some).collect(),
        Family::Blocks(blocks) => blocks
            .iter()
            .flat_map(|(own, family)| {
                let own: Vec<usize> = own.iter().map(|&column| columns[column]).collect();
                part_columns(family, &own)
            })
            .collect(),
        other => vec![None; other.layout(columns.len()).map_or(0, |layout| layout.parts.len())],
    }
}

/// For every code of one list of categories the code of the same name in another; `None` if there are no names.
fn new_codes(from: &Kind, to: &Kind) -> Option<Vec<usize>> {
    let (Kind::Categorical { levels: from }, Kind::Categorical { levels: to }) = (from, to) else {
        return None;
    };
    let places: std::collections::BTreeMap<&str, usize> =
        to.iter().enumerate().map(|(code, level)| (level.as_str(), code)).collect();
    Some(from.iter().map(|level| places.get(level.as_str()).copied().unwrap_or(to.len())).collect())
}

/// The same counts under other codes.
fn recoded(sums: &ExactSums, codes: &[usize]) -> ExactSums {
    let mut new = ExactSums::new(0);
    for (old, sum) in sums.iter().enumerate() {
        let code = codes.get(old).copied().unwrap_or(old);
        new.grow(code + 1);
        sum.components().iter().for_each(|&component| new.add(code, component));
    }
    new
}
