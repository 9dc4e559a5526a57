//! What the learners see of a column: its values in order, with the classes of their rows.

use nb_core::{Rows, family::Block};

use super::DiscretiseError;
use crate::walk::each_block;

/// How many cells are gathered at a time.
const CELLS: usize = 1 << 24;

/// Equal values of rows of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) value: f64,
    pub(super) class: usize,
    pub(super) count: usize,
}

/// Calls `learnt` with the observed values of each column, as runs ordered by value, then class, and returns
/// its answers. There is a class number below `n_classes` for each row.
pub(super) fn learn<T>(
    rows: &(impl Rows + ?Sized),
    classes: &[usize],
    n_classes: usize,
    mut learnt: impl FnMut(&[Run]) -> T,
) -> Result<Vec<T>, DiscretiseError> {
    let (n_columns, at_once) = (rows.n_columns(), (CELLS / rows.n_rows().max(1)).max(1));
    let mut rows_of_class = vec![0; n_classes];
    for &class in classes {
        rows_of_class[class] += 1;
    }
    let mut all = Vec::with_capacity(n_columns);
    for first_column in (0..n_columns).step_by(at_once) {
        let mut columns = vec![Vec::new(); at_once.min(n_columns - first_column)];
        each_block(rows, |first, block| {
            check_finite(first, block)?;
            block.for_each_stored(|row, column, value| {
                let column = column.checked_sub(first_column).and_then(|column| columns.get_mut(column));
                if let Some(runs) = column {
                    runs.push(Run { value: value + 0.0, class: classes[first + row], count: 1 });
                }
            });
            Ok::<_, DiscretiseError>(())
        })?;
        all.extend(columns.into_iter().map(|runs| learnt(&in_order(runs, &rows_of_class))));
    }
    Ok(all)
}

/// Adds the zeros that were not stored, takes missing cells out, sorts, and makes one run of equal ones.
fn in_order(mut runs: Vec<Run>, rows_of_class: &[usize]) -> Vec<Run> {
    let mut unstored = rows_of_class.to_vec();
    for run in &runs {
        unstored[run.class] = unstored[run.class].saturating_sub(1);
    }
    runs.retain(|run| !run.value.is_nan());
    let zeros = unstored.into_iter().enumerate().filter(|(_, count)| *count > 0);
    runs.extend(zeros.map(|(class, count)| Run { value: 0.0, class, count }));
    runs.sort_unstable_by(|a, b| a.value.total_cmp(&b.value).then(a.class.cmp(&b.class)));
    runs.dedup_by(|next, kept| {
        let equal = next.value == kept.value && next.class == kept.class;
        if equal {
            kept.count += next.count;
        }
        equal
    });
    runs
}

/// Refuses infinite cells of a block whose first row has this number.
pub(super) fn check_finite(first: usize, block: &Block<'_>) -> Result<(), DiscretiseError> {
    match block.find_stored(|_, value| value.is_infinite().then_some(())) {
        Some((row, column, value, ())) => Err(DiscretiseError::Infinite { row: first + row, column, value }),
        None => Ok(()),
    }
}

/// A cut that has `below` on its lower side and `above`, which must be larger, on its upper one: the middle
/// between them, unless it rounds to `above`.
pub(super) fn between(below: f64, above: f64) -> f64 {
    let middle = f64::midpoint(below, above);
    if middle < above { middle } else { below }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_core::CsrView;
    use ndarray::array;

    fn runs(rows: &impl Rows, classes: &[usize]) -> Vec<Vec<(f64, usize, usize)>> {
        let mut seen = Vec::new();
        learn(rows, classes, 2, |runs| {
            seen.push(runs.iter().map(|run| (run.value, run.class, run.count)).collect());
        })
        .expect("finite");
        seen
    }

    #[test]
    fn sparse_and_dense_columns_have_the_same_runs() {
        let dense = array![[0.0, 2.0], [-0.0, f64::NAN], [-1.0, 0.0], [0.0, 2.0]];
        let sparse = CsrView::new(2, &[0, 1, 2, 3, 4], &[1, 1, 0, 1], &[2.0, f64::NAN, -1.0, 2.0]);
        let expected = vec![vec![(-1.0, 0, 1), (0.0, 0, 1), (0.0, 1, 2)], vec![(0.0, 0, 1), (2.0, 1, 2)]];
        let classes = [1, 0, 0, 1];
        assert_eq!(runs(&dense, &classes), expected);
        assert_eq!(runs(&sparse.expect("valid"), &classes), expected);
    }

    #[test]
    fn cuts_separate_neighbours() {
        let above_one = 1.0_f64.next_up();
        for (below, above) in [
            (1.0, 2.0),
            (1.0, above_one),
            (above_one, above_one.next_up()),
            (-above_one, -1.0),
            (0.0, 5e-324),
            (-5e-324, 0.0),
            (-f64::MAX, f64::MAX),
            (f64::MAX.next_down(), f64::MAX),
        ] {
            let cut = between(below, above);
            assert!(below <= cut && cut < above, "{below} and {above}: {cut}");
        }
    }
}
