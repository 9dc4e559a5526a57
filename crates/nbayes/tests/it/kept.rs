//! What was decided about reading is kept in the model, so that further files need no options.

use crate::folder::Folder;

#[test]
fn options_of_training_hold_for_further_files() {
    let folder = Folder::new();
    let rows = |seed: usize| -> String {
        let row = |row: usize| {
            let size = if row % 9 == 4 {
                "-99".into()
            } else {
                format!("\"{},{}\"", row % 7 + row % 2 * 5, row % 4)
            };
            format!("{size},{},{}\n", ["NA", "EU", "AS"][(row * seed) % 3], ["near", "far"][row % 2])
        };
        (0..60).map(row).collect()
    };
    folder.write("a.csv", rows(1));
    folder.write("b.csv", rows(5));
    let options = "--decimal , --no-header --missing=-99 --no-missing";
    folder.ok(&format!("train --sums-only a.csv --label x3 {options}"));
    let with = |command: &str| folder.ok(&format!("{command} {options}"));
    for command in ["predict a.nb b.csv --proba", "evaluate a.nb b.csv", "explain a.nb b.csv --row 7"] {
        assert_eq!(folder.ok(command), with(command));
    }
    folder.ok("update a.nb b.csv -o ab.nb");
    folder.ok(&format!("train --sums-only a.csv b.csv --label x3 {options} -o both.nb"));
    assert_eq!(folder.read("ab.nb"), folder.read("both.nb"));
    folder.ok("forget ab.nb b.csv");
    assert_eq!(folder.read("ab.nb"), folder.read("a.nb"));
    // JSON says it, too, and an option overrules what is kept.
    folder.ok("convert a.nb a.json");
    let json = String::from_utf8(folder.read("a.json")).unwrap();
    assert!(json.contains("\"reading\"") && json.contains("\"-99\""), "{json}");
    folder.ok("convert a.json again.nb");
    assert_eq!(folder.read("again.nb"), folder.read("a.nb"));
    assert!(folder.fails(1, "predict a.nb b.csv --decimal .").contains("is not a number"));
}
