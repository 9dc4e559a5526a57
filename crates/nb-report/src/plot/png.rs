//! Pictures as PNG files, two dots a pixel, painted by coverage: areas by the exact share of each dot that
//! they cover, lines by the distance of its middle, texts as outlines of the embedded font.

use std::{io::Write as _, sync::OnceLock};

use flate2::{Compression, Crc, write::ZlibEncoder};
use ttf_parser::{Face, OutlineBuilder};

use super::{
    canvas::{Anchor, Drawn, Place, Shape, text_width},
    looks::{Colour, Style, named, painted},
};

/// Dots of a pixel.
const DENSITY: f64 = 2.0;
/// A part of `DejaVu Sans`; see `fonts/README.md`.
const FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");
/// Texts are laid out for Arial, which is about this much narrower.
const CONDENSED: f64 = 0.9;

/// The picture as a file.
pub(super) fn file(drawn: &Drawn) -> Vec<u8> {
    let mut dots = Dots::new(drawn.width, drawn.height);
    for (shape, style) in painted(drawn) {
        dots.paint(&shape, &style);
    }
    encoded(&dots)
}

fn encoded(dots: &Dots) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let [width, height] = [dots.width as u32, dots.height as u32].map(u32::to_be_bytes);
    // Eight bits for each of red, green and blue.
    chunk(&mut file, *b"IHDR", &[&width[..], &height, &[8, 2, 0, 0, 0]].concat());
    // So that programs show it at its size: 96 pixels an inch.
    let per_metre = ((96.0 * DENSITY / 0.0254).round() as u32).to_be_bytes();
    chunk(&mut file, *b"pHYs", &[&per_metre[..], &per_metre, &[1]].concat());
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
    for row in dots.colours.chunks(dots.width) {
        // Each row begins with the number of its filter, which is none. Writing to memory does not fail.
        let _ = rows.write_all(&[0]);
        for colour in row {
            let _ = rows.write_all(&colour.0);
        }
    }
    chunk(&mut file, *b"IDAT", &rows.finish().unwrap_or_default());
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    let mut sum = Crc::new();
    sum.update(&name);
    sum.update(content);
    file.extend((content.len() as u32).to_be_bytes());
    file.extend(name);
    file.extend(content);
    file.extend(sum.sum().to_be_bytes());
}

/// A picture of dots.
struct Dots {
    width: usize,
    height: usize,
    colours: Vec<Colour>,
}

impl Dots {
    fn new(width: f64, height: f64) -> Self {
        let [width, height] = [width, height].map(|length| (DENSITY * length).ceil() as usize);
        Self { width, height, colours: vec![named("paper"); width * height] }
    }

    fn paint(&mut self, shape: &Shape, style: &Style) {
        let scaled = |(x, y): Place| (DENSITY * x, DENSITY * y);
        let (points, closed) = match shape {
            Shape::Path { points, closed } => (points.iter().copied().map(scaled).collect(), *closed),
            Shape::Disc { centre, radius } => (circle(scaled(*centre), DENSITY * radius), true),
            Shape::Rect { corner: (x, y), size } => {
                let (right, bottom) = (x + size.0, y + size.1);
                ([(*x, *y), (right, *y), (right, bottom), (*x, bottom)].map(scaled).to_vec(), true)
            }
            Shape::Text { place, anchor, turn, text } => {
                return self.text(scaled(*place), (*anchor, *turn), text, style);
            }
        };
        if let Some(colour) = style.fill {
            self.fill(std::slice::from_ref(&points), colour, style.fill_opacity);
        }
        if let Some(colour) = style.stroke {
            let mut points: Vec<Place> = points;
            if closed {
                points.extend(points.first().copied());
            }
            let half = DENSITY * style.width / 2.0;
            let dashes: Vec<f64> = style.dashes.iter().map(|length| DENSITY * length).collect();
            for stroke in dashed(&points, &dashes) {
                self.stroke(&stroke, half, closed, colour, style.stroke_opacity);
            }
        }
    }

    /// Mixes a colour into a dot.
    fn mix(&mut self, column: usize, row: usize, colour: Colour, share: f64) {
        if let Some(dot) = self.colours.get_mut(row * self.width + column) {
            *dot = colour.over(share, *dot);
        }
    }

    /// Fills what outlines enclose, all run round in the same direction.
    fn fill(&mut self, outlines: &[Vec<Place>], colour: Colour, opacity: f64) {
        let Some((columns, rows)) = self.around(outlines.iter().flatten(), 0.0) else { return };
        let mut coverage = Coverage::new(columns.len(), rows.len());
        let origin = (columns.start as f64, rows.start as f64);
        for outline in outlines {
            let ends = outline.iter().zip(outline.iter().cycle().skip(1));
            ends.for_each(|(&from, &to)| coverage.edge(from, to, origin));
        }
        for row in rows.clone() {
            let mut sum = 0.0;
            for column in columns.clone() {
                sum += coverage.at(column - columns.start, row - rows.start);
                let share = sum.abs().min(1.0);
                if share > 1e-3 {
                    self.mix(column, row, colour, opacity * if share > 0.999 { 1.0 } else { share });
                }
            }
        }
    }

    /// Draws a line of twice this width, with round joints; its ends are flat if it is open.
    fn stroke(&mut self, points: &[Place], half: f64, closed: bool, colour: Colour, opacity: f64) {
        let Some((columns, rows)) = self.around(points.iter(), half + 1.0) else { return };
        let mut shares = vec![0.0_f64; columns.len() * rows.len()];
        // Of lines that are thinner than a dot no dot is covered whole.
        let most = (2.0 * half).min(1.0);
        let last = points.len().saturating_sub(2);
        for (i, ends) in points.windows(2).enumerate() {
            let (from, to) = (ends[0], ends[1]);
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let Some((own_columns, own_rows)) = self.around(ends.iter(), half + 1.0).filter(|_| length > 0.0)
            else {
                continue;
            };
            let along = ((to.0 - from.0) / length, (to.1 - from.1) / length);
            let starts_flat = !closed && i == 0;
            let ends_flat = !closed && i == last;
            for row in own_rows {
                for column in own_columns.clone() {
                    let (x, y) = (column as f64 + 0.5 - from.0, row as f64 + 0.5 - from.1);
                    let (ahead, aside) = (x * along.0 + y * along.1, (x * along.1 - y * along.0).abs());
                    let beyond = (-ahead).max(ahead - length);
                    let is_flat = if ahead < length / 2.0 { starts_flat } else { ends_flat };
                    let covered = |distance: f64| (half + 0.5 - distance).clamp(0.0, most);
                    let share = match beyond {
                        _ if is_flat => covered(aside).min((0.5 - beyond).clamp(0.0, 1.0)),
                        beyond if beyond > 0.0 => covered(aside.hypot(beyond)),
                        _ => covered(aside),
                    };
                    let place = (row - rows.start) * columns.len() + column - columns.start;
                    shares[place] = shares[place].max(share);
                }
            }
        }
        for (place, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let (row, column) = (place / columns.len(), place % columns.len());
            self.mix(columns.start + column, rows.start + row, colour, opacity * share);
        }
    }

    /// The dots around points that are in the picture, if there are any.
    fn around<'a>(
        &self,
        points: impl Iterator<Item = &'a Place>,
        room: f64,
    ) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
        let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for &(x, y) in points {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        // Saturating: what is left of the picture or above it is 0.
        let range = |low: f64, high: f64, most: usize| {
            (low - room).floor() as usize..((high + room).ceil() as usize).min(most)
        };
        let (columns, rows) = (range(low.0, high.0, self.width), range(low.1, high.1, self.height));
        (!columns.is_empty() && !rows.is_empty()).then_some((columns, rows))
    }

    fn text(&mut self, place: Place, (anchor, turn): (Anchor, i32), text: &str, style: &Style) {
        let Some(face) = face() else { return };
        let size = DENSITY * style.text_size;
        let scale = size / f64::from(face.units_per_em());
        let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let glyphs: Vec<_> = text.chars().map(|c| face.glyph_index(visible(c)).unwrap_or_default()).collect();
        let advance = |glyph| scale * f64::from(face.glyph_hor_advance(glyph).unwrap_or_default());
        let whole: f64 = glyphs.iter().map(|&glyph| advance(glyph)).sum();
        // No wider than there is room for.
        let narrow = if whole > 0.0 { (text_width(text, size) / whole).min(CONDENSED) } else { CONDENSED };
        let mut pen = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * narrow * whole,
            Anchor::End => -narrow * whole,
        };
        let (sine, cosine) = f64::from(turn).to_radians().sin_cos();
        let mut outlines = Outlines::default();
        for glyph in glyphs {
            let start = pen;
            outlines.put = Box::new(move |x, y| {
                let (x, y) = (start + narrow * scale * f64::from(x), -scale * f64::from(y));
                (place.0 + cosine * x - sine * y, place.1 + sine * x + cosine * y)
            });
            face.outline_glyph(glyph, &mut outlines);
            pen += narrow * advance(glyph);
        }
        if let (true, Some(halo)) = (style.halo, style.stroke) {
            for outline in &outlines.closed {
                self.stroke(outline, DENSITY * style.width / 2.0, true, halo, 1.0);
            }
        }
        self.fill(&outlines.closed, style.fill.unwrap_or_default(), style.fill_opacity);
    }
}

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(FONT, 0).ok()).as_ref()
}

fn circle(centre: Place, radius: f64) -> Vec<Place> {
    const N: u32 = 48;
    let corner = |i: u32| {
        let (sine, cosine) = (f64::from(i) * std::f64::consts::TAU / f64::from(N)).sin_cos();
        (centre.0 + radius * cosine, centre.1 + radius * sine)
    };
    (0..N).map(corner).collect()
}

/// A line in dashes: lengths of strokes and of the gaps after them, in turn. Without any it stays whole.
fn dashed(points: &[Place], dashes: &[f64]) -> Vec<Vec<Place>> {
    if dashes.is_empty() {
        return vec![points.to_vec()];
    }
    let mut strokes = Vec::new();
    let (mut index, mut left) = (0, dashes[0]);
    let mut current: Vec<Place> = points.first().copied().into_iter().collect();
    for ends in points.windows(2) {
        let ((x, y), (to_x, to_y)) = (ends[0], ends[1]);
        let length = (to_x - x).hypot(to_y - y);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let here = (x + (to_x - x) * done / length, y + (to_y - y) * done / length);
            if index % 2 == 0 {
                current.push(here);
                strokes.push(std::mem::take(&mut current));
            } else {
                current = vec![here];
            }
            index = (index + 1) % dashes.len();
            left = dashes[index];
        }
        left -= length - done;
        if index % 2 == 0 {
            current.push((to_x, to_y));
        }
    }
    if current.len() > 1 {
        strokes.push(current);
    }
    strokes
}

/// The outlines of glyphs, with curves as short lines.
struct Outlines {
    closed: Vec<Vec<Place>>,
    /// From the units of the font to dots.
    put: Box<dyn Fn(f32, f32) -> Place>,
}

impl Default for Outlines {
    fn default() -> Self {
        Self { closed: Vec::new(), put: Box::new(|x, y| (f64::from(x), f64::from(y))) }
    }
}

impl Outlines {
    fn add(&mut self, place: Place) {
        if let Some(outline) = self.closed.last_mut() {
            outline.push(place);
        }
    }

    /// A curve of Bézier from where the outline is, after de Casteljau.
    fn curve(&mut self, controls: &[Place]) {
        const STEPS: u32 = 8;
        let Some(&start) = self.closed.last().and_then(|outline| outline.last()) else { return };
        for step in 1..=STEPS {
            let t = f64::from(step) / f64::from(STEPS);
            let mut points = [&[start], controls].concat();
            while points.len() > 1 {
                let between = |pair: &[Place]| {
                    (pair[0].0 + t * (pair[1].0 - pair[0].0), pair[0].1 + t * (pair[1].1 - pair[0].1))
                };
                points = points.windows(2).map(between).collect();
            }
            self.add(points[0]);
        }
    }
}

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        let place = (self.put)(x, y);
        self.closed.push(vec![place]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add((self.put)(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.curve(&[(self.put)(x1, y1), (self.put)(x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.curve(&[(self.put)(x1, y1), (self.put)(x2, y2), (self.put)(x, y)]);
    }

    fn close(&mut self) {}
}

/// For each dot how much more of it an outline covers than of the one before: the sums along a row are the
/// covered shares. The edges of an outline add what lies to their right, with a sign by their direction.
struct Coverage {
    width: usize,
    height: usize,
    steps: Vec<f64>,
}

impl Coverage {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, steps: vec![0.0; (width + 1) * height] }
    }

    fn at(&self, column: usize, row: usize) -> f64 {
        self.steps[row * (self.width + 1) + column]
    }

    fn edge(&mut self, from: Place, to: Place, origin: Place) {
        let moved = |(x, y): Place| (x - origin.0, y - origin.1);
        let (from, to) = (moved(from), moved(to));
        if from.1 == to.1 {
            return;
        }
        let (sign, from, to) = if from.1 < to.1 { (1.0, from, to) } else { (-1.0, to, from) };
        let slope = (to.0 - from.0) / (to.1 - from.1);
        let (first, last) = (from.1.max(0.0), to.1.min(self.height as f64));
        for row in first.floor() as usize..last.ceil().max(0.0) as usize {
            let (top, bottom) = (first.max(row as f64), last.min(row as f64 + 1.0));
            let x = |y: f64| (from.0 + slope * (y - from.1)).clamp(0.0, self.width as f64);
            self.part(row, (x(top), x(bottom)), sign * (bottom - top));
        }
    }

    /// The part of an edge within a row, of this height.
    fn part(&mut self, row: usize, (a, b): (f64, f64), height: f64) {
        let (left, right) = (a.min(b), a.max(b));
        let start = row * (self.width + 1);
        let (first, last) = (left.floor() as usize, (right.ceil() as usize).max(left.floor() as usize + 1));
        let mut before = 0.0;
        for column in first..last.min(self.width) {
            // The area to the right of the edge within this dot and all before, by the length of the edge
            // that they have.
            let end = column as f64 + 1.0;
            let share = if right > left { ((right.min(end) - left) / (right - left)).min(1.0) } else { 1.0 };
            let middle = f64::midpoint(left.max(column as f64), right.min(end));
            let entered = if right > left { (left.max(column as f64) - left) / (right - left) } else { 0.0 };
            let covered = entered + (share - entered) * (end - middle);
            self.steps[start + column] += height * (covered - before);
            before = covered;
        }
        // All of it from the next dot on.
        self.steps[start + last.min(self.width)] += height * (1.0 - before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn red(dots: &Dots, column: usize, row: usize) -> u8 {
        dots.colours[row * dots.width + column].0[0]
    }

    #[test]
    fn areas_cover_their_share_of_dots() {
        let mut dots = Dots::new(4.0, 4.0);
        let black = Colour([0; 3]);
        dots.fill(&[vec![(1.0, 1.0), (5.5, 1.0), (5.5, 3.25), (1.0, 3.25)]], black, 1.0);
        let reds = [red(&dots, 0, 1), red(&dots, 1, 1), red(&dots, 4, 2), red(&dots, 5, 1), red(&dots, 6, 1)];
        assert_eq!(reds, [255, 0, 0, 128, 255]);
        assert_eq!([red(&dots, 2, 3), red(&dots, 5, 3), red(&dots, 2, 4)], [191, 223, 255]);
        // The area of a slanted triangle, whichever way round.
        for corners in [[(0.3, 0.2), (7.1, 2.4), (2.2, 7.7)], [(2.2, 7.7), (7.1, 2.4), (0.3, 0.2)]] {
            let mut dots = Dots::new(4.0, 4.0);
            dots.fill(&[corners.to_vec()], black, 1.0);
            let covered: f64 = dots.colours.iter().map(|dot| 1.0 - f64::from(dot.0[0]) / 255.0).sum();
            let [a, b, c]: [Place; 3] = corners;
            let area = 0.5 * ((b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1)).abs();
            assert!((covered - area).abs() < 0.1, "{covered} {area}");
        }
    }

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        let strokes = dashed(&line, &[3.0, 1.0]);
        assert_eq!(
            strokes,
            [
                vec![(0.0, 0.0), (3.0, 0.0)],
                vec![(4.0, 0.0), (5.0, 0.0), (5.0, 2.0)],
                vec![(5.0, 3.0), (5.0, 5.0)],
            ]
        );
        assert_eq!(dashed(&line, &[]), [line.to_vec()]);
    }

    #[test]
    fn the_font_has_letters_of_several_scripts() {
        for c in "aÄœλЖ−…×→⁶".chars() {
            assert!(face().unwrap().glyph_index(c).is_some(), "{c}");
        }
    }
}
