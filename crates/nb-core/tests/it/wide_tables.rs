//! Wide dense tables, whose columns threads share: the same bits and the same errors with any number of
//! threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use nb_core::{
    FeatureModel, Gaussian, Missing, Multinomial, Rows, SufficientStats,
    error::UpdateError,
    family::{Block, BlockBuffer},
};
use ndarray::{Array2, Axis};

use crate::{parallel::with_threads, quick::General};

const N_ROWS: usize = 1_100;
const N_COLUMNS: usize = 8_203;

/// Labels; the last class turns up late.
fn labels() -> Vec<usize> {
    (0..N_ROWS).map(|row| if row == 1_000 { 3 } else { row * row % 3 }).collect()
}

/// Small whole numbers.
fn counts() -> Array2<f64> {
    Array2::from_shape_fn((N_ROWS, N_COLUMNS), |(row, column)| {
        ((row * 7919 + column * 104_729) % 1013 % 9) as f64
    })
}

/// Whole numbers in the first columns; then fractions, with small values among large ones, of all sizes, and
/// missing ones.
fn numbers() -> Array2<f64> {
    let mut x = counts();
    for ((row, column), value) in x.indexed_iter_mut() {
        match column {
            0..3_000 => {}
            5_000 => *value *= [1e100, 1.0, 1e-100][row % 3],
            6_000 if row % 7 == 3 => *value = f64::NAN,
            _ if (row + column) % 501 == 0 => *value /= 3e6,
            _ => *value = *value / 3.0 + 1e3,
        }
    }
    x
}

fn stats_of<M: FeatureModel>(model: &M, x: &impl Rows) -> Result<SufficientStats<usize>, UpdateError> {
    let mut stats = SufficientStats::new(model, N_COLUMNS).expect("columns");
    stats.update(model, x, &labels())?;
    Ok(stats)
}

/// Compares numbers of threads.
fn check<M: FeatureModel>(model: &M, x: &impl Rows) {
    let one = with_threads(1, || stats_of(model, x)).expect("valid rows");
    for threads in [2, 3, 5] {
        assert!(
            with_threads(threads, || stats_of(model, x)).expect("valid rows") == one,
            "{threads} threads"
        );
    }
}

#[test]
fn gaussian() {
    check(&Gaussian { missing: Missing::Skip, ..Gaussian::default() }, &numbers());
}

#[test]
fn gaussian_in_single_precision() {
    let singles = counts().mapv(|value| (value / 3.0) as f32);
    check(&Gaussian::default(), &singles);
    let gaussian = Gaussian::default();
    let stats = with_threads(2, || stats_of(&gaussian, &singles)).expect("valid rows");
    assert!(stats == stats_of(&gaussian, &singles.mapv(f64::from)).expect("valid rows"), "as doubles");
}

#[test]
fn multinomial() {
    check(&Multinomial::default(), &counts());
}

#[test]
fn columns_are_those_of_the_table() {
    let (x, gaussian) = (numbers(), Gaussian { missing: Missing::Skip, ..Gaussian::default() });
    let wide = with_threads(2, || stats_of(&gaussian, &x)).expect("valid rows");
    for column in [0, 2_999, 3_000, 4_095, 4_096, 4_103, 4_104, 5_000, 6_000, N_COLUMNS - 1] {
        let mut alone = SufficientStats::new(&gaussian, 1).expect("columns");
        alone.update(&gaussian, &x.select(Axis(1), &[column]), &labels()).expect("valid rows");
        for (wide, alone) in wide.class_sums().zip(alone.class_sums()) {
            for (wide, alone) in wide.iter().zip(alone) {
                assert_eq!(wide.get(column), alone.get(0), "column {column}");
            }
        }
    }
}

#[test]
fn the_first_bad_row_is_reported_whichever_columns_a_thread_has() {
    let (mut x, gaussian) = (counts(), Gaussian::default());
    x[[900, 3]] = f64::INFINITY;
    x[[700, 8_200]] = f64::NAN;
    for threads in [1, 2, 5] {
        let error =
            with_threads(threads, || stats_of(&gaussian, &x)).expect_err("a value that is not a number");
        let UpdateError::Value(error) = error else { panic!("{error:?}") };
        assert_eq!((error.row, error.column), (700, 8_200), "{threads} threads");
    }
}

/// A table that notes how many of its rows are copied at a time at most.
struct Watched<R> {
    rows: R,
    copied: AtomicUsize,
}

impl<R: Rows> Rows for Watched<R> {
    fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }

    fn n_columns(&self) -> usize {
        self.rows.n_columns()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        self.copied.fetch_max(rows.len(), Ordering::Relaxed);
        self.rows.copy_rows(rows, buffer);
    }

    fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
        self.rows.block(rows)
    }
}

/// How many rows are copied at a time at most while statistics are gathered.
fn most_copied<M: FeatureModel>(model: &M, rows: impl Rows, weights: Option<&[f64]>) -> usize {
    let rows = Watched { rows, copied: AtomicUsize::new(0) };
    let mut stats = SufficientStats::new(model, N_COLUMNS).expect("columns");
    match weights {
        Some(weights) => stats.update_weighted(model, &rows, &labels(), weights),
        None => stats.update(model, &rows, &labels()),
    }
    .expect("valid rows");
    rows.copied.into_inner()
}

#[test]
fn wide_rows_are_copied_a_few_at_a_time_or_not_at_all() {
    let gaussian = Gaussian::default();
    let singles = || counts().mapv(|value| value as f32);
    assert_eq!(most_copied(&gaussian, counts(), None), 0);
    assert_eq!(most_copied(&gaussian, singles(), None), 0);
    assert_eq!(most_copied(&Multinomial::default(), counts(), None), 0);
    // Those that are copied by their classes, and those that no block can refer to.
    let copied = [
        most_copied(&General(gaussian), counts(), Some(&[0.5; N_ROWS])),
        most_copied(&Multinomial::default(), counts().mapv(|count| count as i32), None),
    ];
    for copied in copied {
        assert!((1..=512).contains(&copied), "{copied} rows");
    }
}
