//! LaTeX, set by pdflatex where it is installed.

use std::process::{Command, Stdio};

/// The head of a document of the class `article` with the packages that reports need.
const HEAD: &str =
    "\\documentclass{article}\n\\usepackage{array,booktabs,graphicx,longtable,tikz}\n\\begin{document}\n";

/// What does not fit the pages of a document that includes this, and links that lead nowhere. `None`, with a
/// message, if there is no pdflatex.
#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
pub(crate) fn complaints(latex: &str) -> Option<Vec<String>> {
    let runs = Command::new("pdflatex").arg("--version").stdout(Stdio::null()).status();
    if !runs.is_ok_and(|status| status.success()) {
        eprintln!(
            "skipped: no pdflatex; install the packages texlive-latex-recommended and texlive-pictures"
        );
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.tex"), format!("{HEAD}{latex}\\end{{document}}\n"))
        .expect("written");
    // Twice, as the numbers of links and the widths of long tables are known after the first time.
    for _ in 0..2 {
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", "a.tex"])
            .env("max_print_line", "1000")
            .current_dir(folder.path())
            .output()
            .expect("runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let log = std::fs::read(folder.path().join("a.log")).expect("a log");
    let complaints = ["Overfull \\hbox", "Float too large", "Reference"];
    let log = String::from_utf8_lossy(&log);
    let lines = log.lines().filter(|line| complaints.iter().any(|complaint| line.contains(complaint)));
    Some(lines.map(str::to_owned).collect())
}
