//! Transforms to normality: a Gaussian on a transformed column.

mod curve;
mod description;
mod fitted;
mod inspect;
mod lambda;
mod units;

pub use curve::Transform;
pub use fitted::FittedTransformed;
pub use lambda::{LambdaError, PowerTransform};
pub use units::Units;

use units::Curve;

use nb_core::{
    FeatureModel, Gaussian, Missing, Rows,
    error::{FamilyError, LayoutError, ValueError},
    exact::ExactSums,
    family::{Block, BlockBuffer, ClassSums, SumLayout, Weights},
};

/// The Gaussian family on transformed columns.
///
/// # Model
/// `T_j(x_j) | c ~ N(μ_cj, v_cj)` with an increasing function `T_j` for each column, of its values in certain
/// [`Units`], so that `log p(x_j | c) = log N(T_j(x_j); μ_cj, v_cj) + ln T_j'(x_j)`. The last term makes it a
/// density of `x`; it is the same for all classes, and changes no posterior.
///
/// A Box-Cox transform with `λ ≠ 0`, and a Yeo-Johnson transform with `λ` below 0 or above 2, takes only a
/// half-line of values, and what the normal distribution has beyond its end is left out, as is usual; the
/// density integrates to that much less than one.
///
/// # Sums kept
/// Those of [`Gaussian`], of the transformed values.
///
/// # Estimators
/// Those of [`Gaussian`] for `μ` and `v`. The `λ` of a column is a hyper-parameter: see
/// [`Transformed::learn`].
///
/// # References
/// Box and Cox, *An analysis of transformations* (J. R. Stat. Soc. B 26, 1964); Yeo and Johnson, *A new
/// family of power transformations to improve normality or symmetry* (Biometrika 87, 2000).
///
/// # Example
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Transform, Transformed};
/// use ndarray::array;
///
/// // Log-normal: the boundary is where the logarithms are as far from either mean, at √(10 × 1000).
/// let model = Transformed::new(vec![Transform::Log]);
/// let x = array![[1.0], [100.0], [100.0], [10000.0]];
/// let classifier = NaiveBayes::new(model).fit(&x, &["low", "low", "high", "high"])?;
/// assert_eq!(classifier.predict(&array![[99.0], [101.0]])?, ["low", "high"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The transforms are hyper-parameters: statistics merge if theirs are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transformed {
    /// One transform per column.
    pub transforms: Vec<Transform>,
    /// What the values of each column are shifted and divided by before.
    pub units: Vec<Units>,
    /// The family of the transformed values; its policy for missing cells is that of the columns.
    pub gaussian: Gaussian,
}

impl Transformed {
    /// The default [`Gaussian`] on columns with these transforms, of the values as they are.
    ///
    /// ```
    /// # use nb_variants::{Transform, Transformed, Units};
    /// let model = Transformed::new(vec![Transform::Log, Transform::Identity]);
    /// assert_eq!(model.units[0], Units { center: 0.0, scale: 1.0 });
    /// ```
    pub fn new(transforms: Vec<Transform>) -> Self {
        let units = vec![Units::default(); transforms.len()];
        Self { transforms, units, gaussian: Gaussian::default() }
    }

    /// Learns a power transform per column from training rows, `n_rows × n_columns`, with one label per row:
    /// the `λ` with the largest profile likelihood within classes,
    /// `ℓ(λ) = Σ_c -n_cj/2 ln v_cj(λ) + Σ_i ln T_λ'(x_ij)`, of values in [`Units`] that make the `λ`
    /// independent of the unit of the column: for Yeo-Johnson less their mean and divided by their
    /// standard deviation (of all classes together), which makes it independent of the offset, too; for
    /// Box-Cox divided by their geometric mean, which changes no `λ`. There `v_cj(λ)` is the
    /// maximum-likelihood variance of the transformed values of class `c`: each class has a mean and a
    /// variance of its own, as it has in the model. With one class this is what Box and Cox
    /// (1964), section 3, and Yeo and Johnson (2000) maximise. A class whose observed values are all equal,
    /// which fits any `λ` infinitely well, is left out; a column without other classes gets `λ = 1`. A `λ` is
    /// left out where transformed values would be too large for exact moments, or those of a class, as
    /// doubles, would keep less than eight digits of their standard deviation beside the largest.
    ///
    /// There are no bounds: steps that double lead from `λ = 1` to where the likelihood falls again, and
    /// golden sections narrow that neighbourhood down to `1e-8`. (There is one peak, as the logarithm of
    /// the likelihood is concave, and so is a sum over classes: Kouider and Chen 1995, *Concavity of
    /// Box-Cox log-likelihood function*, Statistics & Probability Letters 25; for Yeo-Johnson Marchand et
    /// al. 2022.)
    ///
    /// ```
    /// use nb_core::Missing;
    /// use nb_variants::{PowerTransform, Transform, Transformed};
    /// use ndarray::array;
    ///
    /// // The logarithms are symmetric.
    /// let x = array![[1.0], [10.0], [100.0], [1000.0], [10000.0]];
    /// let learnt = Transformed::learn(&x, &[(); 5], PowerTransform::BoxCox, Missing::Error)?;
    /// let [Transform::BoxCox { lambda }] = learnt.transforms[..] else { unreachable!() };
    /// assert!(lambda.abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LambdaError`] if there is not one label per row, or a cell cannot be transformed; Box-Cox takes
    /// positive values only.
    pub fn learn<L: Ord>(
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        transform: PowerTransform,
        missing: Missing,
    ) -> Result<Self, LambdaError> {
        let (transforms, units) = lambda::learn(rows, labels, transform, missing)?.into_iter().unzip();
        Ok(Self { transforms, units, gaussian: Gaussian { missing, ..Gaussian::default() } })
    }

    /// The columns whose `λ` is where doubles end: of rows and labels that it was [learnt](Self::learn) from,
    /// those in which a `λ` next to it is left out, as that would make transformed values too large for
    /// exact moments, or leave too few digits of them. The likelihood is larger there, and a normal
    /// distribution after a power is no good model of such a column.
    ///
    /// ```
    /// use nb_core::Missing;
    /// use nb_variants::{PowerTransform, Transformed};
    /// use ndarray::array;
    ///
    /// // The second class is skewed and far from the first, so that its powers nearly vanish next to the 1 that is subtracted.
    /// let x = array![[1e-6], [1e-6], [1e-6], [1e-6], [1e6], [8e5], [7e5], [6.5e5]];
    /// let labels = [0, 0, 0, 0, 1, 1, 1, 1];
    /// let learnt = Transformed::learn(&x, &labels, PowerTransform::BoxCox, Missing::Error)?;
    /// assert_eq!(learnt.columns_at_limit(&x, &labels)?, [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As from [`learn`](Self::learn).
    pub fn columns_at_limit<L: Ord>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Vec<usize>, LambdaError> {
        let curves: Vec<Curve> = self.curves().collect();
        let are_at_limit = lambda::are_at_limit(rows, labels, &curves, self.gaussian.missing)?;
        Ok((0..curves.len()).filter(|&column| are_at_limit.get(column) == Some(&true)).collect())
    }

    /// The curves of all columns.
    fn curves(&self) -> impl Iterator<Item = Curve> + '_ {
        self.transforms.iter().zip(&self.units).map(|(&transform, &units)| Curve { transform, units })
    }

    fn curve(&self, column: usize) -> Curve {
        Curve { transform: self.transforms[column], units: self.units[column] }
    }
}

/// Fills `buffer` with transformed rows. Zeros that a sparse block does not store are transformed, too.
fn transform_rows(model: &Transformed, rows: &Block<'_>, buffer: &mut BlockBuffer) {
    buffer.start_dense(rows.n_columns());
    rows.for_each_row(|_, cells| {
        buffer.push_dense_row(cells.iter().zip(model.curves()).map(|(&value, curve)| curve.apply(value)));
    });
}

/// Refuses the first cell that cannot be transformed, also one that a sparse block does not store.
fn check_rows(model: &Transformed, rows: &Block<'_>) -> Result<(), ValueError> {
    let problem = |column: usize, value: f64| model.curve(column).problem(value, model.gaussian.missing);
    ValueError::first(rows.find_cell(problem))
}

/// The parts of [`Gaussian`].
impl FeatureModel for Transformed {
    type Fitted = FittedTransformed;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.transforms.iter().try_for_each(|transform| transform.check())?;
        self.units.iter().try_for_each(|units| units.check())?;
        for (name, found) in
            [("the list of transforms", self.transforms.len()), ("the list of units", self.units.len())]
        {
            if found != n_columns {
                return Err(LayoutError::Length { name, found, n_columns });
            }
        }
        let layout = self.gaussian.layout(n_columns)?;
        let names: Vec<String> = self.curves().map(Curve::name).collect();
        Ok(SumLayout { family: format!("{} after {}", layout.family, names.join(", ")).into(), ..layout })
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_rows(self, rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let mut buffer = BlockBuffer::default();
        transform_rows(self, rows, &mut buffer);
        self.gaussian.update(&buffer.block(), weights, sums);
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedTransformed, FamilyError> {
        let gaussian = self.gaussian.fit(classes)?;
        Ok(FittedTransformed::new(self.clone(), gaussian))
    }
}
