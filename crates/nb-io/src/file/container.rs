//! The header around a payload: what it is, how long it is, and whether it is whole.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0..8 | magic |
//! | 8..10 | format version, little-endian |
//! | 10 | codec |
//! | 11 | zero |
//! | 12..16 | CRC-32 of bytes 0..12, bytes 16..24 and the payload, little-endian |
//! | 16..24 | length of the payload, little-endian |
//! | 24.. | payload |

use super::{LoadError, SaveError};

/// As with PNG, a byte above 127, a line feed after a carriage return, an end-of-file mark and a lone line feed tell
/// when a file went through a program that takes it for text.
const MAGIC: [u8; 8] = *b"\x89NBM\r\n\x1a\n";
/// The newest version that can be read, and the one that is written.
pub const VERSION: u16 = 1;
/// The binary codec of version 1.
const CODEC: u8 = 1;
const HEADER: usize = 24;

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..12]);
    hasher.update(&header[16..HEADER]);
    hasher.update(payload);
    hasher.finalize()
}

/// A header and the payload that `write` appends.
pub(super) fn wrap(write: impl FnOnce(&mut Vec<u8>) -> Result<(), SaveError>) -> Result<Vec<u8>, SaveError> {
    let mut bytes = vec![0; HEADER];
    write(&mut bytes)?;
    let length = (bytes.len() - HEADER) as u64;
    let (header, payload) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    header[10] = CODEC;
    header[16..].copy_from_slice(&length.to_le_bytes());
    let checksum = checksum(header, payload);
    header[12..16].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// The payload of a file, which is whole.
pub(super) fn unwrap(bytes: &[u8]) -> Result<&[u8], LoadError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(LoadError::NotAModel);
    }
    let truncated = |expected: u64| LoadError::Truncated { expected, found: bytes.len() as u64 };
    let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
        return Err(truncated(HEADER as u64));
    };
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version == 0 || version > VERSION {
        return Err(LoadError::Version { found: version, newest: VERSION });
    }
    if header[10] != CODEC || header[11] != 0 {
        return Err(LoadError::Codec { found: if header[10] == CODEC { header[11] } else { header[10] } });
    }
    let mut length = [0; 8];
    length.copy_from_slice(&header[16..]);
    let (length, found) = (u64::from_le_bytes(length), payload.len() as u64);
    if found < length {
        return Err(truncated(length.saturating_add(HEADER as u64)));
    }
    if found > length {
        return Err(LoadError::TrailingBytes { extra: found - length });
    }
    if header[12..16] != checksum(header, payload).to_le_bytes() {
        return Err(LoadError::Checksum);
    }
    Ok(payload)
}
