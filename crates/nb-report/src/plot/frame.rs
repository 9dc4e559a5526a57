//! The frame of a plot: axes, ticks, a grid.

use super::{
    canvas::{Anchor, Canvas, text_width},
    scale::Span,
    ticks::Tick,
};
use crate::Axis;

/// The size of labels, in pixels; the style sheet has the same.
pub(super) const FONT: f64 = 12.0;

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
        let y_ticks = y.ticks(((size.1 - 60.0) / 42.0).max(5.0) as usize);
        let widest = y_ticks.iter().map(|tick| text_width(&tick.label, FONT)).fold(0.0, f64::max);
        let label = if y_axis.label.is_empty() { 0.0 } else { 18.0 };
        let below = if x_axis.label.is_empty() { 24.0 } else { 44.0 };
        let frame = Self {
            left: 10.0 + label + widest,
            top: 10.0,
            right: size.0 - 14.0,
            bottom: size.1 - below,
            x,
            y,
        };
        frame.axes(canvas, &y_ticks);
        let middle = f64::midpoint(frame.left, frame.right);
        canvas.text("axis-label", (middle, size.1 - 8.0), Anchor::Middle, &x_axis.label);
        let middle = f64::midpoint(frame.top, frame.bottom);
        canvas.turned_text("axis-label", (13.0, middle), Anchor::Middle, -90, &y_axis.label);
        frame
    }

    fn axes(&self, canvas: &mut Canvas, y_ticks: &[Tick]) {
        for tick in y_ticks {
            let y = self.y_of(tick.at);
            if tick.label.is_empty() {
                canvas.line("tick", (self.left - 3.0, y), (self.left, y));
            } else {
                canvas.line("grid", (self.left, y), (self.right, y));
                canvas.text("", (self.left - 7.0, y + 4.0), Anchor::End, &tick.label);
            }
        }
        self.x_axis(canvas, self.bottom);
        canvas.path(
            "axis",
            &[(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)],
            false,
        );
    }

    /// Ticks of the horizontal axis below this height, and the lines of the grid above it.
    pub(super) fn x_axis(&self, canvas: &mut Canvas, bottom: f64) {
        let ticks = self.x.ticks(((self.right - self.left) / 70.0).max(5.0) as usize);
        let mut free_from = f64::NEG_INFINITY;
        for tick in &ticks {
            let x = self.x_of(tick.at);
            let half = text_width(&tick.label, FONT) / 2.0;
            // Labels that would touch the one before are left out.
            if tick.label.is_empty() || x - half < free_from {
                canvas.line("tick", (x, bottom), (x, bottom + 3.0));
                continue;
            }
            free_from = x + half + 6.0;
            canvas.line("grid", (x, self.top), (x, bottom));
            canvas.text("", (x, bottom + 17.0), Anchor::Middle, &tick.label);
        }
    }

    pub(super) fn x_of(&self, value: f64) -> f64 {
        self.left + self.x.place(value) * (self.right - self.left)
    }

    pub(super) fn y_of(&self, value: f64) -> f64 {
        self.bottom - self.y.place(value) * (self.bottom - self.top)
    }
}
