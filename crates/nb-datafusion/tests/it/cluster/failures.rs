//! Processes that are killed, strangers, and files that are cut: a right model or a clear error, and then a
//! retry.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    data::{Data, parquet},
    processes::{Cluster, Ended, MORTAL, Process, client, run, within},
    same_bits::train,
};

/// With this, each of the eight tasks takes some seconds, so that there is a middle to be killed in.
const SLOWLY: [&str; 2] = ["--test-delay", "400"];
/// How much longer than its time limits something may take on a busy machine.
const SLACK: Duration = Duration::from_secs(20);

/// A client in the middle of its query.
struct Midway {
    client: Process,
    folder: tempfile::TempDir,
    begin: Instant,
}

impl Midway {
    /// Starts a client, and waits until each executor has a task of its query.
    fn start(cluster: &Cluster) -> Self {
        Self::start_with(cluster, cluster.options(), &[])
    }

    fn start_with(cluster: &Cluster, mut own: Vec<String>, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        own.extend(SLOWLY.iter().chain(options).map(ToString::to_string));
        let before = jobs(cluster);
        let begin = Instant::now();
        let client = client(&train(parquet(), &folder.path().join("model.nb"), &own), folder.path());
        within(Duration::from_mins(2), "tasks of the query", || {
            // The first job of a client is its probe, whose tasks are at an end when the query has begun.
            let is_at_work = |executor| tasks(executor, BEGUN) > tasks(executor, FINISHED);
            (jobs(cluster) >= before + 2 && cluster.executors.iter().all(is_at_work)).then_some(())
        });
        Self { client, folder, begin }
    }

    fn end(mut self) -> (Ended, Option<Vec<u8>>) {
        let status = self.client.end(Duration::from_secs(200));
        let model = std::fs::read(self.folder.path().join("model.nb")).ok();
        (Ended { status, said: self.client.said(), time: self.begin.elapsed() }, model)
    }
}

const BEGUN: &str = "Execute task";
const FINISHED: &str = "Finished task";

/// How many tasks an executor has begun or finished.
fn tasks(executor: &Process, what: &str) -> usize {
    executor.said().matches(what).count()
}

/// How many jobs a cluster has been given.
fn jobs(cluster: &Cluster) -> usize {
    cluster.scheduler.said().matches("Job submitted: ").count()
}

/// A query that goes well.
fn check(data: &Data, cluster: &Cluster) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("model.nb");
    let ended = run(&train(data, &output, &cluster.options()), folder.path());
    assert!(ended.status.success(), "{}", ended.said);
    assert!(std::fs::read(&output).unwrap() == data.model, "other bytes");
}

#[test]
fn an_executor_killed_in_mid_query_changes_nothing() {
    let mut cluster = Cluster::start_with(2, MORTAL, &["--test-functions"]);
    let query = Midway::start(&cluster);
    cluster.executors[0].kill();
    let (ended, model) = query.end();
    println!("one executor killed: {:?}", ended.time);
    assert!(ended.status.success(), "{}", ended.said);
    assert!(model.unwrap() == parquet().model, "other bytes");
}

#[test]
fn all_executors_killed_is_an_error_and_a_retry_succeeds() {
    let mut cluster = Cluster::start_with(2, MORTAL, &["--test-functions"]);
    let query = Midway::start(&cluster);
    cluster.executors.iter_mut().for_each(Process::kill);
    let killed = Instant::now();
    let (ended, model) = query.end();
    println!("all executors killed: {:?} after it", killed.elapsed());
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.said.contains("had no executors for 10 s; start some with"), "{}", ended.said);
    assert!(model.is_none());
    assert!(
        killed.elapsed() < MORTAL.executor_timeout + MORTAL.grace + MORTAL.patience + SLACK,
        "{:?}",
        killed.elapsed()
    );
    cluster.executors.clear();
    cluster.start_executor(&["--test-functions"]);
    cluster.wait_until_ready(1);
    check(parquet(), &cluster);
}

#[test]
fn a_client_goes_on_when_executors_come_back() {
    let mut cluster = Cluster::start_with(1, MORTAL, &["--test-functions"]);
    let query = Midway::start_with(&cluster, cluster.patient_options(Duration::from_mins(1)), &[]);
    cluster.executors[0].kill();
    query.client.wait_for("the query got lost", MORTAL.executor_timeout + MORTAL.grace + SLACK);
    cluster.start_executor(&["--test-functions"]);
    let (ended, model) = query.end();
    println!("executors came back: {:?}", ended.time);
    assert!(ended.status.success(), "{}", ended.said);
    assert!(ended.said.contains("the query got lost and is sent again"), "{}", ended.said);
    assert!(model.unwrap() == parquet().model, "other bytes");
}

/// The scheduler counts a second loss within the grace period of the first to the first, after which the job
/// would hang.
#[test]
fn all_executors_killed_twice_is_an_error() {
    let mut cluster = Cluster::start_with(1, MORTAL, &["--test-functions"]);
    let query = Midway::start(&cluster);
    cluster.executors[0].kill();
    cluster.scheduler.wait_for("heartbeat timed out", MORTAL.executor_timeout + SLACK);
    cluster.start_executor(&["--test-functions"]);
    cluster.executors[1].wait_for("Execute task", MORTAL.grace + SLACK);
    cluster.executors[1].kill();
    let killed = Instant::now();
    let (ended, model) = query.end();
    println!("executors killed twice: {:?} after it", killed.elapsed());
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.said.contains("had no executors for 10 s"), "{}", ended.said);
    assert!(model.is_none());
    assert!(
        killed.elapsed() < MORTAL.executor_timeout + MORTAL.grace + MORTAL.patience + SLACK,
        "{:?}",
        killed.elapsed()
    );
}

#[test]
fn a_scheduler_killed_is_an_error_and_a_retry_succeeds() {
    let mut cluster = Cluster::start_with(2, MORTAL, &["--test-functions"]);
    let query = Midway::start(&cluster);
    cluster.scheduler.kill();
    let killed = Instant::now();
    let (ended, model) = query.end();
    println!("scheduler killed: {:?} after it", killed.elapsed());
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.said.contains("no scheduler answered at 127.0.0.1:"), "{}", ended.said);
    assert!(model.is_none());
    assert!(killed.elapsed() < MORTAL.patience + SLACK, "{:?}", killed.elapsed());
    cluster.executors.clear();
    cluster.restart_scheduler();
    cluster.start_executor(&[]);
    cluster.wait_until_ready(1);
    check(parquet(), &cluster);
}

#[test]
fn a_query_that_takes_too_long_is_an_error() {
    let cluster = Cluster::start_with(2, MORTAL, &["--test-functions"]);
    let query = Midway::start_with(&cluster, cluster.options(), &["--time-limit", "4", "--attempts", "2"]);
    let (ended, model) = query.end();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.said.contains("there was no answer within 4 s, 2 times"), "{}", ended.said);
    assert!(model.is_none());
}

#[test]
fn strangers_are_found_before_the_data_are_read() {
    let mut cluster = Cluster::start(1);
    cluster.start_executor(&["--without-functions"]);
    cluster.wait_until_ready(2);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("model.nb");
    let ended = run(&train(parquet(), &output, &cluster.options()), folder.path());
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.said.contains("does not know the functions of nb-datafusion"), "{}", ended.said);
    assert!(ended.said.contains("`nb-datafusion executor`"), "{}", ended.said);
    assert!(!output.exists());
    println!("a stranger: {:?}", ended.time);
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let cluster = Cluster::start_with(2, MORTAL, &["--test-functions"]);
    let query = Midway::start(&cluster);
    query.client.interrupt();
    let files = query.folder.path().to_owned();
    let mut client = query.client;
    let status = client.end(Duration::from_secs(20));
    assert_eq!(status.code(), Some(130), "{}", client.said());
    assert!(client.said().contains("interrupted; nothing was written"), "{}", client.said());
    assert_eq!(names(&files), ["client.log"]);
    cluster.scheduler.wait_for("Received cancellation request", Duration::from_secs(5));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().display().to_string()).collect()
}
