//! Models of counts too large for a cache: labels come from tables of small whole numbers, and equal those of
//! the scores also where classes are nearly alike, so that many rows are in doubt.

use nb_core::{
    Bernoulli, Complement, CsrView, FeatureModel, Multinomial, NaiveBayes, Prior, Smoothing, SufficientStats,
    simd::InstructionSet,
};
use ndarray::ArrayView1;

const COLUMNS: i32 = 14_000;
const CLASSES: u64 = 20;
const ROWS: usize = 4_000;

/// Rows of about forty cells, rare columns having large numbers, with labels that have nothing to do with
/// them.
struct Noise {
    indptr: Vec<i32>,
    columns: Vec<i32>,
    values: Vec<f64>,
    labels: Vec<u64>,
}

impl Noise {
    fn new() -> Self {
        let mut state = 11_u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut noise = Self { indptr: vec![0], columns: Vec::new(), values: Vec::new(), labels: Vec::new() };
        for _ in 0..ROWS {
            let mut columns: Vec<i32> = (0..40)
                .map(|_| ((next() as f64 / 2.0_f64.powi(31)).powi(4) * f64::from(COLUMNS)) as i32)
                .collect();
            columns.sort_unstable();
            columns.dedup();
            noise.values.extend(columns.iter().map(|_| (1 + next() % 9) as f64));
            noise.columns.extend(columns);
            noise.indptr.push(i32::try_from(noise.columns.len()).unwrap());
            noise.labels.push(next() % CLASSES);
        }
        noise
    }

    fn rows(&self) -> CsrView<'_, f64, i32> {
        CsrView::new(COLUMNS as usize, &self.indptr, &self.columns, &self.values).unwrap()
    }
}

/// The place of the largest; of several the first.
fn best(scores: &ArrayView1<'_, f64>) -> u64 {
    let mut best = 0;
    for (class, &score) in scores.iter().enumerate() {
        if score > scores[best] {
            best = class;
        }
    }
    best as u64
}

fn check<M: FeatureModel>(model: M, noise: &Noise) {
    let rows = noise.rows();
    let classifier = NaiveBayes { model, prior: Prior::Uniform }.fit(&rows, &noise.labels).unwrap();
    let scores = classifier.joint_log_likelihood(&rows).unwrap();
    let expected: Vec<u64> = scores.rows().into_iter().map(|row| best(&row)).collect();
    for set in InstructionSet::ALL {
        // The first call counts what there is to tell, and makes the small table on the way.
        for _ in 0..2 {
            assert_eq!(set.with(|| classifier.predict(&rows)).unwrap(), expected, "{set:?}");
        }
    }
}

#[test]
fn labels_in_doubt_are_those_of_the_scores() {
    let noise = Noise::new();
    // Many pseudo-counts, so that the classes differ by little.
    for l in [1.0, 1e4] {
        let smoothing = Smoothing::new(l).unwrap();
        check(Multinomial { smoothing: smoothing.clone(), ..Multinomial::default() }, &noise);
        check(Complement { smoothing: smoothing.clone(), ..Complement::default() }, &noise);
        check(Bernoulli { smoothing, ..Bernoulli::default() }, &noise);
    }
}

/// Tables so large that threads share the work.
#[test]
fn logarithms_are_where_they_belong() {
    let noise = Noise::new();
    let model = Multinomial::default();
    let mut stats = SufficientStats::new(&model, COLUMNS as usize).unwrap();
    stats.update(&model, &noise.rows(), &noise.labels).unwrap();
    let classifier = NaiveBayes::new(model).fit_stats(&stats).unwrap();
    let logs = classifier.likelihood().log_probabilities();
    for (class, sums) in stats.class_sums().enumerate() {
        let total = sums[0].total().to_f64() + f64::from(COLUMNS);
        for (column, count) in sums[0].iter().enumerate() {
            let expected = ((count.to_f64() + 1.0) / total).ln();
            let found = logs[[class, column]];
            assert!((found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{found} {expected}");
        }
    }
}
