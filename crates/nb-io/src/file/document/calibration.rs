//! Calibration maps on the wire.

use std::fmt;

use nb_calibration::{FittedIsotonic, IsotonicStep};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use crate::{HeldOutMeasures, ModelCalibration};

/// The first version of the format that has calibration maps.
pub(in crate::file) const CALIBRATION_VERSION: u16 = 11;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct CalibrationDocument {
    classes: Vec<String>,
    maps: Vec<Vec<StepDocument>>,
    n_rows: u64,
    held_out: HeldOutMeasures,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StepDocument {
    first: LogOdds,
    last: LogOdds,
    probability: f64,
}

/// A double that may be infinite, which is a text in JSON, as that has no such numbers.
#[derive(Clone, Copy, Debug)]
struct LogOdds(f64);

const INFINITIES: [(f64, &str); 2] = [(f64::NEG_INFINITY, "-infinity"), (f64::INFINITY, "infinity")];

impl Serialize for LogOdds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match INFINITIES.iter().find(|(value, _)| *value == self.0) {
            Some((_, text)) if serializer.is_human_readable() => serializer.serialize_str(text),
            _ => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for LogOdds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(NumberOrText)
        } else {
            f64::deserialize(deserializer).map(Self)
        }
    }
}

struct NumberOrText;

impl Visitor<'_> for NumberOrText {
    type Value = LogOdds;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"-infinity\" or \"infinity\"")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<LogOdds, E> {
        Ok(LogOdds(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<LogOdds, E> {
        Ok(LogOdds(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<LogOdds, E> {
        Ok(LogOdds(value as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LogOdds, E> {
        let found = INFINITIES.iter().find(|(_, name)| *name == text);
        found
            .map(|(value, _)| LogOdds(*value))
            .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

impl CalibrationDocument {
    pub(super) fn of(calibration: &ModelCalibration) -> Self {
        let step = |step: &IsotonicStep| StepDocument {
            first: LogOdds(step.first),
            last: LogOdds(step.last),
            probability: step.probability,
        };
        let maps = calibration.map().steps().iter().map(|steps| steps.iter().map(step).collect());
        Self {
            classes: calibration.classes().to_vec(),
            maps: maps.collect(),
            n_rows: calibration.n_rows(),
            held_out: *calibration.held_out(),
        }
    }

    pub(super) fn into_calibration(self) -> Result<ModelCalibration, String> {
        let step = |step: StepDocument| IsotonicStep {
            first: step.first.0,
            last: step.last.0,
            probability: step.probability,
        };
        let maps = self.maps.into_iter().map(|steps| steps.into_iter().map(step).collect());
        let map = FittedIsotonic::from_steps(self.classes.len(), maps.collect())
            .map_err(|error| error.to_string())?;
        ModelCalibration::new(self.classes, map, self.n_rows, self.held_out)
            .map_err(|error| error.to_string())
    }
}
