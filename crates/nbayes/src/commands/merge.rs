//! `nbayes merge`: the evidence of several models as one.

mod differences;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nb_io::{Model, RowFingerprint, SeenRows};
use serde::Serialize;

use super::refit;
use crate::{
    model::{Lock, LockArgs, is_calibrated_plain, load, seen_rows},
    output::{Screen, exact},
};

/// Merge models that were trained on different rows (same result as training once on all of them).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes merge monday.nb tuesday.nb -o week.nb")]
pub(crate) struct Merge {
    /// The models. Hyper-parameters and prior are those of the first.
    #[arg(required = true, num_args = 2..)]
    models: Vec<PathBuf>,
    /// Merge the sums of models that differ in families or calibration; the result has those of the first
    /// model.
    #[arg(long)]
    like_first: bool,
    /// The file for the merged model.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    lock: LockArgs,
}

#[derive(Serialize)]
struct Merged {
    models: usize,
    weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_from_rows: Option<u64>,
    output: PathBuf,
}

impl Merge {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let Some((first, rest)) = self.models.split_first() else { return Ok(()) };
        // The file may be one of the models.
        let lock = Lock::of(&self.output, self.lock, screen)?;
        let mut merged = load(first)?;
        let own = merged.clone();
        let mut known: Vec<(&Path, RowFingerprint)> = Vec::new();
        note_known(&mut known, first, &merged, screen);
        for path in rest {
            let names = || format!("{} cannot be merged with {}", path.display(), first.display());
            let other = self.like_first(&own, (first, path), load(path)?, screen).with_context(names)?;
            merged.merge(&other).with_context(names)?;
            note_known(&mut known, path, &other, screen);
        }
        lock.save(&merged)?;
        let result = Merged {
            models: self.models.len(),
            weight: crate::model::weight(&merged),
            weights_from_rows: refit::weights_from_rows(&merged),
            output: self.output.clone(),
        };
        screen.report(&result, || {
            let text = format!(
                "merged {} models, {} in all, into {}",
                result.models,
                if result.weight == 1.0 {
                    "1 row".to_owned()
                } else {
                    format!("{} rows", exact(result.weight))
                },
                result.output.display()
            );
            text + &refit::hint(&merged, &result.output)
        })
    }

    /// A model as it is merged with the first, which decides where they differ.
    fn like_first(
        &self,
        own: &Model,
        (first, path): (&Path, &Path),
        other: Model,
        screen: Screen,
    ) -> Result<Model> {
        let mut both = own.clone();
        let plain = other.clone().with_refinement(None)?;
        // Models whose sums do not go together are refused for that.
        let has_weights = own.refinement().is_some() && !is_calibrated_plain(own);
        both.merge(if has_weights && !self.like_first { &other } else { &plain })?;
        // Weights of models with different categories are compared for those of both.
        let are_refined_alike = own.refinement() == other.refinement()
            || (other.refinement().is_some() && own.clone().merge(&other).is_ok());
        if let Some(kinds) = differences::of_kind(own, &other, are_refined_alike) {
            let differ = format!(
                "{} has {}, and {} has {}",
                first.display(),
                kinds.first,
                path.display(),
                kinds.other
            );
            if !self.like_first {
                bail!(
                    "{differ}; train both alike, or use --like-first to add up the sums and keep what the first model has"
                );
            }
            screen.note(&format!("{differ}; the merged model has what {} has", first.display()));
        } else {
            let names = differences::of_settings(own, &other);
            if !names.is_empty() {
                screen.note(&format!(
                    "{} and {} differ in {}; the merged model has what {} has, which is named first",
                    first.display(),
                    path.display(),
                    names.join(", "),
                    first.display()
                ));
            }
        }
        Ok(if are_refined_alike { other } else { plain })
    }
}

/// Says if rows of a model are in a model before it, as far as these know their rows: they count twice.
fn note_known<'a>(
    known: &mut Vec<(&'a Path, RowFingerprint)>,
    path: &'a Path,
    model: &Model,
    screen: Screen,
) {
    let Some(rows) = model.row_fingerprint() else { return };
    for (earlier, fingerprint) in &*known {
        let found = match fingerprint.seen(rows) {
            SeenRows::All => format!("{} has just the rows of {}", path.display(), earlier.display()),
            SeenRows::Share(share) => {
                format!(
                    "{} of the rows of {} are in {}, too",
                    seen_rows::part(share),
                    path.display(),
                    earlier.display()
                )
            }
            _ => continue,
        };
        screen.note(&format!(
            "{found}, and the merged model counts them twice; merge models that share no rows"
        ));
    }
    known.push((path, rows.clone()));
}
