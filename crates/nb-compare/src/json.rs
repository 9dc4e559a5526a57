//! Numbers in JSON, which has no infinity: infinite ones are written as the texts `inf` and `-inf`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of JSON, or a text for what JSON has no number for.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Infinite(String),
}

impl Number {
    fn new(value: f64) -> Self {
        if value.is_finite() { Self::Finite(value) } else { Self::Infinite(value.to_string()) }
    }

    fn value(self) -> Result<f64, String> {
        match self {
            Self::Finite(value) => Ok(value),
            Self::Infinite(text) => match text.as_str() {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                _ => Err(format!("`{text}` is no number; write a number, \"inf\" or \"-inf\"")),
            },
        }
    }
}

/// For fields that are arrays of numbers that may not exist.
pub(crate) mod numbers {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, const N: usize>(
        values: &[Option<f64>; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let numbers: Vec<Option<Number>> = values.iter().map(|value| value.map(Number::new)).collect();
        numbers.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[Option<f64>; N], D::Error> {
        let numbers = Vec::<Option<Number>>::deserialize(deserializer)?;
        let values: Result<Vec<Option<f64>>, String> =
            numbers.into_iter().map(|number| number.map(Number::value).transpose()).collect();
        let values = values.map_err(serde::de::Error::custom)?;
        let found = values.len();
        values.try_into().map_err(|_| serde::de::Error::invalid_length(found, &"one number for each measure"))
    }
}

/// For fields that are numbers, as many as there are.
pub(crate) mod list {
    use super::{Deserialize, Deserializer, Number, Serializer};

    pub(crate) fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().copied().map(Number::new))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let numbers = Vec::<Number>::deserialize(deserializer)?;
        numbers.into_iter().map(Number::value).collect::<Result<_, _>>().map_err(serde::de::Error::custom)
    }
}

/// For fields that are one number.
pub(crate) mod number {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Number::new(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Number::deserialize(deserializer)?.value().map_err(serde::de::Error::custom)
    }
}
