//! Tables as they are met, in every format, with what `nbayes schema` says of each: the folder `nasty`.

use std::path::{Path, PathBuf};

use crate::folder::Folder;

/// The file beside each table that has the options with which it is read, and the schema or the error.
const EXPECTED: &str = "schema";

/// What is expected of a table, after a line of options.
fn found(folder: &Folder, name: &str, options: &str) -> String {
    let words = ["schema", name, "-q"].into_iter().chain(options.split_whitespace()).map(String::from);
    let run = folder.nbayes_with_words(&words.collect::<Vec<_>>(), "");
    if run.code == 0 { run.stdout } else { format!("exit status {}\n{}", run.code, run.stderr) }
}

#[test]
fn every_table_has_the_expected_schema() {
    let tables: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "nasty"].iter().collect();
    let update = std::env::var_os("NB_UPDATE_SCHEMAS").is_some();
    let mut names: Vec<String> = std::fs::read_dir(&tables)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_none_or(|end| end != EXPECTED && end != "py"))
        .collect();
    names.sort();
    let mut differing = Vec::new();
    for name in &names {
        let folder = Folder::new();
        folder.write(name, std::fs::read(tables.join(name)).unwrap());
        let path = tables.join(format!("{name}.{EXPECTED}"));
        let expected = std::fs::read_to_string(&path).unwrap_or_else(|_| "# --label y\n".into());
        let options = expected.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
        let content = format!("# {options}\n{}", found(&folder, name, options));
        if update {
            std::fs::write(&path, content).unwrap();
        } else if content != expected {
            differing.push(format!("{name}\n--- expected\n{expected}--- found\n{content}"));
        } else if !content.contains("\nexit status ") {
            // The schema is obeyed, and its model reads the file without an option.
            folder.write("s.toml", &content);
            folder.ok(&format!("train {name} --schema s.toml -q -o m.nb"));
            folder.ok(&format!("predict m.nb {name} -q -o out.csv"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(names.len() >= 34, "{names:?}");
}
