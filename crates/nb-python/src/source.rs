//! A table of Python as rows that the library learns from.

use std::collections::BTreeMap;

use nb_io::{
    DateOrder,
    read::{Arrow, Inferred, NewLevels, Overrides, ReadChunks, TableOptions},
};
use nb_train::{Source, TrainerError};

use crate::frame::{Frame, NAME};

/// A table with a column of labels, and perhaps columns of weights and groups, that is read as often as
/// needed.
pub(crate) struct FrameSource<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) label: &'a str,
    pub(crate) weight: Option<String>,
    pub(crate) group: Option<String>,
    /// What becomes of categories that the columns do not have.
    pub(crate) new_levels: NewLevels,
    /// How dates are written in the columns of a model.
    pub(crate) date_orders: BTreeMap<String, DateOrder>,
}

impl Source for FrameSource<'_> {
    type Error = TrainerError;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
        let others = self.group.iter().chain(&self.weight);
        let overrides = others.fold(overrides.clone(), |all, name| all.ignore(name));
        Ok(Arrow::default().infer_batches(NAME, || self.frame.reader(), self.label, &overrides)?)
    }

    fn open(
        &self,
        _part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
        let options = TableOptions::default()
            .with_classes(classes)
            .with_ids(self.group.iter().cloned().collect())
            .with_new_levels(self.new_levels)
            .with_weight(self.weight.clone())
            .with_date_orders(self.date_orders.clone().into_iter().chain(inferred.date_orders()).collect());
        Ok(Box::new(Arrow::default().with_table(options).read_batches(
            NAME,
            self.frame.reader(),
            &inferred.schema,
        )?))
    }
}
