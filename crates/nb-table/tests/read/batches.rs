//! Record batches in memory give the rows that files with the same columns give.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float32Array, Float64Array, Int32Array, Int64Array,
    RecordBatch, RecordBatchIterator, StringArray, types::Int8Type,
};
use nb_core::{Rows, family::BlockBuffer};
use nb_io::read::{Arrow, BatchRows, ReadChunks, Table};
use nb_io::{Column, Kind, Schema, Text};

fn batch() -> RecordBatch {
    let colours: DictionaryArray<Int8Type> =
        vec![Some("red"), None, Some("blue"), Some("red")].into_iter().collect();
    let columns: [(&str, ArrayRef); 7] = [
        ("shape", Arc::new(StringArray::from(vec![Some("round"), Some("square"), Some("round"), None]))),
        ("colour", Arc::new(colours)),
        ("rings", Arc::new(Int32Array::from(vec![Some(3), Some(0), None, Some(7)]))),
        ("length", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(-2.0), Some(0.0)]))),
        ("width", Arc::new(Float32Array::from(vec![0.5, f32::NAN, 1.0, 2.0]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, Some(true)]))),
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3, 4]))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}

fn schema() -> Schema {
    let levels = |names: [&str; 2]| Kind::Categorical { levels: names.map(String::from).into() };
    let columns = [
        ("length", Kind::Numeric),
        ("width", Kind::Numeric),
        ("flag", Kind::Numeric),
        ("id", Kind::Numeric),
        ("rings", Kind::Count),
        ("colour", levels(["blue", "red"])),
        ("shape", levels(["round", "square"])),
    ];
    let columns = columns.map(|(name, kind)| Column { name: name.into(), kind }).into();
    Schema { columns, label: "species".into() }
}

/// The rows as a reader gives them.
fn table(batch: &RecordBatch, schema: &Schema) -> Table {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let mut reader = Arrow::default().read_batches("a query", batches, schema).unwrap();
    assert_eq!(reader.name(), "a query");
    let chunk = reader.next_chunk().unwrap().unwrap();
    assert!(reader.next_chunk().unwrap().is_none());
    chunk.rows
}

fn cells(rows: &impl Rows, numbers: &[usize]) -> Vec<Vec<String>> {
    let mut buffer = BlockBuffer::default();
    rows.copy_rows(numbers, &mut buffer);
    let mut cells = Vec::new();
    buffer.block().for_each_row(|_, row| cells.push(row.iter().map(f64::to_string).collect()));
    cells
}

#[test]
fn the_rows_of_a_batch_are_those_of_a_reader() {
    let (batch, schema) = (batch(), schema());
    let rows = Arrow::default().rows(&batch, &schema).unwrap();
    assert_eq!((rows.n_rows(), rows.n_columns()), (4, 7));
    for numbers in [&[0, 1, 2, 3][..], &[2, 0], &[]] {
        assert_eq!(cells(&rows, numbers), cells(&table(&batch, &schema), numbers));
    }
    assert_eq!(cells(&rows, &[3]), [["0", "2", "1", "4", "7", "1", "NaN"]]);
}

#[test]
fn texts_and_no_rows_are_rows_too() {
    let batch = batch();
    let text = |batch: &RecordBatch| -> usize {
        let schema = Schema::of_text("shape", Text::hashed(16), "species");
        let rows: BatchRows<'_> = Arrow::default().rows(batch, &schema).unwrap();
        assert_eq!(rows.n_columns(), 16);
        rows.n_rows()
    };
    assert_eq!((text(&batch), text(&batch.slice(0, 0))), (4, 0));
    assert_eq!(Arrow::default().rows(&batch.slice(1, 0), &schema()).unwrap().n_rows(), 0);
}

#[test]
fn what_is_no_cell_of_its_column_is_named() {
    let refused = |column: &str, array: ArrayRef| {
        let schema = schema();
        let batch = batch();
        let columns = batch.schema().fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
        let columns = columns.iter().map(|name| {
            let own = batch.column_by_name(name).unwrap();
            (name.as_str(), if name == column { Arc::clone(&array) } else { Arc::clone(own) }, true)
        });
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        let error = Arrow::default().rows(&batch, &schema).unwrap_err();
        assert_eq!(error.column(), Some(column));
        error.to_string()
    };
    let numbers = |values: [f64; 4]| Arc::new(Float64Array::from(values.to_vec())) as Arc<dyn Array>;
    let infinite = refused("length", numbers([0.0, 0.0, f64::INFINITY, 0.0]));
    assert!(
        infinite.starts_with("record batch, row 2, column \"length\": \"inf\" is infinite"),
        "{infinite}"
    );
    let fraction = refused("rings", numbers([0.0, 0.5, 1.0, 0.0]));
    assert!(
        fraction.starts_with("record batch, row 1, column \"rings\": \"0.5\" is not a count"),
        "{fraction}"
    );
    let level = refused("shape", Arc::new(StringArray::from(vec!["round", "rund", "round", "round"])));
    assert!(level.contains("the nearest is \"round\""), "{level}");
    let huge = refused("id", Arc::new(Int64Array::from(vec![0, 0, 0, (1 << 53) + 1])));
    assert!(huge.contains("row 3"), "{huge}");
}
