//! The columns of a schema, decoded by hand.
//!
//! They are what takes longest to load in a wide model, and a decoder that knows their types beforehand is twice as fast as
//! one that is told at every field. It only says what is there: where something is wrong, the general decoder says what.

use super::document::{ColumnDocument, KindDocument};

/// The columns at the front of `bytes`, and the bytes behind them; `None` if that is not what they are.
pub(super) fn decode(mut bytes: &[u8]) -> Option<(Vec<ColumnDocument>, &[u8])> {
    /// The length of a name and the number of a kind.
    const SHORTEST: usize = 8 + 4;
    let n_columns = length(&mut bytes)?;
    // What is announced is believed as far as there are bytes for it.
    let mut columns = Vec::with_capacity(n_columns.min(bytes.len() / SHORTEST));
    for _ in 0..n_columns {
        let name = string(&mut bytes)?;
        let kind = match u32::from_le_bytes(take(&mut bytes)?) {
            0 => KindDocument::Numeric,
            1 => KindDocument::Count,
            2 => {
                let n_levels = length(&mut bytes)?;
                let mut levels = Vec::with_capacity(n_levels.min(bytes.len() / 8));
                for _ in 0..n_levels {
                    levels.push(string(&mut bytes)?);
                }
                KindDocument::Categorical { levels }
            }
            _ => return None,
        };
        columns.push(ColumnDocument { name, kind });
    }
    Some((columns, bytes))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

fn length(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(take(bytes)?)).ok()
}

fn string(bytes: &mut &[u8]) -> Option<String> {
    let length = length(bytes)?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(text).ok().map(String::from)
}
