//! Lines over a common axis, alone and in panels.

/// How an axis is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal ratios. Values that are not positive have no place on it; they are left out, and
    /// the figure says so.
    Log,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, and its unit.
    pub label: String,
    /// How it is divided.
    pub scale: Scale,
    /// The ends, if the data shall not choose them; widened where data lie outside.
    pub range: Option<(f64, f64)>,
    /// Whether only whole numbers have ticks.
    pub whole: bool,
    /// What has its own place after the numbers, such as "missing"; may be empty.
    pub beside: String,
    /// Names instead of numbers, if there are any: the first has the place from 0 to 1, the next that from 1
    /// to 2.
    pub categories: Vec<String>,
}

impl Axis {
    /// Equal steps are equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// Equal steps are equal ratios.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, ..Self::default() }
    }

    /// Names side by side.
    pub fn categories(
        label: impl Into<String>,
        categories: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let categories = categories.into_iter().map(Into::into).collect();
        Self { label: label.into(), categories, ..Self::default() }
    }

    /// The same from one value to another at least.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// The same with a place after the numbers for what is none. It goes on for [`Axis::BESIDE`] of the
    /// length of the numbers.
    #[must_use]
    pub fn beside(self, name: impl Into<String>) -> Self {
        Self { beside: name.into(), ..self }
    }

    /// The length of the place after the numbers, as a share of theirs.
    pub const BESIDE: f64 = 0.1;
}

/// A point of a line, with an interval of y if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it lies on the horizontal axis.
    pub x: f64,
    /// Where it lies on the vertical axis.
    pub y: f64,
    /// From where to where y may lie.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }

    /// The same with an interval of y.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { interval: Some((low, high)), ..self }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Without gaps.
    #[default]
    Solid,
    /// With long gaps.
    Dashed,
    /// As dots.
    Dotted,
    /// Not at all: the points alone.
    None,
}

/// How the intervals of points are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// As a band along the line.
    #[default]
    Band,
    /// As a bar at each point.
    Bars,
}

/// A line with a name. Lines of equal names look the same in all panels of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name, as in the legend.
    pub name: String,
    /// The points, joined in this order. A point that is no number leaves a gap.
    pub points: Vec<Point>,
    /// How the line is drawn.
    pub stroke: Stroke,
    /// How intervals are drawn.
    pub spread: Spread,
    /// Whether points have no markers of their own; they can be pointed at all the same.
    pub plain: bool,
}

impl Series {
    /// A solid line through these points.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), ..Self::default() }
    }

    /// The same, drawn otherwise.
    #[must_use]
    pub fn with_stroke(self, stroke: Stroke) -> Self {
        Self { stroke, ..self }
    }

    /// The same with intervals drawn otherwise.
    #[must_use]
    pub fn with_spread(self, spread: Spread) -> Self {
        Self { spread, ..self }
    }

    /// The same without markers.
    #[must_use]
    pub fn without_markers(self) -> Self {
        Self { plain: true, ..self }
    }
}

/// Which way a line of reference runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// At a value of y.
    Horizontal,
    /// At a value of x.
    Vertical,
}

/// A thin line across the whole plot, such as the Bayes error.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Which way it runs.
    pub direction: Direction,
    /// Where.
    pub at: f64,
    /// What it is.
    pub label: String,
}

/// Several lines over a common axis.
///
/// ```
/// use nb_report::{Axis, Lines, Point, Series};
///
/// let mut lines = Lines::new(Axis::log("d"), Axis::linear("error").between(0.0, 0.5));
/// lines.series.push(Series::new("in log space", [Point::new(1.0, 0.16), Point::new(1000.0, 0.16)]));
/// lines.series.push(Series::new("products", [Point::new(1.0, 0.16), Point::new(1000.0, 0.5)]));
/// lines.horizontal(0.1587, "Bayes error");
/// assert_eq!(lines.references.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Lines of reference.
    pub references: Vec<Reference>,
}

impl Lines {
    /// Axes without lines.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, ..Self::default() }
    }

    /// Adds a horizontal line of reference.
    pub fn horizontal(&mut self, at: f64, label: impl Into<String>) {
        self.references.push(Reference { direction: Direction::Horizontal, at, label: label.into() });
    }

    /// Adds a vertical line of reference.
    pub fn vertical(&mut self, at: f64, label: impl Into<String>) {
        self.references.push(Reference { direction: Direction::Vertical, at, label: label.into() });
    }
}

/// Small plots side by side with one legend, as in the figures of Ng and Jordan (2002), *On discriminative
/// vs. generative classifiers*, NIPS 14.
///
/// ```
/// use nb_report::{Axis, Lines, Panels, Point, Series, Stroke};
///
/// let mut panels = Panels::default();
/// for (title, errors) in [("pima (continuous)", [0.31, 0.26]), ("sonar (continuous)", [0.4, 0.33])] {
///     let mut lines = Lines::new(Axis::linear("m"), Axis::linear("error"));
///     let points = [10.0, 100.0].into_iter().zip(errors).map(|(m, error)| Point::new(m, error));
///     lines.series.push(Series::new("logistic regression", points).with_stroke(Stroke::Dashed));
///     panels.push(title, lines);
/// }
/// assert_eq!(panels.panels.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    /// Plots in a row where there is space, at most 4.
    pub columns: usize,
    /// Titles and plots.
    pub panels: Vec<(String, Lines)>,
}

impl Default for Panels {
    /// Three in a row.
    fn default() -> Self {
        Self { columns: 3, panels: Vec::new() }
    }
}

impl Panels {
    /// Adds a plot.
    pub fn push(&mut self, title: impl Into<String>, lines: Lines) {
        self.panels.push((title.into(), lines));
    }
}
