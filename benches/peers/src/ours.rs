//! This library, through its public interface.
//!
//! The whole contender is in this file, so that a change of the interface is a change of a few lines here.

use std::{cell::RefCell, rc::Rc};

use nb_core::{
    Bernoulli, Categorical, Classifier, Complement, CsrView, FeatureModel, Gaussian, Likelihood, Multinomial,
    NaiveBayes, OnlineClassifier, Prior, Rows, SufficientStats,
};
use ndarray::{Array2, ArrayView2, s};

use crate::{
    arrays::{Data, Table},
    data::Cells,
    task::{Answer, Check, Task, none},
};

/// Prepares an operation.
pub(crate) fn prepare<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    // `G1:fit` and so on say which workload it is; some share their data sets.
    let (workload, operation) = operation.split_once(':').ok_or("an operation is WORKLOAD:NAME")?;
    let head = data.head();
    match &data.table {
        Table::F64(x) => {
            let rows = (x.view(), x.slice(s![..head, ..]));
            match data.meta.cells {
                Cells::Counts => family(NaiveBayes::new(Multinomial::default()), rows, data, operation),
                Cells::Codes => family(NaiveBayes::new(Categorical::default()), rows, data, operation),
                _ if workload == "P1" => stream(x, data, operation),
                _ if operation == "row" => one_row(x, data),
                _ => family(NaiveBayes::new(Gaussian::default()), rows, data, operation),
            }
        }
        Table::F32(x) => {
            family(NaiveBayes::new(Gaussian::default()), (x.view(), x.slice(s![..head, ..])), data, operation)
        }
        Table::U8(x) => family(
            NaiveBayes::new(Categorical::default()),
            (x.view(), x.slice(s![..head, ..])),
            data,
            operation,
        ),
        Table::Csr { indptr, indices, values } => {
            let view = |n_rows: usize| {
                let stored = indptr[n_rows] as usize;
                let (indices, values) = (&indices[..stored], &values[..stored]);
                CsrView::new(data.meta.columns, &indptr[..=n_rows], indices, values)
                    .map_err(|error| error.to_string())
            };
            let rows = (view(data.meta.rows)?, view(head)?);
            match workload {
                "S1" => storage(&rows.0, data, operation),
                "M2c" => {
                    // Scikit-learn's complement model leaves the prior out.
                    let naive_bayes = NaiveBayes { model: Complement::default(), prior: Prior::Uniform };
                    family(naive_bayes, rows, data, operation)
                }
                "M2b" => family(NaiveBayes::new(Bernoulli::default()), rows, data, operation),
                _ => family(NaiveBayes::new(Multinomial::default()), rows, data, operation),
            }
        }
    }
}

/// Fit, labels and log-posteriors of all rows.
fn family<'a, M: FeatureModel + 'a>(
    naive_bayes: NaiveBayes<M>,
    (rows, head): (impl Rows + Copy + 'a, impl Rows + Clone + 'a),
    data: &'a Data,
    operation: &str,
) -> Result<Task<'a>, String>
where
    M::Fitted: 'a,
{
    let classes = data.meta.classes;
    let fit = move || naive_bayes.fit(&rows, &data.y).map_err(|error| error.to_string());
    let first = fit()?;
    Ok(match operation {
        "fit" => Box::new(move || {
            let classifier = fit();
            let head = head.clone();
            Box::new(move || check(classifier, &head, data)) as Answer<'a>
        }),
        // The answers go to memory that is used again, as the interface offers.
        "labels" => {
            let out = Rc::new(RefCell::new(vec![0; data.meta.rows]));
            Box::new(move || {
                let done = first.predict_into(&rows, &mut out.borrow_mut());
                let out = Rc::clone(&out);
                Box::new(move || match done {
                    Ok(()) => Check::labels(out.borrow().iter().copied(), &data.y),
                    Err(_) => Check::number(f64::NAN),
                })
            })
        }
        "posteriors" => {
            let out = Rc::new(RefCell::new(Array2::zeros((data.meta.rows, classes))));
            Box::new(move || {
                let done = first.predict_log_proba_into(&rows, out.borrow_mut().view_mut());
                let out = Rc::clone(&out);
                Box::new(move || match done {
                    Ok(()) => Check::log_posteriors(out.borrow().iter().copied(), classes),
                    Err(_) => Check::number(f64::NAN),
                })
            })
        }
        other => return none(other),
    })
}

/// The accuracy of a fitted model over the first rows, and all bits of its posteriors there.
fn check<F: Likelihood>(
    classifier: Result<Classifier<i64, F>, String>,
    head: &impl Rows,
    data: &Data,
) -> Check {
    let answers = classifier.ok().and_then(|classifier| {
        Some((classifier.predict(head).ok()?, classifier.predict_log_proba(head).ok()?))
    });
    match answers {
        Some((labels, posteriors)) => {
            Check::labels(labels.into_iter(), &data.y[..data.head()]).with_digest_of(posteriors.into_iter())
        }
        None => Check::number(f64::NAN),
    }
}

/// The label of one row at a time.
fn one_row<'a>(x: &'a Array2<f64>, data: &'a Data) -> Result<Task<'a>, String> {
    let classifier =
        NaiveBayes::new(Gaussian::default()).fit(x, &data.y).map_err(|error| error.to_string())?;
    let cells = x.as_slice().ok_or("the rows do not follow each other")?;
    Ok(Box::new(move || {
        let mut predictor = classifier.predictor();
        let rows = cells.chunks_exact(x.ncols());
        let labels: Vec<i64> = rows.filter_map(|row| predictor.label(row).ok().copied()).collect();
        Box::new(move || Check::labels(labels.into_iter(), &data.y))
    }))
}

/// Rows that come in batches, the classifier read off after each batch; or one at a time.
fn stream<'a>(x: &'a Array2<f64>, data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let (batch, n_rows, finish_each) = match operation {
        "batches" => (1000, x.nrows(), true),
        "rows" => (1, x.nrows().min(SINGLE_ROWS), true),
        "rows-finished-once" => (1, x.nrows().min(SINGLE_ROWS), false),
        other => return none(other),
    };
    let head = x.slice(s![..data.head(), ..]);
    Ok(Box::new(move || {
        let classifier = stream_all(&x.slice(s![..n_rows, ..]), &data.y, batch, finish_each);
        Box::new(move || check(classifier, &head, data))
    }))
}

/// How many rows are streamed one at a time.
pub(crate) const SINGLE_ROWS: usize = 5000;

fn stream_all(
    x: &ArrayView2<'_, f64>,
    y: &[i64],
    batch: usize,
    finish_each: bool,
) -> Result<Classifier<i64, impl Likelihood + use<>>, String> {
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let mut stats = SufficientStats::new(&naive_bayes.model, x.ncols()).map_err(|error| error.to_string())?;
    if batch == 1 && !finish_each {
        let cells = x.as_slice().ok_or("the rows do not follow each other")?;
        let mut stream = stats.stream(&naive_bayes.model).map_err(|error| error.to_string())?;
        for (row, label) in cells.chunks_exact(x.ncols()).zip(y) {
            stream.add(row, label).map_err(|error| error.to_string())?;
        }
        stream.finish();
        return naive_bayes.fit_stats(&stats).map_err(|error| error.to_string());
    }
    if batch == 1 {
        let cells = x.as_slice().ok_or("the rows do not follow each other")?;
        let mut online = OnlineClassifier::new(naive_bayes, stats).map_err(|error| error.to_string())?;
        for (row, label) in cells.chunks_exact(x.ncols()).zip(y) {
            online.add(row, label).map_err(|error| error.to_string())?;
            // After the first rows there is no classifier yet.
            std::hint::black_box(online.classifier());
        }
        return online.classifier().cloned().ok_or_else(|| "no classifier".into());
    }
    for first in (0..x.nrows()).step_by(batch) {
        let rows = first..(first + batch).min(x.nrows());
        stats
            .update(&naive_bayes.model, &x.slice(s![rows.clone(), ..]), &y[rows])
            .map_err(|error| error.to_string())?;
        // A first batch of one class, or of rows without spread, is no classifier yet.
        std::hint::black_box(naive_bayes.fit_stats(&stats).ok());
    }
    naive_bayes.fit_stats(&stats).map_err(|error| error.to_string())
}

/// A schema that names every column.
fn named(data: &Data) -> nb_io::Schema {
    let column = |number| nb_io::Column { name: format!("x{number}"), kind: nb_io::Kind::Count };
    nb_io::Schema {
        columns: (0..data.meta.columns).map(column).collect(),
        ..nb_io::Schema::numeric(["x"], "label")
    }
}

/// A schema without names, as scikit-learn has none of the columns of sparse rows: hashed terms.
fn nameless(data: &Data) -> Result<nb_io::Schema, String> {
    use nb_io::text::{Terms, Text, TextOptions};
    let text = Text::learn(&["any term"], &TextOptions::default()).map_err(|error| error.to_string())?;
    let buckets = u32::try_from(data.meta.columns).map_err(|error| error.to_string())?;
    Ok(nb_io::Schema::of_text("terms", Text { terms: Terms::Hashed { buckets }, ..text }, "label"))
}

/// Saves a model, or opens it: checked, or until it can answer.
fn storage<'a>(rows: &(impl Rows + 'a), data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    let schema = if operation == "open-named" { named(data) } else { nameless(data)? };
    let family = nb_io::Family::Multinomial(Multinomial::default());
    let mut model = nb_io::Model::new(schema, family, Prior::Empirical).map_err(|error| error.to_string())?;
    let labels: Vec<String> = data.y.iter().map(|label| format!("{label:02}")).collect();
    model.update(rows, &labels).map_err(|error| error.to_string())?;
    let path = Temporary(data.folder.join(format!("model-{}.nb", std::process::id())));
    model.save(&path.0).map_err(|error| error.to_string())?;
    let size = std::fs::metadata(&path.0).map_err(|error| error.to_string())?.len() as f64;
    Ok(match operation {
        "save" => Box::new(move || {
            let saved = model.save(&path.0);
            Box::new(move || Check::number(saved.map_or(f64::NAN, |()| size)))
        }),
        "open" | "open-named" => Box::new(move || {
            let opened = nb_io::Model::load(&path.0);
            Box::new(move || Check::number(opened.map_or(f64::NAN, |_| size)))
        }),
        "ready" => Box::new(move || {
            let opened = nb_io::Model::load(&path.0).ok().and_then(|model| model.classifier().ok());
            Box::new(move || Check::number(opened.map_or(f64::NAN, |_| size)))
        }),
        other => return none(other),
    })
}

/// A file that goes when the operation goes.
struct Temporary(std::path::PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}
