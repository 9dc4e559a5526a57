//! What does a row cost when rows come one at a time or in small batches, and what does forgetting cost?

use benches::gaussian;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nb_core::{Gaussian, SufficientStats};
use ndarray::s;

fn batches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream");
    group.sample_size(10);
    let (x, y) = gaussian(10_000, 30, 2);
    let model = Gaussian::default();
    group.throughput(Throughput::Elements(10_000));
    for batch in [1, 10, 1000] {
        group.bench_function(BenchmarkId::new("update in batches of", batch), |bencher| {
            bencher.iter(|| {
                let mut stats = SufficientStats::new(&model, 30).expect("columns");
                for first in (0..10_000).step_by(batch) {
                    let rows = first..first + batch;
                    stats.update(&model, &x.slice(s![rows.clone(), ..]), &y[rows]).expect("valid rows");
                }
                stats
            });
        });
    }
    let rows: Vec<Vec<f64>> = x.rows().into_iter().map(|row| row.to_vec()).collect();
    group.bench_function("stream of single rows", |bencher| {
        bencher.iter(|| {
            let mut stats = SufficientStats::new(&model, 30).expect("columns");
            let mut stream = stats.stream(&model).expect("the same family");
            for (row, label) in rows.iter().zip(&y) {
                stream.add(row, label).expect("a valid row");
            }
            stream.finish();
            stats
        });
    });
    let mut stats = SufficientStats::new(&model, 30).expect("columns");
    stats.update(&model, &x, &y).expect("valid rows");
    group.bench_function("retract all but one row", |bencher| {
        bencher.iter(|| {
            let mut stats = stats.clone();
            stats.retract(&model, &x.slice(s![1.., ..]), &y[1..]).expect("they were added");
            stats
        });
    });
}

criterion_group!(benches, batches);
criterion_main!(benches);
