//! The page of a family in the documentation has what a reader needs to trust it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// All Rust files below the `src` of the crates.
fn sources() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The documentation of a public type.
fn page(texts: &[String], name: &str) -> String {
    let is_type = |line: &str| {
        let rest = line.strip_prefix("pub struct ").and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    for text in texts {
        let lines: Vec<&str> = text.lines().collect();
        if let Some(place) = lines.iter().position(|line| is_type(line)) {
            let above =
                lines[..place].iter().rev().skip_while(|line| !line.is_empty() && !line.starts_with("///"));
            let docs: Vec<&str> = above.take_while(|line| line.starts_with("///")).copied().collect();
            return docs.into_iter().rev().collect::<Vec<_>>().join("\n");
        }
    }
    panic!("the family {name} is no public struct");
}

#[test]
fn every_family_has_its_model_estimator_and_source_on_its_page() {
    let texts: Vec<String> = sources().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let families = texts.iter().flat_map(|text| text.lines()).filter_map(|line| {
        let name = line.strip_prefix("impl Described for ")?.trim_end_matches(" {");
        name.chars().all(char::is_alphanumeric).then_some(name)
    });
    let families: Vec<&str> = families.collect();
    assert!(families.len() > 15, "{families:?}");
    for name in families {
        let page = page(&texts, name);
        for part in ["/// # Model", "/// # Estimator", "/// ```"] {
            assert!(page.contains(part), "the page of {name} has no {part:?}:\n{page}");
        }
        let is_year = |word: &str| {
            word.len() == 4
                && (word.starts_with("19") || word.starts_with("20"))
                && word.parse::<u16>().is_ok()
        };
        let words = page.split(|c: char| !c.is_ascii_digit());
        assert!(words.into_iter().any(is_year), "the page of {name} names no source:\n{page}");
    }
}
