//! scry-learn 0.1.0, which takes columns to fit, rows of their own to predict, and labels in double
//! precision; all are made outside the timing.

use scry_learn::{
    dataset::Dataset,
    naive_bayes::{GaussianNb, MultinomialNB},
    partial_fit::PartialFit,
    sparse::{CscMatrix, CsrMatrix},
};

use crate::{
    arrays::{Data, Table},
    data::Cells,
    ours::SINGLE_ROWS,
    task::{Answer, Check, Task, none},
};

/// Prepares an operation.
pub(crate) fn prepare<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let (workload, operation) = operation.split_once(':').ok_or("an operation is WORKLOAD:NAME")?;
    match &data.table {
        Table::F64(_) if workload == "P1" => stream(data, operation),
        Table::F64(_) => match data.meta.cells {
            Cells::F64 => gaussian(data, operation),
            Cells::Counts => multinomial(data, operation),
            _ => Err("has no categorical family".into()),
        },
        Table::F32(_) => Err("takes no single precision".into()),
        Table::U8(_) => Err("has no categorical family".into()),
        Table::Csr { .. } if workload == "M2" => sparse(data, operation),
        Table::Csr { .. } if workload == "M2b" => Err("its Bernoulli family takes no sparse rows".into()),
        Table::Csr { .. } if workload == "M2c" => Err("has no complement family".into()),
        Table::Csr { .. } => Err("has files of models only with an optional feature".into()),
    }
}

/// Rows as columns, with labels.
fn dataset(data: &Data, rows: std::ops::Range<usize>) -> Result<Dataset, String> {
    let x = data.f64()?;
    let columns = (0..x.ncols()).map(|column| rows.clone().map(|row| x[[row, column]]).collect()).collect();
    let names = (0..x.ncols()).map(|column| format!("x{column}")).collect();
    Ok(Dataset::new(columns, target(&data.y[rows]), names, "label"))
}

fn target(y: &[i64]) -> Vec<f64> {
    y.iter().map(|&label| label as f64).collect()
}

fn rows(data: &Data, n_rows: usize) -> Result<Vec<Vec<f64>>, String> {
    Ok(data.f64()?.rows().into_iter().take(n_rows).map(|row| row.to_vec()).collect())
}

/// The operations of a dense family; they differ in nothing but a type, which no trait of scry-learn spans.
macro_rules! family {
    ($name:ident, $model:ident) => {
        fn $name<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
            if operation == "fit" {
                let (dataset, head) = (dataset(data, 0..data.meta.rows)?, rows(data, data.head())?);
                let head = std::rc::Rc::new(head);
                return Ok(Box::new(move || {
                    let mut model = $model::new();
                    let fitted = model.fit(&dataset);
                    let head = head.clone();
                    Box::new(move || {
                        fitted
                            .ok()
                            .and_then(|()| model.predict(&head).ok())
                            .map_or(Check::number(f64::NAN), |labels| {
                                labels_check(&labels, &data.y[..data.head()])
                            })
                    }) as Answer<'a>
                }));
            }
            let mut model = $model::new();
            model.fit(&dataset(data, 0..data.meta.rows)?).map_err(|error| error.to_string())?;
            let rows = rows(data, data.meta.rows)?;
            Ok(match operation {
                "labels" => Box::new(move || {
                    let labels = model.predict(&rows).unwrap_or_default();
                    Box::new(move || labels_check(&labels, &data.y))
                }),
                "posteriors" => Box::new(move || {
                    let posteriors = model.predict_proba(&rows).unwrap_or_default();
                    Box::new(move || posteriors_check(posteriors, data))
                }),
                "row" => {
                    let rows: Vec<_> = rows.into_iter().map(|row| vec![row]).collect();
                    Box::new(move || {
                        let labels: Vec<f64> =
                            rows.iter().filter_map(|row| model.predict(row).ok()?.pop()).collect();
                        Box::new(move || labels_check(&labels, &data.y))
                    })
                }
                other => return none(other),
            })
        }
    };
}

family!(gaussian, GaussianNb);
family!(multinomial, MultinomialNB);

fn labels_check(labels: &[f64], y: &[i64]) -> Check {
    Check::labels(labels.iter().map(|&label| label as i64), y)
}

/// What it returns are probabilities; their logarithms are taken outside the timing.
fn posteriors_check(posteriors: Vec<Vec<f64>>, data: &Data) -> Check {
    Check::log_posteriors(posteriors.into_iter().flatten().map(f64::ln), data.meta.classes)
}

/// Sparse multinomial: columns to fit, rows to predict.
fn sparse<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let Table::Csr { indptr, indices, values } = &data.table else {
        return Err("takes sparse rows here".into());
    };
    let (n_rows, n_columns) = (data.meta.rows, data.meta.columns);
    let columns: Vec<usize> = indices.iter().map(|&column| column as usize).collect();
    let rows: Vec<usize> = indptr
        .windows(2)
        .enumerate()
        .flat_map(|(row, ends)| std::iter::repeat_n(row, (ends[1] - ends[0]) as usize))
        .collect();
    let csr = CsrMatrix::from_triplets(&rows, &columns, values, n_rows, n_columns)
        .map_err(|error| error.to_string())?;
    let (csc, y): (CscMatrix, _) = (csr.to_csc(), target(&data.y));
    if operation == "fit" {
        let stored = indptr[data.head()] as usize;
        let head = CsrMatrix::from_triplets(
            &rows[..stored],
            &columns[..stored],
            &values[..stored],
            data.head(),
            n_columns,
        );
        let head = std::rc::Rc::new(head.map_err(|error| error.to_string())?);
        return Ok(Box::new(move || {
            let mut model = MultinomialNB::new();
            let fitted = model.fit_sparse(&csc, &y);
            let head = head.clone();
            Box::new(move || {
                let labels = fitted.and_then(|()| model.predict_sparse(&head)).unwrap_or_default();
                labels_check(&labels, &data.y[..data.head()])
            })
        }));
    }
    let mut model = MultinomialNB::new();
    model.fit_sparse(&csc, &y).map_err(|error| error.to_string())?;
    drop(csc);
    Ok(match operation {
        "labels" => Box::new(move || {
            let labels = model.predict_sparse(&csr).unwrap_or_default();
            Box::new(move || labels_check(&labels, &data.y))
        }),
        "posteriors" => Box::new(move || {
            let posteriors = model.predict_proba_sparse(&csr).unwrap_or_default();
            Box::new(move || posteriors_check(posteriors, data))
        }),
        other => return none(other),
    })
}

/// Rows that come in batches; the model is finished after each. Its columns are made outside the timing.
fn stream<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let (batch, n_rows) = match operation {
        "batches" => (1000, data.meta.rows),
        "rows" => (1, data.meta.rows.min(SINGLE_ROWS)),
        other => return none(other),
    };
    let batches: Vec<Dataset> = (0..n_rows)
        .step_by(batch)
        .map(|first| dataset(data, first..(first + batch).min(n_rows)))
        .collect::<Result<_, _>>()?;
    let head = std::rc::Rc::new(rows(data, data.head())?);
    Ok(Box::new(move || {
        let mut model = GaussianNb::new();
        let fitted = batches.iter().try_for_each(|batch| model.partial_fit(batch));
        let head = head.clone();
        Box::new(move || {
            let labels = fitted.and_then(|()| model.predict(&head)).unwrap_or_default();
            labels_check(&labels, &data.y[..data.head()])
        })
    }))
}
