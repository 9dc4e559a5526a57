//! Plots as files: with a title, a legend and a caption.

use super::{
    Drawing,
    canvas::{Anchor, Canvas, Drawn, shortened, text_width, wrapped},
    description, draw,
    frame::FONT,
    looks::{Colour, style},
    plane,
};
use crate::Plot;

const MARGIN: f64 = 18.0;
/// The height of a line of the caption, and of an entry of the legend.
const LINE: f64 = 16.0;
const ENTRY: f64 = 21.0;
/// Names of the legend get no more room than this.
const WIDEST: f64 = 190.0;
/// The size of a picture of a plane.
const SIZE: (f64, f64) = (900.0, 600.0);

/// A rectangle in pixels, from the upper left corner of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Its left end.
    pub left: f64,
    /// Its upper end.
    pub top: f64,
    /// Its right end.
    pub right: f64,
    /// Its lower end.
    pub bottom: f64,
}

/// A plot as its own file, with a title, a legend and a caption, in light colours.
///
/// ```
/// use nb_report::{Axis, Dot, Dots, Picture};
///
/// let mut dots = Dots::new(Axis::linear("accuracy"), "data set", ["iris", "wine"]);
/// dots.push("Gaussian", [Some(Dot::between(0.95, 0.93, 0.97)), Some(Dot::new(0.97))]);
/// let picture = Picture::new("Accuracy", "ten folds", "", &dots.into());
/// assert!(picture.svg().starts_with("<svg width=") && picture.size().0 > 300.0);
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    drawn: Drawn,
    area: Option<Area>,
}

impl Picture {
    /// Draws a plot; what is said around it may be empty.
    #[must_use]
    pub fn new(title: &str, subtitle: &str, caption: &str, plot: &Plot) -> Self {
        let label = if title.is_empty() { description(plot) } else { title.into() };
        let head = [(title, 28.0), (subtitle, 20.0)].into_iter().filter(|(text, _)| !text.is_empty());
        let top = MARGIN - 8.0 + head.map(|(_, height)| height).sum::<f64>();
        let (drawing, legend_width, caption) = match plot {
            Plot::Plane(chart) => {
                let caption = wrapped(caption, SIZE.0 - 2.0 * MARGIN, FONT);
                let legend_width = legend_width(&chart.series, &plane::legend(chart));
                let height = SIZE.1 - top - below(&caption);
                let size = (SIZE.0 - MARGIN - MARGIN / 2.0 - legend_width, height);
                (plane::draw(chart, "", size), legend_width, caption)
            }
            plot => {
                let drawing = draw(plot, "", &[]);
                let omitted = match drawing.n_omitted {
                    0 => String::new(),
                    n => format!(
                        " Values without a place (missing, infinite, not positive on a logarithmic axis): {n}."
                    ),
                };
                let legend_width = legend_width("", &drawing.legend);
                let width = panels_size(&drawing).0 + legend_width - MARGIN;
                (drawing, legend_width, wrapped(&format!("{caption}{omitted}"), width, FONT))
            }
        };
        let (width, height) = panels_size(&drawing);
        let whole = (MARGIN + width + legend_width + MARGIN / 2.0, top + height + below(&caption));
        let whole = (whole.0.round(), whole.1.round());
        let mut canvas = Canvas::new();
        let room = whole.0 - 2.0 * MARGIN;
        let title_size = style("title", Colour::default()).text_size;
        canvas.text("title", (MARGIN, 30.0), Anchor::Start, &shortened(title, room, title_size));
        let base = if title.is_empty() { 22.0 } else { 50.0 };
        canvas.text("axis-label", (MARGIN, base), Anchor::Start, &shortened(subtitle, room, FONT));
        for (line, text) in caption.iter().enumerate() {
            let base = whole.1 - MARGIN + 4.0 - LINE * (caption.len() - 1 - line) as f64;
            canvas.text("axis-label", (MARGIN, base), Anchor::Start, text);
        }
        write_legend(&mut canvas, (MARGIN + width, top), &drawing);
        let moved = |area: Area| Area {
            left: area.left + MARGIN,
            top: area.top + top,
            right: area.right + MARGIN,
            bottom: area.bottom + top,
        };
        let area = drawing.area.map(moved);
        write_panels(&mut canvas, (MARGIN, top), drawing);
        Self { drawn: canvas.finish(whole.0, whole.1, &label), area }
    }

    /// The picture as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        self.drawn.file()
    }

    /// The picture as PNG, with two dots a pixel.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        super::png::file(&self.drawn)
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        (self.drawn.width, self.drawn.height)
    }

    /// Where the data of a [`Plane`](crate::Plane) lie, without axes and legend.
    #[must_use]
    pub fn area(&self) -> Option<Area> {
        self.area
    }
}

/// The plot above its legend, without any words around; `first` are the names whose styles are those of the
/// whole document.
pub(super) fn above_legend(plot: &Plot, first: &[String]) -> Drawn {
    let drawing = draw(plot, "", first);
    let (width, height) = panels_size(&drawing);
    let mut canvas = Canvas::new();
    let (mut left, mut base) = (0.0, height + ENTRY);
    for (swatch, name) in &drawing.legend {
        let name = shortened(name, WIDEST, FONT);
        let wide = swatch.width + 8.0 + text_width(&name, FONT);
        if left + wide > width && left > 0.0 {
            (left, base) = (0.0, base + ENTRY);
        }
        write_entry(&mut canvas, (left, base), swatch, &name);
        left += wide + MARGIN;
    }
    let height = if drawing.legend.is_empty() { height } else { base + MARGIN / 2.0 };
    write_panels(&mut canvas, (0.0, 0.0), drawing);
    canvas.finish(width, height, "")
}

/// The height below the plots.
fn below(caption: &[String]) -> f64 {
    if caption.is_empty() { MARGIN / 2.0 } else { MARGIN + 2.0 + LINE * caption.len() as f64 }
}

/// The room of the legend at the right.
fn legend_width(title: &str, legend: &[(Drawn, String)]) -> f64 {
    let entries = legend.iter().map(|(swatch, name)| swatch.width + 8.0 + text_width(name, FONT).min(WIDEST));
    let widest = entries.fold(text_width(title, FONT).min(WIDEST), f64::max);
    if widest > 0.0 { widest + 8.0 } else { 0.0 }
}

fn write_legend(canvas: &mut Canvas, (left, top): (f64, f64), drawing: &Drawing) {
    let mut base = top + 20.0;
    if !drawing.legend_title.is_empty() {
        let title = shortened(&drawing.legend_title, WIDEST, FONT);
        canvas.text("axis-label", (left, base), Anchor::Start, &title);
        base += ENTRY;
    }
    for (swatch, name) in &drawing.legend {
        write_entry(canvas, (left, base), swatch, &shortened(name, WIDEST, FONT));
        base += ENTRY;
    }
}

fn write_entry(canvas: &mut Canvas, (left, base): (f64, f64), swatch: &Drawn, name: &str) {
    canvas.place(swatch.canvas.clone(), (left, base - 4.0 - swatch.height / 2.0));
    canvas.text("", (left + swatch.width + 8.0, base), Anchor::Start, name);
}

/// The height of the title of a panel.
fn title_height(drawing: &Drawing) -> f64 {
    if drawing.pictures.iter().all(|panel| panel.title.is_empty()) { 0.0 } else { 20.0 }
}

/// The rows of the panels, with the height of each.
fn rows(drawing: &Drawing) -> impl Iterator<Item = (&[super::Panel], f64)> {
    let title = title_height(drawing);
    let rows = drawing.pictures.chunks(drawing.columns.max(1));
    rows.map(move |row| (row, title + row.iter().map(|panel| panel.drawn.height).fold(0.0, f64::max)))
}

fn panels_size(drawing: &Drawing) -> (f64, f64) {
    rows(drawing).fold((0.0, 0.0), |(width, height), (row, of_row)| {
        let of_panels: f64 = row.iter().map(|panel| panel.drawn.width).sum();
        (of_panels.max(width), height + of_row)
    })
}

fn write_panels(canvas: &mut Canvas, (left, top): (f64, f64), drawing: Drawing) {
    let heights: Vec<f64> = rows(&drawing).map(|(_, height)| height).collect();
    let (title, columns) = (title_height(&drawing), drawing.columns.max(1));
    let mut place = (left, top);
    for (i, panel) in drawing.pictures.into_iter().enumerate() {
        let middle = place.0 + panel.drawn.width / 2.0;
        let name = shortened(&panel.title, panel.drawn.width - 10.0, FONT);
        canvas.text("", (middle, place.1 + 14.0), Anchor::Middle, &name);
        canvas.place(panel.drawn.canvas, (place.0, place.1 + title));
        place.0 += panel.drawn.width;
        if (i + 1) % columns == 0 {
            place = (left, place.1 + heights[i / columns]);
        }
    }
}
