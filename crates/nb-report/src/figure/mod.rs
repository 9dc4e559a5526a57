//! Figures: what is drawn, as data.

mod bars;
mod critical_difference;
mod dots;
mod heatmap;
mod lines;
mod plane;
mod reliability;

pub use bars::{BarPanel, BarSet, Bars};
pub use critical_difference::{CriticalDifference, Side};
pub use dots::{Dot, DotSeries, Dots};
pub use heatmap::{HeatCell, Heatmap, Shades};
pub use lines::{Axis, Direction, Lines, Panels, Point, Reference, Scale, Series, Spread, Stroke};
pub use plane::{Ink, Layer, Mark, Name, Plane};
pub use reliability::{Reliability, ReliabilityPoint, ReliabilitySeries};

use crate::Text;

/// A plot with a caption. Its data go with it as a table.
///
/// ```
/// use nb_report::{Axis, Figure, Lines, Point, Series};
///
/// let mut lines = Lines::new(Axis::log("m"), Axis::linear("error"));
/// lines.series.push(Series::new("naive Bayes", [Point::new(10.0, 0.31), Point::new(100.0, 0.24)]));
/// let figure = Figure::new("Error by size of the training set", lines).with_id("curves");
/// assert_eq!(figure.id.as_deref(), Some("curves"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What links name it by, once in a document; none means that nothing links to it.
    pub id: Option<String>,
    /// What the figure shows.
    pub caption: Text,
    /// The same for readers who do not see it; none means a description made from the data.
    pub alternative: Option<String>,
    /// What is drawn.
    pub plot: Plot,
}

impl Figure {
    /// A plot with its caption.
    pub fn new(caption: impl Into<Text>, plot: impl Into<Plot>) -> Self {
        Self { id: None, caption: caption.into(), alternative: None, plot: plot.into() }
    }

    /// Names the figure, so that texts can link to it.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Describes the picture, for readers who do not see it.
    #[must_use]
    pub fn with_alternative(mut self, alternative: impl Into<String>) -> Self {
        self.alternative = Some(alternative.into());
        self
    }
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Plot {
    /// Lines over a common axis.
    Lines(Lines),
    /// Small plots of lines side by side.
    Panels(Panels),
    /// Average ranks and what does not differ.
    CriticalDifference(CriticalDifference),
    /// Accuracy against confidence.
    Reliability(Reliability),
    /// Values with intervals by category.
    Dots(Dots),
    /// A matrix of numbers.
    Heatmap(Heatmap),
    /// Histograms, and bars of named values.
    Bars(Bars),
    /// Curves, bars, areas and points over two axes.
    Plane(Plane),
}

macro_rules! plots {
    ($($kind:ident)+) => {
        $(impl From<$kind> for Plot {
            fn from(plot: $kind) -> Self {
                Plot::$kind(plot)
            }
        })+
    };
}

plots! { Lines Panels CriticalDifference Reliability Dots Heatmap Bars Plane }
