//! Which data sets and variants can be ranked: those where each has a value on each.

/// The rows and columns that are left of a table with gaps when rows and columns with gaps are dropped one by
/// one: always the one with the largest share of gaps; of several, a row before a column, and the last before
/// the first. What is left has no gaps.
pub(super) fn without_gaps(is_gap: &[Vec<bool>], n_columns: usize) -> (Vec<usize>, Vec<usize>) {
    let mut rows: Vec<usize> = (0..is_gap.len()).collect();
    let mut columns: Vec<usize> = (0..n_columns).collect();
    loop {
        let of_row = |row: usize| columns.iter().filter(|&&column| is_gap[row][column]).count();
        let of_column = |column: usize| rows.iter().filter(|&&row| is_gap[row][column]).count();
        // Shares are compared by cross-multiplication, so that ties are ties.
        let worst_row = rows.iter().map(|&row| (of_row(row) * rows.len(), row)).max();
        let worst_column = columns.iter().map(|&column| (of_column(column) * columns.len(), column)).max();
        match (worst_row, worst_column) {
            (Some((in_row, row)), Some((in_column, column))) if in_row > 0 || in_column > 0 => {
                if in_row >= in_column {
                    rows.retain(|&kept| kept != row);
                } else {
                    columns.retain(|&kept| kept != column);
                }
            }
            _ => return (rows, columns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const O: bool = false;
    const X: bool = true;

    #[test]
    fn nothing_is_dropped_without_gaps() {
        assert_eq!(without_gaps(&[vec![O, O], vec![O, O]], 2), (vec![0, 1], vec![0, 1]));
    }

    #[test]
    fn a_variant_for_few_sets_goes() {
        let gaps = [vec![O, O, X], vec![O, O, X], vec![O, O, O], vec![O, O, X]];
        assert_eq!(without_gaps(&gaps, 3), (vec![0, 1, 2, 3], vec![0, 1]));
    }

    #[test]
    fn a_set_for_few_variants_goes() {
        let gaps = [vec![O, O, O, O], vec![X, X, O, X], vec![O, O, O, O], vec![O, O, O, O]];
        assert_eq!(without_gaps(&gaps, 4), (vec![0, 2, 3], vec![0, 1, 2, 3]));
    }

    #[test]
    fn all_gaps_leave_nothing() {
        let (rows, columns) = without_gaps(&[vec![X, X], vec![X, X]], 2);
        assert!(rows.is_empty() || columns.is_empty());
    }
}
