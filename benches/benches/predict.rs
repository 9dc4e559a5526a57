//! How fast are rows labelled, and what do posteriors cost beyond labels?

use benches::{categories, documents, gaussian};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nb_core::{Categorical, CsrView, Gaussian, Multinomial, NaiveBayes, simd::InstructionSet};
use ndarray::Array2;

fn dense(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("predict dense");
    group.sample_size(10);
    for (n_rows, n_columns, n_classes) in [(150, 4, 3), (100_000, 30, 2), (20_000, 100, 10), (400, 20_000, 5)]
    {
        let (x, y) = gaussian(n_rows, n_columns, n_classes);
        let shape = format!("{n_rows}x{n_columns}, {n_classes} classes");
        group.throughput(Throughput::Bytes(8 * x.len() as u64));
        let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("valid rows");
        let mut labels = vec![0; n_rows];
        let mut posteriors = Array2::zeros((n_rows, n_classes));
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            set.limit();
            group.bench_function(BenchmarkId::new(format!("labels, {set:?}"), &shape), |bencher| {
                bencher.iter(|| classifier.predict_into(&x, &mut labels));
            });
            group.bench_function(BenchmarkId::new(format!("log-posteriors, {set:?}"), &shape), |bencher| {
                bencher.iter(|| classifier.predict_log_proba_into(&x, posteriors.view_mut()));
            });
        }
    }
}

/// Codes of one byte: with AVX-512 they are looked up in registers, if there are few.
fn codes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("predict codes");
    group.sample_size(10);
    for n_levels in [16, 32, 64] {
        let (x, y) = categories(100_000, &[n_levels; 20]);
        let x = x.mapv(|level| level as u8);
        group.throughput(Throughput::Bytes(x.len() as u64));
        let classifier = NaiveBayes::new(Categorical::default()).fit(&x, &y).expect("valid rows");
        let mut labels = vec![0; x.nrows()];
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            set.limit();
            group.bench_function(BenchmarkId::new(format!("labels, {set:?}"), n_levels), |bencher| {
                bencher.iter(|| classifier.predict_into(&x, &mut labels));
            });
        }
    }
}

fn sparse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("predict sparse");
    group.sample_size(10);
    let data = documents(20_000, 50_000, 100, 20);
    let x = CsrView::new(50_000, &data.indptr, &data.indices, &data.values).expect("valid rows");
    group.throughput(Throughput::Elements(data.values.len() as u64));
    let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, &data.labels).expect("valid rows");
    group.bench_function("labels", |bencher| bencher.iter(|| classifier.predict(&x)));
}

/// One row, answered into memory of the caller.
fn single(criterion: &mut Criterion) {
    let (x, y) = gaussian(150, 4, 3);
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("valid rows");
    let mut predictor = classifier.predictor();
    let row = x.row(0).to_vec();
    criterion.bench_function("predict one row of 4, 3 classes", |bencher| {
        bencher.iter(|| predictor.label(std::hint::black_box(&row)).copied());
    });
}

criterion_group!(benches, dense, codes, sparse, single);
criterion_main!(benches);
