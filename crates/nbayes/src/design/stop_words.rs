//! Stop words: a built-in list by its name, or a file.

use std::{collections::BTreeSet, io::ErrorKind};

use anyhow::{Context, Result, bail};
use nb_io::text::{Tokens, stop_words};

use crate::output::{Screen, counted};

type List = fn() -> BTreeSet<String>;

/// The built-in lists.
const LISTS: [(&str, List); 1] = [("english", stop_words::english)];

fn built_in(name: &str) -> Option<List> {
    LISTS.into_iter().find_map(|(list, words)| (list == name).then_some(words))
}

/// Whether a name is that of a built-in list and not of a file.
pub(crate) fn is_built_in(name: &str) -> bool {
    built_in(name).is_some()
}

/// The same tokens with the stop words of a list, spelt as texts are. Says how many entries of a file cannot
/// match any word.
pub(super) fn add(tokens: Tokens, name: &str, screen: Screen) -> Result<Tokens> {
    if let Some(list) = built_in(name) {
        return Ok(tokens.with_stop_word_list(list()));
    }
    let text = match std::fs::read_to_string(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let lists = LISTS.map(|(list, _)| list).join(", ");
            bail!("--stop-words: {name:?} is neither a file nor a built-in list (built-in: {lists})");
        }
        text => text.with_context(|| format!("--stop-words: cannot read {name}"))?,
    };
    let entries = entries(&text).with_context(|| format!("--stop-words: {name}"))?;
    let kept = tokens.clone().with_n_grams(1..=1).with_stop_words(BTreeSet::new());
    let idle: Vec<&str> = entries.iter().copied().filter(|entry| kept.terms(entry).is_empty()).collect();
    if let Some(first) = idle.first() {
        let reason = if tokens.min_chars > 1 {
            format!(
                "shorter than {} characters (--min-chars), or without a letter or digit",
                tokens.min_chars
            )
        } else {
            "without a letter or digit".into()
        };
        screen.note(&format!(
            "{name}: {} of {} cannot match any word, such as {first:?}: {reason}",
            idle.len(),
            counted(entries.len(), "stop word", "stop words"),
        ));
    }
    Ok(tokens.with_stop_word_list(entries))
}

/// The lines that are not blank.
fn entries(text: &str) -> Result<Vec<&str>> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut entries = Vec::new();
    for (line, entry) in text.lines().map(str::trim).enumerate() {
        if entry.contains(char::is_whitespace) {
            bail!("line {}: {entry:?} is several words; write one word per line", line + 1);
        }
        if !entry.is_empty() {
            entries.push(entry);
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_entries() {
        assert_eq!(entries("\u{FEFF}und\r\n\r\n  oder \nüber").unwrap(), ["und", "oder", "über"]);
        assert!(entries("\u{FEFF}").unwrap().is_empty());
        let error = entries("und\nNew York\n").unwrap_err().to_string();
        assert_eq!(error, "line 2: \"New York\" is several words; write one word per line");
    }
}
