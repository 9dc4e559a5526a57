//! How sure a model is of what a value adds: 95 % intervals from the sums of its training rows.
//!
//! # Variances
//! With `N` the weight of the rows of a class in which the column is known, the variance of `log p(x |
//! class)` is
//!
//! - for categories, bins and thresholds `ψ'(n_k + l) − ψ'(N + lK)`, with the trigamma function `ψ'`: that of
//!   the logarithm of a probability under its Dirichlet posterior (Gelman et al., *Bayesian Data Analysis*,
//!   3rd edition, 2013, 3.4 and appendix A);
//! - for normal distributions `(z² + (z² − 1)²/2)/N` with `z = (x − mean)/deviation`, by the delta method
//!   from the variances `v/N` of a mean and `2v²/N` of a variance (Casella and Berger, *Statistical
//!   Inference*, 2nd edition, 2002, 5.5.4);
//! - for Poisson counts `(x − λ)²/(λN)`, by the delta method from the variance `λ/N` of a rate;
//! - times the square of the weight of the column.
//!
//! Other families have none. The classes are independent, so that the variance of a contrast of their scores
//! is the sum of variances, each times the square of its derivative. Weights, cut points, powers and
//! everything else that was learnt before are held fixed.
//!
//! # Corrections
//! What a refined model learnt for a bin or category is known by Laplace's approximation: the variance is the
//! inverse of the curvature of the conditional log-likelihood (Bishop, *Pattern Recognition and Machine
//! Learning*, 2006, 4.4 and 4.5). Here the curvature is its diagonal `I = Σ p(1 − p)` over the rows of the
//! bin or category, without the penalty of training, which is not in the model. With a penalty `λ` and the
//! variance `V` of the counts, the contribution has the variance `a²V + (1 − a)²/I` with `a = λ/(I + λ)`,
//! which is not above the larger one of `V` and `1/I`: that is what is drawn. It is too narrow where columns
//! repeat one another, as the corrections of the others are held fixed, and too wide where the penalty
//! decides. Where `I` is below 1 the approximation is none, and nothing is drawn. The rows are those of the
//! file of a report or plot, as the rows of training are not in the model, and count as if they were as many
//! as were learnt from.

use nb_core::{FeatureModel, Unseen};
use nb_io::{Family, FittedFamily, Model};

use super::feature::{Fitted, Law, PlottedColumn};

/// Half the width of a 95 % interval in standard deviations.
pub(crate) const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// With less curvature a likelihood is far from normal.
const LEAST_CURVATURE: f64 = 1.0;

/// What the intervals of a column come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Uncertainty {
    law: Known,
    /// For each class the weight of the rows in which the column is known.
    weights: Vec<f64>,
    /// The weight of the column in the model.
    factor: f64,
    corrections: Option<Curvature>,
}

/// The curvature of the conditional log-likelihood by the corrections of a column: its diagonal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curvature {
    /// The cut points of the corrections; `None` if they are of categories.
    pub(crate) cuts: Option<Vec<f64>>,
    /// For each bin or category one number per class.
    pub(crate) levels: Vec<Vec<f64>>,
}

impl Curvature {
    /// The bin or category of a value that is not missing.
    pub(crate) fn level(&self, value: f64) -> usize {
        match &self.cuts {
            Some(cuts) => cuts.partition_point(|&cut| cut < value),
            None => value as usize,
        }
    }
}

/// The families that have intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    /// Probabilities of `n` categories with the pseudo-count `smoothing`.
    Probabilities {
        smoothing: f64,
        n: f64,
    },
    Normal,
    Poisson,
}

impl Uncertainty {
    /// Of a column; `None` if its family has no intervals, or if it has corrections of which no curvature is
    /// known.
    pub(crate) fn of(
        model: &Model,
        classifier: &Fitted,
        feature: &PlottedColumn,
        corrections: Option<Curvature>,
    ) -> Option<Self> {
        let column = feature.column;
        let (factor, is_corrected) = match classifier.likelihood() {
            FittedFamily::Refined(refined) => {
                let refinement = refined.refinement();
                (*refinement.weights.get(column)?, !refinement.corrections.get(column)?.is_constant())
            }
            _ => (1.0, false),
        };
        if is_corrected && corrections.is_none() {
            return None;
        }
        let block = Block::of(model, column)?;
        let law = block.known(feature)?;
        let weights = (0..classifier.classes().len()).map(|class| block.weight(model, class));
        Some(Self {
            law,
            weights: weights.collect::<Option<_>>()?,
            factor,
            corrections: corrections.filter(|_| is_corrected),
        })
    }

    /// The variance of what the sums of a class say of a value, times the weight.
    fn variance(&self, feature: &PlottedColumn, class: usize, value: f64) -> Option<f64> {
        if self.factor == 0.0 {
            return Some(0.0);
        }
        let n = self.weights[class];
        let of_sums = match (self.law, &feature.law) {
            (Known::Probabilities { smoothing, n: n_categories }, law) => {
                let probability = match law {
                    Law::Bins { cuts, probabilities } => {
                        probabilities.get(cuts.partition_point(|&cut| cut < value))?[class]
                    }
                    Law::Categories { levels, .. } => levels.get(feature.level(value)?)?.probabilities[class],
                    _ => return None,
                };
                variance_of_log(probability, n + smoothing * n_categories)
            }
            (Known::Normal, Law::Density(parameters)) => {
                let (mean, deviation) = parameters[class];
                variance_of_normal((value - mean) / deviation, n)
            }
            (Known::Poisson, Law::Counts(parameters)) => {
                let rate = parameters[class].0;
                (value - rate) * (value - rate) / (rate * n)
            }
            _ => return None,
        };
        Some(self.factor * self.factor * of_sums)
    }

    /// Half the width of the 95 % interval of what a value adds to each curve; `derivatives` has those of a
    /// curve by the scores of the classes. `None` if that is not known, as for a missing cell.
    pub(crate) fn half_width(
        &self,
        feature: &PlottedColumn,
        value: f64,
        derivatives: &[Vec<f64>],
    ) -> Option<Vec<f64>> {
        if value.is_nan() {
            return None;
        }
        let variances: Option<Vec<f64>> =
            (0..self.weights.len()).map(|class| self.variance(feature, class, value)).collect();
        let variances = variances?;
        let of_correction = |curve: usize| -> Option<f64> {
            let Some(corrections) = &self.corrections else { return Some(0.0) };
            // Of two classes the only curve is that of the second one.
            let class = if derivatives.len() == 1 { 1 } else { curve };
            let curvature = *corrections.levels.get(corrections.level(value))?.get(class)?;
            (curvature >= LEAST_CURVATURE).then_some(1.0 / curvature)
        };
        let of_curve = |(curve, derivatives): (usize, &Vec<f64>)| {
            let terms = derivatives.iter().zip(&variances).filter(|(derivative, _)| **derivative != 0.0);
            let variance: f64 = terms.map(|(derivative, variance)| derivative * derivative * variance).sum();
            let half_width = DEVIATIONS * variance.max(of_correction(curve)?).sqrt();
            half_width.is_finite().then_some(half_width)
        };
        let half_widths: Option<Vec<f64>> = derivatives.iter().enumerate().map(of_curve).collect();
        half_widths
    }

    /// Whether it is also about corrections.
    pub(crate) fn has_corrections(&self) -> bool {
        self.corrections.is_some()
    }
}

/// The variance of the logarithm of a probability with this mean under a Dirichlet posterior with this sum of
/// parameters.
fn variance_of_log(mean: f64, total: f64) -> f64 {
    trigamma(mean * total) - trigamma(total)
}

/// The variance of the logarithm of a normal density, `z` standard deviations from the mean.
fn variance_of_normal(z: f64, n: f64) -> f64 {
    let square = z * z;
    (square + 0.5 * (square - 1.0) * (square - 1.0)) / n
}

/// `ψ'(x)` for `x > 0`, infinite at 0: by recurrence to 12 and the asymptotic series (Abramowitz and Stegun
/// 1964, 6.4.6 and 6.4.12).
fn trigamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 12.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series = [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0];
    let terms = series.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * square);
    sum + inverse + 0.5 * square + inverse * terms
}

/// The block of a column.
struct Block<'a> {
    family: &'a Family,
    /// The position of the column in the block.
    position: usize,
    /// Where the parts of the block are among those of a class.
    parts: std::ops::Range<usize>,
    /// Where the weights of missing cells are among the parts of the block.
    missing: Option<usize>,
}

impl<'a> Block<'a> {
    fn of(model: &'a Model, column: usize) -> Option<Self> {
        let all: Vec<usize> = (0..model.schema().n_features()).collect();
        let mut first = 0;
        let mut found = None;
        let mut look = |columns: &[usize], family: &'a Family| -> Option<()> {
            let layout = family.layout(columns.len()).ok()?;
            if let Some(position) = columns.iter().position(|&own| own == column) {
                let missing = layout.parts.iter().position(|part| part.name == "missing");
                found = Some(Self { family, position, parts: first..first + layout.parts.len(), missing });
            }
            first += layout.parts.len();
            Some(())
        };
        match model.family() {
            Family::Blocks(blocks) => {
                for (columns, family) in blocks.iter() {
                    look(columns, family)?;
                }
            }
            family => look(&all, family)?,
        }
        found
    }

    fn known(&self, feature: &PlottedColumn) -> Option<Known> {
        let n = match &feature.law {
            Law::Bins { probabilities, .. } => probabilities.len() as f64,
            Law::Categories { levels, .. } => levels.len() as f64,
            _ => 0.0,
        };
        Some(match self.family {
            Family::Gaussian(_) => Known::Normal,
            Family::Poisson(_) => Known::Poisson,
            Family::Bernoulli(family) => {
                Known::Probabilities { smoothing: family.smoothing.get(self.position), n }
            }
            Family::Binned(family) => {
                Known::Probabilities { smoothing: family.smoothing.get(self.position), n }
            }
            Family::Categorical(family) => {
                let n = n + f64::from(u8::from(family.unseen == Unseen::Other));
                Known::Probabilities { smoothing: family.smoothing.get(self.position), n }
            }
            _ => return None,
        })
    }

    /// The weight of the rows of a class in which the column is known.
    fn weight(&self, model: &Model, class: usize) -> Option<f64> {
        let parts = model.stats().class_sums().nth(class)?.get(self.parts.clone())?;
        if let Family::Categorical(_) | Family::Binned(_) = self.family {
            let counts = parts.get(self.position)?;
            return Some((0..counts.len()).map(|level| counts.get(level).to_f64()).sum());
        }
        let all = model.stats().class_weights().get(class)?.to_f64();
        let missing = parts.get(self.missing?)?;
        Some(if self.position < missing.len() { all - missing.get(self.position).to_f64() } else { all })
    }
}

#[cfg(test)]
mod tests {
    use nb_core::{Categorical, Categories, Gaussian, Prior, VarianceSmoothing};
    use nb_io::{Column, Kind, Schema};
    use ndarray::Array2;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::plot::Effect;

    #[test]
    fn the_trigamma_function_is_that_of_scipy() {
        // scipy.special.polygamma(1, x)
        let expected = [
            (0.001, 1_000_001.642_533_195_9),
            (0.5, 4.934_802_200_544_68),
            (1.0, 1.644_934_066_848_226_6),
            (2.5, 0.490_357_756_100_234_9),
            (7.25, 0.147_879_233_158_932_2),
            (11.5, 0.090_846_661_274_546_26),
            (40.0, 0.025_315_103_841_291_032),
            (1234.5, 0.000_810_372_727_126_966_8),
        ];
        for (x, expected) in expected {
            assert!((trigamma(x) / expected - 1.0).abs() < 1e-13, "{x}: {} {expected}", trigamma(x));
        }
        assert_eq!(trigamma(0.0), f64::INFINITY);
    }

    /// A number that is normal with mean 0 and variance 1 (Box and Muller 1958).
    fn normal(rng: &mut impl Rng) -> f64 {
        let [u, v]: [f64; 2] = [rng.random(), rng.random()];
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// The model of a column, and its contributions with intervals.
    fn effect(kind: Kind, family: Family, rows: &Array2<f64>, labels: &[&str], span: (f64, f64)) -> Effect {
        let column = Column { name: "x".into(), kind };
        let schema = Schema { columns: vec![column], label: "y".into() };
        let mut model = Model::new(schema, family, Prior::Empirical).unwrap();
        model.update(rows, labels).unwrap();
        let classifier = model.classifier().unwrap();
        let feature = PlottedColumn::find(&classifier, model.schema(), "x").unwrap();
        let uncertainty = Uncertainty::of(&model, &classifier, &feature, None).unwrap();
        Effect::new(&classifier, &feature, &[0.5, 0.5], span).with_intervals(
            &uncertainty,
            &classifier,
            &feature,
            &[0.5, 0.5],
        )
    }

    const N: usize = 80;

    fn labels() -> Vec<&'static str> {
        (0..N).map(|row| ["a", "b"][row % 2]).collect()
    }

    /// The share of intervals that have the true log-odds.
    fn covered(
        n_sets: usize,
        seed: u64,
        mut one: impl FnMut(&mut ChaCha8Rng) -> Vec<(Effect, usize, f64)>,
    ) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut n, mut n_covered) = (0, 0);
        for _ in 0..n_sets {
            for (effect, place, truth) in one(&mut rng) {
                let (add, half_width) =
                    (effect.adds[place][0], effect.half_widths[place].as_ref().unwrap()[0]);
                n += 1;
                n_covered += usize::from((add - truth).abs() <= half_width);
            }
        }
        f64::from(n_covered as u32) / f64::from(n)
    }

    #[test]
    fn intervals_of_categories_have_the_true_log_odds_as_often_as_they_say() {
        let truths: [[f64; 3]; 2] = [[0.5, 0.2, 0.3], [0.2, 0.6, 0.2]];
        let share = covered(150, 1, |rng| {
            let rows = Array2::from_shape_fn((N, 1), |(row, _)| {
                let (p, u) = (truths[row % 2], rng.random::<f64>());
                if u < p[0] {
                    0.0
                } else if u < p[0] + p[1] {
                    1.0
                } else {
                    2.0
                }
            });
            let levels = ["p", "q", "r"].map(String::from).to_vec();
            let family = Categorical { categories: Categories::Declared(vec![3]), ..Categorical::default() };
            let effect = effect(Kind::Categorical { levels }, family.into(), &rows, &labels(), (0.0, 1.0));
            (0..3).map(|level| (effect.clone(), level, (truths[1][level] / truths[0][level]).ln())).collect()
        });
        assert!((0.9..=0.99).contains(&share), "{share}");
    }

    #[test]
    fn intervals_of_normal_densities_have_the_true_log_odds_as_often_as_they_say() {
        let truths: [(f64, f64); 2] = [(0.0, 1.0), (1.0, 2.0)];
        let log = |x: f64, (mean, deviation): (f64, f64)| {
            -(x - mean) * (x - mean) / (2.0 * deviation * deviation) - deviation.ln()
        };
        let share = covered(150, 2, |rng| {
            let rows = Array2::from_shape_fn((N, 1), |(row, _)| {
                let (mean, deviation) = truths[row % 2];
                mean + deviation * normal(rng)
            });
            let family = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
            let effect = effect(Kind::Numeric, Family::Gaussian(family), &rows, &labels(), (-2.0, 4.0));
            let crate::plot::Values::Numbers(at) = effect.values.clone() else { panic!("numbers") };
            [0, 150, 300, 450, 600]
                .map(|place| (effect.clone(), place, log(at[place], truths[1]) - log(at[place], truths[0])))
                .to_vec()
        });
        assert!((0.9..=0.99).contains(&share), "{share}");
    }

    #[test]
    fn weights_count_squared_and_missing_cells_less() {
        let rows =
            Array2::from_shape_fn((N, 1), |(row, _)| if row < 8 { f64::NAN } else { ((row / 2) % 5) as f64 });
        let family = Gaussian { missing: nb_core::Missing::Skip, ..Gaussian::default() };
        let schema = Schema::numeric(["x"], "y");
        let mut model = Model::new(schema, Family::Gaussian(family), Prior::Empirical).unwrap();
        model.update(&rows, &labels()).unwrap();
        let classifier = model.classifier().unwrap();
        let feature = PlottedColumn::find(&classifier, model.schema(), "x").unwrap();
        let uncertainty = Uncertainty::of(&model, &classifier, &feature, None).unwrap();
        assert_eq!(uncertainty.weights, [36.0, 36.0]);
        let derivatives = [vec![-1.0, 1.0]];
        let whole = uncertainty.half_width(&feature, 1.0, &derivatives).unwrap()[0];
        let half = Uncertainty { factor: 0.5, ..uncertainty.clone() }
            .half_width(&feature, 1.0, &derivatives)
            .unwrap()[0];
        assert!((whole - 2.0 * half).abs() < 1e-12);
        assert_eq!(uncertainty.half_width(&feature, f64::NAN, &derivatives), None);
        // A curvature of 4 is a variance of 1/4, and a value without one has no interval.
        let corrections = Curvature { cuts: Some(vec![2.0]), levels: vec![vec![4.0; 2], vec![0.0; 2]] };
        let corrected = Uncertainty { factor: 0.0, corrections: Some(corrections), ..uncertainty };
        assert!(
            (corrected.half_width(&feature, 2.0, &derivatives).unwrap()[0] - 0.5 * DEVIATIONS).abs() < 1e-12
        );
        assert_eq!(corrected.half_width(&feature, 2.5, &derivatives), None);
    }
}
