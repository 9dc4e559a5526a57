//! Columns of texts: each fold has the vocabulary of its own training rows.

use nb_compare::{
    Analysis, Column, Comparison, Design, Features, Fitted, Journal, JournalError, Kind, MethodError, Plan,
    Table, Variant, report, results_csv, results_json,
};
use nb_core::{Categorical, Categories, Gaussian, Missing, Multinomial, NaiveBayes, Smoothing, Unseen};
use nb_io::text::{Text, TextOptions, Tokens};
use ndarray::{Array2, Axis};

use crate::runs::{run, without_times};

/// Words of which some are more frequent in one class, by a generator that everybody can write down.
pub(crate) struct Messages {
    pub(crate) texts: Vec<String>,
    /// Numbers, and categories from 0 to 3.
    pub(crate) x: Array2<f64>,
    pub(crate) labels: Vec<usize>,
}

impl Messages {
    pub(crate) fn new(n_rows: usize, n_classes: usize) -> Self {
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut messages =
            Self { texts: Vec::new(), x: Array2::zeros((n_rows, 2)), labels: Vec::with_capacity(n_rows) };
        for row in 0..n_rows {
            let label = below(n_classes);
            let words = (0..below(9)).map(|_| match below(4) {
                0 => format!("Topic{label}x{}", below(4)),
                _ => format!("word{}", below(40)),
            });
            messages.texts.push(words.collect::<Vec<_>>().join(" "));
            messages.x[[row, 0]] = below(100) as f64 / 8.0 + label as f64;
            messages.x[[row, 1]] = if below(3) == 0 { label as f64 } else { below(4) as f64 };
            messages.labels.push(label);
        }
        messages
    }

    /// A table of the texts, and of the other columns if they are wanted: number, text, category.
    pub(crate) fn table(&self, options: &TextOptions, is_mixed: bool) -> Table {
        let n_rows = self.labels.len();
        let message =
            Column { name: "message".into(), kind: Kind::texts(&self.texts, options).expect("terms") };
        let places = Array2::from_shape_fn((n_rows, 1), |(row, _)| row as f64);
        let levels = ["a", "b", "c", "d"].map(String::from).to_vec();
        let (columns, x) = if is_mixed {
            let number = Column { name: "number".into(), kind: Kind::Numeric };
            let letter = Column { name: "letter".into(), kind: Kind::Categorical { levels } };
            let x = [self.x.slice(ndarray::s![.., ..1]), places.view(), self.x.slice(ndarray::s![.., 1..])];
            (vec![number, message, letter], ndarray::concatenate(Axis(1), &x).expect("as many rows"))
        } else {
            (vec![message], places)
        };
        let n_classes = self.labels.iter().max().expect("rows") + 1;
        let classes = (0..n_classes).map(|class| format!("class {class}")).collect();
        Table::new("messages", columns, x, classes, self.labels.clone()).expect("a table")
    }
}

fn tfidf() -> TextOptions {
    let tokens = Tokens::default().with_n_grams(1..=2);
    TextOptions::default()
        .with_tokens(tokens)
        .with_min_documents(2)
        .with_max_terms(Some(60))
        .with_transforms()
}

fn split(n_rows: usize) -> [Vec<usize>; 2] {
    let is_test = |row: &usize| row % 3 == 1;
    let (test, train) = (0..n_rows).partition(is_test);
    [train, test]
}

pub(crate) fn design(variants: &[&str], plan: Plan) -> Design {
    let variants = variants.iter().map(|text| Variant::parse(text).unwrap()).collect();
    let mut design =
        Design::new(vec![nb_compare::Set::File(nb_compare::FileSet::new("messages"))], variants).unwrap();
    design.plan = plan;
    design
}

/// nb-core on the terms that nb-io learns from the training texts alone, and other columns by themselves:
/// joint log-likelihoods add up.
#[test]
fn a_fold_is_what_its_training_rows_make_it() {
    let messages = Messages::new(120, 3);
    let [train, test] = split(120);
    let labels: Vec<usize> = train.iter().map(|&row| messages.labels[row]).collect();
    for options in [TextOptions::default(), tfidf()] {
        let own: Vec<&str> = train.iter().map(|&row| messages.texts[row].as_str()).collect();
        let of_test: Vec<&str> = test.iter().map(|&row| messages.texts[row].as_str()).collect();
        let text = Text::learn(&own, &options).unwrap();
        let multinomial = NaiveBayes::new(Multinomial::default()).fit(&text.count(&own), &labels).unwrap();
        let by_terms = multinomial.predict_log_proba(&text.count(&of_test)).unwrap();

        let multinomial = Variant::parse("multinomial").unwrap().method();
        let answers =
            |table: &Table| multinomial.fit(table, &train).unwrap().log_posteriors(table, &test).unwrap();
        assert_eq!(answers(&messages.table(&options, false)), by_terms);

        let numbers = messages.x.slice(ndarray::s![.., ..1]).to_owned();
        let letters = messages.x.slice(ndarray::s![.., 1..]).to_owned();
        let (train_rows, test_rows) =
            (|x: &Array2<f64>| x.select(Axis(0), &train), |x: &Array2<f64>| x.select(Axis(0), &test));
        let gaussian = NaiveBayes::new(Gaussian::default()).fit(&train_rows(&numbers), &labels).unwrap();
        let categorical = Categorical {
            categories: Categories::Declared(vec![4]),
            smoothing: Smoothing::new(1.0).unwrap(),
            missing: Missing::Skip,
            unseen: Unseen::Error,
        };
        let categorical = NaiveBayes::new(categorical).fit(&train_rows(&letters), &labels).unwrap();
        let by_number = gaussian.predict_log_proba(&test_rows(&numbers)).unwrap();
        let by_letter = categorical.predict_log_proba(&test_rows(&letters)).unwrap();
        let found = answers(&messages.table(&options, true));
        for (row, found) in found.rows().into_iter().enumerate() {
            // Each has the prior; of posteriors the constant of a row is free.
            let joint: Vec<f64> = (0..3)
                .map(|class| {
                    let n = labels.iter().filter(|&&label| label == class).count() as f64;
                    let prior = (n / labels.len() as f64).ln();
                    by_terms[[row, class]] + by_number[[row, class]] + by_letter[[row, class]] - 2.0 * prior
                })
                .collect();
            let most = joint[0];
            let all = joint.iter().map(|joint| (joint - most).exp()).sum::<f64>().ln() + most;
            for (found, joint) in found.iter().zip(&joint) {
                assert!((found - (joint - all)).abs() < 1e-11, "row {row}: {found} is not {}", joint - all);
            }
        }
    }
}

/// Every variant: what it learns from some rows does not change when all texts of the others do.
#[test]
fn tested_texts_are_not_looked_at() {
    let messages = Messages::new(90, 2);
    let [train, test] = split(90);
    let mut other = Messages::new(90, 2);
    for &row in &test {
        other.texts[row] = format!("unheard{row} word1 word2 Topic0x1 word1 unheard");
    }
    let tuned =
        ["multinomial:tune.count.l=[0.1,1]", "mdl:calibration=platt", "gaussian:text.family=complement"];
    for (options, is_mixed, least) in
        [(TextOptions::default(), true, 15), (tfidf(), true, 15), (TextOptions::default(), false, 8)]
    {
        let (table, changed) = (messages.table(&options, is_mixed), other.table(&options, is_mixed));
        let mut n_checked = 0;
        for variant in Variant::presets().map(|(name, _)| name).chain(tuned) {
            let method = Variant::parse(variant).unwrap().method();
            let Ok(fitted) = method.fit(&table, &train) else { continue };
            let of_changed = method.fit(&changed, &train).unwrap();
            let answers = |fitted: &dyn Fitted, table: &Table| fitted.log_posteriors(table, &train).unwrap();
            assert_eq!(answers(&*fitted, &table), answers(&*of_changed, &changed), "{variant}");
            n_checked += 1;
        }
        assert!(n_checked >= least, "{n_checked} variants are for such tables");
    }
}

#[test]
fn what_is_not_for_texts_says_so() {
    let messages = Messages::new(60, 2);
    let (mixed, alone) =
        (messages.table(&TextOptions::default(), true), messages.table(&TextOptions::default(), false));
    let [train, _] = split(60);
    let reason =
        |variant: &str, table: &Table| match Variant::parse(variant).unwrap().method().fit(table, &train) {
            Err(MethodError::NotApplicable { reason }) => reason,
            Err(error) => format!("failed: {error}"),
            Ok(_) => "it works".into(),
        };
    for variant in ["aode", "tan", "hnb", "waode", "aodesr", "kdb", "wrong-product"] {
        let found = reason(variant, &mixed);
        assert!(
            found.starts_with("column `message` is text, which this method cannot use; leave"),
            "{variant}: {found}"
        );
    }
    for variant in ["count-ratio", "dirichlet-multinomial"] {
        assert_eq!(reason(variant, &mixed), "column `number` is neither counts nor text");
        assert_eq!(reason(variant, &alone), "it works");
    }
    assert_eq!(reason("kernel", &alone), "the table has texts alone, and the family is not for counts");
    assert_eq!(reason("kernel", &mixed), "it works");
    let found = reason("gaussian:text.family=gaussian", &mixed);
    assert!(found.starts_with("the family for texts (`text.family`) is not for counts of terms"), "{found}");
    let rare = messages.table(&TextOptions::default().with_min_documents(50), true);
    assert_eq!(
        reason("multinomial", &rare).split("all ").next().unwrap(),
        "failed: column `message`, in the 40 training rows of a split: "
    );
}

/// Variants are compared between settings on the same rows.
#[test]
fn settings_change_no_split() {
    let messages = Messages::new(60, 2);
    let [plain, weighted] = [TextOptions::default(), tfidf()].map(|options| messages.table(&options, true));
    assert_ne!(plain.fingerprint(), weighted.fingerprint());
    let plan = Plan::CrossValidation { folds: 3, repeats: 2 };
    for repeat in 0..2 {
        assert_eq!(plan.folds(&plain, 7, repeat).unwrap(), plan.folds(&weighted, 7, repeat).unwrap());
    }
    assert_ne!(plan.folds(&plain, 7, 0).unwrap(), plan.folds(&plain, 7, 1).unwrap());
}

/// What texts mean is part of the design and of the table: results of others are not taken for these.
#[test]
fn settings_are_part_of_designs_tables_and_reports() {
    let text = r#"
        sets = [{ file = "messages", text = ["message"], text_options = { n_grams = "1-2", idf = true, stop_words = "a.txt" } }]
        variants = ["gaussian:text.family=bernoulli", "multinomial", "refined", "aode", "logistic"]
        plan = { kind = "cross-validation", folds = 3, repeats = 1 }
    "#;
    let design = Design::from_toml(text).unwrap();
    assert_eq!(Design::from_toml(&design.to_toml()).unwrap(), design);
    let messages = Messages::new(60, 2);
    let tables = [messages.table(&tfidf(), true)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    Journal::open(&path, &design, &tables).unwrap();
    let elsewhere = Design::from_toml(&text.replace("a.txt", "other/a.txt")).unwrap();
    Journal::open(&path, &elsewhere, &tables).unwrap();
    let other = Design::from_toml(&text.replace("1-2", "1-3")).unwrap();
    let error = Journal::open(&path, &other, &tables).unwrap_err();
    assert!(matches!(error, JournalError::Other { what: "design", .. }), "{error}");
    let plain = [messages.table(&TextOptions::default(), true)];
    let error = Journal::open(&path, &design, &plain).unwrap_err();
    assert!(matches!(error, JournalError::Other { what: "state of the data", .. }), "{error}");

    let units = run(&design, &tables, 2);
    assert_eq!(units, run(&design, &tables, 1));
    let n_done = units.iter().filter(|unit| unit.done().is_some()).count();
    assert_eq!(n_done, 4, "{:?}", units.iter().map(|unit| &unit.outcome).collect::<Vec<_>>());
    let comparison = Comparison::new(design.clone(), &tables, units);
    assert_eq!((comparison.data[0].n_numeric, comparison.data[0].n_categorical), (1, 1));
    let page = report(&Analysis::new(&comparison)).to_markdown().unwrap();
    assert!(
        page.contains(
            "in n-grams of 1 to 2, those in 2 or more training texts, the 60 in most training texts"
        ) && page.contains("is text, which this method cannot use"),
        "{page}"
    );
    assert!(results_csv(&comparison).contains("refined"));
    let recorded = nb_compare::Recorded::from_json(&results_json(&Analysis::new(&comparison))).unwrap();
    assert_eq!(recorded.design, design);
    assert_eq!(recorded.changed(&tables), Vec::<&str>::new());
    assert_eq!(recorded.changed(&plain), ["messages"]);
}

/// A missing text is one without words.
#[test]
fn missing_texts_have_no_terms() {
    let mut messages = Messages::new(60, 2);
    let table = messages.table(&tfidf(), true);
    let mut with_gaps = table.clone();
    let gaps = [0, 3, 4, 7, 30];
    if let Features::Columns { x, .. } = &mut with_gaps.features {
        for &row in &gaps {
            x[[row, 1]] = f64::NAN;
        }
    }
    for &row in &gaps {
        messages.texts[row] = " -- ".into();
    }
    let empty = messages.table(&tfidf(), true);
    let [train, _] = split(60);
    let rows: Vec<usize> = (0..60).collect();
    for variant in ["multinomial", "refined", "logistic"] {
        let method = Variant::parse(variant).unwrap().method();
        let answers =
            |table: &Table| method.fit(table, &train).unwrap().log_posteriors(table, &rows).unwrap();
        assert_eq!(answers(&with_gaps), answers(&empty), "{variant}");
        assert_ne!(answers(&with_gaps), answers(&table), "{variant}");
    }
}

#[test]
fn rows_of_a_table_keep_their_texts() {
    let messages = Messages::new(60, 2);
    let table = messages.table(&tfidf(), true);
    let error = Table::new(
        "messages",
        vec![Column {
            name: "message".into(),
            kind: Kind::texts(["a word"], &TextOptions::default()).unwrap(),
        }],
        ndarray::array![[0.0], [1.0]],
        vec!["a".into(), "b".into()],
        vec![0, 1],
    )
    .unwrap_err();
    assert!(error.to_string().starts_with("row 1: 1 is no value for column `message`"), "{error}");
    let texts = table.with_columns(|column| column.kind.is_text()).unwrap();
    assert_eq!(texts.n_features(), 1);
    let plan = Plan::CrossValidation { folds: 3, repeats: 1 };
    let one = design(&["multinomial"], plan);
    let again: Vec<_> = run(&one, std::slice::from_ref(&texts), 1).into_iter().map(without_times).collect();
    let alone = messages.table(&tfidf(), false);
    assert_eq!((texts.fingerprint(), again), (alone.fingerprint(), run(&one, &[alone], 1)));
}
