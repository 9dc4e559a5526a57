//! Layers drawn over two axes.

use super::{
    Drawing, Panel,
    canvas::{Anchor, Canvas, Drawn, Place, Shape, Tone, shortened, text_width},
    clip::{Edges, arrows, clip},
    frame::{FONT, Frame},
    looks::{Colour, named},
    scale::Span,
    series_style::{MARKER, N_COLOURS, SeriesStyle},
    sheet::Area,
};
use crate::{Ink, Layer, Mark, Name, Plane};

/// The most series of a legend.
const MOST: usize = 20;
/// How much of its colour an area has that is seen through.
const BAND: f64 = 0.18;
/// How much of each colour a region has: those that keep the regions apart for the colour-blind, too.
const TINTS: [f64; N_COLOURS] = [0.36, 0.36, 0.36, 0.16, 0.48, 0.44, 0.48, 0.48];

/// How much of its colour the region of a series has, between 0.12 and 0.6: another share where the colour
/// comes again.
fn tint(number: usize) -> f64 {
    let steps = (TINTS[number % N_COLOURS] - 0.12) / 0.12 + (number / N_COLOURS % 4) as f64;
    0.12 + 0.12 * (steps % 4.0)
}

fn class(ink: Ink) -> String {
    match ink {
        Ink::Series(number) => SeriesStyle::of(number).class(),
        Ink::Dark => "dark".into(),
        Ink::Soft => "soft".into(),
        Ink::Faint => "faint".into(),
    }
}

/// The number of the style of an ink: what is no series has rings.
fn marker(ink: Ink, place: Place, area: f64) -> (&'static str, Shape) {
    match ink {
        Ink::Series(number) => ("marker", SeriesStyle::of(number).marker(place, area)),
        _ => ("ring", SeriesStyle::of(0).marker(place, 0.7 * area)),
    }
}

/// Dashes tell series apart whose colours come again.
fn dashes(ink: Ink) -> &'static str {
    match ink {
        Ink::Series(number) => ["solid", "dashed", "dotted", "dashdotted"][number / N_COLOURS % 4],
        _ => "solid",
    }
}

pub(crate) fn colour(ink: Ink) -> Colour {
    named(match ink {
        Ink::Series(number) => ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"][number % N_COLOURS],
        Ink::Dark => "ink",
        Ink::Soft => "soft",
        Ink::Faint => "rule",
    })
}

fn tint_of(ink: Ink) -> f64 {
    if let Ink::Series(number) = ink { tint(number) } else { 0.3 }
}

pub(crate) fn region_colour(ink: Ink) -> Colour {
    colour(ink).over(tint_of(ink), named("paper"))
}

pub(super) fn draw(plane: &Plane, label: &str, size: (f64, f64)) -> Drawing {
    let mut canvas = Canvas::new();
    let spans = [&plane.x, &plane.y].map(|axis| Span::around(axis, std::iter::empty()));
    let [x, y] = spans;
    let frame = Frame::draw(&mut canvas, size, (&plane.x, x), (&plane.y, y));
    for layer in &plane.layers {
        draw_layer(&mut canvas, &frame, layer);
    }
    frame.edge(&mut canvas);
    let area = Area { left: frame.left, top: frame.top, right: frame.right, bottom: frame.bottom };
    Drawing {
        pictures: vec![Panel { title: String::new(), drawn: canvas.finish(size.0, size.1, label) }],
        columns: 1,
        legend_title: plane.series.clone(),
        legend: legend(plane),
        n_omitted: 0,
        area: Some(area),
    }
}

fn draw_layer(canvas: &mut Canvas, frame: &Frame, layer: &Layer) {
    let edges = [frame.left, frame.top, frame.right, frame.bottom];
    let class = class(layer.ink);
    let places = |points: &[(f64, f64)]| -> Vec<Place> {
        let mut places: Vec<Place> = points.iter().map(|&point| frame.beyond(point)).collect();
        places.dedup();
        places
    };
    let held = |points: &[(f64, f64)], room: f64| -> Vec<Place> {
        let inside = |value: f64, low: f64, high: f64| value.clamp(low + room, high - room);
        let places = points.iter().map(|&point| frame.beyond(point));
        places
            .map(|(x, y)| (inside(x, frame.left, frame.right), inside(y, frame.top, frame.bottom)))
            .collect()
    };
    match &layer.mark {
        Mark::Curve(points) => {
            let points = places(points);
            for part in clip(&points, edges) {
                canvas.path(&format!("line {class} {}", dashes(layer.ink)), &part, false);
            }
            draw_arrows(canvas, &points, edges, &class);
        }
        Mark::Border(points) => {
            for part in clip(&places(points), edges) {
                canvas.path(&format!("fine {class}"), &part, false);
            }
        }
        Mark::Level(at) => {
            let y = frame.y_of(*at);
            canvas.line(&format!("fine {class}"), (frame.left, y), (frame.right, y));
        }
        Mark::Bars { bars, share } => draw_bars(canvas, frame, (bars, *share), &class),
        Mark::Area(corners) | Mark::Region(corners) | Mark::Hole(corners) if corners.len() < 3 => {}
        Mark::Area(corners) => {
            let mut corners = held(corners, 0.0);
            corners.dedup();
            canvas.toned(
                &format!("fill {class}"),
                Shape::Path { points: corners, closed: true },
                Tone::Through(BAND),
            );
        }
        Mark::Region(corners) => {
            let tone = Tone::Mixed(tint_of(layer.ink));
            canvas.toned(
                &format!("region {class}"),
                Shape::Path { points: held(corners, 0.0), closed: true },
                tone,
            );
        }
        Mark::Hole(corners) => canvas.path("region white", &held(corners, 0.0), true),
        Mark::Points { at, area } => {
            for place in held(at, 0.6 * area.sqrt()) {
                let (kind, outline) = marker(layer.ink, place, *area);
                canvas.shape(&format!("{kind} {class}"), outline);
            }
        }
        Mark::Rings(at) => {
            for centre in held(at, 6.0) {
                canvas.shape(&format!("ring {class}"), Shape::Disc { centre, radius: 6.0 });
            }
        }
        Mark::Intervals(intervals) => {
            let class = format!("fine {class}");
            for &(x, low, high) in intervals {
                let (x, low, high) = (frame.x_of(x), frame.y_of(low), frame.y_of(high));
                canvas.line(&class, (x, low), (x, high));
                for y in [low, high] {
                    canvas.line(&class, (x - 4.0, y), (x + 4.0, y));
                }
            }
        }
        Mark::Gaps { x, y } => {
            for x in x.iter().map(|&x| frame.x_of(x)) {
                canvas.line("gap", (x, frame.top), (x, frame.bottom));
            }
            for y in y.iter().map(|&y| frame.y_of(y)) {
                canvas.line("gap", (frame.left, y), (frame.right, y));
            }
        }
        Mark::Names(names) => {
            for name in names {
                draw_name(canvas, frame, name);
            }
        }
    }
}

fn draw_arrows(canvas: &mut Canvas, points: &[Place], edges: Edges, class: &str) {
    for arrow in arrows(points, edges) {
        canvas.path(&format!("marker {class}"), &arrow, true);
    }
}

/// Bars; those that are seen through have an outline, the others an arrow where they go on.
fn draw_bars(canvas: &mut Canvas, frame: &Frame, (bars, share): (&[(f64, f64, f64, f64)], f64), class: &str) {
    let edges = [frame.left, frame.top, frame.right, frame.bottom];
    let mut outline: Vec<Place> = Vec::new();
    for &(from, to, low, high) in bars {
        let (left, right) = (frame.x_of(from), frame.x_of(to));
        let (top, bottom) = (frame.y_of(high), frame.y_of(low));
        if bottom > top {
            let opacity = (share < 1.0).then_some(share);
            canvas.rect(&format!("fill {class}"), (left, top), (right - left, bottom - top), opacity);
        }
        outline.extend([(left, top), (right, top)]);
        if share >= 1.0 {
            let middle = f64::midpoint(left, right);
            for end in [low, high].map(|end| frame.beyond((from, end)).1) {
                draw_arrows(canvas, &[(middle - 0.1, end), (middle + 0.1, end)], edges, class);
            }
        }
    }
    let touch = bars.len() > 2 && bars.windows(2).all(|pair| pair[0].1 == pair[1].0);
    if let (true, Some(first), Some(last)) = (share < 1.0 && touch, outline.first(), outline.last()) {
        let ends = [(first.0, frame.bottom), (last.0, frame.bottom)];
        let outline = [&ends[..1], &outline, &ends[1..]].concat();
        canvas.path(&format!("outline {class}"), &outline, false);
    }
}

/// A name, unless so little of it has room that it could be any.
fn draw_name(canvas: &mut Canvas, frame: &Frame, Name { text, at, reach }: &Name) {
    const FEWEST_LETTERS: usize = 8;
    let (place, end) = (frame.beyond(*at), frame.beyond((at.0 + reach.0, at.1 + reach.1)));
    let room = (end.0 - place.0).abs().min((end.1 - place.1).abs());
    let short = shortened(text, 2.0 * room, FONT);
    let is_known = !short.ends_with('…') || short.chars().count() > FEWEST_LETTERS;
    if is_known && text_width(&short, FONT) <= 2.0 * room && 0.6 * FONT <= room {
        canvas.text("halo", (place.0, place.1 + 4.0), Anchor::Middle, &short);
    }
}

/// An entry for each name: series first, by their numbers, as many as there is room for.
pub(super) fn legend(plane: &Plane) -> Vec<(Drawn, String)> {
    let mut entries: Vec<(usize, &str, Vec<&Layer>)> = Vec::new();
    for layer in plane.layers.iter().filter(|layer| !layer.name.is_empty()) {
        let order = if let Ink::Series(number) = layer.ink { number } else { usize::MAX };
        match entries.iter_mut().find(|entry| (entry.0, entry.1) == (order, &layer.name)) {
            Some((.., layers)) => layers.push(layer),
            None => entries.push((order, &layer.name, vec![layer])),
        }
    }
    entries.sort_by_key(|entry| entry.0);
    let n = entries.iter().filter(|entry| entry.0 != usize::MAX).count();
    let shown = if n > MOST + 1 { MOST } else { n };
    let entry = |(_, name, layers): &(usize, &str, Vec<&Layer>)| (swatch(layers), (*name).to_string());
    let mut legend: Vec<(Drawn, String)> = entries[..shown].iter().map(entry).collect();
    if shown < n {
        legend.push((Canvas::new().finish(SWATCH.0, SWATCH.1, ""), format!("and {} more", n - shown)));
    }
    legend.extend(entries[n..].iter().map(entry));
    legend
}

/// The size of swatches.
const SWATCH: (f64, f64) = (26.0, 14.0);

/// The marks of a name on top of one another.
fn swatch(layers: &[&Layer]) -> Drawn {
    let (width, height) = SWATCH;
    let (middle, whole) = ((width / 2.0, height / 2.0), (width, height - 1.0));
    let mut canvas = Canvas::new();
    let has_shade = layers.iter().any(|layer| matches!(layer.mark, Mark::Bars { share, .. } if share < 1.0));
    for layer in layers {
        let class = class(layer.ink);
        let patch = Shape::Rect { corner: (0.0, 0.5), size: whole };
        let across = [(0.0, middle.1), (width, middle.1)];
        match layer.mark {
            Mark::Bars { share, .. } if share < 1.0 => {
                canvas.rect(&format!("fill {class}"), (0.0, 0.5), whole, Some(share));
            }
            Mark::Bars { .. } => {
                let inset = if has_shade { 7.0 } else { 0.0 };
                canvas.rect(&format!("fill {class}"), (inset, 0.5), (whole.0 - 2.0 * inset, whole.1), None);
            }
            Mark::Area(_) => canvas.toned(&format!("fill {class}"), patch, Tone::Through(BAND)),
            Mark::Region(_) => {
                canvas.toned(&format!("region {class}"), patch, Tone::Mixed(tint_of(layer.ink)));
            }
            Mark::Curve(_) => canvas.path(&format!("line {class} {}", dashes(layer.ink)), &across, false),
            Mark::Border(_) | Mark::Level(_) | Mark::Intervals(_) => {
                canvas.path(&format!("fine {class}"), &across, false);
            }
            Mark::Points { .. } => {
                let (kind, outline) = marker(layer.ink, middle, MARKER);
                canvas.shape(&format!("{kind} {class}"), outline);
            }
            Mark::Rings(_) => {
                canvas.shape(&format!("ring {class}"), Shape::Disc { centre: middle, radius: 5.5 });
            }
            Mark::Hole(_) | Mark::Gaps { .. } | Mark::Names(_) => {}
        }
    }
    canvas.finish(width, height, "")
}
