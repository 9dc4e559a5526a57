//! A family from outside the crate keeps the laws, too.

use nb_core::{
    Density, FeatureModel, Likelihood,
    error::{FamilyError, FamilyProblem, LayoutError, ValueError, ValueProblem},
    exact::{Exact, ExactSums},
    family::{Block, ClassSums, SumForm, SumLayout, Weights},
};

/// Waiting times: `log p = log λ - λ x` for `x >= 0`, with `1/λ` the mean.
#[derive(Clone, Debug)]
struct Exponential;

struct FittedExponential {
    /// `rates[class][column]`.
    rates: Vec<Vec<f64>>,
}

fn check(rows: &Block<'_>) -> Result<(), ValueError> {
    ValueError::first(rows.find_stored(|_, value| {
        let usable = (0.0..1e100).contains(&value);
        (!usable).then(|| ValueProblem::Other("is not a waiting time from 0 to 1e100".into()))
    }))
}

impl FeatureModel for Exponential {
    type Fitted = FittedExponential;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        Ok(SumLayout::new("exponential", [("sum", n_columns)]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        rows.for_each_stored(|row, column, value| sums[0].add_product(column, weights.get(row), value));
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedExponential, FamilyError> {
        let mut rates = Vec::new();
        for (class, sums) in classes.iter().enumerate() {
            let mut row = Vec::new();
            for (column, sum) in sums.part(0).iter().enumerate() {
                if sum.is_zero() {
                    let problem = FamilyProblem::Other("all waiting times are 0".into());
                    return Err(FamilyError { class, column, problem });
                }
                row.push(sums.weight().divided_by(&sum).0);
            }
            rates.push(row);
        }
        Ok(FittedExponential { rates })
    }
}

impl Likelihood for FittedExponential {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let rate = self.rates[class][column];
        rate.ln() - rate * value
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedExponential {
    fn sum_layout(&self) -> Option<SumLayout> {
        None
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let weight = sums.weight().to_f64();
        let term = |(rate, sum): (&f64, Exact)| weight * rate.ln() - rate * sum.to_f64();
        Some(self.rates[class].iter().zip(sums.part(0).iter()).map(term).sum())
    }
}

impl Density for FittedExponential {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn rand::Rng) -> f64 {
        let uniform = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        -(1.0 - uniform).ln() / self.rates[class][column]
    }
}

#[test]
fn a_foreign_family_keeps_the_laws() {
    nb_laws::check(&Exponential, 3, 0.0..50.0_f64);
}

/// Directions: a von Mises distribution, whose sums of `cos x` and `sin x` grow by a zero, too.
#[derive(Clone, Debug)]
struct VonMises {
    /// Whether the zeros that sparse rows do not store are forgotten.
    is_careless: bool,
}

#[derive(Debug)]
struct FittedVonMises {
    /// `(μ, κ)` by class and column.
    parameters: Vec<Vec<(f64, f64)>>,
}

fn check_directions(rows: &Block<'_>) -> Result<(), ValueError> {
    ValueError::first(
        rows.find_cell(|_, value| (!value.is_finite()).then(|| ValueProblem::Other("is no angle".into()))),
    )
}

impl FeatureModel for VonMises {
    type Fitted = FittedVonMises;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        Ok(SumLayout::new("von Mises", [("cos", n_columns), ("sin", n_columns)]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_directions(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let add = |row, column, value: f64| {
            sums[0].add_weighted(column, weights.get(row), value.cos());
            sums[1].add_weighted(column, weights.get(row), value.sin());
        };
        if self.is_careless { rows.for_each_stored(add) } else { rows.for_each_cell(add) }
    }

    /// `κ` as in Banerjee et al. 2005, *Clustering on the unit hypersphere using von Mises-Fisher
    /// distributions*.
    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedVonMises, FamilyError> {
        let parameters = |class: usize, sums: &ClassSums<'_>, column| {
            let weight = sums.weight().to_f64();
            let [cos, sin] = [0, 1].map(|part| sums.part(part).get(column).to_f64() / weight);
            let length = cos.hypot(sin);
            let problem = FamilyProblem::Other("all directions are the same".into());
            if length > 0.999 {
                return Err(FamilyError { class, column, problem });
            }
            Ok((sin.atan2(cos), length * (2.0 - length * length) / (1.0 - length * length)))
        };
        let of_class = |(class, sums): (usize, &ClassSums<'_>)| {
            (0..sums.part(0).len()).map(|column| parameters(class, sums, column)).collect()
        };
        Ok(FittedVonMises { parameters: classes.iter().enumerate().map(of_class).collect::<Result<_, _>>()? })
    }
}

impl Likelihood for FittedVonMises {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_directions(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let (mean, concentration) = self.parameters[class][column];
        // log I₀ by its series.
        let terms = (1..400).scan(1.0, |term, k| {
            *term *= (concentration / 2.0 / f64::from(k)).powi(2);
            Some(*term)
        });
        concentration * (value - mean).cos() - (std::f64::consts::TAU * (1.0 + terms.sum::<f64>())).ln()
    }
}

fn angles() -> impl proptest::strategy::Strategy<Value = f64> + Clone {
    0.1..6.2_f64
}

#[test]
fn a_family_to_which_zeros_add_something_keeps_the_laws() {
    nb_laws::check_statistics(&VonMises { is_careless: false }, 3, angles());
    nb_laws::check_scores(&VonMises { is_careless: false }, 3, angles());
}

#[test]
#[should_panic(expected = "broken law: sparse rows, and the zeros that they do not store, are dense rows")]
fn forgotten_zeros_break_a_law() {
    nb_laws::check_statistics(&VonMises { is_careless: true }, 3, angles());
}

#[test]
fn dense_and_sparse_directions_are_the_same() {
    let dense = ndarray::array![[0.0], [0.2], [6.2], [0.0], [0.1], [0.0]];
    let sparse =
        nb_core::CsrView::new(1, &[0, 0, 1, 2, 2, 3, 3], &[0, 0, 0], &[0.2, 6.2, 0.1]).expect("rows");
    let naive_bayes = nb_core::NaiveBayes::new(VonMises { is_careless: false });
    let labels = ["a"; 6];
    let [dense, sparse] =
        [naive_bayes.fit(&dense, &labels).expect("fits"), naive_bayes.fit(&sparse, &labels).expect("fits")];
    assert_eq!(dense.likelihood().parameters, sparse.likelihood().parameters);
}
