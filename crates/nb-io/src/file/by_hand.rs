//! What a file has most of, decoded by hand: columns and sums.
//!
//! There may be hundreds of thousands of columns, and a decoder that knows their types beforehand is twice as fast as one
//! that is told at every field. Sums are most of the bytes, and go at once to where they stay.

use super::{
    LoadError, codec,
    document::{ClassDocument, ColumnDocument, KindDocument, SumsDocument, TailDocument},
    doubles::Doubles,
    payload::{Decoded, Payload},
};

/// The least bytes that something takes, so that no more is reserved than a few times what there is.
const LENGTH: u64 = 8;
const COLUMN: u64 = LENGTH + 4;
const SUMS: u64 = 3 * LENGTH;
const CLASS: u64 = LENGTH + SUMS + LENGTH;
const TAIL: u64 = 2 * LENGTH;

/// The columns of the schema.
pub(super) fn columns(payload: &mut Payload<'_>) -> Result<Vec<ColumnDocument>, LoadError> {
    let broken = codec::broken("the schema");
    let n_columns = payload.length(COLUMN).map_err(&broken)?;
    let mut columns = Vec::with_capacity(n_columns);
    for _ in 0..n_columns {
        let name = payload.string().map_err(&broken)?;
        let kind = match u32::from_le_bytes(payload.array().map_err(&broken)?) {
            0 => KindDocument::Numeric,
            1 => KindDocument::Count,
            2 => {
                KindDocument::Categorical { levels: list(payload, LENGTH, Payload::string).map_err(&broken)? }
            }
            3 => KindDocument::Text(codec::next(payload, "the schema")?),
            _ => return Err(broken("a column is of a kind that there is not")),
        };
        columns.push(ColumnDocument { name, kind });
    }
    Ok(columns)
}

/// The evidence of all classes.
pub(super) fn classes(payload: &mut Payload<'_>) -> Decoded<Vec<ClassDocument>> {
    list(payload, CLASS, |payload| {
        let (label, weight) = (payload.string()?, sums(payload)?);
        Ok(ClassDocument { label, weight, parts: list(payload, SUMS, sums)? })
    })
}

fn sums(payload: &mut Payload<'_>) -> Decoded<SumsDocument> {
    let doubles = |payload: &mut Payload<'_>| payload.doubles().map(Doubles);
    let len = u64::from_le_bytes(payload.array()?);
    let planes = list(payload, LENGTH, doubles)?;
    let tail = list(payload, TAIL, |payload| {
        let index = u64::from_le_bytes(payload.array()?);
        Ok(TailDocument { index, rest: doubles(payload)? })
    })?;
    Ok(SumsDocument { len, planes, tail })
}

/// A list of what takes at least so many bytes each.
fn list<'a, T>(
    payload: &mut Payload<'a>,
    size: u64,
    next: impl Fn(&mut Payload<'a>) -> Decoded<T>,
) -> Decoded<Vec<T>> {
    let length = payload.length(size)?;
    let mut items = Vec::with_capacity(length);
    for _ in 0..length {
        items.push(next(payload)?);
    }
    Ok(items)
}
