//! The document of the gallery. Its numbers are made up.

use nb_report::{
    Axis, Bars, Block, Cell, Code, Column, CriticalDifference, Document, Dot, Dots, Download, Figure,
    Heatmap, Ink, Layer, Lines, List, Mark, Name, Panels, Plane, Point, Reliability, ReliabilityPoint,
    Section, Series, Shades, Side, Spread, Stroke, Table, Text,
};

/// Names as users may have them.
const SETS: [&str; 9] = [
    "iris",
    "wine",
    "adult (continuous)",
    "letter",
    "<script>alert(1)</script>",
    "\"quoted\" & 'escaped'",
    "a_very_long_name_of_a_data_set_with_underscores",
    "pima",
    "Ionosphäre",
];
const METHODS: [&str; 5] = ["Gaussian", "kernel", "discretised", "AODE", "logistic regression"];

/// A document with every block and every figure.
pub(crate) fn gallery() -> Document {
    let mut document = Document::new("Five classifiers on nine data sets");
    document.subtitle =
        Text::new("Every block and every figure of a report. The numbers are ").strong("made up").plain(".");
    document.fact("program", Text::default().code("nbayes 0.1.0"));
    document.fact("seed", "7");
    document.fact("folds", "10 × 10");
    document.series = METHODS.map(String::from).to_vec();
    document.push(texts());
    document.push(tables());
    document.push(figures());
    document.push(files());
    document
}

fn texts() -> Section {
    let mut section = Section::new("texts", "Text");
    section.push(
        Text::new("A paragraph with ")
            .emphasis("emphasis")
            .plain(", a name such as ")
            .code("--seed 7")
            .plain(", a link to ")
            .link("accuracy", "Table 1")
            .plain(" and one to ")
            .web("https://www.jmlr.org/papers/v7/demsar06a.html", "a page on the web")
            .plain(
                ". Ranks are those of Demšar (2006); χ² and ± need no fonts of their own. 1 < 2 && 3 > 2.",
            ),
    );
    section.push(Block::Note(
        "The page is one file. It loads nothing, so that it looks the same in twenty years.".into(),
    ));
    section.push(Block::Quotation(
        "We compared five classifiers on nine data sets by ten times repeated ten-fold cross-validation. Differences \
         between pairs were tested with the corrected resampled t-test (Nadeau and Bengio, 2003), differences over \
         data sets with the test of Friedman and the post-hoc test of Nemenyi (Demšar, 2006) at the level 0.05."
            .into(),
    ));
    let items =
        ["Stratified folds, the same for all.", "Hyper-parameters chosen inside of each training part."];
    section.push(List { numbered: true, items: items.map(Text::from).to_vec() });
    section.push(Code {
        language: "toml".into(),
        text: "[plan]\nfolds = 10\nrepeats = 10 # <b>\nseed = 7\n".into(),
    });
    section
}

/// A number between 0 and 1 that looks arbitrary.
fn noise(seed: usize) -> f64 {
    let x = (seed as f64 * 12.9898 + 4.1414).sin() * 43758.5453;
    x - x.floor()
}

fn accuracy(set: usize, method: usize) -> f64 {
    0.62 + 0.04 * set as f64 + 0.012 * method as f64 - 0.05 * noise(7 * set + method)
}

fn tables() -> Section {
    let mut section = Section::new("tables", "Tables");
    section.push("Click on a title to sort.");
    let mut columns = vec![
        Column::text("data set"),
        Column::number("rows").with_note("after rows without a class were left out"),
    ];
    columns.extend(METHODS.map(Column::number));
    let mut table =
        Table::new("Accuracy, mean ± standard deviation over 100 test parts", columns).with_id("accuracy");
    for (i, set) in SETS.into_iter().enumerate() {
        let values: Vec<f64> = (0..METHODS.len()).map(|j| accuracy(i, j)).collect();
        let best = values.iter().copied().fold(0.0, f64::max);
        let mut row = vec![Cell::text(set), Cell::count(10u64.pow(1 + i as u32 % 5) + 50 * i as u64)];
        for (j, &value) in values.iter().enumerate() {
            let cell = Cell::spread(value, 0.02 * noise(90 + i * 5 + j), 3);
            let cell = if value == best { cell.best() } else { cell };
            row.push(if noise(i * 31 + j) < 0.25 { cell.with_mark("▼") } else { cell });
        }
        if i == 3 {
            row[5] = Cell::missing().with_title("did not finish in an hour");
        }
        table.push(row);
    }
    let ranks = [4.1, 3.0, 2.9, 2.2, 2.8];
    table.push_footer(
        [Cell::text("average rank"), Cell::default()]
            .into_iter()
            .chain(ranks.map(|rank| Cell::number(rank, 1))),
    );
    table.note("▼ worse than the best of the row at the level 0.05, corrected resampled t-test.");
    section.push(table);

    let numbers = (1..=14).map(|fold| Column::number(format!("fold {fold}")));
    let mut wide =
        Table::new("More columns than a page is wide", [Column::text("method")].into_iter().chain(numbers));
    for (j, method) in METHODS.into_iter().enumerate() {
        let folds = (0..14).map(|fold| Cell::number(noise(fold * 17 + j) - 0.5, 4));
        wide.push([Cell::text(method)].into_iter().chain(folds));
    }
    section.push(wide);
    section
}

fn figures() -> Section {
    let mut section = Section::new("figures", "Figures");
    for (id, title, figures) in [
        ("lines", "Lines", vec![lines(), distances()]),
        ("panels", "Small plots side by side", vec![panels()]),
        ("ranks", "Average ranks", vec![ranks(), many_ranks()]),
        ("reliability", "Reliability", vec![reliability()]),
        ("dots", "Dots", vec![dots(), times()]),
        ("heatmaps", "Matrices", vec![differences(), p_values()]),
        ("bars", "Bars", vec![bars(), one_histogram()]),
        ("planes", "Planes", vec![densities(), regions()]),
    ] {
        let mut inner = Section::new(id, title);
        for figure in figures {
            inner.push(figure);
        }
        section.sections.push(inner);
    }
    section
}

/// Errors of two classifiers by the size of the training set.
fn curves(seed: usize, largest: f64, x: Axis) -> Lines {
    let mut lines = Lines::new(x, Axis::linear("error"));
    for (name, stroke, limit, slope) in [
        ("naive Bayes", Stroke::Solid, 0.22 + 0.1 * noise(seed), 1.2),
        ("logistic regression", Stroke::Dashed, 0.18 + 0.1 * noise(seed + 1), 3.0),
    ] {
        let points = (0..12).map(|i| {
            let m = (4.0 * (largest / 4.0).powf(f64::from(i) / 11.0)).round();
            let error = limit + 0.5 * slope / (m + 4.0);
            Point::new(m, error).between(error - 0.12 / m.sqrt(), error + 0.12 / m.sqrt())
        });
        lines.series.push(Series::new(name, points).with_stroke(stroke));
    }
    lines
}

fn lines() -> Figure {
    let mut lines = curves(3, 1000.0, Axis::log("size of the training set, m"));
    lines.horizontal(0.2, "Bayes error");
    lines.vertical(60.0, "m* = 60");
    lines.series[1].points.push(Point::new(0.0, 0.5));
    Figure::new(
        Text::new("Learning curves with bands of two standard errors, as in ")
            .emphasis("Ng and Jordan (2002)"),
        lines,
    )
    .with_id("figure-lines")
}

fn distances() -> Figure {
    let mut lines = Lines::new(Axis::log("n"), Axis::log("distance of the coefficients"));
    for (j, name) in ["independent", "correlated", "variances differ"].into_iter().enumerate() {
        let points = (0..9).map(|i| {
            let n = 30.0 * 3f64.powi(i);
            let distance = 4.0 / n.sqrt() + 0.15 * j as f64 * (1.0 - 1.0 / n.sqrt());
            Point::new(n, distance).between(0.7 * distance, 1.4 * distance)
        });
        lines.series.push(Series::new(name, points).with_spread(Spread::Bars));
    }
    let theory = (0..9).map(|i| Point::new(30.0 * 3f64.powi(i), 2.0 / (30.0 * 3f64.powi(i)).sqrt()));
    lines.series.push(Series::new("slope −1/2", theory).with_stroke(Stroke::Dotted).without_markers());
    Figure::new("Two logarithmic axes, intervals as bars, and a line without markers", lines)
}

fn panels() -> Figure {
    let mut panels = Panels::default();
    for (i, set) in SETS.into_iter().enumerate() {
        let title = format!("{set} ({})", if i % 3 == 0 { "discrete" } else { "continuous" });
        panels.push(title, curves(11 * i, 60.0 + 40.0 * i as f64, Axis::linear("m")));
    }
    Figure::new("Error against the size of the training set", panels)
}

fn ranks() -> Figure {
    let ranks = METHODS.map(String::from).into_iter().zip([4.1, 3.0, 2.9, 2.2, 2.8]);
    Figure::new("Average ranks; methods under a bar do not differ", CriticalDifference::new(ranks, 1.41))
}

fn many_ranks() -> Figure {
    let ranks = (0..13).map(|i| {
        let name = format!("variant {i} {}", if i == 4 { "with a rather long name" } else { "" });
        (name.trim_end().to_string(), 1.2 + 0.9 * f64::from(i) + 0.4 * noise(i as usize))
    });
    let diagram = CriticalDifference { best: Side::Left, ..CriticalDifference::new(ranks, 3.2) };
    Figure::new("The same with the best at the left, and many", diagram)
}

fn reliability() -> Figure {
    let mut reliability = Reliability::default();
    for (j, name) in ["naive Bayes", "the same, calibrated", "logistic regression"].into_iter().enumerate() {
        let points = (0..10).map(|i| {
            let confidence = (f64::from(i) + 0.5) / 10.0;
            let bend = [0.25, 0.02, -0.06][j];
            let accuracy = confidence - bend * (std::f64::consts::TAU * (confidence - 0.5)).sin();
            let rows = (400.0 * noise(i as usize + 20 * j)).floor() + if i == 9 { 900.0 } else { 0.0 };
            let accuracy = accuracy.clamp(0.0, 1.0);
            let half = 1.96 * (0.25 / (rows + 4.0)).sqrt();
            ReliabilityPoint::new(confidence, accuracy, rows)
                .between((accuracy - half).max(0.0), (accuracy + half).min(1.0))
        });
        reliability.push(name, points);
    }
    Figure::new("Accuracy against confidence; the area of a marker is the number of its rows", reliability)
}

fn bars() -> Figure {
    let mut bars = Bars::new("rows");
    for j in 0..4 {
        let bins = (0..20).map(|i| {
            let distance = (f64::from(i) - 6.0 - 2.0 * f64::from(j)) / 4.0;
            (f64::from(i), f64::from(i + 1), (400.0 * (-distance * distance).exp()).round())
        });
        bars.push_histogram(format!("column {j}"), bins);
    }
    bars.push_named(
        "colour",
        [("red", 410.0), ("a blue with a very long name that has no place", 200.0), ("green", 3.0)],
    );
    Figure::new("Small plots of columns", bars)
}

fn one_histogram() -> Figure {
    let mut bars = Bars::new("rows");
    bars.push_histogram(
        "",
        (0..30).map(|i| (f64::from(i) - 10.0, f64::from(i) - 9.0, f64::from(1000 / (i + 1)))),
    );
    Figure::new("One histogram", bars)
}

/// Curves over bars that are seen through; one goes on above.
fn densities() -> Figure {
    let x = Axis::linear("length").between(0.0, 10.0).beside("missing");
    let mut plane = Plane::new(x, Axis::linear("density").between(0.0, 0.5));
    plane.series = "class".into();
    for (number, (name, mean, deviation)) in [("short", 3.0, 1.2), ("long", 6.5, 0.6)].into_iter().enumerate()
    {
        let density = |x: f64| {
            let z: f64 = (x - mean) / deviation;
            (-0.5 * z * z).exp() / (deviation * std::f64::consts::TAU.sqrt())
        };
        let bars = (0..20).map(|i| f64::from(i) / 2.0);
        let bars = bars.map(|at| (at, at + 0.5, 0.0, density(at + 0.35) * (1.0 + noise(number))));
        let curve = (0..=200).map(|i| f64::from(i) / 20.0).map(|at| (at, density(at)));
        let ink = Ink::Series(number);
        plane.push(Layer::new(name, ink, Mark::Bars { bars: bars.collect(), share: 0.3 }));
        plane.push(Layer::new(name, ink, Mark::Curve(curve.collect())));
        plane.push(Layer::new(name, ink, Mark::Curve(vec![(10.15, 0.1), (10.85, 0.1)])));
    }
    Figure::new("Densities over histograms", plane)
}

/// Regions of ten classes with points in them, over categories whose names have to stand upright.
fn regions() -> Figure {
    let mut plane = Plane::new(Axis::categories("data set", SETS), Axis::linear("y").between(-1.0, 1.0));
    plane.series = "class".into();
    for class in 0..10 {
        let (left, ink) = (0.9 * class as f64, Ink::Series(class));
        let name = format!("class {class}");
        let corners = vec![(left, -1.0), (left + 0.9, -1.0), (left + 0.9, 1.0), (left, 1.0)];
        plane.push(Layer::new(&name, ink, Mark::Region(corners)));
        let at = (0..4).map(|i| (left + 0.45, noise(7 * class + i))).collect();
        plane.push(Layer::new(&name, ink, Mark::Points { at, area: 40.0 }));
        let name = Name { text: name, at: (left + 0.45, -0.9), reach: (0.45, 0.2) };
        plane.push(Layer::unnamed(Ink::Dark, Mark::Names(vec![name])));
    }
    let hole = vec![(3.0, -0.3), (5.0, -0.3), (5.0, 0.3), (3.0, 0.3)];
    plane.push(Layer::unnamed(Ink::Faint, Mark::Hole(hole.clone())));
    plane.push(Layer::new("border", Ink::Dark, Mark::Border(hole)));
    plane.push(Layer::new("wrong", Ink::Dark, Mark::Rings(vec![(0.45, noise(0)), (8.55, noise(63))])));
    plane.push(Layer::new("interval", Ink::Soft, Mark::Intervals(vec![(3.7, -0.2, 0.1)])));
    plane.push(Layer::unnamed(Ink::Faint, Mark::Gaps { x: vec![4.5], y: vec![0.0] }));
    plane.push(Layer::new("likely", Ink::Soft, Mark::Area(vec![(0.0, -0.5), (9.0, 0.0), (9.0, 0.5)])));
    Figure::new("Regions", plane)
}

fn dots() -> Figure {
    let mut dots = Dots::new(Axis::linear("accuracy"), "data set", SETS);
    for (j, method) in METHODS.into_iter().enumerate() {
        let values = (0..SETS.len()).map(|i| {
            let (value, spread) = (accuracy(i, j), 0.02 + 0.02 * noise(i + j));
            (i != 3 || j != 3).then(|| Dot::between(value, value - spread, value + spread))
        });
        dots.push(method, values);
    }
    Figure::new("Accuracy by data set, with intervals", dots)
}

fn times() -> Figure {
    let mut dots = Dots::new(Axis::log("seconds"), "method", METHODS);
    dots.push("fit", (0..5).map(|j| Some(Dot::new(0.0012 * 6f64.powi(j)))));
    dots.push("predict", (0..5).map(|j| Some(Dot::new(0.004 * 2f64.powi(j)))));
    Figure::new("Times on a logarithmic axis", dots)
}

fn matrix(value: fn(usize, usize) -> f64) -> Vec<Vec<Option<f64>>> {
    let row = |i: usize| (0..METHODS.len()).map(|j| (i != j).then(|| value(i, j))).collect();
    (0..METHODS.len()).map(row).collect()
}

fn differences() -> Figure {
    let values = matrix(|i, j| accuracy(2, i) - accuracy(2, j));
    let shades = Shades::Diverging { center: 0.0, reach: 0.06 };
    let heatmap = Heatmap::new(METHODS, METHODS, values, 3, shades);
    Figure::new(
        "Mean difference of accuracy, row minus column",
        heatmap.named("method", "compared with", "difference"),
    )
}

fn p_values() -> Figure {
    let values = matrix(|i, j| noise(i.min(j) * 5 + i.max(j)).powi(3));
    let names = METHODS.map(|method| format!("{method} with defaults"));
    let heatmap = Heatmap::new(names.clone(), names, values, 4, Shades::Sequential { none: 0.05, full: 0.0 });
    Figure::new("p-values of all pairs, adjusted after Holm (1979)", heatmap.named("", "", "p"))
}

fn files() -> Section {
    let mut section = Section::new("files", "Files");
    section.push("The configuration and the raw results are inside this page.");
    for (name, media_type, label, bytes) in [
        (
            "plan.json",
            "application/json",
            "configuration",
            b"{\"folds\": 10, \"name\": \"</script>\"}\n".to_vec(),
        ),
        ("results.csv", "text/csv", "raw results", "set,accuracy\nirîs,0.95\n\"</script>\",0.5\n".into()),
        ("model.nb", "application/octet-stream", "", (0..=255).collect()),
    ] {
        section.push(Download {
            file_name: name.into(),
            media_type: media_type.into(),
            bytes,
            label: label.into(),
        });
    }
    section
}
