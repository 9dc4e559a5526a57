//! `nbayes convert`: a model in another format.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use nb_io::{
    Model,
    onnx::{Inputs, OnnxError},
};
use serde::Serialize;

use crate::{
    failure::usage,
    model::{Lock, LockArgs, load},
    output::{Replacement, Screen, refuse_inputs},
};

/// Convert a model to another format: binary, JSON (both can be loaded again) or ONNX (for prediction only).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes convert model.nb model.json\n  nbayes convert model.nb model.onnx\n  nbayes convert model.nb matrix.onnx --inputs matrix"
)]
pub(crate) struct Convert {
    /// The model.
    model: PathBuf,
    /// The file to write: `.nb`, `.json` or `.onnx`.
    output: PathBuf,
    /// The format [default: from the file name].
    #[arg(long, value_enum)]
    to: Option<To>,
    /// The inputs of an ONNX graph: one per column, with strings for categories, or a matrix of numbers
    /// (codes of categories, counts of terms) [default: columns].
    #[arg(long, value_enum)]
    inputs: Option<OnnxInputs>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnnxInputs {
    Columns,
    Matrix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum To {
    Binary,
    Json,
    Onnx,
}

#[derive(Serialize)]
struct Converted<'a> {
    output: &'a PathBuf,
    format: To,
}

impl Convert {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let format = match (self.to, self.output.extension().and_then(std::ffi::OsStr::to_str)) {
            (Some(format), _) => format,
            (None, Some("nb")) => To::Binary,
            (None, Some("json")) => To::Json,
            (None, Some("onnx")) => To::Onnx,
            _ => {
                return Err(usage(
                    "unknown extension of the output file; choose the format with --to binary, json or onnx",
                ));
            }
        };
        if self.inputs.is_some() && format != To::Onnx {
            return Err(usage("--inputs is for ONNX graphs only"));
        }
        refuse_inputs(Some(&self.output), [self.model.as_path()])?;
        let model = load(&self.model)?;
        let lock = || Lock::of(&self.output, LockArgs::default(), screen);
        match format {
            To::Binary => lock()?.save(&model)?,
            To::Json => lock()?.save_bytes(model.to_json()?.as_bytes())?,
            To::Onnx => Replacement::write_whole(&self.output, &self.graph(&model)?)?,
        }
        screen.report(&Converted { output: &self.output, format }, || {
            format!("wrote {}", self.output.display())
        })
    }

    fn graph(&self, model: &Model) -> Result<Vec<u8>> {
        let inputs = match self.inputs {
            Some(OnnxInputs::Matrix) => Inputs::Matrix,
            Some(OnnxInputs::Columns) | None => Inputs::Columns,
        };
        model.to_onnx(inputs).map_err(|error| match error {
            OnnxError::Text { .. } | OnnxError::Unnamed => anyhow!("{error} (`--inputs matrix`)"),
            OnnxError::Fit(_) => crate::model::fitted(model).err().unwrap_or_else(|| error.into()),
            _ => error.into(),
        })
    }
}
