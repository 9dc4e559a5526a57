//! One process of the program, with a time limit.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

/// How often a process is asked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(5);

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Success,
    /// An error with this message.
    Refused(String),
    /// A panic, a signal, or an error without a message.
    Crashed(String),
    TimedOut,
}

/// A process that is over.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) ended: Ended,
    pub(crate) status: Option<i32>,
    pub(crate) seconds: f64,
    /// What it wrote to standard output.
    pub(crate) output: String,
}

/// Runs a command in a folder and waits for its end, at most for `limit`. Its output is in files of the
/// folder meanwhile, so that no pipe can be full.
///
/// # Errors
/// If it cannot be started or waited for.
pub(crate) fn run(command: &mut Command, folder: &Path, limit: Duration) -> Result<Finished, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let named = |error: std::io::Error| format!("{program}: {error}");
    let (output, errors) = (folder.join("stdout"), folder.join("stderr"));
    let files = File::create(&output).and_then(|output| Ok((output, File::create(&errors)?)));
    let (to_output, to_errors) = files.map_err(|error| format!("{}: {error}", folder.display()))?;
    let start = Instant::now();
    command.current_dir(folder).stdin(Stdio::null()).stdout(to_output).stderr(to_errors);
    let mut child = command.spawn().map_err(|error| format!("{program} cannot be started: {error}"))?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(named)? {
            break Some(status);
        }
        if start.elapsed() >= limit {
            child.kill().ok();
            child.wait().map_err(named)?;
            break None;
        }
        thread::sleep(INTERVAL);
    };
    let seconds = start.elapsed().as_secs_f64();
    let read = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let (output, errors) = (read(output).unwrap_or_default(), read(errors).unwrap_or_default());
    let ended = status.map_or(Ended::TimedOut, |status| judge(status, &errors));
    Ok(Finished { ended, status: status.and_then(|status| status.code()), seconds, output })
}

fn judge(status: ExitStatus, errors: &str) -> Ended {
    if let Some(place) = errors.find("panicked") {
        let line = errors[..place].rfind('\n').map_or(0, |end| end + 1);
        return Ended::Crashed(errors[line..].lines().take(2).collect::<Vec<_>>().join(" "));
    }
    match (status.code(), message(errors)) {
        (Some(0), _) => Ended::Success,
        (Some(1 | 2), Some(message)) => Ended::Refused(message),
        (_, _) => {
            let last = errors.trim_end().lines().last().unwrap_or("no message");
            Ended::Crashed(format!("{status}: {last}"))
        }
    }
}

/// The message of an error, for people (`nbayes: ...`) or as JSON.
fn message(errors: &str) -> Option<String> {
    let json = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["error"].as_str()?.to_owned());
    let text = |line: &str| line.strip_prefix("nbayes: ").map(str::to_owned);
    errors.lines().rev().find_map(|line| text(line).or_else(|| json(line)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("nbayes-trial-process-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let finished = run(Command::new("sh").args(["-c", script]), &folder, limit).unwrap();
        fs::remove_dir_all(folder).unwrap();
        finished
    }

    #[test]
    fn ends_are_told_apart() {
        let ended = |script| shell(script, Duration::from_secs(20)).ended;
        assert_eq!(ended("echo fine"), Ended::Success);
        let refused = Ended::Refused("no such column".into());
        assert_eq!(ended("echo 'nbayes: no such column' >&2; exit 1"), refused);
        assert_eq!(ended(r#"echo '{"error":"no such column"}' >&2; exit 2"#), refused);
        for script in [
            "echo \"thread 'main' panicked at a.rs:1:\" >&2; exit 101",
            "exit 1",
            "echo 'nbayes: odd' >&2; exit 7",
            "kill -9 $$",
        ] {
            assert!(matches!(ended(script), Ended::Crashed(_)), "{script}");
        }
    }

    #[test]
    fn time_is_limited() {
        let finished = shell("exec sleep 60", Duration::from_millis(20));
        assert_eq!((finished.ended, finished.status), (Ended::TimedOut, None));
        assert!(finished.seconds < 30.0);
    }
}
