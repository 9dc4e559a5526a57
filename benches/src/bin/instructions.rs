//! Kernels whose instructions are counted: `cargo xtask bench --instructions` runs this under valgrind.
//!
//! `instructions KERNEL` does everything, `instructions KERNEL baseline` everything but the kernel: the
//! difference of the two counts is the kernel's. One thread, fixed seeds, nothing that depends on addresses
//! or on the time.
#![expect(clippy::print_stdout, reason = "a program prints")]

use std::{fmt::Write, hint::black_box};

use benches::{SplitMix, documents, gaussian};
use nb_core::{
    Bernoulli, Categorical, CsrView, FeatureModel, Gaussian, Multinomial, NaiveBayes, OnlineClassifier,
    Poisson, Prior, Rows, SufficientStats,
};
use nb_io::{
    Family, Model, Schema,
    read::{Csv, ReadChunks},
    text::{Terms, Text, TextOptions},
};
use ndarray::Array2;

/// Does everything up to the kernel, and the kernel itself if asked to.
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
    ("counts-fit", |run| fit(run, &Multinomial::default(), &counts())),
    ("counts-labels", |run| labels(run, &Multinomial::default(), &counts())),
    ("counts-posteriors", |run| posteriors(run, &Multinomial::default(), &counts())),
    ("bernoulli-fit", |run| fit(run, &Bernoulli::default(), &counts())),
    ("bernoulli-labels", |run| labels(run, &Bernoulli::default(), &counts())),
    ("poisson-fit", |run| fit(run, &Poisson::default(), &counts())),
    ("poisson-labels", |run| labels(run, &Poisson::default(), &counts())),
    ("categorical-labels", |run| labels(run, &Categorical::default(), &codes())),
    ("categorical-posteriors", |run| posteriors(run, &Categorical::default(), &codes())),
    ("f32-fit", |run| fit(run, &Gaussian::default(), &singles())),
    ("f32-labels", |run| labels(run, &Gaussian::default(), &singles())),
    ("u8-fit", |run| fit(run, &Categorical::default(), &bytes())),
    ("u8-labels", |run| labels(run, &Categorical::default(), &bytes())),
    ("weighted-fit", weighted_fit),
    ("stream", stream),
    ("online", online),
    ("open", |run| of_file(run, |model| model)),
    ("open-and-answer", |run| of_file(run, |model| answer(&model))),
    ("csv", csv),
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

/// Rows of four weights.
fn weighted_fit(run: bool) {
    let (x, y) = gaussian(20_000, 30, 5);
    let weights: Vec<f64> = (0..20_000).map(|row| [1.0, 2.5, 0.3, 7.0][row % 4]).collect();
    if run {
        black_box(NaiveBayes::new(Gaussian::default()).fit_weighted(&x, &y, &weights)).expect("valid rows");
    }
}

/// A wide table in which one value of five thousand is far smaller than the others, so that some columns need
/// exact arithmetic or are close to it.
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

/// Rows of one type of number, and their labels.
type Labelled<T> = (Array2<T>, Vec<usize>);

/// Numbers below sixteen at random.
fn small_numbers(n_rows: usize) -> Labelled<f64> {
    let mut random = SplitMix::new(5);
    let x = Array2::from_shape_fn((n_rows, 20), |_| (random.bits() % 16) as f64);
    let y: Vec<usize> = (0..n_rows).map(|_| (random.bits() % 5) as usize).collect();
    (x, y)
}

/// Counts, half of them zero.
fn counts() -> Labelled<f64> {
    let (x, y) = small_numbers(10_000);
    (x.mapv(|value| (value - 7.0).max(0.0)), y)
}

/// Categories, as doubles.
fn codes() -> Labelled<f64> {
    small_numbers(20_000)
}

/// The same, a byte each.
fn bytes() -> Labelled<u8> {
    let (x, y) = codes();
    (x.mapv(|value| value as u8), y)
}

/// Normal numbers of single precision.
fn singles() -> Labelled<f32> {
    let (x, y) = gaussian(10_000, 30, 5);
    (x.mapv(|value| value as f32), y)
}

fn fit<T>(run: bool, family: &impl FeatureModel, (x, y): &Labelled<T>)
where
    Array2<T>: Rows,
{
    if run {
        black_box(NaiveBayes::new(family).fit(x, y)).expect("valid rows");
    }
}

fn labels<T>(run: bool, family: &impl FeatureModel, (x, y): &Labelled<T>)
where
    Array2<T>: Rows,
{
    let classifier = NaiveBayes::new(family).fit(x, y).expect("valid rows");
    if run {
        black_box(classifier.predict(x)).expect("valid rows");
    }
}

fn posteriors<T>(run: bool, family: &impl FeatureModel, (x, y): &Labelled<T>)
where
    Array2<T>: Rows,
{
    let classifier = NaiveBayes::new(family).fit(x, y).expect("valid rows");
    if run {
        black_box(classifier.predict_log_proba(x)).expect("valid rows");
    }
}

/// Rows that come one by one.
fn stream(run: bool) {
    let (x, y) = gaussian(10_000, 30, 5);
    let model = Gaussian::default();
    if run {
        let mut stats = SufficientStats::new(&model, 30).expect("columns");
        let mut stream = stats.stream(&model).expect("the same family");
        for (row, label) in x.rows().into_iter().zip(&y) {
            stream.add(row.as_slice().expect("rows in order"), label).expect("a valid row");
        }
        stream.finish();
        black_box(stats);
    }
}

/// Rows that come one by one, with a classifier after each.
fn online(run: bool) {
    let (x, y) = gaussian(2000, 30, 5);
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    if run {
        let stats = SufficientStats::new(&naive_bayes.model, 30).expect("columns");
        let mut online = OnlineClassifier::new(naive_bayes, stats).expect("the same family");
        for (row, label) in x.rows().into_iter().zip(&y) {
            online.add(row.as_slice().expect("rows in order"), label).expect("a valid row");
        }
        black_box(online);
    }
}

/// Opens a file of a model of terms, and works with it.
fn of_file<T>(run: bool, work: fn(Model) -> T) {
    const TERMS: u32 = 1 << 14;
    let text = Text::learn(&["any term"], &TextOptions::default()).expect("a text");
    let text = Text { terms: Terms::Hashed { buckets: TERMS }, ..text };
    let schema = Schema::of_text("terms", text, "label");
    let family = Family::Multinomial(Multinomial::default());
    let mut model = Model::new(schema, family, Prior::Empirical).expect("columns");
    let data = documents(2000, TERMS as usize, 100, 20);
    let rows = CsrView::new(TERMS as usize, &data.indptr, &data.indices, &data.values).expect("valid rows");
    let labels: Vec<String> = data.labels.iter().map(|label| format!("class {label:02}")).collect();
    model.update(&rows, &labels).expect("valid rows");
    let path = std::env::temp_dir().join(format!("nb-instructions-{}.nb", std::process::id()));
    model.save(&path).expect("a folder for files");
    if run {
        black_box(work(Model::load(&path).expect("a model")));
    }
    std::fs::remove_file(&path).expect("the file that was saved");
}

/// The label of a row with two terms.
fn answer(model: &Model) -> usize {
    let classifier = model.classifier().expect("rows of all classes");
    let row = CsrView::new(1 << 14, &[0_u32, 2], &[7_u32, 700], &[1.0, 2.0]).expect("a row");
    black_box(classifier.predict(&row)).expect("a valid row").len()
}

/// A file of numbers as text.
fn csv(run: bool) {
    let (x, y) = gaussian(2000, 10, 3);
    let mut text = String::from("x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,y\n");
    for (row, label) in x.rows().into_iter().zip(&y) {
        for value in row {
            write!(text, "{value:.4},").expect("a string");
        }
        writeln!(text, "class {label}").expect("a string");
    }
    if run {
        let schema = Schema::numbered(10, "y");
        let mut reader = Csv::default().read_from(text.as_bytes(), "x.csv", &schema).expect("a header");
        while let Some(chunk) = reader.next_chunk().expect("valid rows") {
            black_box(chunk);
        }
    }
}

fn categorical_fit(run: bool) {
    let (x, y) = small_numbers(50_000);
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
