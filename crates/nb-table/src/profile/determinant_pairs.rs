//! Two columns that determine the label together, and neither alone.

use std::collections::HashMap;

use super::{chance::is_excluded, first_rows::FirstRows, values::Class};

/// Columns with more different values are in no pair, and no more columns.
const MOST_VALUES: usize = 32;
const MOST_COLUMNS: usize = 24;
/// As many pairs are looked at in the rows behind the first.
const MOST_PAIRS: usize = 64;
/// As many rows must a pair of values have on average.
const ROWS_OF_PAIR: u64 = 4;

/// A pair of columns that determines the label as far as is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pair {
    /// The places of the columns.
    pub(super) columns: [usize; 2],
    /// The class of each pair of values.
    classes: HashMap<[u64; 2], Class>,
}

impl Pair {
    /// The pairs of the first rows; their columns are those for which `is_wanted`.
    pub(super) fn all(rows: &FirstRows, is_wanted: impl Fn(usize) -> bool) -> Vec<Self> {
        let few: Vec<(usize, Vec<usize>)> = (0..rows.n_columns())
            .filter(|&column| is_wanted(column))
            .filter_map(|column| codes(rows, column).map(|codes| (column, codes)))
            .take(MOST_COLUMNS)
            .collect();
        let mut pairs = Vec::new();
        for (place, (one, codes)) in few.iter().enumerate() {
            for (other, others) in &few[place + 1..] {
                if pairs.len() < MOST_PAIRS && determine(codes, others, &rows.classes) {
                    let mut pair = Self { columns: [*one, *other], classes: HashMap::new() };
                    for (row, &class) in rows.classes.iter().enumerate() {
                        pair.look(rows.row(row), class);
                    }
                    pairs.push(pair);
                }
            }
        }
        pairs
    }

    /// Whether the pair still determines the label with this row of this class.
    pub(super) fn look(&mut self, row: &[f64], class: Class) -> bool {
        let values = self.columns.map(|column| bits(row[column]));
        let known = *self.classes.entry(values).or_insert(class);
        known == class && self.classes.len() <= MOST_VALUES * MOST_VALUES
    }

    /// Adds what is known of other rows, whose classes have the numbers that `class` says; whether it still
    /// determines the label.
    pub(super) fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) -> bool {
        other
            .classes
            .iter()
            .all(|(&values, &of)| *self.classes.entry(values).or_insert(class(of)) == class(of))
    }

    /// How many pairs of values there are, if their classes are not chance.
    pub(super) fn n_values(&self, n: u64, n_classes: usize, ln_orders: f64) -> Option<usize> {
        let n_values = self.classes.len();
        let ln_pairs = ((MOST_COLUMNS * MOST_COLUMNS) as f64).ln();
        let is_rule = ROWS_OF_PAIR * n_values as u64 <= n
            && is_excluded(n_values as f64 * (n_classes as f64).ln() + ln_pairs, ln_orders);
        is_rule.then_some(n_values)
    }
}

/// The bits of a value; zeros of both signs are one, and missing cells are alike.
fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

/// The values of a column as codes; none if they are many, or one.
fn codes(rows: &FirstRows, column: usize) -> Option<Vec<usize>> {
    let mut known: Vec<u64> = Vec::new();
    let code = |value: f64| {
        let bits = bits(value);
        known.iter().position(|&other| other == bits).or_else(|| {
            known.push(bits);
            (known.len() <= MOST_VALUES).then_some(known.len() - 1)
        })
    };
    let codes = rows.column(column).map(code).collect::<Option<Vec<usize>>>()?;
    (known.len() > 1).then_some(codes)
}

fn determine(codes: &[usize], others: &[usize], classes: &[Class]) -> bool {
    let mut known = [0; MOST_VALUES * MOST_VALUES];
    codes.iter().zip(others).zip(classes).all(|((&code, &other), &class)| {
        let known = &mut known[code * MOST_VALUES + other];
        if *known == 0 {
            *known = class;
        }
        *known == class
    })
}
