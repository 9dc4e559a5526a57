//! The contenders written for Python: their data written, their answers asked for.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use nb_compare::Kind;
use serde_json::json;

use super::{
    super::{
        Print,
        contenders::with_threads,
        setup::{environment, root, target},
    },
    answers::Answers,
    data::Data,
};

/// What `quality.py` prints after each answer.
const DONE: &str = "done";

/// The environment, and the folder of data.
pub(super) struct Python {
    interpreter: PathBuf,
    peers: PathBuf,
    folder: PathBuf,
    fingerprints: BTreeMap<String, String>,
}

impl Python {
    /// Makes the environment if it is not there yet, and writes the data sets with the folds of their rows.
    pub(super) fn new(sets: &[Data]) -> Result<Self, String> {
        let (peers, folder) = (root().join("benches/peers"), target().join("bench-quality/data"));
        let interpreter = environment(&target(), &peers, "requirements-quality")?;
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for set in sets {
            write(set, &folder)?;
        }
        let mut python = Self { interpreter, peers, folder, fingerprints: BTreeMap::new() };
        let output = python.command()?.arg("--fingerprints").output();
        let output = output.map_err(|error| format!("Python cannot be started: {error}"))?;
        python.fingerprints = serde_json::from_slice(&output.stdout)
            .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
        Ok(python)
    }

    /// The packages and their versions, as the file of requirements has them.
    pub(super) fn versions(&self) -> Vec<(String, String)> {
        let text = fs::read_to_string(self.peers.join("requirements-quality.txt")).unwrap_or_default();
        let line = |line: &str| line.split_once("==").map(|(name, version)| (name.into(), version.into()));
        text.lines().filter_map(line).collect()
    }

    /// What decides the answers of a contender beside the data: its code, and the versions of its packages.
    pub(super) fn fingerprint(&self, contender: &str) -> Result<&str, String> {
        let found = self.fingerprints.get(contender).map(String::as_str);
        found.ok_or_else(|| format!("quality_models.py has no contender {contender:?}"))
    }

    /// Runs a contender on data sets, each split in one way, on one thread. Answers go to files, one after
    /// the other, so that those of a run that is interrupted are kept.
    pub(super) fn answer(
        &self,
        contender: &str,
        wanted: &[(&Data, usize)],
        answers: &Answers,
        progress: Print<'_>,
    ) -> Result<(), String> {
        if wanted.is_empty() {
            return Ok(());
        }
        let mut command = self.command()?;
        command.arg(contender).arg(&self.folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("Python cannot be started: {error}"))?;
        let mut input = child.stdin.take().ok_or("Python has no input")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("Python has no output")?).lines();
        for &(set, repeat) in wanted {
            progress(&format!("{contender}: {}, split {}", set.key(), repeat + 1));
            writeln!(input, "{} {repeat} {}", set.key(), answers.path(set, repeat).display())
                .map_err(|error| format!("quality.py does not listen: {error}"))?;
            // Programs may print before.
            if !output.by_ref().map_while(Result::ok).any(|line| line == DONE) {
                return Err(format!("quality.py stopped at {}", set.key()));
            }
        }
        drop(input);
        let status = child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("quality.py failed with {status}")) }
    }

    /// `quality.py` on one thread.
    fn command(&self) -> Result<Command, String> {
        let mut command = Command::new(&self.interpreter);
        with_threads(&mut command, "1");
        // Khiops finds its programs on the path. It runs as one process, whose MPI looks for no network then.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.interpreter.parent().map(Path::to_path_buf).into_iter();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&path)));
        command.env("PATH", path.map_err(|error| error.to_string())?);
        command.envs([("KHIOPS_PROC_NUMBER", "1"), ("OMPI_MCA_btl", "self"), ("OMPI_MCA_pml", "ob1")]);
        command.arg(self.peers.join("quality.py"));
        Ok(command)
    }
}

/// Writes a data set as `quality.py` reads it.
fn write(set: &Data, folder: &Path) -> Result<(), String> {
    let (columns, x) = set.columns()?;
    let name = set.key();
    let file = |part: &str, bytes: &[u8]| {
        let path = folder.join(format!("{name}.{part}"));
        fs::write(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    let levels = columns.iter().map(|column| match &column.kind {
        Kind::Categorical { levels } => levels.len(),
        Kind::Numeric | Kind::Count | Kind::Text { .. } => 0,
    });
    let meta = json!({"levels": levels.collect::<Vec<_>>(), "classes": set.table.classes.len()});
    file("json", meta.to_string().as_bytes())?;
    file("x", &x.iter().flat_map(|cell| cell.to_le_bytes()).collect::<Vec<_>>())?;
    let labels = set.table.labels.iter().flat_map(|&label| (label as u64).to_le_bytes());
    file("y", &labels.collect::<Vec<_>>())?;
    if let Some(texts) = &set.texts {
        file("texts", &serde_json::to_vec(texts).map_err(|error| error.to_string())?)?;
    }
    for (repeat, splits) in set.repeats.iter().enumerate() {
        let folds = splits.of_row.iter().flat_map(|row| row.number().to_le_bytes());
        file(&repeat.to_string(), &folds.collect::<Vec<_>>())?;
    }
    Ok(())
}
