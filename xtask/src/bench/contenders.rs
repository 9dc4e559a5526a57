//! Who is measured, and how their processes are kept alive between turns.

use std::{process::Command, time::Duration};

use serde_json::Value;

use super::{
    process::{Process, Silence},
    setup::Setup,
};

/// A contender: what it is called here and in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contender {
    /// Its name on the command line of the programs.
    pub(crate) key: &'static str,
    /// Its name and version for readers.
    pub(crate) name: &'static str,
}

/// This library on one thread, which all others are compared with.
pub(crate) const OURS: usize = 0;
/// This library on two threads.
pub(crate) const OURS_2: usize = 1;
/// What most people use.
pub(crate) const SCIKIT_LEARN: usize = 3;

const _: () = assert!(matches!(CONTENDERS[SCIKIT_LEARN].key.as_bytes(), b"sklearn"));

/// All contenders. Their versions are those of `benches/peers/Cargo.toml` and of the files of requirements.
pub(crate) const CONTENDERS: &[Contender] = &[
    Contender { key: "ours", name: "ours" },
    Contender { key: "ours-2", name: "ours, 2 threads" },
    Contender { key: "plain", name: "plain sums, no library" },
    Contender { key: "sklearn", name: "scikit-learn 1.9.1" },
    Contender { key: "nbayes", name: "ours from Python" },
    Contender { key: "linfa", name: "linfa-bayes 0.8.1" },
    Contender { key: "smartcore", name: "smartcore 0.7.0" },
    Contender { key: "scry", name: "scry-learn 0.1.0" },
    Contender { key: "ferrolearn", name: "ferrolearn-bayes 0.5.0" },
    Contender { key: "mlpack", name: "mlpack 4.8.0" },
    Contender { key: "onedal", name: "oneDAL (daal4py 2024.7.0)" },
    Contender { key: "pickle", name: "scikit-learn, pickle" },
];

/// How long a contender may take for one turn, its preparation included.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How long it may take to read a data set.
const LOADING: Duration = Duration::from_secs(120);

/// A contender with its process, which is started again after it was ended for being slow.
#[derive(Debug)]
pub(crate) struct Seat<'a> {
    contender: Contender,
    setup: &'a Setup,
    process: Option<Process>,
    loaded: Option<&'static str>,
}

impl<'a> Seat<'a> {
    /// A contender that is not started yet.
    pub(crate) fn new(contender: Contender, setup: &'a Setup) -> Self {
        Self { contender, setup, process: None, loaded: None }
    }

    /// Visits the contender: `repeats` of an operation, or its preparation with 0.
    ///
    /// # Errors
    /// Why there is no figure.
    pub(crate) fn turn(
        &mut self,
        data: &'static str,
        operation: &str,
        repeats: u64,
    ) -> Result<Value, String> {
        self.load(data)?;
        self.ask(&format!("run {operation} {repeats}"), PATIENCE)
    }

    /// Ends the process of mlpack, whose Python binding does not give back the memory of its inputs, so that
    /// it would grow with every turn.
    pub(crate) fn end_operation(&mut self) {
        if self.contender.key == "mlpack" {
            (self.process, self.loaded) = (None, None);
        }
    }

    /// Frees the data set.
    pub(crate) fn drop_data(&mut self) {
        if self.loaded.take().is_some() {
            self.ask("drop", LOADING).ok();
        }
    }

    fn load(&mut self, data: &'static str) -> Result<(), String> {
        if self.loaded == Some(data) {
            return Ok(());
        }
        self.drop_data();
        if self.process.is_none() {
            self.process = Some(Process::start(&mut command(self.contender, self.setup)?)?);
        }
        self.ask(&format!("load {data}"), LOADING)?;
        self.loaded = Some(data);
        Ok(())
    }

    fn ask(&mut self, line: &str, patience: Duration) -> Result<Value, String> {
        let process = self.process.as_mut().ok_or("it is not running")?;
        let answer = process.ask(line, patience).map_err(|silence| {
            (self.process, self.loaded) = (None, None);
            match silence {
                Silence::TooSlow => format!("stopped after {} s", patience.as_secs()),
                Silence::Broken(how) => format!("broke: {how}"),
            }
        })?;
        match answer.get("skip").and_then(Value::as_str) {
            Some(reason) => Err(reason.into()),
            None => Ok(answer),
        }
    }
}

/// The command that starts a contender, with as many threads as it is meant to have.
fn command(contender: Contender, setup: &Setup) -> Result<Command, String> {
    let mut command = match contender.key {
        "ours" | "ours-2" | "plain" | "linfa" | "smartcore" | "scry" | "ferrolearn" => {
            let mut program = setup.program();
            program.args(["serve", contender.key.trim_end_matches("-2")]);
            program
        }
        _ => {
            let python = match contender.key {
                "nbayes" => setup.nbayes.clone()?,
                "onedal" => setup.onedal.clone()?,
                _ => setup.python.clone(),
            };
            let mut python = Command::new(python);
            python.arg(setup.peers.join("contender.py")).arg(contender.key);
            python
        }
    };
    command.arg(&setup.data);
    with_threads(&mut command, if contender.key == "ours-2" { "2" } else { "1" });
    Ok(command)
}

/// Sets all variables that decide how many threads a library takes.
pub(crate) fn with_threads(command: &mut Command, threads: &str) {
    for variable in ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
        command.env(variable, threads);
    }
}
