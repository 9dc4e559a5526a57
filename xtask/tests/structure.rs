//! The house as `ARCHITECTURE.md` draws it: imports point one way, and the code map names what there is.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The folders of nb-core, each of which imports only those before it.
const LAYERS: [&str; 8] =
    ["data", "model", "kernels", "families", "stats", "answers", "estimator", "selection"];

/// What statistics and answers must not name, although it comes before them: a family is a leaf.
const LEAF: &str = "families";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Every file below a folder, except what is built there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if !path.is_dir() {
            found.push(path);
        } else if entry.file_name() != "target" {
            found.extend(files(&path));
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The code of a file without comments and unit tests, which may compare what they test with anything.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names of all paths that begin with `crate`: `a` and `b` of `crate::{a::C, b::{D, E}}`.
fn first_names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for path in code.split("crate::").skip(1) {
        if let Some(group) = path.strip_prefix('{') {
            let (mut depth, mut name) = (0, String::new());
            for character in group.chars() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => names.push(std::mem::take(&mut name)),
                    _ if depth == 0 => name.push(character),
                    _ => {}
                }
            }
            names.push(name);
        } else {
            names.push(path.to_owned());
        }
    }
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let first = |name: &String| name.trim().chars().take_while(|&c| is_part(c)).collect::<String>();
    names.iter().map(first).filter(|name| !name.is_empty()).collect()
}

#[test]
fn names_are_found_in_groups() {
    let code = "use crate::{\n    data::{Block, Rows},\n    model,\n};\nlet x = crate::stats::y(); $crate::Z";
    assert_eq!(first_names(code), ["data", "model", "stats", "Z"]);
}

/// The variants, each of which is its folder or file in nb-variants, one name in `lib.rs`, and one line in
/// the list of families.
const VARIANTS: [&str; 11] = [
    "A2de",
    "Aode",
    "Aodesr",
    "Asaode",
    "AttributeWeighted",
    "Hnb",
    "Kdb",
    "KdbEnsemble",
    "KernelDensity",
    "Tan",
    "Waode",
];

/// The most folders with files that, beside tests and comments, name a variant: its own and the two of the
/// lists, and for a member of an ensemble that of the ensemble.
const MOST_FOLDERS: usize = 4;

#[test]
fn a_variant_is_named_where_it_is_and_in_the_lists() {
    let files = rust_files(&root().join("crates"));
    let source = files.iter().filter(|path| path.components().any(|part| part.as_os_str() == "src"));
    let names: Vec<(PathBuf, BTreeSet<String>)> = source
        .map(|path| {
            let is_part = |character: char| character.is_alphanumeric() || character == '_';
            let code = code(path);
            let words = code.split(|character| !is_part(character)).map(str::to_owned).collect();
            (path.strip_prefix(root()).unwrap().to_owned(), words)
        })
        .collect();
    for variant in VARIANTS {
        let naming = names.iter().filter(|(_, words)| words.contains(variant)).map(|(path, _)| path.parent());
        let naming: BTreeSet<Option<&Path>> = naming.collect();
        assert!((3..=MOST_FOLDERS).contains(&naming.len()), "{variant} is named in {naming:#?}");
    }
}

#[test]
fn imports_of_nb_core_point_downwards() {
    let source = root().join("crates/nb-core/src");
    let mut wrong = Vec::new();
    for (layer, folder) in LAYERS.iter().enumerate() {
        for path in rust_files(&source.join(folder)) {
            // Macros for other crates name the root.
            for name in first_names(&code(&path).replace("$crate::", "")) {
                let file = path.strip_prefix(&source).unwrap().display();
                match LAYERS.iter().position(|known| *known == name) {
                    None if name.starts_with("__forward_") => {}
                    None => wrong.push(format!("{file} imports {name} from the root, not from its folder")),
                    Some(other) if other > layer => wrong.push(format!("{file} imports {name}")),
                    Some(_) if name == LEAF && *folder != LEAF => {
                        wrong.push(format!("{file} imports a family, which is a leaf"));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports in the wrong direction:\n{}", wrong.join("\n"));
}

#[test]
fn the_code_map_names_every_crate_and_every_folder_of_nb_core() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let folders = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap);
        let names = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name());
        names.map(|name| name.into_string().unwrap()).collect::<Vec<_>>()
    };
    for name in folders("crates") {
        assert!(map.contains(&format!("| `crates/{name}` |")), "crates/{name} is not in the code map");
    }
    let mut in_core = folders("crates/nb-core/src");
    in_core.sort_unstable();
    let mut expected = LAYERS.to_vec();
    expected.sort_unstable();
    assert_eq!(in_core, expected, "every folder of nb-core is a layer");
    for name in in_core {
        assert!(map.contains(&format!("| `{name}/` |")), "nb-core/src/{name} is not in the code map");
    }
}

#[test]
fn files_that_the_code_page_names_exist() {
    let page = fs::read_to_string(root().join("docs/code.md")).unwrap();
    let mut named = 0;
    let mut missing = Vec::new();
    for section in page.split("\n## ").skip(1) {
        let (title, text) = section.split_once('\n').unwrap();
        // A section is about a crate, or about several, whose files have a folder before their name.
        let folder = root().join("crates").join(title);
        let folder = if folder.is_dir() { folder } else { root().join("crates") };
        let existing = files(&folder);
        let in_code = text.split('`').skip(1).step_by(2);
        let is_file = |name: &&str| {
            Path::new(name).extension().is_some_and(|end| end == "rs" || end == "py" || end == "pyi")
        };
        for name in in_code.filter(is_file) {
            named += 1;
            if !existing.iter().any(|path| path.ends_with(name)) {
                missing.push(format!("{title}: {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/code.md names files that do not exist: {missing:#?}");
    assert!(named > 100, "{named}");
}
