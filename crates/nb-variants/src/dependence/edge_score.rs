//! By which score the edges of a tree of columns are chosen.

use nb_core::{
    description::{Parameter, Setting, Value},
    error::LayoutError,
    exact::Exact,
    family::ClassSums,
};

use super::{
    PairCounts,
    information::{self, Table},
    tree,
};

/// By which score the edges of a tree are chosen.
pub(super) static EDGE_SCORE: Parameter =
    Parameter::new("edge_score", "By which score the edges of TAN's tree are chosen");

const MUTUAL_INFORMATION: &str = "mutual_information";
const BAYES: &str = "bayes";
const AIC: &str = "aic";
const BIC: &str = "bic";

/// By which score of two columns `i` and `j` the edges of [`Tan`](crate::Tan) are chosen.
///
/// In the formulas `n_yab` is the weight of the rows of class `y` with value `a` of column `i` and `b` of
/// column `j`, and `n` that of all rows in which both are observed; there are `C` classes, and `K_i` and
/// `K_j` values of the columns. The edges are those of the tree with the largest sum of scores, or, by
/// [`Aic`](Self::Aic) and [`Bic`](Self::Bic), of the forest.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{EdgeScore, PairCounts, Tan};
/// use ndarray::array;
///
/// // Columns that are independent of each other in the only class.
/// let (x, y) = (array![[0, 0], [0, 1], [1, 0], [1, 1]], ["a"; 4]);
/// let parents = |edge_score| -> Result<_, Box<dyn std::error::Error>> {
///     let tan = Tan { edge_score, ..Tan::new(PairCounts::new(vec![2, 2])) };
///     Ok(NaiveBayes::new(tan).fit(&x, &y)?.likelihood().parents().to_vec())
/// };
/// assert_eq!(parents(EdgeScore::MutualInformation)?, [None, Some(0)]);
/// assert_eq!(parents(EdgeScore::Bic)?, [None, None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EdgeScore {
    /// The mutual information within the classes, `I(x_i; x_j | y) = Σ n_yab/n ln(n_yab n_y / (n_ya n_yb))`
    /// (Friedman, Geiger and Goldszmidt 1997). The tree has the largest likelihood. Weka's score
    /// `ENTROPY`, bnclassify's `loglik`.
    #[default]
    MutualInformation,
    /// The logarithm of the Bayes factor of the edge: of the marginal likelihood of one column, in the
    /// classes, with the other as a parent and without, with Jeffreys' prior, a Dirichlet distribution
    /// with parameters ½, for all distributions (Heckerman, Geiger and Chickering 1995). The prior is not
    /// the same in both directions; the larger one of the two factors counts. Weka's score `BAYES`.
    Bayes,
    /// Akaike's criterion: `n I(x_i; x_j | y) - d`, with `d = C (K_i - 1) (K_j - 1)` parameters that the edge
    /// adds. Only edges with a positive score are used. bnclassify's `aic`.
    Aic,
    /// The Bayesian information criterion of Schwarz: `n I(x_i; x_j | y) - d/2 ln n`. Only edges with a
    /// positive score are used. bnclassify's `bic`.
    Bic,
}

impl EdgeScore {
    /// The parent of each column, from the sums of the classes.
    pub(super) fn parents(self, counts: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Option<usize>> {
        let scores = information::of_pairs(counts, classes, |tables| self.of_tables(tables));
        let least = if self.is_penalised() { 0.0 } else { f64::NEG_INFINITY };
        tree::largest_forest(&scores, least)
    }

    fn is_penalised(self) -> bool {
        matches!(self, Self::Aic | Self::Bic)
    }

    /// The score of two columns from their counts in each class.
    fn of_tables(self, tables: &[Table]) -> f64 {
        let information = information::of_tables(tables);
        let n = Exact::sum(tables.iter().flatten().flatten().copied()).to_f64();
        let dimensions =
            tables.first().map_or([0, 0], |table| [table.len(), table.first().map_or(0, Vec::len)]);
        let [d_i, d_j] = dimensions.map(|n_values| n_values.saturating_sub(1) as f64);
        let n_parameters = tables.len() as f64 * d_i * d_j;
        match self {
            Self::MutualInformation => information,
            Self::Bayes => {
                let transposed: Vec<Table> = tables.iter().map(transposed).collect();
                ln_bayes_factor(tables).max(ln_bayes_factor(&transposed))
            }
            Self::Aic => n * information - n_parameters,
            Self::Bic => n * information - 0.5 * n_parameters * libm::log(n.max(1.0)),
        }
    }
}

/// The logarithm of the marginal likelihood of the columns of tables, a table for each class, with the rows
/// as parents, less that without.
fn ln_bayes_factor(tables: &[Table]) -> f64 {
    let of_class = |table: &Table| {
        let without: Vec<f64> = transposed(table).iter().map(|column| column.iter().sum()).collect();
        let with: f64 = table.iter().map(|row| ln_marginal_likelihood(row)).sum();
        with - ln_marginal_likelihood(&without)
    };
    // An exact sum, so that the order of the classes does not matter.
    Exact::sum(tables.iter().map(of_class)).to_f64()
}

/// `ln Γ(K/2) - ln Γ(K/2 + n) + Σ_k (ln Γ(1/2 + n_k) - ln Γ(1/2))`.
fn ln_marginal_likelihood(counts: &[f64]) -> f64 {
    const PRIOR: f64 = 0.5;
    let of_one = |prior: f64, count: f64| libm::lgamma(prior + count) - libm::lgamma(prior);
    let n: f64 = counts.iter().sum();
    counts.iter().map(|&count| of_one(PRIOR, count)).sum::<f64>() - of_one(PRIOR * counts.len() as f64, n)
}

fn transposed(table: &Table) -> Table {
    let n_columns = table.first().map_or(0, Vec::len);
    (0..n_columns).map(|column| table.iter().map(|row| row[column]).collect()).collect()
}

impl Setting for EdgeScore {
    fn value(&self) -> Value {
        let name = match self {
            Self::MutualInformation => MUTUAL_INFORMATION,
            Self::Bayes => BAYES,
            Self::Aic => AIC,
            Self::Bic => BIC,
        };
        Value::Name(name.into())
    }

    fn names(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                MUTUAL_INFORMATION,
                "Mutual information within the classes (Friedman, Geiger and Goldszmidt 1997)",
            ),
            (BAYES, "Bayes factor of the edge, with Jeffreys' prior, as in Weka"),
            (AIC, "Akaike's criterion; only edges that improve it, so that columns may have no parent"),
            (
                BIC,
                "Bayesian information criterion; only edges that improve it, so that columns may have no parent",
            ),
        ]
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let all = [Self::MutualInformation, Self::Bayes, Self::Aic, Self::Bic];
        let known = all.into_iter().find(|score| score.value() == *value);
        if let Some(score) = known {
            *self = score;
        }
        Ok(known.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_their_definitions() {
        // Two classes with tables of two rows and three columns.
        let tables =
            [vec![vec![3.0, 0.0, 1.0], vec![0.0, 2.0, 0.0]], vec![vec![1.0, 1.0, 1.0], vec![2.0, 2.0, 2.0]]];
        let score = |score: EdgeScore| score.of_tables(&tables);
        let likelihood = 15.0 * score(EdgeScore::MutualInformation);
        assert_eq!(score(EdgeScore::Aic), likelihood - 4.0);
        assert_eq!(score(EdgeScore::Bic), likelihood - 2.0 * libm::log(15.0));
        // By counting: the probability of each cell in turn, given those before it.
        let sequential = |counts: &[u8]| {
            let mut before = vec![0.5; counts.len()];
            let mut sum = 0.0;
            for (place, &count) in counts.iter().enumerate() {
                for _ in 0..count {
                    sum += (before[place] / before.iter().sum::<f64>()).ln();
                    before[place] += 1.0;
                }
            }
            sum
        };
        let (one, other) = (
            sequential(&[3, 0, 1]) + sequential(&[0, 2, 0]),
            sequential(&[1, 1, 1]) + sequential(&[2, 2, 2]),
        );
        let by_rows = one + other - sequential(&[3, 2, 1]) - sequential(&[3, 3, 3]);
        let (one, other) =
            (sequential(&[3, 0]) + sequential(&[0, 2]) + sequential(&[1, 0]), 3.0 * sequential(&[1, 2]));
        let by_columns = one + other - sequential(&[4, 2]) - sequential(&[3, 6]);
        assert!((score(EdgeScore::Bayes) - by_rows.max(by_columns)).abs() < 1e-13);
        // Columns without rows in common.
        let empty = [vec![vec![0.0; 2]; 2]];
        assert_eq!(EdgeScore::Aic.of_tables(&empty), -1.0);
        assert_eq!(EdgeScore::Bic.of_tables(&empty), 0.0);
        assert_eq!(EdgeScore::Bayes.of_tables(&empty), 0.0);
        assert_eq!(EdgeScore::Bayes.of_tables(&[]), 0.0);
    }
}
