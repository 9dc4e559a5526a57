//! Pictures of models.
//!
//! ```text
//!  feature, sample ──▶ densities ─┐
//!                      bars ──────┤
//!                      effects ───┼──▶ shapes in pixels ──render──▶ SVG, PNG
//!                      regions ───┘     ▲
//!                      frame, legend ───┘
//! ```
//!
//! `render` alone knows plotters; the rest says where what is to be drawn.

mod bars;
mod bins;
mod components;
mod contour;
mod curvature;
mod densities;
mod effect;
mod effects;
mod feature;
mod font;
mod frame;
mod grid;
mod importances;
mod interval;
mod legend;
mod limits;
mod lines;
mod palette;
mod pca;
mod picture;
mod points;
mod regions;
mod render;
mod sample;
mod shapes;
mod ticks;

pub(crate) use bars::bars;
pub(crate) use components::{Row, components};
pub(crate) use curvature::Curvatures;
pub(crate) use densities::densities;
pub(crate) use effect::{Added, Effect, Values, span_of_cuts};
pub(crate) use effects::effects;
pub(crate) use feature::{Feature, Fitted, Law};
pub(crate) use importances::{Bar, importances};
pub(crate) use interval::Uncertainty;
pub(crate) use palette::style;
pub(crate) use pca::Components;
pub(crate) use picture::{Picture, Shown, Subject};
pub(crate) use regions::regions;
pub(crate) use render::{SIZE, png, svg};
pub(crate) use sample::{Sample, count};
pub(crate) use shapes::Rectangle;

/// How opaque the bars of data are.
const SEEN_THROUGH: f64 = 0.28;
