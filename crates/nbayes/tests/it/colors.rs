//! Colours appear where a terminal or an option requests them, and never in output for programs.

use crate::folder::Folder;

const ESCAPE: char = '\u{1b}';

#[test]
fn colours_are_a_choice() {
    let folder = Folder::new();
    folder.ok("train --plain @iris -o m.nb --quiet");
    let plain = folder.ok("inspect m.nb");
    assert!(!plain.contains(ESCAPE));
    let colored = folder.ok("inspect m.nb --color always");
    assert!(colored.contains("\u{1b}[1m family     columns   hyper-parameters\u{1b}[0m\n"), "{colored:?}");
    assert_eq!(colored.replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""), plain);
    for (variable, options, is_colored) in [
        (("CLICOLOR_FORCE", "1"), "", true),
        (("CLICOLOR_FORCE", "1"), "--color never", false),
        (("CLICOLOR_FORCE", "1"), "--json", false),
        (("NO_COLOR", "1"), "", false),
        (("NO_COLOR", "1"), "--color always", true),
        (("NO_COLOR", "1"), "--color auto", false),
    ] {
        let run = folder.nbayes_where(variable, &format!("inspect m.nb {options}"));
        assert_eq!((run.code, run.stdout.contains(ESCAPE)), (0, is_colored), "{variable:?} {options}");
    }
    let forced = |arguments: &str| folder.nbayes_where(("CLICOLOR_FORCE", "1"), arguments);
    for arguments in ["predict m.nb @iris", "sample m.nb -n 3", "schema @iris", "convert m.nb m.json --json"]
    {
        assert!(!forced(arguments).stdout.contains(ESCAPE), "{arguments}");
    }
}

#[test]
fn errors_and_notes_have_their_colours() {
    let folder = Folder::new();
    let error = folder.fails(1, "inspect none.nb --color always");
    assert!(error.starts_with("\u{1b}[1;31mnbayes:\u{1b}[0m the model none.nb"), "{error:?}");
    assert!(!folder.fails(1, "inspect none.nb --color always --json").contains(ESCAPE));
    // Errors about the command line are made elsewhere.
    assert!(folder.fails(2, "inspekt --color always").contains(ESCAPE));
    assert!(!folder.nbayes_where(("CLICOLOR_FORCE", "1"), "inspekt --color never").stderr.contains(ESCAPE));
    assert!(folder.fails(2, "inspect --color blue").contains("never"));
    folder.write("a.csv", "x;label\n1,5;a\n2,5;a\n7,5;b\n8,5;b\n");
    let run = folder.nbayes("train --plain a.csv --label label --color always");
    assert!(run.stderr.starts_with("\u{1b}[33m") && run.stderr.ends_with("\u{1b}[0m\n"), "{:?}", run.stderr);
}
