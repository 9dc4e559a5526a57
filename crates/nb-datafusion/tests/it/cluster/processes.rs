//! The processes of a cluster as children of the test, and clients with a time limit.

use std::{
    fs::File,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::sleep,
    time::{Duration, Instant},
};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nb-datafusion");

/// Clusters are started one after another: each takes the whole machine.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A child that does not outlive the test, and whose words are shown when the test fails.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts the program. What it says on standard error goes to a file.
    pub(crate) fn start(arguments: &[&str], log: PathBuf) -> Self {
        let output = File::create(&log).unwrap();
        let child = Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap();
        Self { child, log }
    }

    /// What it has said by now.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// SIGKILL: no farewell.
    pub(crate) fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    /// SIGINT: as Ctrl-C.
    pub(crate) fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    /// Waits for the end; a child that has none within the limit fails the test.
    pub(crate) fn end(&mut self, limit: Duration) -> ExitStatus {
        within(limit, "the process ends", || self.child.try_wait().unwrap())
    }

    /// Waits until it has said something.
    pub(crate) fn wait_for(&self, words: &str, limit: Duration) -> String {
        within(limit, words, || Some(self.said()).filter(|said| said.contains(words)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("--- {} ---\n{}", self.log.display(), self.said());
        }
    }
}

/// Asks again and again until there is an answer.
pub(crate) fn within<T>(limit: Duration, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < limit, "not within {limit:?}: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// A scheduler and its executors on the loopback interface.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) scheduler: Process,
    pub(crate) executors: Vec<Process>,
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
    limits: Limits,
    _alone: MutexGuard<'static, ()>,
}

/// How soon a scheduler and its clients take silence for death. On a busy machine those who live are silent,
/// too, so that it is long but where the test is about death.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How soon the scheduler notices that an executor is gone.
    pub(crate) executor_timeout: Duration,
    /// How soon it gives up jobs when all executors are gone.
    pub(crate) grace: Duration,
    /// How long a client waits for a cluster that is not there.
    pub(crate) patience: Duration,
}

/// For tests in which nobody dies.
const CALM: Limits = Limits {
    executor_timeout: Duration::from_mins(2),
    grace: Duration::from_secs(5),
    patience: Duration::from_mins(2),
};
/// For tests in which somebody is killed: several heartbeats, which come every second.
pub(crate) const MORTAL: Limits = Limits {
    executor_timeout: Duration::from_secs(6),
    grace: Duration::from_secs(4),
    patience: Duration::from_secs(10),
};

impl Cluster {
    /// Starts a scheduler and this many executors, and waits until they know each other.
    pub(crate) fn start(n_executors: usize) -> Self {
        Self::start_with(n_executors, CALM, &[])
    }

    /// The same with these limits, and further arguments for all processes.
    pub(crate) fn start_with(n_executors: usize, limits: Limits, arguments: &[&str]) -> Self {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let scheduler = start_scheduler(folder.path(), 0, limits, arguments);
        let said = scheduler.wait_for("listens on df://127.0.0.1:", Duration::from_secs(30));
        let port = said.split("df://127.0.0.1:").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
        let mut cluster = Self { scheduler, executors: Vec::new(), folder, port, limits, _alone: alone };
        for _ in 0..n_executors {
            cluster.start_executor(arguments);
        }
        if n_executors > 0 {
            cluster.wait_until_ready(n_executors);
        }
        cluster
    }

    /// Starts one more executor.
    pub(crate) fn start_executor(&mut self, arguments: &[&str]) {
        let log = self.folder.path().join(format!("executor-{}.log", self.executors.len()));
        let address = self.address();
        let folder = self.folder.path().display().to_string();
        let own = ["executor", "--scheduler", &address, "--cores", "2", "--heartbeat", "1", "--log", "info"];
        // A killed executor does not tidy up.
        let own = [&own[..], &["--folder", &folder]].concat();
        self.executors.push(Process::start(&[&own[..], arguments].concat(), log));
    }

    /// Starts the scheduler again, at the same port.
    pub(crate) fn restart_scheduler(&mut self) {
        self.scheduler = start_scheduler(self.folder.path(), self.port, self.limits, &[]);
        self.scheduler.wait_for("listens on", Duration::from_secs(30));
    }

    /// Waits until the scheduler knows this many executors.
    pub(crate) fn wait_until_ready(&self, n_executors: usize) {
        let ready = format!("ready: {n_executors} executors");
        within(Duration::from_mins(1), &ready, || health(self.port).filter(|said| said.contains(&ready)));
    }

    /// The scheduler's address.
    pub(crate) fn address(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    /// The options with which a client finds this cluster.
    pub(crate) fn options(&self) -> Vec<String> {
        self.patient_options(self.limits.patience)
    }

    /// The same, for a client that waits longer.
    pub(crate) fn patient_options(&self, patience: Duration) -> Vec<String> {
        let patience = patience.as_secs().to_string();
        ["--engine", "ballista", "--scheduler", &self.address(), "--patience", &patience, "--partitions", "8"]
            .map(String::from)
            .into()
    }
}

fn start_scheduler(folder: &Path, port: u16, limits: Limits, arguments: &[&str]) -> Process {
    let (port, timeout) = (port.to_string(), limits.executor_timeout.as_secs().to_string());
    let grace = limits.grace.as_secs().to_string();
    let own =
        ["scheduler", "--port", &port, "--executor-timeout", &timeout, "--grace", &grace, "--log", "info"];
    let known: Vec<&str> =
        arguments.iter().copied().filter(|argument| *argument != "--without-functions").collect();
    Process::start(&[&own[..], &known].concat(), folder.join("scheduler.log"))
}

/// What the scheduler says of itself.
fn health(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// A client that has ended: how, after how long, and what it said.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) said: String,
    pub(crate) time: Duration,
}

/// Starts a client.
pub(crate) fn client(arguments: &[String], folder: &Path) -> Process {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Process::start(&arguments, folder.join("client.log"))
}

/// Runs a client to its end.
pub(crate) fn run(arguments: &[String], folder: &Path) -> Ended {
    let start = Instant::now();
    let mut client = client(arguments, folder);
    let status = client.end(Duration::from_mins(4));
    Ended { status, said: client.said(), time: start.elapsed() }
}
