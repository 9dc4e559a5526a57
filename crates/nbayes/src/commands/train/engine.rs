//! A model from files that another engine reads: a sample of the rows is brought here, and the engine adds up
//! the sums of all.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use nb_io::{
    Kind, Model, Schema,
    read::{FindFilesError, Inference, Inferred, Overrides, ReadChunks, Reason},
};
use nb_train::{Note, Source, TrainerError};

use super::Train;
use crate::{
    columns::{Files, Found, family_option},
    data::Input,
    design::Choice,
    engine::{ExternalEngine, Sampled},
    failure::usage,
    output::{Screen, refuse_inputs},
};

/// Files of which a sample is read here. The other program adds up all rows.
struct OnEngine<'a> {
    engine: &'a ExternalEngine,
    patterns: &'a [String],
    n: Sampled,
    /// The files that columns are looked for in: all of them, or the sample.
    looked_at: Files<'a>,
    sample: Files<'a>,
    folder: &'a Path,
}

impl Train {
    /// Learns from a sample of the rows, and has the sums of all rows added up by the other program.
    pub(super) fn train_on_engine(&self, engine: &ExternalEngine, screen: Screen) -> Result<()> {
        if let Some(option) = self.test.given() {
            return Err(usage(format!("{option} works only with --engine local")));
        }
        let Some(output) = &self.output else {
            return Err(usage("no output file given; name it with -o MODEL"));
        };
        self.output()?;
        refuse_inputs(Some(output), self.columns.paths())?;
        let patterns = self.columns.plain_files()?;
        let label = self.columns.given_label()?;
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let files = ExternalEngine::files(patterns)?;
        let path = sample_path(&files, folder.path());
        let n_cells = self.effort.level().most_cells();
        let n = engine.sample(patterns, &label, n_cells, &path, screen.quiet())?;
        let sample = [path.display().to_string()];
        // All rows are looked at where this program can read them.
        let is_read_here =
            |file: &String| FindFilesError::of_address(file).is_none() && !ends_with(file, ".avro");
        let are_here = engine.is_here() && files.iter().all(is_read_here);
        let files = if are_here { &files } else { &sample[..] };
        let found = self.columns.find_in(files, screen)?.without_useless_columns()?;
        let mut found = self.trends.over(found, screen)?;
        refuse_what_engines_do_not_read(&found)?;
        found.columns.inferred.n_rows = n.drawn;
        let inputs = [Input::find(&sample[0])?];
        let looked_at = found.files(screen);
        let sample = Files { inputs: &inputs, ..looked_at };
        let rows = OnEngine { engine, patterns, n, looked_at, sample, folder: folder.path() };
        let trained = self.trainer(&found)?.train_on(&rows, found.columns.clone())?;
        self.finish(trained, &found, &[], output.clone(), screen)
    }
}

impl Source for OnEngine<'_> {
    type Error = anyhow::Error;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred> {
        let mut inferred = self.looked_at.infer(overrides)?;
        inferred.n_rows = self.n.drawn;
        Ok(inferred)
    }

    fn open(
        &self,
        part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>> {
        self.sample.open(part, inferred, classes)
    }

    fn sums(&self, template: &Model) -> Result<Option<(Model, usize)>> {
        let (empty, summed) = (self.folder.join("template.nb"), self.folder.join("model.nb"));
        template.save(&empty)?;
        let mut arguments = vec![OsStr::new("train")];
        arguments.extend(self.patterns.iter().map(OsStr::new));
        arguments.extend(["--template".as_ref(), empty.as_os_str(), "--unfitted".as_ref()]);
        arguments.extend(["-o".as_ref(), summed.as_os_str()]);
        if let Some(weights) = self.sample.weights {
            arguments.extend(["--weights", weights].map(OsStr::new));
        }
        self.engine.query(arguments, self.sample.screen.quiet())?;
        Ok(Some((Model::load(&summed)?, self.n.rows)))
    }

    fn note(&self, note: &Note<'_>) {
        if matches!(note, Note::Prepared { .. }) && self.n.drawn < self.n.rows {
            self.sample.note(&Note::PreparedFromSome { n_rows: self.n.drawn });
        }
        self.sample.note(note);
    }

    fn explain(&self, error: TrainerError, schema: &Schema) -> anyhow::Error {
        let is_of_row = matches!(error, TrainerError::Value { .. } | TrainerError::Weight { .. });
        let error = self.sample.explain(error, schema);
        if is_of_row { error.context("in a sample of the rows, whose lines are others") } else { error }
    }
}

/// The file for a sample of files of this kind.
fn sample_path(files: &[String], folder: &Path) -> PathBuf {
    let has_types = |file: &String| ends_with(file, ".parquet") || ends_with(file, ".avro");
    folder.join(if files.iter().any(has_types) { "sample.parquet" } else { "sample.csv" })
}

fn ends_with(file: &str, ending: &str) -> bool {
    file.to_lowercase().ends_with(ending)
}

/// Refuses columns that engines do not read as this program does, or that are made into others before rows
/// are summed.
fn refuse_what_engines_do_not_read(found: &Found) -> Result<()> {
    let choices = found.columns.chosen();
    if choices.contains(&Choice::Date) {
        return Err(usage("--date works only with --engine local"));
    }
    super::prepared::refuse_mixed(&choices)?;
    let is_refused = |column: &&Inference| match &column.reason {
        Reason::MostlyNumeric { .. } | Reason::MarkedNumbers { .. } => column.kind == Kind::Numeric,
        // Engines read numbers without the zeros in front.
        Reason::Codes { value, .. } => value.starts_with('0'),
        _ => false,
    };
    match found.columns.inferred.columns.iter().find(is_refused) {
        Some(column) => bail!(
            "column {:?}: {}; other engines read plain numbers only: use --engine local, or `{}`",
            column.column,
            column.reason,
            family_option("ignore", &column.column)
        ),
        None => Ok(()),
    }
}
