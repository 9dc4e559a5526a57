//! The tree of columns with the most mutual information.

/// The parent of each column in the spanning tree with the largest sum of weights, whose root is the first column (Prim
/// 1957); of equal edges the first.
pub(super) fn largest_tree(weights: &[Vec<f64>]) -> Vec<Option<usize>> {
    let mut parents = vec![None; weights.len()];
    // For each column that is not in the tree yet the best edge to it.
    let mut best: Vec<Option<(f64, usize)>> =
        (0..weights.len()).map(|column| (column > 0).then(|| (weights[0][column], 0))).collect();
    loop {
        let mut next: Option<(f64, usize, usize)> = None;
        for (column, edge) in best.iter().enumerate() {
            if let Some((weight, parent)) = *edge
                && next.is_none_or(|(largest, ..)| weight > largest)
            {
                next = Some((weight, parent, column));
            }
        }
        let Some((_, parent, column)) = next else { return parents };
        parents[column] = Some(parent);
        best[column] = None;
        for (other, edge) in best.iter_mut().enumerate() {
            if let Some((weight, _)) = *edge
                && weights[column][other] > weight
            {
                *edge = Some((weights[column][other], column));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_has_the_heaviest_edges() {
        let weights = vec![
            vec![0.0, 1.0, 4.0, 0.5],
            vec![1.0, 0.0, 3.0, 0.5],
            vec![4.0, 3.0, 0.0, 0.5],
            vec![0.5, 0.5, 0.5, 0.0],
        ];
        assert_eq!(largest_tree(&weights), [None, Some(2), Some(0), Some(0)]);
        assert_eq!(largest_tree(&[]), []);
    }
}
