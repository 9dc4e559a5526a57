//! What a file has most of, decoded by hand: columns and sums. Sums are also encoded by hand.
//!
//! There may be hundreds of thousands of columns, and a decoder that knows their types beforehand is twice as
//! fast as one that is told at every field. Sums are most of the bytes, and go at once to where they stay.

use super::{
    LoadProblem, codec,
    document::{
        ClassDocument, ColumnDocument, DATE_ORDERS_VERSION, DATES_VERSION, DateOrderDocument,
        DatePartDocument, FIXED_TEXT_VERSION, KindDocument, SPARSE_VERSION, SumsDocument, TailDocument,
        TextDocument, WIDE_VERSION, WideDocument,
    },
    doubles::Doubles,
    payload::{Decoded, Payload},
};

/// The least bytes that something takes, so that no more is reserved than a few times what there is.
const LENGTH: u64 = 8;
const COLUMN: u64 = LENGTH + 4;
const SUMS: u64 = 3 * LENGTH;
const CLASS: u64 = LENGTH + SUMS + LENGTH;
const TAIL: u64 = 2 * LENGTH;
const PLACE: u64 = 4;
const WIDE: u64 = 3 * LENGTH + 1;
const DIGIT: u64 = 4;
const PART: u64 = 4;

/// All sums are written.
const ALL: u32 = 0;
/// The places of those that are not zero are written before them.
const SPARSE: u32 = 1;

/// The columns of the schema.
pub(super) fn columns(version: u16, payload: &mut Payload<'_>) -> Result<Vec<ColumnDocument>, LoadProblem> {
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
            3 => KindDocument::Text(TextDocument::read(version, payload)?.into()),
            4 if version >= FIXED_TEXT_VERSION => {
                KindDocument::FixedText(TextDocument::read(version, payload)?.into())
            }
            5 if version >= DATES_VERSION => {
                KindDocument::Dates { parts: list(payload, PART, date_part).map_err(&broken)? }
            }
            6 if version >= DATE_ORDERS_VERSION => KindDocument::WrittenDates {
                order: date_order(payload).map_err(&broken)?,
                parts: list(payload, PART, date_part).map_err(&broken)?,
            },
            7 if version >= DATE_ORDERS_VERSION => {
                KindDocument::WrittenDays { order: date_order(payload).map_err(&broken)? }
            }
            _ => return Err(broken("a column is of a kind that there is not")),
        };
        columns.push(ColumnDocument { name, kind });
    }
    Ok(columns)
}

/// The evidence of all classes.
pub(super) fn classes(version: u16, payload: &mut Payload<'_>) -> Decoded<Vec<ClassDocument>> {
    let sums = |payload: &mut Payload<'_>| sums(version, payload);
    list(payload, CLASS, |payload| {
        let (label, weight) = (payload.string()?, sums(payload)?);
        Ok(ClassDocument { label, weight, parts: list(payload, SUMS, sums)? })
    })
}

fn sums(version: u16, payload: &mut Payload<'_>) -> Decoded<SumsDocument> {
    let doubles = |payload: &mut Payload<'_>| payload.doubles().map(Doubles);
    let choice = if version < SPARSE_VERSION { ALL } else { u32::from_le_bytes(payload.array()?) };
    let (len, places) = match choice {
        ALL => (Some(u64::from_le_bytes(payload.array()?)), None),
        SPARSE => (None, Some(list(payload, PLACE, number)?)),
        _ => return Err("sums are written in a way that there is not"),
    };
    let planes = list(payload, LENGTH, doubles)?;
    let tail = list(payload, TAIL, |payload| {
        let index = u64::from_le_bytes(payload.array()?);
        Ok(TailDocument { index, rest: doubles(payload)? })
    })?;
    let wide = if version < WIDE_VERSION { Vec::new() } else { list(payload, WIDE, wide)? };
    Ok(SumsDocument { len, places, planes, tail, wide })
}

fn wide(payload: &mut Payload<'_>) -> Decoded<WideDocument> {
    let index = u64::from_le_bytes(payload.array()?);
    let negative = match payload.array()? {
        [0] => false,
        [1] => true,
        _ => return Err("a sign is neither 0 nor 1"),
    };
    let lowest = i64::from_le_bytes(payload.array()?);
    Ok(WideDocument { index, negative, lowest, digits: list(payload, DIGIT, number)? })
}

fn number(payload: &mut Payload<'_>) -> Decoded<u32> {
    Ok(u32::from_le_bytes(payload.array()?))
}

fn date_part(payload: &mut Payload<'_>) -> Decoded<DatePartDocument> {
    DatePartDocument::of_number(number(payload)?).ok_or("a date has a part that there is not")
}

fn date_order(payload: &mut Payload<'_>) -> Decoded<DateOrderDocument> {
    DateOrderDocument::of_number(number(payload)?).ok_or("dates are in an order that there is not")
}

/// A list of items of at least `size` bytes each.
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

/// Appends the evidence of all classes.
pub(super) fn write_classes(version: u16, classes: &[ClassDocument], bytes: &mut Vec<u8>) {
    write_length(classes.len(), bytes);
    for ClassDocument { label, weight, parts } in classes {
        write_length(label.len(), bytes);
        bytes.extend_from_slice(label.as_bytes());
        write_sums(version, weight, bytes);
        write_length(parts.len(), bytes);
        for part in parts {
            write_sums(version, part, bytes);
        }
    }
}

fn write_sums(version: u16, sums: &SumsDocument, bytes: &mut Vec<u8>) {
    let SumsDocument { len, places, planes, tail, wide } = sums;
    if version >= SPARSE_VERSION {
        bytes.extend_from_slice(&if places.is_some() { SPARSE } else { ALL }.to_le_bytes());
    }
    match places {
        Some(places) => {
            write_length(places.len(), bytes);
            for place in places {
                bytes.extend_from_slice(&place.to_le_bytes());
            }
        }
        None => bytes.extend_from_slice(&len.unwrap_or(0).to_le_bytes()),
    }
    write_length(planes.len(), bytes);
    for plane in planes {
        write_doubles(plane, bytes);
    }
    write_length(tail.len(), bytes);
    for TailDocument { index, rest } in tail {
        bytes.extend_from_slice(&index.to_le_bytes());
        write_doubles(rest, bytes);
    }
    if version >= WIDE_VERSION {
        write_length(wide.len(), bytes);
        for WideDocument { index, negative, lowest, digits } in wide {
            bytes.extend_from_slice(&index.to_le_bytes());
            bytes.push(u8::from(*negative));
            bytes.extend_from_slice(&lowest.to_le_bytes());
            write_length(digits.len(), bytes);
            for digit in digits {
                bytes.extend_from_slice(&digit.to_le_bytes());
            }
        }
    }
}

fn write_length(length: usize, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&(length as u64).to_le_bytes());
}

/// Appends doubles as one block.
fn write_doubles(Doubles(values): &Doubles, bytes: &mut Vec<u8>) {
    write_length(8 * values.len(), bytes);
    let start = bytes.len();
    bytes.resize(start + 8 * values.len(), 0);
    let (eights, _) = bytes[start..].as_chunks_mut::<8>();
    eights.iter_mut().zip(values).for_each(|(bytes, value)| *bytes = value.to_le_bytes());
}
