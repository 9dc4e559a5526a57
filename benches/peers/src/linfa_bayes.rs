//! linfa-bayes 0.8.1, which takes dense rows only.
//!
//! Its labels are `usize`, and its fits take a data set that borrows the rows; both are made outside the
//! timing. Its multinomial and Bernoulli fits print what they have counted to standard error, by a `dbg!`
//! left in them.

use linfa::{
    DatasetBase, Float,
    traits::{Fit, FitWith, PredictInplace},
};
use linfa_bayes::{GaussianNb, MultinomialNb, NaiveBayes};
use linfa_ndarray::{Array1, ArrayView2};

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
        Table::F64(x) if workload == "P1" => stream(view(x.as_slice(), data)?, data, operation),
        Table::F64(x) => match data.meta.cells {
            Cells::F64 => gaussian(view(x.as_slice(), data)?, data, operation),
            Cells::Counts => multinomial(view(x.as_slice(), data)?, data, operation),
            _ => Err("has no categorical family".into()),
        },
        Table::F32(x) => gaussian(view(x.as_slice(), data)?, data, operation),
        Table::U8(_) => Err("has no categorical family".into()),
        Table::Csr { .. } => Err("takes no sparse rows".into()),
    }
}

/// The rows as the older ndarray has them, without a copy.
fn view<'a, T>(cells: Option<&'a [T]>, data: &Data) -> Result<ArrayView2<'a, T>, String> {
    let shape = (data.meta.rows, data.meta.columns);
    ArrayView2::from_shape(shape, cells.unwrap_or_default()).map_err(|error| error.to_string())
}

fn targets(data: &Data) -> Array1<usize> {
    data.y.iter().map(|&label| label as usize).collect()
}

/// The three operations of a family; they differ in nothing but a type, which no trait of linfa spans.
macro_rules! family {
    ($model:ident, $float:ty, $x:expr, $data:expr, $operation:expr) => {{
        let (x, data) = ($x, $data);
        let dataset = DatasetBase::new(x, targets(data));
        let fit = move || $model::params().fit(&dataset);
        let head = x.split_at(linfa_ndarray::Axis(0), data.head()).0;
        let model: $model<$float, usize> = fit().map_err(|error| error.to_string())?;
        let task: Task<'a> = match $operation {
            "fit" => Box::new(move || {
                let model = fit();
                Box::new(move || match &model {
                    Ok(model) => {
                        let mut labels = model.default_target(&head);
                        PredictInplace::predict_inplace(model, &head, &mut labels);
                        Check::labels(labels.iter().map(|&label| label as i64), &data.y[..data.head()])
                    }
                    Err(_) => Check::number(f64::NAN),
                }) as Answer<'a>
            }),
            "labels" => Box::new(move || {
                let mut labels = model.default_target(&x);
                PredictInplace::predict_inplace(&model, &x, &mut labels);
                Box::new(move || Check::labels(labels.iter().map(|&label| label as i64), &data.y))
            }),
            "posteriors" => Box::new(move || {
                let log_posteriors = model.predict_log_proba(x).0;
                Box::new(move || posteriors(log_posteriors, data))
            }),
            "row" => Box::new(move || {
                let label = |row: usize| {
                    let x = x.slice(linfa_ndarray::s![row..=row, ..]);
                    let mut labels = model.default_target(&x);
                    PredictInplace::predict_inplace(&model, &x, &mut labels);
                    labels[0] as i64
                };
                let labels: Vec<i64> = (0..x.nrows()).map(label).collect();
                Box::new(move || Check::labels(labels.into_iter(), &data.y))
            }),
            other => return none(other),
        };
        Ok(task)
    }};
}

fn gaussian<'a, F: Float>(x: ArrayView2<'a, F>, data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    family!(GaussianNb, F, x, data, operation)
}

fn multinomial<'a>(x: ArrayView2<'a, f64>, data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    family!(MultinomialNb, f64, x, data, operation)
}

fn posteriors<F: Float>(posteriors: linfa_ndarray::Array2<F>, data: &Data) -> Check {
    let values = posteriors.into_iter().map(|value| value.to_f64().unwrap_or(f64::NAN));
    Check::log_posteriors(values, data.meta.classes)
}

/// Rows that come in batches; the model is finished after each.
fn stream<'a>(x: ArrayView2<'a, f64>, data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let (batch, n_rows) = match operation {
        "batches" => (1000, x.nrows()),
        "rows" => (1, x.nrows().min(SINGLE_ROWS)),
        other => return none(other),
    };
    let y = targets(data);
    let batches: Vec<_> = (0..n_rows)
        .step_by(batch)
        .map(|first| {
            let rows = first..(first + batch).min(n_rows);
            let y = y.slice(linfa_ndarray::s![rows.clone()]).to_owned();
            DatasetBase::new(x.slice_move(linfa_ndarray::s![rows, ..]), y)
        })
        .collect();
    let head = x.split_at(linfa_ndarray::Axis(0), data.head()).0;
    Ok(Box::new(move || {
        let mut model: Option<GaussianNb<f64, usize>> = None;
        for batch in &batches {
            model = GaussianNb::params().fit_with(model.take(), batch).ok();
        }
        Box::new(move || match &model {
            Some(model) => {
                let mut labels = model.default_target(&head);
                PredictInplace::predict_inplace(model, &head, &mut labels);
                Check::labels(labels.iter().map(|&label| label as i64), &data.y[..data.head()])
            }
            None => Check::number(f64::NAN),
        })
    }))
}
