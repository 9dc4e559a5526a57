//! What does taking a fold out of the sums save, against summing the other folds again?

use std::hint::black_box;

use benches::{categories, gaussian};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use nb_compare::{Column, Kind, Plan, Table, Variant};

/// The levels of the categorical columns of the data set Adult.
const ADULT: [usize; 8] = [8, 16, 7, 14, 6, 5, 2, 41];

const TEN_FOLDS: Plan = Plan::CrossValidation { folds: 10, repeats: 1 };

fn numbers(n_rows: usize, n_columns: usize) -> Table {
    let (x, labels) = gaussian(n_rows, n_columns, 2);
    let column = |column| Column { name: format!("x{column}"), kind: Kind::Numeric };
    let columns = (0..n_columns).map(column).collect();
    Table::new("numbers", columns, x, vec!["0".to_owned(), "1".to_owned()], labels).expect("a table")
}

fn adult_like(n_rows: usize) -> Table {
    let (x, labels) = categories(n_rows, &ADULT);
    let column = |(column, &n_levels): (usize, &usize)| Column {
        name: format!("x{column}"),
        kind: Kind::Categorical { levels: (0..n_levels).map(|level| level.to_string()).collect() },
    };
    let columns = ADULT.iter().enumerate().map(column).collect();
    Table::new("adult-like", columns, x, vec!["0".to_owned(), "1".to_owned()], labels).expect("a table")
}

/// The classifiers of all folds, either way.
fn folds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("classifiers of all folds");
    group.sample_size(10);
    // Numbers have normal distributions.
    let method = Variant::parse("gaussian").expect("a variant").method();
    for (table, plan, what) in [
        (numbers(20_000, 30), TEN_FOLDS, "10 folds"),
        (adult_like(30_000), TEN_FOLDS, "10 folds"),
        (numbers(1_000, 30), Plan::LeaveOneOut {}, "leave-one-out"),
        (adult_like(1_000), Plan::LeaveOneOut {}, "leave-one-out"),
    ] {
        let folds = plan.folds(&table, 0, 0).expect("folds");
        let shape = format!("{what} of {}, {} x {}", table.name, table.n_rows(), table.n_features());
        group.bench_function(BenchmarkId::new("retracted", &shape), |bencher| {
            bencher.iter(|| {
                let sums = method.fold(&table, &folds).expect("sums");
                let mut sums = sums.expect("a quicker way");
                for fold in 0..folds.n_folds {
                    black_box(sums.without(fold).expect("a classifier"));
                }
            });
        });
        group.bench_function(BenchmarkId::new("fitted again", &shape), |bencher| {
            bencher.iter(|| {
                for fold in 0..folds.n_folds {
                    black_box(method.fit(&table, &folds.train(fold)).expect("a classifier"));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, folds);
criterion_main!(benches);
