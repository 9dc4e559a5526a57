//! Where the search starts: the naive Bayes solution.

use nb_core::{
    NaiveBayes, Rows,
    error::{FitRowsError, UpdateError, ValueProblem},
};

use super::{LogisticError, problem::Problem};
use crate::{CenteredForm, ColumnTerm, LinearForm, SharedGaussian};

/// What the naive Bayes solution says of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Near the middle of the data.
    pub(super) center: f64,
    /// The standard deviation within classes; zero if the column is constant over all rows.
    pub(super) spread: f64,
}

/// Fits naive Bayes with a shared variance, which also refuses rows, labels and weights that are invalid.
pub(super) fn naive_bayes<L: Ord + Clone + Send + Sync>(
    rows: &(impl Rows + ?Sized),
    labels: &[L],
    weights: Option<&[f64]>,
) -> Result<LinearForm<L>, LogisticError> {
    let model = NaiveBayes::new(SharedGaussian::default());
    let classifier = match weights {
        Some(weights) => model.fit_weighted(rows, labels, weights),
        None => model.fit(rows, labels),
    };
    match classifier {
        Ok(classifier) => Ok(LinearForm::new(&classifier)),
        Err(FitRowsError::Update(UpdateError::Value(error))) if error.reason == ValueProblem::Missing => {
            Err(LogisticError::Missing { row: error.row, column: error.column })
        }
        Err(error) => Err(error.into()),
    }
}

/// Center and spread of all columns.
pub(super) fn columns<L>(naive_bayes: &LinearForm<L>) -> Vec<Column> {
    let term = |column| match naive_bayes.column(column).map(|column| &column.term) {
        Some(&ColumnTerm::Real { center, spread, .. }) => Column { center, spread },
        _ => Column { center: 0.0, spread: 0.0 },
    };
    (0..naive_bayes.n_columns()).map(term).collect()
}

/// The coefficients to start from: those of naive Bayes, moved towards zero weights by halves as long as that
/// lowers the objective. (Features that depend on one another make naive Bayes overconfident.)
pub(super) fn coefficients<L>(naive_bayes: &LinearForm<L>, problem: &Problem) -> Vec<f64> {
    let naive = of_naive_bayes(naive_bayes, problem);
    if !naive.iter().all(|coefficient| coefficient.is_finite()) {
        return vec![0.0; naive.len()];
    }
    let mut best = naive;
    let mut least = problem.value(&best);
    for _ in 0..40 {
        let half: Vec<f64> = best.iter().map(|coefficient| coefficient / 2.0).collect();
        let value = problem.value(&half);
        if value >= least {
            break;
        }
        (best, least) = (half, value);
    }
    best
}

/// The weights and intercepts of naive Bayes as coefficients of the problem.
fn of_naive_bayes<L>(naive_bayes: &LinearForm<L>, problem: &Problem) -> Vec<f64> {
    let (n_classes, stride) = (naive_bayes.classes().len(), problem.stride());
    let CenteredForm { weights, center: naive_center, scores_at_center: mut intercepts } =
        naive_bayes.centered();
    for (class, intercept) in intercepts.iter_mut().enumerate() {
        let moves = naive_center.iter().zip(problem.design.center()).zip(weights.row(class));
        *intercept -= moves.map(|((from, to), weight)| weight * (from - to)).sum::<f64>();
    }
    // Of two classes the first scores zero; of more the scores add up to zero.
    let reference = |of_class: &dyn Fn(usize) -> f64| match n_classes {
        2 => of_class(0),
        _ => (0..n_classes).map(of_class).sum::<f64>() / n_classes as f64,
    };
    let mut coefficients = vec![0.0; problem.n_coefficients()];
    for class in 0..n_classes {
        let Some(free) = problem.free(class) else { continue };
        for (column, &scale) in problem.design.scale().iter().enumerate().filter(|(_, scale)| **scale > 0.0) {
            let weight = weights[[class, column]] - reference(&|class| weights[[class, column]]);
            coefficients[free * stride + column] = weight / scale;
        }
        coefficients[free * stride + stride - 1] = intercepts[class] - reference(&|class| intercepts[class]);
    }
    coefficients
}
