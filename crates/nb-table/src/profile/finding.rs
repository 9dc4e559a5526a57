//! What is worth knowing of a column before it is used, and why.

use serde::Serialize;

use super::{leakage::Leakage, numbers_profile::NumbersProfile, order::Order, table_profile::ColumnProfile};
use crate::read::{Inference, Reason};

/// Something worth knowing of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// The numbers behind it, and what to do.
    pub why: String,
}

/// What kind of thing is worth knowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FindingKind {
    /// No cell has a value.
    Empty,
    /// All cells have the same value.
    Constant,
    /// The column names the rows.
    Identifier,
    /// The cells number or name the rows, or are in their order, or follow one another at one distance.
    Sequence,
    /// The column repeats the label.
    DuplicatesLabel,
    /// Each value or interval of the column has rows of one class only, alone or together with another
    /// column.
    DeterminesLabel,
    /// The values come again in rows that are much alike, as those of a patient or customer do.
    Group,
    /// The cells are dates.
    Date,
    /// The cells are free text.
    FreeText,
    /// There are many categories.
    HighCardinality,
    /// Half of the cells or more have no value.
    MostlyMissing,
    /// A few texts are among numbers.
    MixedTypes,
    /// Zeros are much more common than other numbers.
    ZeroInflated,
    /// One number is much more common than the others.
    Spiky,
    /// The numbers are skewed, or a few are far away from the others.
    LongTailed,
    /// The numbers are counts of which few are different.
    SmallCounts,
}

impl FindingKind {
    /// The kind in words.
    ///
    /// ```
    /// use nb_table::profile::FindingKind;
    ///
    /// assert_eq!(FindingKind::ZeroInflated.name(), "zero-inflated");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Constant => "constant",
            Self::Identifier => "identifier",
            Self::Sequence => "sequence",
            Self::DuplicatesLabel => "duplicates the label",
            Self::DeterminesLabel => "determines the label",
            Self::Group => "looks like a group",
            Self::Date => "dates",
            Self::FreeText => "free text",
            Self::HighCardinality => "many categories",
            Self::MostlyMissing => "mostly missing",
            Self::MixedTypes => "texts among numbers",
            Self::ZeroInflated => "zero-inflated",
            Self::Spiky => "spiky",
            Self::LongTailed => "long-tailed",
            Self::SmallCounts => "small counts",
        }
    }
}

/// Fewer different numbers are no distribution to speak of.
const FEW: u64 = 10;
/// As many different counts are few.
const MOST_COUNTS: u64 = 30;
/// More categories are many.
const MANY: u64 = 50;

/// All findings of a column, whose other parts are known.
pub(super) fn findings(
    inference: &Inference,
    profile: &ColumnProfile,
    n_rows: u64,
    is_copy: bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut find = |kind, why: String| found.push(Finding { kind, why });
    let of_reason = match &inference.reason {
        Reason::AllMissing => Some(FindingKind::Empty),
        Reason::Constant { .. } => Some(FindingKind::Constant),
        Reason::Identifier | Reason::ManyCategories { .. } | Reason::TooManyCategories { .. } => {
            Some(FindingKind::Identifier)
        }
        Reason::RowNumbers | Reason::InOrder { .. } => Some(FindingKind::Sequence),
        Reason::Dates | Reason::WrittenDates(_) => Some(FindingKind::Date),
        Reason::FreeText { .. } => Some(FindingKind::FreeText),
        Reason::MostlyNumeric { .. } | Reason::Mixed { .. } | Reason::MixedDates { .. } => {
            Some(FindingKind::MixedTypes)
        }
        _ => None,
    };
    if let Some(kind) = of_reason {
        find(kind, inference.reason.to_string());
    }
    if is_copy {
        find(FindingKind::DuplicatesLabel, Reason::DuplicatesLabel.to_string());
    }
    let is_empty = of_reason == Some(FindingKind::Empty);
    if !is_empty && n_rows > 0 && 2 * profile.n_missing >= n_rows {
        find(
            FindingKind::MostlyMissing,
            format!("{} of the cells are missing", percent(profile.n_missing, n_rows)),
        );
    }
    let is_special = matches!(
        of_reason,
        Some(
            FindingKind::Empty
                | FindingKind::Constant
                | FindingKind::Identifier
                | FindingKind::Date
                | FindingKind::FreeText
        )
    );
    if is_special {
        return found;
    }
    if let Some(numbers) = &profile.numbers {
        of_numbers(profile, numbers, of_reason == Some(FindingKind::Sequence), &mut find);
    } else if profile.distinct.n > MANY {
        let average = profile.n_values() as f64 / profile.distinct.n as f64;
        let why = format!("{} categories, of {average:.1} cells each on average", profile.distinct.n);
        find(FindingKind::HighCardinality, why);
    }
    found
}

/// Adds findings about columns that give the label away, and groups.
pub(super) fn of_leakage(leakage: &Leakage, columns: &mut [ColumnProfile]) {
    for group in &leakage.groups {
        let why = format!("{group}; if new rows will have other values, hold rows of a value out together");
        columns[group.feature].findings.push(Finding { kind: FindingKind::Group, why });
    }
    for determines in &leakage.determinants {
        let remedy = "if it is known only after the label is, leave it out";
        for feature in &determines.features {
            let other = determines.features.iter().find(|other| *other != feature);
            let with = other
                .map_or_else(String::new, |&other| format!("together with {:?}: ", columns[other].column));
            let why = format!("{with}{determines}; {remedy}");
            columns[*feature].findings.push(Finding { kind: FindingKind::DeterminesLabel, why });
        }
    }
}

fn of_numbers(
    profile: &ColumnProfile,
    numbers: &NumbersProfile,
    counts_rows: bool,
    find: &mut impl FnMut(FindingKind, String),
) {
    /// Fewer rows may be a coincidence.
    const FEWEST_ROWS: u64 = 20;
    let n = profile.n_numbers;
    if numbers.order == Order::Sequence && n >= FEWEST_ROWS {
        if !counts_rows {
            find(FindingKind::Sequence, "from row to row the numbers rise or fall by the same amount".into());
        }
        return;
    }
    if profile.distinct.n <= FEW {
        return;
    }
    let is_inflated = is_common(numbers.n_zero, n, profile.distinct.n);
    if is_inflated {
        let why = format!(
            "{} of the numbers are 0, and the others are {} different ones; in a plain model, a zero-inflated family suits it",
            percent(numbers.n_zero, n),
            profile.distinct.n - 1
        );
        find(FindingKind::ZeroInflated, why);
    }
    let commonest = profile.commonest.iter().find(|commonest| commonest.value != "0");
    if let Some(spike) = commonest.filter(|spike| is_common(spike.n, n, profile.distinct.n)) {
        let why = format!(
            "{} of the numbers are {}; if it means that the number is not known, make it a marker of missing values",
            percent(spike.n, n),
            spike.value
        );
        find(FindingKind::Spiky, why);
    }
    if let Some(why) = long_tail(numbers).filter(|_| !is_inflated) {
        find(FindingKind::LongTailed, why);
    }
    if numbers.is_whole
        && numbers.n_negative == 0
        && profile.distinct.n <= MOST_COUNTS
        && n >= 10 * profile.distinct.n
    {
        let why = format!(
            "whole numbers from 0, {} different ones; in a plain model, a Poisson family may suit it",
            profile.distinct.n
        );
        find(FindingKind::SmallCounts, why);
    }
}

/// Whether a number is in at least a fifth of the cells, and ten times as often as a number is on average.
fn is_common(n_cells: u64, n: u64, n_distinct: u64) -> bool {
    5 * n_cells >= n && n_cells.saturating_mul(n_distinct) >= 10 * n
}

/// Whether numbers are skewed, and what to do.
fn long_tail(numbers: &NumbersProfile) -> Option<String> {
    /// The skewness of an exponential distribution.
    const SKEWED: f64 = 2.0;
    /// In a normal distribution the quantile of 99 % is 3.4 times as far from the median as that of 75 %.
    const FAR: f64 = 10.0;
    let remedy = if numbers.min > 0.0 {
        "in a plain model, a logarithm may make it normal"
    } else if numbers.min == 0.0 {
        "in a plain model, the logarithm of x + 1 may make it normal"
    } else {
        "in a plain model, a transform of Yeo and Johnson may make it normal"
    };
    let median = numbers.quantile(0.5)?;
    let ratio = |far: f64, near: f64| (far - median) / (near - median);
    let (above, below) = (
        ratio(numbers.quantile(0.99)?, numbers.quantile(0.75)?),
        ratio(numbers.quantile(0.01)?, numbers.quantile(0.25)?),
    );
    if let Some(skewness) = numbers.skewness.filter(|skewness| skewness.abs() > SKEWED) {
        return Some(format!("skewness {skewness:.1}; {remedy}"));
    }
    for (ratio, far, near) in [(above, "99 %", "75 %"), (below, "1 %", "25 %")] {
        if ratio.is_finite() && ratio > FAR {
            return Some(format!(
                "the {far} quantile is {ratio:.0} times as far from the median as the {near} quantile (3.4 times in a normal \
                 distribution); {remedy}"
            ));
        }
    }
    None
}

/// A share in percent, with one decimal unless it is whole.
fn percent(n: u64, of: u64) -> String {
    let percent = 100.0 * n as f64 / of as f64;
    if percent.fract() == 0.0 { format!("{percent} %") } else { format!("{percent:.1} %") }
}
