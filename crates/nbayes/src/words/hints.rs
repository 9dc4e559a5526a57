//! What somebody may have meant whose command line is none.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What commands are called elsewhere.
const COMMANDS: [(&str, &[&str]); 6] = [
    ("train", &["fit", "learn", "build", "classify", "model"]),
    ("predict", &["score", "apply", "label", "infer", "transform"]),
    ("evaluate", &["test", "assess", "validate", "measure", "eval"]),
    ("inspect", &["show", "info", "view", "cat", "print"]),
    ("profile", &["describe", "summary", "summarize", "look"]),
    ("forget", &["remove", "delete", "unlearn"]),
];

/// What the label column is called elsewhere.
const LABELS: [&str; 9] = [
    "--target",
    "--class",
    "--y",
    "--response",
    "--outcome",
    "--dependent",
    "--label-column",
    "--class-column",
    "-y",
];

/// Whether a name is that of a table, and not of a model.
fn is_table(name: &str) -> bool {
    const EXTENSIONS: [&str; 18] = [
        "csv", "tsv", "tab", "txt", "data", "json", "jsonl", "ndjson", "parquet", "arrow", "feather", "xlsx",
        "xls", "ods", "arff", "eml", "mbox", "gz",
    ];
    let extension =
        Path::new(name).extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    name.starts_with('@') || extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

/// Why a file is no model, if it is a table by its name.
pub(crate) fn not_a_model(path: &Path) -> Option<String> {
    let name = path.to_string_lossy();
    // What is not there may have been meant as a model, and JSON may be one.
    if !is_table(&name) || !(name.starts_with('@') || path.is_file()) || name.ends_with(".json") {
        return None;
    }
    let stem = Path::new(name.trim_start_matches('@')).file_stem()?.to_string_lossy();
    let label = if name.starts_with('@') { "" } else { " --label COLUMN" };
    Some(format!(
        "the model is the first file, and {name:?} is a table; `nbayes train {name}{label} -o {stem}.nb` makes a model of it"
    ))
}

/// The same error with what may have been meant.
pub(crate) fn with_hint(mut error: clap::Error) -> clap::Error {
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let hint = match error.kind() {
        ErrorKind::InvalidSubcommand => text(ContextKind::InvalidSubcommand).and_then(|name| command(&name)),
        ErrorKind::UnknownArgument => text(ContextKind::InvalidArg).and_then(|name| {
            LABELS
                .contains(&name.as_str())
                .then(|| "the label column is named by --label COLUMN (-l)".to_owned())
        }),
        _ => None,
    };
    if let Some(hint) = hint {
        for other in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg] {
            error.remove(other);
        }
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

/// What a word may mean that is no command.
fn command(name: &str) -> Option<String> {
    if let Some((command, _)) = COMMANDS.iter().find(|(_, others)| others.contains(&name)) {
        return Some(format!("the command is `nbayes {command}`"));
    }
    let is_file = Path::new(name).is_file();
    if is_table(name) {
        let label = if name.starts_with('@') { "" } else { " --label COLUMN" };
        return Some(format!(
            "{name} is a table: `nbayes profile {name}` says what its columns hold, `nbayes train {name}{label}` makes a model of it"
        ));
    }
    is_file.then(|| format!("if {name} is a model, `nbayes inspect {name}` says what is in it"))
}
