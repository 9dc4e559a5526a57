//! How fast are rows turned into a classifier?

use benches::{documents, gaussian};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nb_core::{Categorical, CsrView, Gaussian, Multinomial, NaiveBayes, simd::InstructionSet};

fn dense(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fit dense");
    group.sample_size(10);
    for (n_rows, n_columns, n_classes) in [(150, 4, 3), (100_000, 30, 2), (20_000, 100, 10), (200, 20_000, 5)]
    {
        let (x, y) = gaussian(n_rows, n_columns, n_classes);
        let shape = format!("{n_rows}x{n_columns}, {n_classes} classes");
        group.throughput(Throughput::Bytes(8 * x.len() as u64));
        let gaussian = NaiveBayes::new(Gaussian::default());
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            set.limit();
            group.bench_function(BenchmarkId::new(format!("gaussian, {set:?}"), &shape), |bencher| {
                bencher.iter(|| gaussian.fit(&x, &y));
            });
        }
        let narrow = x.mapv(|value| value as f32);
        group.bench_function(BenchmarkId::new("gaussian f32", &shape), |bencher| {
            bencher.iter(|| gaussian.fit(&narrow, &y));
        });
        let counts = x.mapv(|value| value.abs().floor());
        let multinomial = NaiveBayes::new(Multinomial::default());
        group.bench_function(BenchmarkId::new("multinomial", &shape), |bencher| {
            bencher.iter(|| multinomial.fit(&counts, &y));
        });
        let categorical = NaiveBayes::new(Categorical::default());
        group.bench_function(BenchmarkId::new("categorical", &shape), |bencher| {
            bencher.iter(|| categorical.fit(&counts, &y));
        });
    }
}

fn sparse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fit sparse");
    group.sample_size(10);
    let data = documents(20_000, 50_000, 100, 20);
    let x = CsrView::new(50_000, &data.indptr, &data.indices, &data.values).expect("valid rows");
    group.throughput(Throughput::Elements(data.values.len() as u64));
    let multinomial = NaiveBayes::new(Multinomial::default());
    group.bench_function("multinomial", |bencher| bencher.iter(|| multinomial.fit(&x, &data.labels)));
}

criterion_group!(benches, dense, sparse);
criterion_main!(benches);
