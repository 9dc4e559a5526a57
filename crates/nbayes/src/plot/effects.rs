//! What a feature adds to the scores of the classes as a picture: steps over bins, curves over other numbers,
//! bars over categories; and where the rows are.

use nb_report::{Axis, Ink, Layer, Mark, Plane};

use super::{
    SEEN_THROUGH,
    bins::Bins,
    contour::Point,
    effect::{Effect, Values},
    feature::PlottedColumn,
    interval::Uncertainty,
    limits,
    picture::{Picture, Shown, Subject, Words, rounded},
    sample::Sample,
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
/// How many times as far as the curves a picture goes for the sake of intervals.
const ROOM_OF_INTERVALS: f64 = 1.4;
/// The name of intervals in the legend.
const INTERVAL: &str = "95 % interval";
/// What intervals are of.
const INTERVALS: &str =
    "95 % intervals: by the number of training rows; weights and preparation of the columns are held fixed.";

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
pub(crate) fn effects(subject: &Subject<'_>, feature: &PlottedColumn, class_shares: &[f64]) -> Picture {
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
    let y = height_axis(subject, low, high);
    let mut plane = Plane { series: subject.label.into(), ..Plane::new(places.axis.clone(), y) };
    draw_rows((low, high), &rows, &mut plane);
    plane.push(Layer::unnamed(Ink::Soft, Mark::Level(0.0)));
    let strongest = effect.strongest_curves(Ink::COLOURS);
    let more = n_curves(subject) - strongest.len();
    if is_number {
        draw_curves(subject, &effect, &places, &strongest, &mut plane);
    } else {
        draw_bars(subject, &effect, &places, &strongest, &mut plane);
        if more > 0 {
            plane.push(Layer::new(format!("and {more} more"), Ink::Faint, Mark::Names(Vec::new())));
        }
    }
    let shown = if places.axis.categories.is_empty() {
        Shown::Limits { low: span.0, high: span.1 }
    } else {
        Shown::Categories { categories: places.axis.categories[..places.drawn.len()].to_vec() }
    };
    Picture {
        kind: "contributions",
        drawn: words.around(plane),
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
fn class_of(subject: &Subject<'_>, curve: usize) -> usize {
    if subject.n_classes() == 2 { 1 } else { curve }
}

fn places(effect: &Effect, feature: &PlottedColumn, (low, high): (f64, f64)) -> Places {
    let name = feature.name.clone();
    let has_missing = effect.missing.is_some();
    let numbers = || {
        let axis = Axis { whole: feature.is_whole(), ..Axis::linear(&name).between(low, high) };
        if has_missing { axis.beside("missing") } else { axis }
    };
    let beside = |share: f64| high + share * Axis::BESIDE * (high - low);
    let of_missing = (beside(0.15), beside(0.85));
    match &effect.values {
        Values::Bins(cuts) => {
            let ends = [f64::NEG_INFINITY].iter().chain(cuts).zip(cuts.iter().chain(&[f64::INFINITY]));
            let drawn = ends.enumerate().filter(|(_, (from, to))| **from < high && **to > low);
            let drawn = drawn.map(|(bin, (from, to))| (bin, from.max(low), to.min(high))).collect();
            let missing = has_missing.then_some(of_missing);
            Places { axis: numbers(), drawn, missing, more: 0 }
        }
        Values::Numbers(at) => {
            let drawn = at.iter().enumerate().map(|(place, &at)| (place, at, at)).collect();
            let missing = has_missing.then_some(of_missing);
            Places { axis: numbers(), drawn, missing, more: 0 }
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
            Places { axis: Axis::categories(name, labels), drawn, missing, more }
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

/// How large contributions are at most, except for a few of the rows.
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

fn height_axis(subject: &Subject<'_>, low: f64, high: f64) -> Axis {
    let name = match subject.classifier.classes() {
        [_, second] => format!("adds to the log-odds of {second}"),
        _ => "adds to the log-score (0: as in all rows)".into(),
    };
    Axis::linear(name).between(low, high)
}

fn words(
    subject: &Subject<'_>,
    feature: &PlottedColumn,
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

/// Where the rows are: from, to and how dense; of the data if there are some, else as the model expects.
fn rows(
    subject: &Subject<'_>,
    feature: &PlottedColumn,
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

fn draw_rows((low, high): (f64, f64), rows: &[(f64, f64, f64)], plane: &mut Plane) {
    // A single high bar would squash the others.
    let mut densities: Vec<f64> = rows.iter().map(|row| row.2).filter(|density| *density > 0.0).collect();
    densities.sort_by(f64::total_cmp);
    let Some(usual) = densities.get(densities.len() * 3 / 4) else { return };
    let most = densities[densities.len() - 1].min(4.0 * usual);
    let height = |density: f64| low + ROWS * (high - low) * density.min(most) / most;
    let bars = rows.iter().map(|&(from, to, density)| (from, to, low, height(density))).collect();
    plane.push(Layer::new("rows", Ink::Soft, Mark::Bars { bars, share: SEEN_THROUGH }));
}

/// The curves, with those of the classes whose scores move most above the others, and their bands below.
fn draw_curves(
    subject: &Subject<'_>,
    effect: &Effect,
    places: &Places,
    strongest: &[usize],
    plane: &mut Plane,
) {
    let ink = if subject.n_classes() == 2 { Ink::Series(1) } else { Ink::Soft };
    for &curve in strongest {
        for band in bands(effect, places, curve) {
            plane.push(Layer::unnamed(Ink::Series(class_of(subject, curve)), Mark::Area(band)));
        }
    }
    let mut order: Vec<usize> = (0..n_curves(subject)).collect();
    order.sort_by_key(|curve| strongest.contains(curve));
    let more = format!("{} more", order.len() - strongest.len());
    for curve in order {
        let layer = |mark: Mark| {
            if strongest.contains(&curve) {
                subject.layer(class_of(subject, curve), mark)
            } else {
                Layer::new(&more, Ink::Faint, mark)
            }
        };
        let mut points: Vec<Point> = Vec::new();
        for &(place, from, to) in &places.drawn {
            let add = effect.adds[place][curve].clamp(-HUGE, HUGE);
            points.extend([(from, add), (to, add)]);
        }
        plane.push(layer(Mark::Curve(points)));
        if let (Some((from, to)), Some(missing)) = (places.missing, &effect.missing) {
            plane.push(layer(Mark::Curve(vec![(from, missing[curve]), (to, missing[curve])])));
        }
        let inside = |at: f64, axis: &Axis| axis.range.is_some_and(|(low, high)| (low..=high).contains(&at));
        if let Some((at, adds)) = effect.single.as_ref().filter(|(_, adds)| adds[curve].is_finite())
            && inside(*at, &plane.x)
            && inside(adds[curve], &plane.y)
        {
            plane.push(layer(Mark::Points { at: vec![(*at, adds[curve])], area: 60.0 }));
        }
    }
    if effect.has_intervals() {
        plane.push(Layer::new(INTERVAL, ink, Mark::Area(Vec::new())));
    }
}

/// The 95 % intervals of a curve, a band for each run of values that have one.
fn bands(effect: &Effect, places: &Places, curve: usize) -> Vec<Vec<Point>> {
    let mut bands = Vec::new();
    for run in places.drawn.split(|&(place, ..)| effect.interval(place, curve).is_none()) {
        let ends = |end: fn((f64, f64)) -> f64| {
            run.iter().flat_map(move |&(place, from, to)| {
                let at = effect.interval(place, curve).map_or(0.0, end).clamp(-HUGE, HUGE);
                [(from, at), (to, at)]
            })
        };
        let mut corners: Vec<Point> = ends(|(low, _)| low).collect();
        corners.reverse();
        bands.push(ends(|(_, high)| high).chain(corners).collect());
    }
    bands
}

fn draw_bars(
    subject: &Subject<'_>,
    effect: &Effect,
    places: &Places,
    strongest: &[usize],
    plane: &mut Plane,
) {
    let n = strongest.len() as f64;
    let at = |slot: f64, t: f64| slot + (1.0 - GROUP) / 2.0 + GROUP * t / n;
    for (place, &curve) in strongest.iter().enumerate() {
        let place = place as f64;
        let bar = |slot: f64, add: f64| {
            let add = add.clamp(-HUGE, HUGE);
            (at(slot, place + 0.05), at(slot, place + 0.95), add.min(0.0), add.max(0.0))
        };
        let drawn = places.drawn.iter().map(|&(level, slot, _)| bar(slot, effect.adds[level][curve]));
        let missing = places.missing.zip(effect.missing.as_ref());
        let missing = missing.map(|((slot, _), adds)| bar(slot, adds[curve]));
        let bars = drawn.chain(missing).collect();
        plane.push(subject.layer(class_of(subject, curve), Mark::Bars { bars, share: 1.0 }));
        let interval = |&(level, slot, _): &(usize, f64, f64)| {
            let (low, high) = effect.interval(level, curve)?;
            Some((at(slot, place + 0.5), low, high))
        };
        let intervals: Vec<(f64, f64, f64)> = places.drawn.iter().filter_map(interval).collect();
        if !intervals.is_empty() {
            plane.push(Layer::new(INTERVAL, Ink::Dark, Mark::Intervals(intervals)));
        }
    }
}
