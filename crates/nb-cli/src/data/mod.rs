//! Data: where rows come from, in which format, and readers of them.

mod columns;
mod format;
mod input;
mod nearest;
mod reading;
mod watched;

pub(crate) use columns::infer_all;
pub(crate) use format::Format;
pub(crate) use input::Input;
pub(crate) use nearest::nearest;
pub(crate) use reading::{Purpose, ReadArgs};
