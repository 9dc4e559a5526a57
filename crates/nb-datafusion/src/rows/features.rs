//! Reading rows for a model.

use std::ops::Range;

use datafusion::{
    arrow::array::{Array, ArrayRef},
    error::Result,
};
use nb_io::{
    Column, Kind, Schema,
    read::{SparseTable, Table},
    text::Text,
};
use ndarray::Array2;

use super::{
    Arguments, Names, has_texts, is_number, lists,
    names::Unknown,
    numbers::{doubles, spread},
};
use crate::failure::failed;

/// The most categories a column may have; more are identifiers.
const MOST_CATEGORIES: usize = 1 << 20;

/// The columns of a model, and how their cells become numbers.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    arguments: Arguments,
    columns: Vec<Cells>,
    names: Names,
    n_of_model: usize,
    unknown: Unknown,
}

/// What the cells of a column become.
#[derive(Clone, Debug)]
enum Cells {
    Number,
    Category(Names),
    Terms(Box<Text>),
}

impl Features {
    /// The features of a schema. In training, categories are learnt on the way; afterwards they are not.
    ///
    /// # Errors
    /// Features in lists are numbers, and the schema has categories.
    pub(crate) fn new(schema: &Schema, arguments: Arguments, unknown: Unknown) -> Result<Self> {
        let category = schema.columns.iter().find(|column| matches!(column.kind, Kind::Categorical { .. }));
        if let Some(column) = category.filter(|_| arguments != Arguments::Columns) {
            return Err(failed(format!(
                "column {:?} has categories, but features in lists are numbers; give each column as an argument",
                column.name
            )));
        }
        if let Some(column) = schema.columns.iter().find(|column| matches!(column.kind, Kind::Dates(_))) {
            return Err(failed(format!(
                "column {:?} has dates, whose parts queries do not compute; use `nbayes predict`",
                column.name
            )));
        }
        let cells = |column: &Column| match &column.kind {
            Kind::Categorical { levels } => Cells::Category(Names::of_categories(levels)),
            Kind::Text(text) => Cells::Terms(text.clone()),
            _ => Cells::Number,
        };
        let names: Vec<String> = match arguments {
            // Lists are of features, and these have their own names where they are terms.
            Arguments::Sparse => schema.features().map(|feature| feature.name()).collect(),
            _ => schema.columns.iter().map(|column| column.name.clone()).collect(),
        };
        Ok(Self {
            arguments,
            columns: schema.columns.iter().map(cells).collect(),
            names: Names::new(&names),
            n_of_model: schema.n_features(),
            unknown,
        })
    }

    /// The number of columns of the model.
    pub(crate) fn n_features(&self) -> usize {
        self.n_of_model
    }

    /// Whether rows are read as sparse ones.
    pub(crate) fn is_sparse(&self) -> bool {
        self.arguments == Arguments::Sparse || self.has_terms()
    }

    fn has_terms(&self) -> bool {
        self.columns.iter().any(|cells| matches!(cells, Cells::Terms(_)))
    }

    /// The names of the categories of each column, as far as they were met, in that order.
    pub(crate) fn levels(&self) -> impl Iterator<Item = Option<&[String]>> {
        self.columns.iter().map(|cells| match cells {
            Cells::Category(names) => Some(names.as_slice()),
            _ => None,
        })
    }

    /// The rows of a range of the arguments' rows.
    ///
    /// # Errors
    /// What is wrong with a cell, and in which column.
    pub(crate) fn read(&mut self, arrays: &[ArrayRef], range: Range<usize>) -> Result<Table> {
        match (&self.arguments, arrays) {
            (Arguments::List, [list]) => lists::dense(list, range, self.n_of_model),
            (Arguments::Sparse, [features, values]) => {
                lists::sparse(features, values, range, &mut self.names)
            }
            _ if arrays.len() != self.columns.len() => Err(failed(format!(
                "there are {} features, but the model has {}",
                arrays.len(),
                self.columns.len()
            ))),
            _ if self.has_terms() => self.with_terms(arrays, range),
            _ => self.dense(arrays, range),
        }
    }

    fn dense(&mut self, arrays: &[ArrayRef], range: Range<usize>) -> Result<Table> {
        let (n_rows, n_columns) = (range.len(), self.columns.len());
        let mut cells = vec![0.0; n_rows * n_columns];
        for (place, array) in arrays.iter().enumerate() {
            let array = array.slice(range.start, n_rows);
            self.numbers(place, &array, &mut cells[place..], n_columns)?;
        }
        Ok(Table::Dense(Array2::from_shape_vec((n_rows, n_columns), cells).map_err(failed)?))
    }

    /// Writes the numbers of a column into every `step`-th place of `out`.
    fn numbers(&mut self, place: usize, array: &ArrayRef, out: &mut [f64], step: usize) -> Result<()> {
        let name = &self.names.as_slice()[place];
        let of_type = |what: &str| {
            failed(format!(
                "column {name:?} has the type {}, but the model has {what} there",
                array.data_type()
            ))
        };
        match &mut self.columns[place] {
            Cells::Category(categories) => {
                if !has_texts(array.data_type()) {
                    return Err(of_type("categories, which are texts or whole numbers"));
                }
                let codes = categories.numbers(array, self.unknown)?;
                if categories.as_slice().len() > MOST_CATEGORIES {
                    return Err(failed(format!(
                        "column {name:?} has more than {MOST_CATEGORIES} categories; is it an identifier? Leave it out"
                    )));
                }
                for (place, code) in out.iter_mut().step_by(step).zip(codes) {
                    *place = code.map_or(f64::NAN, f64::from);
                }
                Ok(())
            }
            _ if !is_number(array.data_type()) => Err(of_type("numbers")),
            _ => {
                spread(&doubles(array, name)?, 0, out, step);
                Ok(())
            }
        }
    }

    /// Rows with texts, which are mostly zeros.
    fn with_terms(&mut self, arrays: &[ArrayRef], range: Range<usize>) -> Result<Table> {
        let mut parts = Vec::with_capacity(arrays.len());
        let mut numbers = vec![0.0; range.len()];
        for (place, array) in arrays.iter().enumerate() {
            let array = array.slice(range.start, range.len());
            if let Cells::Terms(text) = &self.columns[place] {
                parts.push(terms(text, &array, &self.names.as_slice()[place])?);
                continue;
            }
            self.numbers(place, &array, &mut numbers, 1)?;
            let mut indptr = vec![0];
            let mut values = Vec::new();
            for &number in &numbers {
                values.extend((number != 0.0).then_some(number));
                indptr.push(values.len());
            }
            parts.push(SparseTable::new(1, indptr, vec![0; values.len()], values).map_err(failed)?);
        }
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in 0..range.len() {
            let mut first = 0;
            for part in &parts {
                let cells = part.indptr()[row]..part.indptr()[row + 1];
                indices.extend(part.indices()[cells.clone()].iter().map(|place| first + place));
                values.extend_from_slice(&part.values()[cells]);
                first += nb_core::Rows::n_columns(part);
            }
            indptr.push(indices.len());
        }
        Ok(Table::Sparse(SparseTable::new(self.n_of_model, indptr, indices, values).map_err(failed)?))
    }
}

/// The terms of a column of texts. A text that is NULL has none.
fn terms(text: &Text, array: &ArrayRef, name: &str) -> Result<SparseTable> {
    use datafusion::arrow::{array::AsArray, compute::cast, datatypes::DataType};

    if !has_texts(array.data_type()) {
        return Err(failed(format!(
            "column {name:?} has the type {}, but the model has texts there",
            array.data_type()
        )));
    }
    let texts = cast(array, &DataType::Utf8View).map_err(failed)?;
    let texts: Vec<&str> = texts.as_string_view().iter().map(Option::unwrap_or_default).collect();
    Ok(text.count(&texts))
}
