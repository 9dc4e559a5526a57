//! Columns of texts beside others: from a file to answers.

use std::fmt::Write as _;

use nb_core::{Blocks, Categorical, Gaussian, Multinomial, Prior, Rows};
use nb_io::read::{
    Csv, Inferred, KindChoice, NewLevels, Overrides, ReadChunks, Reason, Table, TableOptions, train,
};
use nb_io::text::{Terms, TextOptions, Tokens};
use nb_io::{Family, Kind, Model, Schema};

use crate::{chunks, only_chunk};

/// Messages with their length and a made-up category.
fn messages(n_rows: usize) -> Vec<(f64, &'static str, String, String)> {
    let sms = nb_datasets::load_text().unwrap();
    let rows = sms.texts.iter().zip(sms.y()).take(n_rows).enumerate();
    rows.map(|(row, (text, label))| {
        let network = ["blue", "green", "red"][row % 3];
        (text.chars().count() as f64, network, text.clone(), label.to_owned())
    })
    .collect()
}

fn file(rows: &[(f64, &str, String, String)]) -> String {
    let mut csv = String::from("length,network,message,label\n");
    for (length, network, text, label) in rows {
        writeln!(csv, "{length},{network},\"{}\",{label}", text.replace('"', "\"\"")).unwrap();
    }
    csv
}

fn infer(text: &str, overrides: &Overrides) -> Inferred {
    Csv::default().infer_from(|| Ok(text.as_bytes()), "sms.csv", "label", overrides).unwrap()
}

fn mixed(schema: &Schema) -> Family {
    let blocks = Blocks::default()
        .with_same([0], Family::Gaussian(Gaussian::default()))
        .with_same([1], Family::Categorical(Categorical::default()))
        .with_same(schema.feature_range(2), Family::Multinomial(Multinomial::default()));
    Family::Blocks(blocks)
}

fn trained(text: &str, schema: &Schema, chunk_rows: usize) -> Model {
    let mut model = Model::new(schema.clone(), mixed(schema), Prior::Empirical).unwrap();
    let csv = Csv::default().with_table(TableOptions::default().with_chunk_rows(chunk_rows));
    train(&mut model, &mut csv.read_from(text.as_bytes(), "sms.csv", schema).unwrap()).unwrap();
    model
}

fn terms(kind: &Kind) -> usize {
    let Kind::Text(text) = kind else { panic!("{kind:?}") };
    text.terms.len()
}

#[test]
fn numbers_categories_and_texts_are_one_model() {
    let rows = messages(1500);
    let text = file(&rows);
    let inferred = infer(&text, &Overrides::default());
    let kinds = &inferred.schema.columns;
    assert_eq!((&kinds[0].kind, inferred.n_rows), (&Kind::Numeric, 1500));
    assert!(matches!(&kinds[1].kind, Kind::Categorical { levels } if levels.len() == 3));
    assert!(terms(&kinds[2].kind) > 3000);
    assert!(matches!(inferred.columns[2].reason, Reason::FreeText { cells: 1500, .. }));
    assert!(inferred.columns[2].reason.to_string().starts_with("free text: 1"));

    let model = trained(&text, &inferred.schema, 8192);
    for chunk_rows in [1, 7, 400] {
        assert_eq!(trained(&text, &inferred.schema, chunk_rows), model);
    }
    let loaded = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded, model);
    assert!(!loaded.to_onnx(nb_io::onnx::Inputs::Matrix).unwrap().is_empty());
    // A file to be predicted has no labels, and its columns in another order.
    let new = "message,network,length\n\"WINNER!! Claim your free prize now, call 09061701461\",red,150\n\
               see you at lunch then?,blue,22\n";
    let chunk =
        only_chunk(&mut Csv::default().read_from(new.as_bytes(), "new.csv", loaded.schema()).unwrap());
    assert_eq!(loaded.classifier().unwrap().predict(&chunk.rows).unwrap(), ["spam", "ham"]);
}

/// The cells of a sparse table are those that a dense one would have.
#[test]
fn cells_stand_where_they_belong() {
    let text = "n,words,colour,m,label\n0,b a a,x,1.5,p\n,NA,y,-0,q\n2,,y,,p\n";
    let overrides = Overrides::default()
        .with_text("words", TextOptions::default().with_tokens(Tokens::default().with_min_chars(1)));
    let schema = infer(text, &overrides).schema;
    assert_eq!(
        schema.features().map(|feature| feature.name()).collect::<Vec<_>>(),
        ["n", "words: a", "words: b", "words: na", "colour", "m"]
    );
    let chunk = only_chunk(&mut Csv::default().read_from(text.as_bytes(), "t.csv", &schema).unwrap());
    let Table::Sparse(rows) = &chunk.rows else { panic!("{chunk:?}") };
    assert_eq!((rows.n_rows(), rows.n_columns()), (3, 6));
    assert_eq!(rows.indptr(), [0, 3, 6, 9]);
    assert_eq!(rows.indices(), [1, 2, 5, 0, 3, 4, 0, 4, 5]);
    let values: Vec<String> = rows.values().iter().map(ToString::to_string).collect();
    assert_eq!(values, ["2", "1", "1.5", "NaN", "1", "1", "2", "1", "NaN"]);
    assert_eq!(chunk.labels.unwrap(), ["p", "q", "p"]);
}

#[test]
fn the_rule_can_be_overruled() {
    let text = file(&messages(300));
    let inferred = infer(&text, &Overrides::default().with("message", KindChoice::Categorical));
    assert!(matches!(&inferred.schema.columns[2].kind, Kind::Categorical { .. }));
    let hashed = TextOptions::default().with_buckets(Some(64));
    for overrides in [
        Overrides::default().with_default_text(hashed.clone()),
        Overrides::default().with_texts([("message".to_owned(), hashed)].into()),
    ] {
        let found = infer(&text, &overrides);
        assert!(matches!(found.columns[2].reason, Reason::FreeText { .. }));
        assert_eq!(terms(&found.schema.columns[2].kind), 64);
    }
    let rare = TextOptions::default().with_min_documents(3).with_max_terms(Some(100));
    let found = infer(&text, &Overrides::default().with_default_text(rare));
    assert_eq!(terms(&found.schema.columns[2].kind), 100);
    // Few different texts, short ones, and repeated ones are categories.
    for cell in [
        |_: usize| "one of the few".to_owned(),
        |row| format!("x{row}"),
        |row| format!("one of {} or so", row / 3),
    ] {
        let mut text = String::from("a,label\n");
        (0..90).for_each(|row| writeln!(text, "{},y", cell(row)).unwrap());
        assert!(matches!(
            infer(&text, &Overrides::default()).schema.columns[0].kind,
            Kind::Categorical { .. }
        ));
    }
}

/// A column that begins with numbers, and one whose first thousand rows say nothing.
#[test]
fn texts_are_found_late() {
    let sentences = |n: usize| {
        (0..n).map(|row| format!("this is text number {row} of many,y\n")).collect::<Vec<_>>().concat()
    };
    let number_first = format!("a,label\n17,y\n{}", sentences(60));
    let late = format!("a,label\n{}{}", "one\ntwo\n".replace('\n', ",y\n").repeat(550), sentences(1200));
    for text in [number_first, late] {
        let inferred = infer(&text, &Overrides::default());
        assert!(
            matches!(inferred.columns[0].reason, Reason::FreeText { .. }),
            "{:?}",
            inferred.columns[0].reason
        );
        let csv = Csv::default();
        let loaded = csv.load_from(|| Ok(text.as_bytes()), "t.csv", "label", &Overrides::default()).unwrap();
        assert_eq!(loaded.inferred, inferred);
        let chunks = chunks(&mut csv.read_from(text.as_bytes(), "t.csv", &inferred.schema).unwrap()).unwrap();
        assert_eq!(chunks, [loaded.chunk]);
    }
}

#[test]
fn chunks_are_bounded_by_their_cells() {
    let many = (0..3000).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let mut text = String::from("a,label\n");
    (0..900).for_each(|_| writeln!(text, "{many},y").unwrap());
    let inferred = infer(&text, &Overrides::default().with("a", KindChoice::Text));
    assert_eq!(inferred.columns[0].reason, Reason::Override);
    let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &inferred.schema).unwrap();
    let rows: Vec<usize> = chunks(&mut reader).unwrap().iter().map(|chunk| chunk.rows.n_rows()).collect();
    assert_eq!(rows, [350, 350, 200]);
}

#[test]
fn files_with_other_words_add_up() {
    let rows = messages(400);
    let (first, second, both) = (file(&rows[..150]), file(&rows[150..]), file(&rows));
    let schemas = [&first, &second, &both].map(|text| infer(text, &Overrides::default()).schema);
    let mut expected = trained(&both, &schemas[2], 64);
    let mut merged = trained(&first, &schemas[0], 64);
    merged.merge(&trained(&second, &schemas[1], 64)).unwrap();
    assert_eq!(merged, expected);
    // Training on goes the same way.
    let mut further = trained(&first, &schemas[0], 64);
    let mut reader = Csv::default().read_from(second.as_bytes(), "second.csv", &schemas[1]).unwrap();
    assert_eq!(train(&mut further, &mut reader).unwrap(), 250);
    assert_eq!(further, expected);
    expected.subtract(&trained(&second, &schemas[1], 64)).unwrap();
    assert_eq!(expected.stats().class_weights(), trained(&first, &schemas[0], 64).stats().class_weights());
}

#[test]
fn defects_are_named() {
    let text = file(&messages(100));
    let message = |options: TextOptions| {
        let overrides = Overrides::default().with_text("message", options);
        let error =
            Csv::default().infer_from(|| Ok(text.as_bytes()), "sms.csv", "label", &overrides).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        message(TextOptions::default().with_min_documents(101)),
        "sms.csv: column \"message\": all 727 distinct words are in fewer than 101 cells, at most in 39; use a lower \
         minimum document frequency"
    );
    assert_eq!(
        message(TextOptions::default().with_buckets(Some(0))),
        "sms.csv: column \"message\": 0 buckets; ask for 1 to 4194304"
    );
    let overrides = Overrides::default().with_texts([("mesage".to_owned(), TextOptions::default())].into());
    let error =
        Csv::default().infer_from(|| Ok(text.as_bytes()), "sms.csv", "label", &overrides).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("sms.csv: column \"mesage\" not found; the file has "), "{error}");
    assert!(error.ends_with("; did you mean \"message\"?"), "{error}");

    // A category without a name is found in a sparse table, too.
    let schema = infer(&text, &Overrides::default()).schema;
    let mut model = Model::new(schema.clone(), mixed(&schema), Prior::Empirical).unwrap();
    let table = TableOptions::default().with_new_levels(NewLevels::Unseen);
    let new = "length,network,message,label\n1,blue,a,ham\n2,black,b,ham\n";
    let csv = Csv::default().with_table(table);
    let error = train(&mut model, &mut csv.read_from(new.as_bytes(), "t.csv", &schema).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv, row 1 (counted from 0), column \"network\": a category that the schema does not have"
    );
    // New categories are learnt beside texts.
    let table = TableOptions::default().with_new_levels(NewLevels::Intern);
    let csv = Csv::default().with_table(table);
    assert_eq!(train(&mut model, &mut csv.read_from(new.as_bytes(), "t.csv", &schema).unwrap()).unwrap(), 2);
    assert!(matches!(&model.schema().columns[1].kind, Kind::Categorical { levels } if levels.len() == 4));
}

/// Twenty lines of a whole program: a spam filter.
#[test]
fn a_spam_filter_from_a_file() {
    let text = file(&messages(5574));
    let overrides = Overrides::default().ignore("length").ignore("network");
    let schema = infer(&text, &overrides).schema;
    let Kind::Text(of_schema) = &schema.columns[0].kind else { panic!("{schema:?}") };
    assert!(matches!(&of_schema.terms, Terms::Vocabulary(terms) if terms.len() > 8000));
    let mut model =
        Model::new(schema.clone(), Family::Multinomial(Multinomial::default()), Prior::Empirical).unwrap();
    let read = || Csv::default().read_from(text.as_bytes(), "sms.csv", &schema).unwrap();
    assert_eq!(train(&mut model, &mut read()).unwrap(), 5574);
    let (classifier, mut reader, mut right) = (model.classifier().unwrap(), read(), 0);
    while let Some(chunk) = reader.next_chunk().unwrap() {
        let found = classifier.predict(&chunk.rows).unwrap();
        right += found.iter().zip(&chunk.labels.unwrap()).filter(|(found, label)| found == label).count();
    }
    assert!(right > 5_500, "{right}");
}

#[cfg(feature = "arrow")]
#[test]
fn parquet_is_the_same_table() {
    use std::{fs::File, sync::Arc};

    use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use nb_io::read::Arrow;

    let mut rows = messages(700);
    rows[5].2 = String::new();
    let text = file(&rows);
    let texts = rows.iter().enumerate().map(|(row, (_, _, text, _))| (row != 5).then_some(text.as_str()));
    let columns: [(&str, ArrayRef); 4] = [
        ("length", Arc::new(rows.iter().map(|row| row.0).collect::<Float64Array>())),
        ("network", Arc::new(rows.iter().map(|row| Some(row.1)).collect::<StringArray>())),
        // No text is an empty one.
        ("message", Arc::new(texts.collect::<StringArray>())),
        ("label", Arc::new(rows.iter().map(|row| Some(row.3.as_str())).collect::<StringArray>())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sms.parquet");
    let file = File::create(&path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();

    let options = TextOptions::default().with_normalize_length(true).with_inverse_document_frequency(true);
    for overrides in [
        Overrides::default(),
        Overrides::default().with_default_text(options.clone()).with("message", KindChoice::Text),
    ] {
        let schema = infer(&text, &overrides).schema;
        let inferred = Arrow::default().infer(&path, "label", &overrides).unwrap();
        assert_eq!(inferred.schema, schema);
        let expected = trained(&text, &schema, 8192);
        for chunk_rows in [1, 64, 8192] {
            let mut model = Model::new(schema.clone(), mixed(&schema), Prior::Empirical).unwrap();
            let arrow = Arrow::default().with_table(TableOptions::default().with_chunk_rows(chunk_rows));
            assert_eq!(train(&mut model, &mut arrow.read(&path, &schema).unwrap()).unwrap(), 700);
            assert_eq!(model, expected);
        }
    }
}
