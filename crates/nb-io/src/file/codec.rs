//! The codecs: documents to bytes and back. The only place that knows bincode and JSON.
//!
//! The binary codec has fixed-size little-endian integers, so that a reader can be written in any language;
//! see `docs/format.md`.

use bincode::error::DecodeError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    LoadProblem, SaveError,
    container::VERSION,
    document::{
        ADDITIONS_VERSION, CALIBRATION_VERSION, DECISION_VERSION, Document, Format, LINES_VERSION,
        LinesDocument, READING_VERSION, REFINEMENT_VERSION, ReadingDocument, SchemaDocument,
        TRAINING_VERSION,
    },
    fast_decode,
    payload::Payload,
};

const FORMAT: &str = "naive-bayes-model";

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
    if document.version >= READING_VERSION {
        append(document.reading.as_ref().unwrap_or(&ReadingDocument::default()), bytes)?;
    }
    if document.version >= LINES_VERSION {
        append(document.lines.as_ref().unwrap_or(&LinesDocument::default()), bytes)?;
    }
    if document.version >= REFINEMENT_VERSION {
        append(&document.refinement, bytes)?;
    }
    if document.version >= DECISION_VERSION {
        append(&document.decision, bytes)?;
    }
    if document.version >= TRAINING_VERSION {
        append(&document.training, bytes)?;
    }
    if document.version >= CALIBRATION_VERSION {
        append(&document.calibration, bytes)?;
    }
    if document.version >= ADDITIONS_VERSION {
        append(&document.additions, bytes)?;
        append(&document.ranges, bytes)?;
    }
    fast_decode::write_classes(document.version, &document.classes, bytes);
    Ok(())
}

/// The document in a payload, all of it.
pub(super) fn decode(version: u16, payload: &mut Payload<'_>) -> Result<Document, LoadProblem> {
    let columns = fast_decode::columns(version, payload)?;
    let schema = SchemaDocument { columns, label: payload.string().map_err(broken("the schema"))? };
    let family = next(payload, "the family")?;
    let prior = next(payload, "the prior")?;
    let reading = if version >= READING_VERSION { Some(next(payload, "how files are read")?) } else { None };
    let lines = if version >= LINES_VERSION { Some(next(payload, "how lines are read")?) } else { None };
    let refinement = if version >= REFINEMENT_VERSION { next(payload, "the refinement")? } else { None };
    let decision = if version >= DECISION_VERSION { next(payload, "the decision rule")? } else { None };
    let training = if version >= TRAINING_VERSION { next(payload, "the record of training")? } else { None };
    let calibration =
        if version >= CALIBRATION_VERSION { next(payload, "the calibration map")? } else { None };
    let additions =
        if version >= ADDITIONS_VERSION { next(payload, "lines and pairs of columns")? } else { None };
    let ranges = if version >= ADDITIONS_VERSION { next(payload, "the ranges of columns")? } else { None };
    let classes = fast_decode::classes(version, payload).map_err(broken("the classes"))?;
    match payload.left() {
        0 => Ok(Document {
            format: Format::NaiveBayesModel,
            version,
            schema,
            family,
            prior,
            reading,
            lines,
            refinement,
            decision,
            training,
            calibration,
            additions,
            ranges,
            classes,
        }),
        extra => Err(LoadProblem::TrailingBytes { extra }),
    }
}

/// The error about a part that cannot be decoded.
pub(super) fn broken(what: &'static str) -> impl Fn(&str) -> LoadProblem {
    move |reason| LoadProblem::Decode { what, reason: reason.into() }
}

/// Decodes one part.
///
/// The decoder reserves what a length announces, so it gets a limit little above what there is.
pub(super) fn next<T: DeserializeOwned>(
    payload: &mut Payload<'_>,
    what: &'static str,
) -> Result<T, LoadProblem> {
    fn read<T: DeserializeOwned, const LIMIT: usize>(payload: &mut Payload<'_>) -> Result<T, DecodeError> {
        bincode::serde::decode_from_reader(payload, configuration::<LIMIT>())
    }
    let decoded = match payload.left() {
        0..=0xFFF => read::<T, 0x1000>(payload),
        0x1000..=0xFFFF => read::<T, 0x1_0000>(payload),
        0x1_0000..=0xF_FFFF => read::<T, 0x10_0000>(payload),
        0x10_0000..=0xFF_FFFF => read::<T, 0x100_0000>(payload),
        0x100_0000..=0xFFF_FFFF => read::<T, 0x1000_0000>(payload),
        _ => read::<T, { usize::MAX }>(payload),
    };
    decoded.map_err(|error| match error {
        // Its text would have the name of the variant.
        DecodeError::OtherString(reason) => broken(what)(&reason),
        error => broken(what)(&error.to_string()),
    })
}

impl bincode::de::read::Reader for Payload<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), DecodeError> {
        self.copy_to(bytes).map_err(|_| DecodeError::UnexpectedEnd { additional: bytes.len() })
    }
}

pub(super) fn encode_json(document: &Document) -> Result<String, SaveError> {
    serde_json::to_string_pretty(document).map_err(|error| SaveError::Encode { reason: error.to_string() })
}

pub(super) fn decode_json(json: &str) -> Result<Document, LoadProblem> {
    /// What must be right before the rest can be understood.
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u32,
    }
    let decode =
        |error: serde_json::Error| LoadProblem::Decode { what: "the JSON form", reason: error.to_string() };
    let head: Head = serde_json::from_str(json).map_err(decode)?;
    if head.format != FORMAT {
        return Err(LoadProblem::NotAModel);
    }
    let version = u16::try_from(head.version).unwrap_or(u16::MAX);
    if version == 0 || version > VERSION {
        return Err(LoadProblem::Version { found: version, newest: VERSION });
    }
    let document: Document = serde_json::from_str(json).map_err(decode)?;
    document.check_version()?;
    Ok(document)
}
