//! Attribute relations.

use nb_io::{
    Kind, Schema,
    read::{Arff, Inferred, KindChoice, Overrides, ReadError, Reason},
};
use ndarray::array;

use crate::{assert_same, chunks, dense, mutations, only_chunk};

const FLOWERS: &str = "% Flowers\n\n@RELATION 'my flowers'\n@attribute 'petal length' REAL\n@Attribute\tn integer\n\
                       @attribute colour {'dark red', blue, \"it's\"}\n@attribute grade {1,2}\n\
                       @attribute day date \"yyyy-MM-dd\"\n@attribute note string\n@attribute y {a, b}\n\n@DATA\n\
                       1.5, 2, 'dark red', 1, 2024-01-05, 'a, \\'b\\'', a\n% a comment\n\n\
                       ?,3,blue,2,'2024-01-06',?,b\n-2e3\t?\t\"it's\"\t1\t?\tc\tb\n";

fn infer(text: &str) -> Result<Inferred, ReadError> {
    Arff::default().infer_from(|| Ok(text.as_bytes()), "t.arff", "y", &Overrides::default())
}

#[test]
fn attributes_are_columns_of_their_types() {
    let inferred = infer(FLOWERS).unwrap();
    let levels =
        |levels: &[&str]| Kind::Categorical { levels: levels.iter().map(|&level| level.into()).collect() };
    let kinds: Vec<Kind> = inferred.columns.iter().map(|column| column.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            Kind::Numeric,
            Kind::Numeric,
            levels(&["blue", "dark red", "it's"]),
            levels(&["1", "2"]),
            Kind::Numeric,
            levels(&["a, 'b'", "c"])
        ]
    );
    assert_eq!(inferred.columns[3].reason, Reason::Type("nominal".into()));
    assert_eq!(inferred.columns[4].reason, Reason::Dates);
    let chunk =
        only_chunk(&mut Arff::default().read_from(FLOWERS.as_bytes(), "t", &inferred.schema).unwrap());
    let nan = f64::NAN;
    let expected = array![
        [1.5, 2.0, 1.0, 0.0, 19_727.0, 0.0],
        [nan, 3.0, 0.0, 1.0, 19_728.0, nan],
        [-2000.0, nan, 2.0, 0.0, nan, 1.0]
    ];
    assert_same(dense(&chunk.rows), &expected);
    assert_eq!(chunk.labels.unwrap(), ["a", "b", "b"]);
    let overrides = Overrides::default().with("grade", KindChoice::Numeric);
    let asked = Arff::default().infer_from(|| Ok(FLOWERS.as_bytes()), "t", "y", &overrides).unwrap();
    assert_eq!((&asked.columns[3].kind, &asked.columns[3].reason), (&Kind::Numeric, &Reason::Override));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let start = "@relation r\n@attribute x real\n@attribute y {a,b}\n";
    for (text, expected) in [
        ("@relation r\n", "t.arff, line 1: no ARFF file: there is no @data; is the file complete?"),
        ("@relation r\n@data\n1\n", "t.arff, line 2: no ARFF file: there is no @attribute before @data"),
        (
            "@relation r\n@attribute x\n",
            "t.arff, line 2: no ARFF file: an attribute has a name, in quotes if there are spaces in it, and a type",
        ),
        (
            "@relation r\n@attribute 'x real\n",
            "t.arff, line 2: no ARFF file: an attribute has a name, in quotes if there are spaces in it, and a type",
        ),
        ("@relation r\n1,2\n", "t.arff, line 2: no ARFF file: \"1,2\" is no @relation, @attribute or @data"),
        (
            "@attribute bag relational\n",
            "t.arff, line 1: no ARFF file: attribute \"bag\" is of type \"relational\", which is not numeric, nominal, string or date; remove it",
        ),
        (
            "@@data\n{0 1, 1 a}\n",
            "t.arff, line 5: no ARFF file: the row is sparse; save the file with the filter SparseToNonSparse of Weka",
        ),
        (
            "@@data\n1,'a' b\n",
            "t.arff, line 5: no ARFF file: there is something between a quote and the next comma",
        ),
        (
            "@@data\n1,'a\n",
            "t.arff, line 5: a quote is opened here and never closed; close or double it, or turn quoting off",
        ),
        (
            "@@data\n\n% x\n1\n",
            "t.arff, line 7: 1 field where the first line has 2; complete the line, or quote fields that contain the delimiter",
        ),
        (
            "@@data\n1,a\n\nsoon,b\n",
            "t.arff, line 7, column \"x\": \"soon\" is not a number; correct it, add it to the missing-value markers, or make the column categorical",
        ),
        ("@@data\n", "t.arff: the file has no rows; a schema is learnt from at least one"),
    ] {
        let text = text
            .strip_prefix('@')
            .filter(|text| text.starts_with("@d"))
            .map_or_else(|| text.to_owned(), |rest| format!("{start}{rest}"));
        assert_eq!(infer(&text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn damage_is_an_error_or_another_table() {
    let schema = Schema::numeric(["n"], "y");
    mutations::of(FLOWERS.as_bytes(), 2000, |bytes| {
        let _ = Arff::default().infer_from(|| Ok(bytes), "t", "y", &Overrides::default());
        let _ = Arff::default().read_from(bytes, "t", &schema).and_then(|mut reader| chunks(&mut reader));
    });
}
