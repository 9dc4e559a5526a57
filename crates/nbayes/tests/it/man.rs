//! Manual pages.

use crate::folder::Folder;

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new();
    let page = folder.ok("man");
    for part in [".TH nbayes 1", ".SH NAME", ".SH SUBCOMMANDS", "nbayes\\-train(1)"] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    for command in ["train", "predict", "import-stats", "completions", "man"] {
        let page = folder.ok(&format!("man {command}"));
        assert!(page.contains(&format!(".TH nbayes-{command} 1")), "{page}");
        assert!(page.contains(".SH SYNOPSIS") && page.contains("\\-\\-quiet"), "{page}");
    }
    let page = folder.ok("man predict");
    assert!(page.contains("\\-\\-keep") && page.contains("Examples:"), "{page}");
    let error = folder.fails(2, "man tran");
    assert!(error.starts_with("nbayes: there is no command \"tran\"; the commands are train, "), "{error}");
}
