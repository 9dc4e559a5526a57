//! Rows dealt by groups, each as a whole.

use nb_train::Keys;

use super::TRAIN;

/// Of how many orders of the groups the best is taken.
const ORDERS: usize = 100;

/// The part of each group, so that the parts come near to their sizes in every class; `None` if no order of
/// the groups fills all parts. Groups are dealt in pseudo-random orders that their names and the keys decide.
pub(crate) fn by_groups(
    keys: &Keys,
    names: &[String],
    groups: &[usize],
    classes: &[usize],
    sizes: &[usize],
) -> Option<Vec<u8>> {
    let n_rows = groups.len();
    let n_train = n_rows - sizes.iter().sum::<usize>();
    let shares: Vec<f64> =
        [&n_train].into_iter().chain(sizes).map(|&size| size as f64 / n_rows as f64).collect();
    let order = |number| {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_cached_key(|&group| (keys.of_text(&names[group], number), group));
        order
    };
    let parts = nb_compare::deal_groups(groups, classes, &shares, ORDERS, order)?;
    Some(parts.into_iter().map(|part| TRAIN + part as u8).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_whole_and_parts_near_their_sizes() {
        let groups: Vec<usize> = (0..1000).map(|row| row * row % 97).collect();
        let classes: Vec<usize> = groups.iter().map(|group| group % 2).collect();
        let names: Vec<String> = (0..97).map(|group| format!("g{group}")).collect();
        let parts = by_groups(&Keys::new(7), &names, &groups, &classes, &[200, 100]).unwrap();
        for (row, other) in (0..1000).flat_map(|row| (0..row).map(move |other| (row, other))) {
            assert!(groups[row] != groups[other] || parts[row] == parts[other]);
        }
        let count = |part| parts.iter().map(|&other| usize::from(other == part)).sum::<usize>();
        assert!(count(1).abs_diff(200) < 15 && count(2).abs_diff(100) < 15, "{} {}", count(1), count(2));
    }

    #[test]
    fn two_groups_make_no_three_parts() {
        let names = ["a".to_owned(), "b".to_owned()];
        assert!(by_groups(&Keys::new(0), &names, &[0, 1, 1], &[0; 3], &[1]).is_some());
        assert!(by_groups(&Keys::new(0), &names, &[0, 1, 1], &[0; 3], &[1, 1]).is_none());
    }
}
