//! `nbayes report`: a model and how good it is on labelled rows, as one page; without rows a model card.

mod card;
mod contributions;
mod curves;
mod decisions;
mod page;
mod quality;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nb_calibration::{Decision, DecisionRule};
use nb_core::Likelihood;
use nb_io::{Model, read::Chunk};
use nb_metrics::{Confusion, Evaluation, Measures};
use nb_report::Document;
use serde::Serialize;

use super::plot::class_shares;
use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    failure::usage,
    importance::{Importance, Terms, rises},
    model::{Answer, Seen, Unfamiliar, for_each_answer, load_classifier, seen_rows, uncalibrated},
    output::{Replacement, Screen, counted, quoted_list, refuse_inputs, short, visible},
    plot::{Curvatures, Fitted},
    words::value_error,
};

const EXAMPLES: &str = "\
Examples:
  nbayes report model.nb -o card.md
  nbayes report model.nb test.csv -o report.html
  nbayes report model.nb test.csv -o report.html --top 12 --repeats 20";

/// Write a report on a model and its quality on labelled rows: measures beside those of the majority class,
/// confusion matrix, ROC and precision-recall curves, calibration, gain and lift, decision and cost curves of
/// two classes, importance and contributions of columns. Without rows it is a model card: what the model is,
/// from which rows, its held-out measures, decisions and limits. One HTML file that needs no network, or
/// Markdown if the name of the output ends in .md.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Report {
    /// The model.
    model: PathBuf,
    /// A data file with labels, held out from training [default: none, for a model card].
    file: Option<String>,
    /// The file to write: HTML, or Markdown if the name ends in .md.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The label that curves and decisions are about [default: that of the decision rule; else the second of
    /// two, and each of more].
    #[arg(long, value_name = "LABEL", requires = "file")]
    positive: Option<String>,
    /// Number of columns whose contributions are drawn, the most important ones.
    #[arg(long, default_value_t = 8)]
    top: usize,
    /// Number of permutations of each column, for its importance.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Random seed of the permutations.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    read: ReadArgs,
}

/// All that the page says.
struct Found<'a> {
    model: &'a Model,
    classifier: &'a Fitted,
    /// The same without its calibration map: its scores are sums over the columns.
    uncalibrated: &'a Fitted,
    /// The names of the model's file and of the data.
    model_name: String,
    file: &'a str,
    /// The share of the rows that the model was trained on, if it is known.
    seen: Option<f64>,
    /// The class that curves are about, if it is chosen.
    positive: Option<usize>,
    measures: Measures,
    confusion: Confusion,
    /// The measures if every row is predicted by the class shares of the training rows.
    baseline: Measures,
    /// Of every row with a known label and an answer: its class.
    truths: Vec<usize>,
    /// Their log-posteriors, class by class.
    log_posteriors: Vec<f64>,
    importance: Vec<Importance>,
    /// How many rows the importance is of.
    n_permuted: usize,
    class_shares: Vec<f64>,
    repeats: usize,
    top: usize,
    curvature: Curvatures,
}

#[derive(Serialize)]
struct Reported<'a> {
    file: &'a Path,
    data: &'a str,
    rows: u64,
    accuracy: Option<f64>,
    baseline_accuracy: Option<f64>,
    log_loss: Option<f64>,
    baseline_log_loss: Option<f64>,
    auc: Option<f64>,
}

impl Report {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, classifier) = load_classifier(&self.model)?;
        let uncalibrated = uncalibrated(&model)?;
        let output = self.output.as_path();
        let file = self.file.as_deref().map(Path::new);
        refuse_inputs(Some(output), [self.model.as_path()].into_iter().chain(file))?;
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder {
            bail!("cannot write {}: there is no folder {}", output.display(), folder.display());
        }
        let Some(file) = &self.file else {
            let (document, carded) = card::card(&self.model, output, &model, &uncalibrated);
            write(output, &document)?;
            return screen.report(&carded, || carded.text());
        };
        let input = Input::find(file)?;
        let mut rows = Predicted::new(&uncalibrated, &model);
        let positive = self.positive(&model, &classifier)?;
        let seen = self.read_rows(&model, [&classifier, &uncalibrated], &input, &mut rows, screen)?;
        let measures = rows.evaluation.measures();
        if measures.rows.rows == 0 {
            bail!("{}: there are no rows to report on", input.name());
        }
        // Where columns depend on each other, none has its own part.
        let n_permuted = if uncalibrated.likelihood().is_additive() { rows.terms.n_rows().0 } else { 0 };
        let importance =
            if n_permuted > 0 { rises(&rows.terms, self.repeats.max(1), self.seed).2 } else { Vec::new() };
        let name = self.model.file_name().unwrap_or(self.model.as_os_str()).to_string_lossy();
        let found = Found {
            model: &model,
            classifier: &classifier,
            uncalibrated: &uncalibrated,
            model_name: name.into_owned(),
            file: input.name(),
            seen,
            positive,
            measures,
            confusion: rows.evaluation.confusion().clone(),
            baseline: rows.baseline.measures(),
            truths: rows.truths,
            log_posteriors: rows.log_posteriors,
            importance,
            n_permuted,
            class_shares: rows.class_shares,
            repeats: self.repeats.max(1),
            top: self.top,
            curvature: rows.curvature,
        };
        write(output, &page::page(&found))?;
        let reported = Reported {
            file: output,
            data: input.name(),
            rows: found.measures.rows.rows,
            accuracy: found.measures.accuracy,
            baseline_accuracy: found.baseline.accuracy,
            log_loss: found.measures.log_loss,
            baseline_log_loss: found.baseline.log_loss,
            auc: found.measures.auc,
        };
        screen.report(&reported, || text(&reported))
    }

    /// The class that curves are about, by option or decision rule.
    fn positive(&self, model: &Model, classifier: &Fitted) -> Result<Option<usize>> {
        let Some(label) = &self.positive else {
            return Ok(match model.decision().map(Decision::rule) {
                Some(DecisionRule::Threshold { positive, .. }) => Some(*positive),
                _ => None,
            });
        };
        let classes = classifier.classes();
        let place = classes.iter().position(|class| class == label);
        place.map(Some).ok_or_else(|| {
            usage(format!("the model has no class {label:?}; its classes are {}", quoted_list(classes)))
        })
    }

    fn read_rows(
        &self,
        model: &Model,
        [classifier, uncalibrated]: [&Fitted; 2],
        input: &Input,
        rows: &mut Predicted,
        screen: Screen,
    ) -> Result<Option<f64>> {
        let read = self.read.of_model(model);
        let wanted = Wanted { classes: classifier.classes().to_vec(), ..Wanted::default() };
        let mut reader = read.open(input, model.schema(), wanted, Purpose::Compare, screen)?;
        let mut unfamiliar = Unfamiliar::new(model);
        let mut seen = Seen::new(model);
        let origin = Origin { input, read: &read, schema: model.schema(), purpose: Purpose::Compare };
        while let Some(chunk) = reader.next_chunk()? {
            crate::interrupt::check()?;
            unfamiliar.look(&chunk);
            seen.look(&chunk);
            let predicted = classifier
                .try_predict_each(&chunk.rows)
                .map_err(|error| value_error(error, origin, chunk.first_row))?;
            rows.add([classifier, uncalibrated], &chunk, &predicted)
                .with_context(|| format!("{}, rows from {}", input.name(), chunk.first_row + 1))?;
        }
        unfamiliar.note(screen);
        let share = seen.share();
        if let Some(share) = share {
            seen_rows::note(share, screen);
        }
        Ok(share)
    }
}

/// Writes a document as HTML, or as Markdown if the name ends in .md.
fn write(output: &Path, document: &Document) -> Result<()> {
    let end = output.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    let text = match end.as_deref() {
        Some("md" | "markdown") => document.to_markdown()?,
        _ => document.to_html()?,
    };
    Replacement::write_whole(output, text.as_bytes())
}

/// The rows with their answers.
struct Predicted {
    evaluation: Evaluation,
    baseline: Evaluation,
    truths: Vec<usize>,
    log_posteriors: Vec<f64>,
    terms: Terms,
    class_shares: Vec<f64>,
    /// The answer of the baseline: the most frequent class, and the logarithms of all shares.
    majority: usize,
    log_shares: Vec<f64>,
    curvature: Curvatures,
}

impl Predicted {
    fn new(classifier: &Fitted, model: &Model) -> Self {
        let n_classes = classifier.classes().len();
        let class_shares = class_shares(model);
        let majority = (1..n_classes)
            .fold(0, |best, class| if class_shares[class] > class_shares[best] { class } else { best });
        Self {
            evaluation: Evaluation::new(n_classes),
            baseline: Evaluation::new(n_classes),
            truths: Vec::new(),
            log_posteriors: Vec::new(),
            terms: Terms::new(classifier, model.schema()),
            log_shares: class_shares.iter().map(|share| libm::log(*share)).collect(),
            class_shares,
            majority,
            curvature: Curvatures::new(model),
        }
    }

    fn add(
        &mut self,
        [classifier, uncalibrated]: [&Fitted; 2],
        chunk: &Chunk,
        predicted: &[Option<String>],
    ) -> Result<()> {
        for_each_answer(
            classifier,
            &chunk.rows,
            chunk.labels.as_deref().unwrap_or_default(),
            predicted,
            |answer| {
                let Answer { truth, most_probable, log_posterior, .. } = answer;
                self.evaluation.add(truth, most_probable, log_posterior, 1.0)?;
                self.baseline.add(truth, self.majority, &self.log_shares, 1.0)?;
                if let (Some(truth), Some(_)) = (truth, most_probable) {
                    self.truths.push(truth);
                    self.log_posteriors.extend(log_posterior);
                }
                Ok(())
            },
        )?;
        self.terms.add(uncalibrated, chunk);
        self.curvature.add(uncalibrated, chunk)?;
        Ok(())
    }
}

impl Found<'_> {
    fn n_classes(&self) -> usize {
        self.classifier.classes().len()
    }

    /// The score of a class and whether the row is of it, for every row: log-odds of two classes, the
    /// log-posterior of more.
    fn ranked(&self, class: usize) -> impl Iterator<Item = (f64, bool, f64)> + '_ {
        let rows = self.truths.iter().zip(self.log_posteriors.chunks_exact(self.n_classes()));
        rows.map(move |(&truth, answer)| {
            let score = match *answer {
                [first, second] => {
                    if class == 0 {
                        first - second
                    } else {
                        second - first
                    }
                }
                _ => answer[class],
            };
            (score, truth == class, 1.0)
        })
    }

    /// The classes that pictures show: the one that was chosen; else of two the second one, of many the most
    /// frequent ones.
    fn pictured(&self) -> Vec<usize> {
        const MOST: usize = 6;
        if let Some(positive) = self.positive {
            return vec![positive];
        }
        if self.n_classes() == 2 {
            return vec![1];
        }
        let rows = |class: &usize| self.measures.classes.get(*class).map_or(0.0, |measures| measures.support);
        let mut classes: Vec<usize> = (0..self.n_classes()).filter(|class| rows(class) > 0.0).collect();
        classes.sort_by(|a, b| rows(b).total_cmp(&rows(a)));
        classes.truncate(MOST);
        classes.sort_unstable();
        classes
    }

    /// What is said of classes that are not pictured.
    fn left_out(&self, pictured: &[usize]) -> String {
        match self.n_classes() - pictured.len() {
            n if n > 0 && self.n_classes() > 2 && self.positive.is_none() => {
                format!(" The {} most frequent classes of {}.", pictured.len(), self.n_classes())
            }
            _ => String::new(),
        }
    }

    fn name(&self, class: usize) -> &str {
        &self.classifier.classes()[class]
    }
}

fn text(reported: &Reported<'_>) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "undefined".into(), short);
    format!(
        "{} of {}: accuracy {} (class prior {}), log-loss {} (class prior {}), AUC {}\nwrote {}",
        counted(reported.rows, "row", "rows"),
        visible(reported.data),
        number(reported.accuracy),
        number(reported.baseline_accuracy),
        number(reported.log_loss),
        number(reported.baseline_log_loss),
        number(reported.auc),
        visible(&reported.file.to_string_lossy())
    )
}
