//! Panics of decoders of other crates, on some damaged files: they become errors, and are not printed.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    sync::Once,
};

use crate::read::{FileProblem, ReadError};

thread_local! {
    /// Whether this thread is in a decoder, whose panics are no news.
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// What decoders of other crates say, such as those of Apache Arrow. On some damaged files they panic; that
/// becomes an error here, so that one bad file does not end a program that reads many. It cannot where the
/// program is built with `panic = "abort"`.
///
/// A panic is printed by the hook of the process before it can be caught. So the first call puts a hook
/// before the one there is, which it calls for every panic but those of decoders on their own threads.
pub(in crate::read) fn contained<T, E: ToString>(
    file: &str,
    format: &'static str,
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T, ReadError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_DECODING.get() {
                others(panic);
            }
        }));
    });
    IS_DECODING.set(true);
    // After a panic nothing that `decode` has touched is used again: the reader is at its end.
    let result = catch_unwind(AssertUnwindSafe(decode));
    IS_DECODING.set(false);
    let result = result.map_err(|_| "it is damaged".to_owned());
    result
        .and_then(|decoded| decoded.map_err(|error| error.to_string()))
        .map_err(with_remedy)
        .map_err(|reason| ReadError::of_file(file, FileProblem::Format { format, reason }))
}

/// What a decoder says, and what to do where that is known.
fn with_remedy(reason: String) -> String {
    let is_codec =
        ["codec type", "Disabled feature at compile time"].iter().any(|text| reason.contains(text));
    if is_codec { format!("{reason}; compress it with Snappy or zstd instead") } else { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_decoders_are_errors_and_others_are_not_touched() {
        let error = contained("t.arrow", "arrow", || -> Result<(), String> { panic!("a bad length") });
        assert_eq!(error.unwrap_err().to_string(), "t.arrow: this is not a usable arrow file: it is damaged");
        assert!(catch_unwind(|| panic!("ours")).is_err());
        assert!(!IS_DECODING.get());
        assert_eq!(contained("t.arrow", "arrow", || Ok::<_, String>(3)).unwrap(), 3);
    }
}
