//! `nbayes importance`: how much a model relies on each column.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use nb_io::Model;
use nb_report::{Axis, Dot, Dots, Picture};
use serde::Serialize;

use super::plot;
use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    failure::usage,
    importance::{Importance, Rise, Terms, rises},
    model::{Seen, Unfamiliar, load_classifier, note_calibration, refuse_dependent, uncalibrated},
    output::{Replacement, Screen, Table, counted, refuse_inputs, short, visible},
    plot::Fitted,
    words::value_error,
};

const EXAMPLES: &str = "\
Examples:
  nbayes importance model.nb test.csv
  nbayes importance model.nb test.csv --top 5 -o importance.svg
  nbayes importance model.nb test.csv --repeats 50 --seed 1 --json";

/// Measure how much a model relies on each column: the rise in log-loss and in the error rate when its cells
/// are permuted, and when they are missing.
#[derive(Debug, clap::Args)]
#[command(name = "importance", after_help = EXAMPLES)]
pub(crate) struct ImportanceOfColumns {
    /// The model.
    model: PathBuf,
    /// A data file with labels, held out from training.
    file: String,
    /// Number of permutations of each column.
    #[arg(long, default_value_t = 10)]
    repeats: usize,
    /// Random seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of columns to list.
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// A picture to write, .svg or .png.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured<'a> {
    file: &'a str,
    /// The rows that were used; of very many, every second, fourth and so on.
    rows: usize,
    of_rows: usize,
    /// Rows whose label the model does not know are not used.
    unknown_labels: usize,
    repeats: usize,
    seed: u64,
    log_loss: Option<f64>,
    error_rate: f64,
    columns: Vec<Importance>,
    /// Columns that change no prediction.
    unused: Vec<String>,
    /// Whether the model does not know if it was trained on the rows.
    #[serde(skip)]
    may_be_seen: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<&'a Path>,
}

impl ImportanceOfColumns {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if self.repeats == 0 {
            return Err(usage("--repeats must be at least 1"));
        }
        let format = self.output.as_deref().map(plot::format).transpose()?;
        let (model, _) = load_classifier(&self.model)?;
        let classifier = uncalibrated(&model)?;
        refuse_dependent(&classifier, "importance is measured by")?;
        note_calibration(&model, screen);
        let input = Input::find(&self.file)?;
        if let Some(output) = self.output.as_deref() {
            refuse_inputs(Some(output), [self.model.as_path(), Path::new(&self.file)])?;
        }
        let terms = read_terms(&model, &classifier, &input, &self.read, screen)?;
        let (rows, of_rows, unknown_labels) = terms.n_rows();
        if rows == 0 {
            bail!("{}: there are no rows with a label that the model knows", input.name());
        }
        let (log_loss, error_rate, columns) = rises(&terms, self.repeats, self.seed);
        let is_listed = |name: &&String| columns.iter().any(|one| one.column == **name);
        let unused = terms.names().iter().filter(|name| !is_listed(name)).cloned().collect();
        let measured = Measured {
            file: input.name(),
            rows,
            of_rows,
            unknown_labels,
            repeats: self.repeats,
            seed: self.seed,
            log_loss: Some(log_loss).filter(|loss| loss.is_finite()),
            error_rate,
            unused,
            may_be_seen: model.row_fingerprint().is_none(),
            columns,
            picture: self.output.as_deref(),
        };
        if let (Some(output), Some(format)) = (&self.output, format) {
            Replacement::write_whole(output, &format.bytes(&picture(&measured, &self.model)))?;
        }
        screen.show(&measured, || text(&measured, self.top))
    }
}

/// What each column of each row of a file adds to the scores.
fn read_terms(
    model: &Model,
    classifier: &Fitted,
    input: &Input,
    read: &ReadArgs,
    screen: Screen,
) -> Result<Terms> {
    let read = read.of_model(model);
    let wanted = Wanted { classes: classifier.classes().to_vec(), ..Wanted::default() };
    let mut reader = read.open(input, model.schema(), wanted, Purpose::Compare, screen)?;
    let mut unfamiliar = Unfamiliar::new(model);
    let mut seen = Seen::new(model);
    let mut terms = Terms::new(classifier, model.schema());
    let origin = Origin { input, read: &read, schema: model.schema(), purpose: Purpose::Compare };
    while let Some(chunk) = reader.next_chunk()? {
        crate::interrupt::check()?;
        unfamiliar.look(&chunk);
        seen.look(&chunk);
        // Refuses cells that the model does not take.
        classifier
            .try_predict_each(&chunk.rows)
            .map_err(|error| value_error(error, origin, chunk.first_row))?;
        terms.add(classifier, &chunk);
    }
    unfamiliar.note(screen);
    seen.note(screen);
    Ok(terms)
}

/// The most important columns as dots with two standard errors.
fn picture(measured: &Measured<'_>, model: &Path) -> Picture {
    const MOST: usize = 20;
    // Without a log-loss the rises of the error rate are what there is.
    let by_loss = measured.columns.iter().all(|one| one.log_loss.is_some());
    let rise = |one: &Importance| one.log_loss.filter(|_| by_loss).unwrap_or(one.error_rate);
    let mut columns: Vec<(&str, Rise)> =
        measured.columns.iter().map(|one| (one.column.as_str(), rise(one))).collect();
    columns.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    let more = columns.len().saturating_sub(MOST);
    columns.truncate(MOST);
    let name = model.file_name().unwrap_or(model.as_os_str()).to_string_lossy();
    let what = format!("rise of the {}", if by_loss { "log-loss" } else { "error rate" });
    let axis = Axis::linear(&what).between(0.0, 0.0);
    let mut dots = Dots::new(axis, "column", columns.iter().map(|(name, _)| *name));
    dots.push(
        "",
        columns.iter().map(|(_, Rise { mean, standard_error: error })| {
            Some(Dot::between(*mean, mean - 2.0 * error, mean + 2.0 * error))
        }),
    );
    let subtitle = format!("{what} when the cells of a column are permuted; model {name}");
    let more = if more > 0 { format!(" {more} more columns are less important.") } else { String::new() };
    let rows = counted(measured.rows, "row", "rows");
    let caption = format!("{}: {rows}. Lines: two standard errors.{more}", measured.file);
    Picture::new("Importance of the columns", &subtitle, &caption, &dots.into())
}

fn text(measured: &Measured<'_>, top: usize) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "infinite".into(), short);
    let rise = |rise: Rise| format!("{} ± {}", digits(rise.mean), digits(rise.standard_error));
    let mut text = format!(
        "{} of {}: log-loss {}, error rate {}\n\n",
        counted(measured.rows, "row", "rows"),
        visible(measured.file),
        number(measured.log_loss),
        short(measured.error_rate)
    );
    let mut table = Table::new([
        "column",
        ">log-loss if permuted",
        ">if missing",
        ">error rate if permuted",
        ">if missing",
    ]);
    for one in measured.columns.iter().take(top) {
        table.row([
            one.column.clone(),
            one.log_loss.map_or_else(|| "infinite".into(), rise),
            one.log_loss_if_missing.map_or_else(|| "infinite".into(), digits),
            rise(one.error_rate),
            digits(one.error_rate_if_missing),
        ]);
    }
    text.push_str(&table.to_string());
    if measured.columns.len() > top {
        let more = counted(measured.columns.len() - top, "more column", "more columns");
        text.push_str(&format!("... and {more}; --top N lists more\n"));
    }
    let permutations = counted(measured.repeats, "permutation", "permutations");
    text.push_str(&format!("Rises, with the standard error of their mean over the rows; {permutations}.\n"));
    if !measured.unused.is_empty() {
        let names: Vec<_> = measured.unused.iter().take(5).map(|name| visible(name)).collect();
        let more = measured.unused.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text.push_str(&format!("Columns that change no prediction: {}{more}.\n", names.join(", ")));
    }
    if measured.rows < measured.of_rows {
        let every = measured.of_rows.div_ceil(measured.rows).next_power_of_two();
        text.push_str(&format!("Every {every}th of {} rows was used.\n", measured.of_rows));
    }
    if measured.unknown_labels > 0 {
        let rows = counted(measured.unknown_labels, "row", "rows");
        text.push_str(&format!("{rows} with a label that the model does not know left out.\n"));
    }
    if measured.may_be_seen {
        text.push_str("If the model was trained on these rows, all of this is optimistic: use rows held out from training.\n");
    }
    if let Some(picture) = measured.picture {
        text.push_str(&format!("wrote {}\n", visible(&picture.to_string_lossy())));
    }
    text
}

/// A rise with four decimals.
fn digits(value: f64) -> String {
    let text = format!("{value:.4}");
    if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) { "0.0000".into() } else { text }
}
