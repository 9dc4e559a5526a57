//! Blocks of code, which often come from other files.

use anyhow::{Result, bail};

/// The text with the lines of its blocks of Rust moved to the left, as they come from inside of functions.
///
/// # Errors
/// An include that found no file, or a block that is empty, as includes of unknown parts are.
pub(crate) fn blocks(markdown: &str) -> Result<String> {
    if let Some(line) = markdown.lines().find(|line| line.starts_with("{{#")) {
        bail!("{line} is not found");
    }
    let mut text = String::with_capacity(markdown.len());
    let mut block: Option<(&str, Vec<&str>)> = None;
    for line in markdown.split_inclusive('\n') {
        let is_fence = line.starts_with("```");
        match &mut block {
            Some((language, lines)) if is_fence => {
                if lines.iter().all(|line| line.trim().is_empty()) {
                    bail!("a block of code{language} is empty; is a part of another file misspelt?");
                }
                let by = if language.starts_with(" rust") { indentation(lines) } else { 0 };
                text.extend(lines.iter().map(|line| line.get(by..).unwrap_or("\n")));
                block = None;
            }
            Some((_, lines)) => {
                lines.push(line);
                continue;
            }
            None if is_fence => block = Some((language(line), Vec::new())),
            None => {}
        }
        text.push_str(line);
    }
    Ok(text)
}

/// The language of a fence with a space before it, or nothing.
fn language(fence: &str) -> &'static str {
    if fence.starts_with("```rust") { " rust" } else { "" }
}

/// The number of spaces before every line that is not empty.
fn indentation(lines: &[&str]) -> usize {
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    filled.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_moved_to_the_left() {
        let source = "a\n```rust,ignore\n    let x = 1;\n\n        y();\n```\n```text\n  z\n```\n";
        assert_eq!(
            blocks(source).unwrap(),
            "a\n```rust,ignore\nlet x = 1;\n\n    y();\n```\n```text\n  z\n```\n"
        );
    }

    #[test]
    fn what_is_not_found_is_an_error() {
        assert!(blocks("```rust\n{{#include nowhere.rs}}\n```\n").is_err());
        assert!(blocks("```text\n```\n").is_err());
    }
}
