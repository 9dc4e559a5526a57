//! Tables in lines of JSON.

#![expect(clippy::format_push_string, reason = "the tables are small")]

use std::fs;

use crate::hive::run;

#[test]
fn lines_of_json_train_the_model_of_the_same_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (mut csv, mut parts) = (String::from("n,x,code,flag,text,y\n"), [String::new(), String::new()]);
    for row in 0..120_u32 {
        let n = row * 7 % 23;
        // Whole numbers at first, missing cells, digits in quotes, and texts.
        let x = if row < 60 { (row % 9).to_string() } else { format!("{}.25", row % 9) };
        let x = if row % 11 == 3 { String::new() } else { x };
        let (code, flag) = (["10", "20", "30"][row as usize % 3], row % 4 == 0);
        let (text, y) =
            (["red", "blue", ""][row as usize % 5 % 3], ["no", "yes"][(row * row / 3 % 2) as usize]);
        csv += &format!("{n},{x},{code},{flag},{text},{y}\n");
        let x = if x.is_empty() { "null".to_owned() } else { x };
        let text =
            if row % 2 == 0 && text.is_empty() { String::new() } else { format!(", \"text\": {text:?}") };
        parts[row as usize / 60] += &format!(
            "{{\"n\": {n}, \"x\": {x}, \"code\": {code:?}, \"flag\": {flag}{text}, \"y\": {y:?}}}\n"
        );
    }
    fs::write(path("all.csv"), csv).unwrap();
    fs::write(path("all.jsonl"), parts.concat()).unwrap();
    fs::create_dir(path("parts")).unwrap();
    for (part, lines) in parts.iter().enumerate() {
        fs::write(path(&format!("parts/{part}.ndjson")), lines).unwrap();
    }
    let sorted = |name: &str| {
        let out = fs::read_to_string(path(name)).unwrap();
        let mut lines: Vec<String> = out.lines().map(String::from).collect();
        lines.sort();
        lines
    };
    let run = |arguments: &str| {
        let (is_done, said) = run(folder.path(), arguments);
        assert!(is_done, "{arguments}: {said}");
    };
    for files in ["all.csv", "all.jsonl", "parts"] {
        run(&format!("train {files} --label y -o model.nb"));
        if files == "all.csv" {
            fs::copy(path("model.nb"), path("csv.nb")).unwrap();
            run("predict csv.nb all.csv --id n --proba -o csv.csv");
        }
        assert!(fs::read(path("model.nb")).unwrap() == fs::read(path("csv.nb")).unwrap(), "{files}");
        run(&format!("predict csv.nb {files} --id n --proba -o labels.csv"));
        assert_eq!(sorted("labels.csv"), sorted("csv.csv"), "{files}");
    }
}
