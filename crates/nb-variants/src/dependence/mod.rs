//! Columns that depend on one another: families fitted from counts of pairs.
//!
//! # Sums kept
//! Those of [`PairCounts`]: per class the weight of every pair of codes of two columns, and of every single
//! code; some have triples as well, or the codes of each column with those of its parents, or alone.
//!
//! # Missing cells
//! A missing cell is no parent, and as a child it adds nothing. The same goes for codes that are no category
//! with [`Unseen::Ignore`](nb_core::Unseen); with [`Unseen::Other`](nb_core::Unseen) each column has one
//! category more, which no training row has, so that it is a child but no parent. Without smoothing, a child
//! of which the training rows of the class and the parent say nothing adds nothing, too.

mod a2de;
mod aode;
mod aodesr;
mod asaode;
mod coding;
mod description;
mod edge_score;
mod estimators;
mod generalisations;
mod held_out;
mod hnb;
mod information;
mod kdb;
mod learn;
mod pair_counts;
mod pairs;
mod pseudo_counts;
mod tables;
mod tan;
mod tree;
mod waode;
mod weighted;

pub use coding::Codings;
pub use edge_score::EdgeScore;
pub use pair_counts::{FittedPairCounts, PairCounts};
pub use pseudo_counts::PseudoCounts;
pub use {a2de::*, aode::*, aodesr::*, asaode::*, hnb::*, kdb::*, tan::*, waode::*, weighted::*};
