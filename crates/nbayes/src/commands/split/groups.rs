//! Rows dealt by groups, each as a whole.

use nb_train::Keys;

use super::TRAIN;

/// How many orders of the groups are tried, and how many groups all of them may have together.
const ORDERS: usize = 100;
const MOST: usize = 10_000_000;

/// The part of each group, so that the parts come near to their sizes in every class; `None` if no order of the groups fills all
/// parts.
///
/// Groups are dealt in a pseudo-random order, each to the part that lacks most of what the group has. Of a hundred such orders it is
/// the one after which the parts are nearest to their sizes: by the sum over parts and classes of the squared differences,
/// relative to the size of the class.
pub(super) fn by_groups(
    keys: &Keys,
    names: &[String],
    groups: &[usize],
    classes: &[usize],
    n_classes: usize,
    sizes: &[usize],
) -> Option<Vec<u8>> {
    let counts = counts(names.len(), groups, classes);
    let mut of_class = vec![0.0; n_classes];
    for &class in classes {
        of_class[class] += 1.0;
    }
    let n_rows = groups.len();
    let n_train = n_rows - sizes.iter().sum::<usize>();
    let shares: Vec<f64> =
        [&n_train].into_iter().chain(sizes).map(|&size| size as f64 / n_rows as f64).collect();
    let orders = (MOST / names.len().max(1)).clamp(1, ORDERS) as u64;
    let mut best: Option<(f64, Vec<u8>)> = None;
    for order in 0..orders {
        let mut order_of: Vec<usize> = (0..names.len()).collect();
        order_of.sort_by_cached_key(|&group| (keys.of_text(&names[group], order), group));
        // What each part lacks of each class.
        let mut lacking: Vec<Vec<f64>> =
            shares.iter().map(|share| of_class.iter().map(|n| share * n).collect()).collect();
        let mut parts = vec![TRAIN; names.len()];
        let mut filled = vec![false; shares.len()];
        for group in order_of {
            let need = |lacking: &Vec<f64>| -> f64 {
                counts[group].iter().map(|&(class, n)| n * lacking[class] / of_class[class]).sum()
            };
            let needs: Vec<f64> = lacking.iter().map(need).collect();
            let part =
                (1..needs.len()).fold(0, |best, part| if needs[part] > needs[best] { part } else { best });
            for &(class, n) in &counts[group] {
                lacking[part][class] -= n;
            }
            parts[group] = TRAIN + part as u8;
            filled[part] = true;
        }
        let distance: f64 =
            lacking.iter().flat_map(|lacking| lacking.iter().zip(&of_class)).map(|(d, n)| d * d / n).sum();
        if filled.iter().all(|&filled| filled) && best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, parts));
        }
    }
    let (_, of_group) = best?;
    Some(groups.iter().map(|&group| of_group[group]).collect())
}

/// How many rows of each class a group has, without classes of which it has none.
fn counts(n_groups: usize, groups: &[usize], classes: &[usize]) -> Vec<Vec<(usize, f64)>> {
    let mut counts: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n_groups];
    for (&group, &class) in groups.iter().zip(classes) {
        match counts[group].iter_mut().find(|(known, _)| *known == class) {
            Some((_, n)) => *n += 1.0,
            None => counts[group].push((class, 1.0)),
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_whole_and_parts_near_their_sizes() {
        let groups: Vec<usize> = (0..1000).map(|row| row * row % 97).collect();
        let classes: Vec<usize> = groups.iter().map(|group| group % 2).collect();
        let names: Vec<String> = (0..97).map(|group| format!("g{group}")).collect();
        let parts = by_groups(&Keys::new(7), &names, &groups, &classes, 2, &[200, 100]).unwrap();
        for (row, other) in (0..1000).flat_map(|row| (0..row).map(move |other| (row, other))) {
            assert!(groups[row] != groups[other] || parts[row] == parts[other]);
        }
        let count = |part| parts.iter().map(|&other| usize::from(other == part)).sum::<usize>();
        assert!(count(1).abs_diff(200) < 15 && count(2).abs_diff(100) < 15, "{} {}", count(1), count(2));
    }

    #[test]
    fn two_groups_make_no_three_parts() {
        let names = ["a".to_owned(), "b".to_owned()];
        assert!(by_groups(&Keys::new(0), &names, &[0, 1, 1], &[0; 3], 1, &[1]).is_some());
        assert!(by_groups(&Keys::new(0), &names, &[0, 1, 1], &[0; 3], 1, &[1, 1]).is_none());
    }
}
