//! Pictures: what is in them, and that they show what the model says.

#![allow(clippy::format_push_string, reason = "as in the program")]

use std::collections::BTreeMap;

use serde_json::Value;

use crate::folder::Folder;

/// A folder with a model of an embedded data set.
pub(crate) fn trained(dataset: &str) -> Folder {
    let folder = Folder::new();
    folder.ok(&format!("train --plain @{dataset}"));
    folder
}

pub(crate) fn json(folder: &Folder, arguments: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("{arguments} --json"))).unwrap()
}

pub(crate) fn svg(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

/// The texts of an SVG, which must be well-formed: tags nest, attributes are quoted, nothing is left
/// unescaped.
pub(crate) fn texts(svg: &str) -> Vec<String> {
    let mut open = Vec::new();
    let mut texts = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "tags nest");
            continue;
        }
        let name = tag.split_whitespace().next().unwrap();
        let quotes = tag.matches('"').count();
        assert!(quotes.is_multiple_of(2) && tag.matches('=').count() * 2 == quotes, "{tag}");
        if !tag.ends_with('/') {
            open.push(name);
        }
        for escape in text.split('&').skip(1) {
            let (code, _) = escape.split_once(';').expect("an escape ends");
            assert!(["lt", "gt", "amp", "quot", "#39"].contains(&code), "{code}");
        }
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        if name == "text" {
            let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
            let text = text.trim().to_owned();
            texts.push(escapes.iter().fold(text, |text, (code, c)| text.replace(code, c)));
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    texts
}

#[track_caller]
pub(crate) fn assert_says(texts: &[String], wanted: &[&str]) {
    for text in wanted {
        assert!(texts.iter().any(|found| found == text), "{text:?} is not in {texts:?}");
    }
}

/// A PNG as rows of dots, two a pixel.
struct Dots {
    width: usize,
    bytes: Vec<u8>,
}

impl Dots {
    fn read(folder: &Folder, name: &str) -> Self {
        let bytes = folder.read(name);
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (1800, 1200, png::ColorType::Rgb));
        Self { width: info.width as usize, bytes }
    }

    /// The colour at a place in pixels.
    fn at(&self, x: f64, y: f64) -> String {
        let place = 3 * ((2.0 * y) as usize * self.width + (2.0 * x) as usize);
        let [r, g, b] = self.bytes[place..place + 3] else { unreachable!() };
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[test]
fn densities_say_what_they_show() {
    let folder = trained("iris");
    let drawn = json(&folder, "plot iris.nb @iris --feature sepal_width_cm -o a.svg");
    assert_eq!(drawn["kind"], "densities");
    assert_eq!((&drawn["data"]["rows"], &drawn["data"]["outside"]), (&150.into(), &0.into()));
    let svg = svg(&folder, "a.svg");
    assert!(svg.starts_with("<svg width=\"900\" height=\"600\" viewBox=\"0 0 900 600\""), "{}", &svg[..90]);
    let texts = texts(&svg);
    assert_says(
        &texts,
        &[
            "sepal_width_cm by species",
            "sepal_width_cm",
            "density",
            "species",
            "setosa",
            "versicolor",
            "virginica",
            "@iris: 150 rows.",
        ],
    );
    folder.ok("plot iris.nb --feature sepal_width_cm --prior-weighted -o a.svg");
    assert_says(&self::texts(&self::svg(&folder, "a.svg")), &["density × prior"]);
}

#[test]
fn the_most_informative_feature_is_drawn_if_none_is_named() {
    let folder = trained("iris");
    let text = folder.ok("plot iris.nb");
    assert!(text.contains("wrote iris-petal_"), "{text}");
    assert_eq!(folder.names().len(), 2, "{:?}", folder.names());
    let error = folder.fails(2, "plot iris.nb");
    assert!(error.contains("exists") && error.contains("-o iris-petal_"), "{error}");
    let drawn = json(&folder, "plot iris.nb @iris --pair");
    let names: Vec<&str> =
        drawn["features"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(names.iter().all(|name| name.starts_with("petal_")) && names.len() == 2, "{names:?}");
}

#[test]
fn the_same_call_gives_the_same_bytes() {
    let folder = trained("iris");
    for call in ["plot iris.nb @iris --pair", "plot iris.nb @iris"] {
        for end in ["svg", "png"] {
            folder.ok(&format!("{call} -o a.{end}"));
            folder.ok(&format!("{call} -o b.{end}"));
            assert!(folder.read(&format!("a.{end}")) == folder.read(&format!("b.{end}")), "{call} {end}");
        }
    }
}

/// The columns of a CSV with these names, and the label.
fn columns(csv: &str, names: &[&str]) -> String {
    let mut rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let places: Vec<usize> =
        names.iter().map(|name| header.iter().position(|head| head == name).unwrap()).collect();
    let pick = |row: &[&str]| places.iter().map(|&place| row[place]).collect::<Vec<_>>().join(",");
    std::iter::once(pick(&header)).chain(rows.map(|row| pick(&row))).map(|line| line + "\n").collect()
}

#[test]
fn regions_are_the_labels_of_a_model_of_two_columns() {
    let folder = trained("iris");
    let (x, y) = ("sepal_length_cm", "petal_width_cm");
    // The whole model is drawn, without data so that no points are in the way.
    let drawn = json(&folder, &format!("plot iris.nb --feature {x} --feature {y} -o a.png"));
    assert_eq!(drawn["kind"], "regions");
    let csv = String::from_utf8(nb_datasets::csv("iris").unwrap()).unwrap();
    folder.write("two.csv", columns(&csv, &[x, y, "species"]));
    folder.ok("train --plain two.csv --label species");

    let number = |value: &Value| value.as_f64().unwrap();
    let limits =
        |place: usize| (number(&drawn["features"][place]["low"]), number(&drawn["features"][place]["high"]));
    let (xs, ys, area) = (limits(0), limits(1), &drawn["area"]);
    let (left, right) = (number(&area["left"]), number(&area["right"]));
    let (top, bottom) = (number(&area["top"]), number(&area["bottom"]));
    let mut places = Vec::new();
    let mut rows = format!("{x},{y}\n");
    for i in 1..20 {
        for j in 1..20 {
            let (s, t) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
            places.push((left + s * (right - left), bottom - t * (bottom - top)));
            rows.push_str(&format!("{},{}\n", xs.0 + s * (xs.1 - xs.0), ys.0 + t * (ys.1 - ys.0)));
        }
    }
    folder.write("grid.csv", rows);
    let labels = folder.ok("predict two.nb grid.csv");
    let colours: BTreeMap<&str, &str> = drawn["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| (class["label"].as_str().unwrap(), class["region"].as_str().unwrap()))
        .collect();
    let dots = Dots::read(&folder, "a.png");
    let mut checked = BTreeMap::new();
    for (&(x, y), label) in places.iter().zip(labels.lines().skip(1)) {
        let colour = dots.at(x, y);
        // Lines are dark; what they cover is no region.
        if colours.values().any(|known| *known == colour) {
            assert_eq!(colours[label], colour, "{label} at {x}, {y}");
            *checked.entry(label).or_insert(0) += 1;
        }
    }
    assert_eq!(checked.len(), 3, "{checked:?}");
    assert!(checked.values().sum::<i32>() > 340, "{checked:?}");
}

#[test]
fn a_narrow_region_is_not_overlooked() {
    let folder = Folder::new();
    let mut csv = "x,z,y\n".to_owned();
    for i in 0..50 {
        let (x, z) = (f64::from(i * 7 % 50) - 24.5, f64::from(i * 11 % 50) - 24.5);
        csv.push_str(&format!("{x},{z},wide\n{},{z},narrow\n", 3.3 + x * 1e-4));
    }
    folder.write("a.csv", csv);
    folder.ok("train --plain a.csv --label y");
    let drawn = json(&folder, "plot a.nb --feature x --feature z -o a.svg");
    let class = &drawn["classes"][0];
    assert_eq!(class["label"], "narrow");
    let region = class["region"].as_str().unwrap();
    let svg = svg(&folder, "a.svg");
    let polygons = svg.lines().filter(|line| line.starts_with("<polygon"));
    assert_eq!(polygons.filter(|tag| attribute(tag, "fill").eq_ignore_ascii_case(region)).count(), 1);
}

#[test]
fn categories_are_bars_bands_and_tiles() {
    let folder = trained("titanic");
    let drawn = json(&folder, "plot titanic.nb @titanic --feature Class -o a.svg");
    assert_eq!(drawn["kind"], "probabilities");
    assert_eq!(drawn["features"][0]["categories"].as_array().unwrap().len(), 4);
    assert_says(
        &texts(&svg(&folder, "a.svg")),
        &["1st", "2nd", "3rd", "Crew", "No", "Yes", "model", "data", "probability"],
    );
    folder.ok("plot titanic.nb @titanic --feature Class --feature Age -o a.svg");
    assert_says(&texts(&svg(&folder, "a.svg")), &["Survived by Class and Age", "Child", "Crew", "Yes"]);
    let error = folder.fails(1, "plot titanic.nb --pair");
    assert!(error.contains("--feature"), "{error}");

    // Of a tile map every tile has the colour of its label.
    let drawn = json(&folder, "plot titanic.nb --feature Class --feature Sex -o a.png");
    let csv = String::from_utf8(nb_datasets::csv("titanic").unwrap()).unwrap();
    folder.write("two.csv", columns(&csv, &["Class", "Sex", "Survived"]));
    folder.ok("train --plain two.csv --label Survived");
    let levels = |place: usize| drawn["features"][place]["categories"].as_array().unwrap().clone();
    let (classes, sexes) = (levels(0), levels(1));
    let area = |side: &str| drawn["area"][side].as_f64().unwrap();
    let dots = Dots::read(&folder, "a.png");
    for (i, class) in classes.iter().enumerate() {
        for (j, sex) in sexes.iter().enumerate() {
            folder.write(
                "one.csv",
                format!("Class,Sex\n{},{}\n", class.as_str().unwrap(), sex.as_str().unwrap()),
            );
            let label = folder.ok("predict two.nb one.csv");
            let label = label.lines().nth(1).unwrap();
            let known = drawn["classes"].as_array().unwrap().iter().find(|known| known["label"] == label);
            let middle = |at: usize, n: usize| (at as f64 + 0.5) / n as f64;
            let x = area("left") + middle(i, classes.len()) * (area("right") - area("left"));
            let y = area("bottom") - middle(j, sexes.len()) * (area("bottom") - area("top"));
            assert_eq!(known.unwrap()["region"], dots.at(x, y), "{class} {sex}");
        }
    }
}

/// An attribute of a tag.
pub(crate) fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let (_, after) = tag.split_once(&format!(" {name}=\"")).unwrap();
    after.split('"').next().unwrap()
}

/// Widths and heights of the rectangles of this colour, opaque or seen through.
fn rectangles(svg: &str, colour: &str, is_opaque: bool) -> Vec<(f64, f64)> {
    let number = |tag: &str, name: &str| attribute(tag, name).parse::<f64>().unwrap();
    let tags = svg.lines().filter(|line| line.starts_with("<rect"));
    let tags = tags.filter(|tag| attribute(tag, "fill").eq_ignore_ascii_case(colour));
    let tags = tags.filter(|tag| tag.contains("fill-opacity") != is_opaque);
    tags.map(|tag| (number(tag, "width"), number(tag, "height"))).collect()
}

#[test]
fn bars_are_as_high_as_probabilities() {
    let folder = Folder::new();
    // Of class a all rows are red, of class b one of four.
    folder.write("a.csv", "x,y\nred,a\nred,a\nred,a\nred,a\nred,b\nblue,b\nblue,b\nblue,b\n");
    folder.ok("train --plain a.csv --label y");
    let drawn = json(&folder, "plot a.nb a.csv --feature x -o a.svg");
    let svg = svg(&folder, "a.svg");
    let colour = drawn["classes"][1]["colour"].as_str().unwrap();
    // With a smoothing of 1 the model says (3 + 1) / (4 + 2) and (1 + 1) / (4 + 2); the data 3 / 4 and 1 / 4.
    let heights = |is_opaque| {
        let mut heights: Vec<f64> =
            rectangles(&svg, colour, is_opaque).into_iter().map(|(_, height)| height).collect();
        heights.sort_by(f64::total_cmp);
        let [legend, low, high] = heights[..] else { panic!("{heights:?}") };
        assert!(legend < low, "{heights:?}");
        (low, high)
    };
    let (model, data) = (heights(true), heights(false));
    for (part, whole, ratio) in
        [(model.1, model.0, 2.0), (data.1, data.0, 3.0), (data.1, model.1, 0.75 * 6.0 / 4.0)]
    {
        assert!((part / whole / ratio - 1.0).abs() < 0.01, "{model:?} {data:?}");
    }
}

#[test]
fn a_histogram_has_the_area_of_its_curve() {
    let folder = trained("iris");
    for prior in ["", "--prior-weighted"] {
        let drawn = json(&folder, &format!("plot iris.nb @iris --feature sepal_width_cm {prior} -o a.svg"));
        let svg = svg(&folder, "a.svg");
        for class in drawn["classes"].as_array().unwrap() {
            let colour = class["colour"].as_str().unwrap();
            let bars = rectangles(&svg, colour, false);
            // The patch of the legend is one of them.
            let bars = bars.iter().map(|(width, height)| width * height).sum::<f64>() - 26.0 * 13.0;
            let curve = svg.lines().filter(|line| line.starts_with("<polyline"));
            let curve = curve.filter(|tag| attribute(tag, "stroke").eq_ignore_ascii_case(colour));
            let curve = curve.map(|tag| attribute(tag, "points")).max_by_key(|points| points.len()).unwrap();
            let points: Vec<(f64, f64)> = curve
                .split_whitespace()
                .map(|point| point.split_once(',').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect();
            let bottom = drawn["area"]["bottom"].as_f64().unwrap();
            let strip = |pair: &[(f64, f64)]| {
                (pair[1].0 - pair[0].0) * (bottom - f64::midpoint(pair[0].1, pair[1].1))
            };
            let area: f64 = points.windows(2).map(strip).sum();
            assert!((bars / area - 1.0).abs() < 0.05, "{prior} {class}: {bars} {area}");
        }
    }
}

#[test]
fn a_far_away_row_is_left_out_and_said_so() {
    let folder = Folder::new();
    let mut csv = "x,y\n".to_owned();
    for i in 0..60 {
        csv.push_str(&format!("{},{}\n", f64::from(i) / 10.0, if i % 2 == 0 { "a" } else { "b" }));
    }
    folder.write("a.csv", &csv);
    folder.ok("train --plain a.csv --label y");
    csv.push_str("1e7,a\n");
    folder.write("a.csv", csv);
    let drawn = json(&folder, "plot a.nb a.csv -o a.svg");
    assert_eq!(drawn["data"]["outside"], 1);
    assert!(drawn["features"][0]["high"].as_f64().unwrap() < 20.0, "{drawn}");
    assert_says(&texts(&svg(&folder, "a.svg")), &["a.csv: 61 rows. 1 row is outside the picture."]);
}

#[test]
fn odd_names_are_shortened_and_escaped() {
    let folder = Folder::new();
    let class = "a class & <its> \"long\" name, which goes on and on";
    let quoted = class.replace('"', "\"\"");
    let mut csv = "a <b> & c,y\n".to_owned();
    for i in 0..20 {
        csv.push_str(&format!("{i}.5,{}\n", if i < 9 { format!("\"{quoted}\"") } else { "\u{1}".into() }));
    }
    folder.write("a.csv", csv);
    folder.ok("train --plain a.csv --label y");
    let text = folder.ok("plot a.nb a.csv");
    assert!(text.contains("wrote a-a__b____c.svg"), "{text}");
    let texts = texts(&svg(&folder, "a-a__b____c.svg"));
    assert_says(&texts, &["a <b> & c", "\u{FFFD}"]);
    assert!(texts.iter().any(|text| text.starts_with("a class & <its>") && text.ends_with('…')), "{texts:?}");
}

#[test]
fn many_classes_have_a_short_legend() {
    let folder = trained("letter");
    folder.ok("plot letter.nb -o a.svg");
    let texts = texts(&svg(&folder, "a.svg"));
    assert_says(&texts, &["A", "T", "and 6 more"]);
    assert!(!texts.iter().any(|text| text == "U"), "{texts:?}");
}

#[test]
fn of_many_categories_the_most_telling_are_shown() {
    let folder = Folder::new();
    let mut csv = "k,x,y\n".to_owned();
    for i in 0..200 {
        // The first ten categories come more often.
        let k = if i % 2 == 0 { i % 20 / 2 } else { i % 60 };
        csv.push_str(&format!("k{k:02},{}.5,{}\n", i % 7, if i % 3 == 0 { "a" } else { "b" }));
    }
    folder.write("a.csv", csv);
    folder.ok("train --plain a.csv --label y");
    for features in ["--feature k", "--feature k --feature x", "--feature x --feature k"] {
        let drawn = json(&folder, &format!("plot a.nb a.csv {features} -o a.svg"));
        let shown = drawn["features"].as_array().unwrap().iter().find(|feature| feature["name"] == "k");
        let shown = shown.unwrap()["categories"].as_array().unwrap().clone();
        let texts = texts(&svg(&folder, "a.svg"));
        assert_eq!(shown.len(), 24);
        if features == "--feature k" {
            assert_says(&texts, &["and 11 more"]);
            assert!(texts.iter().any(|text| text.contains("tell most of the classes")), "{texts:?}");
        } else {
            assert!(shown[0] == "k00" && shown[9] == "k09", "{shown:?}");
            assert!(texts.iter().any(|text| text.contains("24 most probable of")), "{texts:?}");
        }
    }
}

#[test]
fn rows_without_labels_are_drawn_in_grey() {
    let folder = trained("iris");
    let csv = String::from_utf8(nb_datasets::csv("iris").unwrap()).unwrap();
    let names = ["sepal_length_cm", "sepal_width_cm", "petal_length_cm", "petal_width_cm"];
    folder.write("new.csv", columns(&csv, &names));
    for (features, note) in [("--feature sepal_width_cm", "unknown label"), ("--pair", "unknown label")] {
        folder.ok(&format!("plot iris.nb new.csv {features} -o a.svg"));
        assert_says(&texts(&svg(&folder, "a.svg")), &[note, "setosa"]);
    }
}

#[test]
fn every_family_has_a_picture() {
    let folder = Folder::new();
    let mut csv = "a,b,c,y\n".to_owned();
    for i in 0..30 {
        csv.push_str(&format!("{},{},{},{}\n", i % 5, i % 3, i % 2, if i % 4 == 0 { "no" } else { "yes" }));
    }
    folder.write("a.csv", csv);
    for (family, kind) in [
        ("gaussian", "densities"),
        ("poisson", "probabilities"),
        ("multinomial", "probabilities"),
        ("complement", "probabilities"),
        ("bernoulli", "probabilities"),
        ("categorical", "probabilities"),
    ] {
        folder.ok(&format!("train --plain a.csv --label y --{family} a,b,c -o a.nb"));
        for data in ["", "a.csv"] {
            let drawn = json(&folder, &format!("plot a.nb {data} --feature a -o a.svg"));
            assert_eq!(drawn["kind"], kind, "{family}");
            let texts = texts(&svg(&folder, "a.svg"));
            assert_says(&texts, &["a by y", "no", "yes"]);
            assert!(
                texts.iter().any(|text| text.starts_with(family)
                    || text.starts_with("Gauss")
                    || text.starts_with("Poisson")
                    || text.starts_with("Bernoulli")),
                "{texts:?}"
            );
            folder.ok(&format!("plot a.nb {data} --feature a --feature b -o a.png"));
            Dots::read(&folder, "a.png");
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = trained("iris");
    let before = folder.names();
    let cases = [
        (1, "plot iris.nb --feature petal_lenth_cm", "did you mean \"petal_length_cm\""),
        (2, "plot iris.nb --feature species", "is the label"),
        (2, "plot iris.nb -o a.pdf", ".png"),
        (2, "plot iris.nb -o a", ".svg"),
        (2, "plot iris.nb --pair --feature petal_length_cm", "--pair"),
        (2, "plot iris.nb --feature petal_length_cm --feature petal_length_cm", "twice"),
        (
            2,
            "plot iris.nb --feature petal_length_cm --feature petal_width_cm --feature sepal_width_cm",
            "one or two",
        ),
        (2, "plot iris.nb --pair --prior-weighted", "--prior-weighted"),
        (1, "plot iris.nb nowhere.csv", "nowhere.csv"),
        (1, "plot nowhere.nb", "nowhere.nb"),
        (1, "plot iris.nb -o no/such/folder/a.svg", "cannot write"),
    ];
    for (code, call, said) in cases {
        let error = folder.fails(code, call);
        assert!(error.contains(said), "{call}: {error}");
    }
    assert_eq!(folder.names(), before, "nothing was written");

    folder.write("a.csv", "id,x,y\n1,1.5,a\n2,2.5,b\n3,3.5,a\n4,4.5,b\n");
    folder.ok("train --plain a.csv --label y --ignore id");
    let error = folder.fails(1, "plot a.nb --feature id");
    assert!(error.contains("\"id\""), "{error}");
}

#[test]
fn a_high_peak_is_cut_off_with_an_arrow() {
    let folder = Folder::new();
    let mut csv = "x,y\n".to_owned();
    for i in 0..100 {
        let x = f64::from(i * 7 % 50) - 24.5;
        csv.push_str(&format!("{x},wide\n{},narrow\n", 3.3 + x * 1e-4));
    }
    folder.write("a.csv", csv);
    folder.ok("train --plain a.csv --label y");
    let drawn = json(&folder, "plot a.nb a.csv -o a.svg");
    let svg = svg(&folder, "a.svg");
    assert!(
        texts(&svg).iter().any(|text| text.contains("Curves go on where an arrow is")),
        "{:?}",
        texts(&svg)
    );
    let colour = drawn["classes"][0]["colour"].as_str().unwrap();
    let arrows = svg.lines().filter(|line| line.starts_with("<polygon"));
    assert_eq!(arrows.filter(|tag| attribute(tag, "fill").eq_ignore_ascii_case(colour)).count(), 1);
}

#[test]
fn borders_part_the_most_probable_classes() {
    let folder = trained("iris");
    let drawn = json(&folder, "plot iris.nb --pair -o a.png");
    assert_says(&texts_of(&folder, "plot iris.nb --pair -o a.svg"), &["border"]);
    // Along lines across the picture colours change only where a dark line is.
    let dots = Dots::read(&folder, "a.png");
    let area = |side: &str| drawn["area"][side].as_f64().unwrap();
    let regions: Vec<&str> =
        drawn["classes"].as_array().unwrap().iter().map(|class| class["region"].as_str().unwrap()).collect();
    let mut n_changes = 0;
    for step in 1..10 {
        let y = area("top") + f64::from(step) / 10.0 * (area("bottom") - area("top"));
        let mut x = area("left") + 2.0;
        let (mut last, mut darkest) = (None, 255);
        while x < area("right") - 2.0 {
            let colour = dots.at(x, y);
            let red = i32::from_str_radix(&colour[1..3], 16).unwrap();
            if let Some(region) = regions.iter().position(|region| *region == colour) {
                if last.is_some_and(|last| last != region) {
                    n_changes += 1;
                    assert!(darkest < 120, "{x} {y}: {darkest}");
                }
                (last, darkest) = (Some(region), 255);
            } else {
                darkest = darkest.min(red);
            }
            x += 0.5;
        }
    }
    assert!(n_changes >= 8, "{n_changes}");
}

pub(crate) fn texts_of(folder: &Folder, command: &str) -> Vec<String> {
    folder.ok(command);
    texts(&svg(folder, "a.svg"))
}
