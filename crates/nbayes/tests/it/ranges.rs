//! Numbers that training did not have.

use std::fmt::Write;

use crate::folder::Folder;

/// Weights in grams times `scale`, and a number that is 0 or 1 times `factor`.
fn rows(n_rows: usize, scale: f64, factor: usize) -> String {
    let mut text = String::from("mass,length,has_spots,species\n");
    for row in 0..n_rows {
        let noise = (row * 37 % 101) as f64;
        let (name, mass) = [("a", 3700.0), ("b", 5000.0)][row % 2];
        let (mass, spots) = ((mass + 10.0 * noise) * scale, row * 7 % 3 % 2 * factor);
        writeln!(text, "{mass},{},{spots},{name}", 180.0 + (row * 53 % 97) as f64).unwrap();
    }
    text
}

#[test]
fn numbers_beyond_those_of_training_are_counted_and_named() {
    let folder = Folder::new();
    folder.write("rows.csv", rows(300, 1.0, 1));
    folder.write("same.csv", rows(90, 1.0, 1));
    folder.write("kilograms.csv", rows(100, 0.001, 1));
    folder.write("twos.csv", rows(100, 1.0, 2));
    for options in ["", "--plain", "--gaussian has_spots --plain"] {
        folder.ok(&format!("train rows.csv --label species -o model.nb {options}"));
        for (command, file, said) in [
            ("evaluate", "kilograms.csv", true),
            ("predict", "kilograms.csv", true),
            ("update", "kilograms.csv", true),
            ("importance", "kilograms.csv", true),
            ("evaluate", "same.csv", false),
            ("predict", "same.csv", false),
        ] {
            let output = if command == "update" { "-o more.nb" } else { "" };
            let run = folder.nbayes(&format!("{command} model.nb {file} {output}"));
            assert_eq!(run.code, 0, "{}", run.stderr);
            let note = "column \"mass\": 100 of 100 numbers are beyond those of training, 3700 to 6000: from 3.7 to 5.97";
            assert_eq!(run.stderr.contains(note), said, "{command} {options}: {}", run.stderr);
            assert_eq!(run.stderr.contains("column"), said, "{command} {options}: {}", run.stderr);
        }
        let run = folder.nbayes("evaluate model.nb twos.csv");
        assert!(run.stderr.contains("column \"has_spots\": 33 "), "{options}: {}", run.stderr);
        let explained = folder.ok("explain model.nb kilograms.csv --row 1");
        assert!(explained.contains("3.7 (beyond 3700 to 6000 of training)"), "{explained}");
        // Rows that are added and taken out again leave no trace in them.
        folder.ok("update model.nb kilograms.csv -o more.nb");
        folder.ok("forget more.nb kilograms.csv");
        assert_eq!(folder.read("more.nb"), folder.read("model.nb"), "{options}");
    }
    // The sums alone are no record of rows.
    folder.ok("train rows.csv --label species -o model.nb --sums-only");
    assert_eq!(folder.nbayes("evaluate model.nb same.csv").stderr, "");
}

#[test]
fn rows_with_texts_have_ranges_too() {
    let folder = Folder::new();
    let with_texts = |rows: String| {
        let mut lines = rows.lines().enumerate();
        let (_, header) = lines.next().unwrap();
        let words = ["small and red", "large, with a tail", "red tail", "small tail"];
        lines.fold(format!("notes,{header}\n"), |text, (number, line)| {
            text + &format!("\"{} {}\",{line}\n", words[number % 4], words[number % 3])
        })
    };
    folder.write("rows.csv", with_texts(rows(300, 1.0, 1)));
    folder.write("kilograms.csv", with_texts(rows(60, 0.001, 1)));
    folder.ok("train rows.csv --label species --text notes -o model.nb");
    let run = folder.nbayes("evaluate model.nb kilograms.csv");
    assert!(run.stderr.contains("column \"mass\": 60 of 60 numbers are beyond"), "{}", run.stderr);
}
