//! Models as values of a query: the bytes of their files.

use datafusion::{
    arrow::array::{ArrayRef, AsArray},
    error::Result,
    scalar::ScalarValue,
};
use nb_io::Model;

use crate::failure::failed;

/// The bytes of a binary value, if it is one.
pub(crate) fn bytes_of(value: &ScalarValue) -> Option<&[u8]> {
    match value {
        ScalarValue::Binary(bytes) | ScalarValue::LargeBinary(bytes) | ScalarValue::BinaryView(bytes) => {
            bytes.as_deref()
        }
        _ => None,
    }
}

/// A model as a value, or NULL.
pub(crate) fn value_of(model: Option<&Model>) -> Result<ScalarValue> {
    Ok(ScalarValue::Binary(model.map(Model::to_bytes).transpose().map_err(failed)?))
}

/// Adds the evidence of all models in a column. NULL is none.
pub(crate) fn merge_all(merged: &mut Option<Model>, models: &ArrayRef) -> Result<()> {
    for bytes in models.as_binary::<i32>().iter().flatten() {
        let model = Model::from_bytes(bytes)
            .map_err(|error| failed(format!("a stored model cannot be read: {error}")))?;
        match merged {
            Some(merged) => merged.merge(&model).map_err(failed)?,
            None => *merged = Some(model),
        }
    }
    Ok(())
}

/// About how many bytes of memory a model takes.
pub(crate) fn size(model: &Model) -> usize {
    let sums: usize = model.stats().layout().parts.iter().map(|part| part.len).sum();
    16 * (sums + 1) * model.stats().classes().len() + 64 * model.schema().columns.len()
}
