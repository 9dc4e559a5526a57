//! smartcore 0.7.0, which takes dense rows only and has no posteriors.
//!
//! Labels and counts must be unsigned integers; they are converted outside the timing.

use smartcore::{
    linalg::basic::matrix::DenseMatrix,
    naive_bayes::{
        categorical::CategoricalNB,
        gaussian::{GaussianNB, GaussianNBParameters},
        multinomial::MultinomialNB,
    },
};

use crate::{
    arrays::{Data, Table},
    data::Cells,
    task::{Answer, Check, Task, none},
    usage::Usage,
};

/// Rows from which the Gaussian model is fitted that is asked for labels: its fit is quadratic in rows.
const GAUSSIAN_ROWS: usize = 4000;

/// Prepares an operation.
pub(crate) fn prepare<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let (workload, operation) = operation.split_once(':').ok_or("an operation is WORKLOAD:NAME")?;
    if workload == "P1" {
        return Err("cannot go on with a fitted model".into());
    }
    if operation == "posteriors" {
        return Err("has no posteriors".into());
    }
    if operation == "fit" && data.meta.rows > GAUSSIAN_ROWS {
        match &data.table {
            Table::F64(x) if data.meta.cells == Cells::F64 => {
                affordable(x.as_slice().unwrap_or_default(), data)?;
            }
            Table::F32(_) => return Err("would take as long as in double precision".into()),
            _ => {}
        }
    }
    match &data.table {
        Table::F64(x) => match data.meta.cells {
            Cells::F64 => gaussian_f64(x.as_slice().unwrap_or_default(), data, operation, GAUSSIAN_ROWS),
            Cells::Counts => {
                let counts: Vec<u32> = x.iter().map(|&count| count as u32).collect();
                multinomial(&counts, data, operation, usize::MAX)
            }
            _ => Err("takes codes as unsigned integers only (see C1u)".into()),
        },
        Table::F32(x) => gaussian_f32(x.as_slice().unwrap_or_default(), data, operation, GAUSSIAN_ROWS),
        Table::U8(x) => categorical(x.as_slice().unwrap_or_default(), data, operation, usize::MAX),
        Table::Csr { .. } => Err("takes no sparse rows".into()),
    }
}

/// Refuses a fit that would outlast the patience of whoever waits, going by what smaller ones take.
fn affordable(cells: &[f64], data: &Data) -> Result<(), String> {
    const PATIENCE: f64 = 60.0;
    let seconds = |n_rows: usize| -> Result<f64, String> {
        let (x, y) = part::<f64, u32>(cells, data, n_rows)?;
        Ok(Usage::of(1, || GaussianNB::fit(&x, &y, GaussianNBParameters::default()).is_ok()).0.wall)
    };
    let (half, all) = (seconds(GAUSSIAN_ROWS / 2)?, seconds(GAUSSIAN_ROWS)?);
    let exponent = (all / half).log2();
    let expected = all * (data.meta.rows as f64 / GAUSSIAN_ROWS as f64).powf(exponent);
    if expected <= PATIENCE {
        return Ok(());
    }
    let (few, many) = (GAUSSIAN_ROWS / 2, GAUSSIAN_ROWS);
    Err(format!(
        "would take longer than {PATIENCE} s: {few} rows take {half:.2} s and {many} rows {all:.2} s, so that all \
         take about {expected:.0} s"
    ))
}

/// The first rows in smartcore's own types.
fn part<X: std::fmt::Debug + std::fmt::Display + Copy, Y: TryFrom<i64> + Default>(
    cells: &[X],
    data: &Data,
    n_rows: usize,
) -> Result<(DenseMatrix<X>, Vec<Y>), String> {
    let (n_rows, n_columns) = (n_rows.min(data.meta.rows), data.meta.columns);
    let x = DenseMatrix::new(n_rows, n_columns, cells[..n_rows * n_columns].to_vec(), false);
    let y = data.y[..n_rows].iter().map(|&label| Y::try_from(label).unwrap_or_default()).collect();
    Ok((x.map_err(|error| error.to_string())?, y))
}

/// The operations of a family; they differ in nothing but types, which no trait of smartcore spans.
macro_rules! family {
    ($name:ident, $model:ident, $x:ty, $y:ty) => {
        fn $name<'a>(
            cells: &[$x],
            data: &'a Data,
            operation: &str,
            rows_to_fit: usize,
        ) -> Result<Task<'a>, String> {
            let (x, y) = part::<$x, $y>(cells, data, data.meta.rows)?;
            Ok(match operation {
                "fit" => {
                    let head = part::<$x, $y>(cells, data, data.head())?.0;
                    let head = std::rc::Rc::new(head);
                    Box::new(move || {
                        let model = $model::fit(&x, &y, Default::default());
                        let head = head.clone();
                        Box::new(move || {
                            let labels = model.and_then(|model| model.predict(&head));
                            let labels = labels.unwrap_or_default();
                            Check::labels(labels.into_iter().map(i64::from), &data.y[..data.head()])
                        }) as Answer<'a>
                    })
                }
                "labels" | "row" => {
                    let (fit_x, fit_y) = part::<$x, $y>(cells, data, rows_to_fit)?;
                    let model = $model::fit(&fit_x, &fit_y, Default::default());
                    let model = model.map_err(|error| error.to_string())?;
                    let step = if operation == "row" { 1 } else { data.meta.rows };
                    let rows: Vec<DenseMatrix<$x>> = cells
                        .chunks(step * data.meta.columns)
                        .filter_map(|cells| {
                            DenseMatrix::new(step, data.meta.columns, cells.to_vec(), false).ok()
                        })
                        .collect();
                    Box::new(move || {
                        let labels: Vec<Vec<$y>> =
                            rows.iter().map(|x| model.predict(x).unwrap_or_default()).collect();
                        Box::new(move || Check::labels(labels.into_iter().flatten().map(i64::from), &data.y))
                    })
                }
                other => return none(other),
            })
        }
    };
}

family!(gaussian_f64, GaussianNB, f64, u32);
family!(gaussian_f32, GaussianNB, f32, u32);
family!(multinomial, MultinomialNB, u32, u32);
family!(categorical, CategoricalNB, u8, u8);
