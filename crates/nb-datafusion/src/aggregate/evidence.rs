//! Evidence that is being gathered: from rows, and from what others gathered.

use datafusion::{
    arrow::array::{Array, ArrayRef},
    error::Result,
};
use nb_core::{Rows, SufficientStats};
use nb_io::{Column, Family, Kind, Model, Schema, read::Table};

use super::pending::Pending;
use crate::{
    failure::failed,
    families,
    rows::{Arguments, Features, Names, Unknown, doubles, has_texts, without_null},
};

/// How many cells are made into rows at a time: a batch of the engine may be wide, and need not be copied as
/// a whole.
const CELLS_AT_A_TIME: usize = 1 << 18;

/// Evidence on its way to a model.
#[derive(Debug)]
pub(crate) struct Evidence {
    /// The model that the rows make, without its rows.
    template: Model,
    /// The family of the template with categories as they are found.
    family: Family,
    features: Features,
    labels: Names,
    /// By the numbers of the labels.
    stats: SufficientStats<u32>,
    pending: Pending,
}

/// Whether rows come or go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// They are added.
    In,
    /// They were added before and are taken out.
    Out,
}

impl Evidence {
    /// No evidence yet.
    ///
    /// # Errors
    /// The template is no model of features that are given in this way.
    pub(crate) fn new(template: Model, arguments: Arguments) -> Result<Self> {
        let schema = template.schema();
        let family = families::open(template.family());
        let stats = SufficientStats::new(&family, schema.n_features()).map_err(failed)?;
        let features = Features::new(schema, arguments, Unknown::Added)?;
        Ok(Self { template, family, features, labels: Names::default(), stats, pending: Pending::default() })
    }

    /// Adds rows or takes them out.
    ///
    /// # Errors
    /// What is wrong with a cell, a label or a weight. Some rows may have been added then: the query has
    /// failed.
    pub(crate) fn update(
        &mut self,
        direction: Direction,
        labels: &ArrayRef,
        weights: Option<&ArrayRef>,
        arguments: &[ArrayRef],
    ) -> Result<()> {
        let labels = self.numbers_of_labels(labels)?;
        let weights = weights.map(|weights| doubles(weights, "the weights")).transpose()?;
        let weights = weights.as_ref().map(|weights| without_null(weights, "a weight")).transpose()?;
        if direction == Direction::Out {
            check_moving(self.template.schema())?;
            self.add_pending()?;
        }
        // Sparse rows are as long as they have cells, whatever the number of features.
        let step = if self.features.is_sparse() {
            1 << 16
        } else {
            (CELLS_AT_A_TIME / self.features.n_features()).clamp(64, 1 << 16)
        };
        for first in (0..labels.len()).step_by(step) {
            let range = first..labels.len().min(first + step);
            let rows = self.features.read(arguments, range.clone())?;
            let weights = weights.map(|weights| &weights[range.clone()]);
            match (&rows, direction) {
                (Table::Sparse(rows), Direction::In) => {
                    self.pending.push(rows, &labels[range], weights);
                    let n_classes = self.labels.as_slice().len();
                    if self.pending.is_enough(self.features.n_features(), n_classes) {
                        self.add_pending()?;
                    }
                }
                _ => self.add(direction, &rows, &labels[range], weights)?,
            }
        }
        Ok(())
    }

    /// Adds the rows that wait for others.
    fn add_pending(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let (rows, labels, weights) = self.pending.take(self.features.n_features())?;
        self.add(Direction::In, &Table::Sparse(rows), &labels, weights.as_deref())
    }

    fn add(
        &mut self,
        direction: Direction,
        rows: &Table,
        labels: &[u32],
        weights: Option<&[f64]>,
    ) -> Result<()> {
        let (stats, family) = (&mut self.stats, &self.family);
        let added = match (direction, weights) {
            (Direction::In, None) => stats.update(family, rows, labels),
            (Direction::In, Some(weights)) => stats.update_weighted(family, rows, labels, weights),
            (Direction::Out, None) => stats.retract(family, rows, labels),
            (Direction::Out, Some(weights)) => stats.retract_weighted(family, rows, labels, weights),
        };
        added.map_err(|error| self.of_row(error, rows, labels))
    }

    /// The error with the name of the column, and the label of the row: in a table whose rows have no order,
    /// a number would say nothing.
    fn of_row(
        &self,
        error: nb_core::error::UpdateError,
        rows: &Table,
        labels: &[u32],
    ) -> datafusion::error::DataFusionError {
        debug_assert_eq!(rows.n_rows(), labels.len());
        match error {
            nb_core::error::UpdateError::Value(error) => {
                let label =
                    labels.get(error.row).and_then(|&label| self.labels.as_slice().get(label as usize));
                let column = self.template.schema().feature_name(error.column).unwrap_or_default();
                failed(format!(
                    "column {column:?} of a row with the label {:?}: {} {}",
                    label.map_or("", String::as_str),
                    error.value,
                    error.reason
                ))
            }
            error => failed(error),
        }
    }

    fn numbers_of_labels(&mut self, labels: &ArrayRef) -> Result<Vec<u32>> {
        if !has_texts(labels.data_type()) {
            return Err(failed(format!(
                "the label has the type {}; labels are texts, whole numbers or truth values, so cast it to one of them",
                labels.data_type()
            )));
        }
        let numbers = self.labels.numbers(labels, Unknown::Added)?;
        numbers.into_iter().collect::<Option<Vec<_>>>().ok_or_else(|| {
            failed("a row has no label (NULL); leave such rows out with WHERE label IS NOT NULL")
        })
    }

    /// The model of all rows so far, with categories in the order of their names; nothing if there was no
    /// row.
    pub(crate) fn model(&mut self) -> Result<Option<Model>> {
        self.add_pending()?;
        if self.stats.classes().len() == 0 {
            return Ok(None);
        }
        let mut schema = self.template.schema().clone();
        for (column, levels) in schema.columns.iter_mut().zip(self.features.levels()) {
            if let Some(levels) = levels {
                column.kind = Kind::Categorical { levels: levels.to_vec() };
            }
        }
        let family = &self.family;
        let classes = self.stats.classes().zip(self.stats.class_weights()).zip(self.stats.class_sums());
        let classes = classes.map(|((&label, weight), parts)| {
            (self.labels.as_slice()[label as usize].clone(), weight, parts.to_vec())
        });
        let stats = SufficientStats::from_parts(family, schema.n_features(), classes).map_err(failed)?;
        let gathered = Model::from_parts(schema, family.clone(), self.template.prior().clone(), stats)
            .map_err(failed)?;
        sorted(gathered).map(Some)
    }

    /// About how many bytes there are.
    pub(crate) fn size(&self) -> usize {
        let sums = self.stats.layout().parts.iter().map(|part| part.len).sum::<usize>();
        // Two planes of doubles, and what rows are gathered in.
        size_of_val(self)
            + self.pending.size()
            + 16 * (sums + 1) * (self.stats.classes().len() + 1)
            + 64 * self.template.schema().columns.len()
    }
}

/// The model with categories in the order of their names, which does not depend on who met them first.
fn sorted(model: Model) -> Result<Model> {
    if !model.schema().columns.iter().any(|column| matches!(column.kind, Kind::Categorical { .. })) {
        return Ok(model);
    }
    let mut sorted =
        Model::new(without_levels(model.schema()), model.family().clone(), model.prior().clone())
            .map_err(failed)?;
    sorted.merge(&model).map_err(failed)?;
    Ok(sorted)
}

fn without_levels(schema: &Schema) -> Schema {
    let columns = schema.columns.iter().map(|column| Column {
        name: column.name.clone(),
        kind: match &column.kind {
            Kind::Categorical { .. } => Kind::Categorical { levels: Vec::new() },
            other => other.clone(),
        },
    });
    Schema { columns: columns.collect(), label: schema.label.clone() }
}

/// The model with the categories that it has met declared, as the value of a query. A group in which a column
/// has none keeps them open: its model cannot be fitted alone, but merges with others.
pub(crate) fn finished(model: Model) -> Result<Model> {
    let family = families::closed(model.family(), model.schema());
    model.with_family(family).map_err(failed)
}

/// Refuses to take rows out of a model with categories: those that no row has any more would stay.
pub(super) fn check_moving(schema: &Schema) -> Result<()> {
    let category = schema.columns.iter().find(|column| matches!(column.kind, Kind::Categorical { .. }));
    match category {
        None => Ok(()),
        Some(column) => Err(failed(format!(
            "column {:?} has categories, which cannot be forgotten when rows leave a window; fit numbers, or group the rows \
             in a subquery",
            column.name
        ))),
    }
}
