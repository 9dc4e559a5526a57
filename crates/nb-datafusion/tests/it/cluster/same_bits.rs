//! The same model, byte for byte, wherever and however it is fitted.

use std::path::Path;

use super::{
    data::{Data, csv, parquet, wide},
    processes::{Cluster, run},
};

/// The options of a client that trains on `data`.
pub(crate) fn train(data: &Data, output: &Path, options: &[String]) -> Vec<String> {
    let mut arguments: Vec<String> =
        ["train", &data.pattern, "--label", "y", "-o", &output.display().to_string()]
            .map(String::from)
            .into();
    arguments.extend_from_slice(options);
    arguments
}

/// Trains, and compares with what nb-core makes of the same rows.
fn check(data: &Data, options: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("model.nb");
    let ended = run(&train(data, &output, options), folder.path());
    assert!(ended.status.success(), "{options:?}: {}", ended.said);
    assert!(std::fs::read(&output).unwrap() == data.model, "{} with {options:?}: other bytes", data.pattern);
    println!("{} with {options:?}: {:?}", data.pattern, ended.time);
}

fn words(options: &[&str]) -> Vec<String> {
    options.iter().map(ToString::to_string).collect()
}

#[test]
fn one_process_with_any_partitions_gives_the_same_bits() {
    for partitions in ["1", "3", "8"] {
        check(parquet(), &words(&["--partitions", partitions]));
    }
    check(csv(), &words(&["--partitions", "2"]));
    check(csv(), &words(&["--partitions", "5", "--split-files"]));
}

#[test]
fn a_cluster_gives_the_same_bits() {
    let cluster = Cluster::start(2);
    check(parquet(), &cluster.options());
    check(csv(), &cluster.options());
    check(&wide(300, 1000), &cluster.options());
    check(&wide(100, 5000), &cluster.options());
}
