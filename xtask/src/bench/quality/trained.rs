//! Models of rows of a data set as `nbayes train` makes them.

use nb_compare::{Kind, Table};
use nb_io::{
    Schema,
    read::{Csv, Inferred, KindChoice, Overrides, ReadChunks, ReadError},
};
use nb_train::{Effort, Source, Trainer, TrainerError};
use ndarray::{Array2, Axis};

use super::data::Data;

/// The label column.
const LABEL: &str = "the label";
/// The column of texts.
const TEXT: &str = "text";

/// A model, and where its columns and classes are among those of the data set.
pub(super) struct Trained {
    model: nb_io::Model,
    columns: Vec<usize>,
    classes: Vec<usize>,
}

impl Trained {
    /// Trains a model on rows of a data set.
    pub(super) fn new(set: &Data, rows: &[usize], effort: Effort) -> Result<Self, String> {
        let table = &set.table;
        let trainer = Trainer::default().with_effort(effort);
        let labels: Vec<&str> = rows.iter().map(|&row| table.classes[table.labels[row]].as_str()).collect();
        let trained = if let Some(texts) = &set.texts {
            let kinds = Overrides::default().with(TEXT, KindChoice::Text);
            trainer.with_overrides(kinds).train(&Messages::new(texts, rows, Some(&labels)))
        } else {
            let x = set.columns()?.1.select(Axis(0), rows);
            trainer.fit(&schema(table)?, &x, &labels)
        };
        let model = trained.map_err(|error| error.to_string())?.model;
        let place = |name: &String| table.classes.iter().position(|class| class == name);
        let classes = model.stats().classes().map(|class| place(class).ok_or("a class is new"));
        let classes = classes.collect::<Result<_, _>>()?;
        let mut columns = Vec::new();
        if set.texts.is_none() {
            let (all, _) = set.columns()?;
            for used in &model.schema().columns {
                let place = all.iter().position(|column| column.name == used.name);
                columns.push(place.ok_or("a column is new")?);
            }
        }
        Ok(Self { model, columns, classes })
    }

    /// The log-posteriors of rows of the data set, for all of its classes.
    pub(super) fn log_posteriors(&self, set: &Data, rows: &[usize]) -> Result<Array2<f64>, String> {
        let classifier = self.model.classifier().map_err(|error| error.to_string())?;
        let mut answers = Array2::from_elem((rows.len(), set.table.classes.len()), f64::NEG_INFINITY);
        let mut add = |first: usize, found: &Array2<f64>| {
            for (row, found) in found.rows().into_iter().enumerate() {
                for (&class, &value) in self.classes.iter().zip(found) {
                    answers[[first + row, class]] = value;
                }
            }
        };
        if let Some(texts) = &set.texts {
            let messages = Messages::new(texts, rows, None);
            let mut chunks = messages.read(self.model.schema()).map_err(|error| error.to_string())?;
            while let Some(chunk) = chunks.next_chunk().map_err(|error| error.to_string())? {
                add(
                    chunk.first_row,
                    &classifier.predict_log_proba(&chunk.rows).map_err(|error| error.to_string())?,
                );
            }
        } else {
            let x = set.columns()?.1.select(Axis(0), rows).select(Axis(1), &self.columns);
            add(0, &classifier.predict_log_proba(&x).map_err(|error| error.to_string())?);
        }
        Ok(answers)
    }
}

/// The columns of a table as those of a model.
fn schema(table: &Table) -> Result<Schema, String> {
    let (columns, _) = super::data::columns(table)?;
    let columns = columns.iter().map(|column| nb_io::Column {
        name: column.name.clone(),
        kind: match &column.kind {
            Kind::Categorical { levels } => nb_io::Kind::Categorical { levels: levels.clone() },
            Kind::Count => nb_io::Kind::Count,
            Kind::Numeric | Kind::Text { .. } => nb_io::Kind::Numeric,
        },
    });
    Ok(Schema { columns: columns.collect(), label: LABEL.into() })
}

/// Texts as a CSV file in memory, with labels or without.
struct Messages(String);

impl Messages {
    fn new(texts: &[String], rows: &[usize], labels: Option<&[&str]>) -> Self {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut csv = if labels.is_some() { format!("{TEXT},{LABEL}\n") } else { format!("{TEXT}\n") };
        for (place, &row) in rows.iter().enumerate() {
            csv += &quoted(&texts[row]);
            if let Some(labels) = labels {
                csv.push(',');
                csv += &quoted(labels[place]);
            }
            csv.push('\n');
        }
        Self(csv)
    }

    fn read(&self, schema: &Schema) -> Result<Box<dyn ReadChunks + '_>, ReadError> {
        Ok(Box::new(Csv::default().read_from(self.0.as_bytes(), "texts.csv", schema)?))
    }
}

impl Source for Messages {
    type Error = TrainerError;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
        Ok(Csv::default().infer_from(|| Ok(self.0.as_bytes()), "texts.csv", LABEL, overrides)?)
    }

    fn open(
        &self,
        _: usize,
        inferred: &Inferred,
        _: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
        Ok(self.read(&inferred.schema)?)
    }
}
