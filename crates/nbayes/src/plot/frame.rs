//! What is around a picture: title, axes with their ticks, legend, caption; and where everything has its place.

use super::{
    font::{fit, width, wrap},
    legend::Legend,
    render::SIZE,
    shapes::{Anchor, Colour, FAINT, GREY, INK, Point, Rectangle, Shape, stroke, text},
    ticks::{Ticks, ticks},
};

const TITLE: f64 = 18.0;
const SMALL: f64 = 12.0;
const NAME: f64 = 14.0;
const LABEL: f64 = 12.5;
const MARGIN: f64 = 18.0;
/// Names of categories get no more room than this.
const WIDEST_LABEL: f64 = 150.0;
/// The room beside numbers, as a share of theirs.
pub(crate) const BESIDE: f64 = 0.1;

/// What an axis shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scale {
    /// Numbers between two limits.
    Numbers { low: f64, high: f64, whole: bool },
    /// Numbers between two limits, and beside them room for something that is none.
    Beside { low: f64, high: f64, whole: bool, name: String },
    /// Categories, each as wide as 1, from 0.
    Categories(Vec<String>),
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) scale: Scale,
}

/// What is said around a picture.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) caption: String,
}

/// Where the picture is, and what is around it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) area: Rectangle,
    x: (f64, f64),
    y: (f64, f64),
    /// To be painted before the picture.
    pub(crate) under: Vec<Shape>,
    /// To be painted after it.
    pub(crate) over: Vec<Shape>,
}

impl Scale {
    /// Whether there is a number at this place.
    fn has_number(&self, at: f64) -> bool {
        match self {
            Self::Numbers { .. } => true,
            Self::Beside { high, .. } => at <= *high,
            Self::Categories(_) => false,
        }
    }
}

impl Axis {
    pub(crate) fn limits(&self) -> (f64, f64) {
        match &self.scale {
            Scale::Numbers { low, high, .. } => (*low, *high),
            Scale::Beside { low, high, .. } => (*low, high + BESIDE * (high - low)),
            Scale::Categories(names) => (0.0, names.len() as f64),
        }
    }

    /// Ticks that have room for their labels in so many pixels, if a label takes `room(widest)` of them.
    fn ticks(&self, pixels: f64, room: &dyn Fn(f64) -> f64) -> Ticks {
        match &self.scale {
            Scale::Categories(names) => Ticks {
                at: (0..names.len()).map(|i| i as f64 + 0.5).collect(),
                labels: names.clone(),
                unit: String::new(),
            },
            Scale::Beside { low, high, whole, name } => {
                let numbers = Scale::Numbers { low: *low, high: *high, whole: *whole };
                let mut ticks =
                    Self { name: String::new(), scale: numbers }.ticks(pixels / (1.0 + BESIDE), room);
                ticks.at.push(high + 0.5 * BESIDE * (high - low));
                ticks.labels.push(name.clone());
                ticks
            }
            &Scale::Numbers { low, high, whole } => {
                let mut found = ticks(low, high, 9, whole);
                for most in (1..9).rev() {
                    let widest = widest(&found.labels);
                    if found.at.len() as f64 * room(widest) <= pixels {
                        break;
                    }
                    found = ticks(low, high, most, whole);
                }
                found
            }
        }
    }
}

fn widest(labels: &[String]) -> f64 {
    labels.iter().map(|label| width(label, LABEL)).fold(0.0, f64::max)
}

impl Frame {
    pub(crate) fn new(words: &Words, x: &Axis, y: &Axis, legend: &Legend) -> Self {
        let (whole_width, whole_height) = (f64::from(SIZE.0), f64::from(SIZE.1));
        let caption = wrap(&words.caption, SMALL, whole_width - 2.0 * MARGIN);
        let right = whole_width - MARGIN - legend.width() - 16.0;
        let top = 68.0;
        // The height is not known yet; more room than this there will not be.
        let y_ticks = y.ticks(whole_height - 180.0, &|_| 42.0);
        let y_labels: Vec<String> =
            y_ticks.labels.iter().map(|label| fit(label, LABEL, WIDEST_LABEL)).collect();
        let left = MARGIN + NAME + 12.0 + widest(&y_labels) + 8.0;
        let x_ticks = x.ticks(right - left, &|widest| widest + 16.0);
        let cell = (right - left) / x_ticks.labels.len().max(1) as f64;
        let is_upright = matches!(x.scale, Scale::Categories(_)) && widest(&x_ticks.labels) > cell - 8.0;
        let x_labels: Vec<String> =
            x_ticks.labels.iter().map(|label| fit(label, LABEL, WIDEST_LABEL)).collect();
        let x_room = if is_upright { widest(&x_labels) + 4.0 } else { LABEL };
        let below = caption.len() as f64 * (SMALL + 4.0) + 8.0;
        let bottom = whole_height - MARGIN - below - NAME - 12.0 - x_room - 8.0;
        let mut frame = Self {
            area: Rectangle { left, top, right, bottom },
            x: x.limits(),
            y: y.limits(),
            under: Vec::new(),
            over: Vec::new(),
        };
        let room = whole_width - 2.0 * MARGIN;
        frame.say((MARGIN, 30.0), fit(&words.title, TITLE, room), TITLE, INK);
        frame.say((MARGIN, 50.0), fit(&words.subtitle, SMALL, room), SMALL, GREY);
        for (line, said) in caption.iter().enumerate() {
            let base = whole_height - MARGIN - (caption.len() - 1 - line) as f64 * (SMALL + 4.0) + 2.0;
            frame.say((MARGIN, base), said.clone(), SMALL, GREY);
        }
        frame.over.push(Shape::Line {
            points: frame.area.outline(),
            colour: Colour(120, 120, 120),
            width: 1.0,
        });
        frame.x_axis(x, &x_ticks, &x_labels, is_upright, bottom + 8.0 + x_room + 10.0 + NAME * 0.76);
        frame.y_axis(y, &y_ticks, &y_labels);
        frame.over.extend(legend.shapes((right + 16.0, top)));
        frame
    }

    fn say(&mut self, at: Point, said: String, size: f64, colour: Colour) {
        self.over.push(text(at, said, size, colour, Anchor::Start));
    }

    /// Where a value of the first axis is.
    pub(crate) fn x(&self, value: f64) -> f64 {
        self.area.left + (value - self.x.0) / (self.x.1 - self.x.0) * self.area.width()
    }

    /// Where a value of the second axis is.
    pub(crate) fn y(&self, value: f64) -> f64 {
        self.area.bottom - (value - self.y.0) / (self.y.1 - self.y.0) * self.area.height()
    }

    fn x_axis(&mut self, axis: &Axis, ticks: &Ticks, labels: &[String], is_upright: bool, base: f64) {
        let Rectangle { left, right, top, bottom } = self.area;
        for (&at, label) in ticks.at.iter().zip(labels) {
            let x = self.x(at);
            if axis.scale.has_number(at) {
                self.under.push(stroke((x, top), (x, bottom), 1.0, FAINT));
                self.over.push(stroke((x, bottom), (x, bottom + 4.0), 1.0, GREY));
            }
            self.over.push(if is_upright {
                let (at, text) = ((x + LABEL * 0.36, bottom + 7.0), label.clone());
                Shape::Text { at, text, size: LABEL, colour: INK, anchor: Anchor::End, upright: true }
            } else {
                text((x, bottom + 8.0 + LABEL * 0.8), label.clone(), LABEL, INK, Anchor::Middle)
            });
        }
        let name = fit(&axis.name, NAME, self.area.width() - width(&ticks.unit, NAME));
        let middle = (f64::midpoint(left, right), base);
        self.over.push(text(middle, format!("{name}{}", ticks.unit), NAME, INK, Anchor::Middle));
    }

    fn y_axis(&mut self, axis: &Axis, ticks: &Ticks, labels: &[String]) {
        let Rectangle { left, right, top, bottom } = self.area;
        for (&at, label) in ticks.at.iter().zip(labels) {
            let y = self.y(at);
            if matches!(axis.scale, Scale::Numbers { .. }) {
                self.under.push(stroke((left, y), (right, y), 1.0, FAINT));
                self.over.push(stroke((left - 4.0, y), (left, y), 1.0, GREY));
            }
            self.over.push(text((left - 8.0, y + LABEL * 0.36), label.clone(), LABEL, INK, Anchor::End));
        }
        let name = fit(&axis.name, NAME, self.area.height() - width(&ticks.unit, NAME));
        self.over.push(Shape::Text {
            at: (MARGIN + NAME * 0.76, f64::midpoint(top, bottom)),
            text: format!("{name}{}", ticks.unit),
            size: NAME,
            colour: INK,
            anchor: Anchor::Middle,
            upright: true,
        });
    }
}
