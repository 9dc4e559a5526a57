//! The commands of the documentation, run: what is printed there is what the program prints.
//!
//! With `NB_UPDATE_TRANSCRIPTS=1` in the environment the documents get what the program prints now.

use std::path::{Path, PathBuf};

use crate::folder::Folder;

#[test]
fn the_readme_is_true() {
    check("README.md", &Folder::new());
}

#[test]
fn the_guide_is_true() {
    let folder = Folder::new();
    // Texts beside other columns, which no embedded data set has.
    folder.write("tickets.csv", include_str!("../../../../docs/program/tickets.csv"));
    // What another program answered on the splits of the guide.
    folder.write("wine.csv", nb_datasets::csv("wine").unwrap());
    folder.write("boosting.csv", include_str!("../../../../docs/program/boosting.csv"));
    // The chapters continue one another, in the order of the book.
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let links = summary.split("](program/").skip(1);
    let chapters: Vec<&str> = links.filter_map(|link| link.split_once(')')).map(|(name, _)| name).collect();
    assert!(chapters.len() > 20, "{chapters:?}");
    let n_commands: usize = chapters.iter().map(|name| run(&format!("docs/program/{name}"), &folder)).sum();
    assert!(n_commands > 60, "{n_commands}");
}

#[test]
fn the_guide_to_mails_is_true() {
    check("docs/mails.md", &Folder::new());
}

#[test]
fn the_tasks_are_true() {
    for task in ["explain", "paper", "review"] {
        check(&format!("docs/use/{task}.md"), &Folder::new());
    }
}

#[test]
fn the_model_of_several_hospitals_is_that_of_all_rows() {
    let folder = Folder::new();
    check("docs/use/hospitals.md", &folder);
    assert_eq!(folder.read("both.nb"), folder.read("pooled.nb"));
    assert_eq!(folder.read("without-south.nb"), folder.read("north.nb"));
}

#[test]
fn the_models_of_customers_add_up_to_that_of_all_rows() {
    let folder = Folder::new();
    folder.write("payments.csv", include_str!("../../../../docs/use/customers/payments.csv"));
    // What DuckDB answered to the query of the page.
    folder.write("result.csv", include_str!("../../../../docs/use/customers/result.csv"));
    check("docs/use/customers.md", &folder);
    let train = "train payments.csv --schema payments.toml --sums-only -o direct.nb";
    assert_eq!(folder.nbayes(train).code, 0);
    assert_eq!(folder.read("everybody.nb"), folder.read("direct.nb"));
}

#[test]
fn the_guide_to_sql_is_true() {
    let folder = Folder::new();
    // What an engine answered to the query of the guide.
    folder.write("result.csv", include_str!("../../../../docs/sql/result.csv"));
    check("docs/sql.md", &folder);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs and checks the commands of a document, of which there are some.
fn check(name: &str, folder: &Folder) {
    assert!(run(name, folder) > 0, "{name} has no commands");
}

/// Runs all commands `$ nbayes ...` of the blocks `console`, in one folder and in order, compares what
/// follows them, and returns how many there are.
fn run(name: &str, folder: &Folder) -> usize {
    let path = root().join(name);
    let document = std::fs::read_to_string(&path).unwrap();
    write_files(&document, folder);
    let (mut new, mut in_console, mut skipping, mut n_commands) = (String::new(), false, false, 0);
    for line in document.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
            skipping = false;
        }
        if !(in_console && skipping && !line.starts_with('$')) {
            new.extend([line, "\n"]);
        }
        if let Some(arguments) = line.strip_prefix("$ nbayes ").filter(|_| in_console) {
            let run = folder.nbayes_with_words(&words(arguments), "");
            new.push_str(&run.stdout);
            new.push_str(&run.stderr);
            (skipping, n_commands) = (true, n_commands + 1);
        }
    }
    if std::env::var_os("NB_UPDATE_TRANSCRIPTS").is_some() {
        std::fs::write(&path, new).unwrap();
        return n_commands;
    }
    for (number, (found, expected)) in new.lines().zip(document.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", number + 1);
    }
    assert_eq!(new.lines().count(), document.lines().count(), "{name} is longer or shorter");
    n_commands
}

/// Writes the blocks whose first line has the name of a file behind the language.
fn write_files(document: &str, folder: &Folder) {
    let mut file: Option<(&str, String)> = None;
    for line in document.lines() {
        match (line.strip_prefix("```"), &mut file) {
            (Some(language), None) => file = Some((language, String::new())),
            (Some(_), Some((language, content))) => {
                if let Some((_, name)) = language.split_once(' ') {
                    std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
                    folder.write(name, content);
                }
                file = None;
            }
            (None, Some((_, content))) => content.extend([line, "\n"]),
            (None, None) => {}
        }
    }
}

/// The words of a command; quotes keep spaces in them.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('"').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}
