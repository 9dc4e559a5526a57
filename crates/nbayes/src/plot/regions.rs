//! Which class naive Bayes gives where, if it sees two features alone: leaving the others out is exact, since the
//! features are independent in each class.

use nb_io::FittedFamily;

use super::{
    bars::MOST,
    contour::{Contour, borders, contours},
    feature::{Feature, Law},
    font::fit,
    frame::{Axis, Frame, Scale, Words},
    grid::{Grid, Strip, has_room},
    legend::Key,
    limits,
    palette::{N_COLOURS, unlabelled},
    picture::{Picture, Shown, Subject},
    points::Points,
    shapes::{Anchor, Colour, INK, Point, Rectangle, Shape, WHITE, stroke, text},
};

/// How many nodes the grid has along each axis.
const NODES: (usize, usize) = (241, 181);
const BOUNDARY: Colour = INK;

/// Draws the regions of the classes over two features.
pub(crate) fn regions(subject: &Subject<'_>, features: [&Feature; 2]) -> Picture {
    let [(x, note), (y, other_note)] = features.map(|feature| feature.at_most(MOST));
    let features = [&x, &y];
    let limits = [0, 1].map(|place| axis_limits(subject, features[place], place));
    let axes = [0, 1].map(|place| axis(features[place], limits[place]));
    let points = Points::new(subject, features, limits);
    let mut words = words(subject, features, &points);
    words.caption.push_str(&note);
    words.caption.push_str(&other_note);
    let has_points = points.drawn > 0;
    let mut legend = subject.legend(|style| Key::Region { style, points: has_points });
    if has_points && subject.has_unlabelled() {
        let style = unlabelled();
        legend =
            legend.with_note(Key::Points { marker: style.marker, colour: style.colour }, "unknown label");
    }
    if features.iter().any(|feature| feature.is_numeric()) && subject.n_classes() > 1 {
        let border = if subject.n_classes() == 2 { "probability 0.5" } else { "border" };
        legend = legend.with_note(Key::Line(BOUNDARY), border);
    }
    let frame = Frame::new(&words, &axes[0], &axes[1], &legend);

    let strips = [0, 1].map(|place| {
        let nodes = if place == 0 { NODES.0 } else { NODES.1 };
        Strip::all(subject.classifier, features[place], limits[place], nodes)
    });
    let mut shapes = Vec::new();
    let mut above = Vec::new();
    for y in &strips[1] {
        for x in &strips[0] {
            let grid = Grid::new(subject.classifier.log_prior(), x, y);
            fill(subject, &frame, &grid, &mut shapes);
            outline(subject, &frame, &grid, &mut shapes);
            if subject.n_classes() > N_COLOURS {
                name_regions(subject, &frame, &grid, &mut above);
            }
        }
    }
    part(&frame, features, &strips, &mut shapes);
    points.draw(subject, &frame, &mut shapes);
    shapes.extend(above);
    let shown = [0, 1].map(|place| match &axes[place].scale {
        Scale::Numbers { low, high, .. } | Scale::Beside { low, high, .. } => {
            Shown::Limits { low: *low, high: *high }
        }
        Scale::Categories(names) => Shown::Categories { categories: names.clone() },
    });
    Picture {
        kind: "regions",
        area: frame.area,
        shapes: frame.around(shapes),
        shown: shown.to_vec(),
        outside: points.outside,
        missing: points.missing,
        contributions: Vec::new(),
    }
}

fn axis_limits(subject: &Subject<'_>, feature: &Feature, place: usize) -> (f64, f64) {
    if let Law::Categories { levels, .. } = &feature.law {
        return (0.0, levels.len() as f64);
    }
    let groups = subject.sample.map(|sample| sample.by_class(place, subject.n_classes())).unwrap_or_default();
    let (low, high) = limits::of_groups(&groups).or(feature.expected()).unwrap_or((0.0, 1.0));
    // Below zero there is nothing to count, and the regions of counts mean nothing.
    if feature.is_whole() { (low.max(-0.015 * high.abs()), high) } else { (low, high) }
}

fn axis(feature: &Feature, (low, high): (f64, f64)) -> Axis {
    let scale = match &feature.law {
        Law::Categories { levels, .. } => {
            Scale::Categories(levels.iter().map(|level| level.name.clone()).collect())
        }
        _ => Scale::Numbers { low, high, whole: feature.is_whole() },
    };
    Axis { name: feature.name.clone(), scale }
}

fn words(subject: &Subject<'_>, features: [&Feature; 2], points: &Points) -> Words {
    let families = match features.map(|feature| feature.family) {
        [a, b] if a == b => a.to_owned(),
        [a, b] => format!("{a} and {b}"),
    };
    let mut caption = subject.caption(points.outside, points.missing);
    if points.drawn < points.inside {
        caption.push_str(&format!(" {} rows are drawn.", points.drawn));
    }
    if points.is_scattered {
        caption.push_str(" Points are jittered.");
    }
    if features.iter().all(|feature| matches!(feature.law, Law::Share { .. })) {
        caption.push_str(" The axes count how often each occurs in a row.");
    }
    let alone = match subject.classifier.n_columns() {
        0..=2 => String::new(),
        3 => ", the other column left out".into(),
        n => format!(", {} other columns left out", n - 2),
    };
    let model = match subject.classifier.likelihood() {
        FittedFamily::Refined(_) => "refined model",
        _ => "naive Bayes",
    };
    Words {
        title: format!("{} by {} and {}", subject.label, features[0].name, features[1].name),
        subtitle: format!("{model} ({families}){alone}: the most probable class; model {}", subject.model),
        caption,
    }
}

/// Points on the paper.
fn placed(frame: &Frame, points: &[Point]) -> Vec<Point> {
    points.iter().map(|&(x, y)| (frame.x(x), frame.y(y))).collect()
}

/// The regions, the largest first: what lies in a hole of a region is smaller than the region.
fn fill(subject: &Subject<'_>, frame: &Frame, grid: &Grid<'_>, shapes: &mut Vec<Shape>) {
    let mut found: Vec<(Contour, Colour)> = Vec::new();
    for class in grid.present() {
        let of_class = borders(grid.xs, grid.ys, |i, j| grid.lead(class, i, j));
        found.extend(of_class.into_iter().map(|border| (border, subject.style(class).region)));
    }
    let impossible = |i, j| if grid.label(i, j).is_none() { 1.0 } else { -1.0 };
    found.extend(borders(grid.xs, grid.ys, impossible).into_iter().map(|border| (border, WHITE)));
    found.retain(|(border, _)| border.area() > 0.0);
    found.sort_by(|a, b| b.0.area().total_cmp(&a.0.area()));
    for (border, colour) in found {
        let corners = placed(frame, &border.points);
        // The line covers what two neighbours leave between them where edges are smoothed.
        shapes.push(Shape::Polygon { corners: corners.clone(), colour, opacity: 1.0 });
        shapes.push(Shape::Line { points: corners, colour, width: 0.75 });
    }
}

/// The borders between the most probable classes; those of two classes are where the posterior is 0.5.
fn outline(subject: &Subject<'_>, frame: &Frame, grid: &Grid<'_>, shapes: &mut Vec<Shape>) {
    // The border of two classes is that of either.
    let present = grid.present();
    let n_borders = if subject.n_classes() == 2 { 1 } else { present.len() };
    for &class in present.iter().take(n_borders) {
        for line in contours(grid.xs, grid.ys, |i, j| grid.lead(class, i, j)) {
            shapes.push(Shape::Line { points: placed(frame, &line.points), colour: BOUNDARY, width: 1.5 });
        }
    }
}

/// The names of the classes in their regions, where there is room: colours alone do not tell so many.
fn name_regions(subject: &Subject<'_>, frame: &Frame, grid: &Grid<'_>, shapes: &mut Vec<Shape>) {
    const SIZE: f64 = 13.0;
    const FEWEST_LETTERS: usize = 8;
    let across = (frame.x(grid.xs[1]) - frame.x(grid.xs[0])).abs();
    let down = (frame.y(grid.ys[1]) - frame.y(grid.ys[0])).abs();
    for (class, inmost) in grid.inmost().into_iter().enumerate() {
        let Some((i, j, depth)) = inmost else { continue };
        let reach = depth * across.min(down);
        let name = fit(&subject.classifier.classes()[class], SIZE, 2.0 * reach);
        // A name cut down to a few letters could be any.
        let is_known = !name.ends_with('…') || name.chars().count() > FEWEST_LETTERS;
        if is_known && has_room(&name, SIZE, reach) {
            let (x, y) = (frame.x(grid.xs[i]), frame.y(grid.ys[j]) + 0.36 * SIZE);
            let halo = [(-1.2, 0.0), (1.2, 0.0), (0.0, -1.2), (0.0, 1.2)];
            shapes.extend(
                halo.map(|(dx, dy)| text((x + dx, y + dy), name.clone(), SIZE, WHITE, Anchor::Middle)),
            );
            shapes.push(text((x, y), name, SIZE, INK, Anchor::Middle));
        }
    }
}

/// White lines between categories.
fn part(frame: &Frame, features: [&Feature; 2], strips: &[Vec<Strip>; 2], shapes: &mut Vec<Shape>) {
    let Rectangle { left, top, right, bottom } = frame.area;
    for place in 1..strips[0].len().max(1) {
        if !features[0].is_numeric() {
            let x = frame.x(place as f64);
            shapes.push(stroke((x, top), (x, bottom), 3.0, WHITE));
        }
    }
    for place in 1..strips[1].len().max(1) {
        if !features[1].is_numeric() {
            let y = frame.y(place as f64);
            shapes.push(stroke((left, y), (right, y), 3.0, WHITE));
        }
    }
}
