//! Blocks: different families on different columns of one model.

mod accumulator;

use rand::Rng;

use accumulator::BlocksAccumulator;

use exact_sums::ExactSums;

use exact_sums::Compensated;

use crate::{
    data::{Block, BlockBuffer},
    families::{BoxedDensity, BoxedModel},
    model::{
        Accumulator, ClassSums, Density, Estimates, FamilyError, FeatureModel, LayoutError, Likelihood,
        Scores, SumForm, SumLayout, SumRule, ValueError, Weights,
    },
};

/// A mixed model: each block of columns has its own family, and their log-likelihoods add up. Blocks are
/// themselves a family, and take families from outside this crate as well.
///
/// Every column must be in exactly one block, or be ignored by name.
///
/// ```
/// use nb_core::{Blocks, Categorical, Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// // Columns: height, an identifier, eye colour (coded).
/// let x = array![[1.8, 101.0, 0.0], [1.7, 102.0, 1.0], [1.1, 103.0, 1.0], [1.2, 104.0, 1.0]];
/// let y = ["adult", "adult", "child", "child"];
/// let mixed = Blocks::new()
///     .with([0], Gaussian::default())
///     .with([2], Categorical::default())
///     .ignore([1]);
/// let classifier = NaiveBayes::new(mixed).fit(&x, &y)?;
/// assert_eq!(classifier.predict(&array![[1.15, 0.0, 1.0]])?, ["child"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq)]
pub struct Blocks<M = BoxedModel> {
    blocks: Vec<(Vec<usize>, M)>,
    ignored: Vec<usize>,
}

impl<M> Default for Blocks<M> {
    fn default() -> Self {
        Self { blocks: Vec::new(), ignored: Vec::new() }
    }
}

impl<M: Clone> Clone for Blocks<M> {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone(), ignored: self.ignored.clone() }
    }
}

impl Blocks {
    /// No blocks yet, for families of any type.
    ///
    /// ```
    /// # use nb_core::{Blocks, Categorical, Gaussian};
    /// let mixed = Blocks::new().with([0, 2], Gaussian::default()).with([1], Categorical::default());
    /// assert_eq!(mixed.iter().len(), 2);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block: the family sees the given columns, in the given order, as its columns 0, 1, ...
    ///
    /// ```
    /// # use nb_core::{Blocks, Categorical, Gaussian};
    /// let mixed = Blocks::new().with([0, 2], Gaussian::default()).with([1], Categorical::default());
    /// assert_eq!(mixed.iter().next().map(|(columns, _)| columns), Some(&[0, 2][..]));
    /// ```
    #[must_use]
    pub fn with<M>(self, columns: impl IntoIterator<Item = usize>, model: M) -> Self
    where
        M: FeatureModel + 'static,
        M::Fitted: Density + 'static,
    {
        self.with_same(columns, BoxedModel::new(model))
    }
}

impl<M> Blocks<M> {
    /// Adds a block to blocks whose families all have the type `M`.
    ///
    /// ```
    /// # use nb_core::{Blocks, Categorical, Gaussian};
    /// let narrow = Gaussian::default();
    /// let blocks = Blocks::default().with_same([0], narrow.clone()).with_same([1, 2], narrow);
    /// assert_eq!(blocks.iter().len(), 2);
    /// ```
    #[must_use]
    pub fn with_same(mut self, columns: impl IntoIterator<Item = usize>, model: M) -> Self {
        self.blocks.push((columns.into_iter().collect(), model));
        self
    }

    /// Names columns that no family shall see.
    ///
    /// ```
    /// # use nb_core::{Blocks, Categorical, Gaussian};
    /// let model = Blocks::new().with([1], Gaussian::default()).ignore([0]); // column 0 is an identifier
    /// assert_eq!(model.ignored(), [0]);
    /// ```
    #[must_use]
    pub fn ignore(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.ignored.extend(columns);
        self
    }

    /// The blocks: columns and family.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[usize], &M)> {
        self.blocks.iter().map(|(columns, model)| (columns.as_slice(), model))
    }

    /// The columns that no family sees.
    pub fn ignored(&self) -> &[usize] {
        &self.ignored
    }

    /// Refuses columns that do not exist, occur twice, or are missing.
    fn check_columns(&self, n_columns: usize) -> Result<(), LayoutError> {
        let mut used = vec![false; n_columns];
        for &column in self.blocks.iter().flat_map(|(columns, _)| columns).chain(&self.ignored) {
            match used.get_mut(column) {
                None => return Err(LayoutError::NoSuchColumn { column, n_columns }),
                Some(true) => return Err(LayoutError::ColumnTwice { column }),
                Some(used) => *used = true,
            }
        }
        match used.iter().position(|used| !used) {
            Some(column) => Err(LayoutError::ColumnUnused { column }),
            None => Ok(()),
        }
    }
}

/// Whether these are all columns in order.
fn in_order(columns: &[usize], n_columns: usize) -> bool {
    columns.len() == n_columns && columns.iter().enumerate().all(|(position, &column)| position == column)
}

/// Shows a family its columns; the block itself if these are all columns in order.
fn with_columns<T>(rows: &Block<'_>, columns: &[usize], work: impl FnOnce(&Block<'_>) -> T) -> T {
    if in_order(columns, rows.n_columns()) {
        return work(rows);
    }
    let mut buffer = BlockBuffer::default();
    rows.select_columns(columns, &mut buffer);
    work(&buffer.block())
}

/// Calls `check` for every block; of several refused cells that of the first row and column is reported, with
/// the column number of the whole table.
fn check_blocks<'a, M: 'a>(
    blocks: impl Iterator<Item = (&'a [usize], &'a M)>,
    rows: &Block<'_>,
    check: impl Fn(&M, &Block<'_>) -> Result<(), ValueError>,
) -> Result<(), ValueError> {
    let errors = blocks.filter_map(|(columns, model)| {
        let error = with_columns(rows, columns, |rows| check(model, rows)).err()?;
        Some(ValueError { column: columns.get(error.column).copied().unwrap_or(error.column), ..error })
    });
    errors.min_by_key(|error| (error.row, error.column)).map_or(Ok(()), Err)
}

impl<M: FeatureModel> FeatureModel for Blocks<M> {
    type Fitted = FittedBlocks<M::Fitted>;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.check_columns(n_columns)?;
        let layouts = self.iter().map(|(columns, model)| Ok((columns, model.layout(columns.len())?)));
        Ok(joint_layout(layouts.collect::<Result<Vec<_>, LayoutError>>()?))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_blocks(self.iter(), rows, M::check)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let mut sums = sums;
        for (columns, model) in self.iter() {
            let (own, rest) = std::mem::take(&mut sums).split_at_mut(n_parts(model, columns));
            with_columns(rows, columns, |rows| model.update(rows, weights, own));
            sums = rest;
        }
    }

    /// Each block gathers rows in its own way; there is none if no block has one.
    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        let accumulator = BlocksAccumulator::new(self, n_columns)?;
        Some(Box::new(accumulator))
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError> {
        let mut first = 0;
        let mut fitted = Vec::with_capacity(self.blocks.len());
        let mut part_ends = Vec::with_capacity(self.blocks.len());
        for (columns, model) in self.iter() {
            let end = first + n_parts(model, columns);
            let own: Vec<_> = classes.iter().map(|class| class.slice(first..end)).collect();
            let likelihood = model.fit(&own).map_err(|error| FamilyError {
                column: columns.get(error.column).copied().unwrap_or(error.column),
                ..error
            })?;
            fitted.push((columns.to_vec(), likelihood));
            part_ends.push(end);
            first = end;
        }
        Ok(FittedBlocks::new(fitted, part_ends))
    }
}

/// The layouts of the blocks, one after the other.
fn joint_layout<'a>(layouts: impl IntoIterator<Item = (&'a [usize], SumLayout)>) -> SumLayout {
    let (mut descriptions, mut parts, mut rules) = (Vec::new(), Vec::new(), Vec::new());
    for (columns, layout) in layouts {
        descriptions.push(format!("{} on {columns:?}", layout.family));
        rules.push(SumRule::Block {
            columns: columns.to_vec(),
            first_part: parts.len(),
            rules: layout.rules,
        });
        parts.extend(layout.parts);
    }
    SumLayout { family: format!("blocks of {}", descriptions.join("; ")).into(), parts, rules }
}

/// How many parts of the sums belong to a block. The layout was checked when the statistics were made.
fn n_parts(model: &impl FeatureModel, columns: &[usize]) -> usize {
    model.layout(columns.len()).map_or(0, |layout| layout.parts.len())
}

/// Fitted blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedBlocks<F = BoxedDensity> {
    blocks: Vec<(Vec<usize>, F)>,
    /// Where the sums of each block end among the parts of all.
    part_ends: Vec<usize>,
    /// For every column its block and its position there; `None` for an ignored column.
    places: Vec<Option<(usize, usize)>>,
}

impl<F> FittedBlocks<F> {
    fn new(blocks: Vec<(Vec<usize>, F)>, part_ends: Vec<usize>) -> Self {
        let n_columns = blocks.iter().flat_map(|(columns, _)| columns).max().map_or(0, |last| last + 1);
        let mut places = vec![None; n_columns];
        for (block, (columns, _)) in blocks.iter().enumerate() {
            for (position, &column) in columns.iter().enumerate() {
                places[column] = Some((block, position));
            }
        }
        Self { blocks, part_ends, places }
    }

    /// The blocks: columns and fitted family.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[usize], &F)> {
        self.blocks.iter().map(|(columns, fitted)| (columns.as_slice(), fitted))
    }

    /// The fitted family of a column, and the column's position in its block.
    fn place(&self, column: usize) -> Option<(&F, usize)> {
        let (block, position) = self.places.get(column).copied().flatten()?;
        Some((&self.blocks[block].1, position))
    }
}

impl<F: Likelihood> Likelihood for FittedBlocks<F> {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_blocks(self.iter(), rows, F::check)
    }

    /// If every block is, without interactions.
    fn is_additive(&self) -> bool {
        self.iter().all(|(_, fitted)| fitted.is_additive() && fitted.interactions().is_none())
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.place(column).map_or(0.0, |(fitted, position)| fitted.log_likelihood(class, position, value))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        for (columns, fitted) in self.iter() {
            if let Err(error) = with_columns(rows, columns, |rows| fitted.score(rows, scores)) {
                // Of several refused cells, in blocks that were not reached, the first is reported.
                return self.check(rows).and(Err(error));
            }
        }
        Ok(())
    }

    /// Every block must have a way.
    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.iter()
            .all(|(columns, fitted)| with_columns(rows, columns, |rows| fitted.estimate(rows, estimates)))
    }

    /// Every block must have such a form.
    fn of_sums(&self) -> Option<&dyn SumForm> {
        self.iter().all(|(_, fitted)| fitted.of_sums().is_some()).then_some(self)
    }
}

impl<F: Likelihood> SumForm for FittedBlocks<F> {
    fn sum_layout(&self) -> Option<SumLayout> {
        let layouts = self.iter().map(|(columns, fitted)| Some((columns, fitted.of_sums()?.sum_layout()?)));
        Some(joint_layout(layouts.collect::<Option<Vec<_>>>()?))
    }

    /// The sum over the blocks.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        if sums.n_parts() != self.part_ends.last().copied().unwrap_or(0) {
            return None;
        }
        let (mut total, mut first) = (Compensated::default(), 0);
        for ((_, fitted), &end) in self.blocks.iter().zip(&self.part_ends) {
            total.add(fitted.of_sums()?.log_likelihood_of_sums(class, &sums.slice(first..end))?);
            first = end;
        }
        Some(total.value())
    }
}

impl<F: Density> Density for FittedBlocks<F> {
    /// Ignored columns are drawn as 0.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        self.place(column).map_or(0.0, |(fitted, position)| fitted.sample(class, position, rng))
    }

    fn add_log_base_measure(&self, rows: &Block<'_>, log_density: &mut [f64]) {
        for (columns, fitted) in self.iter() {
            with_columns(rows, columns, |rows| {
                fitted.add_log_base_measure(rows, &mut *log_density);
            });
        }
    }
}
