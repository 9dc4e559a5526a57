//! What is said of rows that were judged.

use super::{
    judge::{Confused, Evaluated},
    unknown_labels,
};
use crate::{
    model::seen_rows,
    output::{Head, Table, counted, measure, short, visible},
};

/// A matrix of more classes is a list of its largest cells.
const MOST_CLASSES: usize = 12;
/// Maximum number of confusions listed.
const MOST_CONFUSIONS: usize = 15;

pub(super) fn text(result: &Evaluated) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "undefined".into(), short);
    let mut measures = Table::new(["measure", ">value", ">baseline: class prior", ""]);
    let interval = result
        .accuracy_interval
        .map(|(lower, upper)| format!("95 % interval {} to {}", short(lower), short(upper)));
    let of_labels = if result.classes.len() > 2 { "mean over classes, each against the others" } else { "" };
    let calibration = about_calibration(result.calibration_bins);
    let baseline = &result.baseline;
    for (name, value, baseline, note) in [
        ("accuracy", result.accuracy, Some(baseline.accuracy), interval.unwrap_or_default()),
        (
            "balanced accuracy",
            result.balanced_accuracy,
            Some(baseline.balanced_accuracy),
            "mean recall over classes".into(),
        ),
        ("macro F1", result.macro_f1, Some(baseline.macro_f1), String::new()),
        ("log-loss", result.log_loss, Some(baseline.log_loss), "natural logarithm".into()),
        ("Brier score", result.brier, Some(baseline.brier), "sum over classes".into()),
        ("AUC", result.auc, None, of_labels.into()),
        ("calibration error", result.calibration_error, None, calibration),
    ] {
        let baseline = baseline.map(number).unwrap_or_default();
        let value = value.map_or_else(|| number(None), |value| measure(name, value));
        measures.row([name.to_owned(), value, baseline, note]);
    }
    if let Some(covered) = result.covered {
        let rows = format!("rows with a probability of at least {}", covered.min_probability);
        measures.row(["coverage".to_owned(), number(covered.coverage), String::new(), rows]);
        let of = "of these rows".to_owned();
        measures.row(["covered accuracy".to_owned(), number(covered.accuracy), String::new(), of]);
    }
    if let Some(sets) = result.sets {
        let note = |text: &str| text.to_owned();
        let cells = [
            note("set coverage"),
            short(sets.coverage),
            String::new(),
            note("rows whose class is in the prediction set"),
        ];
        measures.row(cells);
        measures.row([
            note("set size"),
            short(sets.mean_size),
            String::new(),
            note("mean number of classes"),
        ]);
    }
    let how = match result.seen_in_training {
        _ if result.leave_one_out => ", each judged by the model without it (leave-one-out)".to_owned(),
        Some(share) => format!(
            ", {}: the measures are optimistic; use held-out rows (`nbayes split`) or --leave-one-out",
            seen_rows::words(share)
        ),
        None => String::new(),
    };
    let mut text = format!("{}{how}\n\n{measures}\n", counted(result.rows, "row", "rows"));
    if !result.decision.is_empty() {
        text.push_str(&format!("labels by the decision rule: {}\n\n", visible(&result.decision.join("; "))));
    }
    if result.undecided_rows > 0 {
        text.push_str(&format!(
            "{} not decided by this rule, and counted as wrong\n\n",
            counted(result.undecided_rows, "row is", "rows are")
        ));
    }
    if result.unseen_labels > 0 {
        text.push_str(&format!(
            "{} that the model does not know: {}\n\n",
            counted(result.unseen_labels, "row has a label", "rows have labels"),
            unknown_labels::text(&result.unknown_labels, result.unseen_labels)
        ));
    }
    if result.impossible_rows > 0 {
        text.push_str(&format!(
            "{} impossible under every class\n\n",
            counted(result.impossible_rows, "row is", "rows are")
        ));
    }
    let mut classes = Table::new(["class", ">rows", ">precision", ">recall", ">F1", ">AUC"]);
    for class in result.classes.iter().take(MOST_CONFUSIONS) {
        let [precision, recall, f1, auc] = [class.precision, class.recall, class.f1, class.auc].map(number);
        classes.row([class.label.clone(), short(class.rows), precision, recall, f1, auc]);
    }
    text.push_str(&classes.to_string());
    if result.classes.len() > MOST_CONFUSIONS {
        text.push_str(&format!(
            "... and {}; --json lists all\n",
            counted(result.classes.len() - MOST_CONFUSIONS, "more class", "more classes")
        ));
    }
    text.push('\n');
    text.push_str(&confusion(result));
    text
}

/// What the calibration error is, over this number of bins.
fn about_calibration(bins: u32) -> String {
    if bins == 0 {
        return "root mean square for the top label; it takes probabilities of 2 rows".into();
    }
    let bins = counted(u64::from(bins), "bin", "bins");
    format!("root mean square for the top label, debiased, {bins} of equal mass")
}

/// The confusion matrix; of many classes its largest cells off the diagonal.
fn confusion(result: &Evaluated) -> String {
    let name = |label: &Option<String>, none: &str| label.clone().unwrap_or_else(|| none.into());
    if result.classes.len() > MOST_CLASSES {
        let mut cells: Vec<&Confused> =
            result.confusion.iter().filter(|cell| cell.label != cell.predicted).collect();
        cells.sort_by(|a, b| b.rows.total_cmp(&a.rows));
        let mut table = Table::new(["label", "taken for", ">rows"]);
        for cell in cells.iter().take(MOST_CONFUSIONS) {
            table.row([name(&cell.label, "(unknown)"), name(&cell.predicted, "(none)"), short(cell.rows)]);
        }
        let mut text = table.to_string();
        if cells.len() > MOST_CONFUSIONS {
            let rest =
                counted(cells.len() - MOST_CONFUSIONS, "more pair of classes", "more pairs of classes");
            text.push_str(&format!("... and {rest}; --json lists all\n"));
        }
        return text;
    }
    let mut labels: Vec<Option<String>> =
        result.classes.iter().map(|class| Some(class.label.clone())).collect();
    let mut columns = labels.clone();
    if result.unseen_labels > 0 {
        labels.push(None);
    }
    if result.impossible_rows + result.undecided_rows > 0 {
        columns.push(None);
    }
    let names: Vec<String> = columns.iter().map(|label| name(label, "(none)")).collect();
    let heads = names.iter().map(|name| Head::Right(name));
    let mut table = Table::with_heads([Head::Left("label \\ predicted")].into_iter().chain(heads));
    for label in &labels {
        let cells = columns.iter().map(|predicted| {
            let cell =
                result.confusion.iter().find(|cell| cell.label == *label && cell.predicted == *predicted);
            cell.map_or_else(|| "0".into(), |cell| short(cell.rows))
        });
        table.row([name(label, "(unknown)")].into_iter().chain(cells));
    }
    table.to_string()
}
