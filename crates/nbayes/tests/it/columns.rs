//! Which family a column gets, and texts.

use crate::folder::Folder;

/// A table with a column of every sort.
fn mixed() -> Folder {
    let folder = Folder::new();
    let rows = (0..120).map(|row| {
        let (label, word) =
            if row % 2 == 0 { ("spam", "win a free prize") } else { ("ham", "see you at home") };
        let height = 1.5 + f64::from(row % 13) / 40.0 + f64::from(row % 2) / 8.0;
        format!(
            "{row},{height},{},{},{},\"{word} today, number {row}\",{label}\n",
            row % 4,
            u8::from(row % 3 == 0),
            ["red", "green"][row as usize % 2]
        )
    });
    let rows: Vec<String> = rows.collect();
    folder.write("mixed.csv", format!("id,height,stars,seen,colour,message,label\n{}", rows.concat()));
    folder
}

#[test]
fn cells_suggest_a_family_which_can_be_overruled() {
    let folder = mixed();
    let text = folder.ok("schema mixed.csv --label label");
    for line in [
        "\"height\" = \"gaussian\"",
        "\"stars\" = \"categorical\"",
        "\"seen\" = \"bernoulli\"",
        "\"colour\" = \"categorical\"",
        "\"message\" = \"text\"",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let text = folder.ok("schema mixed.csv --label label --gaussian stars --ignore id --categorical seen");
    assert!(text.contains("\"stars\" = \"gaussian\"") && text.contains("\"seen\" = \"categorical\""));
    assert!(text.contains("\"id\" = \"ignore\""), "{text}");
    let error = folder.fails(2, "train mixed.csv --label label --gaussian stars --categorical stars");
    assert!(error.contains("\"stars\"") && error.contains("--categorical"), "{error}");
}

#[test]
fn numbers_categories_and_texts_make_one_model() {
    let folder = mixed();
    // The colour repeats the label.
    folder.ok("train mixed.csv --label label --ignore id --categorical colour --tune");
    let text = folder.ok("inspect mixed.nb");
    for family in ["gaussian", "categorical", "bernoulli", "multinomial"] {
        assert!(text.contains(family), "{text}");
    }
    let text = folder.ok("evaluate mixed.nb mixed.csv");
    assert!(text.contains("accuracy                1"), "{text}");
    let text = folder.ok("explain mixed.nb mixed.csv --row 1");
    assert!(text.contains("message: prize") && text.contains("red"), "{text}");
    let drawn = folder.ok("sample mixed.nb -n 30 --seed 3");
    assert!(drawn.starts_with("height,stars,seen,colour,message,label\n"), "{drawn}");
    folder.write("drawn.csv", drawn);
    folder.ok("update mixed.nb drawn.csv");
}

#[test]
fn a_spam_filter_in_one_command() {
    let folder = Folder::new();
    folder.write("sms.csv", nb_datasets::load_text().unwrap().to_csv());
    folder.ok("train sms.csv --label label --text message");
    folder.write("new.csv", "message\nFree entry! Claim your prize now\nsee you at home\n");
    assert_eq!(folder.ok("predict sms.nb new.csv"), "predicted_label\nspam\nham\n");
    // A set by name is the same file.
    folder.ok("train @sms -o named.nb");
    assert_eq!(folder.read("named.nb"), folder.read("sms.nb"));
}

#[test]
fn every_switch_for_texts_makes_another_model() {
    let folder = Folder::new();
    let csv = nb_datasets::load_text().unwrap().to_csv();
    folder.write("sms.csv", csv.lines().take(400).collect::<Vec<_>>().join("\n"));
    folder.write("stop.txt", "you\nthe\n");
    let mut models = vec![];
    for switch in [
        "",
        "--keep-case",
        "--words alphanumeric",
        "--normalization none",
        "--emoji drop",
        "--min-chars 3",
        "--n-grams 1-2",
        "--stop-words english",
        "--stop-words stop.txt",
        "--min-documents 3",
        "--max-terms 100",
        "--hash 512",
        "--log-tf",
        "--idf",
        "--normalize-length",
        "--text-model bernoulli",
        "--text-model complement",
    ] {
        folder.ok(&format!("train sms.csv --label label --text message -o a.nb {switch}"));
        folder.ok("evaluate a.nb sms.csv");
        models.push(folder.read("a.nb"));
        let last = models.len() - 1;
        assert!(!models[..last].contains(&models[last]), "{switch}");
    }
    assert!(folder.fails(2, "train sms.csv --label label --text message --n-grams 2-1").contains("1-2"));
    // A schema file keeps the switches.
    let switches = "--n-grams 1-2 --log-tf --text-model bernoulli";
    folder.ok(&format!("schema sms.csv --label label --text message {switches} -o sms.toml"));
    folder.ok(&format!("train sms.csv --label label --text message {switches} -o a.nb"));
    folder.ok("train sms.csv --schema sms.toml -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    folder.write("sms.toml", "label = \"label\"\n[text]\nn_grams = \"3\"\nwords = \"letters\"\n");
    assert!(folder.fails(1, "train sms.csv --schema sms.toml -o c.nb").contains("letters"));
}

#[test]
fn several_files_are_one_whatever_their_order_and_cells() {
    let folder = Folder::new();
    folder.write("a.csv", "size,colour,note,y\n1,red,a b c,u\n2,4,d e f,v\n3,red,g h,u\n");
    folder.write("b.csv", "y,note,colour,size\nv,h i,2,4\nu,a k,2,5\nv,e k,4,5\n");
    folder.write(
        "both.csv",
        "size,colour,note,y\n1,red,a b c,u\n2,4,d e f,v\n3,red,g h,u\n4,2,h i,v\n5,2,a k,u\n5,4,e k,v\n",
    );
    folder.ok("train a.csv b.csv --label y --text note -o two.nb");
    folder.ok("train both.csv --label y --text note -o one.nb");
    assert_eq!(folder.read("two.nb"), folder.read("one.nb"));
    folder.ok("train a.csv b.csv --label y --text note --idf -o two.nb");
    folder.ok("train both.csv --label y --text note --idf -o one.nb");
    assert_eq!(folder.read("two.nb"), folder.read("one.nb"));
    folder.write("c.csv", "size,colour,y\n1,2,u\n");
    let error = folder.fails(1, "train a.csv c.csv --label y -o two.nb");
    assert!(error.contains("\"note\"") && error.contains("c.csv does not"), "{error}");
}

#[test]
fn identifiers_stay_with_their_rows() {
    let folder = mixed();
    folder.ok("train mixed.csv --label label --ignore id");
    let labels = folder.ok("predict mixed.nb mixed.csv --id id");
    assert_eq!(labels.lines().take(3).collect::<Vec<_>>(), ["id,predicted_label", "0,spam", "1,ham"]);
    assert_eq!(labels.lines().last(), Some("119,ham"));
    // A column may be both, and the formats agree.
    folder.ok("predict mixed.nb mixed.csv --id stars -o labels.parquet");
    folder.ok("predict mixed.nb mixed.csv --id stars -o labels.csv");
    folder.ok("train labels.parquet --label predicted_label --categorical stars -o a.nb");
    folder.ok("train labels.csv --label predicted_label --categorical stars -o b.nb");
    assert_eq!(folder.read("a.nb"), folder.read("b.nb"));
    assert!(folder.fails(1, "predict mixed.nb mixed.csv --id idd").contains("\"id\""));
}

#[test]
fn formats_without_names_need_no_label() {
    let folder = Folder::new();
    folder.write("a.svm", "a 1:2 3:2\nb 2:1\na 1:1\nb 2:3 3:1\n");
    folder.ok("train a.svm --all multinomial");
    assert_eq!(folder.ok("predict a.nb a.svm"), "predicted_label\na\nb\na\nb\n");
    assert!(folder.fails(2, "predict a.nb a.svm --id x").contains("no columns with names"));
}
