//! Rows that cannot be read.

use crate::folder::Folder;

const GOOD: &str = "x,colour,y\n1,red,a\n2,blue,b\n3,red,a\n5,blue,b\n4,red,b\n";
const BAD: &str = "x,colour,y\n1,red,a\n7,green\n2,blue,b\n\"3,red,a\n3,red,a\n1e999,violet,c\n5,blue,b\n4,red,b\n6,blue,b,b\n";

#[test]
fn they_are_left_out_in_all_commands_alike() {
    let folder = Folder::new();
    folder.write("good.csv", GOOD);
    folder.write("bad.csv", BAD);
    let skip = "--bad-rows skip";
    let error = folder.fails(1, "train bad.csv --label y");
    assert!(error.contains("bad.csv, line 3: 2 fields where the first line has 3"), "{error}");
    assert!(error.contains("`--bad-rows skip` leaves such rows out"), "{error}");
    let note = "bad.csv: 4 of 9 rows are skipped: line 3: 2 fields where the first line has 3; line 5: a quote is opened here \
                and never closed; line 7: column \"x\": \"1e999\" is infinite or beyond the largest double; ...";
    let run = folder.nbayes(&format!("train bad.csv --label y -o bad.nb {skip}"));
    assert_eq!(run.stderr.matches(note).count(), 1, "{}", run.stderr);
    folder.ok("train good.csv --label y -o good.nb");
    assert_eq!(folder.read("bad.nb"), folder.read("good.nb"));
    for command in
        ["evaluate good.nb FILE", "importance good.nb FILE", "monitor good.nb FILE", "profile FILE --label y"]
    {
        let bad = folder.nbayes(&format!("{} {skip}", command.replace("FILE", "bad.csv")));
        let good = folder.nbayes(&command.replace("FILE", "good.csv"));
        assert_eq!(bad.stdout.replace("bad.csv", "good.csv"), good.stdout, "{command}");
        assert!(bad.stderr.contains(note), "{command}: {}", bad.stderr);
        assert!(folder.nbayes(&command.replace("FILE", "bad.csv")).stderr.contains("line 3"), "{command}");
    }
    folder.ok("train good.csv --label y -o plain.nb --plain");
    for (command, changed) in [("update", "more"), ("forget", "less")] {
        folder.ok(&format!("{command} plain.nb bad.csv -o {changed}.nb {skip}"));
        folder.ok(&format!("{command} plain.nb good.csv -o same.nb"));
        assert_eq!(folder.read(&format!("{changed}.nb")), folder.read("same.nb"), "{command}");
    }
    for (command, note) in
        [("report good.nb bad.csv -o bad.html", note), ("compare bad.csv --label y --folds 2", "4 of 9 rows")]
    {
        let run = folder.nbayes(&format!("{command} {skip}"));
        assert!(run.stderr.contains(note), "{command}: {}", run.stderr);
        assert!(folder.nbayes(command).stderr.contains("line 3: 2 fields"), "{command}");
    }
    // A refined model.
    let rows = |bad: &str| {
        format!("x,colour,y\n{}", format!("1,red,a\n{bad}2,blue,b\n3,red,a\n2,red,b\n").repeat(12))
    };
    folder.write("good12.csv", rows(""));
    folder.write("bad12.csv", rows("7,green\n"));
    folder.ok("train good12.csv --label y -o refined.nb");
    folder.ok("refit refined.nb good12.csv -o same.nb");
    folder.ok(&format!("refit refined.nb bad12.csv -o again.nb {skip}"));
    assert_eq!(folder.read("again.nb"), folder.read("same.nb"));
    let json = folder.ok(&format!("evaluate good.nb bad.csv {skip} --json"));
    assert!(json.contains("\"skipped_rows\": 4"), "{json}");
    assert!(!folder.ok("evaluate good.nb good.csv --json").contains("skipped_rows"));
}

#[test]
fn predictions_stay_beside_their_rows() {
    let folder = Folder::new();
    folder.write("good.csv", GOOD);
    folder.write("bad.csv", BAD);
    folder.ok("train good.csv --label y -o good.nb");
    let good = folder.ok("predict good.nb good.csv --proba --id colour");
    let bad = folder.ok("predict good.nb bad.csv --proba --id colour --bad-rows skip");
    let empty = ",,,";
    let mut lines: Vec<&str> = good.lines().collect();
    for place in [2, 4, 6, 9] {
        lines.insert(place, empty);
    }
    assert_eq!(bad.lines().collect::<Vec<_>>(), lines);
    folder.write("bad.jsonl", "none\n{\"x\": 1, \"colour\": \"red\"}\n[\n{\"x\": {}}\n");
    let answers = folder.ok("predict good.nb bad.jsonl --bad-rows skip");
    assert_eq!(answers.lines().collect::<Vec<_>>()[..2], ["predicted_y", "\"\""]);
    assert_eq!(answers.lines().count(), 5, "{answers}");
    assert_eq!(answers.lines().filter(|line| *line == "\"\"").count(), 3);
}

#[test]
fn most_of_the_first_rows_point_to_the_delimiter() {
    let folder = Folder::new();
    folder.write("good.csv", GOOD);
    folder.ok("train good.csv --label y -o good.nb");
    folder.write("title.csv", "x,colour,y\n1;red;a\n2;blue;b\n3,red,a\n4;red;b\n");
    let run = folder.nbayes("evaluate good.nb title.csv --delimiter , --bad-rows skip");
    assert!(
        run.stderr.contains("most of the first rows") && run.stderr.contains("--delimiter"),
        "{}",
        run.stderr
    );
    folder.write("none.csv", "x,colour,y\n1;red;a\n");
    let error = folder.fails(1, "train none.csv --label y --delimiter , --bad-rows skip");
    assert!(error.contains("none.csv, line 2: 1 field where"), "{error}");
}
