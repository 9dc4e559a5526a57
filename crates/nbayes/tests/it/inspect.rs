//! What `nbayes inspect` says of features, and that it never says too much.

use serde_json::Value;

use crate::folder::Folder;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn words_of_spam_go_before_words_of_grammar() {
    let folder = Folder::new();
    folder.ok("train --plain @sms -o m.nb --quiet");
    let found = json(&folder.ok("inspect m.nb --top 40 --json"));
    let features = found["features"].as_array().unwrap();
    let names: Vec<&str> = features.iter().map(|line| line["feature"].as_str().unwrap()).collect();
    for word in ["txt", "free", "claim", "prize", "call"] {
        assert!(names[..12].contains(&format!("message: {word}").as_str()), "{word}: {names:?}");
    }
    for word in ["the", "to", "a", "of"] {
        assert!(!names[..12].contains(&format!("message: {word}").as_str()), "{word}: {names:?}");
    }
    assert_eq!(
        (found["more_features"].as_u64(), found["by"].as_str()),
        (Some(9139), Some("mutual-information"))
    );
    assert_eq!(features[1]["highest_in"], "spam");
    let text = folder.ok("inspect m.nb --top 3");
    assert!(text.contains("\n... and 9176 more features; --top N shows more\n"), "{text}");
    assert!(text.lines().count() < 30, "{text}");
}

#[test]
fn the_intercept_of_a_refined_model_is_not_called_prior() {
    let folder = Folder::new();
    folder.ok("train @pima --plain -o p.nb --quiet");
    folder.ok("train @pima -o r.nb --quiet");
    folder.ok("calibrate p.nb @pima -o c.nb --quiet --force");
    let share = json(&folder.ok("inspect p.nb --json"))["classes"][0]["prior"].as_f64().unwrap();
    for (model, has_intercept) in [("p.nb", false), ("r.nb", true), ("c.nb", true)] {
        let inspected = json(&folder.ok(&format!("inspect {model} --json")));
        let class = &inspected["classes"][0];
        assert!((class["prior"].as_f64().unwrap() - share).abs() < 1e-15, "{model}: {class}");
        assert_eq!(class["intercept"].is_f64(), has_intercept, "{model}: {class}");
        assert_eq!(folder.ok(&format!("inspect {model}")).contains("   intercept"), has_intercept);
        let explained = json(&folder.ok(&format!("explain {model} @pima --row 1 --json")));
        assert_eq!(
            (explained["intercept"].is_f64(), explained["prior"].is_f64()),
            (has_intercept, !has_intercept)
        );
        let first = if has_intercept { "(intercept)" } else { "(prior)" };
        assert!(folder.ok(&format!("explain {model} @pima --row 1")).contains(first), "{model}");
        if has_intercept {
            let classes = inspected["classes"].as_array().unwrap();
            let odds = classes[0]["intercept"].as_f64().unwrap() / classes[1]["intercept"].as_f64().unwrap();
            let of_row = explained["intercept"].as_f64().unwrap();
            assert!((odds.ln().abs() - of_row.abs()).abs() < 1e-9, "{odds} {of_row}");
        }
    }
}

#[test]
fn what_categories_tell_is_a_sum_over_the_table() {
    let folder = Folder::new();
    let rows = (0..40)
        .map(|row| format!("{},{},{}\n", ["x", "y"][row % 2], ["u", "v"][row / 2 % 2], ["p", "q"][row % 2]));
    let rows = format!("a,b,label\n{}", rows.collect::<String>());
    folder.write("t.csv", rows);
    // The column `a` repeats the label.
    folder.ok("train --plain t.csv --label label --categorical a --smoothing 1 -o m.nb --quiet");
    let found = json(&folder.ok("inspect m.nb --json"));
    let features = found["features"].as_array().unwrap();
    // p(x | p) = 21/22, p(x | q) = 1/22; b is the same in both classes and is not listed.
    let expected = 2_f64.ln() + 21.0 / 22.0 * (21.0_f64 / 22.0).ln() + 1.0 / 22.0 * (1.0_f64 / 22.0).ln();
    assert_eq!((features.len(), features[0]["feature"].as_str()), (1, Some("a")));
    assert!((features[0]["mutual_information"].as_f64().unwrap() - expected).abs() < 1e-14);
    assert!((found["class_entropy"].as_f64().unwrap() - 2_f64.ln()).abs() < 1e-15);
}

#[test]
fn features_are_ranked_by_effect_where_there_is_no_distribution() {
    let folder = Folder::new();
    folder.ok("train --plain @iris -o m.nb --quiet");
    let text = folder.ok("inspect m.nb --by effect --top 2");
    assert!(
        text.contains("petal_length_cm 145.13, petal_width_cm 77.01\n... and 2 more features;"),
        "{text}"
    );
    folder.ok("train --plain @iris --all complement -o c.nb --quiet");
    assert_eq!(json(&folder.ok("inspect c.nb --json"))["by"], "effect");
    let error = folder.fails(2, "inspect c.nb --by mutual-information");
    assert!(error.contains("--by effect"), "{error}");
}

/// Every family has a number, from 0 to the entropy of the classes.
#[test]
fn every_distribution_tells_something() {
    let folder = Folder::new();
    for family in ["gaussian", "shared-gaussian", "zero-inflated-gaussian", "multinomial", "bernoulli"] {
        folder.ok(&format!("train --plain @spam --all {family} -o m.nb --quiet"));
        let found = json(&folder.ok("inspect m.nb --top 57 --json"));
        let features = found["features"].as_array().unwrap();
        assert!(!features.is_empty(), "{family}");
        for line in features {
            let information = line["mutual_information"].as_f64().unwrap();
            assert!(information > 0.0 && information <= found["class_entropy"].as_f64().unwrap(), "{family}");
        }
    }
    for family in ["poisson", "negative-binomial"] {
        folder.ok(&format!("train --plain @counts_1e6 --all {family} -o m.nb --quiet"));
        assert!(
            !json(&folder.ok("inspect m.nb --json"))["features"].as_array().unwrap().is_empty(),
            "{family}"
        );
    }
}
