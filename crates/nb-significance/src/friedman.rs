//! The Friedman test: many classifiers over many data sets.

use crate::{
    ranks::doubled_midranks,
    scores::{Better, are_tied},
    special::{chi_squared_tail, f_tail},
};

/// Why there is no Friedman test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FriedmanError {
    /// Too few data sets.
    #[error("there are {found} data sets; the Friedman test needs at least 2")]
    DataSets {
        /// How many there are.
        found: usize,
    },
    /// Too few classifiers.
    #[error("there are {found} classifiers; the Friedman test needs at least 2")]
    Classifiers {
        /// How many there are.
        found: usize,
    },
    /// Not one score per classifier.
    #[error("data set {data_set} has {found} scores for {n_classifiers} classifiers; give one each")]
    Length {
        /// The data set, counted from 0.
        data_set: usize,
        /// How many scores it has.
        found: usize,
        /// How many the first data set has.
        n_classifiers: usize,
    },
    /// A score has no rank.
    #[error(
        "data set {data_set}, classifier {classifier}: the score is NaN; drop the data set or mend the score"
    )]
    NotANumber {
        /// The data set, counted from 0.
        data_set: usize,
        /// The classifier, counted from 0.
        classifier: usize,
    },
}

/// What the Friedman test says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Friedman {
    /// The number of data sets, `N`.
    pub n_data_sets: usize,
    /// The average rank of each of the `k` classifiers over the data sets, 1 for one that is always the
    /// best.
    pub average_ranks: Vec<f64>,
    /// Friedman's χ², corrected for ties; 0 if all scores are tied.
    pub chi_squared: f64,
    /// Friedman's χ² as if there were no ties, as Demšar prints it; it is the smaller one.
    pub chi_squared_uncorrected: f64,
    /// `k - 1`.
    pub degrees_of_freedom: f64,
    /// The p-value of the corrected χ².
    pub p: f64,
    /// The F of Iman and Davenport, `(N - 1) χ² / (N (k - 1) - χ²)`, from the corrected χ²: infinite if all
    /// data sets rank the classifiers alike.
    pub f: f64,
    /// `k - 1` and `(k - 1) (N - 1)`.
    pub f_degrees_of_freedom: (f64, f64),
    /// The p-value of F; 0, which is a limit and no certainty, where F is infinite.
    pub p_f: f64,
    /// Kendall's coefficient of concordance, `χ² / (N (k - 1))`: 1 if all data sets rank the classifiers
    /// alike, about 0 if the data sets have nothing in common.
    pub kendalls_w: f64,
}

/// The Friedman test of whether classifiers rank differently over data sets. `scores` has a row per data set
/// with a score per classifier, `N × k`; of equal scores each gets the average of their ranks, and scores are
/// equal if rounding alone can set them apart ([`are_tied`]).
///
/// With average ranks `R_j` the statistic is `12 N / (k (k + 1)) Σ (R_j - (k + 1)/2)²`, and with ties it is
/// divided by `1 - Σ (t³ - t) / (N k (k² - 1))`, the sum being over groups of `t` tied scores. It has about a
/// χ² distribution with `k - 1` degrees of freedom; for few data sets and classifiers Iman and Davenport's F
/// is closer to its nominal level.
///
/// Friedman 1937, *The use of ranks to avoid the assumption of normality implicit in the analysis of
/// variance*, Journal of the American Statistical Association 32, 675-701; the form here: Demšar 2006,
/// *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine Learning Research 7,
/// section 3.2.2; ties: Hollander, Wolfe and Chicken 2014, *Nonparametric statistical methods*, section 7.1;
/// F: Iman and Davenport 1980, *Approximations of the critical region of the Friedman statistic*,
/// Communications in Statistics A 9, 571-595; W: Kendall and Babington Smith 1939, Annals of Mathematical
/// Statistics 10, 275-287.
///
/// # Errors
/// If there are fewer than two data sets or classifiers, if a data set has another number of scores than the
/// first, or if a score is NaN. Infinite scores have ranks.
///
/// ```
/// use nb_significance::{Better, friedman};
///
/// let accuracies = [[0.91, 0.88, 0.85], [0.75, 0.73, 0.74], [0.99, 0.97, 0.97], [0.62, 0.60, 0.55]];
/// let test = friedman(&accuracies, Better::Larger)?;
/// assert_eq!(test.average_ranks, [1.0, 2.375, 2.625]);
/// assert!((test.p - 0.038_1).abs() < 1e-4);
/// # Ok::<(), nb_significance::FriedmanError>(())
/// ```
pub fn friedman<R: AsRef<[f64]>>(scores: &[R], better: Better) -> Result<Friedman, FriedmanError> {
    let ranks = Ranks::of(scores, better)?;
    let (n, k) = (scores.len() as f64, ranks.sums.len() as f64);
    // Four times the squared distances of the rank sums from their expectation, and of the ranks from theirs.
    let expected_sum = scores.len() as i128 * (ranks.sums.len() as i128 + 1);
    let between: i128 = ranks.sums.iter().map(|sum| (sum - expected_sum).pow(2)).sum();
    let within = ranks.squares - expected_sum * ranks.sums.len() as i128 * (ranks.sums.len() as i128 + 1);
    // Whole numbers, so that perfect agreement and perfect ties are recognised.
    let most = scores.len() as i128 * within;
    let kendalls_w = if within == 0 { 0.0 } else { between as f64 / most as f64 };
    let f = if between == 0 { 0.0 } else { (n - 1.0) * between as f64 / (most - between) as f64 };
    let chi_squared = n * (k - 1.0) * kendalls_w;
    let f_degrees_of_freedom = (k - 1.0, (k - 1.0) * (n - 1.0));
    Ok(Friedman {
        n_data_sets: scores.len(),
        average_ranks: ranks.sums.iter().map(|&sum| sum as f64 / (2.0 * n)).collect(),
        chi_squared,
        chi_squared_uncorrected: 3.0 * between as f64 / (n * k * (k + 1.0)),
        degrees_of_freedom: k - 1.0,
        p: chi_squared_tail(chi_squared, k - 1.0),
        f,
        f_degrees_of_freedom,
        p_f: f_tail(f, f_degrees_of_freedom.0, f_degrees_of_freedom.1),
        kendalls_w,
    })
}

/// Sums of doubled ranks.
struct Ranks {
    /// Of each classifier, over data sets.
    sums: Vec<i128>,
    /// Of the squares of all.
    squares: i128,
}

impl Ranks {
    fn of<R: AsRef<[f64]>>(scores: &[R], better: Better) -> Result<Self, FriedmanError> {
        let n_classifiers = scores.first().map_or(0, |scores| scores.as_ref().len());
        if scores.len() < 2 {
            return Err(FriedmanError::DataSets { found: scores.len() });
        }
        if n_classifiers < 2 {
            return Err(FriedmanError::Classifiers { found: n_classifiers });
        }
        let mut ranks = Self { sums: vec![0; n_classifiers], squares: 0 };
        for (data_set, scores) in scores.iter().map(AsRef::as_ref).enumerate() {
            if scores.len() != n_classifiers {
                return Err(FriedmanError::Length { data_set, found: scores.len(), n_classifiers });
            }
            if let Some(classifier) = scores.iter().position(|score| score.is_nan()) {
                return Err(FriedmanError::NotANumber { data_set, classifier });
            }
            let costs: Vec<f64> = match better {
                Better::Larger => scores.iter().map(|score| -score).collect(),
                Better::Smaller => scores.to_vec(),
            };
            for (sum, rank) in
                ranks.sums.iter_mut().zip(doubled_midranks(&costs, |a, b| are_tied(costs[a], costs[b])))
            {
                *sum += i128::from(rank);
                ranks.squares += i128::from(rank).pow(2);
            }
        }
        Ok(ranks)
    }
}
