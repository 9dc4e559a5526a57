//! Taking a fold out of the sums of all rows, and adding rows to the sums of fewer, is training on the rest
//! and on all of them, bit for bit.

use nb_compare::{Folds, Method, Plan, Table, Variant};

fn check(variant: &str, name: &str, plan: Plan, folds_to_try: usize) {
    let table = Table::embedded(name).unwrap();
    let method = Variant::parse(variant).unwrap().method();
    let folds = plan.folds(&table, 5, 0).unwrap();
    let mut retracting = method.fold(&table, &folds).unwrap().expect("its training is a sum");
    for fold in (0..folds.n_folds).take(folds_to_try) {
        let rows = folds.test(fold);
        let quick = retracting.without(fold).unwrap().log_posteriors(&table, &rows).unwrap();
        let slow = refit(&*method, &table, &folds, fold).log_posteriors(&table, &rows).unwrap();
        assert_eq!(bits(&quick), bits(&slow), "{variant} on {name}, fold {fold}");
    }
}

fn bits(values: &ndarray::Array2<f64>) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn refit(method: &dyn Method, table: &Table, folds: &Folds, fold: usize) -> Box<dyn nb_compare::Fitted> {
    method.fit(table, &folds.train(fold)).unwrap()
}

#[test]
fn of_folds() {
    let plan = Plan::CrossValidation { folds: 10, repeats: 1 };
    for name in ["iris", "spam", "adult", "housevotes84", "soybean"] {
        check("gaussian", name, plan, 10);
        check("shared-gaussian", name, plan, 3);
    }
    for variant in ["poisson", "bernoulli", "multinomial", "complement"] {
        check(variant, "digits", plan, 3);
    }
}

#[test]
fn of_single_rows() {
    for name in ["iris", "zoo", "lymphography"] {
        check("gaussian", name, Plan::LeaveOneOut {}, 1000);
    }
}

#[test]
fn of_a_held_out_part() {
    check("gaussian", "wine", Plan::HeldOut { test: 0.3, repeats: 1 }, 1);
}

#[test]
fn of_more_folds_than_are_kept() {
    check("gaussian", "pima", Plan::CrossValidation { folds: 100, repeats: 1 }, 100);
}

#[test]
fn of_rows_that_are_added() {
    for (variant, name) in [("gaussian", "adult"), ("multinomial", "digits"), ("aode", "housevotes84")] {
        let table = Table::embedded(name).unwrap();
        let method = Variant::parse(variant).unwrap().method();
        let mut growing = method.grow(&table).unwrap().expect("its training is a sum");
        // Rows in their own order, some of which are not among those of the table's beginning.
        let rows: Vec<usize> = (0..300).map(|row| row * 7 % 301).collect();
        let mut n_added = 0;
        for size in [30, 31, 100, 300] {
            growing.add(&rows[n_added..size]).unwrap();
            n_added = size;
            let tested: Vec<usize> = (301..400).collect();
            let quick = growing.fit().unwrap().log_posteriors(&table, &tested).unwrap();
            let slow = method.fit(&table, &rows[..size]).unwrap().log_posteriors(&table, &tested).unwrap();
            assert_eq!(bits(&quick), bits(&slow), "{variant} on {name}, {size} rows");
        }
    }
}
