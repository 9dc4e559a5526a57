//! Curves, bars, areas and points over two axes.

use super::Axis;

/// A layer of a [`Plane`]: marks with a name and a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The name, as in the legend; layers of equal names share an entry, those without a name have none.
    pub name: String,
    /// The colour.
    pub ink: Ink,
    /// What is drawn.
    pub mark: Mark,
}

/// A colour by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Of the series with this number, counted from 0: one of eight colours, which differ also for the
    /// colour-blind. Where there are more series, they come again with other dashes and markers.
    Series(usize),
    /// Of texts.
    Dark,
    /// Of what is said aside.
    Soft,
    /// Of what is beside the point.
    Faint,
}

impl Ink {
    /// How many series have their own colour.
    pub const COLOURS: usize = 8;

    /// The colour in files and in the light scheme of pages, as CSS writes it.
    #[must_use]
    pub fn colour(self) -> String {
        crate::plot::colour(self).hex()
    }

    /// The same of a [`Mark::Region`].
    #[must_use]
    pub fn region(self) -> String {
        crate::plot::region_colour(self).hex()
    }
}

/// What a layer draws. Nothing is drawn beyond the axes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// A line through points, with an arrow where it goes on above or below.
    Curve(Vec<(f64, f64)>),
    /// A thin line through points.
    Border(Vec<(f64, f64)>),
    /// A thin line across the whole plane at a value of the vertical axis.
    Level(f64),
    /// Bars: from, to, lower and upper end.
    Bars {
        /// The bars.
        bars: Vec<(f64, f64, f64, f64)>,
        /// How much of the colour they have: of less than 1 what lies below is seen through them, and they
        /// have an outline if they touch one another.
        share: f64,
    },
    /// An area that what lies below is seen through.
    Area(Vec<(f64, f64)>),
    /// An area that hides what lies below, in a light tone of the colour.
    Region(Vec<(f64, f64)>),
    /// An area without a colour, which hides what lies below.
    Hole(Vec<(f64, f64)>),
    /// Points with the marker of the series.
    Points {
        /// Where they are.
        at: Vec<(f64, f64)>,
        /// The area of a marker, in square pixels.
        area: f64,
    },
    /// Rings around points.
    Rings(Vec<(f64, f64)>),
    /// Upright lines between the ends of intervals: place, lower and upper end.
    Intervals(Vec<(f64, f64, f64)>),
    /// White lines across the whole plane, between categories of the horizontal and of the vertical axis.
    Gaps {
        /// Places on the horizontal axis.
        x: Vec<f64>,
        /// Places on the vertical axis.
        y: Vec<f64>,
    },
    /// Names of places, where there is room for them.
    Names(Vec<Name>),
}

/// A name of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its middle.
    pub at: (f64, f64),
    /// How much room it has to either side.
    pub reach: (f64, f64),
}

impl Layer {
    /// A layer with a name.
    pub fn new(name: impl Into<String>, ink: Ink, mark: Mark) -> Self {
        Self { name: name.into(), ink, mark }
    }

    /// A layer that is not in the legend.
    #[must_use]
    pub fn unnamed(ink: Ink, mark: Mark) -> Self {
        Self::new("", ink, mark)
    }
}

/// Layers of curves, bars, areas and points over two axes, painted in their order: densities over histograms,
/// regions with rows in them, bars by category. The axes are as long as they say ([`Axis::between`]), or have
/// categories.
///
/// ```
/// use nb_report::{Axis, Ink, Layer, Mark, Picture, Plane};
///
/// let mut plane = Plane::new(Axis::linear("x").between(0.0, 2.0), Axis::linear("density").between(0.0, 1.0));
/// let bars = vec![(0.0, 1.0, 0.0, 0.25), (1.0, 2.0, 0.0, 0.75)];
/// plane.push(Layer::new("a", Ink::Series(0), Mark::Bars { bars, share: 0.3 }));
/// plane.push(Layer::new("a", Ink::Series(0), Mark::Curve(vec![(0.0, 0.0), (2.0, 1.0)])));
/// let picture = Picture::new("x in class a", "", "4 rows.", &plane.into());
/// assert!(picture.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plane {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What the series of the legend are, such as "class"; may be empty.
    pub series: String,
    /// The layers, from below.
    pub layers: Vec<Layer>,
}

impl Plane {
    /// Axes without layers.
    #[must_use]
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, ..Self::default() }
    }

    /// Adds a layer on top.
    pub fn push(&mut self, layer: Layer) {
        self.layers.push(layer);
    }
}
