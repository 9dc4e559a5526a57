//! Readers of data files, which are those of nb-table, and files added to models.

mod train;

pub use nb_table::read::*;

pub use train::{TrainFileError, train, train_within};
