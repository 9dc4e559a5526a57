//! A text model learns from raw messages, travels in a file, and labels raw messages.

use nb_core::{Multinomial, Prior};
use nb_io::{Family, Model, Schema, SchemaError, Text};

use crate::examples::labels;

fn settings() -> Text {
    Text { column: "message".into(), lower_case: true, min_chars: 2 }
}

#[test]
fn a_spam_filter_in_a_file() {
    let sms = nb_datasets::load_text().expect("embedded");
    let schema = settings().learn(&sms.texts, 1, "label").expect("there are terms");
    let mut model = Model::new(schema, Family::Multinomial(Multinomial::default()), Prior::Empirical)
        .expect("they fit together");
    let counts = model.schema().count_terms(&sms.texts).expect("terms");
    model.update(&counts, &labels(sms.y())).expect("valid counts");

    let loaded = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes");
    assert_eq!(loaded, model);
    assert_eq!(Model::from_json(&model.to_json().expect("encodes")).expect("decodes"), model);
    let classifier = loaded.classifier().expect("fits");
    let answers =
        classifier.predict(&loaded.schema().count_terms(&sms.texts).expect("terms")).expect("scores");
    let right = answers.iter().zip(sms.y()).filter(|(answer, label)| answer == label).count();
    assert!(right > 5_500, "{right} of 5,574");
    let new = ["WINNER!! Claim your free prize now, call 09061701461", "see you at lunch then?"];
    let new = loaded.schema().count_terms(&new).expect("terms");
    assert_eq!(classifier.predict(&new).expect("scores"), ["spam", "ham"]);
}

/// The embedded counts were made by other means from runs of ASCII letters and digits.
#[test]
fn terms_are_counted_as_elsewhere() {
    let sms = nb_datasets::load_text().expect("embedded");
    let plain: Vec<usize> = (0..sms.n_rows()).filter(|&row| sms.texts[row].is_ascii()).collect();
    assert!(plain.len() > 5_000);
    let columns =
        sms.vocabulary.iter().map(|term| nb_io::Column { name: term.clone(), kind: nb_io::Kind::Count });
    let schema = Schema { columns: columns.collect(), label: "label".into(), text: Some(settings()) };
    let texts: Vec<&str> = plain.iter().map(|&row| sms.texts[row].as_str()).collect();
    let counts = schema.count_terms(&texts).expect("terms");
    for (position, &row) in plain.iter().enumerate() {
        let (own, other) =
            (counts.indptr()[position]..counts.indptr()[position + 1], sms.indptr[row]..sms.indptr[row + 1]);
        assert_eq!(counts.indices()[own.clone()], sms.indices[other.clone()], "{}", texts[position]);
        assert_eq!(counts.values()[own], sms.values[other], "{}", texts[position]);
    }
}

#[test]
fn schemas_of_other_texts_do_not_mix() {
    let schema = settings().learn(&["one two", "two"], 2, "label").expect("a term");
    assert_eq!(schema.columns.len(), 1);
    assert_eq!(settings().learn(&["one"], 2, "label"), Err(SchemaError::NoColumns));
    assert_eq!(Schema::numeric(["x"], "y").count_terms(&["x"]), Err(SchemaError::NoText));
    let model = |text: Text| {
        let schema = text.learn(&["one two"], 1, "label").expect("terms");
        Model::new(schema, Family::Multinomial(Multinomial::default()), Prior::Uniform)
            .expect("they fit together")
    };
    let mut left = model(settings());
    assert!(left.merge(&model(Text { lower_case: false, ..settings() })).is_err());
    // A term may be called like the label, the column of the text may not.
    assert!(settings().learn(&["label"], 1, "label").is_ok());
    assert!(settings().learn(&["word"], 1, "message").is_err());
}
