//! `nbayes convert`: a model in another format.

use std::{io::Write, path::PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;

use super::load;
use crate::{
    failure::usage,
    output::{Replacement, Screen},
};

/// Convert a model to another format: binary, JSON (both can be loaded again) or ONNX (for prediction only).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes convert model.nb model.json\n  nbayes convert model.nb model.onnx"
)]
pub(crate) struct Convert {
    /// The model.
    model: PathBuf,
    /// The file to write: `.nb`, `.json` or `.onnx`.
    output: PathBuf,
    /// The format [default: from the file name].
    #[arg(long, value_enum)]
    to: Option<To>,
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
        let model = load(&self.model)?;
        match format {
            To::Binary => model.save(&self.output)?,
            To::Json => model.save_json(&self.output)?,
            To::Onnx => {
                let bytes = model.to_onnx()?;
                let mut file = Replacement::new(&self.output)?;
                file.write_all(&bytes).with_context(|| format!("cannot write {}", self.output.display()))?;
                file.finish()?;
            }
        }
        screen
            .show(&Converted { output: &self.output, format }, || format!("wrote {}", self.output.display()))
    }
}
