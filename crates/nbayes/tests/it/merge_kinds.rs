//! Models whose sums can be added, and that answer otherwise.

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    let rows = |from: usize| {
        let row = |row: usize| {
            let (a, odd) = (row * 7 % 5, row % 9 == 2);
            format!("{a},{},{}\n", row * row % 3, ["no", "yes"][usize::from((a > 2) != odd)])
        };
        format!("a,b,y\n{}", (from..from + 60).map(row).collect::<String>())
    };
    folder.write("first.csv", rows(0));
    folder.write("second.csv", rows(60));
    folder
}

#[test]
fn families_of_the_same_sums_are_not_mixed_silently() {
    let folder = folder();
    for (one, other) in [("gaussian", "gaussian --shared-variance"), ("multinomial", "complement")] {
        folder.ok(&format!("train first.csv --label y --all {one} -o one.nb"));
        folder.ok(&format!("train second.csv --label y --all {other} -o other.nb"));
        for names in ["one.nb other.nb", "other.nb one.nb"] {
            let error = folder.fails(1, &format!("merge {names} -o both.nb"));
            assert!(error.contains("for column \"a\"") && error.contains("--like-first"), "{error}");
            assert!(!folder.path("both.nb").exists());
        }
        let run = folder.nbayes("merge one.nb other.nb --like-first -o both.nb");
        assert!(
            run.code == 0 && run.stderr.contains("the merged model has what one.nb has"),
            "{}",
            run.stderr
        );
        folder.ok(&format!("train first.csv second.csv --label y --all {one} --sums-only -o whole.nb"));
        assert_eq!(folder.ok("predict both.nb first.csv"), folder.ok("predict whole.nb first.csv"), "{one}");
        std::fs::remove_file(folder.path("both.nb")).unwrap();
    }
}

#[test]
fn a_calibrated_model_and_a_plain_one_are_not_mixed_silently() {
    let folder = folder();
    folder.ok("train first.csv --label y --all gaussian -o plain.nb");
    folder.ok("calibrate plain.nb second.csv -o calibrated.nb");
    for names in ["plain.nb calibrated.nb", "calibrated.nb plain.nb"] {
        let error = folder.fails(1, &format!("merge {names} -o both.nb"));
        assert!(error.contains("has a calibration") && error.contains("--like-first"), "{error}");
    }
    let run = folder.nbayes("merge plain.nb calibrated.nb --like-first -o both.nb");
    assert!(run.code == 0 && run.stderr.contains("the merged model has what plain.nb has"), "{}", run.stderr);
    folder.ok("merge plain.nb plain.nb -o twice.nb");
    assert!(!folder.ok("inspect both.nb --json").contains("weights_from_rows"));
}

#[test]
fn other_hyper_parameters_are_said() {
    let folder = folder();
    folder.ok("train first.csv --label y --all categorical -o one.nb");
    folder.ok("train second.csv --label y --all categorical --smoothing 0.5 --prior uniform -o other.nb");
    let run = folder.nbayes("merge one.nb other.nb -o both.nb");
    assert!(run.code == 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("differ in prior, smoothing; the merged model has what one.nb has"),
        "{}",
        run.stderr
    );
    assert!(!folder.nbayes("merge one.nb one.nb -o both.nb").stderr.contains("differ"));
}
