//! Many columns, classes, categories and terms do not flood the screen: tables are cut, and say how many
//! lines more there are.

use crate::folder::Folder;

/// What a command says, if it is not more than a page or two.
fn page(folder: &Folder, arguments: &str) -> String {
    let run = folder.nbayes(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    let text = run.stderr + &run.stdout;
    assert!(text.lines().count() <= 80, "{arguments}: {} lines", text.lines().count());
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest <= 500, "{arguments}: {widest} characters");
    text
}

#[test]
fn many_classes() {
    let folder = Folder::new();
    let trained = page(&folder, "train --plain @many_classes");
    assert!(trained.contains("500 classes: ") && trained.contains(" more"), "{trained}");
    page(&folder, "evaluate many_classes.nb @many_classes");
    page(&folder, "explain many_classes.nb @many_classes --row 1");
    let shown = page(&folder, "inspect many_classes.nb");
    assert!(
        shown.contains("... and 470 more classes;") && shown.contains("... and 490 more classes;"),
        "{shown}"
    );
    page(&folder, "inspect many_classes.nb --by effect --top 2");
    page(&folder, "compare @many_classes -v gaussian,shared-gaussian --folds 2 --repeats 1");
}

#[test]
fn many_columns() {
    let folder = Folder::new();
    assert!(page(&folder, "train --plain @wide_gaussian").contains(" more columns"));
    let shown = page(&folder, "inspect wide_gaussian.nb");
    assert!(
        shown.contains(" more features; --top N") && shown.contains(" more columns; --feature"),
        "{shown}"
    );
    assert!(page(&folder, "explain wide_gaussian.nb @wide_gaussian --row 1").contains(" more features"));
    page(&folder, "evaluate wide_gaussian.nb @wide_gaussian");
    // Categories that training did not have, in every column.
    let rows = |name: &str| {
        let header: Vec<String> = (0..300).map(|column| format!("c{column}")).collect();
        let cells = |row: usize| vec![format!("{name}{}", row / 2 % 2); 300].join(",");
        let lines = (0..40).map(|row| format!("{},{}\n", cells(row), ["p", "q"][row % 2]));
        format!("{},label\n{}", header.join(","), lines.collect::<String>())
    };
    folder.write("a.csv", rows("a"));
    folder.write("b.csv", rows("b"));
    page(&folder, "train --plain a.csv --label label");
    let noted = page(&folder, "evaluate a.nb b.csv");
    assert!(noted.contains(" more"), "{noted}");
    page(&folder, "inspect a.nb");
}

#[test]
fn many_categories_and_terms() {
    let folder = Folder::new();
    let rows = (0..3000).map(|row| format!("k{},{}\n", row % 500, ["p", "q"][row / 7 % 2]));
    folder.write("a.csv", format!("k,label\n{}", rows.collect::<String>()));
    page(&folder, "train --plain a.csv --label label");
    let shown = page(&folder, "inspect a.nb");
    assert!(shown.contains("... 470 more\n"), "{shown}");
    page(&folder, "inspect a.nb --feature k");
    page(&folder, "explain a.nb a.csv --row 1");
    page(&folder, "train --plain @sms");
    page(&folder, "inspect sms.nb");
    let shown = page(&folder, "inspect sms.nb --feature message");
    assert!(shown.contains(" more columns; --json shows them"), "{shown}");
    page(&folder, "inspect sms.nb --by effect");
    page(&folder, "explain sms.nb @sms --row 3");
    page(&folder, "evaluate sms.nb @sms");
}

/// One is one.
#[test]
fn one_more_is_singular() {
    let folder = Folder::new();
    folder.ok("train --plain @iris --quiet");
    assert!(folder.ok("inspect iris.nb --top 3").contains("... and 1 more feature; --top N shows more\n"));
    folder.write("a.csv", "x,label\n1.5,p\n2.5,p\n7.5,q\n8.5,q\n");
    assert!(folder.ok("train --plain a.csv --label label").contains("4 rows, 1 column, 2 classes"));
    assert!(folder.ok("inspect a.nb").contains("label label, 4 rows\n"));
    folder.write("b.csv", "x,label\n1.5,p\n");
    assert!(folder.ok("evaluate a.nb b.csv").starts_with("1 row\n"));
}
