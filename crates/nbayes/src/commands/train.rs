//! `nbayes train`: a model from data files.

mod effort;
mod engine;
mod floors;
mod measured;
pub(crate) mod pairs;
mod prepared;
pub(super) mod report;
mod test;
pub(super) mod trends;
mod warnings;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use nb_io::HeldOutMeasures;
use nb_train::{Trainer, Tuning};

use crate::{
    columns::{Columns, Found, family_option},
    data::Input,
    design::{FamilyArgs, PriorArg},
    engine::EngineArgs,
    failure::usage,
    model::{fitted, limits, save},
    output::{Screen, refuse_inputs, short},
};
use effort::Effort;
pub(crate) use prepared::note_prepared;
use report::{Trained, text};
use test::TestArgs;
use trends::TrendArgs;

const EXAMPLES: &str = "\
Examples:
  nbayes train data.csv --label diagnosis -o model.nb
  nbayes train a.csv b.csv.gz c.parquet --label y --categorical zip --ignore id,name
  zcat data.csv.gz | nbayes train - --label y -o model.nb
  nbayes schema data.csv --label y -o schema.toml; nbayes train data.csv --schema schema.toml
  nbayes train data.csv --label y --test-fraction 0.2; nbayes train data.csv --label y --test test.csv
  nbayes train data.csv --label y --binned age,income --bins modl --kernel height
  nbayes train loans.csv --label default --increasing debt --decreasing income --positive yes
  nbayes train 'data/*.parquet' --label y --engine datafusion -o model.nb
  nbayes train @spam";

/// Train a model: choose a family for each column, say why, and add all rows, in bounded memory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    /// The model file to write [default: the name of the first data file with the extension .nb, if no such
    /// file exists].
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// The class prior: empirical, uniform, or label=probability,... [default: that of the schema file, else
    /// empirical]. Quote a label that has a comma: '"a,b"=0.5,c=0.5'.
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
    /// Take a label column of numbers even if it looks like regression: more than 50 different ones, with
    /// decimals or in more than every other row.
    #[arg(long)]
    numeric_labels: bool,
    #[command(flatten)]
    trends: TrendArgs,
    #[command(flatten)]
    test: TestArgs,
    // Options below a heading come last: the heading would be that of the options behind them.
    #[command(flatten)]
    columns: Columns,
    #[command(flatten)]
    family: FamilyArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Train {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if let Some(engine) = self.engine.external()? {
            return self.train_on_engine(&engine, screen);
        }
        let output = self.output()?;
        let test_file = self.test.test.iter().map(Path::new);
        refuse_inputs(Some(&output), self.columns.paths().chain(test_file))?;
        let (found, test_rows) = self.test.find(&self.columns, screen)?;
        let found = self.trends.over(found, screen)?;
        let trainer = self.trainer(&found)?;
        let trained = trainer.train_on(&found.files(screen), found.columns.clone());
        let trained = trained.map_err(|error| self.test.explained(error))?;
        self.finish(trained, &found, &test_rows, output, screen)
    }

    /// Reports on the model, and writes it.
    fn finish(
        &self,
        mut trained: nb_train::Trained,
        found: &Found,
        test_rows: &[Input],
        output: PathBuf,
        screen: Screen,
    ) -> Result<()> {
        for column in &trained.copies {
            screen.note(&format!(
                "column {column:?} repeats the label, and is kept as its family was chosen; if it is not known of rows to be \
                 predicted, leave it out (`{}`)",
                family_option("ignore", column)
            ));
        }
        warnings::note(&trained.warnings, screen);
        if let [class] = &trained.model.stats().classes().collect::<Vec<_>>()[..] {
            screen.note(&format!("all rows have the label {class:?}, and so will all predictions"));
        }
        if trained.plain.is_some()
            && let Some(HeldOutMeasures { log_loss, log_loss_of_prior, .. }) = trained.model.held_out()
            && log_loss > log_loss_of_prior
        {
            screen.note(&format!(
                "held-out rows are predicted worse than by the shares of the classes alone: log-loss {}, and {} by the shares; its \
                 probabilities are too sure, which `nbayes calibrate` mends with further rows",
                short(*log_loss),
                short(*log_loss_of_prior)
            ));
        }
        trained.model = trained.model.with_reading(found.read.for_model(&trained.columns.inferred));
        let classifier = fitted(&trained.model)?;
        floors::note(&trained.model, &classifier, screen);
        let tested = self.test.evaluate(test_rows, &trained.model, &classifier, found, screen)?;
        save(&trained.model, &output, screen)?;
        let result = Trained::of(output, &trained, tested);
        screen.report(&result, || text(&result))
    }

    /// What the options say, for the library.
    fn trainer(&self, found: &Found) -> Result<Trainer> {
        self.family.check(&found.columns.chosen())?;
        Ok(Trainer::default()
            .with_effort(self.effort.level())
            .with_overrides(found.overrides.clone())
            .with_families(self.family.families(&found.text))
            .with_prior(found.prior(self.prior.as_ref()).0)
            .with_tuning(self.tune.then_some(Tuning { n_folds: self.folds }))
            .with_text_given(found.text.is_weighted())
            .with_n_grams_given(found.text.has_n_grams())
            .with_regression_allowed(self.numeric_labels)
            .with_limits(limits()))
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
