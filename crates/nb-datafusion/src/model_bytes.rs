//! Models as values of a query: the bytes of their files.

use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray},
        datatypes::DataType,
    },
    error::Result,
    logical_expr::Expr,
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
        ScalarValue::Dictionary(_, value) => bytes_of(value),
        _ => None,
    }
}

/// A constant as an argument that the engine does not write out for every row: it does so with plain ones,
/// and a model of a hundred thousand terms takes megabytes.
pub(crate) fn once(constant: ScalarValue) -> ScalarValue {
    match constant {
        ScalarValue::Dictionary(..) => constant,
        plain => ScalarValue::Dictionary(Box::new(DataType::Int8), Box::new(plain)),
    }
}

/// The arguments of a function for its name in plans and tables, where the bytes of a model, the first
/// argument, would fill pages; its checksum is as good.
pub(crate) fn for_a_name(arguments: &[Expr]) -> Vec<Expr> {
    let mut arguments = arguments.to_vec();
    if let Some(Expr::Literal(model, _)) = arguments.first_mut()
        && let Some(checksum) = bytes_of(model).and_then(|bytes| bytes.get(12..16))
    {
        let checksum = checksum.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        *model = ScalarValue::from(format!("model {checksum}"));
    }
    arguments
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
