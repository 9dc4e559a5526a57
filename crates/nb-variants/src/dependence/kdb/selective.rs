//! How many parents and which columns, by leave-one-out cross-validation.

use nb_core::{
    Rows, SufficientStats,
    error::FitRowsError,
    exact::ExactSums,
    family::{BlockBuffer, ClassSums},
};

use super::{
    super::{
        held_out::{first_least, squared_loss},
        tables::log_ratio,
    },
    Kdb,
};
use crate::PairCounts;

/// Rows that are looked at together.
const CHUNK: usize = 1024;

/// The parents of [`Parents::Selective`](crate::Parents): of those of up to `k` columns, given in the `order`
/// of what the columns say of the class, the first few of each, and columns that are their own parents where
/// they are left out.
///
/// For each number of parents and each number of the first columns, every row is predicted by the counts of
/// the other rows. The least sum of `(1 - P(y | x))²` wins, of equal ones (up to rounding) that of fewer
/// parents, and then of fewer columns.
pub(super) fn select<L: Ord + Clone + Send + Sync>(
    counts: &PairCounts,
    (parents, order): (Vec<Vec<usize>>, &[usize]),
    rows: &(impl Rows + ?Sized),
    labels: &[L],
) -> Result<Vec<Vec<usize>>, FitRowsError> {
    let mut full = Kdb { parents, counts: counts.clone(), ..Kdb::default() };
    // Numbers of parents of which there are too many counts are not tried.
    while full.n_counts() > Kdb::MOST_COUNTS && full.n_most_parents() > 0 {
        let most = full.n_most_parents() - 1;
        full.parents.iter_mut().for_each(|own| own.truncate(most));
    }
    let mut stats = SufficientStats::new(&full, rows.n_columns())?;
    stats.update(&full, rows, labels)?;
    let weights = stats.class_weights();
    let classes: Vec<ClassSums<'_>> =
        weights.iter().zip(stats.class_sums()).map(|(weight, parts)| ClassSums::new(weight, parts)).collect();
    let names: Vec<&L> = stats.classes().collect();
    let held_out = HeldOut::new(&full, &classes);
    let n_tried = (full.n_most_parents() + 1) * (order.len() + 1);
    // Exact, so that the order of the rows does not matter.
    let mut losses = ExactSums::new(n_tried);
    let mut of_row = vec![0.0; n_tried];
    let (mut buffer, all): (BlockBuffer, Vec<usize>) = (BlockBuffer::default(), (0..rows.n_rows()).collect());
    for chunk in all.chunks(CHUNK) {
        rows.copy_rows(chunk, &mut buffer);
        buffer.block().for_each_row(|place, cells| {
            let label = &labels[chunk[place]];
            let Ok(class) = names.binary_search(&label) else { return };
            held_out.losses(order, class, cells, &mut of_row);
            of_row.iter().enumerate().for_each(|(tried, &loss)| losses.add(tried, loss));
        });
    }
    let best = first_least(&losses, rows.n_rows());
    let (k, n_used) = (best / (order.len() + 1), best % (order.len() + 1));
    let mut parents = full.parents;
    for own in &mut parents {
        own.truncate(k);
    }
    order[n_used..].iter().for_each(|&column| parents[column] = vec![column]);
    Ok(parents)
}

impl Kdb {
    fn n_most_parents(&self) -> usize {
        self.parents.iter().map(Vec::len).max().unwrap_or_default()
    }
}

/// Counts from which single rows are taken out.
struct HeldOut<'a> {
    family: &'a Kdb,
    /// For each class and column its counts, with those of missing parents, and the sum of each combination
    /// of parents.
    counts: Vec<Vec<(Vec<f64>, Vec<f64>)>>,
    /// How many rows have each code of each column.
    codes: Vec<Vec<f64>>,
    /// How many rows each class has.
    n_rows: Vec<f64>,
}

impl<'a> HeldOut<'a> {
    fn new(family: &'a Kdb, classes: &[ClassSums<'_>]) -> Self {
        let n_columns = family.parents.len();
        let of_column = |class: &ClassSums<'_>, column: usize| {
            let shape = family.shape(column);
            // Counts of rows are neither negative nor infinite.
            let counts = shape.counts(class.part(column)).unwrap_or_default();
            let sums = counts.chunks_exact(shape.n_codes.max(1)).map(|row| row.iter().sum()).collect();
            (counts, sums)
        };
        let counts: Vec<Vec<(Vec<f64>, Vec<f64>)>> = classes
            .iter()
            .map(|class| (0..n_columns).map(|column| of_column(class, column)).collect())
            .collect();
        let singles: Vec<Vec<ExactSums>> = classes.iter().map(|class| family.singles(class)).collect();
        let of_code = |column: usize, code| singles.iter().map(|own| own[column].get(code).to_f64()).sum();
        let codes = (0..n_columns)
            .map(|column| {
                (0..family.counts.codings.n_codes(column)).map(|code| of_code(column, code)).collect()
            })
            .collect();
        let n_rows = classes.iter().map(|class| class.weight().to_f64()).collect();
        Self { family, counts, codes, n_rows }
    }

    /// `(1 - P(y | x))²` of a row of this class, with each number of parents and each number of the first
    /// columns in this order.
    fn losses(&self, order: &[usize], own: usize, cells: &[f64], losses: &mut [f64]) {
        let codings = &self.family.counts.codings;
        let cells = cells.iter().enumerate();
        let codes: Vec<Option<usize>> = cells
            .map(|(column, &value)| (!value.is_nan()).then(|| codings.code(column, value) as usize))
            .collect();
        // What no other row has is no parent.
        let digit = |column: usize| codes[column].filter(|&code| self.codes[column][code] > 1.0);
        let n_others = |class: usize| self.n_rows[class] - f64::from(u8::from(class == own));
        let priors: Vec<f64> = (0..self.n_rows.len()).map(|class| libm::log(n_others(class))).collect();
        for (k, losses) in losses.chunks_exact_mut(order.len() + 1).enumerate() {
            let mut scores: Vec<(f64, f64)> = priors.iter().map(|&prior| (prior, 1.0)).collect();
            losses[0] = squared_loss(&scores, own);
            for (n_used, &column) in order.iter().enumerate() {
                if let Some(code) = codes[column] {
                    let parents = &self.family.parents[column];
                    let is_parent = |of: &usize| parents.iter().take(k).any(|parent| parent == of);
                    let combination =
                        self.family.combination(column, |of| Some(of).filter(is_parent).and_then(digit));
                    for (class, score) in scores.iter_mut().enumerate() {
                        score.0 += self.log_probability(column, class, (combination, code), class == own);
                    }
                }
                losses[n_used + 1] = squared_loss(&scores, own);
            }
        }
    }

    /// `log P(x_j | y, x_a, ...)`, from the rows but one of those that it is counted from if `without`.
    fn log_probability(
        &self,
        column: usize,
        class: usize,
        (combination, code): (usize, usize),
        without: bool,
    ) -> f64 {
        let (n_codes, n_values) =
            (self.family.counts.codings.n_codes(column), self.family.counts.n_values_of(column));
        let (counts, sums) = &self.counts[class][column];
        let one = f64::from(u8::from(without));
        let l = self.family.counts.pseudo_count(column, n_values);
        let total = sums[combination] - one + l * n_values as f64;
        log_ratio(counts[combination * n_codes + code] - one + l, total)
    }
}
