//! Rows in memory as a table.

use std::collections::BTreeSet;

use nb_core::{Rows, family::BlockBuffer};
use nb_io::{
    Column, Kind, Schema,
    read::{
        Chunk, Inference, Inferred, KindChoice, Overrides, ReadChunks, ReadError, Reason, SparseTable, Table,
    },
};
use ndarray::Array2;

use crate::{Source, TrainerError};

/// How many rows are handed out at a time.
const CHUNK_ROWS: usize = 4096;
/// What messages call the table.
const NAME: &str = "the table";

/// Rows in memory, with their labels and perhaps weights, as a [`Source`]. The schema says what the cells
/// are: categories are their positions in its lists of them, missing cells are NaN.
///
/// ```
/// use nb_train::{MemoryTable, Source};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let rows = array![[0.0], [1.0], [1.0]];
/// let table = MemoryTable::new(&schema, &rows, &["a", "b", "b"])?;
/// assert!(table.infer(&Default::default())?.columns[0].is_binary());
/// assert!(MemoryTable::new(&schema, &rows, &["a", "b"]).is_err()); // a label is missing
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Debug)]
pub struct MemoryTable<'a, R, L> {
    schema: &'a Schema,
    rows: &'a R,
    labels: &'a [L],
    weights: Option<&'a [f64]>,
    groups: Option<Vec<String>>,
}

impl<'a, R: Rows, L: AsRef<str>> MemoryTable<'a, R, L> {
    /// Rows whose columns are the features of the schema, and a label for each row.
    ///
    /// ```
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
    /// assert!(nb_train::MemoryTable::new(&schema, &rows, &labels).is_ok());
    /// assert!(nb_train::MemoryTable::new(&schema, &rows, &labels[1..]).is_err()); // a label is missing
    /// ```
    ///
    /// # Errors
    /// [`TrainerError`] if the numbers of columns or labels are others.
    pub fn new(schema: &'a Schema, rows: &'a R, labels: &'a [L]) -> Result<Self, TrainerError> {
        if rows.n_columns() != schema.n_features() {
            return Err(TrainerError::Width { rows: rows.n_columns(), schema: schema.n_features() });
        }
        let (n_rows, given) = (rows.n_rows(), labels.len());
        if n_rows != given {
            return Err(TrainerError::Lengths { what: "labels", rows: n_rows, given });
        }
        Ok(Self { schema, rows, labels, weights: None, groups: None })
    }

    /// The same with a weight for each row.
    ///
    /// ```
    /// # use nb_train::MemoryTable;
    /// # let schema = nb_io::Schema::numeric(["x"], "class");
    /// # let (rows, labels) = (ndarray::array![[0.0], [1.0]], ["a", "b"]);
    /// let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// assert!(table.with_weights(&[1.0]).is_err()); // a weight is missing
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError::Lengths`] if there is another number of weights.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, TrainerError> {
        let (rows, given) = (self.rows.n_rows(), weights.len());
        if rows != given {
            return Err(TrainerError::Lengths { what: "weights", rows, given });
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// The same with the group of each row, such as its patient: rows of a group are held out together.
    ///
    /// ```
    /// # use nb_train::{MemoryTable, Trainer};
    /// # let schema = nb_io::Schema::numeric(["x"], "class");
    /// let rows = ndarray::Array2::from_shape_fn((90, 1), |(row, _)| (row / 3) as f64 + 0.5);
    /// let labels: Vec<&str> = (0..90).map(|row| ["a", "b"][row / 3 * 7 % 11 % 2]).collect();
    /// let patients: Vec<String> = (0..90).map(|row| format!("patient {}", row / 3)).collect();
    /// let table = MemoryTable::new(&schema, &rows, &labels)?.with_groups(&patients)?;
    /// // What is true of the three rows of a patient says nothing of other patients.
    /// let model = Trainer::default().train(&table)?.model;
    /// let held_out = model.held_out().unwrap();
    /// assert!(held_out.log_loss >= held_out.log_loss_of_prior - 0.02);
    /// assert!(MemoryTable::new(&schema, &rows, &labels)?.with_groups(&patients[1..]).is_err());
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError::Lengths`] if there is another number of groups.
    pub fn with_groups(self, groups: &[impl AsRef<str>]) -> Result<Self, TrainerError> {
        let (rows, given) = (self.rows.n_rows(), groups.len());
        if rows != given {
            return Err(TrainerError::Lengths { what: "groups", rows, given });
        }
        Ok(Self { groups: Some(groups.iter().map(|group| group.as_ref().to_owned()).collect()), ..self })
    }

    /// Up to three different values of each feature; none of rows that store only some cells.
    fn few_values(&self) -> Option<Vec<Vec<f64>>> {
        let mut found = vec![Vec::new(); self.rows.n_columns()];
        let mut buffer = BlockBuffer::default();
        for first in (0..self.rows.n_rows()).step_by(CHUNK_ROWS) {
            let block = buffer.read(self.rows, first..self.rows.n_rows().min(first + CHUNK_ROWS));
            if !block.is_dense() {
                return None;
            }
            block.for_each_stored(|_, feature, value| {
                let values: &mut Vec<f64> = &mut found[feature];
                if values.len() < 3 && !value.is_nan() && !values.contains(&value) {
                    values.push(value);
                }
            });
        }
        Some(found)
    }
}

impl<R: Rows, L: AsRef<str>> Source for MemoryTable<'_, R, L> {
    type Error = TrainerError;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
        let few_values = self.few_values();
        let (mut columns, mut inferences) = (Vec::new(), Vec::new());
        for (column, features) in self.schema.columns.iter().zip(self.schema.feature_ranges()) {
            if overrides.ignore.contains(&column.name) {
                continue;
            }
            let choice = overrides.kinds.get(&column.name);
            let kind = match (&column.kind, choice) {
                (Kind::Numeric, Some(KindChoice::Count)) => Kind::Count,
                (Kind::Count, Some(KindChoice::Numeric)) => Kind::Numeric,
                (
                    Kind::Numeric | Kind::Count,
                    None | Some(KindChoice::Numeric | KindChoice::Count | KindChoice::NonNegative),
                )
                | (_, None)
                | (Kind::Categorical { .. }, Some(KindChoice::Categorical))
                | (Kind::Text(_), Some(KindChoice::Text))
                | (Kind::Dates(_), Some(KindChoice::Dates)) => column.kind.clone(),
                _ => return Err(TrainerError::Kind { column: column.name.clone() }),
            };
            let values = few_values.as_ref().and_then(|all| all.get(features.start));
            let values = values.filter(|_| !matches!(kind, Kind::Text(_) | Kind::Dates(_)));
            let shown = |value: f64| match &kind {
                Kind::Categorical { levels } => {
                    levels.get(value as usize).map_or_else(String::new, |level| format!("{level:?}"))
                }
                _ => value.to_string(),
            };
            let mut few_values = Vec::new();
            let reason = match (choice, values.map(Vec::as_slice)) {
                (Some(_), _) => Reason::Override,
                (None, Some([])) => Reason::AllMissing,
                (None, Some(&[value])) => Reason::Constant { value: shown(value) },
                (None, Some([0.0, 1.0] | [1.0, 0.0])) if kind == Kind::Numeric => {
                    few_values = vec![0.0, 1.0];
                    Reason::AllNumbers
                }
                _ if kind == Kind::Numeric => Reason::AllNumbers,
                _ => Reason::Type("its kind in the schema".into()),
            };
            inferences.push(Inference {
                column: column.name.clone(),
                kind: kind.clone(),
                reason,
                few_values,
            });
            columns.push(Column { name: column.name.clone(), kind });
        }
        let schema = Schema { columns, label: self.schema.label.clone() };
        Ok(Inferred::new(schema, inferences, self.rows.n_rows()))
    }

    fn open(
        &self,
        _part: usize,
        inferred: &Inferred,
        _classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
        let used: BTreeSet<&str> =
            inferred.schema.columns.iter().map(|column| column.name.as_str()).collect();
        let columns = self.schema.columns.iter().zip(self.schema.feature_ranges());
        let columns = columns.filter(|(column, _)| used.contains(column.name.as_str()));
        let mut places = vec![None; self.schema.n_features()];
        columns.flat_map(|(_, features)| features).enumerate().for_each(|(place, feature)| {
            places[feature] = Some(place);
        });
        Ok(Box::new(Reader { table: self, schema: inferred.schema.clone(), places, next: 0 }))
    }
}

/// Reads the rows.
struct Reader<'a, R, L> {
    table: &'a MemoryTable<'a, R, L>,
    schema: Schema,
    /// The place of each feature of the rows among those that are used.
    places: Vec<Option<usize>>,
    next: usize,
}

impl<R: Rows, L: AsRef<str>> ReadChunks for Reader<'_, R, L> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let first_row = self.next;
        let range = first_row..self.table.rows.n_rows().min(first_row + CHUNK_ROWS);
        if range.is_empty() {
            return Ok(None);
        }
        self.next = range.end;
        let labels = self.table.labels[range.clone()].iter().map(|label| label.as_ref().to_owned());
        Ok(Some(Chunk {
            first_row,
            labels: Some(labels.collect()),
            weights: self.table.weights.map(|weights| weights[range.clone()].to_vec()),
            ids: self.table.groups.iter().map(|groups| groups[range.clone()].to_vec()).collect(),
            rows: self.rows(range),
            n_non_numeric: 0,
            places: Vec::new(),
        }))
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn name(&self) -> &'static str {
        NAME
    }
}

impl<R: Rows, L> Reader<'_, R, L> {
    fn rows(&self, range: std::ops::Range<usize>) -> Table {
        let mut buffer = BlockBuffer::default();
        let (n_rows, n_features) = (range.len(), self.schema.n_features());
        let block = buffer.read(self.table.rows, range);
        if block.is_dense() {
            let mut rows = Array2::zeros((n_rows, n_features));
            block.for_each_stored(|row, feature, value| {
                if let Some(place) = self.places[feature] {
                    rows[[row, place]] = value;
                }
            });
            return Table::Dense(rows);
        }
        let mut of_rows = vec![Vec::new(); n_rows];
        block.for_each_stored(|row, feature, value| {
            of_rows[row].extend(self.places[feature].map(|place| (place, value)));
        });
        let mut indptr = vec![0];
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for cells in of_rows {
            indices.extend(cells.iter().map(|(place, _)| *place));
            values.extend(cells.iter().map(|(_, value)| *value));
            indptr.push(values.len());
        }
        match SparseTable::new(n_features, indptr, indices, values) {
            Ok(rows) => Table::Sparse(rows),
            Err(error) => unreachable!("rows are rows: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use nb_core::CsrView;

    use super::*;
    use crate::{Choice, Choices, Effort, Trainer};

    fn schema() -> Schema {
        let mut schema = Schema::numeric(["same", "x", "copy", "size"], "class");
        let levels = ["s", "m", "l"].map(String::from).to_vec();
        schema.columns[3].kind = Kind::Categorical { levels };
        schema
    }

    fn rows() -> Array2<f64> {
        Array2::from_shape_fn((60, 4), |(row, column)| match column {
            0 => 7.0,
            1 => (row % 5 + row % 2) as f64 + 0.5,
            2 => (row % 2) as f64,
            _ => (row % 3) as f64,
        })
    }

    fn labels() -> Vec<&'static str> {
        (0..60).map(|row| ["a", "b"][row % 2]).collect()
    }

    #[test]
    fn columns_that_say_nothing_or_the_label_are_left_out() {
        let trained = Trainer::default().fit(&schema(), &rows(), &labels()).unwrap();
        let left_out: Vec<&str> =
            trained.columns.left_out.iter().map(|column| column.column.as_str()).collect();
        assert_eq!(left_out, ["same", "copy"]);
        // The model is that of the other columns.
        let others =
            Schema { columns: vec![schema().columns[1].clone(), schema().columns[3].clone()], ..schema() };
        let two = rows().select(ndarray::Axis(1), &[1, 3]);
        assert_eq!(trained.model, Trainer::default().fit(&others, &two, &labels()).unwrap().model);
    }

    #[test]
    fn a_weight_of_two_is_a_row_that_is_there_twice() {
        let (schema, rows, labels) = (schema(), rows(), labels());
        let trainer = Trainer::default()
            .with_effort(Effort::SumsOnly)
            .with_choices(Choices::default().with("copy", Choice::BERNOULLI));
        let weights: Vec<f64> = (0..60).map(|row| f64::from(u8::from(row < 30)) + 1.0).collect();
        let table = MemoryTable::new(&schema, &rows, &labels).unwrap().with_weights(&weights).unwrap();
        let places: Vec<usize> = (0..60).chain(0..30).collect();
        let twice = rows.select(ndarray::Axis(0), &places);
        let labels: Vec<&str> = places.iter().map(|&place| labels[place]).collect();
        let model = trainer.train(&table).unwrap().model;
        assert_eq!(model.stats(), trainer.fit(&schema, &twice, &labels).unwrap().model.stats());
        assert_eq!(model.schema().columns.len(), 3); // a copy of the label whose family is chosen is kept
    }

    #[test]
    fn rows_that_store_some_cells_have_a_plain_model() {
        let indptr: Vec<usize> = (0..=60).collect();
        let indices: Vec<usize> = (0..60).map(|row| row % 2).collect();
        let values: Vec<f64> = (0..60).map(|row| f64::from(row % 3) + 1.0).collect();
        let rows = CsrView::new(2, &indptr, &indices, &values).unwrap();
        let schema = Schema::numeric(["x", "y"], "class");
        let trained = Trainer::default().fit(&schema, &rows, &labels()).unwrap();
        assert_eq!(trained.plain, Some(crate::WhyPlain::Sparse));
        let cell = |(row, column)| if column == row % 2 { (row % 3) as f64 + 1.0 } else { 0.0 };
        let dense = Array2::from_shape_fn((60, 2), cell);
        let choices = Choices::default().with_rest(Choice::GAUSSIAN);
        let trainer = Trainer::default().with_effort(Effort::SumsOnly).with_choices(choices);
        let sparse = trainer.fit(&schema, &rows, &labels()).unwrap().model;
        assert_eq!(sparse.stats(), trainer.fit(&schema, &dense, &labels()).unwrap().model.stats());
    }

    #[test]
    fn what_the_schema_says_cannot_be_chosen_otherwise() {
        let trainer = Trainer::default().with_choices(Choices::default().with("x", Choice::CATEGORICAL));
        let error = trainer.fit(&schema(), &rows(), &labels()).unwrap_err();
        assert!(matches!(error, TrainerError::Kind { column } if column == "x"));
    }
}
