//! Data: where rows come from, in which format, and readers of them.

mod columns;
mod format;
mod input;
mod nearest;
mod pieces;
mod reading;
mod stamp;
mod value_error;
mod watched;

pub(crate) use columns::infer_all;
pub(crate) use format::Format;
pub(crate) use input::{Input, stem};
pub(crate) use nearest::nearest;
pub(crate) use pieces::pieces;
pub(crate) use reading::{Purpose, ReadArgs, Wanted};
pub(crate) use value_error::{not_learnt, value_error};
