//! Values with intervals by category.

use super::Axis;

/// A value, with an interval if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The value.
    pub value: f64,
    /// From where to where it may lie.
    pub interval: Option<(f64, f64)>,
}

impl Dot {
    /// A value without an interval.
    pub fn new(value: f64) -> Self {
        Self { value, interval: None }
    }

    /// A value with an interval.
    pub fn between(value: f64, low: f64, high: f64) -> Self {
        Self { value, interval: Some((low, high)) }
    }
}

/// A value for each category, under one name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotSeries {
    /// The name, as in the legend.
    pub name: String,
    /// One per category; none where there is no value.
    pub values: Vec<Option<Dot>>,
}

/// Values with intervals, by category down the page and along one axis: the accuracy of several variants on
/// several data sets, or times on a logarithmic axis. After the dot charts of Cleveland (1984), *Graphical
/// methods for data presentation*, The American Statistician 38.
///
/// ```
/// use nb_report::{Axis, Dot, Dots};
///
/// let mut dots = Dots::new(Axis::linear("accuracy"), "data set", ["iris", "wine"]);
/// dots.push("Gaussian", [Some(Dot::between(0.95, 0.93, 0.97)), Some(Dot::new(0.97))]);
/// dots.push("kernel", [Some(Dot::between(0.96, 0.94, 0.98)), None]);
/// assert_eq!(dots.series.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dots {
    /// The axis of values, which is horizontal.
    pub axis: Axis,
    /// What a category is, such as "data set".
    pub category: String,
    /// The categories, from above.
    pub categories: Vec<String>,
    /// The series, each with one value per category.
    pub series: Vec<DotSeries>,
}

impl Dots {
    /// Categories without series.
    pub fn new(
        axis: Axis,
        category: impl Into<String>,
        categories: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let categories = categories.into_iter().map(Into::into).collect();
        Self { axis, category: category.into(), categories, series: Vec::new() }
    }

    /// Adds a series with one value per category; other numbers of values are refused when the figure is
    /// rendered.
    pub fn push(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = Option<Dot>>) {
        self.series.push(DotSeries { name: name.into(), values: values.into_iter().collect() });
    }
}
