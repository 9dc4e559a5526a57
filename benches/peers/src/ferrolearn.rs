//! ferrolearn-bayes 0.5.0, which takes dense rows only.
//!
//! Its labels are `usize`, which are made outside the timing, as are the arrays of single rows.

use ferrolearn_bayes::{CategoricalNB, GaussianNB, MultinomialNB};
use ferrolearn_core::{Fit, Predict};
use ndarray::{Array1, Array2, Axis, s};

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
        Table::F64(x) if workload == "P1" => stream(x, data, operation),
        Table::F64(x) => match data.meta.cells {
            Cells::F64 => gaussian(x, data, operation),
            Cells::Counts => multinomial(x, data, operation),
            _ => categorical(x, data, operation),
        },
        Table::F32(x) => gaussian_f32(x, data, operation),
        Table::U8(_) => Err("takes no bytes".into()),
        Table::Csr { .. } => Err("takes no sparse rows".into()),
    }
}

fn targets(data: &Data, n_rows: usize) -> Array1<usize> {
    data.y[..n_rows].iter().map(|&label| label as usize).collect()
}

fn check<'a>(labels: impl IntoIterator<Item = &'a usize>, y: &[i64]) -> Check {
    Check::labels(labels.into_iter().map(|&label| label as i64), y)
}

/// The operations of a family; they differ in nothing but types.
macro_rules! family {
    ($name:ident, $model:ident, $float:ty) => {
        fn $name<'a>(x: &'a Array2<$float>, data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
            let y = targets(data, x.nrows());
            if operation == "fit" {
                let head = std::rc::Rc::new(x.slice(s![..data.head(), ..]).to_owned());
                return Ok(Box::new(move || {
                    let model = $model::<$float>::new().fit(x, &y);
                    let head = head.clone();
                    Box::new(move || match model.and_then(|model| model.predict(&head)) {
                        Ok(labels) => check(&labels, &data.y[..data.head()]),
                        Err(_) => Check::number(f64::NAN),
                    }) as Answer<'a>
                }));
            }
            let model = $model::<$float>::new().fit(x, &y).map_err(|error| error.to_string())?;
            Ok(match operation {
                "labels" => Box::new(move || {
                    let labels = model.predict(x).unwrap_or_default();
                    Box::new(move || check(&labels, &data.y))
                }),
                "posteriors" => Box::new(move || {
                    let posteriors = model.predict_log_proba(x).unwrap_or_default();
                    let values = posteriors.into_iter().map(f64::from);
                    Box::new(move || Check::log_posteriors(values, data.meta.classes))
                }),
                "row" => {
                    let rows: Vec<Array2<$float>> =
                        x.rows().into_iter().map(|row| row.insert_axis(Axis(0)).to_owned()).collect();
                    Box::new(move || {
                        let labels: Vec<usize> =
                            rows.iter().flat_map(|row| model.predict(row).unwrap_or_default()).collect();
                        Box::new(move || check(&labels, &data.y))
                    })
                }
                other => return none(other),
            })
        }
    };
}

family!(gaussian, GaussianNB, f64);
family!(gaussian_f32, GaussianNB, f32);
family!(multinomial, MultinomialNB, f64);
family!(categorical, CategoricalNB, f64);

/// Rows that come in batches; the model is finished after each.
fn stream<'a>(x: &'a Array2<f64>, data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let (batch, n_rows) = match operation {
        "batches" => (1000, x.nrows()),
        "rows" => (1, x.nrows().min(SINGLE_ROWS)),
        other => return none(other),
    };
    let y = targets(data, n_rows);
    let batches: Vec<(Array2<f64>, Array1<usize>)> = (0..n_rows)
        .step_by(batch)
        .map(|first| {
            let rows = first..(first + batch).min(n_rows);
            (x.slice(s![rows.clone(), ..]).to_owned(), y.slice(s![rows]).to_owned())
        })
        .collect();
    let head = std::rc::Rc::new(x.slice(s![..data.head(), ..]).to_owned());
    Ok(Box::new(move || {
        let mut batches = batches.iter();
        let first = batches.next().ok_or("there are no rows".to_owned());
        let model = first.and_then(|(x, y)| {
            let mut model = GaussianNB::<f64>::new().fit(x, y).map_err(|error| error.to_string())?;
            for (x, y) in batches {
                model.partial_fit(x, y).map_err(|error| error.to_string())?;
            }
            Ok(model)
        });
        let head = head.clone();
        Box::new(move || match model {
            Ok(model) => check(&model.predict(&head).unwrap_or_default(), &data.y[..data.head()]),
            Err(_) => Check::number(f64::NAN),
        })
    }))
}
