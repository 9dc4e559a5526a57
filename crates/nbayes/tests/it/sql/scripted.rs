//! Engines that Python packages bring: a script runs them and takes one command a line.

use std::{
    cell::RefCell,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::json;

use super::{Engine, Type};
use crate::python::python;

/// Reads commands and says whether they went well.
const LOOP: &str = r#"
import csv, json, sys
for line in sys.stdin:
    command = json.loads(line)
    try:
        if "table" in command:
            load(command["table"], command["columns"], command["path"])
        else:
            query(command["query"], command["path"])
        print("ok", flush=True)
    except Exception as error:
        print(json.dumps(str(error)), flush=True)
"#;

const DUCKDB: &str = r#"
import duckdb
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")
def load(table, columns, path):
    quoted = lambda name: '"' + name.replace('"', '""') + '"'
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
    connection.execute(f"CREATE OR REPLACE TABLE {quoted(table)} ({columns})")
    connection.execute(f"COPY {quoted(table)} FROM '{path}' (HEADER, QUOTE '\"', ESCAPE '\"')")
def query(query, path):
    connection.execute(f"COPY ({query}) TO '{path}' (HEADER)")
"#;

const SPARK: &str = r#"
import csv, os
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
from pyspark.sql import SparkSession
settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.driver.host": "127.0.0.1"}
builder = SparkSession.builder.master("local[2]")
for name, value in settings.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
session.sparkContext.setLogLevel("ERROR")
def load(table, columns, path):
    quoted = lambda name: "`" + name.replace("`", "``") + "`"
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
    rows = session.read.csv(path, header=True, schema=columns, quote='"', escape='"')
    rows.createOrReplaceTempView(quoted(table))
def query(query, path):
    result = session.sql(query)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(result.columns)
        writer.writerows(result.collect())
"#;

/// A Python process with an engine in it.
pub(super) struct Scripted {
    dialect: &'static str,
    process: RefCell<(Child, ChildStdin, BufReader<ChildStdout>)>,
}

pub(super) fn duckdb() -> Option<Scripted> {
    Some(Scripted::start("duckdb", DUCKDB, &python("duckdb")?))
}

pub(super) fn spark() -> Option<Scripted> {
    Some(Scripted::start("spark", SPARK, &python("pyspark")?))
}

impl Scripted {
    fn start(dialect: &'static str, script: &str, python: &Path) -> Self {
        let mut command = Command::new(python);
        command.args(["-c", &format!("{script}{LOOP}")]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { dialect, process: RefCell::new((child, input, output)) }
    }

    fn run(&self, command: &serde_json::Value) {
        let (_, input, output) = &mut *self.process.borrow_mut();
        writeln!(input, "{command}").unwrap();
        input.flush().unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer.trim(), "ok", "{}: {:.2000}", self.dialect, command.to_string());
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        let (child, ..) = self.process.get_mut();
        drop(child.kill());
        drop(child.wait());
    }
}

impl Engine for Scripted {
    fn dialect(&self) -> &'static str {
        self.dialect
    }

    fn load(&self, table: &str, columns: &[(String, Type)], path: &Path) {
        let kind = |kind| match kind {
            Type::Real => "double",
            Type::Whole => "bigint",
            Type::Text if self.dialect == "spark" => "string",
            Type::Text => "varchar",
        };
        let columns: Vec<_> = columns.iter().map(|(name, of)| json!([name, kind(*of)])).collect();
        self.run(&json!({ "table": table, "columns": columns, "path": path }));
    }

    fn query(&self, query: &str, path: &Path) {
        self.run(&json!({ "query": query, "path": path }));
    }
}
