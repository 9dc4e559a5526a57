//! Schema files: what `schema` writes, `train` reads, for columns of any name.

use crate::folder::Folder;

#[test]
fn every_name_is_read_back() {
    let folder = Folder::new();
    let names = [
        "5\" pipe's",
        "a\nb",
        "tab\there",
        "c:\\d\\u0041",
        "",
        "grün 名 👩‍👧",
        "\u{1b}[2J",
        "[columns]",
        "a.b # c",
        "'''",
        "x = 1",
    ];
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let header: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let mut csv = format!("{},y\n", header.join(","));
    for row in 0..6 {
        let cells: Vec<String> =
            (0..names.len()).map(|column| format!("{}.5", (row * (column + 3)) % 7)).collect();
        csv.extend([&cells.join(","), ",", ["p", "q"][row % 2], "\n"]);
    }
    folder.write("a.csv", csv);
    folder.ok("train a.csv --label y -o a.nb");
    folder.ok("schema a.csv --label y -o a.toml");
    folder.ok("train a.csv --schema a.toml -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    // Standard output is the same file, and JSON has it as a text.
    let text = folder.ok("schema a.csv --label y");
    assert_eq!(text.as_bytes(), folder.read("a.toml"));
    let json: String = serde_json::from_str(&folder.ok("schema a.csv --label y --json")).unwrap();
    assert_eq!(json, text);
    // As labels and weights, too.
    for name in names {
        let words = ["schema", "a.csv", "--label", name, "-o", "label.toml"].map(String::from);
        let run = folder.nbayes_with_words(&words, "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = folder.nbayes("train a.csv --schema label.toml -o c.nb --json");
        assert_eq!(run.code, 0, "{name:?}: {}", run.stderr);
        let json: serde_json::Value = serde_json::from_str(&folder.ok("inspect c.nb --json")).unwrap();
        assert_eq!(json["label"], name);
    }
}

#[test]
fn cells_in_comments_stay_in_them() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,b\n\"z\n[columns]\n\u{7}\",a\n4,b\n");
    folder.ok("schema a.csv --label y -o a.toml");
    folder.ok("train a.csv --schema a.toml -o a.nb");
    folder.ok("train a.csv --label y -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
}
