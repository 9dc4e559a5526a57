//! What nb-io promises, tested through its public interface.

mod algebra;
mod any_size;
mod calibration;
mod crash;
mod damage;
mod decision;
mod encode;
mod errors;
mod examples;
mod family;
mod fixtures;
mod grouped;
mod learnt;
mod onnx;
mod permissions;
#[cfg(feature = "csv")]
mod profile;
mod python;
mod refinement;
mod registry;
mod round_trip;
#[cfg(feature = "npy")]
mod sklearn;
mod sparse;
mod strangers;
mod text;
mod together;
mod tuning;
