//! The page in Chromium, with a script that uses it as people do.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};

const LIMIT: Duration = Duration::from_secs(150);

/// What `NB_CHROMIUM` names, or a browser on the path.
fn chromium() -> Option<PathBuf> {
    let runs = |program: &Path| {
        let output = Command::new(program).arg("--version").stderr(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    };
    if let Some(named) = std::env::var_os("NB_CHROMIUM").map(PathBuf::from) {
        assert!(runs(&named), "NB_CHROMIUM is set but {} does not run", named.display());
        return Some(named);
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.into_iter().map(PathBuf::from).find(|name| runs(name))
}

/// The page that `NB_PLAYGROUND` names, or that `cargo xtask playground` has made.
fn page() -> Option<String> {
    if let Some(named) = std::env::var_os("NB_PLAYGROUND") {
        return Some(fs::read_to_string(named).expect("NB_PLAYGROUND names a page"));
    }
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/playground/index.html");
    fs::read_to_string(made).ok()
}

/// What the script and the browser said.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Values by the names that the script gave.
    pub(crate) values: Vec<(String, serde_json::Value)>,
    /// Every other line of the console.
    pub(crate) console: Vec<String>,
}

/// A browser that ends with the test.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Opens the page with a script behind its own, until the script has said that it is at its end. `None`, with
/// a message, if there is no browser or no page.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn open(script: &str, hash: &str, size: (u32, u32)) -> Option<Said> {
    let (Some(program), Some(page)) = (chromium(), page()) else {
        eprintln!(
            "skipped: no Chromium (NB_CHROMIUM names one) or no page (`cargo xtask playground` makes it)"
        );
        return None;
    };
    let digest = nb_datasets::sha256_hex(script.as_bytes());
    let byte = |place: usize| u8::from_str_radix(&digest[place..place + 2], 16).expect("hexadecimal");
    let digest = BASE64_STANDARD.encode((0..digest.len()).step_by(2).map(byte).collect::<Vec<u8>>());
    // The policy of the page holds for the script, too, which is allowed by its hash.
    let page = page.replacen("script-src 'sha256-", &format!("script-src 'sha256-{digest}' 'sha256-"), 1);
    let page = page.replacen("</body>", &format!("<script type=\"module\">{script}</script></body>"), 1);
    let folder = tempfile::tempdir().expect("a folder");
    let (file, log) = (folder.path().join("page.html"), folder.path().join("log"));
    fs::write(&file, page).expect("a page");
    let mut browser = Browser(
        Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--enable-logging=stderr",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-port=0", "--enable-precise-memory-info", "--js-flags=--expose-gc"])
            .arg(format!("--window-size={},{}", size.0, size.1))
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("file://{}{hash}", file.display()))
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log).expect("a file"))
            .spawn()
            .expect("the browser starts"),
    );
    let started = Instant::now();
    loop {
        let text = String::from_utf8_lossy(&fs::read(&log).expect("a file")).into_owned();
        let said = said(&text);
        if said.values.iter().any(|(name, _)| name == "end") {
            return Some(said);
        }
        let has_ended = browser.0.try_wait().expect("a child").is_some();
        assert!(!has_ended && started.elapsed() < LIMIT, "the script did not come to its end:\n{text}");
        sleep(Duration::from_millis(100));
    }
}

/// Lines such as `[...:INFO:CONSOLE:12] "said name %7B%7D", source: ... (1)`.
fn said(log: &str) -> Said {
    let mut said = Said::default();
    for line in log.lines().filter(|line| line.contains("CONSOLE")) {
        let words = line.split_once("\"said ").and_then(|(_, rest)| rest.split_once('"'));
        let value = words.and_then(|(words, _)| {
            let (name, value) = words.rsplit_once(' ')?;
            Some((name.to_owned(), serde_json::from_str(&decoded(value)).ok()?))
        });
        match value {
            Some(value) => said.values.push(value),
            None => said.console.push(line.to_owned()),
        }
    }
    said
}

/// What `encodeURIComponent` has written.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, others @ ..] = rest {
        let code = others.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &others[2..] } else { others };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Said {
    /// The value of this name.
    pub(crate) fn value(&self, name: &str) -> &serde_json::Value {
        let found = self.values.iter().find(|(own, _)| own == name);
        &found.unwrap_or_else(|| panic!("the script did not say {name:?}: {self:?}")).1
    }
}
