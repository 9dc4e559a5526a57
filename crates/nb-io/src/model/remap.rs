//! Giving the categories and terms of a model other places, so that models that learnt them in another order,
//! or others, can be merged.

use std::collections::BTreeMap;

use nb_core::{Blocks, Categorical, Categories, FeatureModel, SufficientStats, exact::ExactSums};
use nb_variants::{Codings, PairCounts};

use super::{Model, ModelError};
use crate::{Family, Kind, Schema, text::Terms};

impl Model {
    /// The same model with the categories and terms of `schema`, which has at least those of this model.
    pub(crate) fn with_schema(&self, schema: &Schema) -> Result<Self, ModelError> {
        if self.schema == *schema {
            return Ok(self.clone());
        }
        let remap = Remap::new(&self.schema, schema);
        let (family, moves) = remap.all(&self.family)?;
        self.remapped(&remap, family, |part, sums| match &moves[part] {
            Some(places) => moved(sums, places),
            None => sums.clone(),
        })
    }

    /// The same model with the new schema of a remap and a family for it; `sums` gives those of a part their
    /// new places.
    pub(super) fn remapped(
        &self,
        remap: &Remap<'_>,
        family: Family,
        sums: impl Fn(usize, &ExactSums) -> ExactSums,
    ) -> Result<Self, ModelError> {
        let schema = remap.to;
        let classes = self.stats.classes().zip(self.stats.class_weights()).zip(self.stats.class_sums());
        let classes = classes.map(|((label, weight), parts)| {
            let parts = parts.iter().enumerate().map(|(part, own)| sums(part, own));
            (label.clone(), weight, parts.collect())
        });
        let stats = SufficientStats::from_parts(&family, schema.n_features(), classes)?;
        let refinement = self.refinement.as_ref().map(|refinement| {
            refinement.moved(&remap.features, schema.feature_ranges(), |feature| remap.codes(feature))
        });
        Self::from_parts(schema.clone(), family, self.prior.clone(), stats)?.completed(
            self.reading.clone(),
            refinement,
            self.calibration.clone(),
            self.decision.clone(),
            self.training.clone(),
        )
    }
}

/// The family of a model with the schema `from`, for a schema with at least its categories and terms.
pub(crate) fn adapted(family: &Family, from: &Schema, to: &Schema) -> Result<Family, ModelError> {
    Ok(Remap::new(from, to).all(family)?.0)
}

/// For every part of the sums the new place of every old one, if they move.
type Moves = Vec<Option<Vec<usize>>>;

/// For every column the new code of every old one, if they are others.
type NewCodes = Vec<Option<Vec<usize>>>;

/// From one schema to another of the same columns, with more names or with fewer.
pub(super) struct Remap<'a> {
    from: &'a Schema,
    to: &'a Schema,
    /// For every old feature its column.
    columns: Vec<usize>,
    /// For every old feature the same in the new schema; beyond all for a term that it does not have.
    features: Vec<usize>,
    /// For every column its first old and new feature, if its terms are not the same in both.
    new_terms: Vec<Option<(usize, usize)>>,
}

impl<'a> Remap<'a> {
    pub(super) fn new(from: &'a Schema, to: &'a Schema) -> Self {
        let (mut columns, mut features) = (Vec::new(), Vec::new());
        let mut new_terms = Vec::with_capacity(from.columns.len());
        let mut first_new = 0;
        for (column, (old, new)) in from.columns.iter().zip(&to.columns).enumerate() {
            let first_old = features.len();
            columns.extend(std::iter::repeat_n(column, old.n_features()));
            let places = new_places(&old.kind, &new.kind);
            new_terms.push(places.is_some().then_some((first_old, first_new)));
            match places {
                Some(places) => features
                    .extend(places.iter().map(|place| place.map_or(usize::MAX, |place| first_new + place))),
                None => features.extend(first_new..first_new + old.n_features()),
            }
            first_new += new.n_features();
        }
        Self { from, to, columns, features, new_terms }
    }

    /// For a feature of named categories: the new code of each old one, and how many new ones there are.
    fn codes(&self, feature: usize) -> Option<(Vec<usize>, usize)> {
        let column = self.columns[feature];
        let to = &self.to.columns[column].kind;
        let codes = new_codes(&self.from.columns[column].kind, to)?;
        let Kind::Categorical { levels } = to else { return None };
        Some((codes, levels.len()))
    }

    /// The family that sees all features.
    pub(super) fn all(&self, family: &Family) -> Result<(Family, Moves), ModelError> {
        let old: Vec<usize> = (0..self.features.len()).collect();
        let new: Vec<usize> = (0..self.to.n_features()).collect();
        self.family(family, &old, &new)
    }

    /// A family that saw some features and is to see others, which are the same and perhaps further terms.
    fn family(&self, family: &Family, old: &[usize], new: &[usize]) -> Result<(Family, Moves), ModelError> {
        match family {
            Family::Blocks(blocks) => self.blocks(blocks, old, new),
            other => {
                if let Some(Categorical { categories, .. }) = other.category_counts() {
                    let mut categories = categories.clone();
                    if let Categories::Declared(counts) = &mut categories {
                        for (count, &feature) in counts.iter_mut().zip(old) {
                            if let Kind::Categorical { levels } = &self.to.columns[self.columns[feature]].kind
                            {
                                *count = levels.len();
                            }
                        }
                    }
                    let codes = |&feature: &usize| Some(self.codes(feature)?.0);
                    return Ok((family.clone().with_categories(categories), old.iter().map(codes).collect()));
                }
                if let Some((variant, counts)) = other.variant().zip(other.pair_counts()) {
                    let (counts, codes) = self.pairs(counts, old)?;
                    let places = variant.code_places(&counts, &codes).into_iter().map(Some).collect();
                    return Ok((other.clone().with_pair_counts(counts)?, places));
                }
                let n_parts = other.layout(old.len()).map_or(0, |layout| layout.parts.len());
                if old.iter().all(|&feature| self.new_terms[self.columns[feature]].is_none()) {
                    return Ok((other.clone(), vec![None; n_parts]));
                }
                if old.len() < new.len() {
                    check_growth(other)?;
                }
                let places = positions(new, self.to.n_features());
                let place =
                    |&feature: &usize| places.get(self.features[feature]).copied().unwrap_or(usize::MAX);
                let places: Vec<usize> = old.iter().map(place).collect();
                Ok((other.clone(), vec![Some(places); n_parts]))
            }
        }
    }

    /// The same evidence with the new categories, and for each column the new code of every old one, if they
    /// are others.
    fn pairs(&self, counts: &PairCounts, old: &[usize]) -> Result<(PairCounts, NewCodes), ModelError> {
        let mut n_categories = counts.codings.n_categories().to_vec();
        let mut codes = Vec::with_capacity(n_categories.len());
        for (count, &feature) in n_categories.iter_mut().zip(old) {
            let new = self.codes(feature).filter(|_| *count > 0);
            codes.push(new.map(|(codes, n_codes)| {
                *count = n_codes;
                codes
            }));
        }
        let codings = Codings::new(n_categories, counts.codings.cuts().clone())?;
        Ok((PairCounts { codings, ..counts.clone() }, codes))
    }

    fn blocks(
        &self,
        blocks: &Blocks<Family>,
        old: &[usize],
        new: &[usize],
    ) -> Result<(Family, Moves), ModelError> {
        let places = positions(new, self.to.n_features());
        let select = |own: &[usize]| -> Result<(Vec<usize>, Vec<usize>), ModelError> {
            let own: Vec<usize> = own.iter().map(|&place| old[place]).collect();
            let new = self.new_features(&own)?;
            Ok((own, new))
        };
        let (_, ignored) = select(blocks.ignored())?;
        let mut new_blocks = Blocks::default().ignore(ignored.iter().map(|&feature| places[feature]));
        let mut moves = Vec::new();
        for (own, family) in blocks.iter() {
            let (own_old, own_new) = select(own)?;
            let (family, own_moves) = self.family(family, &own_old, &own_new)?;
            new_blocks = new_blocks.with_same(own_new.iter().map(|&feature| places[feature]), family);
            moves.extend(own_moves);
        }
        Ok((Family::Blocks(new_blocks), moves))
    }

    /// The new features in the place of some old ones: where there are all terms of a text, all of its new
    /// terms.
    fn new_features(&self, old: &[usize]) -> Result<Vec<usize>, ModelError> {
        let mut new = Vec::with_capacity(old.len());
        let mut rest = old;
        while let [feature, others @ ..] = rest {
            let column = self.columns[*feature];
            let Some((first_old, first_new)) = self.new_terms[column] else {
                new.push(self.features[*feature]);
                rest = others;
                continue;
            };
            let old_terms = first_old..first_old + self.from.columns[column].n_features();
            let Some(others) = rest
                .get(old_terms.len()..)
                .filter(|_| rest.iter().copied().zip(old_terms.clone()).all(|(a, b)| a == b))
            else {
                return Err(ModelError::TermsApart { column: self.from.columns[column].name.clone() });
            };
            new.extend(first_new..first_new + self.to.columns[column].n_features());
            rest = others;
        }
        Ok(new)
    }
}

/// Where each feature stands in a list; beyond all if it does not.
fn positions(features: &[usize], n_features: usize) -> Vec<usize> {
    let mut positions = vec![usize::MAX; n_features];
    features.iter().enumerate().for_each(|(position, &feature)| positions[feature] = position);
    positions
}

/// Refuses a family for which a term unknown to a model is not a count of zero.
fn check_growth(family: &Family) -> Result<(), ModelError> {
    let smoothing = match family {
        Family::Multinomial(family) => &family.smoothing,
        Family::Complement(family) => &family.smoothing,
        Family::Bernoulli(family) => {
            if family.threshold < 0.0 {
                return Err(ModelError::Threshold { threshold: family.threshold });
            }
            &family.smoothing
        }
        // No other family takes texts.
        _ => return Ok(()),
    };
    if smoothing.as_slice().is_some() { Err(ModelError::SmoothingPerTerm) } else { Ok(()) }
}

/// For every term of one vocabulary the place of the same term in another, if it is there; `None` if they are
/// the same, or there are none.
fn new_places(from: &Kind, to: &Kind) -> Option<Vec<Option<usize>>> {
    fn vocabulary(kind: &Kind) -> Option<&Vec<String>> {
        match kind {
            Kind::Text(text) => match &text.terms {
                Terms::Vocabulary(terms) => Some(terms),
                Terms::Hashed { .. } => None,
            },
            _ => None,
        }
    }
    let (from, to) = (vocabulary(from)?, vocabulary(to)?);
    if from == to {
        return None;
    }
    // Both are in order.
    Some(from.iter().map(|term| to.binary_search(term).ok()).collect())
}

/// For every code of one list of categories the code of the same name in another; `None` if there are no
/// names.
fn new_codes(from: &Kind, to: &Kind) -> Option<Vec<usize>> {
    let (Kind::Categorical { levels: from }, Kind::Categorical { levels: to }) = (from, to) else {
        return None;
    };
    let places: BTreeMap<&str, usize> =
        to.iter().enumerate().map(|(code, level)| (level.as_str(), code)).collect();
    Some(from.iter().map(|level| places.get(level.as_str()).copied().unwrap_or(to.len())).collect())
}

/// The same sums in other places.
fn moved(sums: &ExactSums, places: &[usize]) -> ExactSums {
    let place = |old: usize| places.get(old).copied().unwrap_or(old);
    let mut new = ExactSums::new((0..sums.len()).map(|old| place(old) + 1).max().unwrap_or(0));
    for old in 0..sums.len() {
        new.add_sum(place(old), sums, old);
    }
    new
}
