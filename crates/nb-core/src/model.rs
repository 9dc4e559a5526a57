//! The traits: what a family of distributions has to say, and what follows from it.

use std::borrow::Cow;

use rand::Rng;

use crate::{
    Block, Cells, Codes, Estimates, Exact, ExactSums, FamilyError, LayoutError, Scores, ValueError,
    exact::Ahead,
};

/// A family of class-conditional distributions over a block of columns: its hyper-parameters, and how it turns rows
/// into sums and sums into parameters.
///
/// This is the extension point. A family says how many sums a class keeps, which values it can observe, what a row
/// adds to the sums, and how to read parameters off them; fitting, streaming, merging, forgetting, mixed models and
/// parallelism follow. There is no `merge` to write: sums are added.
///
/// The [crate documentation](crate#a-family-of-your-own) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of distributions",
    note = "families are `Gaussian`, `Categorical`, `Multinomial`, `Bernoulli`, `Complement`, `Poisson`, `NegativeBinomial`, `ZeroInflatedGaussian`, `Blocks` and your own implementations of `FeatureModel`"
)]
pub trait FeatureModel: Send + Sync {
    /// The fitted family.
    type Fitted: Likelihood;

    /// Which sums a class keeps for `n_columns` columns. Statistics can be merged if their layouts are equal.
    ///
    /// # Errors
    /// [`LayoutError`] if a hyper-parameter is out of range or does not fit the number of columns.
    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError>;

    /// Refuses values that the family cannot observe, such as a negative count.
    ///
    /// # Errors
    /// [`ValueError`] names row and column within the block, the value and the remedy.
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError>;

    /// Adds rows of one class to its sums, the parts of [`layout`](Self::layout) in order.
    ///
    /// Linear in the weights, and independent of the order of rows. Cannot fail: the rows were checked.
    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]);

    /// Memory in which rows of several classes can be gathered faster than [`update`](Self::update) adds them, if the
    /// family has a way. By default it has none.
    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        let _ = n_columns;
        None
    }

    /// Reads the parameters off the sums of all classes, in label order.
    ///
    /// # Errors
    /// [`FamilyError`] names class and column where the sums do not determine a distribution.
    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError>;
}

/// What a family gathers from many rows before it is added to the sums, class by class: a faster way to the same sums.
///
/// Classes are numbered by the caller, from zero and without gaps; higher numbers turn up as their rows do.
pub trait Accumulator: Send {
    /// Adds rows without weights, checking them as [`FeatureModel::check`] does. `Ok(false)` if it has no way for rows
    /// of this kind and left them out.
    ///
    /// # Errors
    /// [`ValueError`] as from [`FeatureModel::check`]; all that was gathered is of no use then.
    fn add(&mut self, rows: &ClassifiedRows<'_>) -> Result<bool, ValueError>;

    /// Adds rows of bytes as [`add`](Self::add) does, without making numbers of them first. `Ok(false)`, which is the
    /// default, if it has no way for them.
    ///
    /// # Errors
    /// As from [`add`](Self::add).
    fn add_codes(&mut self, rows: &ClassifiedCodes<'_>) -> Result<bool, ValueError> {
        let _ = rows;
        Ok(false)
    }

    /// Adds rows of single precision as [`add`](Self::add) does, without making doubles of them first. `Ok(false)`,
    /// which is the default, if it has no way for them.
    ///
    /// # Errors
    /// As from [`add`](Self::add).
    fn add_singles(&mut self, rows: &ClassifiedSingles<'_>) -> Result<bool, ValueError> {
        let _ = rows;
        Ok(false)
    }

    /// How many threads an addition keeps busy if its rows lie dense in memory: one, unless it shares their columns among
    /// threads.
    fn n_threads(&self) -> usize {
        1
    }

    /// Whether dense rows, of single precision if `singles`, are best added many at a time: it must read them once and where
    /// they lie. By default only some come at a time.
    fn prefers_many_rows(&self, singles: bool) -> bool {
        let _ = singles;
        false
    }

    /// Adds what was gathered for a class to its sums, the parts of [`FeatureModel::layout`] in order. This comes last:
    /// once for each class, and nothing is added any more.
    fn finish(&mut self, class: usize, sums: &mut [ExactSums]);
}

/// A block of rows, and which of them are of which class.
#[derive(Clone, Copy, Debug)]
pub struct ClassifiedRows<'a> {
    pub(crate) block: Block<'a>,
    /// Row numbers, those of the first class first.
    pub(crate) order: &'a [u32],
    /// Where the rows of each class end in `order`.
    pub(crate) ends: &'a [usize],
    /// Whether the rows after these follow them in memory, and come next.
    pub(crate) continues: bool,
}

impl<'a> ClassifiedRows<'a> {
    /// The rows.
    pub fn block(&self) -> Block<'a> {
        self.block
    }

    /// The number of classes so far; each has a number below it, and may have no rows here.
    pub fn n_classes(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of the rows of a class, increasing; none if there is no such class.
    pub fn of_class(&self, class: usize) -> &'a [u32] {
        of_class(self.order, self.ends, class)
    }

    /// Which cells to ask the memory for while the rows of a class are walked through, strip after strip.
    pub(crate) fn ahead(&self, class: usize) -> Ahead {
        match &self.block {
            Block::Dense(dense) => {
                Ahead::of_block(dense.values(), rows_before(self.ends, class), self.continues)
            }
            Block::Sparse(_) => Ahead::Nothing,
        }
    }
}

/// Rows of single precision, and which of them are of which class.
#[derive(Clone, Copy, Debug)]
pub struct ClassifiedSingles<'a> {
    pub(crate) cells: Cells<'a, f32>,
    /// As in [`ClassifiedRows`].
    pub(crate) order: &'a [u32],
    pub(crate) ends: &'a [usize],
    pub(crate) continues: bool,
}

impl<'a> ClassifiedSingles<'a> {
    /// The rows.
    pub fn cells(&self) -> Cells<'a, f32> {
        self.cells
    }

    /// The number of classes so far; each has a number below it, and may have no rows here.
    pub fn n_classes(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of the rows of a class, increasing; none if there is no such class.
    pub fn of_class(&self, class: usize) -> &'a [u32] {
        of_class(self.order, self.ends, class)
    }

    /// Which cells to ask the memory for while the rows of a class are walked through, strip after strip.
    pub(crate) fn ahead(&self, class: usize) -> Ahead {
        Ahead::of_block(self.cells.cells(), rows_before(self.ends, class), self.continues)
    }
}

/// Rows of bytes, and which of them are of which class.
#[derive(Clone, Copy, Debug)]
pub struct ClassifiedCodes<'a> {
    pub(crate) codes: Codes<'a>,
    /// As in [`ClassifiedRows`].
    pub(crate) order: &'a [u32],
    pub(crate) ends: &'a [usize],
}

impl<'a> ClassifiedCodes<'a> {
    /// The rows.
    pub fn codes(&self) -> Codes<'a> {
        self.codes
    }

    /// The number of classes so far; each has a number below it, and may have no rows here.
    pub fn n_classes(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of the rows of a class, increasing; none if there is no such class.
    pub fn of_class(&self, class: usize) -> &'a [u32] {
        of_class(self.order, self.ends, class)
    }
}

/// The part of the order that belongs to a class.
fn of_class<'a>(order: &'a [u32], ends: &[usize], class: usize) -> &'a [u32] {
    ends.get(class).and_then(|&end| order.get(rows_before(ends, class)..end)).unwrap_or(&[])
}

/// How many rows of a block are of the classes before one.
fn rows_before(ends: &[usize], class: usize) -> usize {
    if class == 0 { 0 } else { ends.get(class - 1).copied().unwrap_or(0) }
}

/// A fitted family: a score for every class, column and value, from which labels, probabilities and explanations
/// derive.
pub trait Likelihood: Send + Sync {
    /// Refuses values that cannot be scored.
    ///
    /// # Errors
    /// [`ValueError`] names row and column within the block, the value and the remedy.
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError>;

    /// The number of classes and of columns that there are parameters for, where the family can say.
    fn shape(&self) -> Option<(usize, usize)> {
        None
    }

    /// `log p(value in this column | class)`, in natural logarithms: the one primitive.
    ///
    /// Negative infinity if the class cannot produce the value; zero where the column says nothing (a missing cell
    /// that is skipped). Never NaN for a checked value.
    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64;

    /// Adds `log p(row | class)` to every score of a block of checked rows.
    ///
    /// The provided method adds up [`log_likelihood`](Self::log_likelihood); override it only to be faster.
    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        let n_classes = scores.n_classes();
        rows.for_each_row(|row, cells| {
            for class in 0..n_classes {
                for (column, &value) in cells.iter().enumerate() {
                    scores.add(row, class, self.log_likelihood(class, column, value));
                }
            }
        });
    }

    /// [`check`](Self::check) and [`add_log_likelihood`](Self::add_log_likelihood) in one: after an error the scores are of
    /// no use.
    ///
    /// The provided method calls the two; override it only to be faster.
    ///
    /// # Errors
    /// As from [`check`](Self::check).
    fn check_and_add_log_likelihood(
        &self,
        rows: &Block<'_>,
        scores: &mut Scores<'_>,
    ) -> Result<(), ValueError> {
        self.check(rows)?;
        self.add_log_likelihood(rows, scores);
        Ok(())
    }

    /// Adds quick estimates of `log p(row | class)` for rows that were *not* checked, if the family has a way: labels
    /// are told from them where they are clear. `false` if it has none for these rows; then the estimates are of no
    /// use. By default there is none.
    ///
    /// The bound of a row must cover the distance of all its estimates to the scores, and be infinite or not a number
    /// for a row that [`check`](Self::check) might refuse.
    fn estimate_log_likelihood(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        let _ = (rows, estimates);
        false
    }

    /// Adds quick estimates for rows of bytes that were not checked, as
    /// [`estimate_log_likelihood`](Self::estimate_log_likelihood) does for a block. By default there is no way.
    fn estimate_codes(&self, rows: &Codes<'_>, estimates: &mut Estimates<'_>) -> bool {
        let _ = (rows, estimates);
        false
    }

    /// Which sums [`log_likelihood_of_sums`](Self::log_likelihood_of_sums) reads, where the family can say: the
    /// [`FeatureModel::layout`] of the model that was fitted.
    fn sum_layout(&self) -> Option<SumLayout> {
        None
    }

    /// `Σ w log p(row | class)` over rows of which only the sums are known, for families whose log-likelihood is linear
    /// in them, as it is in every exponential family: `log p(x) = η·T(x) - A(η) + log h(x)`, and `Σ w T(x)` is what a
    /// class keeps. `None`, which is the default, if the family has no such form or the sums are not its own.
    ///
    /// It is what [`add_log_likelihood`](Self::add_log_likelihood) would add up to for the rows, with their weights, but
    /// for `Σ w log h(x)` where the scores have an `h` that the sums do not tell: a term of the rows alone, the same
    /// for every class and all hyper-parameters. (Among the families of this crate only [`Poisson`](crate::Poisson) has
    /// one, `Σ w log x!`.)
    ///
    /// Negative infinity if the class cannot have produced the rows, or the sum is below the least double; not a number
    /// only for sums that scaling has taken out of the range of doubles.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let _ = (class, sums);
        None
    }

    /// Adds quick estimates for rows in single precision that were not checked, as
    /// [`estimate_log_likelihood`](Self::estimate_log_likelihood) does for a block. By default there is no way.
    fn estimate_singles(&self, rows: &Cells<'_, f32>, estimates: &mut Estimates<'_>) -> bool {
        let _ = (rows, estimates);
        false
    }
}

/// A fitted family that is a probability distribution of rows, so that it has an evidence and can be sampled.
/// (The complement model, which scores by what the other classes are like, is not.)
pub trait Density: Likelihood {
    /// Draws the value of a column for a class.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64;

    /// Adds to `log_density[row]` the factor of the density that no class depends on and that the scores leave out
    /// by convention, such as the multinomial coefficient. By default there is none.
    fn add_log_base_measure(&self, rows: &Block<'_>, log_density: &mut [f64]) {
        let _ = (rows, log_density);
    }
}

impl<M: FeatureModel + ?Sized> FeatureModel for &M {
    type Fitted = M::Fitted;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        (**self).layout(n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        (**self).check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        (**self).update(rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        (**self).accumulator(n_columns)
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<M::Fitted, FamilyError> {
        (**self).fit(classes)
    }
}

impl<T: Likelihood + ?Sized> Likelihood for Box<T> {
    fn shape(&self) -> Option<(usize, usize)> {
        (**self).shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        (**self).check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        (**self).log_likelihood(class, column, value)
    }

    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        (**self).add_log_likelihood(rows, scores);
    }

    fn check_and_add_log_likelihood(
        &self,
        rows: &Block<'_>,
        scores: &mut Scores<'_>,
    ) -> Result<(), ValueError> {
        (**self).check_and_add_log_likelihood(rows, scores)
    }

    fn estimate_log_likelihood(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        (**self).estimate_log_likelihood(rows, estimates)
    }

    fn estimate_codes(&self, rows: &Codes<'_>, estimates: &mut Estimates<'_>) -> bool {
        (**self).estimate_codes(rows, estimates)
    }

    fn sum_layout(&self) -> Option<SumLayout> {
        (**self).sum_layout()
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        (**self).log_likelihood_of_sums(class, sums)
    }

    fn estimate_singles(&self, rows: &Cells<'_, f32>, estimates: &mut Estimates<'_>) -> bool {
        (**self).estimate_singles(rows, estimates)
    }
}

impl<T: Density + ?Sized> Density for Box<T> {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        (**self).sample(class, column, rng)
    }

    fn add_log_base_measure(&self, rows: &Block<'_>, log_density: &mut [f64]) {
        (**self).add_log_base_measure(rows, log_density);
    }
}

/// The sums that every class keeps: a name that tells which statistics belong together, and the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumLayout {
    /// Family and every hyper-parameter on which the meaning of the sums depends.
    pub family: Cow<'static, str>,
    /// The vectors of sums, in the order in which [`FeatureModel::update`] gets them.
    pub parts: Vec<SumPart>,
}

/// One vector of sums in a [`SumLayout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumPart {
    /// What is summed.
    pub name: Cow<'static, str>,
    /// The length, or 0 for a part that grows with what is observed.
    pub len: usize,
}

impl SumLayout {
    /// A layout with the given parts, each a name and a length.
    pub fn new(
        family: impl Into<Cow<'static, str>>,
        parts: impl IntoIterator<Item = (&'static str, usize)>,
    ) -> Self {
        let parts = parts.into_iter().map(|(name, len)| SumPart { name: name.into(), len });
        Self { family: family.into(), parts: parts.collect() }
    }

    /// Fresh sums, all zero.
    pub(crate) fn zeros(&self) -> Vec<ExactSums> {
        self.parts.iter().map(|part| ExactSums::new(part.len)).collect()
    }
}

/// The weights of the rows of a block.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// Every row counts once.
    Unit,
    /// One weight per row: finite, not negative.
    Each(&'a [f64]),
}

impl Weights<'_> {
    /// The weight of a row.
    #[inline]
    pub fn get(&self, row: usize) -> f64 {
        match self {
            Self::Unit => 1.0,
            Self::Each(weights) => weights[row],
        }
    }
}

/// The evidence for one class, as [`FeatureModel::fit`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct ClassSums<'a> {
    weight: &'a Exact,
    parts: &'a [ExactSums],
}

impl<'a> ClassSums<'a> {
    /// The evidence of a class: the total weight of its rows, and its sums.
    pub fn new(weight: &'a Exact, parts: &'a [ExactSums]) -> Self {
        Self { weight, parts }
    }

    /// The total weight of the rows of the class.
    pub fn weight(&self) -> &'a Exact {
        self.weight
    }

    /// The parts, in the order of the layout.
    pub(crate) fn parts(&self) -> &'a [ExactSums] {
        self.parts
    }

    /// The number of parts.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// A part of the sums, in the order of the layout.
    ///
    /// # Panics
    /// If the layout has no such part.
    pub fn part(&self, part: usize) -> &'a ExactSums {
        &self.parts[part]
    }

    /// The same class, seen through some of its parts.
    pub(crate) fn slice(&self, parts: std::ops::Range<usize>) -> Self {
        Self { weight: self.weight, parts: &self.parts[parts] }
    }
}
