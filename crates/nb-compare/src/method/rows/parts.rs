//! What all methods do with tables and answers.

use nb_core::RowSubset;
use ndarray::Array2;

use crate::{Column, Documents, Features, Folds, MethodError, Plan, Table};

/// The columns of a table and their cells, for methods that take no texts.
///
/// # Errors
/// [`MethodError::NotApplicable`] if it has documents, and names a column of texts.
pub(in crate::method) fn columns_of(table: &Table) -> Result<(&[Column], &Array2<f64>), MethodError> {
    let (columns, x) = all_columns_of(table)?;
    match columns.iter().find(|column| column.kind.is_text()) {
        Some(column) => Err(MethodError::not_applicable(format!(
            "column `{}` is text, which this method cannot use; leave the column out, or compare naive Bayes, refined, logistic or count-ratio",
            column.name
        ))),
        None => Ok((columns, x)),
    }
}

/// The columns of a table and their cells; those of texts are positions.
///
/// # Errors
/// [`MethodError::NotApplicable`] if it has documents.
pub(in crate::method) fn all_columns_of(table: &Table) -> Result<(&[Column], &Array2<f64>), MethodError> {
    match &table.features {
        Features::Columns { columns, x } => Ok((columns, x)),
        Features::Documents(_) => Err(MethodError::not_applicable("the table has documents, not columns")),
    }
}

/// The documents of a table.
///
/// # Errors
/// [`MethodError::NotApplicable`] if it has columns.
pub(in crate::method) fn documents_of(table: &Table) -> Result<&Documents, MethodError> {
    match &table.features {
        Features::Documents(documents) => Ok(documents),
        Features::Columns { .. } => Err(MethodError::not_applicable("the table has columns, not documents")),
    }
}

/// The rows of these numbers.
///
/// # Errors
/// [`MethodError::Failed`] if one of the numbers is not a row.
pub(in crate::method) fn chosen<'a>(
    x: &'a Array2<f64>,
    rows: &'a [usize],
) -> Result<RowSubset<'a, Array2<f64>>, MethodError> {
    RowSubset::new(x, rows).ok_or_else(|| MethodError::failed("a row number is not in the table"))
}

/// The labels of some rows.
///
/// # Errors
/// [`MethodError::Failed`] if one of the numbers is not a row.
pub(in crate::method) fn labels_of(table: &Table, rows: &[usize]) -> Result<Vec<usize>, MethodError> {
    let label = |&row: &usize| {
        let label = table.labels.get(row).copied();
        label.ok_or_else(|| {
            MethodError::failed(format!("row {row} is not one of the table's {}", table.n_rows()))
        })
    };
    rows.iter().map(label).collect()
}

/// Stratified folds of training rows, groups as a whole, for a purpose such as `tuning`: labels, groups and
/// purpose decide about them.
///
/// # Errors
/// [`MethodError::Failed`] if there are too few rows or groups.
pub(in crate::method) fn inner_folds(
    train: &Table,
    n_folds: usize,
    purpose: &str,
) -> Result<Folds, MethodError> {
    let plan = Plan::CrossValidation { folds: n_folds, repeats: 1 };
    plan.folds_of(train, purpose, 0, 0).map_err(|error| {
        MethodError::failed(format!("{purpose} deals the training rows into {n_folds} folds: {error}"))
    })
}

/// Log-posteriors of the classes that were trained on, as ones of all classes.
pub(in crate::method) fn spread(found: &Array2<f64>, classes: &[usize], n_classes: usize) -> Array2<f64> {
    let mut all = Array2::from_elem((found.nrows(), n_classes), f64::NEG_INFINITY);
    for (column, &class) in classes.iter().enumerate() {
        all.column_mut(class).assign(&found.column(column));
    }
    all
}

/// How many numbers a linear classifier keeps: two classes have one vector of weights, more have one each.
pub(in crate::method) fn n_weights(n_classes: usize, n_columns: usize) -> usize {
    let n_vectors = if n_classes == 2 { 1 } else { n_classes };
    n_vectors * (n_columns + 1)
}
