//! The table: one line a check, aligned, under one heading a group.

use std::fmt::Write as _;

use super::report::{Line, Report};

const HEADER: [&str; COLUMNS] = ["check", "source", "expected", "got", "error", "verdict"];
const COLUMNS: usize = 6;

/// The results as text, with a summary at the end. What a line remarks stands below it.
pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    for lines in report.lines.chunk_by(|a, b| a.group == b.group) {
        render_group(&mut text, lines);
    }
    let n_failed = report.failed();
    let failures = report.lines.iter().filter(|line| !line.outcome.passed);
    for line in failures {
        // Failures again at the end, where they are seen.
        push_line(&mut text, &format!("FAILED {} ({})", line.name, line.source));
        push_remarks(&mut text, line);
    }
    let (n_checks, seconds) = (report.lines.len(), report.seconds);
    let n_passed = n_checks - n_failed;
    push_line(&mut text, &format!("{n_checks} checks: {n_passed} passed, {n_failed} failed; {seconds:.1} s"));
    text
}

fn render_group(text: &mut String, lines: &[Line]) {
    let Some(first) = lines.first() else { return };
    push_line(text, &format!("== {} ==", first.group.title()));
    if let Some(legend) = first.group.legend() {
        push_line(text, legend);
    }
    let rows: Vec<[String; COLUMNS]> = lines.iter().map(cells).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(HEADER[column].len())
    };
    // The verdict is last, so that a long one needs no padding.
    let widths: Vec<usize> = (0..COLUMNS - 1).map(width).collect();
    push_row(text, &HEADER.map(String::from), &widths);
    for (line, row) in lines.iter().zip(&rows) {
        push_row(text, row, &widths);
        push_remarks(text, line);
    }
    text.push('\n');
}

fn cells(line: &Line) -> [String; COLUMNS] {
    let outcome = &line.outcome;
    let verdict = if outcome.passed { "pass" } else { "FAIL" };
    [
        line.name.clone(),
        line.source.clone(),
        outcome.expected.clone(),
        outcome.got.clone(),
        outcome.error.clone(),
        verdict.to_owned(),
    ]
}

fn push_row(text: &mut String, cells: &[String; COLUMNS], widths: &[usize]) {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        // Writing to a string cannot fail.
        let _ = write!(line, "{cell:width$}  ");
    }
    line.push_str(&cells[COLUMNS - 1]);
    push_line(text, &line);
}

/// What a line has to say beyond its cells, one below the other.
fn push_remarks(text: &mut String, line: &Line) {
    for remark in &line.outcome.remarks {
        push_line(text, &format!("    {remark}"));
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::check::{Group, Outcome};

    fn report() -> Report {
        let line = |name: &str, outcome| Line {
            group: Group::Data,
            name: name.into(),
            source: "test".into(),
            outcome,
        };
        Report {
            lines: vec![
                line("short", Outcome::equal("1", "1").remark("klaR: 3 labels wrong")),
                line("a longer name", Outcome::equal("1", "2").and(false, "2 is not 1")),
            ],
            seconds: 0.25,
        }
    }

    #[test]
    fn columns_are_aligned_and_failures_repeated() {
        let expected = "\
== data ==
check          source  expected  got  error  verdict
short          test    1         1           pass
    klaR: 3 labels wrong
a longer name  test    1         2           FAIL
    2 is not 1

FAILED a longer name (test)
    2 is not 1
2 checks: 1 passed, 1 failed; 0.2 s
";
        assert_eq!(render(&report()), expected);
    }

    #[test]
    fn json_says_the_same() {
        let json: serde_json::Value = serde_json::from_str(&report().to_json().unwrap()).unwrap();
        assert_eq!(json["checks"][1]["verdict"], "fail");
        assert_eq!(json["checks"][0]["remarks"][0], "klaR: 3 labels wrong");
        assert_eq!(json["summary"]["passed"], 1);
        assert_eq!(json["summary"]["failed"], 1);
        assert!(!report().passed());
    }
}
