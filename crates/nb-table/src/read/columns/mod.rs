//! Columns that have names: the places of those of a schema, and what others hold, judged by their cells.

#[cfg(any(feature = "csv", feature = "arrow"))]
mod close_look;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod codes;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod compact_dates;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod date_finder;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod few;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod free_text;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod identifier;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod infer;
pub(super) mod inferred;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod levels;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod places;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod row_numbers;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod spelling;
pub(super) mod written_dates;

/// Every code up to the largest costs memory in every class, and nb-core refuses larger ones.
const MOST_LEVELS: usize = 1 << 20;

#[cfg(feature = "csv")]
pub(super) use codes::has_leading_zeros;
#[cfg(feature = "csv")]
pub(super) use compact_dates::CompactDates;
#[cfg(feature = "csv")]
pub(super) use few::FewValues;
#[cfg(feature = "csv")]
pub(super) use free_text::{ENOUGH, Evidence, n_words};
#[cfg(feature = "csv")]
pub(super) use identifier::names_identifier;
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(super) use infer::Profiles;
#[cfg(feature = "csv")]
pub(super) use infer::profile::{of_categories, of_numbers};
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(super) use levels::Levels;
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(super) use places::{Columns, first_features, with_constants};
#[cfg(feature = "csv")]
pub(super) use row_numbers::RowNumbers;
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(super) use spelling::KnownLabels;
