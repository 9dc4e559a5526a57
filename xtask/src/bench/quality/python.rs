//! The contenders written for Python: their data written, their answers read.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use nb_compare::Kind;
use ndarray::Array2;
use serde_json::{Value, json};

use super::{
    super::{
        contenders::with_threads,
        setup::{environment, root, target},
    },
    Answers, Data,
};

/// The environment, and the folder of data and answers.
pub(super) struct Python {
    interpreter: PathBuf,
    peers: PathBuf,
    folder: PathBuf,
}

impl Python {
    /// Makes the environment if it is not there yet, and writes the data sets with the folds of their rows.
    pub(super) fn new(sets: &[Data]) -> Result<Self, String> {
        let (peers, folder) = (root().join("benches/peers"), target().join("bench-quality"));
        let interpreter = environment(&target(), &peers, "requirements-quality")?;
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for set in sets {
            write(set, &folder)?;
        }
        Ok(Self { interpreter, peers, folder })
    }

    /// The packages and their versions, as the file of requirements has them.
    pub(super) fn versions(&self) -> Vec<(String, String)> {
        let text = fs::read_to_string(self.peers.join("requirements-quality.txt")).unwrap_or_default();
        let line = |line: &str| line.split_once("==").map(|(name, version)| (name.into(), version.into()));
        text.lines().filter_map(line).collect()
    }

    /// Runs a contender on all data sets, on one thread.
    pub(super) fn answer(&self, contender: &str, sets: &[Data]) -> Result<Answers, String> {
        let mut command = Command::new(&self.interpreter);
        with_threads(&mut command, "1");
        // Khiops finds its programs on the path. It runs as one process, whose MPI looks for no network then.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.interpreter.parent().map(Path::to_path_buf).into_iter();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&path)));
        command.env("PATH", path.map_err(|error| error.to_string())?);
        command.envs([("KHIOPS_PROC_NUMBER", "1"), ("OMPI_MCA_btl", "self"), ("OMPI_MCA_pml", "ob1")]);
        command.arg(self.peers.join("quality.py")).arg(contender).arg(&self.folder);
        command.args(sets.iter().map(|set| &set.table.name));
        let output = command.output().map_err(|error| format!("Python cannot be started: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        // Programs may print before.
        let printed = String::from_utf8_lossy(&output.stdout);
        let last = printed.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
        let last = last.ok_or("it printed no line of JSON")?;
        let seconds = last["seconds"].as_f64().ok_or("it printed no time")?;
        let answers = sets.iter().map(|set| {
            let name = &set.table.name;
            if let Some(reason) = last["failures"][name].as_str() {
                return Ok(Err(reason.to_owned()));
            }
            let shape = (set.table.n_rows(), set.table.classes.len());
            read(&self.folder.join(format!("{name}.{contender}")), shape).map(Ok)
        });
        Ok((answers.collect::<Result<_, String>>()?, seconds))
    }
}

/// Writes a data set as `quality.py` reads it.
fn write(set: &Data, folder: &Path) -> Result<(), String> {
    let (columns, x) = set.columns()?;
    let name = &set.table.name;
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
    let whole = |number: usize| (number as u64).to_le_bytes();
    file("y", &set.table.labels.iter().flat_map(|&label| whole(label)).collect::<Vec<_>>())?;
    file("fold", &set.folds.of_row.iter().flatten().flat_map(|&fold| whole(fold)).collect::<Vec<_>>())
}

/// Reads the answers of a contender.
fn read(path: &Path, shape: (usize, usize)) -> Result<Array2<f64>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let numbers = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
    Array2::from_shape_vec(shape, numbers.collect()).map_err(|error| format!("{}: {error}", path.display()))
}
