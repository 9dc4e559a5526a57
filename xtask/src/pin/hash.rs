//! Hashes of answers.

use nb_datasets::sha256_hex;

/// The digits of a hash that are kept, 48 bits: two answers that differ have the same ones once in 10^14.
const DIGITS: usize = 12;

/// What stands in place of the hash of an answer that the library refused.
pub(super) const REFUSED: &str = "refused";

/// The bytes of an answer.
#[derive(Default)]
pub(super) struct Bytes(Vec<u8>);

impl Bytes {
    pub(super) fn doubles<'a>(&mut self, values: impl IntoIterator<Item = &'a f64>) {
        self.0.extend(values.into_iter().flat_map(|value| value.to_bits().to_le_bytes()));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn hash(&self) -> String {
        sha256_hex(&self.0)[..DIGITS].to_owned()
    }
}

/// The hash of an answer, or the word for a refusal: which words an error has is not pinned.
pub(super) fn hash_of<T, E>(answer: Result<T, E>, write: impl FnOnce(T, &mut Bytes)) -> String {
    answer.map_or_else(
        |_| REFUSED.to_owned(),
        |answer| {
            let mut bytes = Bytes::default();
            write(answer, &mut bytes);
            bytes.hash()
        },
    )
}
