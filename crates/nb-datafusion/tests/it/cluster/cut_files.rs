//! Files that are cut: an error that names them, no model, and a model when they are whole again.

use std::path::{Path, PathBuf};

use super::{
    processes::{Cluster, run},
    same_bits::train,
};
use crate::cluster::data::{Data, wide};

fn ended_with(data: &Data, options: &[String]) -> (String, bool) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("model.nb");
    let ended = run(&train(data, &output, options), folder.path());
    assert_eq!(ended.status.success(), output.exists(), "{}", ended.said);
    (ended.said, output.exists())
}

/// Three CSV files, of which the second may be cut.
fn csv_files(folder: &Path, second: &str) -> Data {
    let files: Vec<PathBuf> = (0..3).map(|file| folder.join(format!("{file}.csv"))).collect();
    let whole = "y,x1,x2\na,1,2\nb,3,4\na,2,5\nb,4,8\n";
    for (path, text) in files.iter().zip([whole, second, whole]) {
        std::fs::write(path, text).unwrap();
    }
    Data { pattern: folder.join("*.csv").display().to_string(), files, model: Vec::new() }
}

#[test]
fn a_csv_file_cut_in_mid_row_is_named() {
    let cluster = Cluster::start(2);
    let folder = tempfile::tempdir().unwrap();
    for options in [Vec::new(), cluster.options()] {
        let (said, made) = ended_with(&csv_files(folder.path(), "y,x1,x2\na,1,2\nb,3,4\na,2"), &options);
        assert!(!made);
        assert!(said.contains("1.csv"), "{said}");
        let (said, made) = ended_with(&csv_files(folder.path(), "y,x1,x2\na,1,2\nb,3,4\n"), &options);
        assert!(made, "{said}");
    }
}

#[test]
fn a_parquet_file_without_its_footer_is_named() {
    let cluster = Cluster::start(2);
    let data = wide(500, 5);
    let whole = std::fs::read(&data.files[0]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = (0..2).map(|file| folder.path().join(format!("{file}.parquet"))).collect();
    let data =
        Data { pattern: folder.path().join("*.parquet").display().to_string(), files, model: Vec::new() };
    for options in [Vec::new(), cluster.options()] {
        std::fs::write(&data.files[0], &whole).unwrap();
        std::fs::write(&data.files[1], &whole[..whole.len() - 100]).unwrap();
        let (said, made) = ended_with(&data, &options);
        assert!(!made);
        assert!(said.contains("1.parquet is cut"), "{said}");
        // A footer, but that of a longer file.
        let torn = [&whole[..1000], &whole[whole.len() - 3000..]].concat();
        std::fs::write(&data.files[1], torn).unwrap();
        let (said, made) = ended_with(&data, &options);
        assert!(!made);
        assert!(said.contains("1.parquet"), "{said}");
        std::fs::write(&data.files[1], &whole).unwrap();
        let (said, made) = ended_with(&data, &options);
        assert!(made, "{said}");
    }
}
