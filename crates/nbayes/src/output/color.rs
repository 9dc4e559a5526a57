//! Colours, where a terminal has them: errors are red, notes yellow, heads of tables bold. Never in JSON, CSV
//! or pipes, unless `--color always` or `CLICOLOR_FORCE` asks for them.

use std::{ffi::OsString, io};

use anstream::{
    AutoStream, ColorChoice,
    stream::{AsLockedWrite, RawStream},
};
use clap::ValueEnum;

const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[33m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// When there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On terminals, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is set.
    Auto,
    /// Also in pipes and files.
    Always,
    /// Not at all.
    Never,
}

impl Color {
    /// The choice on the command line, which also holds for errors about it. A value that is none is reported
    /// later.
    pub(crate) fn on_command_line(arguments: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let mut arguments = arguments.into_iter().take_while(|argument| argument != "--");
        let mut found = None;
        while let Some(argument) = arguments.next() {
            let argument = argument.to_string_lossy();
            let value = match argument.strip_prefix("--color") {
                Some("") => arguments.next().map(|value| value.to_string_lossy().into_owned()),
                Some(rest) => rest.strip_prefix('=').map(String::from),
                None => None,
            };
            found = value.and_then(|value| Self::from_str(&value, false).ok()).or(found);
        }
        found
    }

    /// Decides for all output of this process.
    pub(crate) fn set(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Result,
    Note,
    Error,
}

/// Writes a text for people to a stream, in the colours of its role if the stream has colours.
pub(super) fn write(stream: impl RawStream + AsLockedWrite, role: Role, text: &str) -> io::Result<()> {
    use io::Write;
    let mut stream = AutoStream::auto(stream);
    let is_plain = stream.current_choice() == ColorChoice::Never;
    if is_plain {
        // As it is, not looked through for colours.
        let mut stream = stream.into_inner();
        let mut stream = stream.as_locked_write();
        return stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    }
    stream.write_all(colored(role, text).as_bytes()).and_then(|()| stream.flush())
}

fn colored(role: Role, text: &str) -> String {
    match role {
        Role::Result => with_bold_heads(text),
        Role::Note => format!("{YELLOW}{}{PLAIN}\n", text.trim_end_matches('\n')),
        // The first word says who speaks.
        Role::Error => match text.split_once(' ') {
            Some((name, rest)) => format!("{RED}{name}{PLAIN} {rest}"),
            None => format!("{RED}{text}{PLAIN}"),
        },
    }
}

/// Heads of tables are the lines above a line of `─`.
fn with_bold_heads(text: &str) -> String {
    let is_rule = |line: &str| !line.is_empty() && line.chars().all(|letter| letter == '─');
    let mut out = String::with_capacity(text.len() + 16);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let is_head = lines.peek().is_some_and(|next| is_rule(next.trim_end()));
        match line.strip_suffix('\n') {
            Some(head) if is_head => out.extend([BOLD, head, PLAIN, "\n"]),
            _ => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_bold() {
        let text = "a: 1\n\n head   x\n──────\n a      1\n";
        assert_eq!(with_bold_heads(text), "a: 1\n\n\u{1b}[1m head   x\u{1b}[0m\n──────\n a      1\n");
        assert_eq!(with_bold_heads("─\nb"), "─\nb");
    }

    #[test]
    fn the_command_line_chooses() {
        let choice = |words: &[&str]| Color::on_command_line(words.iter().map(OsString::from));
        assert_eq!(choice(&["nbayes", "train", "--color", "never"]), Some(Color::Never));
        assert_eq!(choice(&["nbayes", "--color=always", "train"]), Some(Color::Always));
        assert_eq!(choice(&["nbayes", "--color=blue", "--colors=never", "--", "--color=never"]), None);
    }
}
