//! `nbayes import-stats`: a model from the result of a query.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nb_sql::Evidence;
use serde::Serialize;

use crate::{
    data::Input,
    design::{FamilyArgs, PriorArg, SchemaFile, TextArgs},
    model::fitted,
    output::{Screen, counted, refuse_inputs, visible},
};

/// Build a model from the result of a query printed by `nbayes sql --fit`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  nbayes import-stats result.csv --schema schema.toml -o model.nb")]
pub(crate) struct ImportStats {
    /// The result as CSV with a header, columns in any order; `-` is standard input.
    result: String,
    /// The schema file that the query was printed for.
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// The model file to write.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    family: FamilyArgs,
    /// The class prior: empirical, uniform, or label=probability,... [default: that of the schema file, else empirical].
    /// Quote a label that has a comma: '"a,b"=0.5,c=0.5'.
    #[arg(long)]
    prior: Option<PriorArg>,
}

/// What became of a result.
#[derive(Serialize)]
struct Imported {
    rows: f64,
    weight: f64,
    columns: usize,
    classes: Vec<String>,
    output: PathBuf,
}

impl ImportStats {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        refuse_inputs(Some(&self.output), [Path::new(&self.result), &self.schema])?;
        let file = SchemaFile::load(&self.schema)?;
        let (design, choices) = file.design().context(format!("{}", self.schema.display()))?;
        let input = Input::find(&self.result)?;
        let read = || -> Result<String> { Ok(std::io::read_to_string(input.open()?)?) };
        let text = read().with_context(|| format!("cannot read {}", input.name()))?;
        let evidence = Evidence::read(&text, &design).with_context(|| input.name().to_owned())?;
        for lost in evidence.lost_digits() {
            screen.note(&format!(
                "the variance of {:?} in class {:?} has lost about {:.0} of its 16 digits in the engine's rounding; a \
                 query with --shift mean keeps them",
                lost.feature,
                lost.class,
                lost.condition.log10().min(16.0)
            ));
        }
        let rows = evidence.n_rows();
        let family = self.family.family(evidence.schema(), &choices, &TextArgs::default())?;
        let model = evidence.into_model(family).with_context(|| input.name().to_owned())?;
        let prior = self.prior.clone().or(file.prior).unwrap_or_default();
        let prior = prior.over(model.stats().classes())?;
        let model = model.with_prior(prior)?;
        // A model that cannot be fitted is an error now, not at the first prediction.
        fitted(&model).context("cannot build a model from these rows")?;
        crate::model::save(&model, &self.output, screen)?;
        let imported = Imported {
            rows,
            weight: crate::model::weight(&model),
            columns: model.schema().columns.len(),
            classes: model.stats().classes().cloned().collect(),
            output: self.output.clone(),
        };
        screen.report(&imported, || {
            let Imported { rows, columns, classes, output, .. } = &imported;
            let classes = classes.iter().map(|class| visible(class)).collect::<Vec<_>>().join(", ");
            let (rows, columns) =
                (counted(*rows, "row", "rows"), counted(*columns as f64, "column", "columns"));
            format!("{rows}, {columns}, classes: {classes}\nwrote {}", output.display())
        })
    }
}
