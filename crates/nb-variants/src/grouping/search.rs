//! The search for the cheapest groups: merging bottom-up, then moves of single categories and merges of
//! groups.

use std::{cmp::Reverse, collections::BTreeMap};

use ndarray::ArrayView2;

use super::criterion::{Criterion, LARGEST_TOTAL, UNIT, costs_of_partitions};
use crate::ln_factorial::{LEAST_GAIN, fixed};

/// How many units are merged pair by pair; rarer ones join one of these first.
const MOST_SEEDS: usize = 512;

/// How often all units are offered another group.
const MOST_PASSES: usize = 100;

/// Groups of the categories of a column by MODL, the most probable ones under a prior over all groupings
/// (Boullé 2005). Categories in a group have about the same proportions of the classes, as far as their
/// counts can tell; where these tell nothing of the class, there is one group.
///
/// `counts` has the weight of the rows of each category and class, `n_categories × n_classes`. Weights count
/// as numbers of rows, so that those whose total is far from a number of rows make coarser or finer groups.
/// The result has every category with rows in one group, categories in order, the group with the most rows
/// first; categories without rows are in none.
///
/// Neither the order of categories nor that of rows matters. The search is greedy and finds the optimum
/// nearly always for few categories. It takes `O(V^2 J)` for `V` categories with different proportions, up to
/// 512 of them, and `O(V J)` for each group beyond that.
///
/// ```
/// use nb_variants::modl_groups;
/// use ndarray::array;
///
/// let counts = array![[40.0, 2.0], [1.0, 30.0], [0.0, 1.0], [20.0, 1.0], [2.0, 50.0], [0.0, 0.0]];
/// assert_eq!(modl_groups(&counts.view()), [vec![1, 2, 4], vec![0, 3]]);
/// // Half of the rows of each category are of each class: nothing is learnt from it.
/// assert_eq!(modl_groups(&array![[3.0, 3.0], [5.0, 5.0], [4.0, 3.0]].view()), [vec![0, 1, 2]]);
/// ```
pub fn modl_groups(counts: &ArrayView2<'_, f64>) -> Vec<Vec<usize>> {
    let units = Units::new(counts);
    if units.counts.is_empty() {
        return Vec::new();
    }
    let search = Search::new(&units);
    let groups = search.improved(search.merged());
    units.categories_of(&groups)
}

/// Categories that are moved together, in an order that depends on their counts alone.
struct Units {
    /// Of each unit, by class.
    counts: Vec<Vec<u64>>,
    categories: Vec<Vec<usize>>,
}

impl Units {
    /// Categories whose classes have the same proportions are one unit, which loses nothing.
    ///
    /// The cost of a group is `F(m) = ln Γ(Σ_j m_j) - Σ_j ln Γ(m_j)` at `m_j = n_kj + 1`, up to a constant.
    /// In a direction `x` its second derivative is `(Σ_j x_j)^2 ψ'(Σ_j m_j) - Σ_j x_j^2 ψ'(m_j)`. As `1 /
    /// ψ'` is convex and 0 at 0, it is superadditive, and with the inequality of Cauchy and Schwarz the
    /// derivative is not above 0: the cost is concave as rows of these proportions pass from one group to
    /// another, so that one of the ends, where one group has all of them, costs least.
    fn new(counts: &ArrayView2<'_, f64>) -> Self {
        let is_count = |count: &&f64| **count > 0.0;
        let total: f64 = counts.iter().filter(is_count).sum();
        let scale = if total > LARGEST_TOTAL { LARGEST_TOTAL / total } else { 1.0 };
        let mut of_proportions = BTreeMap::<Vec<u64>, (Vec<u64>, Vec<usize>)>::new();
        for (category, row) in counts.rows().into_iter().enumerate() {
            // Numbers that are not counts are 0.
            let own: Vec<u64> = row.iter().map(|count| (count * scale / UNIT).round() as u64).collect();
            let divisor = own.iter().fold(0, |divisor, &count| common_divisor(divisor, count));
            if divisor == 0 {
                continue;
            }
            let proportions = own.iter().map(|count| count / divisor).collect();
            let (sums, categories) =
                of_proportions.entry(proportions).or_insert_with(|| (vec![0; own.len()], Vec::new()));
            sums.iter_mut().zip(&own).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
            categories.push(category);
        }
        let mut units: Vec<_> = of_proportions.into_values().collect();
        units.sort_by_cached_key(|(counts, _)| Reverse((total_of(counts), counts.clone())));
        let (counts, categories) = units.into_iter().unzip();
        Self { counts, categories }
    }

    /// The categories of groups of units, the group with the most rows first.
    fn categories_of(&self, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let sums = |group: &Vec<usize>| {
            let mut sums = vec![0; self.counts[0].len()];
            for &unit in group {
                add(&mut sums, &self.counts[unit]);
            }
            sums
        };
        let mut groups: Vec<(Vec<u64>, &Vec<usize>)> =
            groups.iter().map(|group| (sums(group), group)).collect();
        groups.sort_by_cached_key(|(sums, _)| Reverse((total_of(sums), sums.clone())));
        let categories = groups.into_iter().map(|(_, group)| {
            let mut own: Vec<usize> =
                group.iter().flat_map(|&unit| self.categories[unit].iter().copied()).collect();
            own.sort_unstable();
            own
        });
        categories.collect()
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

fn total_of(counts: &[u64]) -> u64 {
    counts.iter().sum()
}

fn add(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

/// A group on its way.
#[derive(Clone, Debug, Default)]
struct Group {
    units: Vec<usize>,
    counts: Vec<u64>,
    cost: i128,
}

struct Search<'a> {
    criterion: Criterion,
    units: &'a Units,
    /// The cost of dividing the categories into 1, 2, ... groups.
    partitions: Vec<i128>,
}

impl<'a> Search<'a> {
    fn new(units: &'a Units) -> Self {
        let (n_classes, n_units) = (units.counts[0].len(), units.counts.len());
        let n_categories = units.categories.iter().map(Vec::len).sum();
        // Moves may add one group to those of the seeds.
        let partitions = costs_of_partitions(n_categories, n_units.min(MOST_SEEDS + 1));
        Self { criterion: Criterion::new(n_classes), units, partitions }
    }

    fn cost(&self, counts: &[u64]) -> i128 {
        self.criterion.of_group(counts.iter().copied())
    }

    fn cost_with(&self, counts: &[u64], more: &[u64]) -> i128 {
        self.criterion.of_group(counts.iter().zip(more).map(|(own, more)| own + more))
    }

    fn cost_without(&self, counts: &[u64], less: &[u64]) -> i128 {
        self.criterion.of_group(counts.iter().zip(less).map(|(own, less)| own - less))
    }

    /// What it costs to have `n_groups` of them instead of one less.
    fn cost_of_one_more(&self, n_groups: usize) -> i128 {
        self.partitions[n_groups - 1] - self.partitions[n_groups - 2]
    }

    /// A group for each of the units with the most rows; each of the others joins the one where it costs
    /// least.
    fn seeds(&self) -> Vec<Group> {
        let mut seeds: Vec<Group> = Vec::new();
        for (unit, counts) in self.units.counts.iter().enumerate() {
            if unit < MOST_SEEDS {
                seeds.push(Group { units: vec![unit], counts: counts.clone(), cost: self.cost(counts) });
                continue;
            }
            let change = |group: &Group| self.cost_with(&group.counts, counts) - group.cost;
            let changes = seeds.iter().enumerate().map(|(place, group)| (change(group), place));
            let Some((change, place)) = changes.min() else { continue };
            seeds[place].units.push(unit);
            add(&mut seeds[place].counts, counts);
            seeds[place].cost += change;
        }
        seeds
    }

    /// Merges the pair of groups that is cheapest merged, until one group is left; the cheapest grouping on
    /// this way, the one with the fewest groups if there are several.
    fn merged(&self) -> Vec<Group> {
        let mut groups: Vec<Option<Group>> = self.seeds().into_iter().map(Some).collect();
        let n = groups.len();
        let mut nearest: Vec<Option<(i128, usize)>> =
            (0..n).map(|place| self.nearest(&groups, place)).collect();
        let (mut gain, mut best) = (0, (0, 0));
        let mut merges: Vec<(usize, usize)> = Vec::with_capacity(n);
        let first = groups.clone();
        for n_groups in (2..=n).rev() {
            let pairs = nearest.iter().enumerate();
            let pairs =
                pairs.filter_map(|(place, nearest)| nearest.map(|(change, other)| (change, place, other)));
            let Some((change, left, right)) = pairs.min() else { break };
            self.merge(&mut groups, left, right);
            nearest[right] = None;
            gain += self.cost_of_one_more(n_groups) - change;
            merges.push((left, right));
            if gain >= best.0 {
                best = (gain, merges.len());
            }
            for place in 0..left {
                let Some(group) = &groups[place] else { continue };
                match nearest[place] {
                    Some((_, other)) if other == left || other == right => {
                        nearest[place] = self.nearest(&groups, place);
                    }
                    Some(known) => {
                        let change = groups[left].as_ref().map(|other| (self.change(group, other), left));
                        nearest[place] = change.map(|change| change.min(known));
                    }
                    None => {}
                }
            }
            for place in left..right {
                if groups[place].is_some()
                    && (place == left || nearest[place].is_some_and(|(_, other)| other == right))
                {
                    nearest[place] = self.nearest(&groups, place);
                }
            }
        }
        let mut groups = first;
        merges[..best.1].iter().for_each(|&(left, right)| self.merge(&mut groups, left, right));
        groups.into_iter().flatten().collect()
    }

    /// The later group that is cheapest to merge with.
    fn nearest(&self, groups: &[Option<Group>], place: usize) -> Option<(i128, usize)> {
        let own = groups[place].as_ref()?;
        let later = groups.iter().enumerate().skip(place + 1);
        later.filter_map(|(other, group)| Some((self.change(own, group.as_ref()?), other))).min()
    }

    /// What merging two groups changes, except for their number.
    fn change(&self, one: &Group, other: &Group) -> i128 {
        self.cost_with(&one.counts, &other.counts) - one.cost - other.cost
    }

    fn merge(&self, groups: &mut [Option<Group>], left: usize, right: usize) {
        let Some(other) = groups[right].take() else { return };
        if let Some(group) = &mut groups[left] {
            add(&mut group.counts, &other.counts);
            group.units.extend(other.units);
            group.cost = self.cost(&group.counts);
        }
    }

    /// Moves units to other groups and merges groups while that makes it cheaper; the units of each group.
    fn improved(&self, mut groups: Vec<Group>) -> Vec<Vec<usize>> {
        for _ in 0..MOST_PASSES {
            let has_moved = self.move_units(&mut groups);
            if !self.merge_best(&mut groups) && !has_moved {
                break;
            }
        }
        groups.into_iter().map(|group| group.units).collect()
    }

    /// Offers every unit the other groups, and one of its own; whether one took it.
    fn move_units(&self, groups: &mut Vec<Group>) -> bool {
        let mut group_of = vec![0; self.units.counts.len()];
        for (place, group) in groups.iter().enumerate() {
            group.units.iter().for_each(|&unit| group_of[unit] = place);
        }
        let mut has_moved = false;
        for (unit, counts) in self.units.counts.iter().enumerate() {
            let (from, n_groups) = (group_of[unit], groups.len());
            let is_alone = groups[from].units.len() == 1;
            let rest = self.cost_without(&groups[from].counts, counts);
            let left = if is_alone { groups[from].cost } else { groups[from].cost - rest };
            let fewer = if is_alone && n_groups > 1 { self.cost_of_one_more(n_groups) } else { 0 };
            let others = groups.iter().enumerate().filter(|&(place, _)| place != from);
            let gains = others.map(|(place, group)| {
                let joined = self.cost_with(&group.counts, counts) - group.cost;
                (left + fewer - joined, Reverse(place))
            });
            let may_be_alone = !is_alone && n_groups < self.partitions.len();
            let alone = may_be_alone
                .then(|| (left - self.cost(counts) - self.cost_of_one_more(n_groups + 1), Reverse(n_groups)));
            let Some((gain, Reverse(to))) = gains.chain(alone).max() else { continue };
            if gain <= fixed(LEAST_GAIN) {
                continue;
            }
            has_moved = true;
            if to == n_groups {
                groups.push(Group { counts: vec![0; counts.len()], ..Group::default() });
            }
            groups[from].units.retain(|&own| own != unit);
            groups[from].counts.iter_mut().zip(counts).for_each(|(own, less)| *own -= less);
            groups[to].units.push(unit);
            add(&mut groups[to].counts, counts);
            for place in [from, to] {
                groups[place].cost = self.cost(&groups[place].counts);
            }
            group_of[unit] = to;
            if is_alone {
                groups.remove(from);
                group_of.iter_mut().filter(|place| **place > from).for_each(|place| *place -= 1);
            }
        }
        has_moved
    }

    /// Merges the two groups that gain most by it, if any do.
    fn merge_best(&self, groups: &mut Vec<Group>) -> bool {
        if groups.len() < 2 {
            return false;
        }
        let pairs = (1..groups.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let changes = pairs.map(|(left, right)| (self.change(&groups[left], &groups[right]), left, right));
        let Some((change, left, right)) = changes.min() else { return false };
        if self.cost_of_one_more(groups.len()) - change <= fixed(LEAST_GAIN) {
            return false;
        }
        let other = groups.remove(right);
        let group = &mut groups[left];
        add(&mut group.counts, &other.counts);
        group.units.extend(other.units);
        group.cost = self.cost(&group.counts);
        true
    }
}

#[cfg(test)]
mod tests;
