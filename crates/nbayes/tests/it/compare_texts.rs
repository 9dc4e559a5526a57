//! `nbayes compare` of tables with columns of texts.

use crate::{compare::QUICK, folder::Folder};

/// Messages, a number, letters and groups.
fn mixed(n_rows: usize) -> String {
    let line = |row: usize| match row % 2 {
        0 => format!(
            "the meeting about topic {row} is moved to monday so please read the notes,{},x,{},ham",
            row % 7,
            row % 6
        ),
        _ => format!(
            "win a free prize number {row} now and call this number since it is free,{},y,{},spam",
            row % 9,
            row % 6
        ),
    };
    let lines: Vec<String> = (0..n_rows).map(line).collect();
    format!("text,size,letter,sender,label\n{}\n", lines.join("\n"))
}

#[test]
fn texts_are_compared_beside_other_columns() {
    let folder = Folder::new();
    folder.write("mail.csv", mixed(60));
    let run = folder.nbayes(&format!("compare mail.csv --label label --numeric size,sender {QUICK}"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    for variant in ["multinomial", "complement", "bernoulli", "mdl", "logistic"] {
        assert!(run.stdout.contains(variant), "{}", run.stdout);
    }
    let note = "mail.csv: column \"text\" is read as text (free text: 60 different ones in 60 cells";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    // Groups are read beside texts.
    let grouped = "compare mail.csv --label label --group sender --text text -v multinomial --folds 3 --repeats 1 --json";
    let json: serde_json::Value = serde_json::from_str(&folder.ok(grouped)).unwrap();
    assert_eq!(json["sets"][0]["variants"][0]["result"]["mean"]["accuracy"], 1.0);
}

#[test]
fn settings_of_texts_are_repeated_from_reports() {
    let folder = Folder::new();
    folder.write("mail.csv", mixed(60));
    folder.write("words.txt", "free\nmeeting\nprize\n");
    let options = "--n-grams 1-2 --min-documents 2 --max-terms 20 --stop-words words.txt --idf --log-tf --normalize-length";
    let command =
        format!("compare mail.csv --label label --text text {options} -v multinomial,refined {QUICK}");
    let first = folder.ok(&format!("{command} --results kept.jsonl -o mail.html -o mail.toml -o mail.md"));
    let toml = String::from_utf8(folder.read("mail.toml")).unwrap();
    assert!(toml.contains("n_grams = \"1-2\"") && toml.contains("stop_words = \"words.txt\""), "{toml}");
    let page = String::from_utf8(folder.read("mail.md")).unwrap();
    let settings = "in lower case, without 3 stop words, in n-grams of 1 to 2, those in 2 or more training texts, the 20 in most \
                    training texts, weighted by log(1 + count), inverse document frequency, Euclidean length 1";
    assert!(page.contains(settings), "{page}");
    assert_eq!(folder.ok("compare --design mail.html"), first);
    assert_eq!(folder.ok("compare --design mail.toml"), first);
    // Options override the design, and results of other settings are not taken for these.
    let plain = "compare --design mail.toml --results kept.jsonl";
    assert_eq!(folder.ok(plain), first);
    let error = folder.fails(1, &format!("{plain} --n-grams 1"));
    assert!(error.contains("its results are of another design"), "{error}");
    folder.write("words.txt", "free\n");
    let error = folder.fails(1, plain);
    assert!(error.contains("its results are of another state of the data"), "{error}");
    for (text, expected) in [
        ("n_gram = \"1-2\"", "mail.csv: text_options.n_gram is no option of texts"),
        (
            "min_documents = -1",
            "mail.csv: text_options.min_documents is -1, and must be a whole number, 0 or more",
        ),
        ("hash = 64, max_terms = 9", "mail.csv: --hash cannot be used with --max-terms"),
        ("text_model = \"complement\"", "text_options: text_model is for one model"),
        ("min_documents = 1000", "use a lower minimum document frequency"),
    ] {
        let set = format!("{{ file = \"mail.csv\", label = \"label\", text_options = {{ {text} }} }}");
        folder.write("bad.toml", format!("sets = [{set}]\nvariants = [\"multinomial\"]\n"));
        let run = folder.nbayes("compare --design bad.toml");
        assert!(run.code > 0 && run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn embedded_texts_take_settings() {
    let folder = Folder::new();
    let text = folder.ok("compare @sms -v multinomial --min-documents 20 --folds 2 --repeats 1 --json");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["sets"][0]["name"], "sms");
    assert!(json["sets"][0]["variants"][0]["result"]["mean"]["accuracy"].as_f64().unwrap() > 0.95);
    // Beside a file with another label, with the source that the program knows, and with the family that a
    // variant names.
    folder.write("mail.csv", mixed(60).replace(",label\n", ",y\n"));
    let both =
        "compare @sms mail.csv --label y --quiet --min-documents 2 -v multinomial --folds 2 --repeats 1";
    folder.ok(&format!("{both} -o r.md"));
    let page = String::from_utf8(folder.read("r.md")).unwrap();
    assert!(page.contains("Almeida"), "{page}");
    // Names of columns are those of files.
    let renamed = mixed(60).replace(",label\n", ",y\n").replacen("text,", "body,", 1);
    folder.write("mail.csv", renamed);
    folder.ok(&format!("{both} --text body --numeric size --ignore sender -o r.toml"));
    let design = String::from_utf8(folder.read("r.toml")).unwrap();
    assert_eq!(design.matches("text = [\"body\"]").count(), 1, "{design}");
    let error = folder.fails(2, &format!("{both} --group sender"));
    assert!(error.contains("--group is for files, and @sms is none"), "{error}");
    let error = folder.fails(2, "compare @sms --text text --n-grams 2 -v multinomial");
    assert!(error.contains("--text is for files, and @sms is none"), "{error}");
    let named = "-v complement -v multinomial:text.family=complement,name=named";
    let text = folder.ok(&format!("compare @sms {named} --folds 2 --repeats 1 --json"));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let variants = &json["sets"][0]["variants"];
    assert_eq!(variants[0]["result"]["mean"], variants[1]["result"]["mean"]);
}
