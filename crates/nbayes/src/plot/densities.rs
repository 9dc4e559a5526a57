//! The densities of a number in each class, over histograms of the data.

use nb_report::{Axis, Ink, Layer, Mark, Plane};

use super::{
    SEEN_THROUGH,
    bins::Bins,
    contour::Point,
    feature::{Law, PlottedColumn},
    limits,
    picture::{Picture, Shown, Subject, Words, rounded},
    sample::Sample,
};

/// A peak more than twice this multiple of the median peak over the classes is cut off at this multiple.
const STEEP: f64 = 6.0;
/// Room above the highest bar where a peak is cut off.
const ABOVE_BARS: f64 = 1.3;
/// Bars are cut off if they are this many times as high as the highest curve.
const TALL: f64 = 4.0;

/// Draws the densities of a feature that has numbers.
pub(crate) fn densities(subject: &Subject<'_>, feature: &PlottedColumn) -> Picture {
    let groups = subject.sample.map(|sample| sample.by_class(0, subject.n_classes())).unwrap_or_default();
    let is_whole = feature.is_whole();
    let limits = limits::of_groups(&groups).or(feature.expected());
    let (mut low, mut high) = limits.unwrap_or((0.0, 1.0));
    if is_whole {
        (low, high) = (low.max(-0.5), high);
    }
    let at = nodes(feature, (low, high));
    let curves: Vec<Vec<Point>> =
        (0..subject.n_classes()).map(|class| curve(subject, feature, class, &at)).collect();
    let mut plane = Plane { series: subject.label.into(), ..Plane::default() };
    plane.layers = histograms(subject, &groups, (low, high));
    let bars = plane.layers.iter().flat_map(|layer| match &layer.mark {
        Mark::Bars { bars, .. } => bars.as_slice(),
        _ => &[],
    });
    let (top, cut) = top(&curves, bars.map(|bar| bar.3).fold(0.0, f64::max));

    let (outside, missing) = (outside(&groups, (low, high)), subject.sample.map_or(0, Sample::n_missing));
    let what = if is_whole { "probability" } else { "density" };
    let weighted = if subject.prior_weighted { " × prior" } else { "" };
    let each = match (subject.prior_weighted, is_whole) {
        (true, _) => "weighted by the priors",
        (false, true) => "each adding up to 1",
        (false, false) => "each of area 1",
    };
    let caption = subject.caption(outside, missing);
    // Of kernel densities the name says it.
    let family = feature.family.strip_suffix(" density").filter(|_| !is_whole).unwrap_or(feature.family);
    let words = Words {
        title: format!("{} by {}", feature.name, subject.label),
        subtitle: format!("{family} {what} in each class, {each}; model {}", subject.model),
        caption: format!("{caption}{}", if cut.is_empty() { String::new() } else { format!(" {cut}") }),
    };
    plane.x = Axis::linear(&feature.name).between(low, high);
    plane.x.whole = is_whole;
    plane.y = Axis::linear(format!("{what}{weighted}")).between(0.0, top);
    for (class, points) in curves.into_iter().enumerate() {
        plane.push(subject.layer(class, Mark::Curve(points)));
    }
    Picture {
        kind: "densities",
        drawn: words.around(plane),
        shown: vec![Shown::Limits { low, high }],
        outside,
        missing,
        contributions: Vec::new(),
    }
}

/// Where curves are computed: close together, and closer where a peak is.
fn nodes(feature: &PlottedColumn, (low, high): (f64, f64)) -> Vec<f64> {
    const N: usize = 600;
    let mut at: Vec<f64> = if feature.is_whole() {
        let step = ((high - low) / N as f64).ceil().max(1.0);
        (0..=N).map(|i| low.ceil() + i as f64 * step).collect()
    } else {
        (0..=N).map(|i| low + (high - low) * i as f64 / N as f64).collect()
    };
    if let Law::Density(parameters) = &feature.law {
        for (mean, sd) in parameters {
            at.extend((-32..=32).map(|eighth| mean + sd * f64::from(eighth) / 8.0));
        }
    }
    // A probability is no density.
    at.retain(|value| (low..=high).contains(value) && feature.mass != Some(*value));
    at.sort_by(f64::total_cmp);
    at.dedup();
    at
}

fn curve(subject: &Subject<'_>, feature: &PlottedColumn, class: usize, at: &[f64]) -> Vec<Point> {
    let weight = subject.weight(class);
    let density = |value: f64| feature.log_likelihood(subject.classifier, class, value).exp();
    let points = at.iter().map(|&value| (value, weight * density(value)));
    points.filter(|point| point.1.is_finite()).collect()
}

/// A histogram for every class, scaled as its curve is; a single one of all rows if there are too many
/// classes.
fn histograms(subject: &Subject<'_>, groups: &[Vec<f64>], limits: (f64, f64)) -> Vec<Layer> {
    let bins = Bins::new(groups, limits);
    let edge = |bin: usize| (bins.start + bin as f64 * bins.width).clamp(limits.0, limits.1);
    let bars = |values: &mut dyn Iterator<Item = f64>, weight: f64| {
        let (mut counts, mut n) = (vec![0.0; bins.n], 0.0);
        for value in values {
            n += 1.0;
            if let Some(bin) = bins.bin(value) {
                counts[bin] += 1.0;
            }
        }
        let height = |count: f64| weight * count / (n * bins.width);
        let bars = counts.into_iter().enumerate();
        let bars = bars.map(|(bin, count)| (edge(bin), edge(bin + 1), 0.0, height(count))).collect();
        Mark::Bars { bars, share: SEEN_THROUGH }
    };
    if subject.n_classes() > Ink::COLOURS {
        let mut all = groups.iter().flatten().copied().peekable();
        let any = all.peek().is_some();
        return any.then(|| Layer::new("all rows", Ink::Soft, bars(&mut all, 1.0))).into_iter().collect();
    }
    let groups = groups.iter().enumerate().filter(|(_, group)| !group.is_empty());
    let histogram = |(class, group): (usize, &Vec<f64>)| {
        let weight = if class < subject.n_classes() { subject.weight(class) } else { 1.0 };
        subject.layer(class, bars(&mut group.iter().copied(), weight))
    };
    groups.map(histogram).collect()
}

/// How high the picture is, and a note if that is not high enough for everything.
fn top(curves: &[Vec<Point>], bars: f64) -> (f64, String) {
    let mut peaks: Vec<f64> =
        curves.iter().map(|points| points.iter().map(|point| point.1).fold(0.0, f64::max)).collect();
    peaks.retain(|peak| *peak > 0.0);
    peaks.sort_by(f64::total_cmp);
    let highest = peaks.last().copied().unwrap_or(0.0);
    let middle = peaks.get(peaks.len().saturating_sub(1) / 2).copied().unwrap_or(0.0);
    let usual = (STEEP * middle).max(ABOVE_BARS * bars);
    let curve_top = if usual > 0.0 && highest > 2.0 * usual { usual } else { highest };
    let top = if curve_top > 0.0 { curve_top.max(bars.min(TALL * curve_top)) } else { bars };
    let mut said = Vec::new();
    if highest > top {
        said.push(format!("Curves go on where an arrow is; the highest reaches {}.", rounded(highest)));
    }
    if bars > top {
        said.push(format!("Bars are cut off; the highest reaches {}.", rounded(bars)));
    }
    (if top > 0.0 { 1.04 * top } else { 1.0 }, said.join(" "))
}

fn outside(groups: &[Vec<f64>], (low, high): (f64, f64)) -> usize {
    groups.iter().flatten().filter(|value| !(low..=high).contains(*value)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steep_peaks_and_tall_bars_are_cut_off() {
        let curve = |peak: f64| vec![(0.0, 0.0), (1.0, peak)];
        assert_eq!(top(&[curve(1.0), curve(2.0)], 1.5), (2.08, String::new()));
        let (height, said) = top(&[curve(1.0), curve(400.0)], 1.5);
        assert!(height < 16.0 && said.contains("Curves") && said.contains("400"), "{said}");
        let (height, said) = top(&[curve(1.0), curve(2.0)], 31.25);
        assert!(height < 8.5 && said == "Bars are cut off; the highest reaches 31.2.", "{said}");
    }
}
