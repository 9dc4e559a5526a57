//! Bars: histograms, and values by name.

/// Small plots of bars side by side: histograms of numbers, and values of named things. All bars begin at
/// zero.
///
/// ```
/// use nb_report::{Bars, Figure};
///
/// let mut bars = Bars::new("rows");
/// bars.push_histogram("length", [(0.0, 1.0, 12.0), (1.0, 2.0, 30.0), (2.0, 3.0, 5.0)]);
/// bars.push_named("colour", [("red", 40.0), ("blue", 7.0)]);
/// let figure = Figure::new("Two columns", bars);
/// # let mut section = nb_report::Section::new("columns", "Columns");
/// # section.push(figure);
/// # let mut document = nb_report::Document::new("Profile");
/// # document.push(section);
/// # assert!(document.to_html()?.contains("<svg"));
/// # Ok::<(), nb_report::DocumentError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What the length of a bar is, such as "rows".
    pub measure: String,
    /// The plots.
    pub panels: Vec<BarPanel>,
}

/// A plot of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct BarPanel {
    /// What it shows; may be empty.
    pub title: String,
    /// The bars.
    pub bars: BarSet,
}

/// The bars of a plot.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BarSet {
    /// Bars over intervals of an axis, in order: lower end, upper end, value.
    Intervals(Vec<(f64, f64, f64)>),
    /// Bars of named things, from above.
    Named(Vec<(String, f64)>),
}

impl Bars {
    /// Without plots.
    pub fn new(measure: impl Into<String>) -> Self {
        Self { measure: measure.into(), panels: Vec::new() }
    }

    /// Adds a histogram: the ends and the value of each bar.
    pub fn push_histogram(
        &mut self,
        title: impl Into<String>,
        bars: impl IntoIterator<Item = (f64, f64, f64)>,
    ) {
        self.panels
            .push(BarPanel { title: title.into(), bars: BarSet::Intervals(bars.into_iter().collect()) });
    }

    /// Adds a plot of named values.
    pub fn push_named(
        &mut self,
        title: impl Into<String>,
        bars: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) {
        let bars = bars.into_iter().map(|(name, value)| (name.into(), value)).collect();
        self.panels.push(BarPanel { title: title.into(), bars: BarSet::Named(bars) });
    }
}
