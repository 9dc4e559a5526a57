//! Columns from which nothing can be learnt for other rows are left out, and the report says why.

use std::fmt::Write;

use crate::folder::Folder;

/// Sixty rows with columns of every kind that names the rows.
fn shop() -> String {
    let mut text = String::from("orderId,ticket,uuid,country,currency,price,store_id,y\n");
    for row in 0..60_usize {
        let (order, ticket) = (1000 + (row * 37) % 900, format!("T{:03}/{}", (row * 7) % 60, row % 7));
        let uuid = format!("{:08x}-e29b-41d4-a716-446655440000", row * 2_654_435);
        let price = 1.25 + (row % 11) as f64 + (row % 2) as f64 * 3.5;
        writeln!(text, "{order},{ticket},{uuid},NZ,1.5,{price},{},{}", row % 3, ["a", "b"][row % 2]).unwrap();
    }
    text
}

#[test]
fn identifiers_and_constants_are_left_out() {
    let folder = Folder::new();
    folder.write("shop.csv", shop());
    let trained = folder.ok("train --plain shop.csv --label y");
    for line in [
        "orderId    left out                    an identifier, by its name and whole numbers",
        "ticket     left out                    60 different texts in 60 cells, as identifiers are",
        "uuid       left out                    60 different texts in 60 cells, as identifiers are",
        "country    left out                    all values are \"NZ\"",
        "currency   left out                    all values are 1.5",
        "price      gaussian                    all cells are numbers",
        "store_id   categorical, 3 categories   integer, 3 distinct values",
    ] {
        assert!(trained.contains(line), "{line}\n{trained}");
    }
    // The schema contains it, too, and makes the same model.
    folder.write("s.toml", folder.ok("schema shop.csv --label y"));
    folder.ok("train --plain shop.csv --label y --schema s.toml -o by-schema.nb");
    assert_eq!(folder.read("by-schema.nb"), folder.read("shop.nb"));
}

#[test]
fn several_files_are_judged_together() {
    let folder = Folder::new();
    let whole = shop();
    let lines: Vec<&str> = whole.lines().collect();
    let part = |rows: &[&str]| format!("{}\n{}\n", lines[0], rows.join("\n"));
    folder.write("all.csv", &whole);
    folder.write("a.csv", part(&lines[1..26]));
    folder.write("b.csv", part(&lines[26..31]));
    folder.write("c.csv", part(&lines[31..]));
    folder.ok("train --sums-only all.csv --label y");
    for files in ["a.csv b.csv c.csv", "b.csv c.csv a.csv"] {
        folder.ok(&format!("train --sums-only {files} --label y -o parts.nb"));
        assert_eq!(
            folder.ok("inspect parts.nb --json"),
            folder.ok("inspect all.nb --json").replace("all.nb", "parts.nb")
        );
    }
    // What is constant in each file need not be so in all.
    folder.write("d.csv", part(&lines[1..26]).replace(",1.5,", ",2.5,").replace(",NZ,", ",AU,"));
    let trained = folder.ok("train --plain a.csv d.csv --label y -o ad.nb");
    assert!(
        trained.contains("currency   gaussian") && trained.contains("country    categorical"),
        "{trained}"
    );
}

#[test]
fn a_class_without_values_in_a_column_leaves_it_out() {
    let folder = Folder::new();
    folder.write(
        "p.csv",
        "age,infected_by,dose,state\n30,,,dead\n41,,,dead\n25,7.5,1.25,well\n33,8,2.5,well\n28,9.5,1.75,well\n",
    );
    let trained = folder.ok("train --plain p.csv --label state");
    let why = "left out   class \"dead\" has no values in it";
    assert_eq!(trained.matches(why).count(), 2, "{trained}");
    folder.ok("train --plain p.csv --label state --ignore infected_by,dose -o same.nb");
    assert_eq!(folder.read("p.nb"), folder.read("same.nb"));
    folder.ok("train --plain p.csv --label state --tune --folds 2 -o tuned.nb");
    let error = folder.fails(1, "train --plain p.csv --label state --gaussian dose -o x.nb");
    assert!(error.contains("column \"dose\" has no values for class \"dead\""), "{error}");
}

#[test]
fn a_column_that_is_asked_for_is_kept() {
    let folder = Folder::new();
    folder.write("shop.csv", shop());
    let trained = folder.ok(
        "train --plain shop.csv --label y --gaussian orderId,currency --categorical ticket --text uuid --categorical country",
    );
    assert!(trained.contains("60 rows, 7 columns"), "{trained}");
    for column in ["orderId", "ticket", "uuid", "country", "currency"] {
        let line = trained.lines().find(|line| line.trim_start().starts_with(column)).unwrap();
        assert!(line.contains("as requested"), "{line}");
    }
}

#[test]
fn one_family_for_all_columns_keeps_them() {
    let folder = Folder::new();
    folder.write("shop.csv", shop());
    let trained = folder.ok("train --plain shop.csv --label y --all categorical");
    assert!(!trained.contains("left out"), "{trained}");
    let trained = folder.ok("train --plain shop.csv --label y --all gaussian -o g.nb");
    assert!(trained.contains("orderId    gaussian"), "{trained}");
}

#[test]
fn a_file_of_such_columns_alone_has_nothing_to_learn_from() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..30).map(|row| format!("{row},{}\n", ["a", "b"][row % 2])).collect();
    folder.write("ids.csv", format!("id,y\n{}", rows.concat()));
    let error = folder.fails(1, "train --plain ids.csv --label y");
    assert!(error.contains("no column is left to learn from: \"id\" is left out"), "{error}");
    folder.ok("train --plain ids.csv --label y --gaussian id");
}

#[test]
fn few_texts_among_numbers_do_not_make_categories() {
    let folder = Folder::new();
    let cell = |row: usize| if row == 17 { "-".into() } else { format!("{}", 1.5 + (row % 9) as f64) };
    let rows: Vec<String> = (0..40).map(|row| format!("{},{}\n", cell(row), ["a", "b"][row % 2])).collect();
    folder.write("dash.csv", format!("x,y\n{}", rows.concat()));
    let trained = folder.ok("train --plain dash.csv --label y");
    assert!(
        trained.contains("gaussian   numbers, but 1 of 40 cells is not and is missing: line 19 has \"-\""),
        "{trained}"
    );
}

/// Rows that are sorted by their label, with their numbers, and a column that says nothing.
fn sorted_by_label(name: &str, n_rows: usize) -> Vec<String> {
    let rows =
        (0..n_rows).map(|row| format!("{},{},{}", row + 1, row * 37 % 11, ["a", "b"][2 * row / n_rows]));
    [format!("{name},x,y")].into_iter().chain(rows).collect()
}

#[test]
fn row_numbers_are_left_out_of_any_part_of_a_file() {
    let folder = Folder::new();
    let file = |rows: &[String]| format!("{}\n", rows.join("\n"));
    for (name, why, option) in [
        ("", "it numbers or names the rows", "\"\""),
        ("index", "it numbers or names the rows", "index"),
        ("subject", "its whole numbers rise from row to row, like row numbers or a sorted column", "subject"),
    ] {
        let rows = sorted_by_label(name, 200);
        let expected = format!("{why}; `--gaussian {option}` keeps it");
        folder.write("all.csv", file(&rows));
        let (header, rest) = rows.split_first().unwrap();
        let some: Vec<String> = [header.clone()].into_iter().chain(rest.iter().step_by(3).cloned()).collect();
        folder.write("some.csv", file(&some));
        folder.ok("split all.csv --label y --train-file train.csv --test-file test.csv");
        for files in ["all.csv", "some.csv", "train.csv", "all.csv --test-fraction 0.3"] {
            let trained = folder.ok(&format!("train --plain {files} --label y -o m.nb"));
            assert!(trained.contains(&expected), "{name} {files}: {trained}");
        }
        let compared = folder.nbayes("compare all.csv --label y -v gaussian --folds 2 --repeats 1");
        assert!(
            compared.stderr.contains(&format!("column {name:?} is left out: {why}")),
            "{}",
            compared.stderr
        );
        let shown = folder.ok("profile all.csv --label y");
        assert!(shown.contains(why) && shown.contains("left out"), "{shown}");
    }
    // Rows in another order have the same numbers.
    let mut rows = sorted_by_label("obs", 200);
    rows[1..].sort_by_key(|row| row.len() + usize::from(row.as_bytes()[0] % 3) * 7);
    folder.write("shuffled.csv", file(&rows));
    let trained = folder.ok("train --plain shuffled.csv --label y -o m.nb");
    assert!(trained.contains("`--gaussian obs` keeps it"), "{trained}");
    assert!(!folder.ok("train --plain shuffled.csv --label y --gaussian obs -o m.nb").contains("left out"));
}

#[test]
fn codes_are_categories_unless_numbers_are_asked_for() {
    let folder = Folder::new();
    let zips = ["01234", "90210", "10001"];
    let row = |row: usize| {
        let subject = if row % 20 == 7 { "207a".to_owned() } else { (100 + row * 7 % 30).to_string() };
        format!("{},{subject},{},{}\n", zips[row % 3], row * 37 % 11, ["a", "b"][row % 2])
    };
    folder.write("a.csv", format!("zip,subject,x,y\n{}", (0..400).map(row).collect::<String>()));
    let trained = folder.ok("train --plain a.csv --label y");
    for line in [
        "categorical, 3 categories    codes, not numbers: line 2 has \"01234\"; `--gaussian zip` reads numbers",
        "codes, not numbers: line 9 has \"207a\"; `--gaussian subject` reads numbers",
    ] {
        assert!(trained.contains(line), "{trained}");
    }
    folder.write("b.csv", "zip,subject,x,y\n01234,207a,3,a\n1234,101,3,b\n");
    assert_eq!(folder.ok("predict a.nb b.csv").lines().count(), 3);
    assert!(folder.ok("train --plain a.csv --label y --gaussian zip -o z.nb").contains("zip       gaussian"));
}

#[test]
fn tables_of_r_have_names_of_rows_and_different_columns() {
    let folder = Folder::new();
    let rows = |n: usize| {
        (0..n)
            .map(|row| format!("\"{}\"\t{}.5\t{}\t\"{}\"\n", row + 1, row % 9, row % 4, ["a", "b"][row % 2]))
    };
    let text = format!("\"x\"\t\"x\"\t\"y\"\n{}", rows(60).collect::<String>());
    folder.write("r.txt", &text);
    let run = folder.nbayes("train --plain r.txt --label y -o r.nb");
    let (trained, notes) = (run.stdout, run.stderr);
    for note in [
        "r.txt: the rows have one field more than the header; the first one is taken for the name of the row, and its column is \
         called \"row names\"",
        "r.txt: the column name \"x\" is given more than once; a further column is called \"x_1\"",
    ] {
        assert!(notes.contains(note), "{notes}");
    }
    assert!(trained.contains("row names   left out"), "{trained}");
    folder
        .write("named.csv", text.replace("\"x\"\t\"x\"", "\"row names\"\t\"x\"\t\"x_1\"").replace('\t', ","));
    folder.ok("train --plain named.csv --label y");
    assert_eq!(folder.ok("predict r.nb r.txt"), folder.ok("predict named.nb named.csv"));
    folder.ok("split r.txt --label y --train-file a.txt --test-file b.txt");
    folder.ok("train --plain a.txt --label y --test b.txt -o a.nb");
    folder.ok("train --plain r.txt --label y --test-fraction 0.3 -o a.nb");
}

#[test]
fn comparisons_judge_labels_as_training_does() {
    let folder = Folder::new();
    let line = |row: usize| format!("{},{}.25\n", row % 5, row);
    folder.write("prices.csv", (0..80).fold("x,price\n".to_owned(), |text, row| text + &line(row)));
    for command in ["train", "compare"] {
        let error = folder.fails(2, &format!("{command} prices.csv --label price"));
        assert!(
            error.contains("\"price\" has 80 different numbers in 80 rows, which looks like regression"),
            "{error}"
        );
        assert!(error.contains("`--numeric-labels`"), "{error}");
    }
    // The model that `train` makes is one of the variants.
    let compared = folder.ok("compare @lenses --repeats 1");
    assert!(compared.contains("refined"), "{compared}");
}

#[test]
fn reports_say_what_the_model_knows_of_the_rows() {
    let folder = Folder::new();
    folder.ok("train @pima --test-fraction 0.3 -o m.nb");
    folder.ok("split @pima --test 0.3 --train-file a.csv --test-file b.csv");
    folder.ok("train a.csv --label diabetes -o a.nb");
    let page = |arguments: &str| {
        folder.ok(&format!("report {arguments} -o page.html"));
        String::from_utf8(folder.read("page.html")).unwrap()
    };
    assert!(
        page("a.nb a.csv")
            .contains("These are rows on which the model was trained, so that they are optimistic")
    );
    let unseen = page("a.nb b.csv");
    assert!(
        !unseen.contains("so that they are optimistic") && !unseen.contains("If the model was trained on")
    );
    assert!(unseen.contains("Who acts on rows that are pos"));
    let other = page("a.nb b.csv --positive neg");
    assert!(
        other.contains("Who acts on rows that are neg") && !other.contains("Who acts on rows that are pos")
    );
    assert!(folder.fails(2, "report a.nb b.csv --positive none -o page.html").contains("no class \"none\""));
    // The decision rule says which class is meant.
    folder.ok("decide a.nb --positive neg --threshold 0.7 -o decided.nb");
    assert!(page("decided.nb b.csv").contains("Who acts on rows that are neg"));
}
