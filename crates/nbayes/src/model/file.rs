//! Model files: loaded, replaced, and changed by one process at a time.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail};
use nb_core::Classifier;
use nb_io::{FittedFamily, Limits, LoadProblem, Model};

use super::{fitted, whole_counts};
use crate::{
    failure::usage,
    interrupt,
    output::{Replacement, Screen},
    words::not_a_model,
};

/// How large a model file may be, and how much memory it may take, if the user limits it.
static MAX_MEMORY: OnceLock<u64> = OnceLock::new();

/// Sets the limit for all model files of this process, before the first is loaded.
pub(crate) fn limit_memory(bytes: u64) {
    // It is set once, from the command line.
    let _ = MAX_MEMORY.set(bytes);
}

/// How large a model file may be, and how much memory a model may take.
pub(crate) fn limits() -> Limits {
    match MAX_MEMORY.get() {
        Some(&bytes) => Limits::default().with_max_bytes(bytes).with_max_memory(bytes),
        None => Limits::default(),
    }
}

/// The most memory in bytes that a model may take.
pub(crate) fn most_memory() -> u64 {
    limits().max_memory
}

/// Loads a model file.
pub(crate) fn load(path: &Path) -> Result<Model> {
    let limits = limits();
    Model::load_within(path, limits).map_err(|error| match error.problem {
        LoadProblem::Memory { .. } | LoadProblem::TooLarge { .. } => {
            anyhow!("{error}: use --max-memory, such as --max-memory 4GiB")
        }
        LoadProblem::NotAModel | LoadProblem::Io(_) => match not_a_model(path) {
            Some(hint) => usage(hint),
            None => error.into(),
        },
        _ => error.into(),
    })
}

/// Loads a model file and reads the classifier off its evidence.
pub(crate) fn load_classifier(path: &Path) -> Result<(Model, Classifier<String, FittedFamily>)> {
    let model = load(path)?;
    let name = || format!("the model {}", path.display());
    let classifier = fitted(&model).with_context(name)?;
    model.check_decision().with_context(name)?;
    Ok((model, classifier))
}

/// Writes a model file that does not depend on what is there.
pub(crate) fn save(model: &Model, path: &Path, screen: Screen) -> Result<()> {
    Lock::of(path, LockArgs::default(), screen)?.save(model)
}

/// What to do if another process is changing the model.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct LockArgs {
    /// Fail if another process is updating the model file, instead of waiting for it.
    #[arg(long)]
    no_wait: bool,
}

/// A model file that no other process changes meanwhile: held from before it is loaded until it is replaced.
/// Who only reads the file needs no lock, as it is replaced whole.
///
/// It is a lock on the file itself, which another file replaces while others wait for it; so whoever gets the
/// lock looks whether the path still names that file.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: Option<File>,
}

impl Lock {
    /// Waits until no other process changes the file. What does not exist, or is no file, is not locked.
    pub(crate) fn of(path: &Path, args: LockArgs, screen: Screen) -> Result<Self> {
        let mut is_waiting = false;
        loop {
            let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
            // Where locks are those of NFS, only a file that is open for writing can be locked.
            let open = || OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path));
            let Some(file) = is_file.then(|| open().ok()).flatten() else {
                return Ok(Self { path: path.into(), file: None });
            };
            loop {
                match file.try_lock() {
                    Ok(()) => break,
                    Err(TryLockError::Error(error)) => {
                        screen.note(&format!(
                            "cannot lock {} ({error}); no other process may update it now",
                            path.display()
                        ));
                        return Ok(Self { path: path.into(), file: None });
                    }
                    Err(TryLockError::WouldBlock) if args.no_wait => bail!(
                        "another process is updating {}; run this again later, or without --no-wait to wait for it",
                        path.display()
                    ),
                    Err(TryLockError::WouldBlock) => {}
                }
                if !is_waiting {
                    screen.note(&format!("waiting for another process that is updating {}", path.display()));
                    is_waiting = true;
                }
                interrupt::check()?;
                std::thread::sleep(Duration::from_millis(5));
            }
            if names(path, &file).with_context(|| format!("cannot read {}", path.display()))? {
                return Ok(Self { path: path.into(), file: Some(file) });
            }
        }
    }

    /// Replaces the file and lets others change it.
    pub(crate) fn save(self, model: &Model) -> Result<()> {
        // Weights and corrections are defined for the classes that they were learnt for, only.
        if let Some(refinement) = model.refinement() {
            let are_others = !refinement.classes.iter().eq(model.stats().classes());
            model.classifier().map_err(|error| {
                if are_others {
                    anyhow!("{error} (`nbayes refit MODEL DATA --add NEW`, or `nbayes train`)")
                } else {
                    error.into()
                }
            })?;
        }
        whole_counts::check(model)?;
        if let Some(calibration) = model.calibration() {
            calibration.check_classes(model.stats().classes())?;
        }
        model.check_decision()?;
        if self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            let json = model.to_json()?;
            return self.save_bytes(json.as_bytes());
        }
        self.save_bytes(&model.to_bytes()?)
    }

    /// The same for a model in another format.
    pub(crate) fn save_bytes(self, bytes: &[u8]) -> Result<()> {
        let Self { path, file } = self;
        Replacement::write_model(&path, bytes)?;
        drop(file);
        Ok(())
    }
}

/// Whether a path still names a file. A path that names nothing any more does not.
#[cfg(unix)]
fn names(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    match fs::metadata(path) {
        Ok(now) => Ok((now.dev(), now.ino()) == (own.dev(), own.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Where a file that is open cannot be replaced, the path names it still.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems may fail")]
fn names(_: &Path, _: &File) -> io::Result<bool> {
    Ok(true)
}
