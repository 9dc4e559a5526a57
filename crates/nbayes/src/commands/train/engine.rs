//! A model from files that another engine reads.

use std::ffi::OsStr;

use anyhow::{Context, Result};
use nb_core::{Prior, exact::Exact};
use nb_io::Model;

use super::{
    super::{fitted, save},
    Train,
    report::{Trained, text},
};
use crate::{
    design::Choice,
    engine::ExternalEngine,
    failure::usage,
    output::{Screen, refuse_inputs},
};

impl Train {
    /// Learns the columns and their families from the first rows, and has the evidence of all rows added up by the other
    /// program.
    pub(super) fn train_on_engine(&self, engine: &ExternalEngine, screen: Screen) -> Result<()> {
        for (is_set, option) in [(self.tune, "--tune"), (self.refined, "--refined")] {
            if is_set {
                return Err(usage(format!("{option} works only with --engine local")));
            }
        }
        let Some(output) = &self.output else {
            return Err(usage("no output file given; name it with -o MODEL"));
        };
        self.output()?;
        refuse_inputs(Some(output), self.columns.paths())?;
        let files = self.columns.plain_files()?;
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let path = |name: &str| folder.path().join(name);
        let is_parquet = files.iter().any(|file| file.to_lowercase().ends_with(".parquet"));
        let head = path(if is_parquet { "head.parquet" } else { "head.csv" });
        let named = || files.iter().map(OsStr::new);
        engine.command(
            [OsStr::new("head")].into_iter().chain(named()).chain(["-o".as_ref(), head.as_os_str()]),
            true,
        )?;
        let mut found = self.columns.find_in(&[head.display().to_string()], screen)?;
        let choices = found.choices.of_all(&found.inferred);
        if choices.contains(&Choice::Date) {
            return Err(usage("--date works only with --engine local"));
        }
        let schema = found.inferred.schema.clone();
        let family = self.family.family(&schema, &choices, &found.text)?;
        let (template, trained) = (path("template.nb"), path("model.nb"));
        Model::new(schema, family, Prior::Empirical)?.save(&template)?;
        let mut arguments = vec![OsStr::new("train")];
        arguments.extend(named());
        arguments.extend(["--template".as_ref(), template.as_os_str(), "-o".as_ref(), trained.as_os_str()]);
        if let Some(weights) = &found.weights {
            arguments.extend(["--weights".as_ref(), OsStr::new(weights)]);
        }
        engine.query(arguments, screen.quiet())?;
        let model = Model::load(&trained)?;
        let prior = found.prior(self.prior.as_ref()).over(model.stats().classes())?;
        let model = model.with_prior(prior)?;
        fitted(&model).context("cannot build a model from these rows")?;
        save(&model, output, screen)?;
        // Categories may have been added to those of the first rows.
        for (inference, column) in found.inferred.columns.iter_mut().zip(&model.schema().columns) {
            inference.kind = column.kind.clone();
        }
        let n_rows = found
            .weights
            .is_none()
            .then(|| model.stats().class_weights().iter().map(Exact::to_f64).sum::<f64>() as usize);
        let result = Trained::new(output.clone(), &model, n_rows, &found, &choices, Vec::new());
        screen.report(&result, || text(&result))
    }
}
