//! What a feature adds to the scores of the classes as a picture: steps over bins, curves over other numbers, bars over
//! categories; and where the rows are.

use super::{
    SEEN_THROUGH,
    bins::Bins,
    effect::{Effect, Values},
    feature::Feature,
    frame::{Axis, BESIDE, Frame, Scale, Words},
    interval::Uncertainty,
    legend::{Key, Legend},
    limits,
    lines::{beyond, clip, dashed},
    palette::{N_COLOURS, Style, style},
    picture::{Picture, Shown, Subject},
    sample::Sample,
    shapes::{Colour, GREY, INK, Point, Rectangle, Shape, WHITE, stroke},
    ticks::label,
};

/// The most categories that are drawn.
pub(super) const MOST: usize = 12;
/// The part of a category's place that its bars take.
const GROUP: f64 = 0.82;
/// The part of the height in which the rows are.
const ROWS: f64 = 0.14;
/// Log-odds beyond this decide alone.
const DECISIVE: f64 = 25.0;
/// What is infinite is drawn as if it were this.
const HUGE: f64 = 1e200;
/// How opaque the band of a 95 % interval is.
const BAND: f64 = 0.18;
/// How many times as far as the curves a picture goes for the sake of intervals.
const ROOM_OF_INTERVALS: f64 = 1.4;
/// What intervals are of.
const INTERVALS: &str =
    "95 % intervals: by the number of training rows; weights and preparation of the columns are held fixed.";
const OF_ROWS: Colour = Colour(150, 150, 150);
/// Of the curves of further classes.
const FAR_OFF: Colour = Colour(205, 205, 205);

/// The axis of the values, and where each of them is on it.
struct Places {
    axis: Axis,
    /// The values that are drawn, and from where to where each goes.
    drawn: Vec<(usize, f64, f64)>,
    missing: Option<(f64, f64)>,
    /// How many categories are left out.
    more: usize,
}

/// Draws what a feature adds.
pub(crate) fn effects(subject: &Subject<'_>, feature: &Feature, class_shares: &[f64]) -> Picture {
    let groups = subject.sample.map(|sample| sample.by_class(0, subject.n_classes())).unwrap_or_default();
    let span = limits::of_groups(&groups).or(feature.expected()).unwrap_or((0.0, 1.0));
    let span = if feature.is_whole() { (span.0.max(-0.5), span.1) } else { span };
    let effect = Effect::new(subject.classifier, feature, class_shares, span);
    let curvature = subject.curvatures.and_then(|all| all.of(feature.column));
    let effect = match Uncertainty::of(subject.evidence, subject.classifier, feature, curvature) {
        Some(uncertainty) => effect.with_intervals(&uncertainty, subject.classifier, feature, class_shares),
        None => effect,
    };
    let places = places(&effect, feature, span);
    let (low, high, cut) = heights(&effect, &places);
    let rows = rows(subject, feature, &effect, &places, &groups, span);

    let is_number = !matches!(effect.values, Values::Categories(_));
    let outside = if is_number {
        groups.iter().flatten().filter(|value| !(span.0..=span.1).contains(*value)).count()
    } else {
        0
    };
    let missing = subject.sample.map_or(0, Sample::n_missing);
    let words = words(subject, feature, outside, missing, &places, &cut, (!rows.is_empty(), &effect));
    let strongest = effect.strongest_curves(N_COLOURS);
    let legend = legend(subject, &strongest, is_number, !rows.is_empty());
    let legend = if effect.has_intervals() {
        let of_band = match subject.n_classes() {
            2 => style(1).colour.lighter(1.0 - BAND),
            _ => FAR_OFF,
        };
        let key = if is_number { Key::Patch(of_band) } else { Key::Line(INK) };
        legend.with_note(key, "95 % interval")
    } else {
        legend
    };
    let frame = Frame::new(&words, &places.axis, &height_axis(subject, low, high), &legend);
    let mut shapes = Vec::new();
    draw_rows(&frame, &rows, &mut shapes);
    let zero = frame.y(0.0);
    shapes.push(stroke((frame.area.left, zero), (frame.area.right, zero), 1.0, GREY));
    let mut order: Vec<usize> = (0..n_curves(subject)).collect();
    order.sort_by_key(|curve| strongest.contains(curve));
    if is_number {
        for &curve in &strongest {
            draw_band(&frame, &effect, &places, curve, style_of(subject, curve).colour, &mut shapes);
        }
    }
    for curve in order {
        let style = style_of(subject, curve);
        if !strongest.contains(&curve) {
            if is_number {
                draw_curve(&frame, &effect, &places, curve, Style { colour: FAR_OFF, ..style }, &mut shapes);
            }
        } else if is_number {
            draw_curve(&frame, &effect, &places, curve, style, &mut shapes);
        } else {
            let place = strongest.iter().position(|&other| other == curve).unwrap_or_default();
            draw_bars(&frame, &effect, &places, curve, (style, place, strongest.len()), &mut shapes);
        }
    }
    let shown = match &places.axis.scale {
        Scale::Categories(names) => {
            let categories = names.iter().take(places.drawn.len()).cloned().collect();
            Shown::Categories { categories }
        }
        _ => Shown::Limits { low: span.0, high: span.1 },
    };
    Picture {
        kind: "contributions",
        area: frame.area,
        shapes: frame.around(shapes),
        shown: vec![shown],
        outside,
        missing,
        contributions: effect.lines(),
    }
}

fn n_curves(subject: &Subject<'_>) -> usize {
    if subject.n_classes() == 2 { 1 } else { subject.n_classes() }
}

/// The only curve of two classes is that of the second one.
fn style_of(subject: &Subject<'_>, curve: usize) -> Style {
    style(if subject.n_classes() == 2 { 1 } else { curve })
}

fn places(effect: &Effect, feature: &Feature, (low, high): (f64, f64)) -> Places {
    let name = feature.name.clone();
    let beside = |has_missing: bool| {
        if has_missing {
            Scale::Beside { low, high, whole: feature.is_whole(), name: "missing".into() }
        } else {
            Scale::Numbers { low, high, whole: feature.is_whole() }
        }
    };
    let has_missing = effect.missing.is_some();
    let of_missing = (high + 0.15 * BESIDE * (high - low), high + 0.85 * BESIDE * (high - low));
    match &effect.values {
        Values::Bins(cuts) => {
            let ends = [f64::NEG_INFINITY].iter().chain(cuts).zip(cuts.iter().chain(&[f64::INFINITY]));
            let drawn = ends.enumerate().filter(|(_, (from, to))| **from < high && **to > low);
            let drawn = drawn.map(|(bin, (from, to))| (bin, from.max(low), to.min(high))).collect();
            let missing = has_missing.then_some(of_missing);
            Places { axis: Axis { name, scale: beside(has_missing) }, drawn, missing, more: 0 }
        }
        Values::Numbers(at) => {
            let drawn = at.iter().enumerate().map(|(place, &at)| (place, at, at)).collect();
            let missing = has_missing.then_some(of_missing);
            Places { axis: Axis { name, scale: beside(has_missing) }, drawn, missing, more: 0 }
        }
        Values::Categories(names) => {
            let strongest =
                if names.len() > MOST { effect.strongest(MOST) } else { (0..names.len()).collect() };
            let place = |(slot, &level): (usize, &usize)| (level, slot as f64, slot as f64 + 1.0);
            let drawn: Vec<(usize, f64, f64)> = strongest.iter().enumerate().map(place).collect();
            let mut labels: Vec<String> = strongest.iter().map(|&level| names[level].clone()).collect();
            let more = names.len() - labels.len();
            if more > 0 {
                labels.push(format!("and {more} more"));
            }
            let missing = has_missing.then_some((labels.len() as f64, labels.len() as f64 + 1.0));
            if has_missing {
                labels.push("(missing)".into());
            }
            Places { axis: Axis { name, scale: Scale::Categories(labels) }, drawn, missing, more }
        }
    }
}

/// The lowest and the highest number of the picture, and a note if that is not enough for everything.
fn heights(effect: &Effect, places: &Places) -> (f64, f64, String) {
    let drawn = || places.drawn.iter().map(|&(place, ..)| place);
    let adds = || {
        let beside = effect.missing.iter().chain(effect.single.as_ref().map(|(_, adds)| adds));
        drawn().map(|place| &effect.adds[place]).chain(beside).flatten().filter(|add| add.is_finite())
    };
    let (mut low, mut high) =
        adds().fold((0.0_f64, 0.0_f64), |(low, high), &add| (low.min(add), high.max(add)));
    let mut said = Vec::new();
    let reach = usual(effect, drawn()).min(DECISIVE);
    if reach > 0.0 && low.abs().max(high) > 3.0 * reach {
        // Far out, where hardly any rows are, curves go anywhere.
        let most = 2.0 * reach;
        if low < -most || high > most {
            let farthest = if high > -low { high } else { low };
            said.push(format!("Curves that leave the picture go on to {}.", rounded(farthest)));
        }
        (low, high) = (low.max(-most), high.min(most));
    }
    let intervals = drawn().flat_map(|place| {
        (0..effect.adds[place].len()).filter_map(move |curve| effect.interval(place, curve))
    });
    // Intervals take some more room: far out on an axis of numbers hardly anything is known.
    let most = ROOM_OF_INTERVALS * low.abs().max(high);
    (low, high) = intervals
        .fold((low, high), |(low, high), ends| (low.min(ends.0.max(-most)), high.max(ends.1.min(most))));
    let is_infinite = |place: usize| effect.adds[place].iter().any(|add| add.is_infinite());
    if drawn().any(is_infinite) {
        said.push("Where a class cannot have a value, nothing is drawn for it.".into());
    }
    let span = if high > low { high - low } else { 1.0 };
    (low - (ROWS + 0.06) * span, high + 0.05 * span, said.join(" "))
}

/// How large contributions are at most, but for a few of the rows.
fn usual(effect: &Effect, drawn: impl Iterator<Item = usize>) -> f64 {
    const SHARE: f64 = 0.98;
    let largest = |place: usize| {
        effect.adds[place].iter().filter(|add| add.is_finite()).fold(0.0_f64, |most, add| most.max(add.abs()))
    };
    let mut sizes: Vec<(f64, f64)> =
        drawn.map(|place| (largest(place), effect.shares.get(place).copied().unwrap_or(1.0))).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole: f64 = sizes.iter().map(|(_, share)| share).sum();
    let mut below = 0.0;
    for (size, share) in sizes {
        below += share;
        if below >= SHARE * whole {
            return size;
        }
    }
    0.0
}

fn rounded(value: f64) -> String {
    let decimals = (2.0 - value.abs().max(1e-9).log10().floor()).clamp(0.0, 9.0) as usize;
    label(value, decimals)
}

fn height_axis(subject: &Subject<'_>, low: f64, high: f64) -> Axis {
    let name = match subject.classifier.classes() {
        [_, second] => format!("adds to the log-odds of {second}"),
        _ => "adds to the log-score (0: as in all rows)".into(),
    };
    Axis { name, scale: Scale::Numbers { low, high, whole: false } }
}

fn words(
    subject: &Subject<'_>,
    feature: &Feature,
    outside: usize,
    missing: usize,
    places: &Places,
    cut: &str,
    (has_rows, effect): (bool, &Effect),
) -> Words {
    let subtitle = match subject.classifier.classes() {
        [first, second] => {
            format!("above 0: speaks for {second}; below 0: for {first}; model {}", subject.model)
        }
        _ => format!("above 0: more probable in the class than in all rows; model {}", subject.model),
    };
    let mut caption = subject.caption(outside, missing);
    let mut say = |said: &str| {
        if !said.is_empty() {
            caption.push(' ');
            caption.push_str(said);
        }
    };
    say(cut);
    if places.more > 0 {
        say(&format!(
            "The {} categories that move the scores most, by how often they occur.",
            places.drawn.len()
        ));
    }
    if has_rows {
        say(if subject.sample.is_some() {
            "Grey: where the rows are."
        } else {
            "Grey: where the training rows are."
        });
    }
    if effect.has_intervals() {
        say(INTERVALS);
        if subject.evidence.refinement().is_some() {
            say("Those of corrections are approximate.");
        }
    }
    Words { title: format!("Contribution of {} to {}", feature.name, subject.label), subtitle, caption }
}

fn legend(subject: &Subject<'_>, strongest: &[usize], is_number: bool, has_rows: bool) -> Legend {
    let key = |style: Style| {
        if is_number { Key::Curve { style, bars: false } } else { Key::Bar { style, data: false } }
    };
    let legend = match subject.classifier.classes() {
        [_, second] => Legend::new(subject.label, [(key(style(1)), second.clone())].into_iter()),
        classes => {
            let shown = strongest.iter().map(|&class| (key(style(class)), classes[class].clone()));
            let legend = Legend::new(subject.label, shown);
            match classes.len() - strongest.len() {
                0 => legend,
                more if is_number => legend.with_note(Key::Line(FAR_OFF), &format!("{more} more")),
                more => legend.with_note(Key::Line(WHITE), &format!("and {more} more")),
            }
        }
    };
    if has_rows { legend.with_note(Key::Patch(OF_ROWS.lighter(1.0 - SEEN_THROUGH)), "rows") } else { legend }
}

/// Where the rows are: from, to and how dense; of the data if there are some, else as the model expects.
fn rows(
    subject: &Subject<'_>,
    feature: &Feature,
    effect: &Effect,
    places: &Places,
    groups: &[Vec<f64>],
    span: (f64, f64),
) -> Vec<(f64, f64, f64)> {
    let is_categories = matches!(effect.values, Values::Categories(_));
    if subject.sample.is_some() && !is_categories {
        let bins = Bins::new(groups, span);
        let mut counts = vec![0.0; bins.n];
        groups.iter().flatten().filter_map(|&value| bins.bin(value)).for_each(|bin| counts[bin] += 1.0);
        let edge = |bin: usize| (bins.start + bin as f64 * bins.width).clamp(span.0, span.1);
        return counts.into_iter().enumerate().map(|(bin, n)| (edge(bin), edge(bin + 1), n)).collect();
    }
    let mut of_data = vec![0.0; effect.adds.len()];
    if subject.sample.is_some() {
        for level in groups.iter().flatten().filter_map(|&value| feature.level(value)) {
            of_data[level] += 1.0;
        }
    }
    let shares = if subject.sample.is_some() { &of_data } else { &effect.shares };
    if shares.is_empty() {
        return Vec::new();
    }
    let half = match &effect.values {
        Values::Numbers(at) if at.len() > 1 => 0.5 * (at[1] - at[0]),
        _ => 0.0,
    };
    let rows = places.drawn.iter().map(|&(place, from, to)| {
        let (from, to) = if is_categories {
            (from + 0.5 * (1.0 - GROUP), to - 0.5 * (1.0 - GROUP))
        } else {
            (from - half, to + half)
        };
        let width = to - from;
        (from.max(span.0.min(from + half)), to, if width > 0.0 { shares[place] / width } else { 0.0 })
    });
    rows.collect()
}

fn draw_rows(frame: &Frame, rows: &[(f64, f64, f64)], shapes: &mut Vec<Shape>) {
    let Rectangle { left, right, bottom, .. } = frame.area;
    // A single high bar would squash the others.
    let mut densities: Vec<f64> = rows.iter().map(|row| row.2).filter(|density| *density > 0.0).collect();
    densities.sort_by(f64::total_cmp);
    let Some(usual) = densities.get(densities.len() * 3 / 4) else { return };
    let most = densities[densities.len() - 1].min(4.0 * usual);
    for &(from, to, density) in rows.iter().filter(|row| row.2 > 0.0) {
        let height = ROWS * frame.area.height() * density.min(most) / most;
        let area = Rectangle {
            left: frame.x(from).clamp(left, right),
            top: bottom - height,
            right: frame.x(to).clamp(left, right),
            bottom,
        };
        shapes.push(Shape::Rectangle { area, colour: OF_ROWS, opacity: SEEN_THROUGH });
    }
}

/// The 95 % intervals of a curve, a band for each run of values that have one.
fn draw_band(
    frame: &Frame,
    effect: &Effect,
    places: &Places,
    curve: usize,
    colour: Colour,
    shapes: &mut Vec<Shape>,
) {
    let Rectangle { left, right, top, bottom } = frame.area;
    let known = |&(place, from, to): &(usize, f64, f64)| {
        let (low, high) = effect.interval(place, curve)?;
        let y = |value: f64| frame.y(value.clamp(-HUGE, HUGE)).clamp(top, bottom);
        let x = |value: f64| frame.x(value).clamp(left, right);
        Some([(x(from), y(low), y(high)), (x(to), y(low), y(high))])
    };
    let drawn: Vec<_> = places.drawn.iter().map(known).collect();
    for run in drawn.split(Option::is_none) {
        let edges: Vec<(f64, f64, f64)> = run.iter().flatten().flatten().copied().collect();
        if edges.len() < 2 {
            continue;
        }
        let above = edges.iter().map(|&(x, _, high)| (x, high));
        let below = edges.iter().rev().map(|&(x, low, _)| (x, low));
        let mut corners: Vec<Point> = above.chain(below).collect();
        corners.dedup();
        shapes.push(Shape::Polygon { corners, colour, opacity: BAND });
    }
}

fn draw_curve(
    frame: &Frame,
    effect: &Effect,
    places: &Places,
    curve: usize,
    style: Style,
    shapes: &mut Vec<Shape>,
) {
    let mut points: Vec<Point> = Vec::new();
    for &(place, from, to) in &places.drawn {
        let y = frame.y(effect.adds[place][curve].clamp(-HUGE, HUGE));
        points.extend([(frame.x(from), y), (frame.x(to), y)]);
    }
    points.dedup();
    draw_line(frame, &points, style, shapes);
    if let (Some((from, to)), Some(missing)) = (places.missing, &effect.missing) {
        let y = frame.y(missing[curve]);
        draw_line(frame, &[(frame.x(from), y), (frame.x(to), y)], style, shapes);
    }
    if let Some((at, adds)) = effect.single.as_ref().filter(|(_, adds)| adds[curve].is_finite()) {
        let Rectangle { left, right, top, bottom } = frame.area;
        let place = (frame.x(*at), frame.y(adds[curve]));
        if (left..=right).contains(&place.0) && (top..=bottom).contains(&place.1) {
            shapes.extend(style.marker.shapes(place, 4.5, style.colour));
        }
    }
}

fn draw_line(frame: &Frame, points: &[Point], style: Style, shapes: &mut Vec<Shape>) {
    for part in clip(points, &frame.area) {
        for points in dashed(&part, style.dashes) {
            shapes.push(Shape::Line { points, colour: style.colour, width: 2.2 });
        }
    }
    shapes.extend(beyond(points, &frame.area, style.colour));
}

fn draw_bars(
    frame: &Frame,
    effect: &Effect,
    places: &Places,
    curve: usize,
    (style, place, n): (Style, usize, usize),
    shapes: &mut Vec<Shape>,
) {
    let Rectangle { top, bottom, .. } = frame.area;
    let mut bar = |slot: f64, add: f64| {
        let at = |t: f64| frame.x(slot + (1.0 - GROUP) / 2.0 + GROUP * t);
        let (from, to) = (place as f64 + 0.05, place as f64 + 0.95);
        let (from, to) = (at(from / n as f64), at(to / n as f64));
        let (y, zero) = (frame.y(add.clamp(-HUGE, HUGE)), frame.y(0.0));
        let area =
            Rectangle { left: from, top: y.min(zero).max(top), right: to, bottom: y.max(zero).min(bottom) };
        shapes.push(Shape::Rectangle { area, colour: style.colour, opacity: 1.0 });
        let middle = f64::midpoint(from, to);
        shapes.extend(beyond(&[(middle - 0.1, y), (middle + 0.1, y)], &frame.area, style.colour));
    };
    for &(place, slot, _) in &places.drawn {
        bar(slot, effect.adds[place][curve]);
    }
    if let (Some((slot, _)), Some(missing)) = (places.missing, &effect.missing) {
        bar(slot, missing[curve]);
    }
    for &(level, slot, _) in &places.drawn {
        let Some((low, high)) = effect.interval(level, curve) else { continue };
        let x = frame.x(slot + (1.0 - GROUP) / 2.0 + GROUP * (place as f64 + 0.5) / n as f64);
        let y = |value: f64| frame.y(value).clamp(top, bottom);
        whisker(x, y(low), y(high), shapes);
    }
}

/// A line between the ends of an interval, with a cap at each.
fn whisker(x: f64, low: f64, high: f64, shapes: &mut Vec<Shape>) {
    const CAP: f64 = 4.0;
    shapes.push(stroke((x, low), (x, high), 1.4, INK));
    for y in [low, high] {
        shapes.push(stroke((x - CAP, y), (x + CAP, y), 1.4, INK));
    }
}
