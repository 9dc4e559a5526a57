//! What a program in a pipeline does.

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
};

use crate::folder::Folder;

fn nbayes() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin("nbayes"))
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    folder.ok("train --plain @letter");
    let mut child = nbayes()
        .args(["predict", "letter.nb", "@letter", "--proba"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut start = [0; 6];
    stdout.read_exact(&mut start).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn completions_know_the_subcommands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(folder.ok(&format!("completions {shell}")).contains("evaluate"));
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_names_of_columns() {
    let folder = Folder::new();
    folder.write("t.csv", "plain,\"a,b\",$(touch pwned),y\n1,2,3,u\n2,3,4,v\n");
    folder.write(
        "complete.sh",
        "source <(\"$NBAYES\" completions bash)\n\
         COMP_WORDS=(\"$NBAYES\" \"$@\"); COMP_CWORD=$#; COMP_LINE=\"nbayes $*\"; COMP_POINT=${#COMP_LINE}\n\
         _nbayes_columns nbayes \"${@: -1}\" \"${@: -2:1}\"\n\
         printf '%s\\n' \"${COMPREPLY[@]}\"\n",
    );
    let completed = |words: &str| -> String {
        let run = folder.shell(&format!("bash complete.sh {words}"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.stdout
    };
    let all = completed("train --plain t.csv --label ''");
    assert_eq!(all, "plain\n\\\"a\\,b\\\"\n\\$\\(touch\\ pwned\\)\ny\n");
    assert_eq!(completed("train --plain t.csv --label p"), "plain\n");
    assert_eq!(completed("train --plain t.csv --ignore plain,y"), "plain,y\n");
    folder.ok("train --plain t.csv --label y --gaussian plain -o m.nb");
    assert_eq!(completed("inspect m.nb --feature pl"), "plain\n");
    assert!(!folder.path("pwned").exists());
}

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    for command in [
        "train", "predict", "evaluate", "explain", "inspect", "update", "forget", "merge", "decay", "refit",
        "sample", "monitor",
    ] {
        assert!(folder.ok(&format!("{command} --help")).contains("Examples:"), "{command}");
    }
}

#[test]
fn quiet_is_quiet_and_pipes_have_no_bars() {
    let folder = Folder::new();
    let run = folder.nbayes("train --plain @adult -o a.nb");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(!run.stdout.contains('\x1B'));
}

/// A file of 300 MB in 211 MB of memory beside the code of the program, which is mapped into it as well.
#[cfg(target_os = "linux")]
#[test]
fn a_file_larger_than_memory() {
    let folder = Folder::new();
    // Many digits make a large file of fewer rows.
    let row = |numbers: [f64; 4], class: &str| {
        let cells = numbers.map(|number| format!("{number:.60}"));
        format!("{},{class}\n", cells.join(","))
    };
    let rows = [
        row([1.25, 3.5, -7.125, 1e3], "a"),
        row([2.75, 4.5, -6.5, 2e3], "b"),
        row([3.5, 1.25, 9.0, 3e3], "b"),
    ];
    let rows = rows.concat();
    let mut file = std::io::BufWriter::new(std::fs::File::create(folder.path("large.csv")).unwrap());
    file.write_all(b"p,q,r,s,y\n").unwrap();
    let (block, n_blocks) = (rows.repeat(10_000), 41);
    for _ in 0..n_blocks {
        file.write_all(block.as_bytes()).unwrap();
    }
    file.into_inner().unwrap();
    let size = folder.path("large.csv").metadata().unwrap().len();
    assert!(size > 300 << 20, "{size}");
    let limited = |arguments: &str| {
        let program = assert_cmd::cargo::cargo_bin("nbayes");
        let kilobytes = 216_000 + program.metadata().unwrap().len() / 1024;
        // Each thread would reserve 64 MB of addresses for its own arena, whether or not it has use for them.
        let script =
            format!("ulimit -v {kilobytes}; MALLOC_ARENA_MAX=1 exec {} {arguments}", program.display());
        let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for plain in ["", "--plain"] {
        let text = limited(&format!("train {plain} large.csv --label y -o m.nb"));
        assert!(text.contains("1230000 rows, 4 columns, 2 classes: a (410000), b (820000)"), "{text}");
    }
}

#[test]
fn what_was_meant_is_guessed() {
    let folder = Folder::new();
    folder.write("flowers.csv", "length,width,kind\n1,2,a\n2,3,b\n3,1,a\n4,1,b\n");
    for (command, hint) in [
        ("flowers.csv", "`nbayes profile flowers.csv` says what its columns hold"),
        ("@iris", "`nbayes train @iris` makes a model of it"),
        ("fit flowers.csv", "the command is `nbayes train`"),
        ("test m.nb flowers.csv", "the command is `nbayes evaluate`"),
        ("train flowers.csv --target kind", "named by --label COLUMN (-l)"),
        ("train flowers.csv kind -o m.nb", "if it is the label column of flowers.csv, write --label kind"),
        ("predict flowers.csv m.nb", "the model is the first file, and \"flowers.csv\" is a table"),
        ("plot @iris", "`nbayes train @iris -o iris.nb` makes a model of it"),
        ("train flowers.csv -l *th", "2 columns match --label \"*th\": \"length\", \"width\""),
    ] {
        let error = folder.fails(2, command);
        assert!(error.contains(hint), "{command}: {error}");
    }
    folder.ok("train flowers.csv -l kind -o m.nb");
    for label in ["#3", "k*", "/^k.nd$/"] {
        folder.ok(&format!("train flowers.csv -l {label} -o n.nb"));
        assert_eq!(folder.read("n.nb"), folder.read("m.nb"), "{label}");
    }
    // The column of a table without names.
    folder.write("numbers.csv", "1,2,7\n2,3,8\n3,1,7\n4,1,8\n");
    assert!(folder.ok("train numbers.csv -l #3 -o p.nb").contains("2 classes: 7 (2), 8 (2)"));
    folder.ok("train flowers.csv -l kind --plain -o plain.nb");
    folder.ok("plot plain.nb -f length,width -o both.svg");
    assert!(folder.fails(2, "plot plain.nb -f length,length -o both.svg").contains("given twice"));
}
