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
