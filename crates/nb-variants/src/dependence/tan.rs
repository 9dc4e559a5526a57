//! Tree-augmented naive Bayes: hyper-parameters, and the fitted form.

use nb_core::{
    FeatureModel, Likelihood,
    description::{Columns, Dependence, Described, Description, Hyper, Inspect},
    error::{FamilyError, LayoutError, ValueError},
    family::{Block, ClassSums, Scores, SumLayout},
};

use super::{
    EdgeScore, FittedPairCounts, PairCounts,
    description::inspect_as_naive_bayes,
    edge_score::EDGE_SCORE,
    pairs::{codes_of_pairs, columns_of_naive_bayes, sums_of_pairs},
    tables::Tables,
};
use crate::{Parents, Preparation, Variant};

/// Tree-augmented naive Bayes (TAN): every column but a root depends on one other column, too (Friedman,
/// Geiger and Goldszmidt 1997, *Bayesian network classifiers*, Machine Learning 29).
///
/// # Model
/// `P(x | y) = Π_j P(x_j | y, x_p(j))`, where the parents `p` are the tree with the largest sum of
/// `I(x_i; x_j | y)`, the mutual information of two columns within the classes (Chow and Liu 1968), or of
/// another [`EdgeScore`]. By [`EdgeScore::Aic`] and [`EdgeScore::Bic`] it is a forest of the edges that
/// improve the score, each tree of which has a root. The first column of a tree is its root, and of edges
/// with the same score the first is taken.
///
/// # Estimators
/// Scores from the pairs in the rows in which both columns are observed;
/// `P(x_j | y, x_p) = (n(y, x_p, x_j) + l_j) / (n_j(y, x_p) + l_j K_j)` with `K_j` codes of column `j` and
/// the weight `n_j(y, x_p)` of the rows of class `y` with `x_p` in which column `j` is observed, which for
/// `l = 1` are Laplace estimates. With [`PseudoCounts::Divided`](crate::PseudoCounts::Divided) a pseudo-count is
/// `l_j / K_j`. Roots, and columns whose parent is missing, have the probabilities of naive Bayes.
///
/// Fitting takes `C D²` doubles of memory for `C` classes and `D` codes in all columns together.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{PairCounts, Tan};
/// use ndarray::array;
///
/// let x = array![[0, 0], [1, 1], [0, 1], [1, 0]];
/// let y = ["same", "same", "other", "other"];
/// let classifier = NaiveBayes::new(Tan::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
/// assert_eq!(classifier.likelihood().parents(), [None, Some(0)]);
/// assert_eq!(classifier.predict(&array![[1, 1], [1, 0]])?, ["same", "other"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tan {
    /// The evidence, with the smoothing of all estimates.
    pub counts: PairCounts,
    /// By which score the edges of the tree are chosen.
    pub edge_score: EdgeScore,
}

impl Tan {
    /// The family with such evidence, and the tree with the most mutual information.
    ///
    /// ```
    /// # use nb_variants::{Tan, PairCounts};
    /// let model = Tan::new(PairCounts::new(vec![2, 3]));
    /// assert_eq!(model.counts.n_pairs(), 15);
    /// ```
    pub fn new(counts: PairCounts) -> Self {
        Self { counts, edge_score: EdgeScore::default() }
    }
}

impl FeatureModel for Tan {
    type Fitted = FittedTan;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.counts.layout(n_columns)
    }

    sums_of_pairs!();

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedTan, FamilyError> {
        let naive_bayes = self.counts.fit(classes)?;
        let tables = Tables::new(&self.counts, classes)?;
        let parents = self.edge_score.parents(&self.counts, classes);
        Ok(FittedTan { naive_bayes, tables, parents })
    }
}

/// Fitted [`Tan`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence; the score of a row
/// is not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedTan {
    naive_bayes: FittedPairCounts,
    tables: Tables,
    parents: Vec<Option<usize>>,
}

impl FittedTan {
    /// The column that each column depends on; none for a root.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{Tan, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Tan::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// assert_eq!(classifier.likelihood().parents(), [None, Some(0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Naive Bayes from the same evidence.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Tan, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Tan::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }
}

impl Likelihood for FittedTan {
    columns_of_naive_bayes!(naive_bayes);

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| {
                for (column, &code) in cells.iter().enumerate() {
                    let Some(child) = self.tables.category(column, code) else { continue };
                    let parent = self.parents[column];
                    let parent = parent.and_then(|parent| self.tables.known(parent, cells[parent]));
                    for class in 0..scores.n_classes() {
                        let term = match parent {
                            Some(parent) => self.tables.log_conditional(class, parent, child),
                            None => self.naive_bayes.log_of_code(class, column, code),
                        };
                        scores.add(row, class, term);
                    }
                }
            });
        });
        Ok(())
    }
}

impl Described for Tan {
    fn describe() -> Description {
        Description::new("tan", Columns::Mixed)
            .titled("TAN")
            .about(
                "Categories and bins, each column with one other as its parent (TAN)",
                "Columns of numbers and categories that depend on each other as a tree (TAN)",
            )
            .learnt_by(&["bins"])
            .method("tree-augmented naive Bayes")
            .cited(
                "Friedman et al. 1997",
                "Friedman, Geiger and Goldszmidt (1997). Bayesian network classifiers. Machine Learning 29, 131-163.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&EDGE_SCORE, &mut self.edge_score));
        all
    }
}

impl Variant for Tan {
    codes_of_pairs!();

    fn as_hierarchical(&self, _: &Preparation) -> Option<(&'static str, Parents)> {
        (self.edge_score == EdgeScore::MutualInformation).then_some(("kdb", Parents::Tree))
    }
}

impl Inspect for FittedTan {
    inspect_as_naive_bayes!();

    fn dependence(&self) -> Option<Dependence> {
        Some(Dependence::One(self.parents.clone()))
    }
}
