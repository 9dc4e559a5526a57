//! Rows taken out with the names that only they had.

use nb_core::{FeatureModel, exact::ExactSums};
use nb_variants::{Codings, PairCounts};

use super::{MergeError, Model, ModelError, RemovalError, remap::Remap};
use crate::{Family, Kind, Schema, text::Terms};

impl Model {
    /// Takes out rows that were added, of which `other` has the evidence, and the categories and words that
    /// no other row has: a name in a message is then neither in the file nor in the smoothing. Categories
    /// and words without rows that these rows do not have stay, as they were declared.
    ///
    /// The result is that of never having seen the rows, as [`subtract`](Self::subtract) is for models that
    /// had all names before. The last names of a column stay, too, as a column has some; and what was
    /// learnt from the rows beside sums and names stays: cut points, inverse document frequencies,
    /// weights and corrections.
    ///
    /// ```
    /// use nb_core::Prior;
    /// use nb_io::{Column, Family, Kind, Model, Schema};
    /// use ndarray::array;
    ///
    /// let schema = |levels: &[&str]| Schema {
    ///     columns: vec![Column {
    ///         name: "town".into(),
    ///         kind: Kind::Categorical { levels: levels.iter().map(|&level| level.into()).collect() },
    ///     }],
    ///     label: "class".into(),
    /// };
    /// let model = |levels: &[&str], codes: &[f64], labels: &[&str]| -> Result<Model, nb_io::Error> {
    ///     let schema = schema(levels);
    ///     let family = Family::for_schema(&schema);
    ///     let mut model = Model::new(schema, family, Prior::Empirical)?;
    ///     model.update(&ndarray::Array2::from_shape_vec((codes.len(), 1), codes.to_vec()).unwrap(), labels)?;
    ///     Ok(model)
    /// };
    /// let before = model(&["Bern", "Rome"], &[0.0, 1.0, 1.0], &["a", "b", "b"])?;
    /// let row = model(&["Oslo"], &[0.0], &["a"])?;
    /// let mut after = before.clone();
    /// after.merge(&row)?;
    /// after.forget(&row)?;
    /// assert_eq!(after.to_bytes()?, before.to_bytes()?);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`subtract`](Self::subtract), and [`RemovalError::NotAdded`] if the model
    /// [knows](Self::row_fingerprint) that it never had the rows; nothing was changed then.
    pub fn forget(&mut self, other: &Self) -> Result<(), MergeError> {
        let mut rest = self.clone();
        // What is wrong with a sum says more.
        rest.subtract(other)?;
        if let Some((own, others)) = self.row_fingerprint().zip(other.row_fingerprint())
            && !own.may_have(others)
        {
            return Err(RemovalError::NotAdded.into());
        }
        let removed = other.with_schema(&rest.schema)?;
        let schema = rest.without_names_of(&removed);
        *self = if schema == rest.schema { rest } else { rest.narrowed(&schema)? };
        Ok(())
    }

    /// The columns without the names that rows had that were taken out and no others have.
    fn without_names_of(&self, removed: &Self) -> Schema {
        let (own, gone) = (self.counted(), removed.counted());
        let mut schema = self.schema.clone();
        for ((column, own), gone) in schema.columns.iter_mut().zip(own).zip(gone) {
            let stays: Vec<bool> = own.iter().zip(gone).map(|(own, gone)| *own || !gone).collect();
            if stays.iter().all(|stays| *stays) || !stays.contains(&true) {
                continue;
            }
            match &mut column.kind {
                Kind::Categorical { levels } => keep(levels, &stays),
                Kind::Text(text) => {
                    if let Terms::Vocabulary(terms) = &mut text.terms {
                        keep(terms, &stays);
                    }
                    if let Some(frequencies) = &mut text.weighting.inverse_document_frequency {
                        keep(frequencies, &stays);
                    }
                }
                _ => {}
            }
        }
        schema
    }

    /// The same with fewer names, of which those that go are in no sum.
    fn narrowed(&self, schema: &Schema) -> Result<Self, ModelError> {
        let remap = Remap::new(&self.schema, schema);
        let (family, _) = remap.all(&self.family)?;
        let (_, places) = Remap::new(schema, &self.schema).all(&family)?;
        let lengths = family.layout(schema.n_features())?.parts;
        self.remapped(&remap, family, |part, sums| match &places[part] {
            Some(places) => at_places(sums, places, lengths[part].len),
            None => sums.clone(),
        })
    }

    /// For each column, which of its categories and words are in a sum.
    fn counted(&self) -> Vec<Vec<bool>> {
        let of_column = |kind: &Kind| match kind {
            Kind::Categorical { levels } => levels.len(),
            Kind::Text(text) => match &text.terms {
                Terms::Vocabulary(terms) => terms.len(),
                Terms::Hashed { .. } => 0,
            },
            _ => 0,
        };
        let places = self.schema.feature_ranges().enumerate();
        let columns = places.flat_map(|(column, features)| {
            let first = features.start;
            features.map(move |feature| (column, feature - first))
        });
        let mut counted = Counted {
            columns: columns.collect(),
            schema: &self.schema,
            found: self.schema.columns.iter().map(|column| vec![false; of_column(&column.kind)]).collect(),
        };
        let classes: Vec<&[ExactSums]> = self.stats.class_sums().collect();
        let mut parts = Parts { classes: &classes, next: 0 };
        counted.look(&self.family, &(0..self.schema.n_features()).collect::<Vec<_>>(), &mut parts);
        counted.found
    }
}

/// The parts of the sums of all classes, from the next one on.
struct Parts<'a> {
    classes: &'a [&'a [ExactSums]],
    next: usize,
}

impl<'a> Parts<'a> {
    /// The sums of the next part, class by class.
    fn next(&mut self) -> impl Iterator<Item = &'a ExactSums> + use<'a> {
        let (classes, part) = (self.classes, self.next);
        self.next += 1;
        classes.iter().filter_map(move |parts| parts.get(part))
    }
}

/// The names that are in a sum.
struct Counted<'a> {
    /// The column of each feature, and its place in it.
    columns: Vec<(usize, usize)>,
    schema: &'a Schema,
    found: Vec<Vec<bool>>,
}

impl Counted<'_> {
    /// Looks at the sums of a family of some features.
    fn look(&mut self, family: &Family, features: &[usize], parts: &mut Parts<'_>) {
        if let Family::Blocks(blocks) = family {
            for (own, family) in blocks.iter() {
                let own: Vec<usize> = own.iter().map(|&place| features[place]).collect();
                self.look(family, &own, parts);
            }
            return;
        }
        if family.category_counts().is_some() {
            for &feature in features {
                for sums in parts.next() {
                    for code in occupied(sums) {
                        self.category(feature, code);
                    }
                }
            }
            return;
        }
        if let Some((variant, counts)) = family.variant().zip(family.pair_counts()) {
            self.look_at_pairs(features, parts, |new, codes| variant.code_places(new, codes), counts);
            return;
        }
        for _ in 0..family.layout(features.len()).map_or(0, |layout| layout.parts.len()) {
            for sums in parts.next() {
                for place in occupied(sums).filter(|place| *place < features.len()) {
                    let (column, term) = self.columns[features[place]];
                    if matches!(self.schema.columns[column].kind, Kind::Text(_))
                        && let Some(found) = self.found[column].get_mut(term)
                    {
                        *found = true;
                    }
                }
            }
        }
    }

    /// The same for counts of several columns at once: the sums that move as a category gets another code are
    /// those that it is in.
    fn look_at_pairs(
        &mut self,
        features: &[usize],
        parts: &mut Parts<'_>,
        places: impl Fn(&PairCounts, &[Option<Vec<usize>>]) -> Vec<Vec<usize>>,
        counts: &PairCounts,
    ) {
        let n_parts = places(counts, &vec![None; features.len()]).len();
        let occupied_by_part: Vec<Vec<usize>> = (0..n_parts)
            .map(|_| parts.next().flat_map(|sums| occupied(sums).collect::<Vec<_>>()).collect())
            .collect();
        for (place, &feature) in features.iter().enumerate() {
            let n_levels = self.found[self.columns[feature].0].len();
            if n_levels == 0 || counts.codings.n_categories().get(place).is_none_or(|&own| own == 0) {
                continue;
            }
            let mut n_categories = counts.codings.n_categories().to_vec();
            n_categories[place] = n_levels + 1;
            let Ok(codings) = Codings::new(n_categories, counts.codings.cuts().clone()) else { continue };
            let wider = PairCounts { codings, ..counts.clone() };
            let places_of = |codes: Vec<usize>| {
                let mut all = vec![None; features.len()];
                all[place] = Some(codes);
                places(&wider, &all)
            };
            let as_they_are = places_of((0..n_levels).collect());
            for level in 0..n_levels {
                let mut codes: Vec<usize> = (0..n_levels).collect();
                codes[level] = n_levels;
                let moved = places_of(codes);
                let is_counted = occupied_by_part.iter().enumerate().any(|(part, occupied)| {
                    occupied.iter().any(|&at| moved[part].get(at) != as_they_are[part].get(at))
                });
                if is_counted {
                    self.category(feature, level);
                }
            }
        }
    }

    fn category(&mut self, feature: usize, code: usize) {
        if let Some(found) = self.found[self.columns[feature].0].get_mut(code) {
            *found = true;
        }
    }
}

/// The sums that are not zero.
fn occupied(sums: &ExactSums) -> impl Iterator<Item = usize> + '_ {
    sums.occupied(0..sums.len()).filter(|&index| !sums.get_dyadic(index).is_zero())
}

/// The sums at these places; a part of length 0 is as long as there are sums.
fn at_places(sums: &ExactSums, places: &[usize], len: usize) -> ExactSums {
    let known = || places.iter().enumerate().filter(|(_, old)| **old < sums.len());
    let n_known = known().next_back().map_or(0, |(place, _)| place + 1);
    let mut new = ExactSums::new(if len == 0 { n_known } else { len });
    known().for_each(|(place, &old)| new.add_sum(place, sums, old));
    new
}

fn keep<T>(all: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    all.retain(|_| stays.next().is_none_or(|stays| *stays));
}
