//! Outputs that are inputs are refused, by any name, before anything is written.

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "x,c,y\n1,u,a\n2,v,a\n8,u,b\n9,v,b\n");
    folder.write("a.toml", "label = \"y\"\n");
    folder.write("stop.txt", "u\n");
    folder.ok("train a.csv --label y -o m.nb");
    folder
}

#[test]
fn no_command_overwrites_what_it_reads() {
    let folder = folder();
    let names = folder.names();
    let before: Vec<Vec<u8>> = names.iter().map(|name| folder.read(name)).collect();
    folder.write("stats.csv", "");
    for (arguments, file) in [
        ("train a.csv --label y -o a.csv", "a.csv"),
        ("train a.csv --schema a.toml -o a.toml", "a.toml"),
        ("train a.csv --label y --text c --stop-words stop.txt -o stop.txt", "stop.txt"),
        ("schema a.csv --label y -o a.csv", "a.csv"),
        ("predict m.nb a.csv -o a.csv", "a.csv"),
        ("predict m.nb a.csv -o ./a.csv", "./a.csv"),
        ("predict m.nb a.csv -o m.nb", "m.nb"),
        ("update m.nb a.csv -o a.csv", "a.csv"),
        ("forget m.nb a.csv -o a.csv", "a.csv"),
        ("sample m.nb -o m.nb", "m.nb"),
        ("convert m.nb m.nb --to json", "m.nb"),
        ("plot m.nb a.csv --feature x -o a.csv", ".svg"),
        ("import-stats stats.csv --schema a.toml -o stats.csv", "stats.csv"),
        ("import-stats stats.csv --schema a.toml -o a.toml", "a.toml"),
        ("compare a.csv --label y -v gaussian -o a.csv", "a.csv"),
        ("compare a.csv --label y -v gaussian --results a.csv", "a.csv"),
    ] {
        let error = folder.fails(2, arguments);
        assert!(error.contains(file), "{arguments}: {error}");
    }
    for (name, before) in names.iter().zip(before) {
        assert_eq!(folder.read(name), before, "{name}");
    }
}

#[test]
fn models_may_be_their_own_outputs() {
    let folder = folder();
    folder.ok("update m.nb a.csv -o m.nb");
    folder.ok("merge m.nb m.nb -o m.nb");
    folder.ok("decay m.nb --factor 0.5 -o m.nb");
    assert!(folder.ok("inspect m.nb").contains("8 rows"));
}

#[cfg(unix)]
#[test]
fn links_and_streams_are_seen_through() {
    let folder = folder();
    let before = folder.read("a.csv");
    std::os::unix::fs::symlink("a.csv", folder.path("link.csv")).unwrap();
    std::fs::hard_link(folder.path("a.csv"), folder.path("hard.csv")).unwrap();
    for arguments in [
        "predict m.nb a.csv -o link.csv",
        "predict m.nb link.csv -o a.csv",
        "predict m.nb hard.csv -o link.csv",
        "train hard.csv --label y -o a.csv",
    ] {
        assert!(folder.fails(2, arguments).contains("same file"), "{arguments}");
    }
    for script in [
        "$NBAYES predict m.nb - -o a.csv < a.csv",
        "$NBAYES predict m.nb /dev/stdin -o a.csv < a.csv",
        "$NBAYES predict m.nb a.csv >> a.csv",
        "$NBAYES schema a.csv --label y >> a.csv",
    ] {
        let run = folder.shell(script);
        assert_eq!(run.code, 2, "{script}: {}", run.stderr);
    }
    assert_eq!(folder.read("a.csv"), before);
}
