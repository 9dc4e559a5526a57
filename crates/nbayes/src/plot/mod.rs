//! Pictures of models.
//!
//! ```text
//!  feature, sample ──▶ densities ──┐
//!                      bars ───────┤
//!                      effects ────┼──▶ nb_report::Plane ──▶ SVG, PNG
//!                      regions ────┤
//!                      components ─┘
//!  pair ────────────▶ nb_report::Heatmap ──▶ SVG, PNG
//! ```
//!
//! What is drawn is said in the units of the axes; nb-report draws it.

mod bars;
mod bins;
mod components;
mod contour;
mod curvature;
mod densities;
mod effect;
mod effects;
mod feature;
mod grid;
mod interval;
mod limits;
mod pair;
mod pca;
mod picture;
mod points;
mod regions;
mod sample;

pub(crate) use bars::bars;
pub(crate) use components::{Row, components};
pub(crate) use curvature::Curvatures;
pub(crate) use densities::densities;
pub(crate) use effect::{Added, Effect, Values, span_of_cuts};
pub(crate) use effects::effects;
pub(crate) use feature::{Fitted, Law, PlottedColumn};
pub(crate) use interval::Uncertainty;
pub(crate) use pair::{PairMatrix, names_of_pairs, pair, pair_of, pairs_of_columns};
pub(crate) use pca::Components;
pub(crate) use picture::{Picture, Shown, Subject};
pub(crate) use regions::regions;
pub(crate) use sample::{Sample, count};

/// How opaque the bars of data are.
const SEEN_THROUGH: f64 = 0.28;
