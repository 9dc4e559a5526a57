//! Scoring sparse rows in families where a zero is evidence, too.

use nb_simd::{InstructionSet, LANES, Vector, add_compensated, prefetch::prefetch};

use exact_sums::{
    Exact,
    batch::{BinnedCounts, BinnedSums, PrefetchHint, RowView},
    domain::Nan,
};

use crate::{
    data::{Index, Indices, Sparse, stored_cells},
    kernels::{
        by_class_vectors::{RowTerms, Sums, score_rows},
        linear::Table,
    },
    model::Scores,
};

/// Columns checked together.
const STRIP: usize = 1 << 8;

/// The scores of a row of zeros, per class; a sparse row starts from them and corrects the cells that are not
/// zero.
///
/// The corrections take back the very doubles that went into the baseline, and sums are compensated, so that
/// nothing is lost where a large baseline is all but cancelled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Baseline {
    /// Per class the sum of the finite `log p(0 | class)` and its rounding error.
    sums: Vec<(f64, f64)>,
    /// Per class the number of columns in which a zero is impossible.
    impossible: Vec<usize>,
}

impl Baseline {
    /// The baseline for these `log p(0 | class)`.
    pub(crate) fn new(log_zeros: &Table) -> Self {
        let (n_classes, _) = log_zeros.dim();
        let mut impossible = vec![0; n_classes];
        for logs in log_zeros.entries().chunks(STRIP * n_classes.max(1)) {
            // Most tables have none, and without a branch for each, several are looked at a time.
            if logs.iter().filter(|log| log.is_infinite()).count() == 0 {
                continue;
            }
            for logs in logs.chunks(n_classes) {
                for (impossible, log) in impossible.iter_mut().zip(logs) {
                    *impossible += usize::from(log.is_infinite());
                }
            }
        }
        let sums = quick_sums(log_zeros).unwrap_or_else(|| {
            let finite = |class| log_zeros.class(class).filter(|log| log.is_finite());
            (0..n_classes).map(|class| Exact::sum(finite(class)).to_pair()).collect()
        });
        Self { sums, impossible }
    }

    /// Whether no class excludes a zero in any column.
    pub(crate) fn is_possible(&self) -> bool {
        self.impossible.iter().all(|&columns| columns == 0)
    }

    /// Per class the plain score of a row of zeros.
    pub(crate) fn plain(&self) -> Vec<f64> {
        let plain = |(&(sum, _), &impossible)| if impossible > 0 { f64::NEG_INFINITY } else { sum };
        self.sums.iter().zip(&self.impossible).map(plain).collect()
    }

    /// Adds the scores of sparse rows. `term(class, column, value)` is the log-likelihood of a stored cell,
    /// or `None` where the cell counts as a zero.
    pub(crate) fn add_sparse(
        &self,
        log_zeros: &Table,
        rows: &Sparse<'_>,
        scores: &mut Scores<'_>,
        term: impl Fn(usize, usize, f64) -> Option<f64>,
    ) {
        for (row, (columns, values)) in rows.rows().enumerate() {
            for (class, &(sum, rest)) in self.sums.iter().enumerate() {
                scores.add(row, class, sum);
                scores.add(row, class, rest);
                let mut impossible = self.impossible[class];
                for (column, &value) in columns.iter().zip(values) {
                    let Some(term) = term(class, column, value) else {
                        continue;
                    };
                    let log_zero = log_zeros.get(class, column);
                    if log_zero.is_finite() {
                        scores.add(row, class, -log_zero);
                    } else {
                        impossible -= 1;
                    }
                    scores.add(row, class, term);
                }
                if impossible > 0 {
                    scores.add(row, class, f64::NEG_INFINITY);
                }
            }
        }
    }

    /// [`add_sparse`](Self::add_sparse) for terms that are `log_ones` above the threshold and zero for
    /// missing cells.
    pub(crate) fn add_ones(
        &self,
        log_zeros: &Table,
        log_ones: &Table,
        threshold: f64,
        rows: &Sparse<'_>,
        scores: &mut Scores<'_>,
    ) {
        if !self.is_possible() {
            return self.add_sparse(log_zeros, rows, scores, |class, column, value| {
                if value > threshold {
                    Some(log_ones.get(class, column))
                } else {
                    value.is_nan().then_some(0.0)
                }
            });
        }
        let mut sums = vec![[0.0; LANES]; self.sums.len().div_ceil(LANES)];
        let mut rests = sums.clone();
        let places = sums.as_flattened_mut().iter_mut().zip(rests.as_flattened_mut());
        for ((to_sum, to_rest), &(sum, rest)) in places.zip(&self.sums) {
            (*to_sum, *to_rest) = (sum, rest);
        }
        score_rows(&Corrections { sums: &sums, rests: &rests, log_zeros, log_ones, threshold, rows }, scores);
    }
}

/// The exact sums of the finite entries of each class, each as two doubles, by the windows that add up
/// counts; `None` if they have no way for these entries.
fn quick_sums(logs: &Table) -> Option<Vec<(f64, f64)>> {
    let (n_classes, _) = logs.dim();
    let mut windows = BinnedSums::<BinnedCounts>::new(InstructionSet::current(), n_classes);
    let mut sizes = Vec::new();
    for strip in logs.entries().chunks(STRIP * n_classes.max(1)) {
        sizes.clear();
        sizes.extend(strip.iter().map(|log| if log.is_finite() { -log } else { 0.0 }));
        let rows: Vec<u32> = (0..(strip.len() / n_classes) as u32).collect();
        let rows =
            RowView { values: &sizes, n_columns: n_classes, rows: &rows, ahead: PrefetchHint::Nothing };
        if !windows.add(&rows, Nan::Refuse) {
            return None;
        }
    }
    let pair = |sum: Exact| {
        let (sum, rest) = sum.to_pair();
        (0.0 - sum, 0.0 - rest)
    };
    Some(windows.finish().0.iter().map(pair).collect())
}

/// What rows add where zeros are possible in all columns and classes, with the additions of
/// [`Baseline::add_sparse`] in their order.
struct Corrections<'a> {
    /// The sums of the baseline, by vectors of classes.
    sums: &'a [[f64; LANES]],
    rests: &'a [[f64; LANES]],
    log_zeros: &'a Table,
    log_ones: &'a Table,
    threshold: f64,
    rows: &'a Sparse<'a>,
}

impl RowTerms for Corrections<'_> {
    #[inline(always)]
    fn add<V: Vector, const N: usize>(&self, row: usize, first_class: usize, sums: &mut Sums<V, N>, one: V) {
        for vector in 0..N {
            for base in [self.sums, self.rests] {
                let base = V::load(&base[first_class / LANES + vector]);
                add_compensated(&mut sums.high[vector], &mut sums.low[vector], base, one);
            }
        }
        match self.rows.columns {
            Indices::Usize(columns) => self.correct(columns, row, first_class, sums, one),
            Indices::I32(columns) => self.correct(columns, row, first_class, sums, one),
        }
    }
}

impl Corrections<'_> {
    /// Takes off what the baseline has of the stored cells of a row, and adds what they say.
    #[inline(always)]
    fn correct<V: Vector, const N: usize>(
        &self,
        columns: &[impl Index],
        row: usize,
        first_class: usize,
        sums: &mut Sums<V, N>,
        one: V,
    ) {
        let (mut high, mut low) = (sums.high, sums.low);
        let (n_classes, _) = self.log_zeros.dim();
        let (zeros, ones) = (self.log_zeros.cells(), self.log_ones.cells());
        for (column, value, next) in stored_cells(self.rows, columns, row) {
            for line in 0..=N {
                let next = next * n_classes + first_class + line * LANES;
                prefetch(zeros, next);
                prefetch(ones, next);
            }
            if value <= self.threshold {
                continue;
            }
            let start = column * n_classes + first_class;
            // There are entries enough behind those of the last column.
            let (zeros, _) = zeros[start..].as_chunks();
            let (ones, _) = ones[start..].as_chunks();
            let cells = zeros.iter().zip(ones).enumerate().take(N);
            for (vector, (zeros, ones)) in cells {
                let zero = V::load(zeros).mul(V::splat(-1.0));
                add_compensated(&mut high[vector], &mut low[vector], zero, one);
                // A missing cell is neither.
                let term = if value > self.threshold { V::load(ones) } else { V::splat(0.0) };
                add_compensated(&mut high[vector], &mut low[vector], term, one);
            }
        }
        (sums.high, sums.low) = (high, low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answers::posterior::finish,
        data::{Block, BlockBuffer},
        model::scores::padded,
    };
    use proptest::prelude::*;

    fn logs() -> impl Strategy<Value = f64> {
        prop_oneof![4 => -20.0..0.0_f64, 1 => Just(0.0), 1 => Just(f64::NEG_INFINITY), 1 => -1e-9..0.0_f64]
    }

    fn table(n_classes: usize, cells: &[f64]) -> Table {
        let mut table = Table::zeros(n_classes, cells.len() / n_classes);
        for (entry, &cell) in cells.iter().take(cells.len() / n_classes * n_classes).enumerate() {
            table.set(entry % n_classes, entry / n_classes, cell);
        }
        table
    }

    proptest! {
        #[test]
        fn vectors_of_classes_add_what_single_classes_do(
            zeros in prop_oneof![
                prop::collection::vec(logs(), 60),
                prop::collection::vec(logs().prop_map(|log| f64::max(log, -30.0)), 60),
            ],
            ones in prop::collection::vec(logs(), 60),
            cells in prop::collection::vec(prop::sample::select(vec![0.0, 1.0, 2.0, 0.5, f64::NAN]), 60),
            n_classes in 1..20_usize,
        ) {
            let (zeros, ones) = (table(n_classes, &zeros), table(n_classes, &ones));
            let baseline = Baseline::new(&zeros);
            for (class, &pair) in baseline.sums.iter().enumerate() {
                let expected = Exact::sum(zeros.class(class).filter(|log| log.is_finite())).to_pair();
                prop_assert_eq!(pair, expected);
            }
            let n_columns = zeros.dim().1;
            let mut buffer = BlockBuffer::default();
            buffer.start_sparse(n_columns);
            for cells in cells.chunks(n_columns) {
                buffer.push_sparse_row(cells.iter().copied().enumerate().filter(|(column, _)| column % 3 != 1));
            }
            let Block::Sparse(rows) = buffer.block() else { unreachable!("it was started as sparse") };
            let n_rows = buffer.block().n_rows();
            let mut expected = [vec![-0.5; n_classes * padded(n_rows)], vec![0.0; n_classes * padded(n_rows)]];
            let [high, low] = &mut expected;
            baseline.add_sparse(&zeros, &rows, &mut Scores::new(n_rows, high, low), |class, column, value| {
                if value > 0.5 { Some(ones.get(class, column)) } else { value.is_nan().then_some(0.0) }
            });
            let [high, low] = &mut expected;
            finish(high, low);
            for set in InstructionSet::ALL {
                let mut found = [vec![-0.5; n_classes * padded(n_rows)], vec![0.0; n_classes * padded(n_rows)]];
                let [high, low] = &mut found;
                set.with(|| {
                    baseline.add_ones(&zeros, &ones, 0.5, &rows, &mut Scores::new(n_rows, high, low));
                });
                finish(high, low);
                let bits = |scores: &[Vec<f64>; 2]| scores.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
                prop_assert_eq!(bits(&found), bits(&expected), "{:?}", set);
            }
        }
    }
}
