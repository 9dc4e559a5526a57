//! Numbers on the command line.

/// The number after an option, above 0.
///
/// # Errors
/// There is none, or something else.
pub(crate) fn count(option: &str, argument: Option<&String>) -> Result<usize, String> {
    let text = argument.ok_or_else(|| format!("{option} takes a number"))?;
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(format!("{option} takes a number above 0, not {text:?}")),
    }
}
