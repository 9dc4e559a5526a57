//! `--group`: rows that belong together are held out together.

use std::fmt::Write;

use crate::folder::Folder;

/// 40 patients of 12 visits each; three numbers tell patients apart, and the label is that of the patient.
fn visits() -> String {
    let noise = |number: usize| {
        let mut z = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)) >> 40) as f64 / f64::from(1 << 24)
    };
    let mut text = String::from("patient,a,b,c,state\n");
    for row in 0..480 {
        let patient = row / 12;
        let cell = |column: usize| 20.0 * noise(patient * 3 + column) + noise(1000 + row * 3 + column);
        let state = ["sick", "well"][usize::from(noise(patient + 9000) < 0.5)];
        writeln!(text, "p{patient},{:.4},{:.4},{:.4},{state}", cell(0), cell(1), cell(2)).unwrap();
    }
    text
}

#[test]
fn measures_are_those_of_new_patients() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    let loss = |options: &str| -> f64 {
        let text = folder.ok(&format!("train visits.csv --label state {options} -o m.nb --json"));
        let trained: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(trained["columns"].as_array().unwrap().len(), 3, "{text}");
        trained["held_out"]["log_loss"].as_f64().unwrap()
    };
    let (apart, whole) = (loss("--ignore patient"), loss("--group patient"));
    assert!(apart + 0.05 < whole && whole <= std::f64::consts::LN_2 + 1e-9, "{apart} {whole}");
    let tested = folder.ok("train visits.csv --label state --group patient --test-fraction 0.2 -o t.nb");
    assert!(tested.contains("(--test-fraction 0.2, whole groups of \"patient\", seed 0)"), "{tested}");
    folder.ok("refit m.nb visits.csv --group patient -o r.nb --force");
    let error = folder.fails(1, "calibrate m.nb visits.csv --group nothing -o c.nb");
    assert!(error.contains("\"nothing\" not found"), "{error}");
}

#[test]
fn what_is_no_column_of_groups_is_refused() {
    let folder = Folder::new();
    let with_one = visits()
        .lines()
        .enumerate()
        .fold(String::new(), |text, (row, line)| text + line + if row == 0 { ",all\n" } else { ",one\n" });
    folder.write("visits.csv", with_one);
    for (options, message) in [
        ("--group state", "column \"state\", named by --group, is the label column"),
        ("--group a --weights a", "column \"a\", named by --group, is the column of row weights"),
        ("--group a --gaussian a", "column \"a\", named by --group, is also named by --gaussian"),
    ] {
        let error = folder.fails(2, &format!("train visits.csv --label state {options} -o m.nb"));
        assert!(error.contains(message), "{options}: {error}");
    }
    for (options, message) in
        [("--group nothing", "\"nothing\" not found"), ("--group all", "all rows are of one group")]
    {
        let error = folder.fails(1, &format!("train visits.csv --label state {options} -o m.nb"));
        assert!(error.contains(message), "{options}: {error}");
    }
    let plain = folder.ok("train visits.csv --label state --group all --plain -o m.nb");
    assert!(plain.contains("no rows were held out: there are too few groups"), "{plain}");
}
