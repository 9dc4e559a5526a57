//! Log-count ratios for text: the features of naive Bayes, with weights from logistic regression.

mod classifier;
mod error;
mod features;
mod ratios;

pub use classifier::CountRatioClassifier;
pub use error::CountRatioError;

use nb_core::{Bernoulli, FeatureModel, Multinomial, Rows, SufficientStats, error::UpdateError};
use nb_linear::{LinearForm, LogisticRegression};
use ndarray::Array2;

use self::features::Features;

/// Logistic regression on features times their log-count ratios, `r = log((p / |p|₁) / (q / |q|₁))` with the
/// smoothed sums `p = α + Σ f` over the rows of a class and `q` over the others (Wang and Manning 2012,
/// *Baselines and bigrams*, ACL, section 2, with logistic regression in place of their support vector
/// machine, and without their interpolation).
///
/// More than two classes are each set against all others. Compare the result with
/// [`Multinomial`] alone, which is better on the short messages of nb-datasets.
///
/// Rows are counts, at least 0, dense or sparse; work goes with the stored cells of sparse rows.
///
/// # Model
/// For two classes, `p = α + Σ_{i: y_i = 1} f_i` and `q = α + Σ_{i: y_i = 0} f_i` are smoothed sums of the
/// rows' features `f`, and `r = log((p / |p|₁) / (q / |q|₁))` is the log-count ratio, the weight of
/// multinomial naive Bayes. A linear classifier is learnt on the products `x̃ = r ∘ f`: where it gives all of
/// them the same weight it is naive Bayes, and the penalty on the weights is smaller for words that tell the
/// classes apart.
///
/// Wang and Manning (2012), *Baselines and bigrams: simple, good sentiment and topic classification*, ACL,
/// section 2, take a support vector machine for it (NBSVM), and mention logistic regression as a substitute.
/// Here it is logistic regression with an L2 penalty, so that the scores are log-odds. `f` is the indicator
/// of a count above 0 by default, as they recommend.
///
/// # What is left out
/// Their interpolation `w' = (1 - β) w̄ + β w` between naive Bayes and the machine. A margin has no unit, and
/// one that ranks better is better; log-odds have one, and mixed weights beside an intercept that belongs to
/// others would be those of no likelihood. Shrinking is up to the penalty here, which is part of what is
/// minimised.
///
/// # More than two classes
/// Each class against all others, with a ratio and a regression of its own. Its score `s_c` estimates the
/// log-odds of the class, and `log p(c | x) = log σ(s_c) - log Σ_k σ(s_k)`. The paper has two classes only;
/// dividing by the sum is our choice: the estimates come from separate regressions and add up to one only
/// about, it keeps their ratios, and the best class stays the best. (Zadrozny and Elkan (2002), *Transforming
/// classifier scores into accurate multiclass probability estimates*, KDD, compare it with other ways.)
///
/// # Example
///
/// ```
/// use nb_core::CsrView;
/// use nb_variants::CountRatio;
///
/// // Columns: excellent, dull, film.
/// let x = CsrView::new(3, &[0, 2, 4, 6, 8], &[0, 2, 0, 2, 1, 2, 1, 2], &[1.0; 8])?;
/// let y = ["good", "good", "poor", "poor"];
/// let classifier = CountRatio::default().fit(&x, &y)?;
/// // (1 + 0) of 7 words in good reviews, (1 + 2) of 7 in poor ones.
/// assert!((classifier.ratios()[[0, 1]] - 3.0_f64.ln()).abs() < 1e-15);
/// assert_eq!(classifier.ratios()[[0, 2]], 0.0);
///
/// let new = CsrView::new(3, &[0, 1], &[0], &[5.0])?;
/// assert_eq!(classifier.predict(&new)?, ["good"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountRatio {
    /// What is added to every sum, from 2^-60 to 2^60. The default is 1.
    pub alpha: f64,
    /// Whether a feature is 1 for every count above 0, else the count itself. The default is true.
    pub binarize: bool,
    /// The linear classifier.
    pub logistic: LogisticRegression,
}

impl Default for CountRatio {
    fn default() -> Self {
        Self { alpha: 1.0, binarize: true, logistic: LogisticRegression::default() }
    }
}

impl CountRatio {
    /// Fits rows, `n_rows × n_columns`, with one label per row.
    ///
    /// ```
    /// # use nb_variants::CountRatio;
    /// # use ndarray::array;
    /// let classifier = CountRatio::default().fit(&array![[1.0, 0.0], [0.0, 1.0]], &["good", "poor"])?;
    /// assert_eq!(classifier.predict(&array![[3.0, 0.0], [0.0, 2.0]])?, ["good", "poor"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CountRatioError`] if rows, labels or parameters are invalid, there is only one class, or a
    /// regression has no solution.
    pub fn fit<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<CountRatioClassifier<L>, CountRatioError> {
        let stats = if self.binarize {
            stats(&Bernoulli::default(), rows, labels)
        } else {
            stats(&Multinomial::default(), rows, labels)
        };
        self.fit_with_stats(&stats?, rows, labels)
    }

    /// As [`fit`](Self::fit), with the ratios of statistics that are there already, and may know more rows
    /// than these: of [`Bernoulli`] with the threshold 0 if features are indicators, else of
    /// [`Multinomial`].
    ///
    /// ```
    /// use nb_core::{Bernoulli, SufficientStats};
    /// use nb_variants::CountRatio;
    /// use ndarray::array;
    ///
    /// let (x, y) = (array![[1.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 3.0]], ["a", "a", "b", "b"]);
    /// let mut stats = SufficientStats::new(&Bernoulli::default(), 2)?;
    /// stats.update(&Bernoulli::default(), &x, &y)?;
    /// let classifier = CountRatio::default().fit_with_stats(&stats, &x, &y)?;
    /// assert_eq!(classifier.ratios(), CountRatio::default().fit(&x, &y)?.ratios());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`fit`](Self::fit), or if the statistics are of another family or other columns, or of other
    /// classes than the labels.
    pub fn fit_with_stats<L: Ord + Clone + Send + Sync>(
        &self,
        stats: &SufficientStats<L>,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<CountRatioClassifier<L>, CountRatioError> {
        if !(ratios::SMALLEST_ALPHA..=ratios::LARGEST_ALPHA).contains(&self.alpha) {
            return Err(CountRatioError::Alpha { alpha: self.alpha });
        }
        self.check(stats, rows, labels)?;
        let classes: Vec<L> = stats.classes().cloned().collect();
        let ratios = ratios::ratios(stats, self.alpha)?;
        let (mut weights, mut intercepts) =
            (Array2::zeros((classes.len(), stats.n_columns())), vec![0.0; classes.len()]);
        // Of two classes the second is the one with a regression, as elsewhere.
        let first = usize::from(classes.len() == 2);
        for (class, ratio) in (first..).zip(ratios.rows()) {
            let scale = ratio.to_vec();
            let features = Features { rows, binarize: self.binarize, scale: Some(&scale) };
            let is_class: Vec<bool> = labels.iter().map(|label| *label == classes[class]).collect();
            let form = self.logistic.fit(&features, &is_class);
            let form = form.map_err(|error| CountRatioError::Logistic { class, error })?;
            weights.row_mut(class).assign(&(&form.coef().row(1) * &ratio));
            intercepts[class] = form.intercept()[1];
        }
        let center = vec![0.0; stats.n_columns()];
        let form = LinearForm::from_parameters(classes, &center, &weights.view(), &intercepts)?;
        Ok(CountRatioClassifier::new(form, ratios, self.binarize))
    }

    /// Refuses statistics, rows and labels that do not go together, and rows that are no counts.
    fn check<L: Ord + Clone + Send + Sync>(
        &self,
        stats: &SufficientStats<L>,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<(), CountRatioError> {
        let checked = if self.binarize {
            stats.check_model(&Bernoulli::default())
        } else {
            stats.check_model(&Multinomial::default())
        };
        checked.map_err(UpdateError::from)?;
        let (expected, found) = (stats.n_columns(), rows.n_columns());
        if expected != found {
            return Err(UpdateError::Columns { expected, found }.into());
        }
        if labels.len() != rows.n_rows() {
            return Err(UpdateError::Labels { rows: rows.n_rows(), labels: labels.len() }.into());
        }
        features::check_counts(rows).map_err(UpdateError::from)?;
        let mut seen: Vec<&L> = labels.iter().collect();
        seen.sort_unstable();
        seen.dedup();
        if !seen.into_iter().eq(stats.classes()) {
            return Err(CountRatioError::Classes);
        }
        if stats.classes().len() < 2 {
            return Err(CountRatioError::OneClass);
        }
        Ok(())
    }
}

/// Statistics of the rows.
fn stats<L: Ord + Clone + Send + Sync>(
    model: &impl FeatureModel,
    rows: &(impl Rows + ?Sized),
    labels: &[L],
) -> Result<SufficientStats<L>, CountRatioError> {
    let mut stats = SufficientStats::new(model, rows.n_columns())?;
    stats.update(model, rows, labels)?;
    Ok(stats)
}
