//! The rows of a file dealt into several: at random by label, in whole groups, or by time.

mod copy;
mod facts;
mod groups;
mod hold_out;
mod sizes;
mod strata;
mod times;

pub(crate) use copy::{Format, copy, keys};
pub(crate) use facts::{By, Facts};
pub(crate) use groups::by_groups;
pub(crate) use hold_out::hold_out;
pub(crate) use sizes::{Size, held_out};
pub(crate) use strata::stratified;
pub(crate) use times::by_time;

/// The part of a row that is for training; the others are counted from it.
pub(crate) const TRAIN: u8 = 0;
