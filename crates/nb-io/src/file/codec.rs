//! The codecs: documents to bytes and back. The only place that knows bincode and JSON.
//!
//! The binary codec has fixed-size little-endian integers, so that a reader can be written in any language; see
//! `docs/format.md`.

use serde::{Deserialize, Serialize};

use super::{
    LoadError, SaveError, columns,
    document::{ClassDocument, Document, FamilyDocument, PriorDocument, SchemaDocument},
};

const FORMAT: &str = "naive-bayes-model";
const VERSION: u32 = 1;

/// Fixed-size little-endian integers, and no more memory than `LIMIT` bytes.
fn configuration<const LIMIT: usize>() -> impl bincode::config::Config {
    bincode::config::standard().with_fixed_int_encoding().with_limit::<LIMIT>()
}

/// Appends the encoded document: schema, family, prior, classes.
pub(super) fn encode(document: &Document, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
    fn append(part: &impl Serialize, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
        let configuration = bincode::config::standard().with_fixed_int_encoding();
        bincode::serde::encode_into_std_write(part, bytes, configuration)
            .map(|_| ())
            .map_err(|error| SaveError::Encode { reason: error.to_string() })
    }
    // One allocation, and nothing to be copied when it grows.
    bytes.reserve_exact(document.size());
    append(&document.schema, bytes)?;
    append(&document.family, bytes)?;
    append(&document.prior, bytes)?;
    append(&document.classes, bytes)
}

/// The document in a payload, all of it.
pub(super) fn decode(payload: &[u8]) -> Result<Document, LoadError> {
    let (schema, rest) = schema(payload)?;
    let (family, rest): (FamilyDocument, _) = next(rest, "the family")?;
    let (prior, rest): (PriorDocument, _) = next(rest, "the prior")?;
    let (classes, rest): (Vec<ClassDocument>, _) = next(rest, "the classes")?;
    if !rest.is_empty() {
        return Err(LoadError::TrailingBytes { extra: rest.len() as u64 });
    }
    Ok(Document { schema, family, prior, classes })
}

/// The schema at the front of `bytes`, and the bytes behind it.
fn schema(bytes: &[u8]) -> Result<(SchemaDocument, &[u8]), LoadError> {
    // Names are all that there may be hundreds of thousands of.
    if let Some((columns, rest)) = columns::decode(bytes)
        && let Ok((label, rest)) = next(rest, "the schema")
    {
        return Ok((SchemaDocument { columns, label }, rest));
    }
    next(bytes, "the schema")
}

/// Decodes one part from the front of `bytes`; the part and the bytes behind it.
///
/// The decoder reserves what a length announces, so it gets a limit little above what there is.
fn next<'a, T: Deserialize<'a>>(bytes: &'a [u8], what: &'static str) -> Result<(T, &'a [u8]), LoadError> {
    fn read<'a, T: Deserialize<'a>, const LIMIT: usize>(
        bytes: &'a [u8],
    ) -> Result<(T, usize), bincode::error::DecodeError> {
        bincode::serde::borrow_decode_from_slice(bytes, configuration::<LIMIT>())
    }
    let decoded = match bytes.len() {
        0..=0xFFF => read::<T, 0x1000>(bytes),
        0x1000..=0xFFFF => read::<T, 0x1_0000>(bytes),
        0x1_0000..=0xF_FFFF => read::<T, 0x10_0000>(bytes),
        0x10_0000..=0xFF_FFFF => read::<T, 0x100_0000>(bytes),
        0x100_0000..=0xFFF_FFFF => read::<T, 0x1000_0000>(bytes),
        _ => read::<T, { usize::MAX }>(bytes),
    };
    let (part, length) = decoded.map_err(|error| LoadError::Decode { what, reason: error.to_string() })?;
    Ok((part, &bytes[length..]))
}

/// The JSON form: the document, with the name and version of the format.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct JsonForm<Schema, Family, Prior, Classes> {
    format: String,
    version: u32,
    schema: Schema,
    family: Family,
    prior: Prior,
    classes: Classes,
}

pub(super) fn encode_json(document: &Document) -> Result<String, SaveError> {
    let Document { schema, family, prior, classes } = document;
    let form = JsonForm { format: FORMAT.into(), version: VERSION, schema, family, prior, classes };
    serde_json::to_string_pretty(&form).map_err(|error| SaveError::Encode { reason: error.to_string() })
}

pub(super) fn decode_json(json: &str) -> Result<Document, LoadError> {
    /// What must be right before the rest can be understood.
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u32,
    }
    let decode =
        |error: serde_json::Error| LoadError::Decode { what: "the JSON form", reason: error.to_string() };
    let head: Head = serde_json::from_str(json).map_err(decode)?;
    if head.format != FORMAT {
        return Err(LoadError::NotAModel);
    }
    if head.version != VERSION {
        let found = u16::try_from(head.version).unwrap_or(u16::MAX);
        return Err(LoadError::Version { found, newest: VERSION as u16 });
    }
    let form: JsonForm<_, _, _, _> = serde_json::from_str(json).map_err(decode)?;
    Ok(Document { schema: form.schema, family: form.family, prior: form.prior, classes: form.classes })
}
