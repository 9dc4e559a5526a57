//! Columns whose values come again in rows that are much alike, as those of a patient are.

use std::collections::BTreeMap;

use super::{first_rows::FirstRows, values::Class};

/// As many values must a column have, and as many of them more than one row.
const FEWEST_VALUES: usize = 10;
/// Rows are alike in a column if values explain this part of its variance, beyond chance.
const ALIKE: f64 = 0.3;
/// As many standard errors must that be.
const STANDARD_ERRORS: f64 = 5.0;
/// Neighbouring numbers are alike, too, if their means differ by less than this part of what means of any two
/// differ.
const SMOOTH: f64 = 0.5;
/// As many columns are compared.
const MOST_COMPARED: usize = 50;
/// Categories of columns with more are not compared.
const MOST_CATEGORIES: usize = 64;

/// A column that looks like a group.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupLike {
    pub(super) column: usize,
    pub(super) n_values: usize,
    /// How many of the rows have a value.
    pub(super) n_rows: usize,
}

/// The cells of a column to be compared.
enum Cells {
    Ranks(Vec<Option<f64>>),
    Codes(Vec<Option<u32>>, usize),
}

/// The groups among the columns, of which these are numbers.
pub(super) fn groups(rows: &FirstRows, is_numeric: &[bool]) -> Vec<GroupLike> {
    let step = rows.n_columns().div_ceil(MOST_COMPARED).max(1);
    let compared: Vec<(Option<usize>, Cells)> = (0..rows.n_columns())
        .step_by(step)
        .filter_map(|column| Some((Some(column), cells(rows, column, is_numeric[column])?)))
        .chain(labels(&rows.classes).map(|labels| (None, labels)))
        .collect();
    let found = (0..rows.n_columns()).filter_map(|column| {
        let (groups, n_values) = candidate(rows, column, is_numeric[column])?;
        let others = compared.iter().filter(|(other, _)| *other != Some(column));
        let alike: Vec<bool> =
            others.filter_map(|(_, cells)| are_alike(&groups, n_values, cells, is_numeric[column])).collect();
        let n_alike = alike.iter().filter(|&&alike| alike).count();
        let n_rows = groups.iter().flatten().count();
        // A quantity may be nearly a name, as a tax rate that few places share.
        let fewest = if is_numeric[column] { 0.75 } else { 0.5 } * alike.len() as f64;
        (n_alike >= 2 && n_alike as f64 >= fewest).then_some(GroupLike { column, n_values, n_rows })
    });
    found.collect()
}

/// The values of a column, by their place, if they may be groups: whole numbers or categories that come
/// again.
fn candidate(rows: &FirstRows, column: usize, is_numeric: bool) -> Option<(Vec<Option<u32>>, usize)> {
    if is_numeric && rows.column(column).any(|value| !value.is_nan() && value.fract() != 0.0) {
        return None;
    }
    let (groups, n_values) = rows.ordered(column);
    let sizes = sizes(&groups, n_values);
    let n_rows: usize = sizes.iter().sum();
    let n_again = sizes.iter().filter(|&&size| size > 1).count();
    (n_again >= FEWEST_VALUES && n_rows >= 2 * n_values).then_some((groups, n_values))
}

fn sizes(groups: &[Option<u32>], n_values: usize) -> Vec<usize> {
    let mut sizes = vec![0; n_values];
    groups.iter().flatten().for_each(|&group| sizes[group as usize] += 1);
    sizes
}

/// A column to be compared: ranks, which far values do not spoil, or categories.
fn cells(rows: &FirstRows, column: usize, is_numeric: bool) -> Option<Cells> {
    let (places, n_values) = rows.ordered(column);
    if !is_numeric {
        return (2..=MOST_CATEGORIES).contains(&n_values).then_some(Cells::Codes(places, n_values));
    }
    let mut before = 0;
    let middles: Vec<f64> = sizes(&places, n_values)
        .into_iter()
        .map(|size| {
            before += size;
            before as f64 - 0.5 * size as f64
        })
        .collect();
    let ranks = places.into_iter().map(|place| place.map(|place| middles[place as usize]));
    (n_values > 1).then(|| Cells::Ranks(ranks.collect()))
}

/// The labels, if there are some.
fn labels(classes: &[Class]) -> Option<Cells> {
    let mut known = BTreeMap::new();
    for &class in classes {
        let next = known.len() as u32;
        known.entry(class).or_insert(next);
    }
    let codes = || classes.iter().map(|class| known.get(class).copied()).collect();
    (2..=MOST_CATEGORIES).contains(&known.len()).then(|| Cells::Codes(codes(), known.len()))
}

/// Whether rows of a group are much more alike than others, by the analysis of variance: of ranks, or of the
/// indicators of categories (Light and Margolin 1971). None if all cells are the same.
fn are_alike(groups: &[Option<u32>], n_groups: usize, cells: &Cells, is_numeric: bool) -> Option<bool> {
    let mut sizes = vec![0.0; n_groups];
    let n_parts = match cells {
        Cells::Ranks(_) => 1,
        Cells::Codes(_, n) => *n,
    };
    // The sums of ranks, or of indicators, by group.
    let mut sums = vec![0.0; n_groups * n_parts];
    let mut squares = 0.0;
    match cells {
        Cells::Ranks(ranks) => {
            for (group, rank) in groups.iter().zip(ranks) {
                let (Some(group), Some(rank)) = (group, rank) else { continue };
                sizes[*group as usize] += 1.0;
                sums[*group as usize] += rank;
                squares += rank * rank;
            }
        }
        Cells::Codes(codes, _) => {
            for (group, code) in groups.iter().zip(codes) {
                let (Some(group), Some(code)) = (group, code) else { continue };
                sizes[*group as usize] += 1.0;
                sums[*group as usize * n_parts + *code as usize] += 1.0;
                squares += 1.0;
            }
        }
    }
    let n: f64 = sizes.iter().sum();
    let k = sizes.iter().filter(|&&size| size > 0.0).count() as f64;
    if k < 2.0 || n <= k {
        return None;
    }
    let totals = (0..n_parts).map(|part| sums.iter().skip(part).step_by(n_parts).sum::<f64>());
    let all = squares - totals.map(|total| total * total / n).sum::<f64>();
    let of_groups: Vec<(f64, &[f64])> =
        sizes.iter().copied().zip(sums.chunks(n_parts)).filter(|(size, _)| *size > 0.0).collect();
    let norm = |sums: &[f64]| sums.iter().map(|sum| sum * sum).sum::<f64>();
    let within = squares - of_groups.iter().map(|(size, sums)| norm(sums) / size).sum::<f64>();
    // A cell in a thousand that differs says nothing.
    if all <= 1e-3 * squares {
        return None;
    }
    let of_row = within.max(0.0) / (n - k);
    let explained = 1.0 - of_row * (n - 1.0) / all;
    // That of groups at random has about this standard deviation.
    let standard_error = (2.0 * (k - 1.0) / ((n - k) * (n + 1.0))).sqrt();
    if explained < ALIKE || explained < STANDARD_ERRORS * standard_error {
        return Some(false);
    }
    Some(!is_numeric || !is_smooth(&of_groups, of_row))
}

/// Whether the means of neighbouring numbers are alike (von Neumann 1941), so that the number is a quantity
/// and no name.
fn is_smooth(of_groups: &[(f64, &[f64])], of_row: f64) -> bool {
    let k = of_groups.len() as f64;
    let mean = |(size, sums): &(f64, &[f64])| sums.iter().map(|sum| sum / size).collect::<Vec<f64>>();
    let means: Vec<Vec<f64>> = of_groups.iter().map(mean).collect();
    let noise = of_row * of_groups.iter().map(|(size, _)| 1.0 / size).sum::<f64>() / k;
    let distance =
        |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let mut center = vec![0.0; means[0].len()];
    for mean in &means {
        center.iter_mut().zip(mean).for_each(|(center, part)| *center += part / k);
    }
    let of_all = means.iter().map(|mean| distance(mean, &center)).sum::<f64>() / (k - 1.0) - noise;
    let pairs = means.windows(2).map(|pair| distance(&pair[0], &pair[1]));
    let of_neighbours = 0.5 * pairs.sum::<f64>() / (k - 1.0) - noise;
    of_neighbours < SMOOTH * of_all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    /// A number from 0 to 1 that looks random.
    fn noise(seed: usize) -> f64 {
        (mix(seed as u64) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Rows with a name and three other columns; the name is in the first.
    fn found(
        n: usize,
        row: impl Fn(usize) -> ([f64; 4], Class),
        is_numeric: [bool; 4],
    ) -> Vec<(usize, usize)> {
        let mut rows = FirstRows::new(4);
        for number in 0..n {
            let (cells, class) = row(number);
            rows.add(cells.into_iter(), class);
        }
        let found = groups(&rows, &is_numeric);
        found.into_iter().map(|group| (group.column, group.n_values)).collect()
    }

    #[test]
    fn patients_are_groups_whether_they_are_names_or_numbers() {
        let visit = |row: usize| {
            let patient = row * 7 % 40;
            let measured =
                |column: usize| noise(1000 * column + patient) + 0.1 * noise(99_999 * column + row);
            ([patient as f64, measured(1), measured(2), noise(row)], 1 + (patient % 2) as Class)
        };
        assert_eq!(found(400, visit, [true; 4]), [(0, 40)]);
        assert_eq!(found(400, visit, [false, true, true, true]), [(0, 40)]);
        assert_eq!(found(60, visit, [false, true, true, true]), [], "too few rows of each");
    }

    #[test]
    fn quantities_and_names_of_unlike_rows_are_none() {
        let unlike = |row: usize| {
            ([(row % 40) as f64, noise(row), noise(row + 5_000), noise(row + 9_000)], 1 + (row % 3) as Class)
        };
        assert_eq!(found(400, unlike, [true; 4]), []);
        assert_eq!(found(400, unlike, [false, true, true, true]), []);
        // Age, on which the others depend.
        let age = |row: usize| {
            let age = (40.0 * noise(row)).floor();
            let depends = |seed: usize| age + 3.0 * noise(seed + row);
            ([age, depends(10_000), depends(20_000), depends(30_000)], 1 + Class::from(age > 20.0))
        };
        assert_eq!(found(800, age, [true; 4]), []);
        // One category of a few, however alike its rows are.
        let few = |row: usize| {
            let kind = (row % 5) as f64;
            ([kind, kind + 0.1 * noise(row), 5.0 - kind, noise(row)], 1)
        };
        assert_eq!(found(400, few, [false, true, true, true]), []);
    }
}
