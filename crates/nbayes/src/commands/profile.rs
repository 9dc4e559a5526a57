//! `nbayes profile`: what the columns of data files hold, and what `train` makes of them.

mod page;
mod text;

use std::path::PathBuf;

use anyhow::{Result, bail};
use nb_io::{
    DateOrder, Kind,
    profile::{ColumnProfile, FindingKind, LabelProfile, Profiler, TableProfile},
    read::{Inference, Reason},
};
use serde::Serialize;

use crate::{
    columns::{Columns, Found, family_option, order_option, why},
    data::{Purpose, Wanted},
    design::Choice,
    failure::usage,
    output::{Replacement, Screen, refuse_inputs},
};

const EXAMPLES: &str = "\
Examples:
  nbayes profile data.csv --label diagnosis
  nbayes profile january.csv february.csv.gz --html profile.html
  nbayes profile @pima --json";

/// Profile the columns of data files: missing cells, distinct values, quantiles, what they say of the label,
/// and what `nbayes train` makes of them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Profile {
    /// Write a page with pictures of all columns: one HTML file that needs no network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The number of columns, and of findings, that are shown on the screen.
    #[arg(long, value_name = "N", default_value_t = 40)]
    top: usize,
    #[command(flatten)]
    columns: Columns,
}

/// A profile, and what becomes of each column.
#[derive(Serialize)]
struct Profiled {
    files: Vec<String>,
    rows: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<LabelProfile>,
    columns: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<PathBuf>,
}

/// A column.
#[derive(Serialize)]
struct Line {
    /// The family that `train` chooses.
    family: String,
    /// The family that `train --plain` chooses.
    plain_family: String,
    /// Whether `train` leaves the column out.
    left_out: bool,
    why: String,
    #[serde(skip)]
    is_dates: bool,
    #[serde(flatten)]
    profile: ColumnProfile,
}

impl Profile {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if let Some(html) = &self.html {
            refuse_inputs(Some(html), self.columns.paths())?;
            let folder = html.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
            if let Some(folder) = folder {
                bail!("cannot write {}: there is no folder {}", html.display(), folder.display());
            }
        }
        let (found, label) = self.columns.find_all(screen)?;
        let profile = profile_of(&found, label.as_deref(), screen)?;
        let label = profile.label.filter(|label| label.n_missing > 0 || label.distinct.n > 0);
        let columns = found.columns.inferred.columns.iter().zip(profile.columns);
        let result = Profiled {
            files: found.inputs.iter().map(|input| input.name().to_owned()).collect(),
            rows: profile.n_rows,
            label,
            columns: columns.map(|(inference, profile)| line(&found, inference, profile)).collect(),
            html: self.html.clone(),
        };
        if let Some(html) = &self.html {
            Replacement::write_whole(html, page::page(&result)?.as_bytes())?;
        }
        screen.show(&result, || text::text(&result, self.top))
    }
}

/// The profile of all files together.
fn profile_of(found: &Found, label: Option<&str>, screen: Screen) -> Result<TableProfile> {
    let read = &found.read;
    let mut profiler = Profiler::new(&found.columns.inferred);
    if let (Some(label), Some(first)) = (label, found.inputs.first()) {
        profiler = profiler.with_label_missing(label, read.missing_markers(first));
    }
    let (schema, texts) = (profiler.schema(), profiler.texts());
    for input in &found.inputs {
        let ids: &[String] = if read.has_named_columns(input) { &texts } else { &[] };
        let wanted = Wanted { ids, inferred: Some(&found.columns.inferred), ..Wanted::default() };
        let mut reader = read.open(input, &schema, wanted, Purpose::Profile, screen)?;
        profiler.read(reader.as_mut())?;
    }
    let profile = profiler.profile();
    if profile.n_rows == 0 {
        return Err(usage("the files have no rows"));
    }
    Ok(profile)
}

/// What becomes of a column.
fn line(found: &Found, inference: &Inference, mut profile: ColumnProfile) -> Line {
    let choice = found.columns.choices.of(inference);
    let is_copy = profile.findings.iter().any(|finding| finding.kind == FindingKind::DuplicatesLabel);
    let is_plain = found.columns.column_of_family().is_some();
    // As `train` finds out when it fits a plain model.
    let without_values = profile
        .class_without_values
        .clone()
        .filter(|_| choice == Choice::GAUSSIAN && !found.columns.choices.has(&inference.column));
    let left_out_if_plain = without_values.is_some();
    let reason = if found.columns.is_useless(inference) {
        Some(inference.reason.clone())
    } else if is_copy && found.columns.leaves_out_copy(&inference.column) {
        Some(Reason::DuplicatesLabel)
    } else {
        without_values.filter(|_| is_plain).map(|class| Reason::NoValuesInClass { class })
    };
    let left_out = reason.is_some() || choice == Choice::Ignore;
    let reason = reason.unwrap_or_else(|| inference.reason.clone());
    // Eight digits are shown as they are.
    let is_dates = match &inference.reason {
        Reason::Dates => true,
        reason => reason.dates().is_some_and(|dates| dates.order() != DateOrder::Compact),
    };
    let plain_family = match &inference.kind {
        _ if left_out || left_out_if_plain => "left out".into(),
        Kind::Categorical { levels } => format!("{}, {}", choice.name(), levels.len()),
        _ => choice.name(),
    };
    let is_binned = !left_out && !is_plain && inference.kind == Kind::Numeric;
    let family = if is_binned { "binned".into() } else { plain_family.clone() };
    let why = why(&Inference { reason, ..inference.clone() });
    for finding in &mut profile.findings {
        let option = match finding.kind {
            FindingKind::Group => "group",
            FindingKind::DeterminesLabel => "ignore",
            FindingKind::Date => {
                finding.why.push_str(&order_option(inference));
                continue;
            }
            _ => continue,
        };
        finding.why.push_str(&format!(" (`{}`)", family_option(option, &profile.column)));
    }
    Line { family, plain_family, left_out, why, is_dates, profile }
}

impl Line {
    /// The commonest value and how often it occurs; none if that says nothing.
    fn commonest(&self) -> Option<(String, u64)> {
        let first = self.profile.commonest.first()?;
        // That each value occurs once is no news, and a count within its error says nothing.
        if first.n < 2 || first.n <= self.profile.max_count_error {
            return None;
        }
        let date = if self.is_dates { first.value.parse().map(date).ok() } else { None };
        Some((date.unwrap_or_else(|| first.value.clone()), first.n))
    }

    /// A number of the column: a date, if it is one.
    fn number(&self, value: f64) -> String {
        if self.is_dates { date(value) } else { crate::output::short(value) }
    }
}

/// The date, in the proleptic Gregorian calendar, of a number of days since 1970-01-01.
fn date(days: f64) -> String {
    // Howard Hinnant, chrono-compatible low-level date algorithms: years begin with March, in eras of 400
    // years.
    const DAYS_OF_ERA: i64 = 146_097;
    let shifted = days.floor() as i64 + 719_468;
    let (era, day) = (shifted.div_euclid(DAYS_OF_ERA), shifted.rem_euclid(DAYS_OF_ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + 400 * era, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", if month <= 2 { year + 1 } else { year })
}

/// A text of this many characters at most.
fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.into();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

/// A share in percent.
fn percent(n: u64, of: u64) -> String {
    match (n, of) {
        (0, _) | (_, 0) => "0".into(),
        _ => {
            let percent = 100.0 * n as f64 / of as f64;
            match percent {
                percent if percent < 0.1 => "< 0.1 %".into(),
                percent if percent < 10.0 => format!("{percent:.1} %"),
                percent if percent > 99.5 && n < of => "> 99 %".into(),
                percent => format!("{percent:.0} %"),
            }
        }
    }
}

/// The mutual information of a column as a share of the entropy of the label.
fn share_of_entropy(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0".into(),
        percent if percent < 0.1 => "< 0.1 %".into(),
        percent => format!("{percent:.1} %"),
    }
}

/// A count of different values; an estimate with two digits.
fn distinct(distinct: nb_io::profile::Distinct) -> String {
    if distinct.is_exact {
        return distinct.n.to_string();
    }
    let unit = 10_u64.pow(distinct.n.max(1).ilog10().saturating_sub(1));
    format!("≈ {}", (distinct.n + unit / 2) / unit * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_days() {
        for (days, text) in [
            (0.0, "1970-01-01"),
            (0.9, "1970-01-01"),
            (-0.5, "1969-12-31"),
            (59.0, "1970-03-01"),
            (11_016.0, "2000-02-29"),
            (19_753.0, "2024-01-31"),
            (-719_468.0, "0000-03-01"),
        ] {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn shares_do_not_round_to_all_or_nothing() {
        assert_eq!(
            (percent(0, 9), percent(1, 100_000), percent(99_999, 100_000)),
            ("0".into(), "< 0.1 %".into(), "> 99 %".into())
        );
        assert_eq!(
            (percent(1, 3), percent(1, 30), percent(5, 5)),
            ("33 %".into(), "3.3 %".into(), "100 %".into())
        );
    }
}
