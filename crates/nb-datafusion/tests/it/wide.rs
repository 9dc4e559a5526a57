//! Many columns, many terms, many classes.

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{
            ArrayRef, FixedSizeListArray, Float32Array, Float64Array, Int64Array, ListArray, StringArray,
        },
        buffer::OffsetBuffer,
        datatypes::{DataType, Field, Schema as ArrowSchema},
        record_batch::RecordBatch,
    },
    datasource::MemTable,
};
use nb_core::{Gaussian, Multinomial, NaiveBayes, Prior};
use nb_datafusion::{Long, Wanted, fit, fit_long, predict_frame};
use nb_io::{Family, Model, Schema, read::SparseTable};
use ndarray::Array2;

use crate::support::{Numbers, Tested, context, model};

#[tokio::test]
async fn thousands_of_columns() -> Tested {
    const N_ROWS: usize = 400;
    for n_columns in [1000, 5000] {
        let mut numbers = Numbers(n_columns as u64);
        let cells = Array2::from_shape_simple_fn((N_ROWS, n_columns), || 1e6 + numbers.unit());
        let labels: Vec<i64> = (0..7).cycle().take(N_ROWS).collect();
        let names: Vec<String> = (0..n_columns).map(|column| format!("x{column}")).collect();
        let fields = names.iter().map(|name| Field::new(name, DataType::Float64, false));
        let fields = [Field::new("y", DataType::Int64, false)].into_iter().chain(fields);
        let schema = ArrowSchema::new(fields.collect::<Vec<_>>());
        let columns = cells
            .columns()
            .into_iter()
            .map(|column| Arc::new(Float64Array::from(column.to_vec())) as ArrayRef);
        let columns = [Arc::new(Int64Array::from(labels.clone())) as ArrayRef].into_iter().chain(columns);
        let batch = RecordBatch::try_new(Arc::new(schema), columns.collect())?;
        let context = context(4, 64);
        let parts = (0..4).map(|part| vec![batch.slice(part * N_ROWS / 4, N_ROWS / 4)]).collect();
        context.register_table("t", Arc::new(MemTable::try_new(batch.schema(), parts)?))?;

        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let naive_bayes =
            NaiveBayes { model: Family::Gaussian(Gaussian::default()), prior: Prior::Empirical };
        let fitted = fit(&context, "t", "y", &names, &naive_bayes).await?;
        let mut alone = Model::new(Schema::numeric(names, "y"), naive_bayes.model, Prior::Empirical)?;
        let labels: Vec<String> = labels.iter().map(i64::to_string).collect();
        alone.update(&cells, &labels)?;
        assert!(fitted.to_bytes()? == alone.to_bytes()?, "{n_columns} columns");

        let predicted = predict_frame(context.table("t").await?, &[], &fitted, Wanted::default())?;
        assert_eq!(predicted.count().await?, N_ROWS);
    }
    Ok(())
}

#[tokio::test]
async fn long_vectors_in_single_precision() -> Tested {
    const N_ROWS: usize = 300;
    const LENGTH: usize = 6000;
    let mut numbers = Numbers(11);
    let cells: Vec<f32> = (0..N_ROWS * LENGTH).map(|_| numbers.unit() as f32).collect();
    let labels: Vec<String> = (0..N_ROWS).map(|row| ["cat", "dog"][row % 2].into()).collect();
    let item = Arc::new(Field::new_list_field(DataType::Float32, false));
    let fixed = FixedSizeListArray::new(
        item.clone(),
        i32::try_from(LENGTH)?,
        Arc::new(Float32Array::from(cells.clone())),
        None,
    );
    let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(LENGTH, N_ROWS));
    let list = ListArray::new(item, offsets, Arc::new(Float32Array::from(cells.clone())), None);
    let columns: [(&str, ArrayRef); 3] = [
        ("y", Arc::new(StringArray::from(labels.clone()))),
        ("fixed", Arc::new(fixed)),
        ("list", Arc::new(list)),
    ];
    let context = context(2, 128);
    context.register_batch("t", RecordBatch::try_from_iter(columns)?)?;
    let cells = Array2::from_shape_vec((N_ROWS, LENGTH), cells)?.mapv(f64::from);
    for column in ["fixed", "list"] {
        let fitted = model(&context, &format!("SELECT nb_fit(y, {column}) FROM t")).await?;
        let mut alone = Model::new(fitted.schema().clone(), fitted.family().clone(), Prior::Empirical)?;
        alone.update(&cells, &labels)?;
        assert!(fitted.to_bytes()? == alone.to_bytes()?, "{column}");
    }
    Ok(())
}

#[tokio::test]
async fn a_hundred_thousand_terms_and_twenty_classes() -> Tested {
    const N_TERMS: u64 = 100_000;
    const N_ROWS: i64 = 20_000;
    let (mut numbers, mut rows, mut labels) = (Numbers(4), Vec::new(), Vec::new());
    let (mut terms, mut counts) = (Vec::new(), Vec::new());
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in 0..N_ROWS {
        let mut own: Vec<u64> = (0..12).map(|_| numbers.below(N_TERMS)).collect();
        own.sort_unstable();
        own.dedup();
        for &term in &own {
            rows.push(row);
            labels.push(row % 20);
            terms.push(term.cast_signed());
            counts.push((1 + numbers.below(5)) as f64);
        }
        indices.extend(own.iter().map(|&term| term as usize));
        values.extend_from_slice(&counts[counts.len() - own.len()..]);
        indptr.push(indices.len());
    }
    let columns: [(&str, ArrayRef); 4] = [
        ("doc", Arc::new(Int64Array::from(rows))),
        ("class", Arc::new(Int64Array::from(labels))),
        ("term", Arc::new(Int64Array::from(terms))),
        ("n", Arc::new(Float64Array::from(counts))),
    ];
    let context = context(4, 8192);
    context.register_batch("cells", RecordBatch::try_from_iter(columns)?)?;
    let names: Vec<String> = (0..N_TERMS).map(|term| format!("term {term}")).collect();
    let schema = Schema::numeric(names.iter().map(String::as_str), "class");
    let mut alone = Model::new(schema, Family::Multinomial(Multinomial::default()), Prior::Empirical)?;
    let long = Long { row: "doc", feature: "term", value: "n", label: "class", weight: None };
    let fitted = fit_long(context.table("cells").await?, None, long, &alone).await?;
    let table = SparseTable::new(N_TERMS as usize, indptr, indices, values)?;
    let labels: Vec<String> = (0..N_ROWS).map(|row| (row % 20).to_string()).collect();
    alone.update(&table, &labels)?;
    assert!(fitted.to_bytes()? == alone.to_bytes()?);
    Ok(())
}
