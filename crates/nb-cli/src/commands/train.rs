//! `nb train`: a model from data files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nb_core::{Dealing, FoldedStats, Prior, Rows, SufficientStats, UpdateError};
use nb_io::{
    Family, Kind, Model, Schema,
    read::{Inference, Inferred, KindChoice, Overrides, ReadChunks, Reason, train},
};
use serde::Serialize;

use crate::{
    data::{Input, Purpose, ReadArgs, infer_all, refused},
    design::{Choice, ChoiceArgs, Choices, FamilyArgs, PriorArg, SchemaFile, TextArgs, Tuned, tune},
    failure::usage,
    output::{Screen, Table, short},
};

const EXAMPLES: &str = "\
Examples:
  nb train data.csv --label diagnosis -o model.nb
  nb train a.csv b.csv.gz c.parquet --label y --categorical zip --ignore id,name
  zcat data.csv.gz | nb train - --label y -o model.nb
  nb schema data.csv --label y -o schema.toml; nb train data.csv --schema schema.toml
  nb train @spam";

/// Trains a model: looks at the columns, chooses a family for each and says why, and adds all rows, in bounded memory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    #[command(flatten)]
    columns: Columns,
    /// The file for the model; by default the name of the first data file with the ending .nb, if there is none yet.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    family: FamilyArgs,
    /// Where the prior comes from: empirical, uniform, or label=probability,...
    #[arg(long, default_value = "empirical")]
    prior: PriorArg,
    /// Chooses smoothing and variance floor of each family by the likelihood of rows held out, in one pass.
    #[arg(long)]
    tune: bool,
    /// How many folds --tune holds out in turn.
    #[arg(long, value_name = "K", default_value_t = 10)]
    folds: usize,
}

/// Data files and what is known of their columns.
#[derive(Debug, clap::Args)]
pub(crate) struct Columns {
    /// Data files, which have the same columns; `-` is standard input, `@name` an embedded data set.
    #[arg(required = true)]
    files: Vec<String>,
    /// The column that holds the labels.
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// The column that holds the weights of the rows.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// A file made by `nb schema`. Options go before it.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// What was found out about the columns of data files.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) inputs: Vec<Input>,
    pub(crate) inferred: Inferred,
    pub(crate) choices: Choices,
    pub(crate) weights: Option<String>,
}

impl Columns {
    /// Looks at all columns of all files.
    pub(crate) fn find(&self, screen: Screen) -> Result<Found> {
        let inputs = Input::find_all(&self.files)?;
        let file = self.schema.as_deref().map(SchemaFile::load).transpose()?.unwrap_or_default();
        let label = self.label.clone().or(file.label.clone());
        let label = label.or_else(|| inputs.first()?.label().map(String::from));
        let Some(label) = label else {
            return Err(usage("which column holds the labels? Say so with --label COLUMN"));
        };
        let choices = self.choices.over(file.choices()?)?;
        let weights = self.weights.clone().or(file.weights);
        let mut overrides = choices.overrides(self.text.options()?);
        let infer = |overrides: &Overrides| {
            infer_all(&inputs, &label, weights.as_deref(), overrides, &self.read, screen)
        };
        let mut inferred = infer(&overrides)?;
        let likely = choices.likely_categories(&inferred);
        if !likely.is_empty() {
            let numbers = inferred;
            for column in &likely {
                overrides.kinds.insert(column.clone(), KindChoice::Categorical);
            }
            inferred = infer(&overrides)?;
            say_why(&mut inferred, &numbers);
        }
        Ok(Found { inputs, inferred, choices, weights })
    }

    /// Opens one of the files to learn from it.
    fn open<'a>(&self, input: &'a Input, found: &Found, screen: Screen) -> Result<Box<dyn ReadChunks + 'a>> {
        let (schema, weights) = (&found.inferred.schema, found.weights.as_deref());
        self.read.open(input, schema, weights, Purpose::Learn, screen)
    }
}

/// Columns that were read as categories because they have few values say so.
fn say_why(inferred: &mut Inferred, numbers: &Inferred) {
    for (column, before) in inferred.columns.iter_mut().zip(&numbers.columns) {
        if column.kind != before.kind && column.reason == Reason::Override {
            column.reason = before.reason.clone();
            column.few_values.clone_from(&before.few_values);
        }
    }
}

#[derive(Serialize)]
struct Trained {
    model: PathBuf,
    rows: usize,
    classes: Vec<Class>,
    columns: Vec<ColumnLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tuned: Vec<Tuned>,
}

#[derive(Serialize)]
struct Class {
    label: String,
    weight: f64,
}

#[derive(Serialize)]
struct ColumnLine {
    name: String,
    family: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<usize>,
    why: String,
}

impl Train {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let output = self.output();
        let found = self.columns.find(screen)?;
        let output = output(found.inputs.first())?;
        let choices = found.choices.of_all(&found.inferred);
        let schema = found.inferred.schema.clone();
        let family = self.family.family(&schema, &choices, &self.columns.text)?;
        let (model, n_rows, tuned) = if self.tune {
            self.train_and_tune(&found, schema, &family, screen)?
        } else {
            let mut model = Model::new(schema, family, Prior::Empirical)?;
            let mut n_rows = 0;
            for input in &found.inputs {
                n_rows += train(&mut model, self.columns.open(input, &found, screen)?.as_mut())?;
            }
            (model, n_rows, Vec::new())
        };
        let prior = self.prior.over(model.stats().classes())?;
        let model = model.with_prior(prior)?;
        // What cannot be fitted is said now, not when it is asked for labels.
        model.classifier().context("the rows do not make a model")?;
        model.save(&output)?;
        let result = Trained {
            model: output,
            rows: n_rows,
            classes: classes(&model),
            columns: lines(&found.inferred, &choices),
            tuned,
        };
        screen.show(&result, || text(&result))
    }

    /// Adds all rows to folds, and chooses the hyper-parameters by them.
    fn train_and_tune(
        &self,
        found: &Found,
        schema: Schema,
        family: &Family,
        screen: Screen,
    ) -> Result<(Model, usize, Vec<Tuned>)> {
        let n_columns = schema.n_features();
        let mut folds = FoldedStats::new(family, n_columns, self.folds, Dealing::Stratified)?;
        let mut n_rows = 0;
        for input in &found.inputs {
            let mut reader = self.columns.open(input, found, screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                let labels = chunk.labels.as_deref().unwrap_or_default();
                let added = match &chunk.weights {
                    Some(weights) => folds.update_weighted(family, &chunk.rows, labels, weights),
                    None => folds.update(family, &chunk.rows, labels),
                };
                added.map_err(|error| match error {
                    UpdateError::Value(error) => {
                        refused(error.into(), input.name(), &schema, chunk.first_row)
                    }
                    error => anyhow::Error::new(error).context(input.name().to_owned()),
                })?;
                n_rows += chunk.rows.n_rows();
            }
        }
        let whole = folds.whole();
        let mut judges = folds;
        for class in whole.classes() {
            let has = |fold: &SufficientStats<String>| fold.classes().any(|label| label == class);
            // In one fold only, it would be impossible whenever that fold is held out, whatever is chosen.
            if judges.folds().iter().filter(|fold| has(fold)).count() < 2 {
                screen.note(&format!(
                    "class {class:?} has too few rows to be held out; it has no say in --tune"
                ));
                judges.forget_class(class);
            }
        }
        let (family, tuned) = tune(&judges, family, n_columns)?;
        Ok((Model::from_parts(schema, family, Prior::Empirical, whole)?, n_rows, tuned))
    }

    /// The file for the model, given the first of the data.
    fn output(&self) -> impl Fn(Option<&Input>) -> Result<PathBuf> {
        |input| {
            if let Some(output) = &self.output {
                return Ok(output.clone());
            }
            let Some(stem) = input.and_then(Input::stem) else {
                return Err(usage("where shall the model go? Say so with -o MODEL"));
            };
            let output = Path::new(stem).with_extension("nb");
            if output.exists() {
                return Err(usage(format!("{} exists; to replace it, say so with -o {0}", output.display())));
            }
            Ok(output)
        }
    }
}

fn classes(model: &Model) -> Vec<Class> {
    let weights = model.stats().class_weights();
    let classes = model.stats().classes().zip(weights);
    classes.map(|(label, weight)| Class { label: label.clone(), weight: weight.to_f64() }).collect()
}

fn lines(inferred: &Inferred, choices: &[Choice]) -> Vec<ColumnLine> {
    let columns = inferred.columns.iter().zip(choices);
    columns
        .map(|(inference, choice)| ColumnLine {
            name: inference.column.clone(),
            family: choice.name(),
            categories: match &inference.kind {
                Kind::Categorical { levels } => Some(levels.len()),
                _ => None,
            },
            terms: match &inference.kind {
                Kind::Text(text) => Some(text.terms.len()),
                _ => None,
            },
            why: why(inference),
        })
        .collect()
}

/// Why a column has its family.
fn why(inference: &Inference) -> String {
    match (&inference.kind, inference.few_values.as_slice()) {
        (Kind::Numeric, [0.0, 1.0]) => format!("{}, 0 or 1", inference.reason),
        (Kind::Categorical { .. }, [_, ..]) => {
            format!("{}, few of them different and all whole", inference.reason)
        }
        _ => inference.reason.to_string(),
    }
}

/// So many columns are listed one by one.
const MOST_LINES: usize = 40;

fn text(result: &Trained) -> String {
    let mut table = Table::new(["column", "family", "why"]);
    for line in result.columns.iter().take(MOST_LINES) {
        let family = match (line.categories, line.terms) {
            (Some(n), _) => format!("{}, {n} categories", line.family),
            (_, Some(n)) => format!("{}, {n} terms", line.family),
            _ => line.family.to_owned(),
        };
        table.row([&line.name, &family, &line.why]);
    }
    let mut text = table.to_string();
    if result.columns.len() > MOST_LINES {
        text.push_str(&format!("... and {} more\n", result.columns.len() - MOST_LINES));
    }
    let classes = result.classes.iter().map(|class| format!("{} ({})", class.label, class.weight));
    let classes: Vec<_> = classes.take(MOST_LINES).collect();
    if !result.tuned.is_empty() {
        let mut table =
            Table::new(["family", ">columns", "tuned", ">chosen", ">log-likelihood of a row held out"]);
        for tuned in &result.tuned {
            let likelihood = format!("{} ± {}", short(tuned.log_likelihood), short(tuned.standard_error));
            let columns = tuned.columns.to_string();
            table.row([tuned.family, &columns, tuned.parameter, &short(tuned.value), &likelihood]);
        }
        text.push_str(&format!("\n{table}"));
    }
    format!(
        "{text}\n{} rows, {} columns, {} classes: {}\nwrote {}",
        result.rows,
        result.columns.len(),
        result.classes.len(),
        classes.join(", "),
        result.model.display()
    )
}
