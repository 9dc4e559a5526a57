//! A separate folder for a test, and the program run in it.

use std::path::PathBuf;

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(TempDir);

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `nbayes` with arguments that are separated by spaces.
    pub(crate) fn nbayes(&self, arguments: &str) -> Run {
        self.nbayes_with(arguments, "")
    }

    /// The same with something on standard input.
    pub(crate) fn nbayes_with(&self, arguments: &str, input: impl Into<Vec<u8>>) -> Run {
        let words: Vec<String> = arguments.split_whitespace().map(String::from).collect();
        self.nbayes_with_words(&words, input)
    }

    /// The same with arguments that may contain spaces.
    pub(crate) fn nbayes_with_words(&self, arguments: &[String], input: impl Into<Vec<u8>>) -> Run {
        run(self.command().args(arguments).write_stdin(input))
    }

    /// Runs `nbayes` with arguments that are separated by spaces, and a variable of the environment.
    pub(crate) fn nbayes_where(&self, (name, value): (&str, &str), arguments: &str) -> Run {
        run(self.command().args(arguments.split_whitespace()).env(name, value))
    }

    /// The program with arguments that are separated by spaces, to be started and met while it runs.
    pub(crate) fn process(&self, arguments: &str) -> std::process::Command {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("nbayes"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command
    }

    /// Runs a script, in which `$NBAYES` is the program.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Run {
        let program = assert_cmd::cargo::cargo_bin("nbayes");
        run(Command::new("sh").args(["-c", script]).env("NBAYES", program).current_dir(self.0.path()))
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("nbayes").unwrap();
        command.current_dir(self.0.path());
        // The settings of a developer's terminal must not reach the tests.
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs `nbayes`, which must succeed, and gives what it wrote to standard output.
    pub(crate) fn ok(&self, arguments: &str) -> String {
        let run = self.nbayes(arguments);
        assert_eq!(run.code, 0, "nbayes {arguments}: {}", run.stderr);
        run.stdout
    }

    /// Runs `nbayes`, which must fail with this code, and gives what it wrote to standard error.
    pub(crate) fn fails(&self, code: i32, arguments: &str) -> String {
        let run = self.nbayes(arguments);
        assert_eq!(run.code, code, "nbayes {arguments}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout, "", "nbayes {arguments}");
        run.stderr
    }
}

fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
