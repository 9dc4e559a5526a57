//! `nbayes monitor`: whether new rows are like those of a model.

mod page;
mod rows;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use nb_io::Model;
use serde::Serialize;

use crate::{
    cli::probability,
    data::{Input, Purpose, ReadArgs},
    drift::{
        ClassDrift, ColumnDrift, MeasureDrift, NewRows, Rules, Status, Test, compare_columns, decide,
        label_drift, measure_drift, predicted_drift, stored,
    },
    failure::{Drift, usage},
    model::{fitted, load, weight},
    output::{Replacement, Screen, refuse_inputs, short},
    words::nearest,
};

const ABOUT: &str = "\
What is compared. The model keeps sums, not rows: the counts of bins and categories are compared by the population stability index (PSI), \
numbers of a Gaussian column by mean and variance (the PSI of two normal distributions), counts by their mean, texts by how often each term \
occurs. Missing cells, categories that no row of the model had, and the shares of the classes are compared as well; without labels it is the mean \
probability of each class. With labels, log-loss and error rate are compared with those of held-out rows in training.

When it is an alarm. Only if a difference is large and beyond chance: PSI at least --alarm more than chance gives for this number of rows, and p < --alpha. \
Few rows have a large PSI by chance, and many rows make the smallest difference significant. P-values are of a chi-squared test with \
Fisher's exact test, or of t-tests, corrected for the number of tests (Holm): rows of the same distribution cause a false alarm in at most \
--alpha of all runs.

Exit status: 0 without an alarm (also with notices), 4 with one; 1 and 2 are errors. With --quiet nothing is printed where nothing is found.

Examples:
  nbayes monitor model.nb today.csv
  nbayes monitor model.nb today.csv --html drift.html --quiet
  nbayes monitor model.nb today.csv --json --ignore signup_date";

/// Find drift: compare new rows, labelled or not, with those that a model was trained on, without these rows.
/// Exit status 4 is an alarm.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub(crate) struct Monitor {
    /// The model.
    model: PathBuf,
    /// Data files of new rows, with labels or without.
    #[arg(required = true)]
    files: Vec<String>,
    /// The population stability index from which a difference is a notice.
    #[arg(long, value_name = "PSI", default_value_t = 0.1, value_parser = positive)]
    notice: f64,
    /// The population stability index from which a difference is an alarm.
    #[arg(long, value_name = "PSI", default_value_t = 0.25, value_parser = positive)]
    alarm: f64,
    /// By which share log-loss or error rate must have risen for a notice.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = positive)]
    notice_rise: f64,
    /// By which share log-loss or error rate must have risen for an alarm.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = positive)]
    alarm_rise: f64,
    /// The significance level of all tests together.
    #[arg(long, value_name = "LEVEL", default_value_t = 0.01, value_parser = probability)]
    alpha: f64,
    /// Columns that are not compared, such as dates, which always differ.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Read no labels, also where the files have the column, such as one that is still empty.
    #[arg(long)]
    no_labels: bool,
    /// Write a page with tables and pictures: one HTML file that needs no network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Number of columns to list, the worst first.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    read: ReadArgs,
}

/// A number above zero.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("it must be a number above 0".into()),
    }
}

/// All that is found.
#[derive(Serialize)]
struct Monitored {
    /// The worst of all.
    status: Status,
    /// One line.
    summary: String,
    model: PathBuf,
    files: Vec<String>,
    /// The weight of the rows of the model.
    model_rows: f64,
    rows: u64,
    labeled_rows: u64,
    impossible_rows: u64,
    /// The mean probability of the predicted class.
    mean_probability: Option<f64>,
    rules: Rules,
    tests: usize,
    /// Columns, the worst first.
    columns: Vec<ColumnDrift>,
    label: Option<ClassDrift>,
    predicted: ClassDrift,
    /// Of labelled rows.
    measures: Vec<MeasureDrift>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<PathBuf>,
}

impl Monitor {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        self.check()?;
        let model = load(&self.model)?;
        if weight(&model) <= 0.0 {
            bail!(
                "{}: the model has no rows to compare with; add some with `nbayes update` first",
                self.model.display()
            );
        }
        for name in &self.ignore {
            if !model.schema().columns.iter().any(|column| column.name == *name) {
                let known = model.schema().columns.iter().map(|column| column.name.as_str());
                return Err(usage(format!(
                    "--ignore: the model has no column {name:?}{}",
                    nearest(name, known)
                )));
            }
        }
        note_weights(&model, screen);
        let classifier = fitted(&model)?;
        let inputs = Input::find_all(&self.files, &self.read, screen)?;
        let stored = stored(&model);
        let new = NewRows::new(&stored, model.schema());
        let purpose = if self.no_labels { Purpose::Predict } else { Purpose::Look };
        let read = rows::read(&model, &classifier, (&self.read, purpose), &inputs, new, screen)?;
        let mut result = self.compared(&model, &stored, &read);
        result.files = inputs.iter().map(|input| input.name().to_owned()).collect();
        if let Some(html) = &self.html {
            Replacement::write_whole(html, page::page(&result)?.as_bytes())?;
        }
        if screen.json() || !screen.quiet() || result.status >= Status::Notice {
            screen.show(&result, || text::text(&result, self.top, screen.quiet()))?;
        }
        if result.status == Status::Alarm { Err(Drift.into()) } else { Ok(()) }
    }

    /// Refuses impossible options before anything is read.
    fn check(&self) -> Result<()> {
        for (low, high, names) in [
            (self.notice, self.alarm, "--notice and --alarm"),
            (self.notice_rise, self.alarm_rise, "--notice-rise and --alarm-rise"),
        ] {
            if low > high {
                return Err(usage(format!(
                    "{names}: a notice cannot need more ({low}) than an alarm ({high})"
                )));
            }
        }
        let Some(html) = &self.html else { return Ok(()) };
        let inputs = self.files.iter().map(Path::new).chain([self.model.as_path()]);
        refuse_inputs(Some(html), inputs)?;
        let folder = html.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder {
            bail!("cannot write {}: there is no folder {}", html.display(), folder.display());
        }
        Ok(())
    }

    fn compared(&self, model: &Model, stored: &[crate::drift::Stored], read: &rows::Read<'_>) -> Monitored {
        let rules = Rules {
            notice: self.notice,
            alarm: self.alarm,
            notice_rise: self.notice_rise,
            alarm_rise: self.alarm_rise,
            alpha: self.alpha,
        };
        let mut columns = compare_columns(model, stored, &read.new, &self.ignore);
        let labeled_rows = read.labels.values().sum();
        let mut label = label_drift(model, &read.labels);
        let mut predicted = predicted_drift(model, &read.posteriors, label.is_none());
        let mut measures = match label {
            Some(_) => measure_drift(model, &read.evaluation.measures(), &read.posteriors),
            None => Vec::new(),
        };
        let tests: Vec<&mut Test> = columns
            .iter_mut()
            .flat_map(ColumnDrift::tests_mut)
            .chain(label.iter_mut().filter_map(|label| label.test.as_mut()))
            .chain(&mut predicted.test)
            .chain(measures.iter_mut().filter_map(|measure| measure.test.as_mut()))
            .collect();
        let n_tests = tests.len();
        decide(tests, &rules);
        columns.iter_mut().for_each(ColumnDrift::finish);
        let rank = |column: &ColumnDrift| column.worst().map_or((Status::NotTested, 0.0), Test::rank);
        columns.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal));
        let others = label.iter().chain([&predicted]).filter_map(|drift| drift.test.as_ref());
        let others = others.chain(measures.iter().filter_map(|measure| measure.test.as_ref()));
        let status = columns.iter().map(|column| column.status).chain(others.map(|test| test.status)).max();
        let mut result = Monitored {
            status: status.unwrap_or(Status::NotTested),
            summary: String::new(),
            model: self.model.clone(),
            files: Vec::new(),
            model_rows: weight(model),
            rows: read.new.rows,
            labeled_rows,
            impossible_rows: read.posteriors.impossible,
            mean_probability: read.posteriors.mean_probability(),
            rules,
            tests: n_tests,
            columns,
            label,
            predicted,
            measures,
            html: self.html.clone(),
        };
        result.summary = text::summary(&result);
        result
    }
}

/// The tests take the weights of the rows of the model for numbers of rows.
fn note_weights(model: &Model, screen: Screen) {
    let all = weight(model);
    let rows = model.row_fingerprint().map(|rows| rows.n_rows() as f64);
    if let Some(rows) = rows.filter(|rows| *rows != all) {
        screen.note(&format!(
            "the {} rows of the model have the weight {} together (row weights, or `nbayes decay`); it is taken for their number",
            short(rows),
            short(all)
        ));
    }
}
