//! `nbayes report`: a model and its quality as one page.

use serde_json::Value;

use crate::folder::Folder;

fn json(folder: &Folder, command: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("{command} --json"))).unwrap()
}

fn page(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

#[test]
fn its_measures_are_those_of_evaluate() {
    let folder = Folder::new();
    for (data, option) in [("pima", ""), ("iris", "--plain"), ("titanic", "--plain")] {
        folder.ok(&format!("train @{data} {option} -o m.nb"));
        let said = json(&folder, &format!("report m.nb @{data} -o r.html"));
        let known = json(&folder, &format!("evaluate m.nb @{data}"));
        for name in ["accuracy", "log_loss", "auc"] {
            assert_eq!(said[name], known[name], "{data} {name}");
        }
        let html = page(&folder, "r.html");
        for name in
            ["accuracy", "balanced_accuracy", "macro_f1", "log_loss", "brier", "auc", "calibration_error"]
        {
            let number = format!("{:.4}", known[name].as_f64().unwrap());
            assert!(html.contains(&number), "{data} {name} {number}");
        }
        assert!(html.contains("95 % intervals"), "{data}");
        let rows = known["rows"].as_u64().unwrap();
        for wanted in [
            &format!("{rows} rows of @{data}"),
            "Report on m.nb",
            "Confusion matrix",
            "ROC",
            "Precision and recall",
            "Cumulative gain",
            "Lift",
            "Reliability",
            "Importance of the columns",
            "What values add",
            "held out from training",
            "<svg",
        ] {
            assert!(html.contains(wanted), "{data}: {wanted}");
        }
        for address in ["http://", "https://"] {
            let links = html.matches(address).count();
            let names = html.matches(&format!("{address}www.w3.org")).count();
            assert_eq!(links, names, "the page needs no network");
        }
    }
}

#[test]
fn the_baseline_is_the_majority_class() {
    let folder = Folder::new();
    folder.ok("train @pima -o m.nb");
    let said = json(&folder, "report m.nb @pima -o r.html");
    let (share, log_loss) = (500.0_f64 / 768.0, said["baseline_log_loss"].as_f64().unwrap());
    assert_eq!(said["baseline_accuracy"].as_f64(), Some(share));
    let entropy = -share * share.ln() - (1.0 - share) * (1.0 - share).ln();
    assert!((log_loss - entropy).abs() < 1e-12, "{log_loss} {entropy}");
}

/// Net benefits by hand, from the probabilities that `predict` prints.
#[test]
fn decisions_of_two_classes_have_their_net_benefit() {
    let folder = Folder::new();
    let labels: Vec<bool> = (0..80).map(|row| row * 7 % 10 < 4).collect();
    let row = |(row, is_b): (usize, &bool)| {
        let (shift, label) = if *is_b { (1.3, "b") } else { (0.0, "a") };
        format!("{},{label}\n", (row * 13 % 17) as f64 / 4.0 + shift)
    };
    let rows: String =
        std::iter::once("x,y\n".to_owned()).chain(labels.iter().enumerate().map(row)).collect();
    folder.write("d.csv", &rows);
    folder.ok("train d.csv --label y --plain -o m.nb");
    folder.ok("report m.nb d.csv -o r.html --repeats 1");
    let html = page(&folder, "r.html");
    for wanted in ["Decision curve", "Cost curve", "Net benefit of acting on rows as b", "acting on none"] {
        assert!(html.contains(wanted), "{wanted}");
    }
    folder.ok("predict m.nb d.csv --proba -o p.csv");
    let predicted = page(&folder, "p.csv");
    let of_b = predicted.lines().next().unwrap().split(',').position(|name| name.contains('b')).unwrap();
    let probabilities: Vec<f64> =
        predicted.lines().skip(1).map(|line| line.split(',').nth(of_b).unwrap().parse().unwrap()).collect();
    assert_eq!(probabilities.len(), 80);
    for threshold in [0.1, 0.3, 0.5, 0.7] {
        let acted = || probabilities.iter().zip(&labels).filter(|(p, _)| **p >= threshold);
        let n_true = acted().filter(|(_, is_b)| **is_b).count() as f64;
        let n_false = acted().count() as f64 - n_true;
        let benefit = format!("{:.4}", n_true / 80.0 - n_false / 80.0 * threshold / (1.0 - threshold));
        // The page writes minus signs as such.
        assert!(html.contains(&benefit.replace('-', "−")), "{threshold}: {benefit}");
    }
    folder.ok("train @iris --plain -o m.nb");
    folder.ok("report m.nb @iris -o r.html --repeats 1");
    assert!(!page(&folder, "r.html").contains("Decision curve"));
}

#[test]
fn odd_models_have_reports() {
    let folder = Folder::new();
    for (data, wanted) in [
        ("letter", "The 6 most frequent classes of 26"),
        ("sms", "Columns with many features have no picture: message"),
        ("zoo", "Confusion matrix"),
    ] {
        folder.ok(&format!("train @{data} --plain -o m.nb"));
        folder.ok(&format!("report m.nb @{data} -o r.html --repeats 1"));
        let html = page(&folder, "r.html");
        assert!(html.contains(wanted), "{data}");
    }
    // Names are not markup, and a single class has nothing to rank.
    folder.write("a.csv", "a <b> & c,y\n1,<i>\n2,<i>\n4,&amp;\n5,&amp;\n");
    folder.ok("train a.csv --label y -o m.nb");
    folder.write("b.csv", "a <b> & c,y\n1,<i>\n2,<i>\n");
    folder.ok("report m.nb b.csv -o r.html");
    let html = page(&folder, "r.html");
    assert!(html.contains("a &lt;b&gt; &amp; c") && html.contains("&amp;amp;") && !html.contains("<i>"));
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let folder = Folder::new();
    folder.write("a.csv", "x,y\n1,a\n2,a\n4,b\n5,b\n");
    folder.ok("train a.csv --label y -o m.nb");
    let error = folder.fails(1, "report m.nb a.csv -o none/r.html");
    assert!(error.contains("there is no folder none"), "{error}");
    let error = folder.fails(2, "report m.nb a.csv -o a.csv");
    assert!(error.contains("also an input"), "{error}");
    folder.write("none.csv", "x\n1\n");
    let error = folder.fails(1, "report m.nb none.csv -o r.html");
    assert!(error.contains("none.csv") && error.contains('y'), "{error}");
    assert!(!folder.path("r.html").exists());
}

#[test]
fn without_rows_it_is_a_model_card() {
    let folder = Folder::new();
    folder.ok("train @pima -o m.nb --quiet");
    let said = json(&folder, "report m.nb -o card.md");
    let inspected = json(&folder, "inspect m.nb");
    assert_eq!(said["held_out"], inspected["held_out"]);
    assert_eq!(said["training_rows"].as_f64(), Some(768.0));
    let card = page(&folder, "card.md");
    for wanted in [
        "# Model card of m.nb",
        "768 rows with the fingerprint ",
        "| neg   |  500 |",
        "| glucose  | numbers, 0 to 200 | binned |",
        "held out in training",
        "the most probable class",
        "nbayes train ROWS.csv --label diabetes -o again.nb",
        "## Limits",
    ] {
        assert!(card.contains(wanted), "{wanted}: {card}");
    }
    folder.ok("report m.nb -o card.html --quiet");
    assert!(page(&folder, "card.html").starts_with("<!doctype html>"));
    folder.ok("report m.nb @pima -o r.md --quiet");
    assert!(page(&folder, "r.md").starts_with("# Report on m.nb"));
    folder.fails(2, "report m.nb");
}

#[test]
fn cards_of_all_kinds_of_models() {
    let folder = Folder::new();
    for (train, wanted) in [
        ("@titanic --plain", "over-confident"),
        ("@iris --plain --tan petal_length_cm,petal_width_cm", "Model card"),
        ("@sms", "texts, "),
        ("@zoo", "Classes with fewer than 30 training rows: "),
        ("@iris --sums-only", "no fingerprint"),
    ] {
        folder.ok(&format!("train {train} -o m.nb --quiet"));
        folder.ok("report m.nb -o card.md");
        let card = page(&folder, "card.md");
        assert!(card.contains(wanted), "{train}: {card}");
    }
}
