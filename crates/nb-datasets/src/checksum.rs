//! SHA-256 checksums.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The SHA-256 checksum of `bytes` as 64 lower-case hexadecimal digits, as in
/// [`FileInfo::sha256`](crate::FileInfo::sha256).
///
/// ```
/// let csv = nb_datasets::csv("iris")?;
/// assert_eq!(nb_datasets::sha256_hex(&csv), nb_datasets::info("iris")?.files[0].sha256);
/// # Ok::<(), nb_datasets::DatasetError>(())
/// ```
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::sha256_hex;

    #[test]
    fn agrees_with_the_published_example() {
        // FIPS 180-4, "abc".
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), expected);
    }
}
