//! The frame of a plot: axes, ticks, a grid.

use super::{
    canvas::{Anchor, Canvas, Place, shortened, text_width},
    scale::Span,
    ticks::Tick,
};
use crate::Axis;

/// The size of labels, in pixels; the style sheet has the same.
pub(super) const FONT: f64 = 12.0;
/// Names along an axis get no more room than this.
const WIDEST: f64 = 150.0;

fn shorten(ticks: &mut [Tick]) {
    for tick in ticks {
        tick.label = shortened(&tick.label, WIDEST, FONT);
    }
}

fn widest(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|tick| text_width(&tick.label, FONT)).fold(0.0, f64::max)
}

/// A rectangle on the canvas with an axis along its lower and its left edge.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    pub(super) x: Span,
    pub(super) y: Span,
}

impl Frame {
    /// A frame with its axes in a picture of this size.
    pub(super) fn draw(
        canvas: &mut Canvas,
        size: (f64, f64),
        (x_axis, x): (&Axis, Span),
        (y_axis, y): (&Axis, Span),
    ) -> Self {
        let mut y_ticks = y.ticks(((size.1 - 60.0) / 42.0).max(5.0) as usize);
        shorten(&mut y_ticks);
        let label = if y_axis.label.is_empty() { 0.0 } else { 18.0 };
        let below = if x_axis.label.is_empty() { 24.0 } else { 44.0 };
        let (left, right) = (10.0 + label + widest(&y_ticks), size.0 - 14.0);
        // Names that are wider than their places stand upright.
        let mut names = if x.has_categories() { x.ticks(0) } else { Vec::new() };
        let upright = widest(&names) + 8.0 > (right - left) / names.len().max(1) as f64;
        shorten(&mut names);
        let upright = if upright { widest(&names) - FONT } else { 0.0 };
        let frame = Self { left, top: 10.0, right, bottom: size.1 - below - upright.max(0.0), x, y };
        frame.axes(canvas, &y_ticks, upright != 0.0);
        let middle = f64::midpoint(frame.left, frame.right);
        let name = shortened(&x_axis.label, frame.right - frame.left, FONT);
        canvas.text("axis-label", (middle, size.1 - 8.0), Anchor::Middle, &name);
        let middle = f64::midpoint(frame.top, frame.bottom);
        let name = shortened(&y_axis.label, frame.bottom - frame.top, FONT);
        canvas.turned_text("axis-label", (13.0, middle), Anchor::Middle, -90, &name);
        frame
    }

    fn axes(&self, canvas: &mut Canvas, y_ticks: &[Tick], upright: bool) {
        for tick in y_ticks {
            let y = self.y_of(tick.at);
            if tick.label.is_empty() {
                canvas.line("tick", (self.left - 3.0, y), (self.left, y));
                continue;
            }
            if self.y.has_number(tick.at) {
                canvas.line("grid", (self.left, y), (self.right, y));
            }
            canvas.text("", (self.left - 7.0, y + 4.0), Anchor::End, &tick.label);
        }
        if upright {
            for tick in self.x.ticks(0) {
                let place = (self.x_of(tick.at) + 4.0, self.bottom + 7.0);
                let name = shortened(&tick.label, WIDEST, FONT);
                canvas.turned_text("", place, Anchor::End, -90, &name);
            }
        } else {
            self.x_axis(canvas, self.bottom);
        }
        self.edge(canvas);
    }

    /// The lines of both axes.
    pub(super) fn edge(&self, canvas: &mut Canvas) {
        let corners = [(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)];
        canvas.path("axis", &corners, false);
    }

    /// Ticks of the horizontal axis below this height, and the lines of the grid above it.
    pub(super) fn x_axis(&self, canvas: &mut Canvas, bottom: f64) {
        let ticks = self.x.ticks(((self.right - self.left) / 70.0).max(5.0) as usize);
        let mut free_from = f64::NEG_INFINITY;
        // What is beside the numbers has a label in any case.
        let beside = ticks.last().filter(|tick| !self.x.has_number(tick.at) && !self.x.has_categories());
        let free_to = beside
            .map_or(f64::INFINITY, |tick| self.x_of(tick.at) - text_width(&tick.label, FONT) / 2.0 - 6.0);
        for tick in &ticks {
            let x = self.x_of(tick.at);
            let half = text_width(&tick.label, FONT) / 2.0;
            // Labels that would touch the one before are left out.
            let fits = x - half >= free_from && (x + half <= free_to || Some(tick) == beside);
            if tick.label.is_empty() || !fits {
                canvas.line("tick", (x, bottom), (x, bottom + 3.0));
                continue;
            }
            free_from = x + half + 6.0;
            if self.x.has_number(tick.at) {
                canvas.line("grid", (x, self.top), (x, bottom));
            }
            canvas.text("", (x, bottom + 17.0), Anchor::Middle, &tick.label);
        }
    }

    /// The place of two values, which may lie beyond the frame.
    pub(super) fn beyond(&self, (x, y): (f64, f64)) -> Place {
        (
            self.left + self.x.beyond(x) * (self.right - self.left),
            self.bottom - self.y.beyond(y) * (self.bottom - self.top),
        )
    }

    pub(super) fn x_of(&self, value: f64) -> f64 {
        self.left + self.x.place(value) * (self.right - self.left)
    }

    pub(super) fn y_of(&self, value: f64) -> f64 {
        self.bottom - self.y.place(value) * (self.bottom - self.top)
    }
}
