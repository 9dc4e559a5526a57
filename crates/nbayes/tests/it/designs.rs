//! Design files of comparisons, and what is said of comparisons that fail.

use crate::folder::Folder;

const PLAN: &str = "plan = { kind = \"cross-validation\", folds = 2, repeats = 1 }\n";

fn folder() -> Folder {
    let folder = Folder::new();
    let rows = (0..40).map(|row| format!("{},{}\n", row * 7 % 11, ["a", "b"][row % 2]));
    std::fs::create_dir(folder.path("there")).unwrap();
    folder.write("there/data.csv", format!("x,y\n{}", rows.collect::<String>()));
    folder
}

#[test]
fn files_are_looked_up_beside_the_design() {
    let folder = folder();
    let design = format!(
        "sets = [{{ file = \"data.csv\", label = \"y\" }}]\nvariants = [\"gaussian\", \"mdl\"]\n{PLAN}"
    );
    folder.write("there/design.toml", &design);
    let text = folder.ok("compare --design there/design.toml -o again.toml");
    assert!(text.contains("data.csv"), "{text}");
    assert_eq!(folder.ok("compare --design again.toml"), text);
    std::fs::create_dir(folder.path("elsewhere")).unwrap();
    folder.ok("compare --design again.toml -o elsewhere/design.toml");
    assert_eq!(folder.ok("compare --design elsewhere/design.toml"), text);
}

#[test]
fn unknown_keys_of_data_sets_are_named() {
    let folder = folder();
    for (set, part) in [
        ("{ file = \"there/data.csv\", lable = \"y\" }", "unknown field `lable`"),
        ("{ name = \"x\" }", "missing field `file`"),
        ("7", "the data set 7 is neither"),
    ] {
        folder.write("design.toml", format!("sets = [{set}]\nvariants = [\"gaussian\"]\n{PLAN}"));
        let error = folder.fails(1, "compare --design design.toml");
        assert!(error.contains(part) && !error.contains("untagged"), "{error}");
    }
}

#[test]
fn a_variant_that_fails_everywhere_is_an_error() {
    let folder = Folder::new();
    // Rows of one class are all equal, so that there is no variance.
    let rows = (0..40).map(|row| format!("{},{}\n", row % 2, ["a", "b"][row % 2]));
    folder.write("data.csv", format!("x,y\n{}", rows.collect::<String>()));
    let command = "compare data.csv --label y --numeric x --folds 2 --repeats 1 -v gaussian:numeric.floor=0,name=bare -v mdl";
    let run = folder.nbayes(command);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("bare failed on every data set"), "{}", run.stderr);
    assert!(run.stdout.contains("mdl"), "{}", run.stdout);
}

#[test]
fn results_of_another_version_are_refused_in_words() {
    let folder = folder();
    folder.write("old.jsonl", "{\"version\":\"0.0.1\"}\n");
    let error = folder.fails(1, "compare @iris -v gaussian --folds 2 --repeats 1 --results old.jsonl");
    assert!(
        error.contains("line 1 is no result of this version") && error.contains("remove this one"),
        "{error}"
    );
}

#[test]
fn numbers_beyond_measure_are_short() {
    let folder = folder();
    let error = folder.fails(1, "train there/data.csv --label y --categorical x --smoothing 1e300 -o m.nb");
    assert!(
        error.contains("smoothing is 1e300; it must be a finite number of at least 0, and below"),
        "{error}"
    );
    let rows = (0..40).map(|row| {
        let weight = if row == 7 { "2e-30" } else { "1" };
        format!("{},{weight},{}\n", row * 7 % 11, ["a", "b"][row % 2])
    });
    folder.write("weighted.csv", format!("x,w,y\n{}", rows.collect::<String>()));
    let text = folder.ok("train weighted.csv --label y --weights w --plain -o m.nb");
    assert!(text.contains("weighted.csv, row 8: the weight is 2e-30"), "{text}");
    let error = folder.fails(1, "train weighted.csv --label y --weights w -o r.nb");
    assert!(error.contains("a row has the weight 2e-30"), "{error}");
    folder.ok("decay m.nb --factor 1e-18 -o tiny.nb");
}
