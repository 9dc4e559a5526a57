//! Whether rows with which a model is measured are among those that it was trained on.

use nb_io::{Model, RowFingerprint, RowFingerprinter, SeenRows, read::Chunk};

use crate::output::Screen;

/// From this share on, nearly all rows are meant: it is an estimate.
const NEARLY_ALL: f64 = 0.95;

/// Looks at the rows.
pub(crate) struct Seen<'a> {
    model: &'a Model,
    /// `None` if the model does not know its rows.
    rows: Option<RowFingerprinter>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        Self { model, rows: model.row_fingerprint().map(|_| RowFingerprinter::new(model.schema())) }
    }

    pub(crate) fn look(&mut self, chunk: &Chunk) {
        if let (Some(rows), Some(labels)) = (&mut self.rows, &chunk.labels) {
            rows.add(self.model.schema(), &chunk.rows, labels);
        }
    }

    /// The share of the rows that is known to be among those of training: 1 if they are just these rows, else
    /// an estimate.
    pub(crate) fn share(self) -> Option<f64> {
        share(self.model, &self.rows?.finish())
    }

    /// Says that the rows are some of training, if that is known: where measures are for rows that were held
    /// out.
    pub(crate) fn note(self, screen: Screen) {
        if let Some(share) = self.share() {
            note(share, screen);
        }
    }
}

/// Says that this share of the rows is of training.
pub(crate) fn note(share: f64, screen: Screen) {
    screen.note(&format!(
        "these are rows {}, so that what is measured on them is optimistic; use held-out rows (`nbayes split`)",
        words(share)
    ));
}

/// The share of rows that is known to be among those of a model: 1 if they are just these rows, else an
/// estimate.
pub(crate) fn share(model: &Model, rows: &RowFingerprint) -> Option<f64> {
    match model.row_fingerprint()?.seen(rows) {
        SeenRows::All => Some(1.0),
        SeenRows::Share(share) => Some(share.min(0.999)),
        _ => None,
    }
}

/// The rest of a sentence about rows of which this share is among those of training.
pub(crate) fn words(share: f64) -> String {
    if share >= 1.0 {
        return "on which the model was trained".into();
    }
    if share >= NEARLY_ALL {
        return "nearly all of which were used in training".into();
    }
    format!("of which {} were used in training", part(share))
}

/// An estimated share in words, as the beginning of "of the rows".
pub(crate) fn part(share: f64) -> String {
    match 10.0 * (10.0 * share).round() {
        0.0 => "a few".into(),
        100.0 => "nearly all".into(),
        percent => format!("about {percent:.0} %"),
    }
}
