//! From a file into a model, whole or not at all.

use nb_core::{Blocks, Categorical, Categories, Gaussian, Prior};
use nb_io::read::{Csv, NewLevels, Overrides, TableOptions, TrainFileError, train};
use nb_io::{Family, Kind, Model, Schema};

const FIRST: &str = "size,colour,y\n1,red,a\n2,blue,b\n3,red,a\n5,blue,b\n";
const SECOND: &str = "colour,y,size\ngreen,a,4\nred,b,7\n";

fn family(categories: Categories) -> Family {
    let categorical = Categorical { categories, ..Categorical::default() };
    let blocks = Blocks::default()
        .with_same([0], Family::Gaussian(Gaussian::default()))
        .with_same([1], Family::Categorical(categorical));
    Family::Blocks(blocks)
}

fn schema(text: &str) -> Schema {
    Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap().schema
}

fn csv(new_levels: NewLevels) -> Csv {
    Csv::default().with_table(TableOptions::default().with_new_levels(new_levels))
}

#[test]
fn files_add_up_whatever_their_order_and_new_categories() {
    for categories in [Categories::Inferred, Categories::Declared(vec![2])] {
        let schema = schema(FIRST);
        let mut model = Model::new(schema.clone(), family(categories.clone()), Prior::Empirical).unwrap();
        let reader = |text: &'static str, name| {
            csv(NewLevels::Intern).read_from(text.as_bytes(), name, &schema).unwrap()
        };
        assert_eq!(train(&mut model, &mut reader(FIRST, "first.csv")).unwrap(), 4);
        assert_eq!(train(&mut model, &mut reader(SECOND, "second.csv")).unwrap(), 2);
        let Kind::Categorical { levels } = &model.schema().columns[1].kind else { panic!("categorical") };
        assert_eq!(levels, &["blue", "green", "red"]);

        let mut other = Model::new(schema.clone(), family(categories), Prior::Empirical).unwrap();
        assert_eq!(train(&mut other, &mut reader(SECOND, "second.csv")).unwrap(), 2);
        assert_eq!(train(&mut other, &mut reader(FIRST, "first.csv")).unwrap(), 4);
        assert_eq!(model, other);
    }
}

#[test]
fn on_an_error_nothing_was_added() {
    let schema = schema(FIRST);
    let mut model = Model::new(schema.clone(), family(Categories::Inferred), Prior::Empirical).unwrap();
    let before = model.clone();
    let one = TableOptions::default().with_chunk_rows(1).with_new_levels(NewLevels::Unseen);
    let csv = Csv::default().with_table(one);
    let mut message = |text: &str| {
        let error =
            train(&mut model, &mut csv.read_from(text.as_bytes(), "t.csv", &schema).unwrap()).unwrap_err();
        assert_eq!(model, before);
        error.to_string()
    };
    assert!(
        message("size,colour,y\n1,red,a\n2,blue,b\nx,red,a\n")
            .starts_with("t.csv, line 4, column \"size\": \"x\"")
    );
    assert_eq!(
        message("size,colour,y\n1,red,a\n,blue,b\n"),
        "t.csv, column \"size\": row 1, column 0: NaN is missing; drop or impute the cell, or choose `Missing::Skip` for \
         the family (rows counted from 0)"
    );
    assert_eq!(
        message("size,colour,y\n1,red,a\n2,green,b\n"),
        "t.csv, row 1 (counted from 0), column \"colour\": a category that the schema does not have"
    );
    assert_eq!(
        message("size,colour\n1,red\n"),
        "t.csv has no labels; a model is trained from a file with the label column \"y\""
    );
}

#[test]
fn the_columns_must_be_those_of_the_model() {
    let mut model = Model::new(schema(FIRST), family(Categories::Inferred), Prior::Empirical).unwrap();
    let text = "size,y\n1,a\n";
    let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &schema(text)).unwrap();
    let error = train(&mut model, &mut reader).unwrap_err();
    assert!(matches!(error, TrainFileError::Schema { .. }), "{error}");
}

#[test]
fn a_file_in_chunks_is_the_file_at_once() {
    let bytes = nb_datasets::csv("iris").unwrap();
    let schema = schema_of(&bytes);
    let with_chunks = |chunk_rows| {
        let csv = Csv::default().with_table(TableOptions::default().with_chunk_rows(chunk_rows));
        let family = Family::Gaussian(Gaussian::default());
        let mut model = Model::new(schema.clone(), family, Prior::Empirical).unwrap();
        let n_rows = train(&mut model, &mut csv.read_from(&bytes[..], "iris.csv", &schema).unwrap()).unwrap();
        assert_eq!(n_rows, 150);
        model
    };
    assert_eq!(with_chunks(7), with_chunks(1000));
}

fn schema_of(bytes: &[u8]) -> Schema {
    Csv::default().infer_from(|| Ok(bytes), "iris.csv", "species", &Overrides::default()).unwrap().schema
}
