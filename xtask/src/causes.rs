//! The rule for errors: a cause is in the message or in `source()`, never in both, or a program that prints
//! the chain of causes says the same thing twice. `thiserror` makes a field a source if it is called `source`
//! or marked `#[source]` or `#[from]`; this test looks for messages that quote such a field.

use std::{fs, path::Path};

/// The files of a folder and those below it that are Rust.
fn rust_files(folder: &Path, visit: &mut impl FnMut(&Path, &str)) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            rust_files(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(&path, &fs::read_to_string(&path).expect("UTF-8"));
        }
    }
}

/// What is between the bracket at the start of a text and the one that closes it.
fn bracketed(text: &str) -> &str {
    let mut depth = 0;
    for (place, letter) in text.char_indices() {
        match letter {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..place];
        }
    }
    text
}

/// The name by which a message can quote the source of a variant, whose fields are these.
fn source_of(fields: &str) -> Option<&str> {
    let marked = ["#[source]", "#[from]"].iter().find_map(|mark| fields.split_once(mark));
    if fields.starts_with('(') {
        return marked.map(|_| "0");
    }
    let named = marked.and_then(|(_, rest)| rest.trim_start().trim_start_matches("pub ").split_once(':'));
    named.map(|(name, _)| name).or_else(|| fields.contains(" source:").then_some("source"))
}

/// The messages that quote their source.
fn quoting(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (place, attribute) in text.match_indices("#[error(") {
        let start = place + attribute.len() - 1;
        let message = bracketed(&text[start..]);
        // Fields begin at the first bracket behind the message; without fields a comma or semicolon comes
        // first.
        let behind = &text[start + message.len()..];
        let Some(fields) = behind.find(['{', '(', ',', ';']).map(|start| &behind[start..]) else { continue };
        let source = if fields.starts_with(['{', '(']) { source_of(bracketed(fields)) } else { None };
        if source.is_some_and(|source| {
            [format!("{{{source}}}"), format!("{{{source}:"), format!(".{source}")]
                .iter()
                .any(|quote| message.contains(quote.as_str()))
        }) {
            found.push(message);
        }
    }
    found
}

#[test]
fn a_cause_is_said_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace");
    let mut wrong = Vec::new();
    rust_files(&root.join("crates"), &mut |path, text| {
        wrong.extend(quoting(text).into_iter().map(|message| format!("{}: {message}", path.display())));
    });
    assert!(
        wrong.is_empty(),
        "these messages quote their source: leave it out, or take the mark away\n{wrong:#?}"
    );
}

#[test]
fn quotes_are_found() {
    let twice =
        "#[error(\"cannot read {path}: {error}\")]\n    Io { path: String, #[source] error: io::Error },";
    let from = "#[error(\"no model: {0}\")]\n    Load(#[from] LoadError),";
    let named = "#[error(\"fold {fold}: {source}\")]\n    Fit { fold: usize, source: FitError },";
    for text in [twice, from, named] {
        assert_eq!(quoting(text).len(), 1, "{text}");
    }
    let once = "#[error(\"cannot read {path}\")]\n    Io { path: String, #[source] error: io::Error },";
    let inline = "#[error(\"cannot read {path}: {error}\")]\n    Io { path: String, error: io::Error },";
    let passed_on =
        "#[error(transparent)]\n    Load(#[from] LoadError),\n    #[error(\"{0}\")]\n    Other(String),";
    for text in [once, inline, passed_on] {
        assert_eq!(quoting(text), [""; 0], "{text}");
    }
}
