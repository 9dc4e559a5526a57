//! A cluster from Rust: tables with one line per cell, and labels.

use std::{sync::Arc, time::Duration};

use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray, Float64Array, Int64Array, StringArray},
        record_batch::RecordBatch,
    },
    parquet::arrow::ArrowWriter,
    prelude::ParquetReadOptions,
};
use nb_core::{Multinomial, Prior};
use nb_datafusion::{
    Long, Wanted,
    cluster::{ClientOptions, Cluster, ClusterError},
    fit_long, predict_frame,
};
use nb_io::{Column, Family, Kind, Model, Schema};

use super::{data::parquet, processes};

type Error = Box<dyn std::error::Error>;

async fn connect(cluster: &processes::Cluster) -> Result<Cluster, ClusterError> {
    Cluster::connect(&cluster.address(), ClientOptions { partitions: 4, ..ClientOptions::default() }).await
}

fn write(path: &std::path::Path, columns: Vec<(&str, ArrayRef)>) -> Result<String, Error> {
    let batch = RecordBatch::try_from_iter(columns)?;
    let mut writer = ArrowWriter::try_new(std::fs::File::create(path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(path.display().to_string())
}

/// 100,000 terms and 20 classes, in long form: each term stands in some rows of each class.
#[tokio::test(flavor = "multi_thread")]
async fn many_terms_in_long_form_give_the_same_bits() -> Result<(), Error> {
    const N_TERMS: usize = 100_000;
    const N_ROWS: usize = 2_000;
    const PER_ROW: usize = 200;
    let processes = processes::Cluster::start(2);
    let (mut rows, mut terms, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    let class = |row: usize| format!("class {:02}", row % 20);
    for row in 0..N_ROWS {
        for place in 0..PER_ROW {
            // Distinct within a row, since 200 steps of 499 do not go around.
            terms.push(i64::try_from((row * 7919 + place * 499) % N_TERMS)?);
            rows.push(i64::try_from(row)?);
            counts.push((1 + (row + place) % 3) as f64);
        }
    }
    let columns = (0..N_TERMS).map(|term| Column { name: format!("t{term}"), kind: Kind::Count });
    let schema = Schema { columns: columns.collect(), label: "y".into() };
    let mut reference = Model::new(schema, Family::Multinomial(Multinomial::default()), Prior::Empirical)?;
    let template = reference.clone();
    let offsets: Vec<usize> = (0..=N_ROWS).map(|row| row * PER_ROW).collect();
    let (mut sorted_terms, mut sorted_counts) = (Vec::new(), Vec::new());
    for row in 0..N_ROWS {
        let own = row * PER_ROW..(row + 1) * PER_ROW;
        let mut cells: Vec<_> = terms[own.clone()].iter().zip(&counts[own]).collect();
        cells.sort_by_key(|(term, _)| **term);
        sorted_terms.extend(cells.iter().map(|(term, _)| **term as usize));
        sorted_counts.extend(cells.iter().map(|(_, count)| **count));
    }
    let sparse = nb_core::CsrView::new(N_TERMS, &offsets, &sorted_terms, &sorted_counts)?;
    reference.update(&sparse, &(0..N_ROWS).map(class).collect::<Vec<_>>())?;

    let folder = tempfile::tempdir()?;
    let labels: Vec<String> = rows.iter().map(|row| class(*row as usize)).collect();
    let path = write(
        &folder.path().join("long.parquet"),
        vec![
            ("row", Arc::new(Int64Array::from(rows))),
            ("term", Arc::new(Int64Array::from(terms))),
            ("count", Arc::new(Float64Array::from(counts))),
            ("class", Arc::new(StringArray::from(labels))),
        ],
    )?;
    let cluster = connect(&processes).await?;
    let context = cluster.context();
    let names = Long { row: "row", feature: "term", value: "count", label: "class", weight: None };
    let start = std::time::Instant::now();
    let model = cluster
        .run(async || {
            let cells = context.read_parquet(&path, ParquetReadOptions::default()).await?;
            fit_long(cells, None, names, &template).await
        })
        .await?;
    println!("100,000 terms, 20 classes, 400,000 cells: {:?}", start.elapsed());
    assert!(model.to_bytes()? == reference.to_bytes()?, "other bytes");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_are_those_of_one_process() -> Result<(), Error> {
    let processes = processes::Cluster::start(2);
    let model = Model::from_bytes(&parquet().model)?;
    let x: Vec<f64> = (0..10_000).map(|row| f64::from(row % 997) / 250.0).collect();
    let folder = tempfile::tempdir()?;
    let path = write(
        &folder.path().join("new.parquet"),
        vec![
            ("id", Arc::new(Int64Array::from_iter_values(0..10_000))),
            ("x1", Arc::new(Float64Array::from_iter_values(x.iter().map(|x| 1e9 + x)))),
            ("x2", Arc::new(Float64Array::from_iter_values(x.iter().map(|x| x / 4.0 - 0.5)))),
            ("x3", Arc::new(Float64Array::from_iter_values(x.iter().map(|x| x / 1e4)))),
        ],
    )?;
    let rows = ndarray::Array2::from_shape_fn((x.len(), 3), |(row, column)| match column {
        0 => 1e9 + x[row],
        1 => x[row] / 4.0 - 0.5,
        _ => x[row] / 1e4,
    });
    let classifier = model.classifier()?;
    let (labels, posteriors) = (classifier.predict(&rows)?, classifier.predict_proba(&rows)?);
    let cluster = connect(&processes).await?;
    let batches = cluster
        .run(async || {
            let frame = cluster.context().read_parquet(&path, ParquetReadOptions::default()).await?;
            let wanted = Wanted { proba: true, log_proba: false };
            Ok::<_, nb_datafusion::FitError>(predict_frame(frame, &["id"], &model, wanted)?.collect().await?)
        })
        .await?;
    let mut n_rows = 0;
    for batch in &batches {
        let ids = batch.column(0).as_primitive::<datafusion::arrow::datatypes::Int64Type>();
        let answers =
            datafusion::arrow::compute::cast(batch.column(1), &datafusion::arrow::datatypes::DataType::Utf8)?;
        for (place, id) in ids.values().iter().enumerate() {
            let id = *id as usize;
            assert_eq!(answers.as_string::<i32>().value(place), labels[id]);
            for class in 0..3 {
                let p = batch.column(2 + class).as_primitive::<datafusion::arrow::datatypes::Float64Type>();
                assert_eq!(p.value(place).to_bits(), posteriors[[id, class]].to_bits());
            }
        }
        n_rows += batch.num_rows();
    }
    assert_eq!(n_rows, 10_000);
    Ok(())
}

#[tokio::test]
async fn nobody_at_the_address_is_an_error() {
    let options = || ClientOptions { patience: Duration::from_secs(1), ..ClientOptions::default() };
    let error = Cluster::connect("df://127.0.0.1:1", options()).await.unwrap_err();
    assert!(matches!(error, ClusterError::Unreachable { seconds: 1, .. }), "{error}");
    let error = Cluster::connect("127.0.0.1:1", options()).await.unwrap_err();
    assert!(matches!(error, ClusterError::Address { .. }), "{error}");
    let processes = processes::Cluster::start(0);
    let error = Cluster::connect(&processes.address(), options()).await.unwrap_err();
    assert!(matches!(error, ClusterError::NoExecutors { seconds: 1, .. }), "{error}");
}
