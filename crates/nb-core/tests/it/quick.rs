//! The quick ways to fit and to label say what the general ones say: the same sums, the same labels, the same
//! errors.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Classifier, Complement, CsrView, FeatureModel, Gaussian,
    Likelihood, Missing, Multinomial, NaiveBayes, Poisson, Prior, Rows, Smoothing, SufficientStats, Unseen,
    VarianceSmoothing,
    error::{FamilyError, LayoutError, ValueError},
    exact::{Exact, ExactSums},
    family::{Block, ClassSums, LogRatio, SumLayout, Weights},
    rows::Index,
    simd::InstructionSet,
};
use ndarray::Array2;
use proptest::prelude::*;

/// A family without its quick ways.
pub(crate) struct General<M>(pub(crate) M);

impl<M: FeatureModel> FeatureModel for General<M> {
    type Fitted = GeneralFitted<M::Fitted>;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.0.layout(n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.0.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        self.0.update(rows, weights, sums);
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError> {
        self.0.fit(classes).map(GeneralFitted)
    }
}

pub(crate) struct GeneralFitted<F>(F);

impl<F: Likelihood> Likelihood for GeneralFitted<F> {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.0.check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.0.log_likelihood(class, column, value)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut nb_core::family::Scores<'_>) -> Result<(), ValueError> {
        self.0.score(rows, scores)
    }
}

/// The same rows, dense and sparse.
struct Tables {
    dense: Array2<f64>,
    ends: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Tables {
    fn new(dense: Array2<f64>) -> Self {
        let (mut ends, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in dense.rows() {
            // A zero with a sign is stored.
            for (column, &value) in row.iter().enumerate().filter(|(_, value)| value.to_bits() != 0) {
                columns.push(column as u32);
                values.push(value);
            }
            ends.push(columns.len() as u32);
        }
        Self { dense, ends, columns, values }
    }

    fn sparse(&self) -> CsrView<'_, f64, u32> {
        CsrView::new(self.dense.ncols(), &self.ends, &self.columns, &self.values).unwrap()
    }

    /// The sparse rows with other integers.
    fn with_indices<I: Index>(&self, index: impl Fn(u32) -> I + Copy) -> Indexed<'_, I> {
        let indices = |numbers: &[u32]| numbers.iter().copied().map(index).collect();
        Indexed { tables: self, ends: indices(&self.ends), columns: indices(&self.columns) }
    }
}

/// The same sparse rows with integers of another type.
struct Indexed<'a, I> {
    tables: &'a Tables,
    ends: Vec<I>,
    columns: Vec<I>,
}

impl<I: Index> Indexed<'_, I> {
    fn view(&self) -> CsrView<'_, f64, I> {
        CsrView::new(self.tables.dense.ncols(), &self.ends, &self.columns, &self.tables.values).unwrap()
    }
}

/// The error if there is one, and what there is without it.
type Fit<F> = (String, Option<SufficientStats<u16>>, Option<Classifier<u16, F>>);

fn fit<M: FeatureModel>(model: M, rows: &impl Rows, labels: &[u16]) -> Fit<M::Fitted> {
    let mut stats = SufficientStats::new(&model, rows.n_columns()).unwrap();
    if let Err(error) = stats.update(&model, rows, labels) {
        return (error.to_string(), None, None);
    }
    let classifier = NaiveBayes { model, prior: Prior::Uniform }.fit_stats(&stats);
    let error = classifier.as_ref().err().map(ToString::to_string).unwrap_or_default();
    (error, Some(stats), classifier.ok())
}

fn labels<F: Likelihood>(classifier: &Classifier<u16, F>, rows: &impl Rows) -> String {
    // Errors hold values that may not be a number, which only their text compares.
    format!("{:?}", classifier.try_predict_each(rows).map_err(|error| error.to_string()))
}

/// Fits and labels in both ways; `again` are rows that were not fitted.
fn compare<M: FeatureModel + Clone>(model: &M, rows: &impl Rows, classes: &[u16], again: &impl Rows) {
    let (error, stats, quick) = fit(model.clone(), rows, classes);
    let (expected_error, expected_stats, general) = fit(General(model.clone()), rows, classes);
    assert_eq!(error, expected_error);
    assert_eq!(stats, expected_stats);
    let (Some(quick), Some(general)) = (quick, general) else { return };
    assert_eq!(labels(&quick, rows), labels(&general, rows));
    assert_eq!(labels(&quick, again), labels(&general, again));
}

fn compare_all(fitted: &Array2<f64>, classes: &[u16], again: &Array2<f64>, l: f64, missing: Missing) {
    let (fitted, again) = (Tables::new(fitted.clone()), Tables::new(again.clone()));
    // Blocks refer to numbers of these types; others are copied.
    let narrow = [&fitted, &again].map(|tables| tables.with_indices(|index| i32::try_from(index).unwrap()));
    let wide = [&fitted, &again].map(|tables| tables.with_indices(|index| index as usize));
    let smoothing = Smoothing::new(l).unwrap();
    macro_rules! compare {
        ($model:expr) => {
            let model = $model;
            compare(&model, &fitted.dense, classes, &again.dense);
            compare(&model, &fitted.sparse(), classes, &again.sparse());
            compare(&model, &narrow[0].view(), classes, &narrow[1].view());
            compare(&model, &wide[0].view(), classes, &wide[1].view());
        };
    }
    compare!(Multinomial { smoothing: smoothing.clone(), missing });
    compare!(Complement { smoothing: smoothing.clone(), missing, normalize: false });
    compare!(Complement { smoothing: smoothing.clone(), missing, normalize: true });
    compare!(Poisson { smoothing: smoothing.clone(), missing, ..Poisson::default() });
    for threshold in [0.0, 1.0, -0.5] {
        compare!(Bernoulli { smoothing: smoothing.clone(), missing, threshold });
    }
    let n_columns = fitted.dense.ncols();
    for categories in [Categories::Inferred, Categories::Declared(vec![3; n_columns])] {
        for unseen in [Unseen::Error, Unseen::Ignore, Unseen::Other] {
            let (categories, smoothing) = (categories.clone(), smoothing.clone());
            compare!(Categorical { categories, smoothing, unseen, missing });
        }
    }
    if n_columns > 3 {
        let smoothing = VarianceSmoothing::AbsoluteFloor(0.1);
        let mixed = Blocks::new()
            .with([n_columns - 1, 1], Gaussian { smoothing, missing, ..Gaussian::default() })
            .with([0], Categorical { missing, ..Categorical::default() })
            .with(2..n_columns - 1, Multinomial { missing, ..Multinomial::default() });
        compare!(&mixed);
    }
}

fn usual() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![3 => Just(0.0), 2 => Just(1.0), 1 => Just(2.0), 1 => Just(7.0)]
}

fn hostile() -> impl Strategy<Value = f64> + Clone {
    let odd = [
        -0.0,
        0.5,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e300,
        1e-300,
        2.0_f64.powi(399),
        3e6,
        255.0,
        256.0,
        40.0,
        17.0,
        1e9,
        4_503_599_627_370_496.0,
        5e-324,
    ];
    prop_oneof![60 => usual(), 1 => prop::sample::select(odd.to_vec())]
}

/// Two tables of the same width, and classes for the rows of the first.
fn tables(
    cell: impl Strategy<Value = f64> + Clone,
) -> impl Strategy<Value = (Array2<f64>, Vec<u16>, Array2<f64>)> {
    (1..40_usize, 1..20_usize, 1..12_usize, 1..30_u16).prop_flat_map(move |(n, again, d, k)| {
        let table = |n| {
            prop::collection::vec(cell.clone(), n * d)
                .prop_map(move |cells| Array2::from_shape_vec((n, d), cells).unwrap())
        };
        (table(n), prop::collection::vec(0..k, n), table(again))
    })
}

fn in_every_set(work: impl Fn()) {
    for set in InstructionSet::ALL {
        set.with(&work);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn usual_rows((rows, classes, again) in tables(usual()), l in prop::sample::select(vec![0.0, 0.5, 1.0])) {
        in_every_set(|| compare_all(&rows, &classes, &again, l, Missing::Error));
    }

    #[test]
    fn hostile_rows(
        (rows, classes, again) in tables(hostile()),
        l in prop::sample::select(vec![0.0, 1.0]),
        missing in prop::sample::select(vec![Missing::Error, Missing::Skip]),
    ) {
        in_every_set(|| compare_all(&rows, &classes, &again, l, missing));
    }

    #[test]
    fn usual_fit_of_hostile_labels(
        (rows, classes, _) in tables(usual()),
        cells in prop::collection::vec(hostile(), 12 * 20),
        missing in prop::sample::select(vec![Missing::Error, Missing::Skip]),
    ) {
        let again = Array2::from_shape_fn((20, rows.ncols()), |(row, column)| cells[row * 12 + column]);
        in_every_set(|| compare_all(&rows, &classes, &again, 1.0, missing));
    }

    #[test]
    fn bytes_are_what_they_are_as_numbers(
        cells in prop::collection::vec(prop_oneof![9 => 0..9_u8, 1 => any::<u8>()], 400),
        d in 1..9_usize,
        k in 1..20_u16,
        unseen in prop::sample::select(vec![Unseen::Error, Unseen::Ignore, Unseen::Other]),
    ) {
        let n = cells.len() / d;
        let bytes = Array2::from_shape_fn((n, d), |(row, column)| cells[row * d + column]);
        let numbers = bytes.mapv(f64::from);
        let classes: Vec<u16> = (0..n).map(|row| (row * 7 / 3) as u16 % k).collect();
        let model = Categorical { unseen, ..Categorical::default() };
        in_every_set(|| {
            let (_, stats, classifier) = fit(model.clone(), &bytes, &classes);
            let (_, expected_stats, general) = fit(General(model.clone()), &numbers, &classes);
            assert_eq!(stats, expected_stats);
            let (classifier, general) = (classifier.unwrap(), general.unwrap());
            assert_eq!(labels(&classifier, &bytes), labels(&general, &numbers));
            let other = bytes.mapv(|code| code.wrapping_mul(5) % 11);
            assert_eq!(labels(&classifier, &other), labels(&general, &other.mapv(f64::from)));
            // In columns, not in rows: no bytes without a copy.
            assert_eq!(labels(&classifier, &other.t().to_owned().t()), labels(&general, &other.mapv(f64::from)));
        });
        let declared = Categorical { categories: Categories::Declared(vec![9; d]), ..Categorical::default() };
        let error = |error: nb_core::error::FitRowsError| error.to_string();
        prop_assert_eq!(
            NaiveBayes::new(declared.clone()).fit(&bytes, &classes).map(|_| ()).map_err(error),
            NaiveBayes::new(declared).fit(&numbers, &classes).map(|_| ()).map_err(error)
        );
    }

    #[test]
    fn whole_counts_are_fitted_as_exact_sums_are(
        (rows, classes, _) in tables(usual()),
        l in prop::collection::vec(prop::sample::select(vec![0.0, 0.1, 1.0, 3.5]), 12),
        same in any::<bool>(),
    ) {
        let l = &l[..rows.ncols()];
        let smoothing =
            if same { Smoothing::new(l[0]).unwrap() } else { Smoothing::per_feature(l.to_vec()).unwrap() };
        let l = |column: usize| Exact::from(if same { l[0] } else { l[column] });
        let model = Multinomial { smoothing: smoothing.clone(), ..Multinomial::default() };
        let (_, stats, classifier) = fit(model, &rows, &classes);
        if let (Some(stats), Some(classifier)) = (stats, classifier) {
            for (class, sums) in stats.class_sums().enumerate() {
                let smoothed: Vec<Exact> =
                    sums[0].iter().enumerate().map(|(column, count)| &count + &l(column)).collect();
                let total = smoothed.iter().fold(Exact::ZERO, |total, count| &total + count);
                for (column, count) in smoothed.iter().enumerate() {
                    let log = classifier.likelihood().log_probabilities()[[class, column]];
                    prop_assert_eq!(log.to_bits(), count.ln_ratio(&total).to_bits());
                }
            }
        }
        let model = Bernoulli { smoothing, ..Bernoulli::default() };
        let (_, stats, classifier) = fit(model, &rows, &classes);
        if let (Some(stats), Some(classifier)) = (stats, classifier) {
            let weights = stats.class_weights();
            for (class, sums) in stats.class_sums().enumerate() {
                for (column, ones) in sums[0].iter().enumerate() {
                    let total = &weights[class] + &l(column).times(2.0);
                    let zeros = &weights[class] - &ones;
                    let log = classifier.likelihood().log_probabilities()[[class, column]];
                    prop_assert_eq!(log.to_bits(), (&ones + &l(column)).ln_ratio(&total).to_bits());
                    let log = classifier.likelihood().log_complements()[[class, column]];
                    prop_assert_eq!(log.to_bits(), (&zeros + &l(column)).ln_ratio(&total).to_bits());
                }
            }
        }
    }

    #[test]
    fn scores_in_vectors_are_those_of_the_primitive((rows, classes, again) in tables(usual())) {
        // What adds up one log-likelihood after the other, zeros included.
        struct Primitive<'a, F>(&'a F);
        impl<F: Likelihood> Likelihood for Primitive<'_, F> {
            fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
                self.0.check(rows)
            }
            fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
                self.0.log_likelihood(class, column, value)
            }
        }
        let n_columns = rows.ncols();
        let tables = Tables::new(again);
        macro_rules! compare_scores {
            ($model:expr) => {
                if let (_, _, Some(classifier)) = fit($model, &rows, &classes) {
                    let names = classifier.classes().to_vec();
                    let prior = classifier.log_prior().to_vec();
                    let primitive = Primitive(classifier.likelihood());
                    let primitive = Classifier::from_parts(names, prior, primitive, n_columns).unwrap();
                    let expected = primitive.joint_log_likelihood(&tables.dense).unwrap();
                    in_every_set(|| {
                        assert_eq!(classifier.joint_log_likelihood(&tables.dense).unwrap(), expected);
                        assert_eq!(classifier.joint_log_likelihood(&tables.sparse()).unwrap(), expected);
                        let bytes = tables.dense.mapv(|value| value as u8);
                        assert_eq!(classifier.joint_log_likelihood(&bytes).unwrap(), expected);
                    });
                }
            };
        }
        compare_scores!(Multinomial::default());
        compare_scores!(Multinomial { smoothing: Smoothing::new(0.0).unwrap(), ..Multinomial::default() });
        compare_scores!(Complement::default());
        for unseen in [Unseen::Ignore, Unseen::Other] {
            compare_scores!(Categorical { unseen, ..Categorical::default() });
            let smoothing = Smoothing::new(0.0).unwrap();
            compare_scores!(Categorical { unseen, smoothing, ..Categorical::default() });
        }
    }
}

#[test]
fn many_classes_and_wide_tables() {
    // More classes than the sparse table takes, more columns than a panel has, more rows than a chunk.
    for (n, d, k) in [(900, 30, 400), (700, 600, 9), (5000, 3, 40)] {
        let cell = |row: usize, column: usize| ((row * 31 + column * 17) % 11 % 4) as f64;
        let rows = Array2::from_shape_fn((n, d), |(row, column)| cell(row, column));
        let classes: Vec<u16> = (0..n).map(|row| (row * row / 3 % k) as u16).collect();
        let again = Array2::from_shape_fn((50, d), |(row, column)| cell(row * 3, column + row));
        in_every_set(|| {
            let tables = (Tables::new(rows.clone()), Tables::new(again.clone()));
            compare(&Multinomial::default(), &tables.0.dense, &classes, &tables.1.dense);
            compare(&Multinomial::default(), &tables.0.sparse(), &classes, &tables.1.sparse());
            compare(&Complement::default(), &tables.0.sparse(), &classes, &tables.1.sparse());
            compare(&Bernoulli::default(), &tables.0.sparse(), &classes, &tables.1.sparse());
            compare(&Categorical::default(), &tables.0.dense, &classes, &tables.1.dense);
        });
    }
}

#[test]
fn integers_are_accepted_as_rows() {
    let x = ndarray::array![[0_u8, 3], [1, 0], [2, 3]];
    let y = ["a", "b", "a"];
    let expected = NaiveBayes::new(Multinomial::default()).fit(&x.mapv(f64::from), &y).unwrap();
    macro_rules! agree {
        ($($int:ty),*) => {$(
            let rows = x.mapv(<$int>::from);
            let fitted = NaiveBayes::new(Multinomial::default()).fit(&rows, &y).unwrap();
            assert_eq!(fitted.predict(&rows).unwrap(), expected.predict(&x).unwrap());
        )*};
    }
    agree!(u8, u16, u32, i16, i32);
    let rows = x.mapv(u8::cast_signed);
    assert_eq!(expected.predict(&rows).unwrap(), expected.predict(&x).unwrap());
    let mixed = Blocks::new().with([0], Categorical::default()).with([1], Poisson::default());
    assert!(NaiveBayes::new(mixed).fit(&x, &y).is_ok());
}

#[test]
fn rows_of_single_precision_give_the_sums_of_the_same_doubles() {
    let gaussian = Gaussian::default();
    let cell = |(row, column): (usize, usize)| {
        let value = ((row * 7919 + column * 31) % 1009) as f32 / 7.0 - 60.0;
        match (row + column) % 211 {
            0 => value * 1e9,
            1 => value * 1e-30,
            2 => -0.0,
            3 => f32::MAX,
            4 => 1e-45,
            _ => value,
        }
    };
    let singles = Array2::from_shape_fn((3000, 21), cell);
    let doubles = singles.mapv(f64::from);
    let labels: Vec<usize> = (0..3000).map(|row| row * row % 7).collect();
    let general = General(gaussian);
    let mut expected = SufficientStats::new(&general, 21).expect("a layout");
    expected.update_weighted(&general, &doubles, &labels, &vec![1.0; 3000]).expect("valid rows");
    for set in InstructionSet::ALL {
        set.with(|| {
            let mut found = SufficientStats::new(&gaussian, 21).expect("a layout");
            found.update(&gaussian, &singles, &labels).expect("valid rows");
            assert_eq!(found, expected, "{set:?}");
            for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
                let mut wrong = singles.clone();
                wrong[[2017, 20]] = value;
                wrong[[2500, 3]] = value;
                let of_singles =
                    found.update(&gaussian, &wrong, &labels).expect_err("not observable").to_string();
                let of_doubles =
                    found.update(&gaussian, &wrong.mapv(f64::from), &labels).expect_err("as above");
                assert_eq!(of_singles, of_doubles.to_string());
                assert!(of_singles.contains("2017") && of_singles.contains("20"), "{of_singles}");
                assert_eq!(found, expected, "nothing was added");
            }
        });
    }
}

/// Chunks of 300 columns become smaller when their classes are known, and larger when there are too many;
/// rows that are 8,192 bytes apart are taken a few at a time.
#[test]
fn tables_of_some_hundred_columns_have_the_sums_of_their_rows() {
    let gaussian = Gaussian::default();
    let general = General(gaussian);
    for (n_rows, n_columns, many) in [(1500, 300, 900), (320, 1024, 320)] {
        let x = Array2::from_shape_fn((n_rows, n_columns), |(row, column)| {
            ((row * 7919 + column * 104_729) % 1013) as f32 / 8.0 - 60.0
        });
        let doubles = x.mapv(f64::from);
        let mut wrong = doubles.clone();
        wrong[[n_rows - 30, n_columns - 1]] = f64::INFINITY;
        // Three classes at first, thirty in the end.
        let labels: Vec<usize> = (0..n_rows).map(|row| row % if row < many { 3 } else { 30 }).collect();
        let mut expected = SufficientStats::new(&general, n_columns).expect("a layout");
        expected.update_weighted(&general, &doubles, &labels, &vec![1.0; n_rows]).expect("valid rows");
        for set in InstructionSet::ALL {
            set.with(|| {
                let mut found = SufficientStats::new(&gaussian, n_columns).expect("a layout");
                found.update(&gaussian, &doubles, &labels).expect("valid rows");
                assert_eq!(found, expected, "{set:?}");
                let error = found.update(&gaussian, &wrong, &labels).expect_err("an infinite value");
                let place = format!("row {}, column {}", n_rows - 30, n_columns - 1);
                assert!(error.to_string().contains(&place), "{error}");
                assert_eq!(found, expected, "nothing was added");
                let mut of_singles = SufficientStats::new(&gaussian, n_columns).expect("a layout");
                of_singles.update(&gaussian, &x, &labels).expect("valid rows");
                assert_eq!(of_singles, expected, "{set:?}");
            });
        }
    }
}

/// Labels of rows that leave estimates in doubt: classes that are alike or nearly so, offsets, cells out of
/// range.
#[test]
fn gaussian_labels_are_those_of_the_scores() {
    let mut state = 3_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    };
    for n_columns in [3, 16, 21, 270] {
        for offset in [0.0, 1e3, -1e7] {
            let n_rows = 153;
            // Row 3i + 1 is as row 3i, which makes classes 0 and 1 the same; row 3i + 2 is that except for
            // one cell.
            let mut rows = Array2::<f32>::zeros((n_rows, n_columns));
            for row in 0..n_rows {
                for column in 0..n_columns {
                    rows[[row, column]] =
                        if row % 3 == 0 { offset + next() + next() } else { rows[[row - 1, column]] };
                }
            }
            rows[[2, 1]] += 0.01 + offset.abs() / 1e6;
            let classes: Vec<u16> = (0..n_rows as u16).map(|row| row % 3).collect();
            let model = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
            let (_, _, quick) = fit(model, &rows, &classes);
            let (_, _, general) = fit(General(model), &rows, &classes);
            let (quick, general) = (quick.unwrap(), general.unwrap());
            for (row, cell) in [(5, f32::NAN), (6, 1e30), (7, f32::MAX), (8, 1e-40), (20, -0.0)] {
                rows[[row, 2]] = cell;
            }
            let wide = rows.mapv(f64::from);
            for set in InstructionSet::ALL.into_iter().rev() {
                set.with(|| {
                    let expected = labels_of(&general, &wide);
                    assert!(expected.contains(&Some(2)) && expected.contains(&Some(0)));
                    assert!(!expected.contains(&Some(1)), "a tie goes to the first");
                    assert_eq!(
                        labels_of(&quick, &wide),
                        expected,
                        "{set:?}, {n_columns} columns from {offset}"
                    );
                    assert_eq!(
                        labels_of(&quick, &rows),
                        expected,
                        "{set:?}, {n_columns} columns from {offset}"
                    );
                });
            }
            for cell in [f32::INFINITY, f32::NEG_INFINITY] {
                rows[[100, 1]] = cell;
                let wide = rows.mapv(f64::from);
                let error = labels(&general, &wide);
                assert!(error.contains("Err"), "{error}");
                assert_eq!(labels(&quick, &wide), error);
                assert_eq!(labels(&quick, &rows), error);
            }
        }
    }
}

fn labels_of<F: Likelihood>(classifier: &Classifier<u16, F>, rows: &impl Rows) -> Vec<Option<u16>> {
    classifier.try_predict_each(rows).unwrap()
}
