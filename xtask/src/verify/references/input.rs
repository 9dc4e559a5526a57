//! Data sets in the form in which the references see them.

use nb_core::{CsrView, Rows};
use nb_datasets::{Column, ColumnKind, Dataset, Part, TextDataset, Values};
use ndarray::{Array2, ArrayView1, Axis};

use super::format::{Features, Reference, Split};
use crate::verify::check::Problem;

/// A data set: the numeric columns, then the categorical ones, coded as in the reference.
pub(crate) struct Input {
    pub(crate) table: Table,
    /// The class of each row, by its position in the reference.
    pub(crate) classes: Vec<usize>,
    pub(crate) n_classes: usize,
    pub(crate) n_numeric: usize,
    /// How many levels each categorical column has.
    pub(crate) n_levels: Vec<usize>,
    /// Rows that are meant for training and for tests, if the file distinguishes them.
    parts: Option<(Vec<usize>, Vec<usize>)>,
}

/// Rows that own their memory.
pub(crate) enum Table {
    Dense(Array2<f64>),
    Sparse { n_columns: usize, indptr: Vec<usize>, indices: Vec<usize>, values: Vec<f64> },
}

impl Input {
    /// Loads the data set of a reference.
    pub(crate) fn load(reference: &Reference) -> Result<Self, Problem> {
        let name = reference.dataset.strip_prefix("hard_").unwrap_or(&reference.dataset);
        let (name, all_numeric) = match name.strip_suffix("_all_numeric") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (input, classes) = if nb_datasets::info(name)?.group == nb_datasets::Group::Text {
            let set = nb_datasets::load_text()?;
            (Self::of_text(&set), set.classes)
        } else {
            let set = nb_datasets::load(name)?;
            let (numeric, categorical) = columns(reference, &set)?;
            let input = Self::of_columns(&set, &numeric, &categorical, &reference.levels, all_numeric)?;
            (input, set.classes)
        };
        if classes != reference.classes || input.classes.len() != reference.rows_total {
            return Err(format!("the data set {name} is not that of the reference").into());
        }
        Ok(input)
    }

    fn of_text(set: &TextDataset) -> Self {
        Self {
            table: Table::Sparse {
                n_columns: set.n_terms(),
                indptr: set.indptr.clone(),
                indices: set.indices.clone(),
                values: set.values.clone(),
            },
            classes: set.labels.clone(),
            n_classes: set.classes.len(),
            n_numeric: set.n_terms(),
            n_levels: Vec::new(),
            parts: None,
        }
    }

    fn of_columns(
        set: &Dataset,
        numeric: &[&Column],
        categorical: &[&Column],
        levels: &[Vec<String>],
        all_numeric: bool,
    ) -> Result<Self, Problem> {
        let mut cells = Array2::zeros((set.n_rows(), numeric.len() + categorical.len()));
        let numbers = numeric.iter().map(|column| match &column.values {
            // Categories that are written as numbers.
            Values::Categories { levels, codes } if all_numeric => {
                let values: Vec<f64> = levels.iter().map(|level| level.parse()).collect::<Result<_, _>>()?;
                let value = |code: &Option<u32>| code.map_or(f64::NAN, |code| values[code as usize]);
                Ok(codes.iter().map(value).collect())
            }
            _ => Ok(column.to_numbers()),
        });
        if levels.len() != categorical.len() {
            return Err("the reference does not list the levels of every categorical feature".into());
        }
        let codes = categorical.iter().zip(levels).map(|(column, levels)| codes(column, levels));
        for (mut target, column) in cells.columns_mut().into_iter().zip(numbers.chain(codes)) {
            target.assign(&ndarray::Array1::from_vec(column?));
        }
        let parts = set.split.as_ref().map(|_| (set.rows_of(Part::Train), set.rows_of(Part::Test)));
        Ok(Self {
            table: Table::Dense(cells),
            classes: set.labels.clone(),
            n_classes: set.classes.len(),
            n_numeric: numeric.len(),
            n_levels: levels.iter().map(Vec::len).collect(),
            parts,
        })
    }

    /// The rows to fit and the rows to predict.
    pub(crate) fn split(&self, split: Option<Split>) -> (Vec<usize>, Vec<usize>) {
        match (split, &self.parts) {
            (Some(Split::EvenTrainOddTest), _) => (0..self.classes.len()).partition(|row| row % 2 == 0),
            (None, Some(parts)) => parts.clone(),
            (None, None) => {
                let all: Vec<usize> = (0..self.classes.len()).collect();
                (all.clone(), all)
            }
        }
    }

    /// The classes of some rows.
    pub(crate) fn classes_of(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().map(|&row| self.classes[row]).collect()
    }
}

/// The numeric and the categorical columns of a reference.
fn columns<'a>(
    reference: &Reference,
    set: &'a Dataset,
) -> Result<(Vec<&'a Column>, Vec<&'a Column>), Problem> {
    let named = |names: &[String]| {
        let columns = names.iter().map(|name| set.column(name));
        columns.collect::<Result<Vec<_>, _>>()
    };
    let categorical = named(&reference.categorical_features)?;
    let numeric = match &reference.numeric_features {
        Features::Names(names) => named(names)?,
        Features::All(n) => {
            let all: Vec<&Column> = set.features().collect();
            if all.len() != *n || all.iter().any(|column| column.kind == ColumnKind::Categorical) {
                return Err(format!("the set does not have {n} numeric features").into());
            }
            all
        }
    };
    Ok((numeric, categorical))
}

/// The codes of a column by the levels of the reference; NaN where missing.
fn codes(column: &Column, levels: &[String]) -> Result<Vec<f64>, Problem> {
    let missing = |value: &str| format!("column {}: {value} is no level of the reference", column.name);
    match &column.values {
        Values::Categories { levels: own, codes } => {
            let code = |level: &String| {
                let code = levels.iter().position(|known| known == level);
                code.ok_or_else(|| missing(level))
            };
            let own: Vec<usize> = own.iter().map(code).collect::<Result<_, _>>()?;
            let recode = |code: &Option<u32>| code.map_or(f64::NAN, |code| own[code as usize] as f64);
            Ok(codes.iter().map(recode).collect())
        }
        Values::Numbers(numbers) => {
            let levels: Vec<f64> = levels.iter().map(|level| level.parse()).collect::<Result<_, _>>()?;
            let code = |&number: &f64| match levels.iter().position(|&level| level == number) {
                Some(code) => Ok(code as f64),
                None if number.is_nan() => Ok(f64::NAN),
                None => Err(missing(&number.to_string()).into()),
            };
            numbers.iter().map(code).collect()
        }
    }
}

impl Table {
    /// The table as the library takes it.
    pub(crate) fn rows(&self) -> Result<Box<dyn Rows + '_>, Problem> {
        match self {
            Self::Dense(cells) => Ok(Box::new(cells.view())),
            Self::Sparse { n_columns, indptr, indices, values } => {
                Ok(Box::new(CsrView::new(*n_columns, indptr, indices, values)?))
            }
        }
    }

    /// The cells of a row, unless the table is sparse.
    pub(crate) fn row(&self, row: usize) -> Option<ArrayView1<'_, f64>> {
        match self {
            Self::Dense(cells) => Some(cells.row(row)),
            Self::Sparse { .. } => None,
        }
    }

    /// Some rows, in the given order.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Dense(cells) => Self::Dense(cells.select(Axis(0), rows)),
            Self::Sparse { n_columns, indptr, indices, values } => {
                let (mut new_indptr, mut new_indices, mut new_values) = (vec![0], Vec::new(), Vec::new());
                for &row in rows {
                    let stored = indptr[row]..indptr[row + 1];
                    new_indices.extend_from_slice(&indices[stored.clone()]);
                    new_values.extend_from_slice(&values[stored]);
                    new_indptr.push(new_indices.len());
                }
                Self::Sparse {
                    n_columns: *n_columns,
                    indptr: new_indptr,
                    indices: new_indices,
                    values: new_values,
                }
            }
        }
    }
}
