//! The summary of a trial, for people.

use std::{collections::BTreeMap, fmt::Write};

use super::{
    process::Ended,
    record::{Record, Step},
};

/// How many kinds of messages are listed.
const MOST_MESSAGES: usize = 20;

/// How many of the slowest processes are listed.
const SLOWEST: usize = 10;

/// Counts, refusals by kinds, models worse than the prior, the slowest processes, and defects.
pub(crate) fn text(records: &[Record], n_tables: usize) -> String {
    let steps = || records.iter().flat_map(|record| record.steps.iter().map(move |step| (record, step)));
    let trainings = steps().filter(|(_, step)| step.command == "train");
    let refused = |step: &Step| matches!(step.finished.ended, Ended::Refused(_));
    let mut text = format!(
        "tables: {n_tables}\ntrainings: {}\nheld-out measures: {}\nrefusals: {}\n",
        trainings.count(),
        records.iter().filter(|record| record.measures.is_some()).count(),
        steps().filter(|(_, step)| refused(step)).count(),
    );
    let kinds = kinds_of_messages(records);
    let lines =
        kinds.iter().take(MOST_MESSAGES).map(|(n, command, kind)| format!("{n:>5}  {command}: {kind}"));
    section(&mut text, "most frequent refusals", lines);
    section(&mut text, "log-loss above that of the prior", worse_losses(records));
    section(&mut text, "accuracy below that of the majority class", worse_accuracies(records));
    let mut by_time: Vec<_> = steps().collect();
    by_time.sort_by(|a, b| b.1.finished.seconds.total_cmp(&a.1.finished.seconds));
    let slowest = by_time.iter().take(SLOWEST);
    let slowest = slowest.map(|(record, step)| {
        format!("{:>7.2} s  {} of {}", step.finished.seconds, step.command, record.name())
    });
    section(&mut text, "slowest", slowest);
    section(&mut text, "crashes, time-outs and NaN", defects(records));
    text
}

/// Every crash, time-out and NaN.
pub(crate) fn defects(records: &[Record]) -> impl Iterator<Item = String> {
    records.iter().flat_map(|record| {
        let of_step =
            |step: &Step| Some(format!("{} of {}: {}", step.command, record.name(), step.defect()?));
        record.steps.iter().filter_map(of_step).collect::<Vec<_>>()
    })
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = impl AsRef<str>>) {
    let lines: Vec<_> = lines.collect();
    let none = if lines.is_empty() { " none" } else { "" };
    writeln!(text, "\n{title}:{none}").ok();
    for line in lines {
        writeln!(text, "  {}", line.as_ref()).ok();
    }
}

fn worse_losses(records: &[Record]) -> impl Iterator<Item = String> {
    let worse = |record: &Record| {
        let measures = record.measures?;
        let line = format!(
            "{:.4} against {:.4}, {} rows held out",
            measures.log_loss, measures.log_loss_of_prior, measures.rows
        );
        Some((measures.worse_loss()?, format!("{line}: {}", record.name())))
    };
    worst_first(records.iter().filter_map(worse).collect())
}

fn worse_accuracies(records: &[Record]) -> impl Iterator<Item = String> {
    let worse = |record: &Record| {
        let measures = record.measures?;
        let line = format!(
            "{:.4} against {:.4}, {} rows held out",
            measures.accuracy, measures.majority, measures.rows
        );
        Some((measures.worse_accuracy()?, format!("{line}: {}", record.name())))
    };
    worst_first(records.iter().filter_map(worse).collect())
}

fn worst_first(mut lines: Vec<(f64, String)>) -> impl Iterator<Item = String> {
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    lines.into_iter().map(|(by, line)| format!("+{by:.4}  {line}"))
}

/// Kinds of refusals with their commands, the most frequent ones first.
fn kinds_of_messages(records: &[Record]) -> Vec<(usize, &'static str, String)> {
    let mut counts = BTreeMap::new();
    for record in records {
        for step in &record.steps {
            if let Ended::Refused(message) = &step.finished.ended {
                *counts.entry((step.command, kind(message, &record.table))).or_insert(0) += 1;
            }
        }
    }
    let mut kinds: Vec<_> = counts.into_iter().map(|((command, kind), n)| (n, command, kind)).collect();
    kinds.sort_by_key(|&(n, ..)| std::cmp::Reverse(n));
    kinds
}

/// A message without what differs from table to table: its path, numbers and quoted names.
fn kind(message: &str, table: &str) -> String {
    let start = message.find(table).map(|place| message[..place].rfind(' ').map_or(0, |space| space + 1));
    let message = match (start, message.find(table)) {
        (Some(start), Some(place)) => {
            format!("{}TABLE{}", &message[..start], &message[place + table.len()..])
        }
        _ => message.to_owned(),
    };
    let (mut kind, mut rest) = (String::new(), message.chars().peekable());
    while let Some(character) = rest.next() {
        if character == '"' {
            kind.push_str("\"...\"");
            while let Some(quoted) = rest.next() {
                match quoted {
                    '\\' => _ = rest.next(),
                    '"' => break,
                    _ => {}
                }
            }
        } else if character.is_ascii_digit() {
            kind.push('N');
            let mut digits = || rest.next_if(|&next| next.is_ascii_digit() || next == '.');
            while digits().is_some() {}
        } else {
            kind.push(character);
        }
    }
    kind.replace("\"...\", \"...\"", "\"...\"").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{process::Finished, record::Measures};

    #[test]
    fn messages_that_differ_in_names_and_numbers_are_of_one_kind() {
        let message = r#"/a/b c/t.csv, line 12: column "a \"b\" c" has 3.5 "x""#;
        assert_eq!(kind(message, "b c/t.csv"), r#"TABLE, line N: column "..." has N "...""#);
        assert_eq!(kind("cannot read /a/t.csv: no", "t.csv"), "cannot read TABLE: no");
    }

    #[test]
    fn the_worst_is_listed_first() {
        let record = |table: &str, log_loss| Record {
            table: table.into(),
            label: Some("y".into()),
            steps: vec![Step {
                command: "train",
                finished: Finished {
                    ended: Ended::Success,
                    status: Some(0),
                    seconds: 1.0,
                    output: String::new(),
                },
                not_a_number: None,
            }],
            measures: Some(Measures {
                rows: 10,
                log_loss,
                log_loss_of_prior: 0.5,
                accuracy: 0.5,
                majority: 0.5,
            }),
        };
        let records = [record("better", 0.25), record("bad", 0.75), record("worst", f64::INFINITY)];
        let text = text(&records, 3);
        let place = |name: &str| text.find(&format!("rows held out: {name}"));
        assert!(place("worst").unwrap() < place("bad").unwrap() && place("better").is_none(), "{text}");
        assert!(
            text.contains("+0.2500  0.7500 against 0.5000, 10 rows held out: bad --label \"y\""),
            "{text}"
        );
        assert!(text.contains("trainings: 3") && text.contains("NaN: none"), "{text}");
    }
}
