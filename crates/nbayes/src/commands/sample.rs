//! `nbayes sample`: rows drawn from a model.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use nb_core::{Likelihood, NaiveBayes};
use nb_io::{DatePart, Family, Kind};
use ndarray::ArrayView1;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

use crate::{
    model::{dependent_options, is_calibrated_plain, load, pieces},
    output::{Cell, ColumnType, RowWriter, Screen, quoted_list, refuse_inputs},
};

/// Generate synthetic rows from a model.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes sample model.nb -n 1000 --seed 1 -o drawn.csv\n  nbayes sample model.nb -n 5 --class spam"
)]
pub(crate) struct Sample {
    /// The model.
    model: PathBuf,
    /// Number of rows.
    #[arg(long, short, default_value_t = 10)]
    n: usize,
    /// Random seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Generate only rows of this class.
    #[arg(long)]
    class: Option<String>,
    /// The output file: CSV, TSV, Parquet or JSON lines, by its extension [default: standard output].
    #[arg(long, short)]
    output: Option<PathBuf>,
}

impl Sample {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        refuse_inputs(self.output.as_deref(), [self.model.as_path()])?;
        let model = load(&self.model)?;
        if model.calibration().is_some() {
            bail!(
                "a calibration map is no probability distribution of rows, so rows cannot be generated from this model; remove the \
                 map (`nbayes calibrate MODEL --none`)"
            );
        }
        if !model.classifier()?.likelihood().is_additive() {
            bail!(
                "rows are generated column by column, and the columns of this model depend on each other ({}), or its score \
                 mixes posteriors or counts rows by their values (--awnb with --column-weights rnb or aiwnb)",
                dependent_options()
            );
        }
        if is_calibrated_plain(&model) {
            bail!(
                "the probabilities of this model are calibrated, which says how probable classes are and nothing of rows; generate rows \
                 from the model that `nbayes calibrate` was given"
            );
        }
        if model.refinement().is_some() {
            bail!(
                "weights, corrections and bins are no probability distribution, so rows cannot be generated from a refined \
                 model; train with --plain"
            );
        }
        let Some(density) = model.family().density() else {
            if has_bins(model.family()) {
                bail!(
                    "bins say how probable an interval is, and nothing of the numbers within it, so rows cannot be generated from \
                     a model with binned or kdb columns; train with `--kernel`, `--gaussian` or `--categorical` in place of these"
                );
            }
            bail!(
                "complement naive Bayes is not a probability distribution, so rows cannot be generated from it"
            );
        };
        let prior = model.prior().clone();
        let classifier = NaiveBayes { model: density, prior }.fit_stats(model.stats())?;
        let schema = model.schema();
        if let Some(column) = schema.columns.iter().find(|column| has_no_days(&column.kind)) {
            bail!(
                "rows cannot be generated: column {:?} has dates of which the model does not have the days; train with days \
                 among the parts (--date-parts)",
                column.name
            );
        }
        let types = schema.columns.iter().map(|column| match column.kind {
            Kind::Categorical { .. } | Kind::Text(_) | Kind::Dates(_) => {
                (column.name.clone(), ColumnType::Text)
            }
            _ => (column.name.clone(), ColumnType::Number),
        });
        let types: Vec<_> = types.chain([(schema.label.clone(), ColumnType::Text)]).collect();
        let mut writer = RowWriter::new(self.output.as_deref(), screen.json(), &types)?;
        let mut rng = ChaCha12Rng::seed_from_u64(self.seed);
        for piece in pieces(self.n, schema.n_features()) {
            crate::interrupt::check()?;
            let n_rows = piece.len();
            let (rows, labels) = match &self.class {
                None => classifier.sample(n_rows, &mut rng),
                Some(class) => {
                    let rows = classifier.sample_class(class, n_rows, &mut rng).with_context(|| {
                        format!("--class {class:?}; the classes are {}", quoted_list(classifier.classes()))
                    })?;
                    (rows, vec![class.clone(); n_rows])
                }
            };
            let rows = rows.rows().into_iter().zip(labels).map(|(row, label)| {
                let columns = schema.columns.iter().zip(schema.feature_ranges());
                let cells =
                    columns.map(|(column, features)| cell(&column.kind, &row.slice(ndarray::s![features])));
                cells.chain([Cell::Text(label)]).collect()
            });
            writer.write(&rows.collect::<Vec<_>>())?;
        }
        writer.finish()
    }
}

/// Whether some columns are in bins.
fn has_bins(family: &Family) -> bool {
    match family {
        Family::Blocks(blocks) => blocks.iter().any(|(_, family)| has_bins(family)),
        family => family.variant().is_some_and(|variant| variant.bins().is_some()),
    }
}

/// Whether a column has dates that their parts do not determine.
fn has_no_days(kind: &Kind) -> bool {
    matches!(kind, Kind::Dates(parts) if !parts.contains(DatePart::Days))
}

/// The cell of a column, from its features. A text has its terms in the order of their names, each as often
/// as it was drawn.
fn cell(kind: &Kind, values: &ArrayView1<'_, f64>) -> Cell {
    match kind {
        Kind::Categorical { levels } => {
            levels.get(values[0] as usize).map_or(Cell::Missing, |level| Cell::Text(level.clone()))
        }
        Kind::Text(text) => {
            let terms = values.iter().enumerate().filter(|(_, count)| **count > 0.0);
            let terms = terms.flat_map(|(term, &count)| {
                std::iter::repeat_n(text.terms.name(term).unwrap_or_default(), count.ceil() as usize)
            });
            Cell::Text(terms.collect::<Vec<_>>().join(" "))
        }
        // The days say which date it is; its other parts are drawn apart from it.
        Kind::Dates(parts) => parts.text(&values.to_vec()).map_or(Cell::Missing, Cell::Text),
        _ => Cell::Number(values[0]),
    }
}
