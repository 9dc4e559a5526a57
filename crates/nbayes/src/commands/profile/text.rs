//! A profile on the screen.

use nb_io::profile::LabelProfile;

use super::{Line, Profiled, distinct, percent, share_of_entropy, shortened};
use crate::output::{Table, counted, visible};

/// How long a common value may be.
const LONGEST: usize = 18;

pub(super) fn text(result: &Profiled, top: usize) -> String {
    let has_information = result.columns.iter().any(|line| line.profile.information.is_some());
    let mut heads = vec!["column", "family", ">missing", ">distinct", ">min", ">median", ">max", "commonest"];
    if has_information {
        heads.push(">information");
    }
    let mut table = Table::new(heads);
    for line in result.columns.iter().take(top) {
        let mut row = row(line, result.rows);
        if has_information {
            let information = line.profile.information;
            row.push(information.map_or_else(String::new, |known| share_of_entropy(known.share)));
        }
        table.row(row);
    }
    let mut text = table.to_string();
    if result.columns.len() > top {
        text.push_str(&format!("... and {} more (`--top` shows more)\n", result.columns.len() - top));
    }
    if has_information {
        text.push_str(
            "\ninformation: mutual information with the label, as a share of the entropy of the label; by chance up to ",
        );
        let chance = result
            .columns
            .iter()
            .filter_map(|line| line.profile.information)
            .map(|known| if known.nats > 0.0 { known.by_chance * known.share / known.nats } else { 0.0 });
        text.push_str(&format!("{}\n", share_of_entropy(chance.fold(0.0, f64::max).min(1.0))));
    }
    text.push_str(&findings(result, top));
    text.push_str(&format!(
        "\n{}, {}",
        counted(result.rows, "row", "rows"),
        counted(result.columns.len(), "column", "columns")
    ));
    if let Some(label) = &result.label {
        text.push_str(&format!(", {}", label_text(label)));
    }
    if let Some(html) = &result.html {
        text.push_str(&format!("\nwrote {}", html.display()));
    }
    text
}

fn row(line: &Line, rows: u64) -> Vec<String> {
    let profile = &line.profile;
    let name = if profile.column.is_empty() { "\"\"".into() } else { profile.column.clone() };
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| line.number(value));
    let numbers = profile.numbers.as_ref();
    let median = numbers.and_then(|numbers| {
        numbers.quantiles.iter().find(|quantile| quantile.probability == 0.5).map(|quantile| quantile.value)
    });
    let commonest = line.commonest().map(|(value, n)| {
        let at_least = if profile.max_count_error > 0 { "≥ " } else { "" };
        format!("{} ({at_least}{})", shortened(&visible(&value), LONGEST), percent(n, rows))
    });
    vec![
        name,
        line.family.clone(),
        percent(profile.n_missing, rows),
        distinct(profile.distinct),
        number(numbers.map(|numbers| numbers.min)),
        number(median),
        number(numbers.map(|numbers| numbers.max)),
        commonest.unwrap_or_default(),
    ]
}

/// What is worth knowing, a line each.
fn findings(result: &Profiled, top: usize) -> String {
    let findings = result.columns.iter().flat_map(|line| {
        line.profile.findings.iter().map(move |finding| (line.profile.column.as_str(), finding))
    });
    let all: Vec<_> = findings.collect();
    if all.is_empty() {
        return String::new();
    }
    let mut table = Table::new(["column", "finding", "why"]);
    for (column, finding) in all.iter().take(top) {
        table.row([if column.is_empty() { "\"\"" } else { column }, finding.kind.name(), &finding.why]);
    }
    let more = all.len().saturating_sub(top);
    let more = if more > 0 { format!("... and {more} more\n") } else { String::new() };
    format!("\n{table}{more}")
}

fn label_text(label: &LabelProfile) -> String {
    const NAMED: usize = 10;
    let is_all = label.classes.len() as u64 == label.distinct.n && label.classes.len() <= NAMED;
    let named = label.classes.iter().take(NAMED);
    let named: Vec<String> = named.map(|class| format!("{} ({})", visible(&class.value), class.n)).collect();
    let missing = match label.n_missing {
        0 => String::new(),
        n => format!("; {} without a label", counted(n, "row", "rows")),
    };
    let classes = if label.distinct.is_exact {
        counted(label.distinct.n, "class", "classes")
    } else {
        format!("{} classes", distinct(label.distinct))
    };
    format!("{classes}: {}{}{missing}", named.join(", "), if is_all { "" } else { ", ..." })
}
