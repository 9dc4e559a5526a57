//! `nbayes sql`: queries that sum a table up or score its rows.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use nb_sql::{Dialect, Shift, fit_query, predict_expressions, predict_query};

use crate::{design::SchemaFile, model::load, output::Screen};

const EXAMPLES: &str = "\
Examples:
  nbayes schema sample.csv --label y -o schema.toml
  nbayes sql --fit schema.toml --dialect postgres --table sales > fit.sql
  psql --csv -f fit.sql > result.csv
  nbayes import-stats result.csv --schema schema.toml -o model.nb
  nbayes sql --predict model.nb --dialect postgres --table new_sales --id id > predict.sql";

/// Print SQL: a query whose result `nbayes import-stats` turns into a model, or one that predicts labels.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sql {
    /// A schema file: print the query that computes the sufficient statistics.
    #[arg(long, value_name = "SCHEMA", required_unless_present = "predict", conflicts_with = "predict")]
    fit: Option<PathBuf>,
    /// A model: print the query that predicts labels.
    #[arg(long, value_name = "MODEL")]
    predict: Option<PathBuf>,
    /// The engine.
    #[arg(long, value_enum)]
    dialect: DialectArg,
    /// The table, or a query in parentheses.
    #[arg(long, default_value = "t")]
    table: String,
    /// With --fit: whether numbers are shifted by the mean of their class before they are squared.
    #[arg(long, value_enum, default_value_t = ShiftArg::Mean, conflicts_with = "predict")]
    shift: ShiftArg,
    /// With --fit: a column of the table, such as customer, of which each value gets its own model.
    #[arg(long, value_name = "COLUMN", conflicts_with = "predict")]
    group_by: Option<String>,
    /// With --predict: a column of the table to return with the labels.
    #[arg(long, value_name = "COLUMN", conflicts_with = "fit")]
    id: Option<String>,
    /// With --predict: prints only the expressions of the classes' log-joint probabilities, for queries of
    /// one's own.
    #[arg(long, conflicts_with_all = ["fit", "id"])]
    expression: bool,
}

/// The engine that a query is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DialectArg {
    Postgres,
    Duckdb,
    Spark,
}

/// Whether numbers are shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShiftArg {
    /// By about the mean of their class, found in a first pass.
    Mean,
    /// Not at all: one pass less, and fewer digits of the variances.
    None,
}

impl Sql {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let dialect = match self.dialect {
            DialectArg::Postgres => Dialect::Postgres,
            DialectArg::Duckdb => Dialect::DuckDb,
            DialectArg::Spark => Dialect::Spark,
        };
        let query = match (&self.fit, &self.predict) {
            (Some(path), _) => {
                let (mut design, _) =
                    SchemaFile::load(path)?.design().context(format!("{}", path.display()))?;
                design.group.clone_from(&self.group_by);
                let shift = match self.shift {
                    ShiftArg::Mean => Shift::Mean,
                    ShiftArg::None => Shift::None,
                };
                fit_query(&design, dialect, &self.table, shift)?
            }
            (None, Some(path)) => {
                let model = load(path)?;
                let query = if self.expression {
                    predict_expressions(&model, dialect)
                } else {
                    predict_query(&model, dialect, &self.table, self.id.as_deref())
                };
                query.with_context(|| format!("the model {}", path.display()))?
            }
            (None, None) => String::new(), // the command line asks for one of them
        };
        screen.print(&query)
    }
}
