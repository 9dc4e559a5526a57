//! Data: where rows come from, in which format, and readers of them.

mod find;
mod format;
mod input;
mod no_rows;
mod origin;
mod reading;
mod stamp;
mod watched;

pub(crate) use find::{find_files, paths_of};
pub(crate) use format::Format;
pub(crate) use input::{Input, stem};
pub(crate) use origin::Origin;
pub(crate) use reading::{Purpose, ReadArgs, Wanted};
