//! Noised sums as serde sees them: checked when they are read.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{Column, Design, NoisedSums, Spent};

/// Beyond these a text was not written by anybody who released sums: the noise of the smallest budget has a
/// variance below 2^78.
const LARGEST_VARIANCE: f64 = 1e40;
const LARGEST_SUM: u64 = 1 << 62;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Stored<L> {
    classes: Vec<L>,
    columns: Vec<Column>,
    sums: Vec<Vec<i64>>,
    variances: Vec<f64>,
    spent: Spent,
    /// Each in two halves, which all formats have room for.
    releases: Vec<[u64; 2]>,
}

impl<L: Clone + Serialize> Serialize for NoisedSums<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let halves = |&release: &u128| [(release >> 64) as u64, release as u64];
        let stored = Stored {
            classes: self.design.classes.clone(),
            columns: self.design.columns.clone(),
            sums: self.sums.clone(),
            variances: self.variances.clone(),
            spent: self.spent,
            releases: self.releases.iter().map(halves).collect(),
        };
        stored.serialize(serializer)
    }
}

impl<'de, L: Ord + Clone + Deserialize<'de>> Deserialize<'de> for NoisedSums<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { classes, columns, sums, variances, spent, releases } =
            Stored::<L>::deserialize(deserializer)?;
        if !classes.is_sorted() {
            return Err(D::Error::custom("the classes are not sorted, so that the sums of some are others'"));
        }
        let design = Design::new(classes, columns).map_err(D::Error::custom)?;
        let n_sums = design.n_sums();
        if sums.len() != design.classes.len() || sums.iter().any(|class| class.len() != n_sums) {
            return Err(D::Error::custom(format!(
                "there must be {} lists of {n_sums} sums each",
                design.classes.len()
            )));
        }
        if let Some(sum) = sums.iter().flatten().find(|sum| sum.unsigned_abs() > LARGEST_SUM) {
            return Err(D::Error::custom(format!(
                "a sum is {sum}; it must be at most 2^62 in absolute value"
            )));
        }
        if variances.len() != n_sums || !variances.iter().all(|v| *v > 0.0 && *v <= LARGEST_VARIANCE) {
            return Err(D::Error::custom(format!(
                "there must be {n_sums} variances of noise, above 0 and at most 1e40"
            )));
        }
        if releases.is_empty() {
            return Err(D::Error::custom("there is no release, so that the same rows could be merged twice"));
        }
        if ![spent.epsilon, spent.rho].iter().all(|part| part.is_finite() && *part >= 0.0) {
            return Err(D::Error::custom("what was spent is not finite, or negative"));
        }
        let whole = |[high, low]: [u64; 2]| u128::from(high) << 64 | u128::from(low);
        Ok(Self { design, sums, variances, spent, releases: releases.into_iter().map(whole).collect() })
    }
}
