//! Kernels whose instructions are counted: `cargo xtask bench --instructions` runs this under valgrind.
//!
//! `instructions KERNEL` does everything, `instructions KERNEL baseline` everything but the kernel: the difference of
//! the two counts is the kernel's. One thread, fixed seeds, nothing that depends on addresses or on the time.
#![expect(clippy::print_stdout, reason = "a program prints")]

use std::hint::black_box;

use benches::{SplitMix, documents, gaussian};
use nb_core::{Categorical, CsrView, Gaussian, Multinomial, NaiveBayes, Rows};
use ndarray::Array2;

/// Does everything up to the kernel, and the kernel itself if it is told to.
type Kernel = fn(run: bool);

const KERNELS: &[(&str, Kernel)] = &[
    ("gaussian-fit", gaussian_fit),
    ("uneven-fit", uneven_fit),
    ("gaussian-labels", gaussian_labels),
    ("gaussian-posteriors", gaussian_posteriors),
    ("sparse-fit", sparse_fit),
    ("sparse-labels", sparse_labels),
    ("categorical-fit", categorical_fit),
    ("small-fit", small_fit),
    ("small-labels", small_labels),
];

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, run) = match arguments[..] {
        ["list"] => {
            for (name, _) in KERNELS {
                println!("{name}");
            }
            return std::process::ExitCode::SUCCESS;
        }
        ["vectors"] => {
            println!("{}", vectors());
            return std::process::ExitCode::SUCCESS;
        }
        [name] => (name, true),
        [name, "baseline"] => (name, false),
        _ => ("", false),
    };
    match KERNELS.iter().find(|kernel| kernel.0 == name) {
        Some((_, kernel)) => {
            kernel(run);
            std::process::ExitCode::SUCCESS
        }
        None => std::process::ExitCode::FAILURE,
    }
}

/// Which vectors a program finds when it asks; under valgrind, what valgrind can run.
fn vectors() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        let found = [
            ("avx512f", is_x86_feature_detected!("avx512f")),
            ("avx2", is_x86_feature_detected!("avx2")),
            ("fma", is_x86_feature_detected!("fma")),
        ];
        let found: Vec<&str> = found.iter().filter(|found| found.1).map(|found| found.0).collect();
        if found.is_empty() { "sse2".into() } else { found.join(" ") }
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH.into()
}

fn gaussian_fit(run: bool) {
    let (x, y) = gaussian(20_000, 30, 5);
    if run {
        black_box(NaiveBayes::new(Gaussian::default()).fit(&x, &y)).expect("valid rows");
    }
}

/// A wide table in which one value of five thousand is far smaller than the others, so that some columns need exact arithmetic
/// or are close to it.
fn uneven_fit(run: bool) {
    let (mut x, y) = gaussian(500, 2000, 5);
    x.iter_mut().step_by(4999).for_each(|value| *value *= 1e-9);
    if run {
        black_box(NaiveBayes::new(Gaussian::default()).fit(&x, &y)).expect("valid rows");
    }
}

fn gaussian_labels(run: bool) {
    let (x, y) = gaussian(20_000, 30, 5);
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("valid rows");
    if run {
        black_box(classifier.predict(&x)).expect("valid rows");
    }
}

fn gaussian_posteriors(run: bool) {
    let (x, y) = gaussian(20_000, 30, 5);
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("valid rows");
    if run {
        black_box(classifier.predict_log_proba(&x)).expect("valid rows");
    }
}

/// Documents as rows of sparse counts.
fn sparse(with: impl FnOnce(&dyn Rows, &[usize])) {
    let data = documents(5000, 20_000, 100, 20);
    let x = CsrView::new(20_000, &data.indptr, &data.indices, &data.values).expect("valid rows");
    with(&x, &data.labels);
}

fn sparse_fit(run: bool) {
    sparse(|x, y| {
        if run {
            black_box(NaiveBayes::new(Multinomial::default()).fit(x, y)).expect("valid rows");
        }
    });
}

fn sparse_labels(run: bool) {
    sparse(|x, y| {
        let classifier = NaiveBayes::new(Multinomial::default()).fit(x, y).expect("valid rows");
        if run {
            black_box(classifier.predict(x)).expect("valid rows");
        }
    });
}

fn categorical_fit(run: bool) {
    let mut random = SplitMix::new(5);
    let x = Array2::from_shape_fn((50_000, 20), |_| (random.bits() % 16) as f64);
    let y: Vec<usize> = (0..50_000).map(|_| (random.bits() % 5) as usize).collect();
    if run {
        black_box(NaiveBayes::new(Categorical::default()).fit(&x, &y)).expect("valid rows");
    }
}

/// A hundred fits of a small table, where what is done once counts.
fn small_fit(run: bool) {
    let (x, y) = gaussian(150, 4, 3);
    if run {
        for _ in 0..100 {
            black_box(NaiveBayes::new(Gaussian::default()).fit(&x, &y)).expect("valid rows");
        }
    }
}

/// A hundred times the labels of that table, whose columns are too few to be turned in registers.
fn small_labels(run: bool) {
    let (x, y) = gaussian(150, 4, 3);
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("valid rows");
    if run {
        for _ in 0..100 {
            black_box(classifier.predict(&x)).expect("valid rows");
        }
    }
}
