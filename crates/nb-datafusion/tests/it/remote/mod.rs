//! Files behind addresses: the same models and predictions as of files here, and errors that say what to do.

mod server;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use crate::{
    hive::{as_parquet, written},
    nbayes::nbayes,
};
use server::{KEY, SECRET, Server};

const PROGRAM: &str = env!("CARGO_BIN_EXE_nb-datafusion");

/// Runs a program with credentials for the server, and none of the user's own.
fn run(program: &Path, folder: &Path, server: &Server, changed: &[(&str, &str)], arguments: &str) -> Output {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let is_of_store =
            name.to_str().is_some_and(|name| name.starts_with("AWS_") || name.starts_with("GOOGLE_"));
        if is_of_store || name.to_ascii_lowercase().to_string_lossy().ends_with("_proxy") {
            command.env_remove(name);
        }
    }
    let endpoint = format!("http://{}", server.address);
    command.envs([
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_METADATA_ENDPOINT", &endpoint),
    ]);
    for (name, value) in changed {
        if value.is_empty() {
            command.env_remove(name);
        } else {
            command.env(name, value);
        }
    }
    command.args(arguments.split(' ')).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Files of all kinds, in folders with columns in their names, and one that holds no rows.
fn tables(folder: &Path) {
    let values = [("a%20b%3A%2F", "a b:/"), ("c+d", "c+d"), ("ä", "ä")];
    written(folder, &[("place", &values), ("day", &[("1", "1"), ("2", "2")])]);
    fs::write(folder.join("tree/_SUCCESS"), "").unwrap();
    as_parquet(&folder.join("tree"), &folder.join("parquets"));
    let rows = fs::read_to_string(folder.join("all.csv")).unwrap();
    let rows = rows.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        format!("{{\"x\": {}, \"y\": \"{}\", \"place\": \"{}\"}}\n", cells[0], cells[1], cells[2])
    });
    fs::write(folder.join("all.jsonl"), rows.collect::<String>()).unwrap();
}

#[test]
fn addresses_give_what_files_here_give() {
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    let server = Server::start(folder.path());
    let ran = |program: &Path, arguments: &str| {
        let output = run(program, folder.path(), &server, &[], arguments);
        assert!(output.status.success(), "{arguments}: {}", said(&output));
        said(&output)
    };
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let http = |file: &str| format!("http://{}/open/{file}", server.address);
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort_unstable();
        lines
    };
    for (here, there) in [
        (
            "all.csv",
            vec![
                "s3://bucket/all.csv".into(),
                "s3a://bucket/a*.csv".into(),
                http("all.csv"),
                http("all.csv?signature=x"),
            ],
        ),
        ("all.jsonl", vec!["s3://bucket/all.jsonl".into(), http("all.jsonl")]),
        (
            "tree",
            vec!["s3://bucket/tree".into(), "s3://bucket/tree/".into(), "s3://bucket/tr?e/**/*.csv".into()],
        ),
        ("parquets", vec!["s3://bucket/parquets/**/[01]*.parquet".into()]),
        ("parquets --hive-partitions off", vec!["s3://bucket/parquets/ --hive-partitions off".into()]),
        (
            "tree/place=ä/day=1/05.csv tree/place=ä/day=1/08.csv",
            vec![format!(
                "{} {}",
                http("tree/place=%C3%A4/day=1/05.csv"),
                http("tree/place=%C3%A4/day=1/08.csv")
            )],
        ),
    ] {
        ran(PROGRAM.as_ref(), &format!("train {here} --label y -o here.nb"));
        ran(PROGRAM.as_ref(), &format!("predict here.nb {here} --proba -o here.csv"));
        for there in there {
            let notes = ran(PROGRAM.as_ref(), &format!("train {there} --label y -o there.nb"));
            assert!(bytes("here.nb") == bytes("there.nb"), "{there}: other bytes\n{notes}");
            ran(PROGRAM.as_ref(), &format!("predict there.nb {there} --proba -o there.csv"));
            assert_eq!(lines("there.csv").len(), lines("here.csv").len());
            assert!(lines("there.csv") == lines("here.csv"), "{there}");
        }
    }
    // With weights and corrections, from all rows, which are fewer than a sample.
    for (here, there) in [("all.csv", "s3://bucket/all.csv"), ("parquets", "s3://bucket/parquets/")] {
        ran(nbayes(), &format!("train {here} --label y -o here.nb"));
        ran(nbayes(), &format!("train {there} --label y --engine datafusion -o there.nb"));
        assert!(bytes("here.nb") == bytes("there.nb"), "{there}: other bytes");
        ran(nbayes(), &format!("predict here.nb {there} --engine datafusion -o there.csv"));
        ran(nbayes(), &format!("predict here.nb {here} --engine datafusion -o here.csv"));
        assert!(lines("there.csv") == lines("here.csv"), "{there}");
    }
}

#[test]
fn google_is_read_as_amazon() {
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    let server = Server::start(folder.path());
    let account = format!(
        r#"{{"gcs_base_url": "http://{}", "disable_oauth": true, "client_email": "", "private_key": "", "private_key_id": ""}}"#,
        server.address
    );
    fs::write(folder.path().join("account.json"), account).unwrap();
    let environment = [("GOOGLE_SERVICE_ACCOUNT", "account.json"), ("GOOGLE_ALLOW_HTTP", "true")];
    for (files, model) in [("gs://open/tree/", "there.nb"), ("tree", "here.nb")] {
        let train = format!("train {files} --label y -o {model}");
        let output = run(PROGRAM.as_ref(), folder.path(), &server, &environment, &train);
        assert!(output.status.success(), "{}", said(&output));
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("here.nb") == bytes("there.nb"));
}

#[test]
fn what_cannot_be_read_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("small")).unwrap();
    fs::write(folder.path().join("small/a.csv"), "x,y\n1,a\n2,b\n").unwrap();
    fs::write(folder.path().join("cut.parquet"), "PAR1 and so on, and").unwrap();
    fs::write(folder.path().join("m.nb"), "").unwrap();
    let server = Server::start(folder.path());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let closed = format!("http://{closed}");
    let http = |file: &str| format!("http://{}/{file}", server.address);
    let login = "AWS_SECRET_ACCESS_KEY";
    let none = [("AWS_ACCESS_KEY_ID", ""), ("AWS_SECRET_ACCESS_KEY", "")];
    for (environment, files, expected) in [
        (&[][..], "s3://bucket/none.csv", &["there is no s3://bucket/none.csv;"][..]),
        (&[], "s3://elsewhere/a.csv", &["there is no s3://elsewhere/a.csv;"]),
        (&[], "s3://elsewhere/*.csv", &["there is no s3://elsewhere/;"]),
        (&[], "s3://bucket/small/*.tsv", &["no file matches \"s3://bucket/small/*.tsv\""]),
        (&[], "s3://bucket/**/*", &["different formats", "name those of one, such as"]),
        (&[], "s3://bucket/none/", &["the folder s3://bucket/none/ has no data files"]),
        (&[], "s3:///a.csv", &["names no bucket"]),
        (&[], "s3://bucket/cut.parquet", &["s3://bucket/cut.parquet is cut"]),
        (&[], "s3://bucket/small/a.csv s3://bucket/small/", &["s3://bucket/small/a.csv is named twice"]),
        (
            &[("AWS_ACCESS_KEY_ID", "other")],
            "s3://bucket/a.csv",
            &["access to s3://bucket/a.csv is denied; set", login],
        ),
        (
            &[("AWS_ACCESS_KEY_ID", "other")],
            "s3://bucket/small/",
            &["access to s3://bucket/small is denied; set", login],
        ),
        (
            &none,
            "s3://bucket/a.csv",
            &["there are no credentials for s3://bucket/", login, "AWS_SKIP_SIGNATURE=true"],
        ),
        (&[("AWS_ALLOW_HTTP", "")], "s3://bucket/a.csv", &["s3://bucket/a.csv", "AWS_ALLOW_HTTP=true"]),
        (
            &[("AWS_ENDPOINT", &closed)],
            "s3://bucket/a.csv",
            &["cannot reach the server of s3://bucket/a.csv", "AWS_ENDPOINT"],
        ),
        (&[], &http("open/none.csv"), &["there is no http://127.0.0.1:", "/open/none.csv;"]),
        (
            &[],
            &http("bucket/a.csv?token=secret-of-the-test"),
            &["access to http://127.0.0.1:", "/bucket/a.csv is denied"],
        ),
        (&[], &http("open/"), &["/open/: HTTP servers do not list their files"]),
        (&[], &http("open/*.csv"), &["/open/*.csv: HTTP servers do not list their files"]),
        (
            &[],
            &format!("{closed}/a.csv?token=secret-of-the-test"),
            &["cannot reach the server of http://127.0.0.1:"],
        ),
        (&[], "hdfs://host/a.csv", &["hdfs://host/a.csv is an address", "copy it to this machine"]),
    ] {
        let start = Instant::now();
        let train = format!("train {files} --label y -o m.nb");
        let output = run(PROGRAM.as_ref(), folder.path(), &server, environment, &train);
        let said = said(&output);
        assert!(!output.status.success(), "{files}");
        for expected in expected {
            assert!(said.contains(expected), "{files}: {expected} is not in: {said}");
        }
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(!said.contains(SECRET), "{said}");
        assert!(start.elapsed() < Duration::from_secs(30), "{files}: {:?}", start.elapsed());
    }
    // Public buckets need no credentials.
    let public = [none[0], none[1], ("AWS_SKIP_SIGNATURE", "true")];
    let output = run(PROGRAM.as_ref(), folder.path(), &server, &public, "files s3://open/small/");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "[\"s3://open/small/a.csv\"]\n", "{}", said(&output));
}
