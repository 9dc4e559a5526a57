//! A disk without space: what was there stays.

#![cfg(target_os = "linux")]

use crate::folder::Folder;

/// Runs a script in a folder `small` that is its own disk, of 64 KiB. `None`, with a message, where that is
/// not allowed.
#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
fn on_small_disk(folder: &Folder, script: &str) -> Option<String> {
    let mount = "mount -t tmpfs -o size=64k tmpfs small";
    let run =
        folder.shell(&format!("mkdir -p small && unshare -m sh -c '{mount} && echo mounted; {script}' 2>&1"));
    let output = run.stdout.strip_prefix("mounted\n").map(String::from);
    if output.is_none() {
        eprintln!("skipped: a disk can only be mounted by the superuser: {}", run.stdout.trim());
    }
    output
}

#[test]
fn nothing_is_lost_on_a_full_disk() {
    let folder = Folder::new();
    let rows = "1.5,u,a\n2.5,v,a\n8.5,u,b\n9.5,w,b\n".repeat(4);
    folder.write("a.csv", format!("x,c,y\n{rows}"));
    folder.write("long.csv", format!("x,c,y\n{}", "1.5,u,a\n8.5,v,b\n".repeat(20_000)));
    folder.ok("train --plain a.csv --label y -o m.nb");
    folder.write("out.csv", "y\nold\n");
    for (arguments, output) in [
        ("update small/m.nb a.csv", "m.nb"),
        ("forget small/m.nb a.csv", "m.nb"),
        ("decay small/m.nb --factor 0.5", "m.nb"),
        ("merge small/m.nb m.nb -o small/m.nb", "m.nb"),
        ("train a.csv --label y -o small/m.nb", "m.nb"),
        ("predict m.nb long.csv --proba -o small/out.csv", "out.csv"),
        ("predict m.nb long.csv --proba -o small/out.parquet", "out.csv"),
        ("schema a.csv --label y -o small/out.csv", "out.csv"),
    ] {
        let script = format!(
            "cp {output} small; cat /dev/zero > small/fill 2> /dev/null; \"$NBAYES\" {arguments}; echo code $?; \
             cmp {output} small/{output} && echo same; ls -A small"
        );
        let Some(text) = on_small_disk(&folder, &script) else { return };
        assert!(text.contains("No space left on device"), "{arguments}: {text}");
        assert!(text.contains("\ncode 1\nsame\n"), "{arguments}: {text}");
        let mut left: Vec<&str> = text.lines().skip_while(|line| *line != "same").skip(1).collect();
        left.sort_unstable();
        assert_eq!(left, ["fill", output], "{arguments}");
    }
}
