//! Defects of schemas, and unions.

use super::*;
use crate::text::TextOptions;

#[test]
fn defects_are_named() {
    assert_eq!(Schema::numeric([], "y").check(), Err(SchemaError::NoColumns));
    assert_eq!(
        Schema::numeric(["a", "a"], "y").check(),
        Err(SchemaError::DuplicateName { name: "a".into() })
    );
    assert_eq!(
        Schema::numeric(["a", "y"], "y").check(),
        Err(SchemaError::DuplicateName { name: "y".into() })
    );
    for names in [["a", "b", "b"], ["x1", "x10", "x1"], ["b", "a", "b"], ["x2", "x10", "x2"]] {
        let name = names[2].to_owned();
        assert_eq!(
            Schema::numeric(names, "y").check(),
            Err(SchemaError::DuplicateName { name: name.clone() })
        );
        let levels = names.map(String::from).to_vec();
        let mut schema = Schema::numeric(["a"], "y");
        schema.columns[0].kind = Kind::Categorical { levels };
        assert_eq!(schema.check(), Err(SchemaError::DuplicateLevel { column: "a".into(), level: name }));
    }
    for names in [["a", "b", "c"], ["x2", "x10", "x11"], ["c", "a", "b"]] {
        assert_eq!(Schema::numeric(names, "y").check(), Ok(()));
    }
    let error = Schema::numeric(["a"], "y").union(&Schema::numeric(["a", "b"], "y")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column 1 is \"no column\" in one schema and \"b, numeric\" in the other; they must have the same columns"
    );
}

#[test]
fn terms_with_the_same_frequencies_have_a_union() {
    let options = TextOptions::default().with_inverse_document_frequency(true);
    let known = Text::learn(&["free one", "one two", "two"], &options).unwrap();
    let new = known.with_vocabulary(["new", "one"].map(String::from).to_vec());
    let union = union_of_texts("text", &known, &new).unwrap();
    let terms = ["free", "new", "one", "two"].map(String::from).to_vec();
    assert_eq!(union.terms, Terms::Vocabulary(terms.clone()));
    assert_eq!(union, known.with_vocabulary(terms));
    let (rare, common) = (libm::log(3.0), libm::log(1.5));
    assert_eq!(union.weighting.inverse_document_frequency, Some(vec![rare, rare, common, common]));
    let other = Text::learn(&["one", "one two"], &options).unwrap();
    let error = union_of_texts("text", &known, &other).unwrap_err();
    assert!(matches!(error, SchemaError::FrequencyMismatch { .. }), "{error}");
}
