//! Pictures as files. Everything is drawn at four units a pixel: the units of plotters are whole numbers, which would
//! make curves bumpy. An SVG says so in its view box; a PNG is averaged down to two dots a pixel.

use anyhow::{Context, Result, anyhow};
use plotters::{
    coord::Shift,
    drawing::{DrawingAreaErrorKind, IntoDrawingArea},
    element::{Circle, PathElement, Polygon, Rectangle as Filled, Text},
    prelude::{BitMapBackend, DrawingArea, DrawingBackend, SVGBackend},
    style::{
        Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle, register_font,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::{
    font,
    shapes::{Anchor, Colour, Point, Shape, WHITE},
};

/// The size of pictures in pixels.
pub(crate) const SIZE: (u32, u32) = (900, 600);
/// Units in a pixel.
const FINENESS: u32 = 4;
/// Dots of a PNG in a pixel.
const DENSITY: u32 = 2;

const UNITS: (u32, u32) = (SIZE.0 * FINENESS, SIZE.1 * FINENESS);
const DOTS: (u32, u32) = (SIZE.0 * DENSITY, SIZE.1 * DENSITY);

/// The picture as SVG.
pub(crate) fn svg(shapes: &[Shape]) -> Result<Vec<u8>> {
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, UNITS), shapes, Texts::Words)?;
    let size = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&size(UNITS), &size(SIZE), 1).into_bytes())
}

/// The picture as PNG.
pub(crate) fn png(shapes: &[Shape]) -> Result<Vec<u8>> {
    register_font("sans-serif", FontStyle::Normal, font::BYTES)
        .map_err(|_| anyhow!("cannot read the embedded font"))?;
    let mut units = vec![0; 3 * (UNITS.0 * UNITS.1) as usize];
    draw(BitMapBackend::with_buffer(&mut units, UNITS), shapes, Texts::Glyphs)?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, DOTS.0, DOTS.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // So that programs show it at its size: 96 pixels an inch.
    let per_metre = (f64::from(96 * DENSITY) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header().context("the PNG file")?;
    writer.write_image_data(&averaged(&units)).context("the PNG file")?;
    writer.finish().context("the PNG file")?;
    Ok(file)
}

/// The means of squares of units.
fn averaged(units: &[u8]) -> Vec<u8> {
    let side = (FINENESS / DENSITY) as usize;
    let width = UNITS.0 as usize;
    let mut dots = Vec::with_capacity(3 * (DOTS.0 * DOTS.1) as usize);
    for row in 0..DOTS.1 as usize {
        for column in 0..DOTS.0 as usize {
            for part in 0..3 {
                let unit = |i: usize| {
                    let (down, right) = (row * side + i / side, column * side + i % side);
                    u32::from(units[3 * (down * width + right) + part])
                };
                let sum: u32 = (0..side * side).map(unit).sum();
                let n = (side * side) as u32;
                dots.push(((sum + n / 2) / n) as u8);
            }
        }
    }
    dots
}

/// How texts are drawn: as texts, or letter by letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    Words,
    Glyphs,
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

fn draw<B: DrawingBackend>(backend: B, shapes: &[Shape], texts: Texts) -> Result<()>
where
    B::ErrorType: 'static,
{
    let area = backend.into_drawing_area();
    let work = || -> Drawn<B> {
        area.fill(&rgb(WHITE))?;
        for shape in shapes {
            draw_shape(&area, shape, texts)?;
        }
        area.present()
    };
    work().map_err(|error| anyhow!("cannot render the picture: {error}"))
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

fn units(pixels: f64) -> i32 {
    (pixels * f64::from(FINENESS)).round() as i32
}

fn place((x, y): Point) -> (i32, i32) {
    (units(x), units(y))
}

fn draw_shape<B: DrawingBackend>(area: &DrawingArea<B, Shift>, shape: &Shape, texts: Texts) -> Drawn<B> {
    match shape {
        Shape::Rectangle { area: filled, colour, opacity } => {
            let corners = [place((filled.left, filled.top)), place((filled.right, filled.bottom))];
            area.draw(&Filled::new(corners, rgb(*colour).mix(*opacity).filled()))
        }
        Shape::Polygon { corners, colour, opacity } => {
            area.draw(&Polygon::new(places(corners), rgb(*colour).mix(*opacity).filled()))
        }
        Shape::Line { points, colour, width } => draw_line(area, &places(points), *colour, *width, texts),
        Shape::Disc { centre, radius, colour } => {
            area.draw(&Circle::new(place(*centre), units(*radius), rgb(*colour).filled()))
        }
        Shape::Text { at, text, size, colour, anchor, upright } => {
            let style = Written { size: *size, colour: *colour, anchor: *anchor, upright: *upright };
            match texts {
                Texts::Words => draw_words(area, *at, text, style),
                Texts::Glyphs => draw_glyphs(area, *at, text, style),
            }
        }
    }
}

/// Points in units, without those that fall together with the one before.
fn places(points: &[Point]) -> Vec<(i32, i32)> {
    let mut places: Vec<_> = points.iter().copied().map(place).collect();
    places.dedup();
    places
}

/// A line; in a bitmap stroke by stroke, since the outline of a line that crosses itself would have holes.
fn draw_line<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    points: &[(i32, i32)],
    colour: Colour,
    width: f64,
    texts: Texts,
) -> Drawn<B> {
    if points.len() < 2 {
        return Ok(());
    }
    let width = units(width).max(1).unsigned_abs();
    let style = ShapeStyle { color: rgb(colour).to_rgba(), filled: false, stroke_width: width };
    if texts == Texts::Words {
        return area.draw(&PathElement::new(points.to_vec(), style));
    }
    for ends in points.windows(2) {
        area.draw(&PathElement::new(ends.to_vec(), style))?;
    }
    for &joint in points.get(1..points.len() - 1).unwrap_or_default() {
        area.draw(&Circle::new(joint, width / 2, rgb(colour).filled()))?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Written {
    size: f64,
    colour: Colour,
    anchor: Anchor,
    upright: bool,
}

impl Written {
    /// The style of a text whose size is given to plotters.
    fn style(self, size: f64, horizontal: HPos) -> TextStyle<'static> {
        let turn = if self.upright { FontTransform::Rotate270 } else { FontTransform::None };
        let font = ("sans-serif", size * f64::from(FINENESS)).into_font().transform(turn);
        TextStyle {
            color: rgb(self.colour).to_backend_color(),
            pos: Pos::new(horizontal, VPos::Top),
            ..TextStyle::from(font)
        }
    }

    /// The upper edge of a text, `height` above its base line.
    fn top(self, (x, y): Point, height: f64) -> Point {
        if self.upright { (x - height, y) } else { (x, y - height) }
    }
}

/// A text as a text. The SVG writer divides sizes by 1.24 and puts the upper edge 0.76 sizes above the base line.
fn draw_words<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    at: Point,
    text: &str,
    written: Written,
) -> Drawn<B> {
    let horizontal = match written.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let top = written.top(at, 0.76 * written.size);
    area.draw(&Text::new(text, place(top), written.style(1.24 * written.size, horizontal)))
}

/// A text letter by letter: plotters forgets the space that a letter has on its left. It takes the height of the
/// font's lines for the size, and puts the base line in the middle of it.
fn draw_glyphs<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    at: Point,
    text: &str,
    written: Written,
) -> Drawn<B> {
    let size = written.size * font::line_height();
    let style = written.style(size, HPos::Left);
    let width = font::width(text, written.size);
    let start = match written.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    let (x, y) = place(written.top(at, size / 2.0));
    let mut pen = start * f64::from(FINENESS);
    for character in text.chars() {
        let (advance, bearing) = font::advance(character, written.size * f64::from(FINENESS));
        let right = pen.round() as i32 + bearing;
        let place = if written.upright { (x, y - right) } else { (x + right, y) };
        area.draw(&Text::new(character.to_string(), place, style.clone()))?;
        pen += advance;
    }
    Ok(())
}
