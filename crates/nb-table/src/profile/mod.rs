//! Profiles of tables: what each column holds, and what is worth knowing before a model is made of it.
//!
//! A [`Profiler`] takes the chunks of a reader, in memory that does not grow with the rows, and gives a
//! [`TableProfile`]: missing cells, distinct and common values, moments and quantiles of numbers, what
//! columns say of the label, and [findings](Finding) with their reasons. Profiles of parts
//! [merge](Profiler::merge).
//!
//! Counts are exact while they are few; beyond that they are those of sketches, with errors that the profile
//! states:
//!
//! | what | exact | beyond that |
//! | --- | --- | --- |
//! | distinct values | up to 8192 (with a label: pairs of number and label), all categories | `HyperLogLog`, standard error 1.6 % |
//! | commonest values | the same | at most [`ColumnProfile::max_count_error`] too few |
//! | quantiles, histograms, information | the same | ranks wrong by at most [`NumbersProfile::max_rank_error`] |
//!
//! The sketches draw no random numbers: the same rows in the same order give the same profile.

mod categories;
mod chance;
mod column;
mod determinant_pairs;
mod determinants;
mod distinct_sketch;
mod distribution;
mod finding;
mod first_rows;
mod frequent;
mod group_like;
mod information;
mod label;
mod label_copies;
mod leakage;
mod moments;
mod numbers_profile;
mod order;
mod profiler;
mod quantile_sketch;
mod table_profile;
mod texts;
mod values;

pub use finding::{Finding, FindingKind};
pub use information::Information;
pub use label_copies::LabelCopies;
pub use leakage::{Determines, Groups, Leakage, LeakageWatch};
pub use numbers_profile::{Bin, NumbersProfile, Quantile};
pub use order::Order;
pub use profiler::{ProfileError, Profiler};
pub use table_profile::{ColumnProfile, Commonest, Distinct, LabelProfile, TableProfile};
