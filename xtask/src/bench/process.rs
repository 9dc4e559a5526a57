//! A contender as a process that is kept alive: a command goes in as a line, a line of JSON comes out.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use serde_json::Value;

/// A running contender.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    commands: Option<ChildStdin>,
    answers: Receiver<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// It took longer than was allowed, and was ended.
    TooSlow,
    /// The process ended, or wrote what is no answer.
    Broken(String),
}

impl Process {
    /// Starts a contender. What it writes to standard error is dropped: one of them leaves debugging output
    /// there.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let (sender, answers) = channel();
        let (commands, output) = (child.stdin.take(), child.stdout.take());
        if let Some(output) = output {
            thread::spawn(move || {
                let lines = BufReader::new(output).lines().map_while(Result::ok);
                for line in lines {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self { child, commands, answers })
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// [`Silence`]; the process is over then.
    pub(crate) fn ask(&mut self, command: &str, patience: Duration) -> Result<Value, Silence> {
        let broken = |error: &dyn std::fmt::Display| Silence::Broken(error.to_string());
        let commands = self.commands.as_mut().ok_or_else(|| broken(&"it has ended"))?;
        writeln!(commands, "{command}").map_err(|error| broken(&error))?;
        let result = match self.answers.recv_timeout(patience) {
            Ok(line) => serde_json::from_str(&line).map_err(|error| broken(&error)),
            Err(RecvTimeoutError::Timeout) => Err(Silence::TooSlow),
            Err(RecvTimeoutError::Disconnected) => Err(broken(&"it ended without an answer")),
        };
        if result.is_err() {
            self.end();
        }
        result
    }

    fn end(&mut self) {
        self.commands = None;
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn answers_silence_and_nonsense() {
        let patience = Duration::from_secs(5);
        let mut cat = Process::start(&mut Command::new("cat")).expect("cat starts");
        assert_eq!(cat.ask("[1, 2]", patience), Ok(serde_json::json!([1, 2])));
        assert!(matches!(cat.ask("no JSON", patience), Err(Silence::Broken(_))));
        assert!(matches!(cat.ask("[]", patience), Err(Silence::Broken(_))));
        let mut sleep = Process::start(Command::new("sleep").arg("60")).expect("sleep starts");
        assert_eq!(sleep.ask("[]", Duration::from_millis(10)), Err(Silence::TooSlow));
        assert!(Process::start(&mut Command::new("there is no such program")).is_err());
    }
}
