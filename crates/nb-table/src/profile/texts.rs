//! Texts: each counted while few are different, in sketches beyond that.

use std::collections::BTreeMap;

use super::{
    distinct_sketch::{DistinctSketch, hash_of_text},
    frequent::Frequent,
    table_profile::Distinct,
};

/// How many different texts are counted one by one, and how many bytes these have together.
const MOST_COUNTED: usize = 8192;
const MOST_BYTES: usize = 1 << 20;
/// Longer texts are not among the commonest that are named.
const LONGEST_NAMED: usize = 256;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Texts {
    Counted { counts: BTreeMap<String, u64>, bytes: usize },
    Sketched { distinct: Box<DistinctSketch>, frequent: Frequent<String> },
}

impl Default for Texts {
    fn default() -> Self {
        Self::Counted { counts: BTreeMap::new(), bytes: 0 }
    }
}

impl Texts {
    /// Adds a text that occurs `n` times.
    pub(super) fn add(&mut self, text: &str, n: u64) {
        match self {
            Self::Counted { counts, bytes } => {
                if let Some(count) = counts.get_mut(text) {
                    *count += n;
                    return;
                }
                if counts.len() < MOST_COUNTED && *bytes + text.len() <= MOST_BYTES {
                    *bytes += text.len();
                    counts.insert(text.into(), n);
                    return;
                }
                let counts = std::mem::take(counts);
                *self = Self::Sketched { distinct: Box::default(), frequent: Frequent::default() };
                for (text, &n) in &counts {
                    self.add(text, n);
                }
                self.add(text, n);
            }
            Self::Sketched { distinct, frequent } => {
                distinct.add(hash_of_text(text));
                if text.len() <= LONGEST_NAMED {
                    frequent.add(text, n);
                }
            }
        }
    }

    /// Adds all texts of another column.
    pub(super) fn merge(&mut self, other: &Self) {
        match other {
            Self::Counted { counts, .. } => {
                for (text, &n) in counts {
                    self.add(text, n);
                }
            }
            Self::Sketched { distinct, frequent } => {
                let mut all = (distinct.clone(), frequent.clone());
                match self {
                    Self::Sketched { distinct, frequent } => {
                        distinct.merge(&all.0);
                        frequent.merge(&all.1);
                    }
                    Self::Counted { counts, .. } => {
                        for (text, &n) in counts.iter() {
                            all.0.add(hash_of_text(text));
                            if text.len() <= LONGEST_NAMED {
                                all.1.add(text.as_str(), n);
                            }
                        }
                        *self = Self::Sketched { distinct: all.0, frequent: all.1 };
                    }
                }
            }
        }
    }

    /// How many are different.
    pub(super) fn distinct(&self) -> Distinct {
        match self {
            Self::Counted { counts, .. } => Distinct::exactly(counts.len() as u64),
            Self::Sketched { distinct, .. } => Distinct::about(distinct.estimate()),
        }
    }

    /// The commonest, how often each occurs, and by how much that may be too few.
    pub(super) fn commonest(&self, most: usize) -> (Vec<(String, u64)>, u64) {
        let (mut counts, error): (Vec<(&String, u64)>, u64) = match self {
            Self::Counted { counts, .. } => (counts.iter().map(|(text, &n)| (text, n)).collect(), 0),
            Self::Sketched { frequent, .. } => (frequent.counts().collect(), frequent.error()),
        };
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        (counts.into_iter().take(most).map(|(text, n)| (text.clone(), n)).collect(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_texts_are_counted_and_many_sketched() {
        let (mut one, mut other) = (Texts::default(), Texts::default());
        for i in 0..1_000 {
            one.add(if i % 4 == 0 { "a" } else { "b" }, 1);
        }
        assert_eq!((one.distinct(), one.commonest(1)), (Distinct::exactly(2), (vec![("b".into(), 750)], 0)));
        (0..30_000).for_each(|i| other.add(&format!("{i}"), 1));
        assert!(!other.distinct().is_exact && other.distinct().n.abs_diff(30_000) < 2_000);
        let mut all = one.clone();
        all.merge(&other);
        other.merge(&one);
        for texts in [all, other] {
            assert!(texts.distinct().n.abs_diff(30_002) < 2_000);
            let (commonest, error) = texts.commonest(1);
            assert!(commonest[0].0 == "b" && commonest[0].1 <= 750 && commonest[0].1 + error >= 750);
        }
    }

    #[test]
    fn long_texts_stay_within_the_memory() {
        let mut texts = Texts::default();
        for i in 0..100 {
            texts.add(&format!("{i}{}", "x".repeat(1 << 16)), 1);
        }
        assert!(matches!(texts, Texts::Sketched { .. }));
        assert!(texts.distinct().n.abs_diff(100) < 5);
    }
}
