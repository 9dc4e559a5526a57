//! Columns of which each value, or each interval of numbers, has rows of one class only.

use std::collections::BTreeMap;

use super::{
    chance::{is_excluded, ln_choose},
    values::Class,
};

/// How many different values, or intervals, are kept for a column.
const MOST_RUNS: usize = 1024;
/// As many rows must a value have on average, and an interval.
const ROWS_OF_VALUE: u64 = 2;
const ROWS_OF_INTERVAL: u64 = 10;
/// As many intervals may there be for each class on average.
const INTERVALS_OF_CLASS: usize = 2;
/// Numbers with at most as many values are codes.
const FEW_CODES: usize = 10;
/// As many cuts of intervals are named.
const MOST_CUTS: usize = 3;

/// A column that determines the label as far as is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Determinant {
    /// The place of the column.
    pub(super) column: usize,
    is_numeric: bool,
    /// Values by the [order](order) of the first of them, with those that follow and have the same class.
    runs: BTreeMap<i64, Run>,
    /// Whether each run is one value.
    is_by_value: bool,
    /// The class of the rows without a value.
    missing: Option<Class>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    last: i64,
    class: Class,
}

/// What determines the label.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pieces {
    /// This many values; missing cells count as one.
    Values(usize),
    /// This many intervals, and the first cuts between them.
    Intervals(usize, Vec<f64>),
}

impl Determinant {
    pub(super) fn new(column: usize, is_numeric: bool) -> Self {
        Self { column, is_numeric, runs: BTreeMap::new(), is_by_value: true, missing: None }
    }

    /// Whether the column still determines the label with this value in a row of this class.
    pub(super) fn look(&mut self, value: f64, class: Class) -> bool {
        if value.is_nan() {
            return *self.missing.get_or_insert(class) == class;
        }
        let place = order(value);
        self.add(place, Run { last: place, class })
    }

    fn add(&mut self, first: i64, new: Run) -> bool {
        if let Some((_, run)) = self.runs.range(..=first).next_back()
            && run.last >= new.last
        {
            return run.class == new.class;
        }
        let (mut first, mut last) = (first, new.last);
        while let Some((&start, &run)) = self.runs.range(..=last).next_back() {
            if run.last < first {
                break;
            }
            if run.class != new.class {
                return false;
            }
            self.runs.remove(&start);
            (first, last) = (first.min(start), last.max(run.last));
        }
        self.runs.insert(first, Run { last, ..new });
        self.runs.len() <= MOST_RUNS || self.compress()
    }

    /// Joins neighbouring values of one class, of a column of numbers; whether few runs are left.
    fn compress(&mut self) -> bool {
        if !self.is_numeric {
            return false;
        }
        self.is_by_value = false;
        self.runs = self.intervals();
        self.runs.len() <= MOST_RUNS / 2
    }

    fn intervals(&self) -> BTreeMap<i64, Run> {
        let mut joined: BTreeMap<i64, Run> = BTreeMap::new();
        for (&first, &run) in &self.runs {
            match joined.last_entry() {
                Some(mut before) if before.get().class == run.class => before.get_mut().last = run.last,
                _ => {
                    joined.insert(first, run);
                }
            }
        }
        joined
    }

    /// Adds what is known of other rows, whose classes have the numbers that `class` says; whether it still
    /// determines the label.
    pub(super) fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) -> bool {
        self.is_by_value &= other.is_by_value;
        if let Some(missing) = other.missing.map(&class)
            && *self.missing.get_or_insert(missing) != missing
        {
            return false;
        }
        other.runs.iter().all(|(&first, run)| self.add(first, Run { class: class(run.class), ..*run }))
    }

    /// What determines the label in all of `n` rows of `n_classes` classes, whose labels have
    /// `exp(ln_orders)` permutations; none if chance is not excluded, as for one of `n_columns` columns.
    pub(super) fn pieces(
        &self,
        n: u64,
        n_classes: usize,
        ln_orders: f64,
        n_columns: usize,
    ) -> Option<Pieces> {
        let has_missing = usize::from(self.missing.is_some());
        let (k, ln_columns) = (n_classes as f64, (n_columns.max(1) as f64).ln());
        let n_values = self.runs.len() + has_missing;
        let by_value = self.is_by_value
            && ROWS_OF_VALUE * n_values as u64 <= n
            && is_excluded(n_values as f64 * k.ln() + ln_columns, ln_orders);
        if by_value && (n_values <= FEW_CODES || !self.is_numeric) {
            return Some(Pieces::Values(n_values));
        }
        let intervals = if self.is_numeric { self.intervals() } else { BTreeMap::new() };
        let n_intervals = intervals.len() + has_missing;
        let n_distinct = if self.is_by_value { self.runs.len() as u64 } else { n };
        let cuts = intervals.len().saturating_sub(1) as u64;
        let ln_rules =
            ln_choose(n_distinct.saturating_sub(1), cuts) + k.ln() + n_intervals as f64 * (k - 1.0).ln();
        let by_interval = self.is_numeric
            && (2..=INTERVALS_OF_CLASS * n_classes + 1).contains(&n_intervals)
            && ROWS_OF_INTERVAL * n_intervals as u64 <= n
            && is_excluded(ln_rules + ln_columns, ln_orders);
        if by_interval && (!by_value || 2 * n_intervals <= n_values) {
            let neighbours = intervals.values().zip(intervals.keys().skip(1));
            let cut = |(low, &high): (&Run, &i64)| between(number(low.last), number(high));
            return Some(Pieces::Intervals(n_intervals, neighbours.take(MOST_CUTS).map(cut).collect()));
        }
        by_value.then_some(Pieces::Values(n_values))
    }
}

/// Whole numbers in the order of numbers; zeros of both signs are one.
fn order(value: f64) -> i64 {
    flip((value + 0.0).to_bits().cast_signed())
}

fn number(order: i64) -> f64 {
    f64::from_bits(flip(order).cast_unsigned())
}

/// Negative numbers have the opposite order of their bits.
fn flip(bits: i64) -> i64 {
    bits ^ ((bits >> 63) & i64::MAX)
}

/// The shortest decimal number between two that has few digits, else their middle.
fn between(low: f64, high: f64) -> f64 {
    let middle = 0.5 * low + 0.5 * high;
    for digits in 0..9 {
        let scale = 10_f64.powi(digits - (high - low).abs().log10().floor() as i32 - 1);
        let rounded = (middle * scale).round() / scale;
        if rounded > low && rounded <= high {
            return rounded;
        }
    }
    middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::chance::ln_orders;

    /// What is found in rows that come at once, and in parts.
    fn found(is_numeric: bool, rows: &[(f64, Class)]) -> Option<Pieces> {
        let watch = |rows: &[(f64, Class)]| {
            let mut watch = Determinant::new(0, is_numeric);
            rows.iter().all(|&(value, class)| watch.look(value, class)).then_some(watch)
        };
        let n_of = |class| rows.iter().filter(|row| row.1 == class).count() as u64;
        let classes: Vec<u64> = (1..4).map(n_of).filter(|&n| n > 0).collect();
        let pieces =
            |watch: &Determinant| watch.pieces(rows.len() as u64, classes.len(), ln_orders(&classes), 5);
        let (head, tail) = rows.split_at(rows.len() / 3);
        let merged =
            watch(head).and_then(|mut head| head.merge(&watch(tail)?, |class| class).then_some(head));
        let whole = watch(rows).and_then(|watch| pieces(&watch));
        assert_eq!(whole, merged.and_then(|watch| pieces(&watch)));
        whole
    }

    fn rows(n: usize, row: impl Fn(usize) -> (f64, Class)) -> Vec<(f64, Class)> {
        (0..n).map(row).collect()
    }

    #[test]
    fn values_of_one_class_each() {
        let code = |row: usize| ((row * 5 % 7) as f64, 1 + (row * 5 % 7 % 3) as Class);
        assert_eq!(found(false, &rows(70, code)), Some(Pieces::Values(7)));
        assert_eq!(found(true, &rows(70, code)), Some(Pieces::Values(7)));
        assert_eq!(found(false, &rows(14, code)), None, "may be chance");
        let mut exception = rows(70, code);
        exception[69].1 = 1 + exception[69].1 % 3;
        assert_eq!(found(false, &exception), None, "an exception in the last row");
        let id = |row: usize| (row as f64, 1 + (row % 2) as Class);
        assert_eq!(found(false, &rows(200, id)), None, "a value for each row");
        let rare = |row: usize| ((row % 50) as f64, if row == 7 { 1 } else { 2 });
        assert_eq!(found(false, &rows(50, rare)), None, "a rare class");
        let missing = |row: usize| if row.is_multiple_of(2) { (f64::NAN, 1) } else { ((row % 3) as f64, 2) };
        assert_eq!(found(false, &rows(60, missing)), Some(Pieces::Values(4)));
    }

    #[test]
    fn intervals_of_one_class_each() {
        let amount = |row: usize| (row * 37 % 2003) as f64 + 0.25;
        let above = |row: usize| (amount(row), 1 + Class::from(amount(row) > 1000.0));
        assert_eq!(found(true, &rows(2003, above)), Some(Pieces::Intervals(2, vec![1000.0])));
        assert_eq!(found(false, &rows(2003, above)), None, "categories have no order");
        let outside =
            |row: usize| (amount(row) - 900.0, 1 + Class::from(amount(row).rem_euclid(1500.0) < 700.0));
        let Some(Pieces::Intervals(3, cuts)) = found(true, &rows(2003, outside)) else {
            panic!("3 intervals")
        };
        assert_eq!(cuts, [-200.0, 600.0]);
        let noise = |row: usize| (amount(row), 1 + (row % 2) as Class);
        assert_eq!(found(true, &rows(2003, noise)), None);
        let few = |row: usize| (row as f64, 1 + Class::from(row > 5));
        assert_eq!(found(true, &rows(12, few)), None, "too few rows");
    }

    #[test]
    fn numbers_have_their_order() {
        let numbers = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 5e-324, 3.0, f64::INFINITY];
        assert!(numbers.windows(2).all(|pair| order(pair[0]) < order(pair[1])));
        assert!(numbers.iter().all(|&own| number(order(own)) == own) && order(-0.0) == order(0.0));
    }

    #[test]
    fn cuts_have_few_digits() {
        assert_eq!((between(999.7, 1000.4), between(0.12, 0.16), between(2.0, 3.0)), (1000.0, 0.14, 3.0));
    }
}
