//! LZMA, which browsers do not have. It takes a fifth less than gzip, which they have.

use std::io::Read;

use lzma_rust2::LzmaReader;

#[cfg(target_family = "wasm")]
mod abi;

/// The most memory that a file may ask for, in kibibytes.
const MOST_MEMORY: u32 = 64 << 10;

/// The bytes of an `.lzma` file; nothing if it is damaged.
///
/// ```
/// assert!(playground_unpack::unpacked(b"no such file").is_empty());
/// ```
pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = LzmaReader::new_mem_limit(packed, MOST_MEMORY, None)
        .and_then(|mut reader| reader.read_to_end(&mut bytes));
    if read.is_ok() { bytes } else { Vec::new() }
}
