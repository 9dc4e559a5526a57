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

use std::io::Read;

use super::{LoadProblem, SaveError, payload::Payload};

/// As with PNG, a byte above 127, a line feed after a carriage return, an end-of-file mark and a lone line
/// feed tell when a file went through a program that takes it for text.
const MAGIC: [u8; 8] = *b"\x89NBM\r\n\x1a\n";
/// The newest version that can be read.
pub const VERSION: u16 = 12;
/// The binary codec of all versions.
const CODEC: u8 = 1;
const HEADER: usize = 24;

/// What has seen the part of the header that the checksum covers.
fn hasher(header: &[u8]) -> crc32fast::Hasher {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..12]);
    hasher.update(&header[16..HEADER]);
    hasher
}

/// A header and the payload of this version, which `write` appends.
pub(super) fn wrap(
    version: u16,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), SaveError>,
) -> Result<Vec<u8>, SaveError> {
    let mut bytes = vec![0; HEADER];
    write(&mut bytes)?;
    let length = (bytes.len() - HEADER) as u64;
    let (header, payload) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&version.to_le_bytes());
    header[10] = CODEC;
    header[16..].copy_from_slice(&length.to_le_bytes());
    let mut hasher = hasher(header);
    hasher.update(payload);
    header[12..16].copy_from_slice(&hasher.finalize().to_le_bytes());
    Ok(bytes)
}

/// Whether bytes begin as a model file does.
pub(super) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads the header of a file of `size` bytes: the version, and the payload behind it, which is what is left
/// of the source.
pub(super) fn open(source: &mut dyn Read, size: u64) -> Result<(u16, Payload<'_>), LoadProblem> {
    let mut header = Vec::with_capacity(HEADER);
    (&mut *source).take(HEADER as u64).read_to_end(&mut header).map_err(LoadProblem::Io)?;
    if !has_magic(&header) {
        return Err(LoadProblem::NotAModel);
    }
    let truncated = |expected: u64| LoadProblem::Truncated { expected, found: size };
    let Ok(header): Result<[u8; HEADER], _> = header.try_into() else {
        return Err(truncated(HEADER as u64));
    };
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version == 0 || version > VERSION {
        return Err(LoadProblem::Version { found: version, newest: VERSION });
    }
    if header[10] != CODEC || header[11] != 0 {
        return Err(LoadProblem::Codec { found: if header[10] == CODEC { header[11] } else { header[10] } });
    }
    let (mut checksum, mut length) = ([0; 4], [0; 8]);
    checksum.copy_from_slice(&header[12..16]);
    length.copy_from_slice(&header[16..]);
    let (length, found) = (u64::from_le_bytes(length), size.saturating_sub(HEADER as u64));
    if found < length {
        return Err(truncated(length.saturating_add(HEADER as u64)));
    }
    if found > length {
        return Err(LoadProblem::TrailingBytes { extra: found - length });
    }
    Ok((version, Payload::new(source, length, hasher(&header), u32::from_le_bytes(checksum))))
}
