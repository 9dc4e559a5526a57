//! Drift on the screen: a line that says it all, then the worst columns first.

use super::Monitored;
use crate::{
    drift::{ClassDrift, ColumnDrift, Group, MeasureDrift, Status, Test},
    output::{Table, counted, measure, rough, short, visible},
};

/// The word for a status.
pub(super) fn word(status: Status) -> &'static str {
    match status {
        Status::NotTested => "not tested",
        Status::Ok => "ok",
        Status::Notice => "notice",
        Status::Alarm => "ALARM",
    }
}

/// One line.
pub(super) fn summary(result: &Monitored) -> String {
    const MOST_NAMES: usize = 3;
    let rows = counted(result.rows, "new row", "new rows");
    let of_model = short(result.model_rows);
    let drifted = |status: Status| {
        let mut names: Vec<String> = result
            .columns
            .iter()
            .filter(|column| column.status == status)
            .map(|column| visible(&column.column).into_owned())
            .collect();
        names.extend(
            others(result).filter(|(_, test)| test.status == status).map(|(name, _)| name.to_owned()),
        );
        names
    };
    let listed = |names: &[String]| match names.len() {
        n if n > MOST_NAMES => format!("{} and {} more", names[..MOST_NAMES].join(", "), n - MOST_NAMES),
        _ => names.join(", "),
    };
    let (alarms, notices) = (drifted(Status::Alarm), drifted(Status::Notice));
    let found = match (alarms.is_empty(), notices.is_empty()) {
        (true, true) if result.status == Status::NotTested => "nothing could be tested".to_owned(),
        (true, true) => "no drift".to_owned(),
        (true, false) => format!("drift of {}", listed(&notices)),
        (false, true) => format!("drift of {}", listed(&alarms)),
        (false, false) => format!("drift of {}; less of {}", listed(&alarms), listed(&notices)),
    };
    format!("{}: {found} ({rows} beside {of_model} of the model)", word(result.status))
}

/// What is tested beside the columns, by name.
fn others(result: &Monitored) -> impl Iterator<Item = (&'static str, &Test)> {
    let label = result.label.iter().filter_map(|label| Some(("the label", label.test.as_ref()?)));
    let predicted = result.predicted.test.iter().map(|test| ("the predicted classes", test));
    let measures = result.measures.iter().filter_map(|measure| Some((name(measure), measure.test.as_ref()?)));
    label.chain(predicted).chain(measures)
}

/// The name of a measure for people.
pub(super) fn name(measure: &MeasureDrift) -> &'static str {
    match measure.measure {
        "log_loss" => "log-loss",
        "error_rate" => "error rate",
        "auc" => "AUC",
        "calibration_error" => "calibration error",
        other => other,
    }
}

pub(super) fn text(result: &Monitored, top: usize, is_short: bool) -> String {
    let mut text = format!("{}\n\n", result.summary);
    let listed: Vec<&ColumnDrift> =
        result.columns.iter().filter(|column| !is_short || column.status >= Status::Notice).collect();
    if !listed.is_empty() {
        let mut table = Table::new(["column", "status", ">PSI", ">chance", ">p", "change"]);
        for column in listed.iter().take(top) {
            let test = column.worst();
            let [psi, chance, p] = numbers(test);
            table.row([
                column.column.clone(),
                word(column.status).to_owned(),
                psi,
                chance,
                p,
                change(column),
            ]);
        }
        text.push_str(&table.to_string());
        if listed.len() > top {
            let more = counted(listed.len() - top, "more column", "more columns");
            text.push_str(&format!("... and {more} (`--top` shows more)\n"));
        }
        text.push('\n');
    }
    text.push_str(&classes(result));
    text.push_str(&measures(result));
    if result.impossible_rows > 0 {
        text.push_str(&format!(
            "{} impossible under every class\n",
            counted(result.impossible_rows, "row is", "rows are")
        ));
    }
    if !is_short {
        text.push_str(&format!(
            "An alarm is a PSI of {} beyond chance, or a rise of log-loss or error rate by {} %, with p < {} ({}, Holm).\n",
            short(result.rules.alarm),
            short(100.0 * result.rules.alarm_rise),
            short(result.rules.alpha),
            counted(result.tests, "test", "tests")
        ));
    }
    if let Some(html) = &result.html {
        text.push_str(&format!("wrote {}\n", html.display()));
    }
    text
}

fn numbers(test: Option<&Test>) -> [String; 3] {
    let Some(test) = test else { return Default::default() };
    let number = |value: Option<f64>| value.map_or_else(String::new, rough);
    [number(test.psi), number(test.psi_by_chance), p_value(test.adjusted_p_value)]
}

pub(super) fn p_value(p: f64) -> String {
    if p < 1e-4 { "< 0.0001".into() } else { rough(p) }
}

/// The change of a column in a few words.
pub(super) fn change(column: &ColumnDrift) -> String {
    if column.is_about_missing()
        && let Some(missing) = &column.missing
    {
        return format!("missing {} → {}", percent(missing.model), percent(missing.new));
    }
    if let Some(term) = column.terms.first() {
        return format!("{:?} {} → {} times a row", term.name, rough(term.model), rough(term.new));
    }
    if column.compared == "mean"
        && let Some(mean) = &column.mean
    {
        return format!("mean {} → {}", short(mean.model), short(mean.new));
    }
    if let Some(group) = largest(&column.groups) {
        return of_group(group);
    }
    column.why_not_tested.unwrap_or_default().to_owned()
}

fn of_group(group: &Group) -> String {
    format!("{} {} → {}", visible(&group.name), percent(group.model), percent(group.new))
}

/// The group that adds most to the stability index.
fn largest(groups: &[Group]) -> Option<&Group> {
    let part = |group: &Group| {
        let [p, q] = [group.model, group.new].map(|share| share.max(1e-6));
        (q - p) * (q / p).ln()
    };
    groups.iter().max_by(|a, b| part(a).total_cmp(&part(b)))
}

pub(super) fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0".into(),
        percent if percent < 0.1 => "< 0.1 %".into(),
        percent => format!("{percent:.1} %"),
    }
}

/// The classes of the label, and those that are predicted.
fn classes(result: &Monitored) -> String {
    const MOST_CLASSES: usize = 10;
    let mut text = String::new();
    let of_label = result.label.as_ref().map(|label| ("label", label));
    for (what, drift) in of_label.into_iter().chain([("predicted", &result.predicted)]) {
        let ClassDrift { test, classes, .. } = drift;
        let status = test.as_ref().map_or_else(String::new, |test| {
            let [psi, _, p] = numbers(Some(test));
            format!(": {}, PSI {psi}, p {p}", word(test.status))
        });
        let shares: Vec<String> = classes.iter().take(MOST_CLASSES).map(of_group).collect();
        let more = if classes.len() > MOST_CLASSES { ", ..." } else { "" };
        if !shares.is_empty() {
            text.push_str(&format!("{what}{status}: {}{more}\n", shares.join(", ")));
        }
    }
    text
}

fn measures(result: &Monitored) -> String {
    let mut text = String::new();
    if !result.measures.is_empty() {
        let mut table = Table::new(["measure", "status", ">held out", ">now", ">p"]);
        for own in &result.measures {
            let number =
                |value: Option<f64>| value.map_or_else(String::new, |value| measure(name(own), value));
            let (status, p) = match &own.test {
                Some(test) => (word(test.status), p_value(test.adjusted_p_value)),
                None => ("", String::new()),
            };
            table.row([name(own).to_owned(), status.to_owned(), number(own.held_out), number(own.new), p]);
        }
        text.push_str(&format!("\n{table}"));
    }
    if let Some(probability) = result.mean_probability {
        text.push_str(&format!("mean probability of the predicted class: {}\n", short(probability)));
    }
    text
}
