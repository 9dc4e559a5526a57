//! `--all`: one choice for all columns that no other option names, whatever their cells are.

use crate::folder::Folder;

/// Columns of whole numbers, other numbers, words, and texts.
fn table() -> Folder {
    let folder = Folder::new();
    let rows = ["1,0.5,red,one two", "2,0.25,blue,three four", "1,0.5,red,five one", "2,1.5,blue,two two"];
    let rows: Vec<String> =
        rows.iter().enumerate().map(|(row, cells)| format!("{cells},{}\n", ["p", "q"][row % 2])).collect();
    folder.write("a.csv", format!("n,x,word,text,y\n{}", rows.concat()));
    folder
}

/// The families of the columns, as the schema has them.
fn families(folder: &Folder, arguments: &str) -> Vec<(String, String)> {
    let text = folder.ok(&format!("schema {arguments}"));
    let lines = text.lines().skip_while(|line| *line != "[columns]").skip(1);
    let columns = lines.filter_map(|line| line.split(" # ").next()?.split_once(" = "));
    columns.map(|(name, family)| (name.replace('"', ""), family.replace('"', ""))).collect()
}

#[test]
fn all_columns_are_categorical() {
    let folder = table();
    let found = families(&folder, "a.csv --label y --all categorical");
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|(_, family)| family == "categorical"), "{found:?}");
    folder.ok("train a.csv --label y --all categorical --plain -o all.nb");
    folder.ok("train a.csv --label y --categorical n,x,word,text --plain -o named.nb");
    assert_eq!(folder.read("all.nb"), folder.read("named.nb"));
    // Tables of numbers only, of which this failed.
    folder.ok("train @iris --all categorical");
    assert!(folder.ok("inspect iris.nb").contains("categorical         4"));
}

#[test]
fn all_columns_are_texts() {
    let folder = table();
    let found = families(&folder, "a.csv --label y --all text");
    assert!(found.len() == 4 && found.iter().all(|(_, family)| family == "text"), "{found:?}");
    folder.ok("train a.csv --label y --all text --plain -o all.nb");
    folder.ok("train a.csv --label y --text n,x,word,text --plain -o named.nb");
    assert_eq!(folder.read("all.nb"), folder.read("named.nb"));
}

#[test]
fn all_columns_but_the_named_ones_are_ignored() {
    let folder = table();
    let found = families(&folder, "a.csv --label y --all ignore --categorical word");
    let ignored = found.iter().filter(|(_, family)| family == "ignore").count();
    assert_eq!((found.len(), ignored), (4, 3), "{found:?}");
    folder.ok("train a.csv --label y --all ignore --categorical word -o all.nb");
    folder.ok("train a.csv --label y --ignore n,x,text -o named.nb");
    assert_eq!(folder.read("all.nb"), folder.read("named.nb"));
    // The schema file says the same.
    folder.ok("schema a.csv --label y --all ignore --categorical word -o a.toml");
    folder.ok("train a.csv --schema a.toml -o schema.nb");
    assert_eq!(folder.read("schema.nb"), folder.read("named.nb"));
    let error = folder.fails(1, "train a.csv --label y --all ignore -o none.nb");
    assert!(error.contains("at least one feature"), "{error}");
}

#[test]
fn families_of_numbers_leave_texts_alone() {
    let folder = table();
    let found = families(&folder, "a.csv --label y --all poisson");
    let family = |name: &str| found.iter().find(|(column, _)| column == name).unwrap().1.clone();
    assert_eq!([family("n"), family("x"), family("word")], ["poisson", "poisson", "categorical"]);
}

#[test]
fn other_formats_say_what_they_cannot_have() {
    let folder = Folder::new();
    folder.write("a.svm", "a 1:1 2:5\nb 1:3 2:2\na 1:2 2:4\nb 1:4 2:1\n");
    for choice in ["--all categorical", "--all text", "--categorical x1"] {
        let error = folder.fails(2, &format!("train a.svm {choice} -o a.nb"));
        assert!(error.contains("\"x1\" cannot be categorical or text"), "{error}");
    }
    folder.ok("train a.svm --ignore x2 -o ignored.nb");
    folder.ok("train a.svm --all ignore --gaussian x1 -o named.nb");
    assert_eq!(folder.read("ignored.nb"), folder.read("named.nb"));
    let text = folder.ok("inspect named.nb");
    assert!(text.contains("x1") && !text.contains("x2"), "{text}");
    assert!(folder.fails(2, "train a.svm --all ignore -o b.nb").contains("at least one feature"));
    assert!(folder.fails(1, "train a.svm --ignore x7 -o b.nb").contains("\"x7\" not found"));
}

#[test]
fn typed_columns_are_converted() {
    let folder = table();
    folder.ok("train a.csv --label y --all categorical -o csv.nb");
    folder.ok("sample csv.nb -n 40 -o drawn.csv");
    folder.ok("sample csv.nb -n 40 -o drawn.parquet");
    for choice in ["categorical", "text", "ignore --categorical word"] {
        folder.ok(&format!("train drawn.csv --label y --all {choice} -o a.nb"));
        folder.ok(&format!("train drawn.parquet --label y --all {choice} -o b.nb"));
        assert_eq!(folder.read("a.nb"), folder.read("b.nb"), "{choice}");
    }
}
