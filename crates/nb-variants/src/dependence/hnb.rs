//! Hidden naive Bayes: hyper-parameters, and the fitted form.

use nb_core::{
    FeatureModel, Likelihood,
    description::{Columns, Dependence, Described, Description, Hyper, Inspect},
    error::{FamilyError, LayoutError, ValueError},
    family::{Block, ClassSums, Scores, SumLayout},
};

use super::{
    FittedPairCounts, PairCounts,
    description::inspect_as_naive_bayes,
    information,
    pairs::{codes_of_pairs, columns_of_naive_bayes, sums_of_pairs},
    tables::Tables,
};
use crate::Variant;

/// Hidden naive Bayes (HNB): every column has a hidden parent, in which all other columns are mixed (Zhang, Jiang and Su
/// 2005, *Hidden naive Bayes*, AAAI; Jiang, Zhang and Cai 2009, *A novel Bayes model: hidden naive Bayes*, IEEE Transactions
/// on Knowledge and Data Engineering 21).
///
/// # Model
/// `P(x | y) = Π_j Σ_{i ≠ j} W_ij P(x_j | y, x_i)` with the weights `W_ij = I(x_i; x_j | y) / Σ_k I(x_k; x_j | y)`, where
/// `I` is the mutual information of two columns within the classes. The sums are over the columns that are
/// observed in the row with a value that some training row has. Where these have no information about a column (all `I` are zero, up to
/// rounding), it has the probability of naive Bayes.
///
/// # Estimators
/// `I` from the shares of the pairs among the rows in which both columns are observed;
/// `P(x_j | y, x_i) = (n(y, x_i, x_j) + l_j) / (n_j(y, x_i) + l_j K_j)` with `K_j` codes of column `j` and the weight
/// `n_j(y, x_i)` of the rows of class `y` with `x_i` in which column `j` is observed, which for `l = 1` are Laplace estimates. With
/// [`PseudoCounts::Divided`](crate::PseudoCounts::Divided) a pseudo-count is `l_j / K_j`.
///
/// Fitting takes `C D²` doubles of memory for `C` classes and `D` codes in all columns together.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Hnb, PairCounts};
/// use ndarray::array;
///
/// let x = array![[0, 0], [1, 1], [0, 1], [1, 0]];
/// let y = ["same", "same", "other", "other"];
/// let classifier = NaiveBayes::new(Hnb::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
/// assert_eq!(classifier.likelihood().weights(1), [1.0, 0.0]);
/// assert_eq!(classifier.predict(&array![[1, 1], [1, 0]])?, ["same", "other"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hnb {
    /// The evidence, with the smoothing of all estimates.
    pub counts: PairCounts,
}

impl Hnb {
    /// The family with such evidence.
    ///
    /// ```
    /// # use nb_variants::{Hnb, PairCounts};
    /// let model = Hnb::new(PairCounts::new(vec![2, 3]));
    /// assert_eq!(model.counts.n_pairs(), 15);
    /// ```
    pub fn new(counts: PairCounts) -> Self {
        Self { counts }
    }
}

impl FeatureModel for Hnb {
    type Fitted = FittedHnb;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.counts.layout(n_columns)
    }

    sums_of_pairs!();

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedHnb, FamilyError> {
        let naive_bayes = self.counts.fit(classes)?;
        let tables = Tables::of_probabilities(&self.counts, classes)?;
        let information = information::conditional_weights(&self.counts, classes);
        Ok(FittedHnb { naive_bayes, tables, information })
    }
}

/// Fitted [`Hnb`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence; the score of a row is not the sum
/// of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedHnb {
    naive_bayes: FittedPairCounts,
    /// Probabilities, as the model adds these.
    tables: Tables,
    /// `I(x_i; x_j | y)` as a square, zeros on the diagonal.
    information: Vec<Vec<f64>>,
}

/// A column that is observed in a row.
struct Child {
    column: usize,
    code: f64,
    category: usize,
    /// The information of all parents together.
    total: f64,
}

impl FittedHnb {
    /// Naive Bayes from the same evidence.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Hnb, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Hnb::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }

    /// The weights `W_ij` of all columns `i` in the hidden parent of a column `j`, where no cell is missing: their sum is one,
    /// or all are zero if the column does not depend on others.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{Hnb, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Hnb::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// assert_eq!(classifier.likelihood().weights(1), [1.0, 0.0]); // all of the other column
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such column.
    pub fn weights(&self, column: usize) -> Vec<f64> {
        let information = &self.information[column];
        let total: f64 = information.iter().sum();
        information.iter().map(|own| if total > 0.0 { own / total } else { 0.0 }).collect()
    }
}

impl Likelihood for FittedHnb {
    columns_of_naive_bayes!(naive_bayes);

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let (mut parents, mut children, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| {
                let of_cells = || cells.iter().copied().enumerate();
                parents.clear();
                parents.extend(
                    of_cells().filter_map(|(column, code)| Some((column, self.tables.known(column, code)?))),
                );
                children.clear();
                children.extend(of_cells().filter_map(|(column, code)| {
                    let category = self.tables.category(column, code)?;
                    let total = parents.iter().map(|&(parent, _)| self.information[column][parent]).sum();
                    Some(Child { column, code, category, total })
                }));
                for class in 0..scores.n_classes() {
                    mixed.clear();
                    mixed.resize(children.len(), 0.0);
                    for &(parent, category) in &parents {
                        let (probabilities, information) =
                            (self.tables.children(class, category), &self.information[parent]);
                        for (mixed, child) in mixed.iter_mut().zip(&children) {
                            *mixed += information[child.column] * probabilities[child.category];
                        }
                    }
                    for (mixed, child) in mixed.iter().zip(&children) {
                        let term = if child.total > 0.0 {
                            libm::log(mixed / child.total)
                        } else {
                            self.naive_bayes.log_of_code(class, child.column, child.code)
                        };
                        scores.add(row, class, term);
                    }
                }
            });
        });
        Ok(())
    }
}

impl Described for Hnb {
    fn describe() -> Description {
        Description::new("hnb", Columns::Mixed)
            .titled("HNB")
            .about(
                "Categories and bins, each column with a hidden parent of all others (HNB)",
                "Columns of numbers and categories that depend on all others by a hidden parent each (HNB)",
            )
            .learnt_by(&["bins"])
            .method("hidden naive Bayes")
            .cited("Zhang et al. 2005", "Zhang, Jiang and Su (2005). Hidden naive Bayes. AAAI, 919-924.")
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }
}

impl Variant for Hnb {
    codes_of_pairs!();
}

impl Inspect for FittedHnb {
    inspect_as_naive_bayes!();

    fn dependence(&self) -> Option<Dependence> {
        let columns = 0..self.naive_bayes.codings().n_columns();
        Some(Dependence::All(columns.map(|column| self.weights(column)).collect()))
    }
}
