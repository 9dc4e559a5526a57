//! `nbayes import-stats`: a model from the result of a query, or one of each group.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_io::Model;
use nb_sql::{Evidence, ImportError};
use serde::Serialize;

use crate::{
    data::Input,
    design::{Choice, FamilyArgs, PriorArg, SchemaFile, TextArgs},
    failure::usage,
    model::fitted,
    output::{Screen, counted, refuse_inputs, visible},
};

/// Build a model from the result of a query printed by `nbayes sql --fit`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nbayes import-stats result.csv --schema schema.toml -o model.nb
  nbayes import-stats result.csv --schema schema.toml --group-by customer -o models")]
pub(crate) struct ImportStats {
    /// The result as CSV with a header, columns in any order; `-` is standard input.
    result: String,
    /// The schema file that the query was printed for.
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// The model file to write; with --group-by a folder, which gets a file for each group, such as
    /// `customer=17.nb`.
    #[arg(long, short)]
    output: PathBuf,
    /// The column of groups that the query was printed for: each gets a model.
    #[arg(long, value_name = "COLUMN")]
    group_by: Option<String>,
    #[command(flatten)]
    family: FamilyArgs,
    /// The class prior: empirical, uniform, or label=probability,... [default: that of the schema file, else
    /// empirical]. Quote a label that has a comma: '"a,b"=0.5,c=0.5'.
    #[arg(long)]
    prior: Option<PriorArg>,
}

/// What became of a result.
#[derive(Serialize)]
struct Imported {
    /// None of a result without groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
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
        let (mut design, choices) = file.design().context(format!("{}", self.schema.display()))?;
        design.group.clone_from(&self.group_by);
        let input = Input::find(&self.result)?;
        let read = || -> Result<String> { Ok(std::io::read_to_string(input.open()?)?) };
        let text = read().with_context(|| format!("cannot read {}", input.name()))?;
        let Some(column) = &self.group_by else {
            let evidence = match Evidence::read(&text, &design) {
                Err(ImportError::Grouped) => {
                    return Err(usage(format!(
                        "{} has groups: give their column, as for its query, and a folder for their models: --group-by \
                         COLUMN -o FOLDER",
                        input.name()
                    )));
                }
                read => read.with_context(|| input.name().to_owned())?,
            };
            let (imported, model) =
                self.model(evidence, &choices, &file, None, self.output.clone(), screen)?;
            crate::model::save(&model, &self.output, screen)?;
            return screen.report(&imported, || imported.words());
        };
        let groups = Evidence::read_groups(&text, &design).with_context(|| input.name().to_owned())?;
        // All models are made before the first is written.
        let models: Vec<(Imported, Model)> = groups
            .into_iter()
            .map(|(group, evidence)| {
                let output = self.output.join(file_name(column, &group));
                let made = self.model(evidence, &choices, &file, Some(group.clone()), output, screen);
                made.with_context(|| format!("{column} {group:?}"))
            })
            .collect::<Result<_>>()?;
        fs::create_dir_all(&self.output)
            .with_context(|| format!("cannot make the folder {}", self.output.display()))?;
        for (imported, model) in &models {
            crate::model::save(model, &imported.output, screen)?;
        }
        let all: Vec<Imported> = models.into_iter().map(|(imported, _)| imported).collect();
        screen.report(&all, || {
            let rows: f64 = all.iter().map(|imported| imported.rows).sum();
            let (rows, models) = (counted(rows, "row", "rows"), counted(all.len() as f64, "model", "models"));
            format!("{rows}, {models}, one for each {}\nwrote {}", visible(column), self.output.display())
        })
    }

    /// The model of some evidence, and what is said of it.
    fn model(
        &self,
        evidence: Evidence,
        choices: &[Choice],
        file: &SchemaFile,
        group: Option<String>,
        output: PathBuf,
        screen: Screen,
    ) -> Result<(Imported, Model)> {
        for lost in evidence.lost_digits() {
            let of_group = group.as_ref().map(|group| format!(", group {group:?},")).unwrap_or_default();
            screen.note(&format!(
                "the variance of {:?} in class {:?}{of_group} has lost about {:.0} of its 16 digits in the engine's \
                 rounding; a query with --shift mean keeps them",
                lost.feature,
                lost.class,
                lost.condition.log10().min(16.0)
            ));
        }
        let rows = evidence.n_rows();
        let family = self.family.family(evidence.schema(), choices, &TextArgs::default())?;
        let model = evidence.into_model(family).with_context(|| self.result.clone())?;
        let prior = self.prior.clone().or(file.prior.clone()).unwrap_or_default();
        let prior = prior.over(model.stats().classes())?;
        let model = model.with_prior(prior)?;
        // A model that cannot be fitted is an error now, not at the first prediction.
        fitted(&model).context("cannot build a model from these rows")?;
        let imported = Imported {
            group,
            rows,
            weight: crate::model::weight(&model),
            columns: model.schema().columns.len(),
            classes: model.stats().classes().cloned().collect(),
            output,
        };
        Ok((imported, model))
    }
}

impl Imported {
    fn words(&self) -> String {
        let classes: Vec<_> = self.classes.iter().map(|class| visible(class)).collect();
        let rows = counted(self.rows, "row", "rows");
        let columns = counted(self.columns as f64, "column", "columns");
        format!("{rows}, {columns}, classes: {}\nwrote {}", classes.join(", "), self.output.display())
    }
}

/// The name of the file of a group's model, with the characters that some file system refuses in
/// percent-encoding, as the folders of a partitioned table have them: `customer=A%2FB.nb`.
fn file_name(column: &str, group: &str) -> String {
    let encoded = |text: &str| -> String {
        let mut name = String::new();
        for letter in text.chars() {
            if letter.is_control() || "\"#%'*/:<=>?\\{}[]^|".contains(letter) {
                let mut bytes = [0; 4];
                name.extend(letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
            } else {
                name.push(letter);
            }
        }
        name
    };
    format!("{}={}.nb", encoded(column), encoded(group))
}
