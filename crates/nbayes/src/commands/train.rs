//! `nbayes train`: a model from data files.

mod copies;
mod effort;
mod engine;
mod floors;
mod folds;
mod measured;
pub(super) mod pairs;
mod prepared;
pub(super) mod refined;
pub(super) mod report;
mod test;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nb_core::{
    Prior, Rows, SufficientStats,
    error::{FoldError, UpdateError},
    selection::{FoldAssignment, FoldedStats},
};
use nb_io::{Family, Model, Schema, read::train_within};
use nb_train::{Folds, Seen, Watch};

use crate::{
    columns::{Columns, Found},
    design::{Choice, FamilyArgs, HeldOutRows, PriorArg, Tuned, tune},
    engine::EngineArgs,
    failure::usage,
    model::{fitted, limits, without_values},
    output::{Screen, refuse_inputs},
    words::{not_learnt, value_error},
};
use effort::{Effort, Method};
use report::{HeldOut, Trained, text};
use test::TestArgs;

const EXAMPLES: &str = "\
Examples:
  nbayes train data.csv --label diagnosis -o model.nb
  nbayes train a.csv b.csv.gz c.parquet --label y --categorical zip --ignore id,name
  zcat data.csv.gz | nbayes train - --label y -o model.nb
  nbayes schema data.csv --label y -o schema.toml; nbayes train data.csv --schema schema.toml
  nbayes train data.csv --label y --test-fraction 0.2; nbayes train data.csv --label y --test test.csv
  nbayes train data.csv --label y --binned age,income --bins modl --kernel height
  nbayes train 'data/*.parquet' --label y --engine datafusion -o model.nb
  nbayes train @spam";

/// Train a model: choose a family for each column, say why, and add all rows, in bounded memory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    #[command(flatten)]
    columns: Columns,
    /// The model file to write [default: the name of the first data file with the extension .nb, if no such file exists].
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    family: FamilyArgs,
    /// The class prior: empirical, uniform, or label=probability,... [default: that of the schema file, else empirical].
    /// Quote a label that has a comma: '"a,b"=0.5,c=0.5'.
    #[arg(long)]
    prior: Option<PriorArg>,
    #[command(flatten)]
    effort: Effort,
    /// Choose smoothing and variance floor by held-out likelihood (cross-validation in one pass).
    #[arg(long)]
    tune: bool,
    /// The number of folds of --tune.
    #[arg(long, value_name = "K", default_value_t = 10)]
    folds: usize,
    /// Take a label column of numbers even if it looks like regression: more than 50 different ones, with decimals or in more
    /// than every other row.
    #[arg(long)]
    numeric_labels: bool,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What was learnt from all rows.
struct Learnt {
    model: Model,
    n_rows: usize,
    tuned: Vec<Tuned>,
    /// The families of the columns.
    choices: Vec<Choice>,
    /// The columns that repeat the label.
    copies: Vec<String>,
    /// How held-out rows were classified, of a refined model.
    held_out: Option<HeldOut>,
    /// The sums of folds, of a plain model.
    folds: Option<Folds>,
    /// Why it is not refined, if the program decided that.
    plain: Option<String>,
}

impl Train {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if let Some(engine) = self.engine.external()? {
            return self.train_on_engine(&engine, screen);
        }
        let output = self.output()?;
        let test_file = self.test.test.iter().map(Path::new);
        refuse_inputs(Some(&output), self.columns.paths().chain(test_file))?;
        let (mut found, test_rows) = self.test.find(&self.columns, screen)?;
        if let Some(better) = self.best_text(&found, screen)? {
            found = better;
        }
        let Learnt { model, n_rows, tuned, choices, copies, held_out, folds, plain } = loop {
            let learnt = self.learn(&found, screen).map_err(|error| self.test.explained(error))?;
            let copies: Vec<&String> =
                learnt.copies.iter().filter(|column| found.leaves_out_copy(column)).collect();
            if !copies.is_empty() {
                for column in copies {
                    copies::note_left_out(column, &found, screen);
                    found = found.without_copy(column)?;
                }
                continue;
            }
            match without_values(&learnt.model) {
                Some((column, class)) if !found.choices.has(&column) => {
                    found = found.without_values(&column, class)?;
                }
                _ => break learnt,
            }
        };
        if !self.numeric_labels {
            refuse_regression(&model, n_rows)?;
        }
        for column in &copies {
            copies::note_kept(column, screen);
        }
        let prior_option = found.prior(self.prior.as_ref());
        let prior = prior_option.over(model.stats().classes())?;
        let reading = found.read.for_model(&found.inferred);
        let mut model = model.with_prior(prior)?.with_reading(reading);
        // A model that cannot be fitted is an error now, not at the first prediction.
        let classifier = fitted(&model).context("cannot build a model from these rows")?;
        floors::note(&model, &classifier, screen);
        let of_folds = match folds {
            Some(folds) => Some(folds::classify(folds, model.schema(), &found, &prior_option, screen)?),
            None => None,
        };
        if let Some(Ok(of_folds)) = &of_folds
            && of_folds.measures.log_loss.is_finite()
        {
            model = model.with_held_out(Some(of_folds.measures))?;
        }
        let tested = self.test.evaluate(&test_rows, &model, &classifier, &found, screen)?;
        crate::model::save(&model, &output, screen)?;
        let result = Trained::new(output, &model, Some(n_rows), &found, &choices, tuned).tested(tested);
        let result = match held_out {
            Some(held_out) => result.refined(&model, held_out),
            None => result.plain(plain),
        };
        let result = match of_folds {
            Some(of_folds) => result.held_out(of_folds),
            None => result,
        };
        screen.report(&result, || text(&result))
    }

    /// A model of all rows.
    fn learn(&self, found: &Found, screen: Screen) -> Result<Learnt> {
        let choices = found.choices.of_all(&found.inferred);
        let plain = match self.method(found, &choices) {
            Method::Plain(why) => why,
            Method::Refined(learner) => match self.learn_refined(&learner, found, &choices, screen)? {
                Ok(learnt) => return Ok(learnt),
                Err(why) => Some(why.to_string()),
            },
        };
        let schema = found.inferred.schema.clone();
        let family = self.family.family(&schema, &choices, &found.text)?;
        let family = self.prepared(family, found, screen)?;
        let watch = Watch::new(&schema);
        let mut watch = if self.effort.sums_only {
            watch.without_record()
        } else {
            watch.with_folds(&family, schema.n_features())?
        };
        let learnt = |model: Model, n_rows, tuned, watch: Watch| {
            let Seen { copies, rows, folds, .. } = watch.finish(model.schema());
            let folds = folds.map(|folds| folds.with_family(model.family()));
            let model = model.with_row_fingerprint(rows);
            Learnt { model, n_rows, tuned, choices, copies, held_out: None, folds, plain }
        };
        if self.tune {
            let (model, n_rows, tuned) = self.train_and_tune(found, schema, &family, &mut watch, screen)?;
            return Ok(learnt(model, n_rows, tuned, watch));
        }
        let (mut model, mut n_rows) = (Model::new(schema, family, Prior::Empirical)?, 0);
        for input in found.inputs.iter() {
            let classes = model.stats().classes().cloned().collect();
            let reader = found.open(input, classes, screen)?;
            n_rows += train_within(&mut model, &mut watch.reader(reader), limits()).map_err(not_learnt)?;
        }
        Ok(learnt(model, n_rows, Vec::new(), watch))
    }

    /// Adds all rows to folds, and chooses the hyper-parameters by them.
    fn train_and_tune(
        &self,
        found: &Found,
        schema: Schema,
        family: &Family,
        watch: &mut Watch,
        screen: Screen,
    ) -> Result<(Model, usize, Vec<Tuned>)> {
        let n_columns = schema.n_features();
        let mut folds = FoldedStats::new(family, n_columns, self.folds, FoldAssignment::Stratified)?;
        let mut held_out = HeldOutRows::new(self.folds, n_columns);
        let mut n_rows = 0;
        for input in found.inputs.iter() {
            let classes = folds.whole().classes().cloned().collect();
            let mut reader = found.open(input, classes, screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                let labels = chunk.labels.as_deref().unwrap_or_default();
                watch.look(reader.schema(), &chunk);
                let assigned = folds.assign(labels);
                held_out.add(&chunk, &assigned);
                let added = match &chunk.weights {
                    Some(weights) => {
                        folds.update_assigned_weighted(family, &chunk.rows, labels, weights, &assigned)
                    }
                    None => folds.update_assigned(family, &chunk.rows, labels, &assigned),
                };
                added.map_err(|error| match error {
                    FoldError::Update(UpdateError::Value(error)) => {
                        value_error(error.into(), input, &found.read, &schema, chunk.first_row)
                    }
                    error => anyhow::Error::new(error).context(input.name().to_owned()),
                })?;
                n_rows += chunk.rows.n_rows();
            }
        }
        let whole = folds.whole();
        let untuned = Model::from_parts(schema.clone(), family.clone(), Prior::Empirical, whole.clone())?;
        if without_values(&untuned).is_some() {
            return Ok((untuned, n_rows, Vec::new()));
        }
        let mut judges = folds;
        for class in whole.classes() {
            let has = |fold: &SufficientStats<String>| fold.classes().any(|label| label == class);
            // In one fold only, it would be impossible whenever that fold is held out, whatever is chosen.
            if judges.folds().iter().filter(|fold| has(fold)).count() < 2 {
                screen.note(&format!(
                    "class {class:?} has too few rows for cross-validation; --tune ignores it"
                ));
                judges.forget_class(class);
            }
        }
        let (family, tuned) = tune(&judges, &held_out, family, n_columns)?;
        Ok((Model::from_parts(schema, family, Prior::Empirical, whole)?, n_rows, tuned))
    }

    /// The model file to write. What keeps it from being written is said before all rows are read in vain.
    fn output(&self) -> Result<PathBuf> {
        if let Some(output) = &self.output {
            let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                bail!("cannot write {}: there is no folder {}", output.display(), folder.display());
            }
            return Ok(output.clone());
        }
        let Some(stem) = self.columns.stem() else {
            return Err(usage("no output file given; name it with -o MODEL"));
        };
        let output = Path::new(stem).with_extension("nb");
        if output.exists() {
            return Err(usage(format!("{} exists; to replace it, use -o {0}", output.display())));
        }
        Ok(output)
    }
}

/// Refuses labels that are numbers, more than 50 of them, and have decimals or are more than half as many as there are rows.
fn refuse_regression(model: &Model, n_rows: usize) -> Result<()> {
    const MOST: usize = 50;
    let n_classes = model.stats().classes().count();
    if n_classes <= MOST {
        return Ok(());
    }
    let numbers = model.stats().classes().map(|label| label.trim().parse::<f64>().ok());
    let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else { return Ok(()) };
    let has_decimals = numbers.iter().any(|number| number.fract() != 0.0);
    if has_decimals || 2 * n_classes > n_rows {
        return Err(usage(format!(
            "the label column {:?} has {n_classes} different numbers in {n_rows} rows, which looks like regression; a \
             classifier needs classes: choose another column, group the numbers, or take them as they are with \
             `--numeric-labels`",
            model.schema().label
        )));
    }
    Ok(())
}
