//! k-dependence Bayes: hyper-parameters, what is learnt before, and the fitted form.

use std::fmt::Write;

use nb_core::{
    FeatureModel, Likelihood, Rows, SufficientStats,
    error::{FamilyError, FamilyProblem, LayoutError, TrainError, ValueError},
    exact::ExactSums,
    family::{Block, ClassSums, Scores, SumLayout, SumRule, Weights},
};

use super::{FittedPairCounts, PairCounts, information, pairs::columns_of_naive_bayes, tables::log_ratio};

/// k-dependence Bayes (kDB): every column depends on the class and on up to `k` other columns (Sahami 1996, *Learning limited
/// dependence Bayesian classifiers*, KDD).
///
/// # Model
/// `P(x | y) = Π_j P(x_j | y, x_a, x_b, ...)`, where `a, b, ...` are the parents of column `j`. Columns are taken in the order of
/// `I(x_j; y)`, their mutual information with the class, the largest first; the parents of a column are the `k` columns before
/// it with the largest `I(x_i; x_j | y)`, the mutual information within the classes, or all if there are fewer. Of equal ones the first is
/// taken.
///
/// # What is learnt before
/// The parents, by [`learn`](Self::learn), from counts of pairs of columns. With the parents fixed, the family is one of sums as any other: rows are
/// added, merged and removed exactly. Statistics with other parents do not go together.
///
/// # Sums kept
/// Per class and column the weight of every code with every combination of codes of the parents, each of which may be missing:
/// `Σ_j K_j Π_i (K_i + 1)` sums with `K_j` codes of a column and `K_i` of its parents. Fitting takes as many doubles. An error about
/// removed rows that had never been added counts combinations and codes as categories of the column.
///
/// # Estimators
/// `P(x_j | y, x_a, x_b) = (n(y, x_a, x_b, x_j) + l_j) / (n_j(y, x_a, x_b) + l_j K_j)`, which for `l = 1` are Laplace estimates, or with `l_j / K_j`
/// in place of `l_j` ([`PseudoCounts::Divided`](crate::PseudoCounts::Divided)). A parent that is missing in a row, or has a code that no training row has, is
/// summed over: the column then depends on its other parents.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Kdb, PairCounts};
/// use ndarray::array;
///
/// // Whether an odd number of columns is 1, which no two of them say.
/// let x = array![
///     [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0],
///     [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1],
/// ];
/// let y = ["even", "even", "even", "even", "odd", "odd", "odd", "odd"];
/// let kdb = Kdb::learn(PairCounts::new(vec![2; 3]), 2, &x, &y)?;
/// assert_eq!(kdb.parents(), [vec![], vec![0], vec![0, 1]]);
/// assert_eq!(NaiveBayes::new(kdb).fit(&x, &y)?.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Kdb {
    counts: PairCounts,
    parents: Vec<Vec<usize>>,
}

impl Kdb {
    /// The most counts that a class may keep.
    pub const MOST_COUNTS: u64 = PairCounts::MOST_PAIRS;

    /// The family with parents learnt from rows, `n_rows × n_columns`, with one label per row. `counts` has the codes of the columns,
    /// the smoothing, and what to do with unseen codes and missing cells; each column gets up to `k` parents.
    ///
    /// # Errors
    /// [`TrainError`] if hyper-parameters, rows or labels are invalid, or there are too many counts.
    pub fn learn<L: Ord + Clone + Send + Sync>(
        counts: PairCounts,
        k: usize,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, TrainError> {
        let mut stats = SufficientStats::new(&counts, rows.n_columns())?;
        stats.update(&counts, rows, labels)?;
        let weights = stats.class_weights();
        let classes =
            weights.iter().zip(stats.class_sums()).map(|(weight, parts)| ClassSums::new(weight, parts));
        let parents = structure(&counts, &classes.collect::<Vec<_>>(), k);
        let family = Self { counts, parents };
        family.layout(rows.n_columns())?;
        Ok(family)
    }

    /// The parents of each column, those with the most information first.
    pub fn parents(&self) -> &[Vec<usize>] {
        &self.parents
    }

    /// The codes of the columns, and how they are counted.
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// How many counts a class keeps.
    pub fn n_counts(&self) -> u64 {
        let of_column = |column| {
            let own = self.counts.codings.n_codes(column) as u64;
            self.radices(column).fold(own, |counts, radix| counts.saturating_mul(radix as u64))
        };
        (0..self.parents.len()).map(of_column).fold(0, u64::saturating_add)
    }

    /// The number of digits of each parent of a column: its codes, and one for a missing cell.
    fn radices(&self, column: usize) -> impl Iterator<Item = usize> {
        self.parents[column].iter().map(|&parent| self.counts.codings.n_codes(parent) + 1)
    }

    /// The number of combinations of the digits of all parents of a column.
    fn n_combinations(&self, column: usize) -> usize {
        self.radices(column).product()
    }

    /// The number of the combination of parents; `digit` is `None` for one that is missing.
    fn combination(&self, column: usize, digit: impl Fn(usize) -> Option<usize>) -> usize {
        self.parents[column].iter().fold(0, |number, &parent| {
            let n_codes = self.counts.codings.n_codes(parent);
            number * (n_codes + 1) + digit(parent).unwrap_or(n_codes)
        })
    }

    /// The number of counts of a column.
    fn n_counts_of(&self, column: usize) -> usize {
        self.n_combinations(column) * self.counts.codings.n_codes(column)
    }

    /// The sums of single codes, column by column.
    fn singles(&self, class: &ClassSums<'_>) -> Vec<ExactSums> {
        let of_column = |column: usize| {
            let n_codes = self.counts.codings.n_codes(column);
            let mut singles = ExactSums::new(n_codes);
            for place in 0..self.n_counts_of(column) {
                singles.add_sum(place % n_codes, class.part(column), place);
            }
            singles
        };
        (0..self.parents.len()).map(of_column).collect()
    }

    /// `log P(x_j | y, x_a, ...)` of a column, a row of values for each combination of parents.
    fn log_table(&self, column: usize, sums: &ExactSums) -> Result<Vec<f64>, FamilyProblem> {
        let n_codes = self.counts.codings.n_codes(column);
        let mut counts = Vec::with_capacity(self.n_counts_of(column));
        for place in 0..self.n_counts_of(column) {
            let count = sums.get(place).to_f64();
            if count < 0.0 || !count.is_finite() {
                return Err(FamilyProblem::Impossible { sum: count });
            }
            counts.push(count);
        }
        // Where a parent is missing in a row, its codes are summed over, with the rows of training that lack it.
        let mut stride = n_codes;
        for radix in self.radices(column).collect::<Vec<_>>().into_iter().rev() {
            for block in counts.chunks_exact_mut(stride * radix) {
                let (codes, missing) = block.split_at_mut(stride * (radix - 1));
                for code in codes.chunks_exact(stride) {
                    missing.iter_mut().zip(code).for_each(|(sum, count)| *sum += count);
                }
            }
            stride *= radix;
        }
        let n_values = self.counts.n_values_of(column);
        let l = self.counts.pseudo_count(column, n_values);
        let of_row = |row: &[f64]| {
            let total = row.iter().sum::<f64>() + l * n_values as f64;
            let values = row.iter().copied().chain(std::iter::repeat(0.0)).take(n_values);
            values.map(|count| log_ratio(count + l, total)).collect::<Vec<f64>>()
        };
        Ok(counts.chunks_exact(n_codes).flat_map(of_row).collect())
    }
}

/// The parents of each column.
fn structure(counts: &PairCounts, classes: &[ClassSums<'_>], k: usize) -> Vec<Vec<usize>> {
    let with_class = information::with_class(counts, classes);
    let within_classes = information::conditional_weights(counts, classes);
    let mut order: Vec<usize> = (0..with_class.len()).collect();
    order.sort_by(|&a, &b| with_class[b].total_cmp(&with_class[a]));
    let mut parents = vec![Vec::new(); order.len()];
    for (position, &column) in order.iter().enumerate() {
        let mut before = order[..position].to_vec();
        let information = &within_classes[column];
        before.sort_by(|&a, &b| information[b].total_cmp(&information[a]));
        before.truncate(k);
        parents[column] = before;
    }
    parents
}

impl FeatureModel for Kdb {
    type Fitted = FittedKdb;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        let pairs = self.counts.layout(n_columns)?;
        let n_counts = self.n_counts();
        if n_counts > Self::MOST_COUNTS {
            let (name, value) = ("the number of counts of a class", n_counts as f64);
            let must_be =
                "at most 4194304: take fewer parents or bins, or leave out columns with many categories";
            return Err(LayoutError::Parameter { name, value, must_be });
        }
        let mut family = pairs.family.into_owned();
        family += "; parents";
        for parents in &self.parents {
            let _ = write!(family, " {parents:?}");
        }
        let parts = (0..n_columns).map(|column| ("counts", self.n_counts_of(column)));
        let rule = SumRule::Categories { first: 0, n_columns };
        Ok(SumLayout::new(family, parts).with_rules([rule]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.counts.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let mut codes: Vec<Option<usize>> = Vec::with_capacity(sums.len());
        rows.for_each_row(|row, cells| {
            codes.clear();
            let cells = cells.iter().enumerate();
            codes.extend(cells.map(|(column, &value)| {
                (!value.is_nan()).then(|| self.counts.codings.code(column, value) as usize)
            }));
            for (column, counts) in sums.iter_mut().enumerate() {
                let Some(code) = codes[column] else { continue };
                let combination = self.combination(column, |parent| codes[parent]);
                let place = combination * self.counts.codings.n_codes(column) + code;
                counts.add(place, weights.get(row));
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedKdb, FamilyError> {
        let singles: Vec<Vec<ExactSums>> = classes.iter().map(|sums| self.singles(sums)).collect();
        let naive_bayes = self.counts.fit_singles(classes, &singles)?;
        let n_columns = self.parents.len();
        let mut tables = Vec::with_capacity(classes.len());
        for (class, sums) in classes.iter().enumerate() {
            let of_column = |column: usize| {
                let table = self.log_table(column, sums.part(column));
                table.map_err(|problem| FamilyError { class, column, problem })
            };
            tables.push((0..n_columns).map(of_column).collect::<Result<Vec<_>, _>>()?);
        }
        let is_known = |column: usize| {
            let n_codes = self.counts.codings.n_codes(column);
            let is_known = |code| singles.iter().any(|singles| singles[column].get(code).to_f64() > 0.0);
            (0..n_codes).map(is_known).collect()
        };
        let known = (0..n_columns).map(is_known).collect();
        Ok(FittedKdb { family: self.clone(), naive_bayes, tables, known })
    }
}

/// Fitted [`Kdb`].
///
/// A class and column alone have the probabilities of naive Bayes from the same rows; the score of a row is not the sum of
/// their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedKdb {
    family: Kdb,
    naive_bayes: FittedPairCounts,
    /// The logarithms of the probabilities of each class and column.
    tables: Vec<Vec<Vec<f64>>>,
    /// Which codes of each column some training row has.
    known: Vec<Vec<bool>>,
}

impl FittedKdb {
    /// The parents of each column, those with the most information first.
    pub fn parents(&self) -> &[Vec<usize>] {
        self.family.parents()
    }

    /// Naive Bayes from the same rows.
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }

    /// The number of the value of a checked cell; `None` for a missing or ignored one.
    fn value(&self, column: usize, code: f64) -> Option<usize> {
        let counts = &self.family.counts;
        let (n_codes, n_values) = (counts.codings.n_codes(column), counts.n_values_of(column));
        let code = (!code.is_nan()).then_some(code as usize)?;
        if code < n_codes { Some(code) } else { (n_codes < n_values).then_some(n_codes) }
    }
}

impl Likelihood for FittedKdb {
    columns_of_naive_bayes!(naive_bayes);

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let parent = |cells: &[f64], parent: usize| {
            let code = self.value(parent, cells[parent])?;
            self.known[parent].get(code).copied().unwrap_or(false).then_some(code)
        };
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| {
                for (column, &code) in cells.iter().enumerate() {
                    let Some(value) = self.value(column, code) else { continue };
                    let combination = self.family.combination(column, |of| parent(cells, of));
                    let place = combination * self.family.counts.n_values_of(column) + value;
                    for class in 0..scores.n_classes() {
                        scores.add(row, class, self.tables[class][column][place]);
                    }
                }
            });
        });
        Ok(())
    }
}
