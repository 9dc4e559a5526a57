//! What `nbayes train` says when it is done.

use std::path::PathBuf;

use nb_io::{DatePart, HeldOutMeasures, Kind, Model, text::Weighting};
use nb_train::{Columns, FoldMeasures, NotHeldOut, Refined};
use serde::Serialize;

use super::{effort::why_plain, measured::Measured, test::Tested, trends::trend, warnings::WarningLine};
use crate::{
    columns::why,
    output::{Table, counted, short, visible},
    plot::pairs_of_columns,
};

#[derive(Serialize)]
pub(super) struct Trained {
    model: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
    /// Rows without a label.
    #[serde(skip_serializing_if = "is_zero")]
    skipped_rows: usize,
    classes: Vec<Class>,
    columns: Vec<ColumnLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// What may make measures of held-out rows better than those of new rows will be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tuned: Vec<Tuned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOutReport>,
    /// Why no rows were held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_held_out: Option<String>,
    /// The columns that add something together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<String>,
    #[serde(skip)]
    is_refined: bool,
    /// How the model labels test rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Tested>,
    /// Why the model is plain, if the program decided that.
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<String>,
}

/// How rows that were held out in turn were classified.
#[derive(Clone, Copy, Serialize)]
pub(in crate::commands) struct HeldOutReport {
    #[serde(flatten)]
    pub(in crate::commands) measures: HeldOutMeasures,
    /// The standard errors of two of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) log_loss_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) accuracy_error: Option<f64>,
    /// Log-loss of a plain model on the same rows, and its accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) log_loss_of_plain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) accuracy_of_plain: Option<f64>,
    #[serde(flatten)]
    pub(super) refined: Option<Factors>,
    /// The number of rows that weights and corrections were learnt from, or that were classified.
    pub(in crate::commands) rows: usize,
    /// Whether weights and corrections were learnt from some of many rows.
    #[serde(skip)]
    pub(in crate::commands) of_some: bool,
    /// Rows that are impossible under every class.
    #[serde(skip_serializing_if = "is_none")]
    pub(super) impossible_rows: u64,
    /// Rows that are not classified, as all rows of their class are in their fold.
    #[serde(skip_serializing_if = "is_none")]
    pub(super) lone_rows: u64,
}

/// What the log-odds of a refined model are made of.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Factors {
    /// How much of weighted naive Bayes is used.
    pub(super) naive_bayes: f64,
    /// How much of the corrections is used.
    pub(super) corrections: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_none(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
struct Class {
    label: String,
    weight: f64,
}

#[derive(Serialize)]
struct ColumnLine {
    name: String,
    family: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<usize>,
    /// What becomes of the counts of terms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weighting: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<&'static str>,
    why: String,
}

/// A hyper-parameter that was tuned, of the columns of a block.
#[derive(Serialize)]
struct Tuned {
    family: String,
    columns: usize,
    parameter: String,
    value: f64,
    /// The mean log-loss of a row held out, with all blocks together.
    log_loss: f64,
    standard_error: f64,
}

/// A column that is no feature.
#[derive(Serialize)]
struct LeftOut {
    name: String,
    why: String,
}

impl Trained {
    /// What is known of a model of these columns.
    pub(super) fn new(file: PathBuf, model: &Model, n_rows: Option<usize>, columns: &Columns) -> Self {
        let (classes, mut lines) = (classes(model), lines(columns));
        if model.refinement().is_none() {
            for (line, learnt) in lines.iter_mut().zip(super::prepared::learnt_by_column(model)) {
                line.family.extend(learnt.map(|learnt| format!(", {learnt}")));
            }
        }
        let left_out = columns.left_out.iter();
        let left_out = left_out.map(|column| LeftOut { name: column.column.clone(), why: why(column) });
        // No row is left out for another reason.
        let skipped_rows = n_rows.map_or(0, |n_rows| columns.inferred.n_rows.saturating_sub(n_rows));
        Self {
            model: file,
            rows: n_rows,
            skipped_rows,
            classes,
            columns: lines,
            left_out: left_out.collect(),
            warnings: Vec::new(),
            tuned: Vec::new(),
            held_out: None,
            not_held_out: None,
            pairs: Vec::new(),
            is_refined: false,
            test: None,
            plain: None,
        }
    }

    /// The same for a model that was trained here.
    pub(super) fn of(file: PathBuf, trained: &nb_train::Trained, test: Option<Tested>) -> Self {
        let nb_train::Trained { model, n_rows, columns, tuned, refined, plain, folds, .. } = trained;
        let mut result = Self::new(file, model, Some(*n_rows), columns).plain(plain.as_ref().map(why_plain));
        result.test = test;
        result.warnings = trained.warnings.iter().filter_map(WarningLine::of).collect();
        result.tuned = tuned.iter().map(Tuned::of).collect();
        match folds {
            Some(Ok(measures)) => result.held_out = Some(HeldOutReport::of_folds(measures)),
            Some(Err(why)) => result.not_held_out = Some(why_not_held_out(why)),
            None => {}
        }
        match (refined, model.refinement()) {
            (Some(refined), Some(refinement)) => {
                let held_out = HeldOutReport::of_refined(refinement.held_out, *refined);
                result.refined(model, held_out)
            }
            _ => result,
        }
    }

    /// The same for a plain model, with why the program decided so.
    pub(super) fn plain(self, why: Option<String>) -> Self {
        Self { plain: why, ..self }
    }

    /// The same for a refined model, whose families are bins and categories.
    fn refined(mut self, model: &Model, held_out: HeldOutReport) -> Self {
        let positions = model.schema().columns.iter().zip(model.schema().feature_ranges());
        for (line, (column, mut features)) in self.columns.iter_mut().zip(positions) {
            let is_number = matches!(column.kind, Kind::Numeric | Kind::Count);
            let correction =
                features.next().and_then(|feature| model.refinement()?.columns.corrections.get(feature));
            let Some(correction) = correction.filter(|_| is_number) else { continue };
            let Some(cuts) = correction.cuts() else { continue };
            line.family = format!("binned, {}", counted(cuts.len() as f64 + 1.0, "bin", "bins"));
            line.family.extend(correction.rising().map(|rising| format!(", {}", trend(model, rising))));
        }
        let pairs = model.refinement().into_iter().flat_map(|refinement| &refinement.columns.pairs);
        let pairs = pairs.map(|pair| model.schema().joint_name(&pair.columns)).collect();
        Self { held_out: Some(held_out), is_refined: true, pairs, ..self }
    }
}

impl Tuned {
    fn of(tuned: &nb_train::Tuned) -> Self {
        Self {
            family: tuned.family.to_lowercase(),
            columns: tuned.columns,
            parameter: tuned.parameter.clone(),
            value: tuned.value,
            log_loss: tuned.log_loss,
            standard_error: tuned.standard_error,
        }
    }
}

/// Why no rows were held out, and what to do.
fn why_not_held_out(why: &NotHeldOut) -> String {
    match why {
        NotHeldOut::FewRows => format!("{why}; `nbayes evaluate --leave-one-out` judges each by the others"),
        NotHeldOut::Weight { name, row, weight } => format!(
            "{name}, row {}: the weight is {weight:e}; rows are held out with weights of 0, or from 2^-60 to 2^60",
            row + 1
        ),
        why => why.to_string(),
    }
}

impl HeldOutReport {
    /// How well held-out rows were classified by a refined model.
    pub(in crate::commands) fn of_refined(measures: HeldOutMeasures, refined: Refined) -> Self {
        let Refined { naive_bayes, corrections, n_rows, is_of_all, errors, plain, .. } = refined;
        Self {
            measures,
            log_loss_error: Some(errors.log_loss),
            accuracy_error: Some(errors.accuracy),
            log_loss_of_plain: plain.map(|[log_loss, _]| log_loss).filter(|log_loss| log_loss.is_finite()),
            accuracy_of_plain: plain.map(|[_, accuracy]| accuracy),
            refined: Some(Factors { naive_bayes, corrections }),
            rows: n_rows,
            of_some: !is_of_all,
            impossible_rows: 0,
            lone_rows: 0,
        }
    }

    fn of_folds(of_folds: &FoldMeasures) -> Self {
        let FoldMeasures { measures, errors, n_rows, impossible_rows, lone_rows, .. } = *of_folds;
        Self {
            measures,
            log_loss_error: Some(errors.log_loss).filter(|error| error.is_finite()),
            accuracy_error: Some(errors.accuracy),
            log_loss_of_plain: None,
            accuracy_of_plain: None,
            refined: None,
            of_some: false,
            rows: n_rows as usize,
            impossible_rows,
            lone_rows,
        }
    }

    /// The measures, and what is known of them; the model has this many rows, if they were counted.
    fn text(&self, n_rows: Option<usize>) -> String {
        let HeldOutMeasures {
            log_loss, log_loss_of_prior, accuracy, majority, auc, calibration_error, ..
        } = self.measures;
        let measured = Measured {
            log_loss: Some(log_loss),
            log_loss_of_prior: Some(log_loss_of_prior),
            accuracy: Some(accuracy),
            majority: Some(majority),
            auc,
            calibration_error,
            errors: [self.log_loss_error, self.accuracy_error],
            plain: [self.log_loss_of_plain, self.accuracy_of_plain],
        };
        let model = if self.refined.is_some() { "refined" } else { "plain" };
        let mut text = format!("\n{}", measured.table("held-out rows", model));
        let is_part = n_rows.is_some_and(|n_rows| n_rows > self.rows);
        if self.refined.is_some() {
            text.push_str(self.says_nothing().unwrap_or_default());
            if self.of_some {
                text.push_str(&format!(
                    "weights and corrections are learnt from {} of the rows; --best learns from more\n",
                    self.rows
                ));
            }
            return text;
        }
        if is_part && n_rows.is_some_and(|n_rows| n_rows - self.rows > self.lone_rows as usize) {
            text.push_str(&format!("measured on {} of the rows\n", self.rows));
        }
        if self.impossible_rows > 0 {
            text.push_str(&format!(
                "{} impossible under every class, and counted as wrong\n",
                counted(self.impossible_rows, "row is", "rows are")
            ));
        }
        if self.lone_rows > 0 {
            text.push_str(&format!(
                "{} not classified, having a class of which the other rows have none\n",
                counted(self.lone_rows, "row is", "rows are")
            ));
        }
        text
    }
}

impl HeldOutReport {
    /// That a refined model uses no column, if so.
    pub(in crate::commands) fn says_nothing(&self) -> Option<&'static str> {
        let Factors { naive_bayes, corrections } = self.refined?;
        (naive_bayes == 0.0 && corrections == 0.0).then_some(
            "no column predicts held-out rows better than the class prior, which is all that the model uses\n",
        )
    }
}

fn classes(model: &Model) -> Vec<Class> {
    let weights = model.stats().class_weights();
    let classes = model.stats().classes().zip(weights);
    classes.map(|(label, weight)| Class { label: label.clone(), weight: weight.to_f64() }).collect()
}

fn lines(columns: &Columns) -> Vec<ColumnLine> {
    let inferences = columns.inferred.columns.iter();
    inferences
        .map(|inference| ColumnLine {
            name: inference.column.clone(),
            family: columns.choices.of(inference).name(),
            categories: match &inference.kind {
                Kind::Categorical { levels } => Some(levels.len()),
                _ => None,
            },
            terms: match &inference.kind {
                Kind::Text(text) => Some(text.terms.len()),
                _ => None,
            },
            weighting: match &inference.kind {
                Kind::Text(text) => weighting(&text.weighting),
                _ => Vec::new(),
            },
            parts: match &inference.kind {
                Kind::Dates(parts) => parts.iter().map(DatePart::name).collect(),
                _ => Vec::new(),
            },
            why: why(inference),
        })
        .collect()
}

/// The options of training that weight the terms of texts in this way.
fn weighting(weighting: &Weighting) -> Vec<&'static str> {
    let options = [
        (weighting.log_term_frequency, "--log-tf"),
        (weighting.inverse_document_frequency.is_some(), "--idf"),
        (weighting.normalize_length, "--normalize-length"),
    ];
    options.into_iter().filter(|(is_used, _)| *is_used).map(|(_, option)| option).collect()
}

/// Maximum number of columns listed one by one.
const MOST_LINES: usize = 40;

pub(super) fn text(result: &Trained) -> String {
    let mut table = Table::new(["column", "family", "why"]);
    for line in result.columns.iter().take(MOST_LINES) {
        let family = match (line.categories, line.terms) {
            (Some(n), _) => format!("{}, {}", line.family, counted(n, "category", "categories")),
            (_, Some(n)) => {
                let weighting =
                    line.weighting.iter().map(|option| format!(" {option}")).collect::<Vec<_>>().concat();
                format!("{}, {}{weighting}", line.family, counted(n, "term", "terms"))
            }
            _ if !line.parts.is_empty() => format!("{}: {}", line.family, line.parts.join(", ")),
            _ => line.family.clone(),
        };
        table.row([&line.name, &family, &line.why]);
    }
    for LeftOut { name, why } in result.left_out.iter().take(MOST_LINES) {
        let name = if name.is_empty() { "\"\"" } else { name };
        table.row([name, "left out", why]);
    }
    let mut text = table.to_string();
    let n_more = |n: usize| n.saturating_sub(MOST_LINES);
    let more = [
        (n_more(result.columns.len()), "more column", "more columns"),
        (n_more(result.left_out.len()), "more column left out", "more columns left out"),
    ];
    let more = more.iter().filter(|(n, _, _)| *n > 0).map(|&(n, one, many)| counted(n, one, many));
    let more = more.collect::<Vec<_>>().join(", and ");
    if !more.is_empty() {
        text.push_str(&format!("... and {more}; --json lists all\n"));
    }
    let classes = result.classes.iter().map(|class| format!("{} ({})", visible(&class.label), class.weight));
    let mut classes: Vec<_> = classes.take(MOST_LINES).collect();
    if result.classes.len() > MOST_LINES {
        classes.push(format!("and {} more", result.classes.len() - MOST_LINES));
    }
    if !result.tuned.is_empty() {
        let mut table = Table::new(["family", ">columns", "tuned", ">chosen", ">held-out log-loss"]);
        for tuned in &result.tuned {
            let loss = format!("{} ± {}", short(tuned.log_loss), short(tuned.standard_error));
            let columns = tuned.columns.to_string();
            table.row([&tuned.family, &columns, &tuned.parameter, &short(tuned.value), &loss]);
        }
        text.push_str(&format!("\n{table}"));
    }
    if let Some(held_out) = &result.held_out {
        text.push_str(&held_out.text(result.rows));
    }
    if !result.pairs.is_empty() {
        text.push_str(&pairs_of_columns(&result.pairs));
    }
    if let Some(test) = &result.test {
        text.push_str(&test.text(if result.is_refined { "refined" } else { "plain" }));
    }
    if let Some(why) = &result.plain {
        text.push_str(&format!("\nplain naive Bayes, without weights and corrections: {why}\n"));
    }
    if let Some(why) = &result.not_held_out {
        text.push_str(&format!("\nno rows were held out: {why}\n"));
    }
    let skipped = match result.skipped_rows {
        0 => String::new(),
        n => format!(" ({n} without a label left out)"),
    };
    let n_rows =
        result.rows.map_or(String::new(), |n_rows| format!("{}{skipped}, ", counted(n_rows, "row", "rows")));
    format!(
        "{text}\n{n_rows}{}, {}: {}\nwrote {}",
        counted(result.columns.len(), "column", "columns"),
        counted(result.classes.len(), "class", "classes"),
        classes.join(", "),
        result.model.display()
    )
}
