//! A model from files that another engine reads.

use std::{ffi::OsStr, path::Path};

use anyhow::{Context, Result, bail};
use nb_core::{Prior, exact::Exact};
use nb_io::{
    Kind, Model,
    read::{Inference, Reason},
};

use super::{
    Train,
    report::{Trained, text},
};
use crate::{
    columns::{Found, family_option},
    design::Choice,
    engine::ExternalEngine,
    failure::usage,
    model::{fitted, save, without_values},
    output::{Screen, refuse_inputs},
};

impl Train {
    /// Learns the columns and their families from all rows, or from the first if the files are to be read elsewhere, and has
    /// the evidence of all rows added up by the other program.
    pub(super) fn train_on_engine(&self, engine: &ExternalEngine, screen: Screen) -> Result<()> {
        let options = [(self.tune, "--tune"), (self.effort.fast, "--fast"), (self.effort.best, "--best")];
        let options = options.into_iter().filter_map(|(is_set, option)| is_set.then_some(option));
        if let Some(option) = options.chain(self.test.given()).next() {
            return Err(usage(format!("{option} works only with --engine local")));
        }
        let Some(output) = &self.output else {
            return Err(usage("no output file given; name it with -o MODEL"));
        };
        self.output()?;
        refuse_inputs(Some(output), self.columns.paths())?;
        let files = self.columns.plain_files()?;
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let mut found = match engine.files_here(files)? {
            Some(files) => self.columns.find_in(&files, screen)?.without_useless_columns()?,
            None => self.columns.find_in(&[first_rows(engine, files, folder.path())?], screen)?,
        };
        refuse_what_engines_do_not_read(&found.columns.inferred.columns)?;
        let model = loop {
            let model = self.train_as_found(engine, files, &found, folder.path(), screen)?;
            match without_values(&model) {
                Some((column, class)) if !found.columns.choices.has(&column) => {
                    found = found.without_values(&column, class)?;
                }
                _ => break model,
            }
        };
        let prior = found.prior(self.prior.as_ref()).over(model.stats().classes())?;
        let model = model.with_prior(prior)?;
        fitted(&model).context("cannot build a model from these rows")?;
        save(&model, output, screen)?;
        // Categories may have been added to those of the first rows.
        for (inference, column) in found.columns.inferred.columns.iter_mut().zip(&model.schema().columns) {
            inference.kind = column.kind.clone();
        }
        let n_rows = found
            .weights
            .is_none()
            .then(|| model.stats().class_weights().iter().map(Exact::to_f64).sum::<f64>() as usize);
        let why = (!(self.effort.plain || self.effort.sums_only))
            .then(|| "other engines add up sums only".to_owned());
        let result = Trained::new(output.clone(), &model, n_rows, &found.columns).plain(why);
        screen.report(&result, || text(&result))
    }

    /// The model of all rows with the columns that were found.
    fn train_as_found(
        &self,
        engine: &ExternalEngine,
        files: &[String],
        found: &Found,
        folder: &Path,
        screen: Screen,
    ) -> Result<Model> {
        let choices = found.columns.chosen();
        if choices.contains(&Choice::Date) {
            return Err(usage("--date works only with --engine local"));
        }
        super::prepared::refuse(&choices)?;
        let schema = found.columns.inferred.schema.clone();
        let family = self.family.family(&schema, &choices, &found.text)?;
        let (template, trained) = (folder.join("template.nb"), folder.join("model.nb"));
        Model::new(schema, family, Prior::Empirical)?.save(&template)?;
        let mut arguments = vec![OsStr::new("train")];
        arguments.extend(files.iter().map(OsStr::new));
        arguments.extend(["--template".as_ref(), template.as_os_str(), "--unfitted".as_ref()]);
        arguments.extend(["-o".as_ref(), trained.as_os_str()]);
        if let Some(weights) = &found.weights {
            arguments.extend(["--weights".as_ref(), OsStr::new(weights)]);
        }
        engine.query(arguments, screen.quiet())?;
        Ok(Model::load(&trained)?)
    }
}

/// A file with the first rows of the first file, which is not looked at as a whole if others shall do that.
fn first_rows(engine: &ExternalEngine, files: &[String], folder: &Path) -> Result<String> {
    let is_parquet = files.iter().any(|file| file.to_lowercase().ends_with(".parquet"));
    let head = folder.join(if is_parquet { "head.parquet" } else { "head.csv" });
    let named = files.iter().map(OsStr::new);
    let arguments = [OsStr::new("head")].into_iter().chain(named);
    engine.command(arguments.chain(["-o".as_ref(), head.as_os_str()]), true)?;
    Ok(head.display().to_string())
}

/// Refuses columns of numbers that are not all written as engines read them.
fn refuse_what_engines_do_not_read(columns: &[Inference]) -> Result<()> {
    let is_refused = |column: &&Inference| {
        column.kind == Kind::Numeric
            && matches!(column.reason, Reason::MostlyNumeric { .. } | Reason::MarkedNumbers { .. })
    };
    match columns.iter().find(is_refused) {
        Some(column) => bail!(
            "column {:?}: {}; other engines read plain numbers only: use --engine local, or `{}`",
            column.column,
            column.reason,
            family_option("ignore", &column.column)
        ),
        None => Ok(()),
    }
}
