//! Data sets that packages for Python carry.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use nb_compare::{Column, Kind, Table};
use ndarray::Array2;
use serde::Deserialize;

use super::super::setup::{environment, root, run, target};

/// The program that writes them.
const PROGRAM: &str = "quality_data.py";

/// A folder of them, as `quality_data.py` writes it.
#[derive(Debug)]
pub(super) struct Packages {
    folder: PathBuf,
}

/// What is said of a set.
#[derive(Deserialize)]
struct Meta {
    columns: Vec<MetaColumn>,
    classes: Vec<String>,
}

#[derive(Deserialize)]
struct MetaColumn {
    name: String,
    levels: Option<Vec<String>>,
}

impl Packages {
    /// Installs the packages and writes their data sets, unless that is done.
    pub(super) fn new() -> Result<Self, String> {
        let peers = root().join("benches/peers");
        let folder = target().join("bench-quality/packages");
        let python = environment(&target(), &peers, "requirements-quality-data")?;
        // Written again when the program or the versions of packages change.
        let read = |name: &str| {
            fs::read(peers.join(name)).map_err(|error| format!("{name} cannot be read: {error}"))
        };
        let wanted = [read(PROGRAM)?, read("requirements-quality-data.txt")?].concat();
        let stamp = folder.join("written.txt");
        if !fs::read(&stamp).is_ok_and(|written| written == wanted) {
            run(Command::new(python).arg(peers.join(PROGRAM)).arg(&folder))?;
            fs::write(&stamp, wanted).map_err(|error| error.to_string())?;
        }
        Ok(Self { folder })
    }

    /// No packages, for tests of embedded sets.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self { folder: PathBuf::new() }
    }

    /// Reads a set, and the texts of its rows if it is one of texts.
    pub(super) fn load(&self, name: &str) -> Result<(Table, Option<Vec<String>>), String> {
        load(&self.folder, name).map_err(|error| format!("data set {name}: {error}"))
    }
}

fn load(folder: &Path, name: &str) -> Result<(Table, Option<Vec<String>>), String> {
    let file = |part: &str| {
        let path = folder.join(format!("{name}.{part}"));
        fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
    };
    let meta: Meta = serde_json::from_slice(&file("json")?).map_err(|error| error.to_string())?;
    let cells: Vec<f64> =
        file("x")?.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let labels =
        file("y")?.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes) as usize).collect();
    let columns = meta.columns.into_iter().map(|column| Column {
        name: column.name,
        kind: column.levels.map_or(Kind::Numeric, |levels| Kind::Categorical { levels }),
    });
    let columns: Vec<Column> = columns.collect();
    let labels: Vec<usize> = labels;
    let x =
        Array2::from_shape_vec((labels.len(), columns.len()), cells).map_err(|error| error.to_string())?;
    let table = Table::new(name, columns, x, meta.classes, labels).map_err(|error| error.to_string())?;
    let texts = match file("texts") {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).map_err(|error| error.to_string())?),
        Err(_) => None,
    };
    Ok((table, texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_texts_and_missing_cells_are_read() {
        let folder = std::env::temp_dir().join(format!("nb-quality-packages-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file =
            |part: &str, bytes: &[u8]| fs::write(folder.join(format!("a.{part}")), bytes).expect("a file");
        let columns = r#"[{"name": "x", "levels": null}, {"name": "c", "levels": ["red", "blue"]}]"#;
        file("json", format!(r#"{{"columns": {columns}, "classes": ["no", "yes"]}}"#).as_bytes());
        file("x", &[1.5, 1.0, f64::NAN, 0.0].map(f64::to_le_bytes).concat());
        file("y", &[1_u64, 0].map(u64::to_le_bytes).concat());
        let (table, texts) = load(&folder, "a").expect("a table");
        assert_eq!((table.labels.as_slice(), table.n_features(), texts), ([1, 0].as_slice(), 2, None));
        file("texts", br#"["good", "bad"]"#);
        assert_eq!(load(&folder, "a").expect("a table").1, Some(vec!["good".to_owned(), "bad".to_owned()]));
        let error = load(&folder, "b").expect_err("no file");
        assert!(error.contains("b.json"), "{error}");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
