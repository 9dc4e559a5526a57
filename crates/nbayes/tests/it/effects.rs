//! Pictures of contributions and of principal components.

#![allow(clippy::format_push_string, reason = "as in the program")]

use serde_json::Value;

use crate::{
    folder::Folder,
    plot::{assert_says, attribute, json, svg, texts, trained},
};

#[test]
fn contributions_are_those_of_explanations() {
    let folder = Folder::new();
    let mut csv = "length,colour,y\n".to_owned();
    for i in 0..300 {
        let class = i * i % 7 < 3;
        let length = if i % 11 == 4 || i % 14 == 3 {
            String::new()
        } else {
            (i * 31 % 50 + 20 * i32::from(class)).to_string()
        };
        let colour = ["red", "green", "blue"][(i / 3 + i32::from(class)) as usize % 3];
        csv.push_str(&format!("{length},{colour},{}\n", if class { "yes" } else { "no" }));
    }
    folder.write("a.csv", csv);
    folder.ok("train a.csv --label y -o refined.nb");
    folder.ok("train a.csv --label y --plain -o plain.nb");
    folder.write("one.csv", "length,colour\n33,green\n,blue\n");
    for (model, option) in [("refined.nb", ""), ("plain.nb", "--contributions")] {
        for (row, feature) in [(1, "length"), (1, "colour"), (2, "length"), (2, "colour")] {
            let drawn = json(&folder, &format!("plot {model} --feature {feature} {option} -o a.svg"));
            assert_eq!(drawn["kind"], "contributions");
            let explained = json(&folder, &format!("explain {model} one.csv --row {row} --against no"));
            let explained = if explained["label"] == "yes" {
                explained
            } else {
                json(&folder, &format!("explain {model} one.csv --row {row} --against yes"))
            };
            let sign = if explained["label"] == "yes" { 1.0 } else { -1.0 };
            let of_row =
                explained["features"].as_array().unwrap().iter().find(|line| line["name"] == feature);
            let of_row = of_row.map_or(0.0, |line| sign * line["log_odds"].as_f64().unwrap());
            let lines = drawn["contributions"].as_array().unwrap();
            let distance = |line: &Value| line["number"].as_f64().map(|number| (number - 33.0).abs());
            let nearest = lines.iter().filter_map(distance).fold(f64::INFINITY, f64::min);
            let is_row = |line: &&Value| match (row, feature) {
                (1, "length") if line.get("number").is_some() => distance(line) == Some(nearest),
                (1, "length") => {
                    line.get("above").is_some()
                        && line["above"].as_f64().is_none_or(|above| above < 33.0)
                        && line["up_to"].as_f64().is_none_or(|up_to| 33.0 <= up_to)
                }
                (2, "length") => line.get("missing").is_some(),
                (row, _) => line.get("category").is_some_and(|name| *name == ["green", "blue"][row - 1]),
            };
            let drawn = lines.iter().find(is_row).map_or(0.0, |line| line["adds"][0].as_f64().unwrap());
            // The curve of a density, and a line beside bins, are drawn at numbers near the cell.
            let near = if (feature, row) == ("length", 1) { 0.1 } else { 1e-9 };
            assert!((drawn - of_row).abs() < near, "{model} {row} {feature}: {drawn} {of_row}");
        }
    }
    let texts_with = |feature: &str| {
        folder.ok(&format!("plot refined.nb a.csv --feature {feature} -o a.svg"));
        texts(&svg(&folder, "a.svg"))
    };
    assert_says(
        &texts_with("length"),
        &["Contribution of length to y", "adds to the log-odds of yes", "missing", "rows"],
    );
    assert_says(
        &texts_with("colour"),
        &["red", "green", "blue", "above 0: speaks for yes; below 0: for no; model refined.nb"],
    );
    // Intervals are of counts, and of corrections where there are rows.
    let widths = |command: &str| {
        let drawn = json(&folder, &format!("plot {command} -o a.svg"));
        let lines = drawn["contributions"].as_array().unwrap().clone();
        let width = |line: &Value| line.get("half_width_95").map(|width| width[0].as_f64().unwrap());
        assert!(lines.iter().filter(|line| line.get("missing").is_some()).all(|line| width(line).is_none()));
        lines.iter().filter_map(width).collect::<Vec<f64>>()
    };
    for (command, n) in [
        ("plain.nb --feature colour --contributions", 3),
        ("plain.nb --feature length --contributions", 601),
        ("refined.nb a.csv --feature colour", 3),
        ("refined.nb --feature colour", 0),
    ] {
        let widths = widths(command);
        assert_eq!(widths.len(), n, "{command}");
        assert!(widths.iter().all(|width| 0.0 < *width && width.is_finite()), "{command} {widths:?}");
        let says_so = texts(&svg(&folder, "a.svg")).iter().any(|text| text == "95 % interval");
        assert_eq!(says_so, n > 0, "{command}");
    }
    let drawn = json(&folder, "plot refined.nb");
    assert_eq!((&drawn["kind"], &drawn["classes"][1]["label"]), (&"contributions".into(), &"yes".into()));
    folder.ok("plot refined.nb a.csv --feature length --feature colour -o a.svg");
    assert!(texts(&svg(&folder, "a.svg")).iter().any(|text| text.starts_with("refined model")));
    for (arguments, message) in [
        ("plot refined.nb --prior-weighted -o b.svg", "a refined model has contributions"),
        ("plot plain.nb --feature length --feature colour --contributions -o b.svg", "name one --feature"),
    ] {
        let error = folder.fails(2, arguments);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn contributions_of_many_classes_have_a_curve_each() {
    let folder = trained("iris");
    let drawn = json(&folder, "plot iris.nb --feature petal_width_cm --contributions -o a.svg");
    for line in drawn["contributions"].as_array().unwrap() {
        let adds: Vec<f64> =
            line["adds"].as_array().unwrap().iter().map(|add| add.as_f64().unwrap()).collect();
        // As probabilities they are 1 in the mean over the classes.
        let mean: f64 = adds.iter().map(|add| add.exp() / 3.0).sum();
        assert!(adds.len() == 3 && (mean - 1.0).abs() < 1e-6, "{line}");
    }
    let svg = svg(&folder, "a.svg");
    for class in drawn["classes"].as_array().unwrap() {
        let colour = class["colour"].as_str().unwrap();
        let lines = svg.lines().filter(|line| line.starts_with("<polyline"));
        let curves = lines.filter(|tag| attribute(tag, "stroke").eq_ignore_ascii_case(colour));
        assert!(curves.count() >= 2, "a curve and its key in the legend");
    }
}

#[test]
fn principal_components_have_rings_around_wrong_rows() {
    let folder = trained("iris");
    let drawn = json(&folder, "plot iris.nb @iris --pca -o a.svg");
    let accuracy = json(&folder, "evaluate iris.nb @iris")["accuracy"].as_f64().unwrap();
    let wrong = drawn["wrong"].as_f64().unwrap();
    assert!(wrong > 0.0 && (wrong / 150.0 - (1.0 - accuracy)).abs() < 1e-12, "{drawn}");
    let share = |place: usize| drawn["components"][place]["share_of_variance"].as_f64().unwrap();
    assert!((share(0) - 0.7296).abs() < 2e-3 && (share(1) - 0.2285).abs() < 2e-3, "{drawn}");
    let texts = texts(&svg(&folder, "a.svg"));
    assert_says(&texts, &["species on two principal components", "wrongly predicted", "setosa"]);
    assert!(
        texts.iter().any(|text| text.starts_with("component 1 (7") && text.ends_with("% of the variance)"))
    );

    // Missing cells, categories beside, and no labels.
    folder.write("a.csv", "u,v,c,y\n1,2,x,a\n2,,y,a\n3,5,x,b\n4,9,y,b\n5,7,x,b\n");
    folder.ok("train a.csv --label y");
    folder.write("b.csv", "u,v,c\n1,2,x\n,,y\n3,5,x\n");
    let drawn = json(&folder, "plot a.nb b.csv --pca");
    assert_eq!((&drawn["missing_cells"], &drawn["wrong"]), (&2.into(), &0.into()), "{drawn}");
    assert_eq!(drawn["file"], "a-pca.svg");
    assert_says(&crate::plot::texts(&svg(&folder, "a-pca.svg")), &["unknown label"]);
    for (arguments, code, message) in [
        ("plot a.nb b.csv --pca", 2, "a-pca.svg exists"),
        ("plot a.nb --pca -o c.svg", 2, "name a data file"),
        ("plot a.nb a.csv --pca --pair -o c.svg", 2, "cannot be used with"),
    ] {
        let error = folder.fails(code, arguments);
        assert!(error.contains(message), "{error}");
    }
    folder.write("one.csv", "u,v,c\n1,2,x\n1,5,x\n");
    let error = folder.fails(1, "plot a.nb one.csv --pca -o c.svg");
    assert!(error.contains("two columns of numbers that vary"), "{error}");
}
