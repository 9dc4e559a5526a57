//! Many rows with weights are added as rows without: the same sums, and the same errors, as products with
//! each weight.

use nb_core::{
    Bernoulli, Categorical, CsrView, FeatureModel, Gaussian, Missing, Multinomial, Poisson, Rows,
    SufficientStats, simd::InstructionSet,
};
use ndarray::Array2;

use crate::quick::General;

/// Enough that numbers of all bits are worth a pass for each digit.
const N_ROWS: usize = 2500;

fn labels() -> Vec<String> {
    (0..N_ROWS).map(|row| format!("class {}", row * row % 7 % 2)).collect()
}

/// Weights of several kinds: few different ones, whole numbers, dyadic numbers, with zeros, of all bits, and
/// of several sizes.
fn weights() -> Vec<(&'static str, Vec<f64>)> {
    let of = |weight: fn(usize) -> f64| (0..N_ROWS).map(weight).collect();
    vec![
        ("one", of(|_| 1.0)),
        ("two", of(|row| [0.3, 1.7][row % 2])),
        ("drawn", of(|row| (row * 7919 % 4) as f64)),
        ("counts", of(|row| (row * 7919 % 1009) as f64)),
        ("dyadic", of(|row| 1.0 + (row * 7919 % 1009) as f64 / 64.0)),
        ("thirds", of(|row| (1 + row * 7919 % 1009) as f64 / 3.0)),
        (
            "sizes",
            of(|row| 2.0_f64.powi(i32::try_from(row % 60).expect("small") - 30) * (1 + row % 3) as f64),
        ),
        ("nothing", of(|_| 0.0)),
    ]
}

fn numbers(row: usize, column: usize) -> f64 {
    ((row * 7919 + column * 104_729) % 1013) as f64
}

fn check<M: FeatureModel + Copy>(model: M, rows: &impl Rows) {
    same(&model, &General(model), rows);
}

fn same<M: FeatureModel, G: FeatureModel>(model: &M, general: &G, rows: &impl Rows) {
    for (name, weights) in weights() {
        let mut expected = SufficientStats::new(general, rows.n_columns()).expect("columns");
        expected.update_weighted(general, rows, &labels(), &weights).expect("valid rows");
        for set in InstructionSet::ALL {
            set.with(|| {
                let mut found = SufficientStats::new(model, rows.n_columns()).expect("columns");
                found.update_weighted(model, rows, &labels(), &weights).expect("valid rows");
                assert_eq!(found, expected, "{name}, {set:?}");
            });
        }
    }
}

#[test]
fn numbers_have_the_sums_of_products() {
    let x = Array2::from_shape_fn((N_ROWS, 21), |(row, column)| match (row + column) % 211 {
        0 => 1e200,
        1 => -1e-200,
        2 => 0.0,
        3 => numbers(row, column) * 1e12,
        _ => numbers(row, column) / 7.0 - 60.0,
    });
    check(Gaussian::default(), &x);
    check(Gaussian::default(), &x.mapv(|value| (value as f32).clamp(-1e30, 1e30)));
    let missing = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    check(missing, &x.mapv(|value| if value == 0.0 { f64::NAN } else { value }));
}

#[test]
fn counts_have_the_sums_of_products() {
    let x = Array2::from_shape_fn((N_ROWS, 40), |(row, column)| {
        if numbers(row, column) % 7.0 < 5.0 { 0.0 } else { numbers(row, column) % 9.0 / 2.0 }
    });
    same(&Multinomial::default(), &General(Multinomial::default()), &x);
    let events = x.mapv(|count| 2.0 * count);
    same(&Poisson::default(), &General(Poisson::default()), &events);
    let (mut ends, mut columns, mut values) = (vec![0_u32], Vec::new(), Vec::new());
    for row in x.rows() {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            columns.push(column as u32);
            values.push(value);
        }
        ends.push(columns.len() as u32);
    }
    let sparse = CsrView::new(x.ncols(), &ends, &columns, &values).expect("sorted columns");
    same(&Multinomial::default(), &General(Multinomial::default()), &sparse);
    let ones = x.mapv(|count| f64::from(count > 0.0));
    same(&Bernoulli::default(), &General(Bernoulli::default()), &ones);
}

#[test]
fn categories_have_the_sums_of_products() {
    let x = Array2::from_shape_fn((N_ROWS, 12), |(row, column)| numbers(row, column) % 6.0);
    same(&Categorical::default(), &General(Categorical::default()), &x);
    same(&Categorical::default(), &General(Categorical::default()), &x.mapv(|code| code as u8));
}

#[test]
fn the_first_bad_row_is_reported_and_nothing_is_added() {
    let gaussian = Gaussian::default();
    let mut x = Array2::from_shape_fn((N_ROWS, 5), |(row, column)| numbers(row, column));
    x[[600, 1]] = f64::INFINITY;
    x[[301, 4]] = f64::NAN;
    for (name, weights) in weights() {
        let mut stats = SufficientStats::new(&gaussian, 5).expect("columns");
        let error = stats.update_weighted(&gaussian, &x, &labels(), &weights).expect_err("a missing cell");
        assert!(error.to_string().contains("row 301, column 4"), "{name}: {error}");
        assert_eq!(stats.classes().len(), 0);
    }
}
