//! A trial of a program that is a script: it answers, refuses, fails or hangs as the table says.

use super::*;

/// Reads the first line of the table, which is the second argument, or the third after a model.
const PROGRAM: &str = r#"#!/bin/sh
command=$1
case $command in profile | train) table=$2 ;; *) table=$3 ;; esac
read -r kind < "$table"
case $command-$kind in
    train-whole) case $* in *--test-fraction*) echo '{"error":"cannot be split"}' >&2; exit 1 ;; *) echo '{}' ;; esac ;;
    *-refused) echo '{"error":"'"$table"', line 7: column \"x\" is odd"}' >&2; exit 1 ;;
    profile-*) echo '{"columns":[{"column":"class","distinct":{"n":2}}]}' ;;
    train-hanging) exec sleep 60 ;;
    train-nan) echo '{"test":{"rows":3,"log_loss":null,"brier":1,"accuracy":1,"baseline":{}}}' ;;
    train-worse) echo '{"test":{"rows":3,"log_loss":2,"brier":1,"accuracy":0.25,"baseline":{"log_loss":1,"accuracy":1}}}' ;;
    train-*) echo '{"test":{"rows":3,"log_loss":1,"brier":1,"accuracy":1,"baseline":{"log_loss":2,"accuracy":0.5}}}' ;;
    explain-panics) echo "thread 'main' panicked at src/explain.rs:1:" >&2; exit 101 ;;
    predict-*) echo '{"class":"a","p(a)":1}' ;;
    evaluate-*) echo '{"rows":3,"log_loss":1,"brier":1,"accuracy":1}' ;;
    *) echo '{"probability":1}' ;;
esac
"#;

/// The result, the summary and the records of a trial of tables of these kinds.
fn trial(name: &str, kinds: &[&str], limit: u64) -> (Result<(), String>, String, Value) {
    let folder = std::env::temp_dir().join(format!("nbayes-trial-{name}-{}", std::process::id()));
    let (tables, program, json) = (folder.join("tables"), folder.join("program"), folder.join("all.json"));
    fs::create_dir_all(&tables).unwrap();
    for kind in kinds {
        fs::write(tables.join(format!("{kind}.csv")), format!("{kind}\n")).unwrap();
    }
    // Written by another process: a file that this one has open for writing cannot be run while a test beside
    // starts a process.
    let write = r#"printf %s "$1" > "$2" && chmod 755 "$2""#;
    let written = Command::new("sh").args(["-c", write, "sh", PROGRAM]).arg(&program).status();
    assert!(written.is_ok_and(|status| status.success()), "{}", program.display());
    let arguments = ["--program", program.to_str().unwrap(), "--json", json.to_str().unwrap(), "--seconds"];
    let arguments = arguments.iter().map(ToString::to_string);
    let options = arguments.chain([limit.to_string(), tables.to_str().unwrap().to_owned()]);
    let options = Options::parse(&options.collect::<Vec<_>>()).unwrap();
    let mut summary = String::new();
    let result = run(&options, &mut |_| (), &mut |line| summary.push_str(line));
    let records = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    fs::remove_dir_all(folder).unwrap();
    (result, summary, records)
}

#[test]
fn a_table_that_is_refused_is_no_defect() {
    let (result, summary, all) = trial("refused", &["good", "refused"], 60);
    assert_eq!(result, Ok(()), "{summary}");
    assert!(summary.contains("tables: 2\ntrainings: 1\nheld-out measures: 1\nrefusals: 1\n"), "{summary}");
    assert!(summary.contains("1  profile: TABLE, line N: column \"...\" is odd"), "{summary}");
    assert!(summary.contains("prior: none") && summary.contains("class: none"), "{summary}");
    let records = all["records"].as_array().unwrap();
    let outcomes = records.iter().map(|record| &record["steps"][0]["outcome"]);
    assert_eq!(outcomes.collect::<Vec<_>>(), ["success", "success", "refused"]);
    assert_eq!(records[1]["held_out"]["log_loss"], 1.0);
    assert_eq!(records[1]["steps"].as_array().unwrap().len(), 4);
}

#[test]
fn what_cannot_be_split_is_learnt_from_whole() {
    let (result, summary, all) = trial("whole", &["whole"], 60);
    assert_eq!(result, Ok(()), "{summary}");
    assert!(summary.contains("trainings: 2\nheld-out measures: 0\nrefusals: 1\n"), "{summary}");
    assert_eq!(all["records"][1]["steps"].as_array().map(Vec::len), Some(5));
}

#[test]
fn panics_and_nan_are_defects_and_bad_models_are_listed() {
    let (result, summary, _) = trial("defects", &["nan", "panics", "worse"], 60);
    assert_eq!(result, Err("2 processes crashed, took too long or printed NaN".into()), "{summary}");
    assert!(
        summary.contains("explain of panics.csv --label \"class\": crash: thread 'main' panicked"),
        "{summary}"
    );
    assert!(summary.contains("train of nan.csv --label \"class\": not a number: log_loss"), "{summary}");
    assert!(summary.contains("+1.0000  2.0000 against 1.0000, 3 rows held out: worse.csv"), "{summary}");
    assert!(summary.contains("+0.7500  0.2500 against 1.0000, 3 rows held out: worse.csv"), "{summary}");
}

#[test]
fn a_process_that_takes_too_long_is_ended() {
    let (result, summary, _) = trial("slow", &["hanging"], 1);
    assert!(result.is_err() && summary.contains("time-out after 1 s"), "{summary}");
}
