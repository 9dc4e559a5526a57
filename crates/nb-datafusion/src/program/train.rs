//! `nb-datafusion train`: a model from data files.

use std::path::PathBuf;

use anyhow::{Context, Error, Result};
use clap::builder::PossibleValuesParser;
use datafusion::{arrow::datatypes::DataType, prelude::DataFrame};
use nb_core::error::{FamilyError, FamilyProblem, FitError as NoModel};
use nb_datafusion::{Design, FitError, fit_query, fitted};
use nb_io::{Kind, Model, Registry};

use super::{
    columns::Columns,
    engine::{Engine, EngineArgs, Running},
    failure::usage,
    open::Opener,
    output::check_folder,
    tables::{ReadArgs, Table},
};

const EXAMPLES: &str = "\
Examples:
  nb-datafusion train 'data/*.parquet' --label y -o model.nb
  nb-datafusion train 'data/*.csv.gz' --label y --ignore id,name --weights w -o model.nb
  nb-datafusion train t.csv --label y --design '{\"columns\": {\"clicks\": \"poisson\"}}' -o model.nb
  nb-datafusion train '/shared/data/*.parquet' --label y --engine ballista --scheduler df://host:50050 -o model.nb";

/// Trains a model. It is the same, byte for byte, whatever carries out the query.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    /// Data files of one kind, by name, folder or pattern: Parquet, Avro, CSV or TSV with a header, or JSON
    /// objects, one a line (.jsonl). Also by address: `s3://bucket/folder/`, `'gs://bucket/*.csv'`, `https://host/file.csv`.
    #[arg(required = true)]
    files: Vec<String>,
    /// The column that holds the labels.
    #[arg(long, value_name = "COLUMN", required_unless_present = "template")]
    label: Option<String>,
    /// The column that holds the weights of the rows.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// The columns to learn from; by default all others, except for those that tell nothing, such as
    /// identifiers and constants.
    #[arg(long, value_delimiter = ',', conflicts_with = "ignore")]
    columns: Option<Vec<String>>,
    /// Columns not to learn from.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// The family of all columns; by default as `nbayes train` chooses from all rows, which are read for it,
    /// here, before they are counted.
    #[arg(long, value_parser = PossibleValuesParser::new(family_names()))]
    family: Option<String>,
    /// The pseudo-count added to every count: 0 is maximum likelihood, 1 (the default) is Laplace.
    #[arg(long, value_name = "L")]
    smoothing: Option<f64>,
    /// Families of single columns and hyper-parameters, as JSON.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["family", "smoothing"])]
    design: Option<Design>,
    /// A model without rows, which says all this.
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["label", "columns", "ignore", "family", "smoothing", "design"])]
    template: Option<PathBuf>,
    /// Writes the model of a template even if a class has no values in a column: `nbayes` then leaves the
    /// column out.
    #[arg(long, hide = true, requires = "template")]
    unfitted: bool,
    /// The file for the model.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The families that a model can have, as options are written.
fn family_names() -> Vec<String> {
    Registry::default().descriptions().map(|description| description.name.replace('_', "-")).collect()
}

/// Leaves out the column in which a class has no values, if that is why there is no classifier, and prints a
/// note.
fn without_values(model: &Model, error: &NoModel, columns: &mut Columns) -> Option<String> {
    let NoModel::Family(FamilyError { class, column, problem: FamilyProblem::NoData, .. }) = error else {
        return None;
    };
    let (class, feature) = (model.stats().classes().nth(*class)?, model.schema().feature(*column)?);
    columns.leave_out_without_values(&feature.column.name, class)
}

impl Train {
    pub(crate) async fn run(&self, running: &Running) -> Result<()> {
        check_folder(&self.output)?;
        let template = self.template.as_ref().map(Model::load).transpose()?;
        let engine = self.engine.start(running).await?;
        let mut table = Table::look(&engine, &self.files, self.read, running).await?;
        let (mut template, mut columns) = if let Some(template) = template {
            (template, None)
        } else {
            let columns = self.choose(&table, &engine, running).await?;
            (columns.template()?, Some(columns))
        };
        let (model, classifier) = loop {
            let model = self.train(&mut table, &template, &engine).await?;
            if self.unfitted {
                return Ok(model.save(&self.output)?);
            }
            match (model.classifier(), &mut columns) {
                (Ok(classifier), _) => break (model, classifier),
                (Err(error), Some(columns)) => {
                    let Some(note) = without_values(&model, &error, columns) else {
                        return Err(error).context("the rows do not make a model");
                    };
                    running.say(&note);
                    template = columns.template()?;
                }
                // A model that cannot be fitted is an error now, not at the first prediction.
                (Err(error), None) => return Err(error).context("the rows do not make a model"),
            }
        };
        model.save(&self.output)?;
        // With a template the columns were reported.
        if self.template.is_none() {
            let (n_columns, n_classes) = (model.schema().columns.len(), classifier.classes().len());
            let columns = if n_columns == 1 { "column" } else { "columns" };
            running.say(&format!("{n_columns} {columns}, {n_classes} classes: {}", self.output.display()));
        }
        Ok(())
    }

    /// The model of all rows.
    async fn train(&self, table: &mut Table, template: &Model, engine: &Engine) -> Result<Model> {
        let features = &template.schema().columns;
        for name in features.iter().map(|column| &column.name).chain(&self.weights) {
            if table.schema().field_with_name(name).is_err() {
                return Err(usage(format!("the files have no column {name:?}")));
            }
        }
        table.read_as(|name| {
            let is_number = |kind: &Kind| matches!(kind, Kind::Numeric | Kind::Count);
            self.weights.as_deref() == Some(name)
                || features.iter().any(|column| column.name == name && is_number(&column.kind))
        });
        match self.fit(table.frame(engine)?, template, engine).await {
            Ok(model) => Ok(model),
            Err(error) => Err(self.blame(error, table, template, engine).await),
        }
    }

    /// The columns and their families, as the options say and the files suggest.
    async fn choose(&self, table: &Table, engine: &Engine, running: &Running) -> Result<Columns> {
        let label = self.label.as_deref().unwrap_or_default();
        let found: Vec<(&str, &DataType)> =
            table.schema().fields().iter().map(|field| (field.name().as_str(), field.data_type())).collect();
        let named = |name: &str| {
            let column = found.iter().find(|(column, _)| *column == name).copied();
            column.ok_or_else(|| usage(format!("the files have no column {name:?}")))
        };
        let mut others: Vec<&str> = self.ignore.iter().map(String::as_str).chain([label]).collect();
        others.extend(self.weights.as_deref());
        others.iter().try_for_each(|name| named(name).map(drop))?;
        let columns = match &self.columns {
            Some(columns) => columns.iter().map(|name| named(name)).collect::<Result<_>>()?,
            None => found.iter().filter(|(name, _)| !others.contains(name)).copied().collect::<Vec<_>>(),
        };
        let family = self.family.as_deref().map(str::parse).transpose()?;
        let design = self.design.clone().unwrap_or_else(|| Design {
            family,
            smoothing: self.smoothing.unwrap_or(Design::default().smoothing),
            ..Design::default()
        });
        let is_feature = |name: &str| columns.iter().any(|(column, _)| *column == name);
        let others = found.iter().map(|(name, _)| *name).filter(|name| *name != label && !is_feature(name));
        let others = others.map(String::from).collect();
        let columns = columns.iter().map(|&(name, data_type)| (name.to_owned(), data_type.clone())).collect();
        let mut columns = Columns::new(label.into(), columns, design);
        let (table, opener) = (table.clone(), Opener::new(engine.context()));
        let look = move || columns.look(&table, others, &opener).map(|()| columns);
        let mut columns = tokio::task::spawn_blocking(look).await??;
        // Who names the columns wants all of them.
        if self.columns.is_none() {
            columns.leave_out_useless()?.iter().for_each(|note| running.say(note));
        }
        Ok(columns)
    }

    async fn fit(&self, frame: DataFrame, template: &Model, engine: &Engine) -> Result<Model> {
        let frame = match template.schema().columns.first() {
            Some(column) => engine.delayed(frame, &column.name)?,
            None => frame,
        };
        engine
            .run(async || {
                let query = fit_query(frame.clone(), self.weights.as_deref(), template)?;
                fitted(&query.collect().await?)
            })
            .await
    }

    /// The error with the file that it comes from, which engines do not tell: the first that brings it about
    /// alone.
    async fn blame(&self, error: Error, table: &Table, template: &Model, engine: &Engine) -> Error {
        if !error.is::<FitError>() && !is_of_query(&error) {
            return error;
        }
        if let [file] = table.locations() {
            return error.context(file.to_string());
        }
        for file in table.locations() {
            let Ok(frame) = table.frame_of(file, engine) else { continue };
            match self.fit(frame, template, engine).await {
                Err(error) if !matches!(error.downcast_ref(), Some(FitError::NoRows)) => {
                    return error.context(file.to_string());
                }
                _ => {}
            }
        }
        error
    }
}

/// Whether the query failed on the cluster, and not the cluster.
fn is_of_query(error: &Error) -> bool {
    #[cfg(feature = "cluster")]
    return matches!(error.downcast_ref(), Some(nb_datafusion::cluster::ClusterError::Query(_)));
    #[cfg(not(feature = "cluster"))]
    {
        let _ = error;
        false
    }
}
