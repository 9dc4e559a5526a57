//! The trees of columns with the heaviest edges.

/// The parent of each column in the forest with the largest sum of weights, of edges that are heavier than
/// `least` (Prim 1957). The root of a tree is its first column; of equal edges the first is taken.
pub(super) fn largest_forest(weights: &[Vec<f64>], least: f64) -> Vec<Option<usize>> {
    let mut parents = vec![None; weights.len()];
    // For each column that is not in the forest yet the best edge to it; a root has none.
    let mut best = vec![Some((least, None)); weights.len()];
    loop {
        let mut next: Option<(f64, Option<usize>, usize)> = None;
        for (column, edge) in best.iter().enumerate() {
            if let Some((weight, parent)) = *edge
                && next.is_none_or(|(largest, ..)| weight > largest)
            {
                next = Some((weight, parent, column));
            }
        }
        let Some((_, parent, column)) = next else { return parents };
        parents[column] = parent;
        best[column] = None;
        for (other, edge) in best.iter_mut().enumerate() {
            if let Some((weight, _)) = *edge
                && weights[column][other] > weight
            {
                *edge = Some((weights[column][other], Some(column)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forest_has_the_heaviest_edges() {
        let weights = vec![
            vec![0.0, 1.0, 4.0, 0.5],
            vec![1.0, 0.0, 3.0, 0.5],
            vec![4.0, 3.0, 0.0, 0.5],
            vec![0.5, 0.5, 0.5, 0.0],
        ];
        let tree = |least| largest_forest(&weights, least);
        assert_eq!(tree(f64::NEG_INFINITY), [None, Some(2), Some(0), Some(0)]);
        assert_eq!(tree(0.5), [None, Some(2), Some(0), None]);
        assert_eq!(tree(3.0), [None, None, Some(0), None]);
        assert_eq!(tree(4.0), [None; 4]);
        assert_eq!(largest_forest(&[], 0.0), []);
    }
}
