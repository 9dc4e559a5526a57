//! What is learnt from rows before any are summed: cut points, grids, powers, parents.

use nb_core::{
    Blocks, Rows,
    error::{FitRowsError, LayoutError, UpdateError, ValueError, ValueProblem},
    family::BlockBuffer,
};
use nb_variants::{
    Binned, Codings, Cuts, DiscretiseError, GridError, Kdb, KernelDensity, LambdaError, PairCounts,
    PowerTransform, Transform, Transformed,
};
use ndarray::{Array2, Axis};

use super::{
    Family,
    rules::{BinRule, ParentRule, PowerRule},
};

/// How families learn from rows what they must know before these are summed; see [`Family::prepared`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preparation {
    /// How numbers become bins.
    pub bins: BinRule,
    /// What numbers go through before they are normal.
    pub power: PowerRule,
    /// On which columns others depend.
    pub parents: ParentRule,
}

/// Why nothing can be learnt from rows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreparationError {
    /// A cell cannot be of its family.
    #[error("column {column}: {} {reason}", short(*.value))]
    Value {
        /// The column.
        column: usize,
        /// The value of the cell.
        value: f64,
        /// What is wrong with it.
        reason: ValueProblem,
    },
    /// A column has no values.
    #[error("column {column} has no values to learn from; leave it out")]
    NoValues {
        /// The column.
        column: usize,
    },
    /// There is not one label per row.
    #[error("{rows} rows but {labels} labels; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// There are too many bins.
    #[error(transparent)]
    Bins(DiscretiseError),
    /// A column has no power.
    #[error(transparent)]
    Power(LambdaError),
    /// A column has no grid.
    #[error(transparent)]
    Grid(GridError),
    /// There are more counts of columns with their parents than there may be, or a hyper-parameter is out of range.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The parents cannot be learnt.
    #[error(transparent)]
    Parents(FitRowsError),
}

/// A number as people write it: without hundreds of zeros.
fn short(value: f64) -> String {
    let is_plain = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    if is_plain { value.to_string() } else { format!("{value:e}") }
}

impl Preparation {
    /// The same with other bins.
    #[must_use]
    pub fn with_bins(self, bins: BinRule) -> Self {
        Self { bins, ..self }
    }

    /// The same with another transform.
    #[must_use]
    pub fn with_power(self, power: PowerRule) -> Self {
        Self { power, ..self }
    }

    /// The same with other parents.
    #[must_use]
    pub fn with_parents(self, parents: ParentRule) -> Self {
        Self { parents, ..self }
    }
}

impl Family {
    /// Whether it, or a block of it, has something that is learnt from rows.
    pub fn is_learnt(&self) -> bool {
        match self {
            Self::Blocks(blocks) => blocks.iter().any(|(_, family)| family.is_learnt()),
            family => family.description().is_learnt,
        }
    }

    /// The same family with cut points, grids, powers and parents for each column, learnt from rows with one class number per row;
    /// hyper-parameters and families without such things stay. A column of a family with [counts of pairs](Self::pair_counts) in which [`BinRule::Mdl`] and
    /// [`BinRule::Modl`] find no cut point has a bin for each of its values if these are at most ten, and whole numbers. With them fixed, statistics are sums as ever: rows are added,
    /// merged and removed exactly.
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
            return learn(self, rules, &columns_of(rows, &all), classes);
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

    /// The columns, ascending, whose power is where doubles end ([`Transformed::columns_at_limit`]): `rows` and `classes` are those that
    /// the family was [prepared](Self::prepared) with.
    ///
    /// # Errors
    /// As from [`prepared`](Self::prepared).
    pub fn columns_at_limit(
        &self,
        rows: &(impl Rows + ?Sized),
        classes: &[usize],
    ) -> Result<Vec<usize>, PreparationError> {
        match self {
            Self::Power(power) => Ok(power.columns_at_limit(rows, classes)?),
            Self::Blocks(blocks) => {
                let mut all = Vec::new();
                for (columns, family) in blocks.iter() {
                    if !matches!(family, Self::Power(_) | Self::Blocks(_)) {
                        continue;
                    }
                    let own = family.columns_at_limit(&columns_of(rows, columns), classes);
                    let own = own.map_err(|error| error.in_columns(columns))?;
                    all.extend(own.into_iter().map(|place| columns[place]));
                }
                all.sort_unstable();
                Ok(all)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The first column of which two families have learnt something else.
    pub(crate) fn first_learnt_otherwise(&self, other: &Self) -> Option<usize> {
        let differs =
            |n_columns: usize, differs: &dyn Fn(usize) -> bool| (0..n_columns).find(|&c| differs(c));
        match (self, other) {
            (Self::Blocks(own), Self::Blocks(others)) => {
                let pairs = own.iter().zip(others.iter()).filter(|(own, other)| own.0 == other.0);
                let places = pairs.filter_map(|((columns, own), (_, other))| {
                    Some(columns[own.first_learnt_otherwise(other)?])
                });
                places.min()
            }
            (Self::Binned(own), Self::Binned(other)) => {
                differs(own.cuts.n_columns(), &|column| own.cuts.column(column) != other.cuts.column(column))
            }
            (Self::Kernel(own), Self::Kernel(other)) => {
                differs(own.grids.len(), &|column| own.grids.get(column) != other.grids.get(column))
            }
            (Self::Power(own), Self::Power(other)) => differs(own.transforms.len(), &|column| {
                own.transforms.get(column) != other.transforms.get(column)
                    || own.units.get(column) != other.units.get(column)
            }),
            (own, other) => {
                let parents = match (own, other) {
                    (Self::Kdb(own), Self::Kdb(other)) => Some((own.parents(), other.parents())),
                    _ => None,
                };
                let (own, other) = (own.pair_counts()?.codings.cuts(), other.pair_counts()?.codings.cuts());
                differs(own.n_columns(), &|column| {
                    own.column(column) != other.column(column)
                        || parents.is_some_and(|(own, other)| own.get(column) != other.get(column))
                })
            }
        }
    }
}

/// A family that is no block, for these columns.
fn learn(
    family: &Family,
    rules: Preparation,
    rows: &Array2<f64>,
    classes: &[usize],
) -> Result<Family, PreparationError> {
    Ok(match family {
        Family::Binned(binned) => {
            Family::Binned(Binned { cuts: cuts(rules.bins, rows, classes)?, ..binned.clone() })
        }
        Family::Kernel(kernel) => {
            let learnt = KernelDensity::learn(rows, classes, kernel.missing)?;
            Family::Kernel(KernelDensity { grids: learnt.grids, ..kernel.clone() })
        }
        Family::Power(power) => {
            let transform = match rules.power {
                PowerRule::YeoJohnson => PowerTransform::YeoJohnson,
                PowerRule::BoxCox | PowerRule::Log => PowerTransform::BoxCox,
            };
            // What a logarithm does not take no power of Box and Cox takes, either.
            let learnt = Transformed::learn(rows, classes, transform, power.gaussian.missing)?;
            let learnt = if rules.power == PowerRule::Log {
                Transformed::new(vec![Transform::Log; rows.ncols()])
            } else {
                learnt
            };
            Family::Power(Transformed { gaussian: power.gaussian, ..learnt })
        }
        family => match family.pair_counts() {
            Some(counts) => {
                let counts = pairs(counts, rules.bins, rows, classes)?;
                match family {
                    Family::Kdb(kdb) => Family::Kdb(with_parents(kdb, counts, rules.parents, rows, classes)?),
                    family => family.clone().with_pair_counts(counts)?,
                }
            }
            None => family.clone(),
        },
    })
}

/// The cut points of all columns.
fn cuts(rule: BinRule, rows: &Array2<f64>, classes: &[usize]) -> Result<Cuts, DiscretiseError> {
    match rule {
        BinRule::Mdl => Cuts::mdl(rows, classes),
        BinRule::Modl => Cuts::modl(rows, classes),
        BinRule::EqualWidth(n_bins) => Cuts::equal_width(rows, n_bins),
        BinRule::EqualFrequency(n_bins) => Cuts::equal_frequency(rows, n_bins),
    }
}

/// The same evidence with cut points of its columns of numbers.
fn pairs(
    counts: &PairCounts,
    rule: BinRule,
    rows: &Array2<f64>,
    classes: &[usize],
) -> Result<PairCounts, PreparationError> {
    let n_categories = match counts.codings.n_categories() {
        // Nothing was said of any column.
        [] => vec![0; rows.ncols()],
        n_categories => n_categories.to_vec(),
    };
    let numbers: Vec<usize> =
        (0..rows.ncols()).filter(|&column| n_categories.get(column) == Some(&0)).collect();
    let mut all = vec![Vec::new(); n_categories.len()];
    let own = cuts(rule, &rows.select(Axis(1), &numbers), classes);
    let own = own.map_err(|error| PreparationError::from(error).in_columns(&numbers))?;
    let by_class = matches!(rule, BinRule::Mdl | BinRule::Modl);
    for (place, &column) in numbers.iter().enumerate() {
        all[column] = match own.column(place) {
            [] if by_class => between_few_values(rows.column(column).iter().copied()),
            own => own.to_vec(),
        };
    }
    let codings = Cuts::new(all).ok().and_then(|cuts| Codings::new(n_categories, cuts).ok());
    let codings = codings.unwrap_or_else(|| unreachable!("the cuts are valid, a list for each column"));
    Ok(PairCounts { codings, ..counts.clone() })
}

/// The family with parents that are learnt from rows, and the smoothing that it has.
fn with_parents(
    family: &Kdb,
    counts: PairCounts,
    rule: ParentRule,
    rows: &Array2<f64>,
    classes: &[usize],
) -> Result<Kdb, PreparationError> {
    let learnt = Kdb::with_learnt(counts, rule.into(), rows, classes).map_err(|error| match error {
        FitRowsError::Update(UpdateError::Value(error)) => error.into(),
        FitRowsError::Layout(error) => PreparationError::Layout(error),
        error => PreparationError::Parents(error),
    })?;
    Ok(match family.hierarchical() {
        Some(smoothing) => learnt.with_hierarchical(smoothing),
        None => learnt,
    })
}

/// Cut points halfway between the values of a column, if these are at most ten, and whole numbers; else none.
///
/// A column without cut points by the classes alone may say much of them beside another column, as in exclusive or.
fn between_few_values(values: impl Iterator<Item = f64>) -> Vec<f64> {
    const MOST_VALUES: usize = 10;
    const LARGEST: f64 = (1_u64 << 52) as f64;
    let mut found: Vec<f64> = Vec::new();
    for value in values.filter(|value| !value.is_nan()) {
        let Err(place) = found.binary_search_by(|other| other.total_cmp(&(value + 0.0))) else { continue };
        if value.fract() != 0.0 || value.abs() >= LARGEST || found.len() == MOST_VALUES {
            return Vec::new();
        }
        found.insert(place, value + 0.0);
    }
    found.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect()
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

impl PreparationError {
    /// The same, with the column numbers of the whole table.
    fn in_columns(self, columns: &[usize]) -> Self {
        let place = |column: usize| columns.get(column).copied().unwrap_or(column);
        match self {
            Self::Value { column, value, reason } => Self::Value { column: place(column), value, reason },
            Self::NoValues { column } => Self::NoValues { column: place(column) },
            error => error,
        }
    }

    /// The column that it is about, if it is about one.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Value { column, .. } | Self::NoValues { column } => Some(*column),
            _ => None,
        }
    }
}

impl From<ValueError> for PreparationError {
    fn from(ValueError { column, value, reason, .. }: ValueError) -> Self {
        Self::Value { column, value, reason }
    }
}

impl From<DiscretiseError> for PreparationError {
    fn from(error: DiscretiseError) -> Self {
        match error {
            DiscretiseError::Infinite { column, value, .. } => {
                Self::Value { column, value, reason: ValueProblem::Infinite }
            }
            error => Self::Bins(error),
        }
    }
}

impl From<GridError> for PreparationError {
    fn from(error: GridError) -> Self {
        match error {
            GridError::Value(error) => error.into(),
            GridError::NoData { column } => Self::NoValues { column },
            error => Self::Grid(error),
        }
    }
}

impl From<LambdaError> for PreparationError {
    fn from(error: LambdaError) -> Self {
        match error {
            LambdaError::Value(error) => error.into(),
            LambdaError::Labels { rows, labels } => Self::Labels { rows, labels },
            error => Self::Power(error),
        }
    }
}
