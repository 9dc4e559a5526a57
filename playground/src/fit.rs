//! The model of the table.

use nb_core::{Classifier, description::ParameterName};
use nb_io::{FittedFamily, Kind, Model};
use nb_train::{Effort, Trained};
use ndarray::{Array2, Axis};
use serde_json::{Value, json};

use crate::{Problem, columns, design::Design, sample, table::Table};

/// The number of rows that are drawn from a model without a table.
const DRAWN: usize = 400;

#[derive(Debug)]
pub(crate) struct Fit {
    pub(crate) model: Model,
    pub(crate) classifier: Classifier<String, FittedFamily>,
    /// For each column of the model its place in the table.
    pub(crate) places: Vec<usize>,
}

impl Fit {
    /// Trains a model, and says what it is.
    pub(crate) fn new(table: &Table, design: &Design) -> Result<(Self, Value), Problem> {
        let effort = if design.refined { Effort::Usual } else { Effort::SumsOnly };
        let trained = design.trainer(table, effort)?.fit(&table.schema, &table.rows, &table.texts())?;
        let fit = Self::of(trained.model.clone(), table)?;
        let value = fit.describe(Some(&trained));
        Ok((fit, value))
    }

    pub(crate) fn of(model: Model, table: &Table) -> Result<Self, Problem> {
        let place = |name: &str| {
            let found = table.schema.columns.iter().position(|own| own.name == *name);
            found.ok_or_else(|| Problem::new(format!("column {name:?} not found")))
        };
        let places =
            model.schema().columns.iter().map(|column| place(&column.name)).collect::<Result<_, _>>()?;
        Ok(Self { classifier: model.uncalibrated_classifier()?, model, places })
    }

    /// Rows of the table as the model takes them.
    pub(crate) fn rows_of(&self, rows: &Array2<f64>) -> Array2<f64> {
        rows.select(Axis(1), &self.places)
    }

    /// A row of the table as the model takes it.
    pub(crate) fn row_of(&self, row: &[Option<f64>]) -> Result<Array2<f64>, Problem> {
        let cells = self.places.iter().map(|&place| row.get(place).map(|cell| cell.unwrap_or(f64::NAN)));
        let cells: Option<Vec<f64>> = cells.collect();
        let cells =
            cells.ok_or_else(|| Problem::new("the row has fewer cells than the table has columns"))?;
        Ok(Array2::from_shape_fn((1, cells.len()), |(_, column)| cells[column]))
    }

    /// The column of the model at a place of the table, if the model uses it.
    pub(crate) fn column_at(&self, place: usize) -> Option<usize> {
        self.places.iter().position(|&own| own == place)
    }

    fn describe(&self, trained: Option<&Trained>) -> Value {
        let priors: Vec<f64> = self.classifier.log_prior().iter().map(|log| log.exp()).collect();
        let columns: Vec<Value> = (0..self.places.len()).map(|column| self.describe_column(column)).collect();
        let pairs: Vec<Vec<usize>> = self.model.refinement().map_or_else(Vec::new, |refinement| {
            let pairs = refinement.columns.pairs.iter();
            pairs.map(|pair| pair.columns.iter().map(|&column| self.places[column]).collect()).collect()
        });
        let mut value = json!({
            "classes": self.classifier.classes(), "priors": priors, "columns": columns,
            "refined": self.model.refinement().is_some(), "pairs": pairs,
        });
        if let Some(trained) = trained {
            let left_out =
                trained.columns.left_out.iter().map(
                    |inference| json!({"name": inference.column, "reason": inference.reason.to_string()}),
                );
            value["n_rows"] = json!(trained.n_rows);
            value["left_out"] = left_out.collect();
            value["plain"] = json!(trained.plain.as_ref().map(ToString::to_string));
        }
        value
    }

    fn describe_column(&self, column: usize) -> Value {
        let schema = &self.model.schema().columns[column];
        let Some((family, own)) = columns::family_of(self.classifier.likelihood(), column) else {
            return json!({"name": schema.name, "place": self.places[column], "family": null});
        };
        let description = family.description();
        let level = |code: usize| match &schema.kind {
            Kind::Categorical { levels } => levels.get(code).cloned().unwrap_or_else(|| code.to_string()),
            _ => code.to_string(),
        };
        let name = |name: ParameterName| match name {
            ParameterName::Text(text) => text.into_owned(),
            ParameterName::Category(Some(code)) => level(code),
            ParameterName::Category(None) => "other".to_owned(),
            ParameterName::Group(codes) => {
                codes.iter().map(|&code| level(code)).collect::<Vec<_>>().join(", ")
            }
        };
        let parameters = family.inspect().map_or_else(Vec::new, |inspect| inspect.parameters(own));
        let parameters: Vec<Value> = parameters
            .into_iter()
            .map(|(parameter, values)| json!({"name": name(parameter), "values": values}))
            .collect();
        let normal = columns::normal(family, own).map(|(means, deviations)| json!([means, deviations]));
        let weight =
            self.model.refinement().and_then(|refinement| refinement.columns.weights.get(column).copied());
        json!({
            "name": schema.name, "place": self.places[column], "family": description.name.replace('_', "-"),
            "title": description.title, "parameters": parameters, "normal": normal, "weight": weight,
        })
    }
}

/// Takes a model from the bytes of a model file, with rows that are drawn from it.
pub(crate) fn load(bytes: &[u8]) -> Result<(Table, Fit, Value), Problem> {
    let model = Model::from_bytes(bytes)?;
    let schema = model.schema().clone();
    let is_plain = |kind: &Kind| matches!(kind, Kind::Numeric | Kind::Count | Kind::Categorical { .. });
    if !schema.columns.iter().all(|column| is_plain(&column.kind)) {
        return Err(Problem::new(
            "the model has columns of texts or dates, which the page cannot show; the program `nbayes` can",
        ));
    }
    let classifier = model.uncalibrated_classifier()?;
    let classes = classifier.classes().to_vec();
    let (rows, labels) = sample::drawn(&model, &classes, DRAWN, 1)
        .unwrap_or_else(|_| (Array2::zeros((0, schema.columns.len())), Vec::new()));
    let places = (0..schema.columns.len()).collect();
    let fit = Fit { model, classifier, places };
    let table = Table::from_rows(schema, rows, labels, classes);
    let value = json!({"table": table.describe(), "model": fit.describe(None)});
    Ok((table, fit, value))
}
