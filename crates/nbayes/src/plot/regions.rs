//! Which class naive Bayes gives where, if it sees two features alone: leaving the others out is exact, since
//! the features are independent in each class. Of a refined model what the two say together is added.

use nb_io::FittedFamily;
use nb_report::{Axis, Ink, Layer, Mark, Name, Plane};

use super::{
    bars::MOST,
    contour::{Contour, borders, contours},
    feature::{Law, PlottedColumn},
    grid::{Grid, Strip},
    limits,
    pair::pair_of,
    picture::{Picture, Shown, Subject, Words},
    points::Points,
};

/// How many nodes the grid has along each axis.
const NODES: (usize, usize) = (241, 181);

/// Draws the regions of the classes over two features.
pub(crate) fn regions(subject: &Subject<'_>, features: [&PlottedColumn; 2]) -> Picture {
    let [(x, note), (y, other_note)] = features.map(|feature| feature.at_most(MOST));
    let features = [&x, &y];
    let limits = [0, 1].map(|place| axis_limits(subject, features[place], place));
    let [x_axis, y_axis] = [0, 1].map(|place| axis(features[place], limits[place]));
    let points = Points::new(subject, features, limits);
    let mut words = words(subject, features, &points);
    words.caption.push_str(&note);
    words.caption.push_str(&other_note);
    let mut plane = Plane { series: subject.label.into(), ..Plane::new(x_axis, y_axis) };
    // All classes are in the legend, also those without a region.
    for class in 0..subject.n_classes() {
        plane.push(subject.layer(class, Mark::Region(Vec::new())));
    }
    let strips = [0, 1].map(|place| {
        let nodes = if place == 0 { NODES.0 } else { NODES.1 };
        Strip::all(subject.classifier, features[place], limits[place], nodes)
    });
    let together = pair_of(subject.classifier, features.map(|feature| feature.column));
    let mut names = Vec::new();
    for y in &strips[1] {
        for x in &strips[0] {
            let grid = Grid::new(subject.classifier.log_prior(), x, y, together.as_ref());
            fill(subject, &grid, &mut plane);
            outline(subject, &grid, &mut plane);
            if subject.n_classes() > Ink::COLOURS {
                name_regions(subject, &grid, &mut names);
            }
        }
    }
    let between = |place: usize| -> Vec<f64> { (1..strips[place].len()).map(|at| at as f64).collect() };
    plane.push(Layer::unnamed(Ink::Faint, Mark::Gaps { x: between(0), y: between(1) }));
    points.draw(subject, &mut plane);
    plane.push(Layer::unnamed(Ink::Dark, Mark::Names(names)));
    if features.iter().any(|feature| feature.is_numeric()) && subject.n_classes() > 1 {
        let border = if subject.n_classes() == 2 { "probability 0.5" } else { "border" };
        plane.push(Layer::new(border, Ink::Dark, Mark::Border(Vec::new())));
    }
    let shown = [0, 1].map(|place| match &features[place].law {
        Law::Categories { levels, .. } => {
            Shown::Categories { categories: levels.iter().map(|level| level.name.clone()).collect() }
        }
        _ => Shown::Limits { low: limits[place].0, high: limits[place].1 },
    });
    Picture {
        kind: "regions",
        drawn: words.around(plane),
        shown: shown.to_vec(),
        outside: points.outside,
        missing: points.missing,
        contributions: Vec::new(),
    }
}

fn axis_limits(subject: &Subject<'_>, feature: &PlottedColumn, place: usize) -> (f64, f64) {
    if let Law::Categories { levels, .. } = &feature.law {
        return (0.0, levels.len() as f64);
    }
    let groups = subject.sample.map(|sample| sample.by_class(place, subject.n_classes())).unwrap_or_default();
    let (low, high) = limits::of_groups(&groups).or(feature.expected()).unwrap_or((0.0, 1.0));
    // Below zero there is nothing to count, and the regions of counts mean nothing.
    if feature.is_whole() { (low.max(-0.015 * high.abs()), high) } else { (low, high) }
}

fn axis(feature: &PlottedColumn, (low, high): (f64, f64)) -> Axis {
    match &feature.law {
        Law::Categories { levels, .. } => {
            Axis::categories(&feature.name, levels.iter().map(|level| &level.name))
        }
        _ => Axis { whole: feature.is_whole(), ..Axis::linear(&feature.name).between(low, high) },
    }
}

fn words(subject: &Subject<'_>, features: [&PlottedColumn; 2], points: &Points) -> Words {
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

/// The regions, the largest first: what lies in a hole of a region is smaller than the region.
fn fill(subject: &Subject<'_>, grid: &Grid<'_>, plane: &mut Plane) {
    let mut found: Vec<(Contour, Option<usize>)> = Vec::new();
    for class in grid.present() {
        let of_class = borders(grid.xs, grid.ys, |i, j| grid.lead(class, i, j));
        found.extend(of_class.into_iter().map(|border| (border, Some(class))));
    }
    let impossible = |i, j| if grid.label(i, j).is_none() { 1.0 } else { -1.0 };
    found.extend(borders(grid.xs, grid.ys, impossible).into_iter().map(|border| (border, None)));
    found.retain(|(border, _)| border.area() > 0.0);
    found.sort_by(|a, b| b.0.area().total_cmp(&a.0.area()));
    for (border, class) in found {
        plane.push(match class {
            Some(class) => subject.layer(class, Mark::Region(border.points)),
            None => Layer::unnamed(Ink::Faint, Mark::Hole(border.points)),
        });
    }
}

/// The borders between the most probable classes; those of two classes are where the posterior is 0.5.
fn outline(subject: &Subject<'_>, grid: &Grid<'_>, plane: &mut Plane) {
    // The border of two classes is that of either.
    let present = grid.present();
    let n_borders = if subject.n_classes() == 2 { 1 } else { present.len() };
    for &class in present.iter().take(n_borders) {
        for line in contours(grid.xs, grid.ys, |i, j| grid.lead(class, i, j)) {
            plane.push(Layer::unnamed(Ink::Dark, Mark::Border(line.points)));
        }
    }
}

/// The names of the classes in their regions: colours alone do not distinguish this many.
fn name_regions(subject: &Subject<'_>, grid: &Grid<'_>, names: &mut Vec<Name>) {
    let (across, down) = (grid.xs[1] - grid.xs[0], grid.ys[1] - grid.ys[0]);
    for (class, inmost) in grid.inmost().into_iter().enumerate() {
        let Some((i, j, depth)) = inmost else { continue };
        let text = subject.classifier.classes()[class].clone();
        names.push(Name { text, at: (grid.xs[i], grid.ys[j]), reach: (depth * across, depth * down) });
    }
}
