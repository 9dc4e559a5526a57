//! The traits: what a family of distributions has to say, and what follows from it.

use std::borrow::Cow;

use rand::Rng;

use exact_sums::{
    Exact, ExactSums,
    batch::{PrefetchHint, RowView},
};

use crate::{
    data::Block,
    model::{
        Estimates, FamilyError, ImpossibleSums, LayoutError, Scores, SumRule, ValueError,
        remaining::{Number, remaining},
    },
};

/// A family of class-conditional distributions over a block of columns: its hyper-parameters, and how it
/// turns rows into sums and sums into parameters.
///
/// This is the extension point. A family says how many sums a class keeps, which values it can observe, what
/// a row adds to the sums, and how to read parameters off them; fitting, streaming, merging, forgetting,
/// mixed models and parallelism follow. There is no `merge` to write: sums are added.
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

    /// Memory in which rows of several classes can be gathered faster than [`update`](Self::update) adds
    /// them, if the family has a way. By default it has none.
    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        let _ = n_columns;
        None
    }

    /// Reads the parameters off the sums of all classes, in label order.
    ///
    /// # Errors
    /// [`FamilyError`] names class and column where the sums do not determine a distribution.
    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError>;

    /// Changes `fitted` to what [`fit`](Self::fit) gives for these sums, if the family has a faster way: one
    /// row was added to `class` since `fitted` was fitted, and no other class has changed. `false` if it
    /// must be fitted anew; it is then unspecified. By default there is no way.
    fn refit(&self, classes: &[ClassSums<'_>], class: usize, fitted: &mut Self::Fitted) -> bool {
        let _ = (classes, class, fitted);
        false
    }
}

/// What a family gathers from many rows before it is added to the sums, class by class: a faster way to the
/// same sums.
///
/// Classes are numbered by the caller, from zero and without gaps; higher numbers turn up as their rows do.
pub trait Accumulator: Send {
    /// Adds rows without weights, checking them as [`FeatureModel::check`] does. `Ok(false)` if it has no way
    /// for rows that are stored like these, and left them out. Rows of other cells than `f64` are then
    /// offered once more as [`Block::F64`].
    ///
    /// # Errors
    /// [`ValueError`] as from [`FeatureModel::check`]; what was gathered must then be discarded.
    fn add(&mut self, rows: &ClassRows<'_>) -> Result<bool, ValueError>;

    /// Adds what was gathered for a class to its sums, the parts of [`FeatureModel::layout`] in order. This
    /// comes last: once for each class, and nothing is added any more.
    fn finish(&mut self, class: usize, sums: &mut [ExactSums]);

    /// How rows are best handed to [`add`](Self::add).
    fn plan(&self) -> Plan {
        Plan::default()
    }
}

/// How an [`Accumulator`] wants its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// How many threads an addition keeps busy if its rows are dense: one, unless it shares their columns
    /// among threads.
    pub n_threads: usize,
    /// Whether dense rows of type `f64` are best added many at a time: it must read them once and where they
    /// are stored. Otherwise some come at a time.
    pub many_f64: bool,
    /// The same for rows of type `f32`.
    pub many_f32: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { n_threads: 1, many_f64: false, many_f32: false }
    }
}

/// A block of rows, and which of them are of which class.
#[derive(Clone, Copy, Debug)]
pub struct ClassRows<'a> {
    pub(crate) block: Block<'a>,
    /// Row numbers, those of the first class first.
    pub(crate) order: &'a [u32],
    /// Where the rows of each class end in `order`.
    pub(crate) ends: &'a [usize],
    /// Whether the rows after these follow them in memory, and come next.
    pub(crate) continues: bool,
}

impl<'a> ClassRows<'a> {
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
        self.ends.get(class).and_then(|&end| self.order.get(self.rows_before(class)..end)).unwrap_or(&[])
    }

    /// How many rows are of the classes before one.
    fn rows_before(&self, class: usize) -> usize {
        if class == 0 { 0 } else { self.ends.get(class - 1).copied().unwrap_or(0) }
    }

    /// The rows of a class among `values`, the cells of a dense block of these rows.
    pub(crate) fn row_set<'v, T>(&self, values: &'v [T], class: usize) -> RowView<'v, T>
    where
        'a: 'v,
    {
        RowView {
            values,
            n_columns: self.block.n_columns(),
            rows: self.of_class(class),
            ahead: PrefetchHint::of_block(values, self.rows_before(class), self.continues),
        }
    }
}

/// A fitted family: a score for every class, column and value, from which labels, probabilities and
/// explanations derive.
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

    /// Whether `log p(row | class)` is the sum of [`log_likelihood`](Self::log_likelihood) over the cells of
    /// the row, as it is in naive Bayes, and so by default, and of the
    /// [interactions](Self::interactions), if there are any. Without it rows have no
    /// [explanations](crate::Classifier::explain) by column.
    fn is_additive(&self) -> bool {
        true
    }

    /// What columns add together, beside the sum over the cells. By default there is nothing.
    fn interactions(&self) -> Option<&dyn Interactions> {
        None
    }

    /// `log p(value in this column | class)`, in natural logarithms: the one primitive.
    ///
    /// Negative infinity if the class cannot produce the value; zero where the column says nothing (a missing
    /// cell that is skipped). Never NaN for a checked value.
    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64;

    /// Checks rows as [`check`](Self::check) does and adds `log p(row | class)` to every score. After an
    /// error the scores are then unspecified.
    ///
    /// The provided method checks and adds up [`log_likelihood`](Self::log_likelihood) and
    /// [`interactions`](Self::interactions); override it to be faster, or where columns depend on each
    /// other, so that the score is [no such sum](Self::is_additive).
    ///
    /// # Errors
    /// As from [`check`](Self::check).
    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        scores.add_cells(rows, |class, column, value| self.log_likelihood(class, column, value));
        scores.add_interactions(rows, self.interactions());
        Ok(())
    }

    /// Adds quick estimates of `log p(row | class)` for rows that were *not* checked, if the family has a way
    /// for rows that are stored like these: labels come from estimates where these are clear. `false` if
    /// it has none; then the estimates are then unspecified, and rows of other cells than `f64` are
    /// offered once more as [`Block::F64`]. By default there is none.
    ///
    /// The bound of a row must cover the distance of all its estimates to the scores, and be infinite or not
    /// a number for a row that [`check`](Self::check) might refuse.
    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        let _ = (rows, estimates);
        false
    }

    /// The log-likelihood of rows of which only the sums are known, for families whose log-likelihood is
    /// linear in them. By default there is none.
    fn of_sums(&self) -> Option<&dyn SumForm> {
        None
    }
}

/// What some columns add together to the score of every class.
pub trait Interactions {
    /// How many there are.
    fn n_interactions(&self) -> usize;

    /// The columns of one of them.
    fn columns(&self, interaction: usize) -> &[usize];

    /// What one of them adds to each class, for all cells of a row; empty if it adds nothing.
    fn terms(&self, interaction: usize, cells: &[f64]) -> &[f64];
}

/// A fitted family whose log-likelihood is linear in the sums that a class keeps, as it is in every
/// exponential family: `log p(x) = η·T(x) - A(η) + log h(x)`, and `Σ w T(x)` are the sums.
pub trait SumForm {
    /// Which sums [`log_likelihood_of_sums`](Self::log_likelihood_of_sums) reads, where the family can say:
    /// the [`FeatureModel::layout`] of the model that was fitted.
    fn sum_layout(&self) -> Option<SumLayout>;

    /// `Σ w log p(row | class)` over rows of which only the sums are known. `None` if the sums are not those
    /// of the family.
    ///
    /// It is what [`Likelihood::score`] would add up to for the rows, with their weights, but
    /// for `Σ w log h(x)` where the scores have an `h` that the sums do not tell: a term of the rows alone,
    /// the same for every class and all hyper-parameters. (Among the families of this crate only
    /// [`Poisson`](crate::Poisson) has one, `Σ w log x!`.)
    ///
    /// Negative infinity if the class cannot have produced the rows, or the sum is below the least double;
    /// not a number only for sums that scaling has taken out of the range of doubles.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64>;
}

/// A fitted family that is a probability distribution of rows, so that it has an evidence and can be sampled.
/// (The complement model, which scores by what the other classes are like, is not.)
pub trait Density: Likelihood {
    /// Draws the value of a column for a class.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64;

    /// Adds to `log_density[row]` the factor of the density that no class depends on and that the scores
    /// leave out by convention, such as the multinomial coefficient. By default there is none.
    fn add_log_base_measure(&self, rows: &Block<'_>, log_density: &mut [f64]) {
        let _ = (rows, log_density);
    }
}

/// The sums that every class keeps: a name that tells which statistics belong together, and the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumLayout {
    /// Family and every hyper-parameter on which the meaning of the sums depends.
    pub family: Cow<'static, str>,
    /// The vectors of sums, in the order in which [`FeatureModel::update`] gets them.
    pub parts: Vec<SumPart>,
    /// What the sums of rows satisfy. Statistics that do not are refused: after rows were removed that had
    /// never been added, or in a file.
    pub rules: Vec<SumRule>,
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
        Self { family: family.into(), parts: parts.collect(), rules: Vec::new() }
    }

    /// The layout with rules that the sums of rows satisfy.
    #[must_use]
    pub fn with_rules(self, rules: impl IntoIterator<Item = SumRule>) -> Self {
        Self { rules: rules.into_iter().collect(), ..self }
    }

    /// The first column whose sums no rows can have.
    pub(crate) fn impossible(&self, class: &ClassSums<'_>) -> Option<ImpossibleSums> {
        self.rules.iter().find_map(|rule| rule.violation(class))
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

    /// The weight of the class less that of a column in a part, such as the weight of missing cells.
    pub(crate) fn weight_without<N: Number>(&self, part: usize, column: usize) -> N {
        remaining(&N::of_exact(self.weight), &N::of(self.part(part), column))
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

    /// The same class, seen through some of its parts, as a family that is made of others hands them on.
    ///
    /// # Panics
    /// If the layout has no such parts.
    #[must_use]
    pub fn slice(&self, parts: std::ops::Range<usize>) -> Self {
        Self { weight: self.weight, parts: &self.parts[parts] }
    }
}
