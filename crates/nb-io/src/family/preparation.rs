//! What is learnt from rows before any are summed: cut points, grids, powers, parents.

use nb_core::{Blocks, Rows, family::BlockBuffer};
use nb_variants::{Preparation, PreparationError, Variant};
use ndarray::Array2;

use super::Family;

/// What finds some columns of a variant, given the cells of all of them.
type Find<'a> = dyn Fn(&dyn Variant, &Array2<f64>) -> Result<Vec<usize>, PreparationError> + 'a;

impl Family {
    /// Whether it, or a block of it, has something that is learnt from rows.
    pub fn is_learnt(&self) -> bool {
        match self {
            Self::Blocks(blocks) => blocks.iter().any(|(_, family)| family.is_learnt()),
            family => family.description().is_learnt,
        }
    }

    /// The same family with cut points, grids, powers and parents for each column, learnt from rows with one
    /// class number per row; hyper-parameters and families without such things stay. A column of a family
    /// with [counts of pairs](Self::pair_counts) in which [`BinRule::Mdl`](nb_variants::BinRule::Mdl) and
    /// [`BinRule::Modl`](nb_variants::BinRule::Modl) find no cut point has a bin for each of its values if
    /// these are at most ten, and whole numbers. With them fixed, statistics are sums as ever: rows are
    /// added, merged and removed exactly.
    ///
    /// ```
    /// use nb_core::{Blocks, Gaussian, Prior};
    /// use nb_io::{BinRule, Family, Model, Preparation, Schema};
    /// use nb_variants::Binned;
    /// use ndarray::array;
    ///
    /// let x = array![[1.0, 0.5], [2.0, 0.1], [8.0, 0.4], [9.0, 0.2]];
    /// let family = Blocks::default()
    ///     .with_same([0], Family::from(Binned::default()))
    ///     .with_same([1], Family::from(Gaussian::default()));
    /// let rules = Preparation::default().with_bins(BinRule::EqualWidth(2));
    /// let family = Family::Blocks(family).prepared(rules, &x, &[0, 0, 1, 1])?;
    ///
    /// let mut model = Model::new(Schema::numeric(["a", "b"], "y"), family, Prior::Empirical)?;
    /// model.update(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(model.classifier()?.predict(&array![[4.0, 0.3], [6.0, 0.3]])?, ["low", "high"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PreparationError`] if a column has cells that its family does not take, or no values.
    pub fn prepared(
        &self,
        rules: Preparation,
        rows: &(impl Rows + ?Sized),
        classes: &[usize],
    ) -> Result<Self, PreparationError> {
        if rows.n_rows() != classes.len() {
            return Err(PreparationError::Labels { rows: rows.n_rows(), labels: classes.len() });
        }
        if !self.is_learnt() {
            return Ok(self.clone());
        }
        let Self::Blocks(blocks) = self else {
            let all: Vec<usize> = (0..rows.n_columns()).collect();
            return self.learnt_from(rules, &columns_of(rows, &all), classes);
        };
        let mut prepared = Blocks::default().ignore(blocks.ignored().iter().copied());
        for (columns, family) in blocks.iter() {
            let own = if family.is_learnt() {
                let own = columns_of(rows, columns);
                let learnt = family.prepared(rules, &own, classes);
                learnt.map_err(|error| error.in_columns(columns))?
            } else {
                family.clone()
            };
            prepared = prepared.with_same(columns.iter().copied(), own);
        }
        Ok(Self::Blocks(prepared))
    }

    /// The columns, ascending, whose power is where doubles end
    /// ([`Variant::columns_at_limit`](nb_variants::Variant::columns_at_limit)): `rows` and `classes` are
    /// those that the family was [prepared](Self::prepared) with.
    ///
    /// # Errors
    /// As from [`prepared`](Self::prepared).
    pub fn columns_at_limit(
        &self,
        rows: &(impl Rows + ?Sized),
        classes: &[usize],
    ) -> Result<Vec<usize>, PreparationError> {
        self.columns_where(rows, &|variant, rows| variant.columns_at_limit(rows, classes))
    }

    /// The columns, ascending, whose cut points may not be the best ones
    /// ([`Variant::inexact_columns`](nb_variants::Variant::inexact_columns)): the rules, `rows` and
    /// `classes` are those that the family was [prepared](Self::prepared) with.
    ///
    /// # Errors
    /// As from [`prepared`](Self::prepared).
    pub fn inexact_columns(
        &self,
        rules: Preparation,
        rows: &(impl Rows + ?Sized),
        classes: &[usize],
    ) -> Result<Vec<usize>, PreparationError> {
        self.columns_where(rows, &|variant, rows| variant.inexact_columns(&rules, rows, classes))
    }

    /// The columns, ascending, that `found` finds among those of each variant, given their cells.
    fn columns_where(
        &self,
        rows: &(impl Rows + ?Sized),
        found: &Find<'_>,
    ) -> Result<Vec<usize>, PreparationError> {
        if let Self::Blocks(blocks) = self {
            let mut all = Vec::new();
            for (columns, family) in blocks.iter().filter(|(_, family)| family.is_learnt()) {
                let own = family.columns_where(&columns_of(rows, columns), found);
                let own = own.map_err(|error| error.in_columns(columns))?;
                all.extend(own.into_iter().map(|place| columns[place]));
            }
            all.sort_unstable();
            return Ok(all);
        }
        let Some(variant) = self.variant() else { return Ok(Vec::new()) };
        let all: Vec<usize> = (0..rows.n_columns()).collect();
        found(variant, &columns_of(rows, &all))
    }

    /// The same without blocks, for rows of its own columns.
    fn learnt_from(
        &self,
        rules: Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<Self, PreparationError> {
        let mut family = self.clone();
        if let Some(variant) = family.variant_mut() {
            variant.learn(&rules, rows, classes)?;
            variant.learn_dependences(&rules, rows, classes)?;
        }
        Ok(family)
    }

    /// The first column of which two families have learnt something else.
    pub(crate) fn first_learnt_otherwise(&self, other: &Self) -> Option<usize> {
        if let (Self::Blocks(own), Self::Blocks(others)) = (self, other) {
            let pairs = own.iter().zip(others.iter()).filter(|(own, other)| own.0 == other.0);
            let places = pairs
                .filter_map(|((columns, own), (_, other))| Some(columns[own.first_learnt_otherwise(other)?]));
            return places.min();
        }
        if self.description().name != other.description().name {
            return None;
        }
        let (own, other) = (self.variant()?.learnt(), other.variant()?.learnt());
        let n_columns = own.first().map_or(0, Vec::len);
        let differs = |column: &usize| {
            own.iter().zip(&other).any(|(own, other)| own.get(*column) != other.get(*column))
        };
        (0..n_columns).find(differs)
    }
}

/// Some columns of rows of any source.
fn columns_of(rows: &(impl Rows + ?Sized), columns: &[usize]) -> Array2<f64> {
    const ROWS: usize = 1024;
    let mut places = vec![None; rows.n_columns()];
    for (place, &column) in columns.iter().enumerate() {
        if let Some(own) = places.get_mut(column) {
            *own = Some(place);
        }
    }
    let mut all = Array2::zeros((rows.n_rows(), columns.len()));
    let mut buffer = BlockBuffer::default();
    for first in (0..rows.n_rows()).step_by(ROWS) {
        let end = rows.n_rows().min(first + ROWS);
        buffer.read(rows, first..end).for_each_stored(|row, column, value| {
            if let Some(place) = places[column] {
                all[[first + row, place]] = value;
            }
        });
    }
    all
}
