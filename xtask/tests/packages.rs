//! Every package that can be published says what it is, and carries its licences.

use std::{path::Path, process::Command};

use serde_json::Value;

/// Categories of the registry that packages here use; it refuses others.
const CATEGORIES: [&str; 9] = [
    "algorithms",
    "command-line-utilities",
    "database",
    "development-tools::testing",
    "encoding",
    "hardware-support",
    "mathematics",
    "science",
    "visualization",
];

/// The packages of the workspace, and of nb-datafusion, which has one of its own.
fn packages() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut packages = Vec::new();
    for manifest in ["Cargo.toml", "crates/nb-datafusion/Cargo.toml"] {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest])
            .current_dir(root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        packages.extend(metadata["packages"].as_array().unwrap().iter().cloned());
    }
    packages
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// What is wrong with a package, for each rule of the registry or of ours that it breaks.
fn faults(package: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for key in ["description", "license", "repository", "readme", "rust_version"] {
        if package[key].as_str().is_none_or(str::is_empty) {
            faults.push(format!("has no {key}"));
        }
    }
    let keywords = texts(&package["keywords"]);
    let fits = |keyword: &&str| {
        keyword.len() <= 20
            && keyword.starts_with(|c: char| c.is_ascii_alphanumeric())
            && keyword.chars().all(|c| c.is_ascii_alphanumeric() || "-_+".contains(c))
    };
    if keywords.is_empty() || keywords.len() > 5 || !keywords.iter().all(fits) {
        faults.push(format!("has the keywords {keywords:?}"));
    }
    let categories = texts(&package["categories"]);
    if categories.is_empty() || !categories.iter().all(|category| CATEGORIES.contains(category)) {
        faults.push(format!("has the categories {categories:?}"));
    }
    let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        if std::fs::read(folder.join(name)).ok() != std::fs::read(original).ok() {
            faults.push(format!("lacks {name} of the workspace"));
        }
    }
    let targets = package["targets"].as_array().unwrap();
    let is_library = targets.iter().any(|target| texts(&target["kind"]) == ["lib"]);
    if is_library && package["metadata"]["docs"]["rs"]["all-features"] != true {
        faults.push("is not documented with all features".into());
    }
    faults
}

#[test]
fn packages_are_complete() {
    let mut n_published = 0;
    let mut faults_of_all = Vec::new();
    for package in packages() {
        if package["publish"].is_null() {
            n_published += 1;
            faults_of_all.extend(faults(&package).iter().map(|fault| format!("{} {fault}", package["name"])));
        }
    }
    assert!(n_published > 12, "{n_published}");
    assert_eq!(faults_of_all, Vec::<String>::new());
}

#[test]
fn programs_are_not_documented_as_libraries() {
    for package in packages() {
        for target in package["targets"].as_array().unwrap() {
            if target["name"] == "nbayes" || target["name"] == "nb-datafusion" {
                assert_eq!(target["doc"], false, "{}", target["name"]);
            }
        }
    }
}

#[test]
fn what_publishes_nothing_is_marked() {
    let mut private: Vec<String> = packages()
        .iter()
        .filter(|package| !package["publish"].is_null())
        .map(|package| package["name"].as_str().unwrap().to_owned())
        .collect();
    private.sort();
    let expected =
        ["benches", "book-listings", "checks", "nb-python", "playground", "playground-unpack", "xtask"];
    assert_eq!(private, expected);
}
