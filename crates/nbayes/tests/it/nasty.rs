//! Files as they are met: each gives an answer, or an error that says what is wrong and where.

use crate::folder::Folder;

fn train(content: impl AsRef<[u8]>) -> (Folder, String) {
    let folder = Folder::new();
    folder.write("a.csv", content);
    let error = folder.fails(1, "train a.csv --label y -o a.nb");
    assert_eq!(folder.names(), ["a.csv"], "nothing may be left behind");
    (folder, error)
}

#[test]
fn an_empty_file() {
    let (_, error) = train("");
    assert!(error.contains("a.csv") && error.contains("empty"), "{error}");
}

#[test]
fn a_header_without_rows() {
    let (_, error) = train("x,y\n");
    assert!(error.contains("a.csv") && error.contains("rows"), "{error}");
}

#[test]
fn ragged_rows() {
    let (_, error) = train("x,y\n1,a\n2\n");
    assert!(error.contains("a.csv") && error.contains("line 3"), "{error}");
}

#[test]
fn a_byte_order_mark_and_windows_line_ends() {
    let folder = Folder::new();
    folder.write("plain.csv", "x,y\n1,a\n2,b\n3,a\n5,b\n");
    folder.write("windows.csv", "\u{FEFF}x,y\r\n1,a\r\n2,b\r\n3,a\r\n5,b\r\n");
    folder.ok("train plain.csv --label y");
    folder.ok("train windows.csv --label y");
    assert_eq!(folder.read("plain.nb"), folder.read("windows.nb"));
}

#[test]
fn quotes_and_line_ends_in_cells() {
    let folder = Folder::new();
    folder.write("a.csv", "\"a \"\"b\"\", c\",y\n\"1\n2\",a\n\"3,4\",b\n\"1\n2\",a\n");
    folder.ok("train a.csv --label y --plain");
    let drawn = folder.ok("sample a.nb -n 50");
    assert!(drawn.starts_with("\"a \"\"b\"\", c\",y\n"), "{drawn}");
    folder.write("drawn.csv", &drawn);
    // The categories come back as they were.
    folder.ok("update a.nb drawn.csv");
}

#[test]
fn misprints_name_the_cell() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
    folder.write("b.csv", "x,y\n1,a\ntwo,b\n");
    folder.ok("train a.csv --label y");
    let error = folder.fails(1, "update a.nb b.csv");
    assert!(error.contains("b.csv") && error.contains("line 3") && error.contains("two"), "{error}");
    let error = folder.fails(1, "train a.csv --label y -o c.nb --poisson z");
    assert!(error.contains("\"z\""), "{error}");
}

#[test]
fn a_missing_column_is_named_with_its_neighbour() {
    let folder = Folder::new();
    folder.write("a.csv", "height,width,y\n1,2,a\n2,3,b\n3,1,a\n4,1,b\n");
    folder.write("b.csv", "heigth,width\n1,2\n");
    folder.ok("train a.csv --label y");
    let error = folder.fails(1, "predict a.nb b.csv");
    assert!(error.contains("\"height\"") && error.contains("\"heigth\""), "{error}");
    // What is not near is not proposed.
    let error = folder.fails(1, "predict a.nb @iris");
    assert!(error.contains("\"height\"") && !error.contains("mean"), "{error}");
}

#[test]
fn unseen_categories_and_labels() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\nred,a\nblue,b\nred,a\nblue,b\n");
    folder.write("b.csv", "x\nred\ngreen\n");
    folder.ok("train a.csv --label y --plain");
    let run = folder.nbayes("predict a.nb b.csv");
    assert_eq!((run.code, run.stdout.as_str()), (0, "predicted_y\na\na\n"));
    assert!(run.stderr.contains("1 cell has a category"), "{}", run.stderr);
    folder.ok("train a.csv --label y --unseen error -o strict.nb");
    let error = folder.fails(1, "predict strict.nb b.csv");
    assert!(error.contains("b.csv, line 3, column \"x\""), "{error}");
    // A label that is new is one more class.
    folder.write("c.csv", "x,y\ngreen,c\n");
    folder.ok("update a.nb c.csv");
    let run = folder.nbayes("predict a.nb b.csv");
    assert_eq!(run.stdout, "predicted_y\na\nc\n");
}

#[test]
fn infinities_and_missing_cells() {
    let (_, error) = train("x,y\n1,a\ninf,b\n");
    assert!(error.contains("line 3") && error.contains("inf"), "{error}");
    let folder = Folder::new();
    folder.write("a.csv", "x,z,y\n1,,a\n2,5,b\nNA,6,a\n4,?,b\n3,4,a\n9,3,b\n");
    folder.ok("train a.csv --label y");
    let error = folder.fails(1, "train a.csv --label y --missing-cells error -o b.nb");
    assert!(error.contains("a.csv, line 2, column \"z\"") && error.contains("missing"), "{error}");
}

#[test]
fn five_thousand_columns() {
    let folder = Folder::new();
    let names: Vec<String> = (0..5000).map(|column| format!("c{column}")).collect();
    let mut csv = format!("{},y\n", names.join(","));
    for row in 0..6 {
        let cells: Vec<String> = (0..5000).map(|column| ((row * column) % 7).to_string()).collect();
        csv.extend([&cells.join(","), ",", ["a", "b"][row % 2], "\n"]);
    }
    folder.write("wide.csv", csv);
    let text = folder.ok("train wide.csv --label y --all gaussian");
    assert!(text.contains("6 rows, 5000 columns") && text.contains("and 4960 more"), "{text}");
    assert_eq!(folder.ok("predict wide.nb wide.csv").lines().count(), 7);
    folder.ok("inspect wide.nb");
    folder.ok("explain wide.nb wide.csv --row 2");
}

#[test]
fn ten_thousand_categories_and_classes() {
    let folder = Folder::new();
    let rows = (0..20_000).map(|row| format!("k{},l{}\n", row % 10_000, row % 3));
    folder.write("categories.csv", format!("x,y\n{}", rows.collect::<Vec<_>>().concat()));
    folder.ok("train categories.csv --label y --categorical x");
    assert!(folder.ok("inspect categories.nb --json").contains("p(k9999)"));
    folder.write("one.csv", "x\nk5\n");
    assert_eq!(folder.ok("predict categories.nb one.csv"), "predicted_y\nl0\n");

    let rows = (0..30_000).map(|row| format!("{}.5,l{}\n", row % 10_000, row % 10_000));
    folder.write("classes.csv", format!("x,y\n{}", rows.collect::<Vec<_>>().concat()));
    // Held-out rows of this many classes would take most of a minute.
    folder.ok("train classes.csv --label y --sums-only");
    assert!(folder.ok("inspect classes.nb --top 1").contains("l9999"));
    folder.write("one.csv", "x\n77.5\n");
    assert_eq!(folder.ok("predict classes.nb one.csv"), "predicted_y\nl77\n");
    folder.write("few.csv", "x,y\n77.5,l77\n78.5,l77\n");
    assert!(folder.ok("evaluate classes.nb few.csv").contains("accuracy"));

    let rows = (0..3000).map(|row| format!("{}.{},l{}\n", row % 1000, row / 1000, row % 1000));
    folder.write("held_out.csv", format!("x,y\n{}", rows.collect::<String>()));
    assert!(folder.ok("train held_out.csv --label y --plain").contains("accuracy"));
}

#[test]
fn files_that_are_no_models() {
    let folder = Folder::new();
    folder.write("a.nb", "x,y\n1,2\n");
    let error = folder.fails(1, "inspect a.nb");
    assert!(error.contains("a.nb") && error.contains("not a model"), "{error}");
    assert!(folder.fails(1, "inspect none.nb").contains("none.nb"));
    folder.ok("train @iris");
    let mut bytes = folder.read("iris.nb");
    bytes[600] ^= 1;
    folder.write("iris.nb", bytes);
    assert!(folder.fails(1, "predict iris.nb @iris").contains("damaged"));
}

#[test]
fn names_of_data_sets_are_checked() {
    let folder = Folder::new();
    let error = folder.fails(1, "train @wime");
    assert!(error.contains("wine"), "{error}");
}

#[test]
fn labels_that_the_model_does_not_know_are_errors_of_the_model() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n8,b\n9,b\n");
    folder.write("b.csv", "x,y\n1.5,a\n8.5,b\n8.5,c\n");
    folder.ok("train a.csv --label y");
    let text = folder.ok("evaluate a.nb b.csv");
    assert!(text.contains("1 row has a label that the model does not know"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&folder.ok("evaluate a.nb b.csv --json")).unwrap();
    assert_eq!(json["accuracy"].as_f64(), Some(2.0 / 3.0));
    assert_eq!(json["unseen_labels"], 1);
    assert_eq!(json["confusion"].as_array().unwrap().len(), 3);
}

#[test]
fn rows_that_no_class_can_have_have_no_label() {
    let folder = Folder::new();
    folder.write("a.csv", "x,z,y\nred,p,a\nred,p,a\nblue,q,b\nblue,q,b\n");
    folder.write("b.csv", "x,z,y\nred,q,a\nblue,q,b\n");
    folder.ok("train a.csv --label y --smoothing 0");
    assert_eq!(folder.ok("predict a.nb b.csv --proba"), "predicted_y,p(a),p(b)\n,,\nb,0,1\n");
    let text = folder.ok("evaluate a.nb b.csv");
    assert!(text.contains("1 row is impossible under every class"), "{text}");
}

#[test]
fn folders_that_do_not_exist_are_noticed_before_the_work() {
    let folder = Folder::new();
    let error = folder.fails(1, "train @iris -o nowhere/iris.nb");
    assert!(error.contains("no folder nowhere"), "{error}");
}
