//! `--increasing` and `--decreasing`: columns whose effect is monotone.

use std::fmt::Write;

use crate::folder::Folder;

/// Loans that fail more often with more debt and with less income, and some that contradict.
fn loans() -> String {
    let noise = |number: usize| {
        let mut z = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)) >> 40) as f64 / f64::from(1 << 24)
    };
    let mut text = String::from("debt,income,children,town,failed\n");
    for row in 0..600 {
        let (debt, income) = (10.0 * noise(4 * row), 10.0 * noise(4 * row + 1));
        let is_odd = (3.0..4.0).contains(&debt);
        let fails = (debt - income + 6.0 * noise(4 * row + 2) - 3.0 > 0.0) != is_odd;
        let town = ["north", "south"][row % 2];
        writeln!(text, "{debt:.3},{income:.3},{},{town},{}", row % 4, ["no", "yes"][usize::from(fails)])
            .unwrap();
    }
    text
}

/// p(yes) of rows in which one column grows, for several values of the others.
fn is_monotone(folder: &Folder, model: &str, column: usize, rises: bool) -> bool {
    (0..3).all(|other| {
        let mut rows = String::from("debt,income,children,town\n");
        for step in 0..60 {
            let mut cells = [3.3 * f64::from(other), 9.0 - 3.3 * f64::from(other), f64::from(other)];
            cells[column] = f64::from(step) / 5.0 - 1.0;
            writeln!(rows, "{},{},{},north", cells[0], cells[1], cells[2]).unwrap();
        }
        folder.write("steps.csv", rows);
        let answers = folder.ok(&format!("predict {model} steps.csv --proba"));
        let place = answers.lines().next().unwrap().split(',').position(|name| name.contains("yes")).unwrap();
        let yes =
            answers.lines().skip(1).map(|line| line.split(',').nth(place).unwrap().parse::<f64>().unwrap());
        let yes: Vec<f64> = yes.collect();
        yes.windows(2).all(|pair| if rises { pair[0] <= pair[1] + 1e-12 } else { pair[0] >= pair[1] - 1e-12 })
    })
}

#[test]
fn probabilities_are_monotone_and_stay_so() {
    let folder = Folder::new();
    folder.write("loans.csv", loans());
    folder.ok("train loans.csv --label failed -o free.nb");
    assert!(!is_monotone(&folder, "free.nb", 0, true));
    let text =
        folder.ok("train loans.csv --label failed --increasing debt --decreasing income,children -o m.nb");
    assert!(text.contains("p(yes) never falls") && text.contains("p(yes) never rises"), "{text}");
    let same =
        "train loans.csv --label failed --decreasing debt --increasing income,#3 --positive no -o same.nb";
    folder.ok(same);
    assert_eq!(folder.read("m.nb"), folder.read("same.nb"));
    // Weights and corrections that are learnt again have the promise of the model, and so has a model with
    // other rows.
    folder.ok("refit m.nb loans.csv -o refitted.nb --force");
    folder.ok("update m.nb loans.csv -o updated.nb");
    folder.ok("calibrate m.nb loans.csv -o calibrated.nb --force");
    for model in ["m.nb", "refitted.nb", "updated.nb", "calibrated.nb"] {
        assert!(is_monotone(&folder, model, 0, true), "{model}");
        assert!(is_monotone(&folder, model, 1, false) && is_monotone(&folder, model, 2, false), "{model}");
    }
}

#[test]
fn trends_that_cannot_be_had_are_refused() {
    let folder = Folder::new();
    folder.write("loans.csv", loans());
    folder.write("three.csv", loans().replacen("north,no", "north,maybe", 40));
    for (options, message) in [
        ("loans.csv --increasing dept", "column \"dept\" not found"),
        (
            "loans.csv --increasing town --categorical town",
            "\"town\" cannot be monotone, as it is no column of numbers",
        ),
        ("loans.csv --increasing debt --decreasing deb*", "both --increasing and --decreasing"),
        (
            "loans.csv --increasing debt --positive maybe",
            "\"maybe\" (--positive) is not one of the classes \"no\"",
        ),
        ("loans.csv --positive yes", "neither is given"),
        ("loans.csv --increasing debt --fast", "weights alone are learnt"),
        ("loans.csv --increasing debt --plain", "a plain model was chosen"),
        ("loans.csv --increasing debt --kernel income", "has none"),
        ("three.csv --increasing debt", "two classes, and there are 3"),
    ] {
        let run = folder.nbayes(&format!("train {options} --label failed -o m.nb"));
        let error = run.stderr;
        assert_ne!(run.code, 0, "{options}");
        assert!(error.contains(message), "{options}: {error}");
        assert!(!folder.path("m.nb").exists());
    }
}
