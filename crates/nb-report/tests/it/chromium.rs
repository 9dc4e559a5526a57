//! Opening pages in Chromium, where it is installed.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// What `NB_CHROMIUM` names, or a browser on the path. `None`, with a message, if there is none; where
/// `NB_CHROMIUM` is set, it must run.
#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
pub(crate) fn chromium() -> Option<PathBuf> {
    let runs = |program: &Path| {
        let output = Command::new(program).arg("--version").stderr(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    };
    if let Some(named) = std::env::var_os("NB_CHROMIUM").map(PathBuf::from) {
        assert!(runs(&named), "NB_CHROMIUM is set but {} does not run", named.display());
        return Some(named);
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = names.into_iter().map(PathBuf::from).find(|name| runs(name));
    if found.is_none() {
        eprintln!("skipped: no Chromium; install the package chromium, or set NB_CHROMIUM to a browser");
    }
    found
}

/// What a page became in the browser, and what the browser said about it.
pub(crate) struct Opened {
    pub(crate) dom: String,
    pub(crate) console: Vec<String>,
}

/// Opens a page whose script ends by writing results. On a busy machine the browser may write the page down
/// before the script is at its end; it is then opened again.
pub(crate) fn open_with_results(program: &Path, page: &str, size: (u32, u32)) -> Opened {
    let mut opened = open(program, page, size);
    for _ in 0..4 {
        if opened.dom.contains("<pre id=\"results\">") {
            break;
        }
        opened = open(program, page, size);
    }
    opened
}

/// Opens a page in a window of this size, without a profile and without services that would use the network.
pub(crate) fn open(program: &Path, page: &str, size: (u32, u32)) -> Opened {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    let (dom, log) = (folder.path().join("dom"), folder.path().join("log"));
    std::fs::write(&file, page).expect("a page");
    let mut child = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--dump-dom", "--virtual-time-budget=20000", "--enable-logging=stderr"])
        .arg(format!("--window-size={},{}", size.0, size.1))
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(&file)
        .stdout(std::fs::File::create(&dom).expect("a file"))
        .stderr(std::fs::File::create(&log).expect("a file"))
        .spawn()
        .expect("the browser starts");
    let started = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if started.elapsed() > Duration::from_secs(120) {
            child.kill().expect("a child that can be stopped");
            panic!("the browser did not end: {}", std::fs::read_to_string(&log).unwrap_or_default());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let read = |path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    let console = read(&log).lines().filter(|line| line.contains("CONSOLE")).map(String::from).collect();
    Opened { dom: read(&dom), console }
}
