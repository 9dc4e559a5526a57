//! A text model learns from raw messages, travels in a file, and labels raw messages.

use nb_core::{Bernoulli, Blocks, Complement, Gaussian, Multinomial, Prior, Rows, Smoothing};
use nb_io::{Column, Family, Kind, MergeError, Model, ModelError, Schema, SchemaError};
use nb_io::{
    Limits, Registry,
    text::{
        Emoji, NoTermsCause, Normalization, Segmentation, Terms, Text, TextError, TextOptions, Tokens,
        Weighting, bucket, stop_words,
    },
};

use crate::examples::{as_written, labels};

fn learn(texts: &[&str], options: &TextOptions) -> Text {
    Text::learn(texts, options).expect("there are terms")
}

fn multinomial() -> Family {
    Family::Multinomial(Multinomial::default())
}

/// A model of texts alone.
fn model(text: Text, family: Family) -> Model {
    Model::new(Schema::of_text("message", text, "label"), family, Prior::Empirical)
        .expect("they fit together")
}

fn train(model: &mut Model, texts: &[&str], names: &[&str]) {
    let counts = model.schema().count_terms(texts).expect("only texts");
    model.update(&counts, &labels(names.iter().copied())).expect("valid counts");
}

#[test]
fn a_spam_filter_in_a_file() {
    let sms = nb_datasets::load_text().expect("embedded");
    let texts: Vec<&str> = sms.texts.iter().map(String::as_str).collect();
    let transformed = TextOptions::default().with_transforms();
    let hashed = TextOptions::default().with_buckets(Some(1 << 14));
    let tokens = Tokens::unicode().with_n_grams(1..=2).with_stop_words(stop_words::english());
    let pairs = TextOptions::default().with_tokens(tokens).with_min_documents(2).with_max_terms(Some(5000));
    let complement = Family::Complement(Complement { normalize: true, ..Complement::default() });
    let bernoulli = Family::Bernoulli(Bernoulli::default());
    for (options, family) in [
        (TextOptions::default(), multinomial()),
        (transformed, complement),
        (hashed, multinomial()),
        (pairs, bernoulli),
    ] {
        // Weights of the normalised complement model are so small that a prior of the classes would decide
        // alone.
        let prior = if matches!(family, Family::Complement(_)) { Prior::Uniform } else { Prior::Empirical };
        let mut model = model(learn(&texts, &options), family).with_prior(prior).expect("a distribution");
        let counts = model.schema().count_terms(&texts).expect("only texts");
        model.update(&counts, &labels(sms.y())).expect("valid counts");

        let loaded = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes");
        assert_eq!(loaded, model);
        assert_eq!(Model::from_json(&model.to_json().expect("encodes")).expect("decodes"), model);
        let classifier = loaded.classifier().expect("fits");
        let answers = classifier.predict(&counts).expect("scores");
        let right = answers.iter().zip(sms.y()).filter(|(answer, label)| answer == label).count();
        assert!(right > 5_400, "{right} of 5,574 with {options:?}");
        let new = ["WINNER!! Claim your free prize now, call 09061701461", "see you at lunch then?"];
        let new = loaded.schema().count_terms(&new).expect("only texts");
        assert_eq!(classifier.predict(&new).expect("scores"), ["spam", "ham"], "{options:?}");
    }
}

/// The embedded counts were made by other means from runs of ASCII letters and digits.
#[test]
fn terms_are_counted_as_elsewhere() {
    let sms = nb_datasets::load_text().expect("embedded");
    let plain: Vec<usize> = (0..sms.n_rows()).filter(|&row| sms.texts[row].is_ascii()).collect();
    assert!(plain.len() > 5_000);
    let text = Text {
        tokens: Tokens::default(),
        terms: Terms::Vocabulary(sms.vocabulary.clone()),
        weighting: Weighting::default(),
        fixed: false,
    };
    assert_eq!(text.check(), Ok(()));
    let texts: Vec<&str> = plain.iter().map(|&row| sms.texts[row].as_str()).collect();
    let counts = text.count(&texts);
    for (position, &row) in plain.iter().enumerate() {
        let (own, other) =
            (counts.indptr()[position]..counts.indptr()[position + 1], sms.indptr[row]..sms.indptr[row + 1]);
        assert_eq!(counts.indices()[own.clone()], sms.indices[other.clone()], "{}", texts[position]);
        assert_eq!(counts.values()[own], sms.values[other], "{}", texts[position]);
    }
}

const TEXTS: [&str; 4] =
    ["the cat sat on the mat", "the dog sat", "a cat and a dog and a mat", "mat mat mat"];

/// Numbers of scikit-learn 1.9.1: `CountVectorizer()`, `TfidfTransformer(smooth_idf=False).idf_ - 1` (it adds
/// one to what Rennie et al. use), and with these in NumPy `log1p(counts) * idf`, divided by the norms of its
/// rows.
#[test]
fn transforms_are_those_of_the_paper() {
    let text = learn(&TEXTS, &TextOptions::default().with_transforms());
    let terms = ["and", "cat", "dog", "mat", "on", "sat", "the"].map(String::from).to_vec();
    assert_eq!(text.terms, Terms::Vocabulary(terms));
    let near = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 4e-16, "{found} is not {expected}");
        }
    };
    let (ln_2, ln_4) = (0.693_147_180_559_945_4, 1.386_294_361_119_890_8);
    let frequencies = text.weighting.inverse_document_frequency.as_deref().expect("learnt");
    near(frequencies, &[ln_4, ln_2, ln_2, 0.287_682_072_451_780_8, ln_4, ln_2, ln_2]);
    let rows = text.count(&TEXTS);
    let third = 0.577_350_269_189_625_7;
    near(
        rows.values(),
        &[
            0.339_336_858_137_235_8,
            0.140_837_521_014_418_04,
            0.678_673_716_274_471_6,
            0.339_336_858_137_235_8,
            0.537_836_195_260_053_6,
            third,
            third,
            third,
            0.906_778_657_407_505_6,
            0.286_056_817_430_987_26,
            0.286_056_817_430_987_26,
            0.118_724_306_158_221_66,
            1.0,
        ],
    );
    // TfidfTransformer(use_idf=False)
    let lengths = TextOptions::default().with_normalize_length(true);
    let rows = learn(&TEXTS, &lengths).count(&TEXTS[..1]);
    let root = 0.353_553_390_593_273_73;
    near(rows.values(), &[root, root, root, root, 0.707_106_781_186_547_5]);
    // CountVectorizer(ngram_range=(1, 2), min_df=2, stop_words=["the"])
    let tokens = Tokens::default().with_n_grams(1..=2).with_stop_words(["the".to_owned()].into());
    let text = learn(&TEXTS, &TextOptions::default().with_tokens(tokens).with_min_documents(2));
    assert_eq!(text.terms, Terms::Vocabulary(["cat", "dog", "mat", "sat"].map(String::from).to_vec()));
}

#[test]
fn features_have_names() {
    let text = learn(&["free prize"], &TextOptions::default());
    let hashed = Text { terms: Terms::Hashed { buckets: 20 }, ..text.clone() };
    let mut schema = Schema::numeric(["size"], "label");
    for (name, text) in [("message", text), ("subject", hashed)] {
        schema.columns.push(Column { name: name.into(), kind: Kind::Text(text.into()) });
    }
    schema.columns.push(Column { name: "last".into(), kind: Kind::Numeric });
    assert_eq!((schema.check(), schema.n_features()), (Ok(()), 24));
    let names: Vec<String> = schema.features().map(|feature| feature.name()).collect();
    for (feature, name) in [(0, "size"), (2, "message: prize"), (20, "subject: #17"), (23, "last")] {
        assert_eq!(schema.feature_name(feature).as_deref(), Some(name));
        assert_eq!(names[feature], name);
    }
    assert_eq!((schema.feature_name(24), names.len()), (None, 24));
    assert_eq!(
        [0, 1, 2, 3, 4].map(|column| schema.feature_range(column)),
        [0..1, 1..3, 3..23, 23..24, 24..24]
    );
}

#[test]
fn schemas_that_are_none_are_refused() {
    let good = learn(&["one two"], &TextOptions::default());
    let check = |text: Text| match Schema::of_text("message", text, "label").check() {
        Err(SchemaError::Text { column, error }) if column == "message" => error,
        other => panic!("{other:?}"),
    };
    let vocabulary = |terms: &[&str]| Text {
        terms: Terms::Vocabulary(terms.iter().map(|&term| term.into()).collect()),
        ..good.clone()
    };
    assert_eq!(check(vocabulary(&[])), TextError::EmptyVocabulary);
    assert_eq!(check(vocabulary(&["b", "a"])), TextError::Order { term: "a".into() });
    let tokens = Tokens::default().with_n_grams(1..=99);
    assert_eq!(check(Text { tokens, ..good.clone() }), TextError::NGrams { min: 1, max: 99 });
    let weighting = Weighting::default().with_inverse_document_frequency(Some(vec![1.0]));
    assert_eq!(check(Text { weighting, ..good.clone() }), TextError::Frequencies { expected: 2, found: 1 });
    // A term may be called like the label, the column may not.
    assert_eq!(Schema::of_text("message", vocabulary(&["label"]), "label").check(), Ok(()));
    assert!(Schema::of_text("message", good, "message").check().is_err());
    let rare = Text::learn(&["one"], &TextOptions::default().with_min_documents(2));
    assert!(matches!(rare, Err(TextError::NoTerms(facts)) if facts.cause() == NoTermsCause::RareTerms));
    assert_eq!(Schema::numeric(["x"], "y").count_terms(&["x"]), Err(SchemaError::NotOneText));
}

#[test]
fn texts_belong_to_families_of_counts() {
    let schema = Schema::of_text("message", learn(&["one two"], &TextOptions::default()), "label");
    let gaussian = Family::Gaussian(Gaussian::default());
    let apart =
        |family| Family::Blocks(Blocks::default().with_same([0], multinomial()).with_same([1], family));
    for family in [gaussian.clone(), apart(gaussian), Family::Poisson(nb_core::Poisson::default())] {
        let error = Model::new(schema.clone(), family, Prior::Empirical).expect_err("not counts");
        assert!(matches!(&error, ModelError::TextAsNumbers { column } if column == "message"), "{error}");
    }
    assert!(Model::new(schema, apart(multinomial()), Prior::Empirical).is_ok());
}

#[test]
fn vocabularies_are_united() {
    let monday = (["win a prize", "see you"], ["spam", "ham"]);
    let tuesday = (["you win money", "a b see"], ["spam", "ham"]);
    let options = TextOptions::default();
    let all: Vec<&str> = monday.0.into_iter().chain(tuesday.0).collect();
    for family in [multinomial(), Family::Bernoulli(Bernoulli::default())] {
        let of = |texts: &[&str]| model(learn(texts, &options), family.clone());
        let (mut first, mut second, mut both) = (of(&monday.0), of(&tuesday.0), of(&all));
        train(&mut first, &monday.0, &monday.1);
        train(&mut second, &tuesday.0, &tuesday.1);
        train(&mut both, &monday.0, &monday.1);
        train(&mut both, &tuesday.0, &tuesday.1);
        let mut other = second.clone();
        let alone = first.clone();
        first.merge(&second).expect("the same settings");
        other.merge(&alone).expect("the same settings");
        assert_eq!(first, both);
        assert_eq!(other, both);
        first.subtract(&second).expect("it was merged");
        assert_eq!(first.stats().class_weights(), alone.stats().class_weights());
    }
}

#[test]
fn what_cannot_be_united_is_refused() {
    let text = |options: TextOptions, texts: &[&str]| learn(texts, &options);
    let plain = TextOptions::default();
    let merge = |left: &Text, right: &Text, family: &Family| {
        let mut left = model(left.clone(), family.clone());
        let before = left.clone();
        let result = left.merge(&model(right.clone(), family.clone()));
        assert!(result.is_ok() || left == before);
        result
    };
    let (a, b) = (text(plain.clone(), &["one two"]), text(plain.clone(), &["two three four"]));
    assert_eq!(merge(&a, &b, &multinomial()), Ok(()));
    let cased = Tokens::default().with_lower_case(false);
    let words = Tokens::default().with_segmentation(Segmentation::UnicodeWords);
    let unlike = Tokens::default().with_normalization(Normalization::None);
    let without_emoji = Tokens::default().with_emoji(Emoji::Drop);
    for other in [
        plain.clone().with_tokens(cased),
        plain.clone().with_tokens(words),
        plain.clone().with_tokens(unlike),
        plain.clone().with_tokens(without_emoji),
        plain.clone().with_buckets(Some(2)),
        plain.clone().with_log_term_frequency(true),
        plain.clone().with_normalize_length(true),
        plain.clone().with_inverse_document_frequency(true),
    ] {
        let error = merge(&a, &text(other, &["one two"]), &multinomial()).expect_err("other settings");
        assert!(matches!(&error, MergeError::Schema(SchemaError::TextMismatch { .. })), "{error}");
    }
    // The same weights merge, others do not.
    let weighted = plain.clone().with_inverse_document_frequency(true);
    let (c, d) = (text(weighted.clone(), &["a one", "two"]), text(weighted, &["one", "one two"]));
    assert_eq!(merge(&c, &c, &multinomial()), Ok(()));
    let error = merge(&c, &d, &multinomial()).expect_err("other weights");
    assert!(matches!(&error, MergeError::Schema(SchemaError::FrequencyMismatch { .. })), "{error}");
    // Hashed terms merge as they are.
    let hashed = plain.with_buckets(Some(8));
    let (e, f) = (text(hashed.clone(), &["a"]), text(hashed, &["b"]));
    assert_eq!(merge(&e, &f, &multinomial()), Ok(()));
    // What would have to be made up for further terms.
    let smoothing = Smoothing::per_feature(vec![1.0, 2.0]).expect("valid");
    let each = Family::Multinomial(Multinomial { smoothing, ..Multinomial::default() });
    assert_eq!(merge(&a, &a, &each), Ok(()));
    let mut left = model(a.clone(), each);
    let error = left.merge(&model(b.clone(), multinomial())).expect_err("no smoothing for further terms");
    assert_eq!(error, MergeError::Model(ModelError::SmoothingPerTerm));
    let threshold = Family::Bernoulli(Bernoulli { threshold: -1.0, ..Bernoulli::default() });
    let error = merge(&a, &b, &threshold).expect_err("absent is present");
    assert_eq!(error, MergeError::Model(ModelError::Threshold { threshold: -1.0 }));
    let apart = |places: [usize; 2]| {
        Family::Blocks(
            places
                .into_iter()
                .fold(Blocks::default(), |blocks, place| blocks.with_same([place], multinomial())),
        )
    };
    let mut left = model(a, apart([0, 1]));
    let error =
        left.merge(&model(text(TextOptions::default(), &["six two"]), apart([0, 1]))).expect_err("apart");
    assert_eq!(error, MergeError::Model(ModelError::TermsApart { column: "message".into() }));
}

/// The file was written from the documentation, by a program of a few lines in another language.
#[test]
fn the_documented_form_is_the_form() {
    let text = Text {
        tokens: as_written().with_stop_words(["the".to_owned()].into()),
        terms: Terms::Hashed { buckets: 4 },
        weighting: Weighting::default()
            .with_log_term_frequency(true)
            .with_inverse_document_frequency(Some(vec![0.0, 0.5, 1.25, 0.7]))
            .with_normalize_length(true),
        fixed: false,
    };
    let schema = Schema::of_text("message", text, "label");
    let bytes = include_bytes!("../../fuzz/corpus/model/hashed");
    let model = Model::from_bytes(bytes).expect("reads");
    assert_eq!(model.schema(), &schema);
    assert_eq!(model.to_bytes().expect("encodes"), bytes);
    let json = include_str!("../../fuzz/corpus/model_json/hashed");
    assert_eq!(Model::from_json(json).expect("reads"), model);
    let rows = schema.count_terms(&["the prize"]).expect("only texts");
    assert_eq!((rows.n_rows(), rows.n_columns()), (1, 4));
    assert_eq!(rows.indices(), if bucket("prize", 4) == 0 { vec![] } else { vec![bucket("prize", 4)] });
}

/// A few bytes must not ask for all memory.
#[test]
fn huge_tables_of_buckets_are_refused() {
    let json = |n_columns: usize| {
        let column = |column: usize| {
            format!(
                r#"{{"name": "t{column}", "kind": {{"text": {{
                    "tokens": {{"segmentation": "alphanumeric", "lower_case": true, "min_chars": 2,
                                "min_words": 1, "max_words": 1, "stop_words": []}},
                    "terms": {{"hashed": {{"buckets": 4194304}}}},
                    "weighting": {{"log_term_frequency": false, "inverse_document_frequency": null,
                                   "normalize_length": false}}}}}}}}"#
            )
        };
        let columns: Vec<String> = (0..n_columns).map(column).collect();
        format!(
            r#"{{"format": "naive-bayes-model", "version": 1, "schema": {{"columns": [{}], "label": "y"}},
                 "family": {{"multinomial": {{"smoothing": {{"same": 1.0}}, "missing": "error"}}}},
                 "prior": "empirical", "classes": []}}"#,
            columns.join(", ")
        )
    };
    let load = |n_columns: usize, max_memory: u64| {
        let limits = Limits::default().with_max_memory(max_memory);
        Model::from_json_with(&json(n_columns), limits, &Registry::default())
    };
    assert!(load(1, 1 << 27).is_ok());
    let error = load(5, 1 << 28).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "the model takes 335544320 bytes of memory, more than the limit of 268435456; raise the limit if you trust the file"
    );
}
