//! Which terms a model knows, and where they stand.

use super::TextError;
use crate::hash::fnv_1a;

/// The most terms of a column: each costs a sum in every class.
pub const MOST_TERMS: usize = 1 << 22;

/// The terms of a column of texts: the columns of the model that it spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terms {
    /// These, in the order of their names (as UTF-8 byte strings). Others are left out.
    Vocabulary(Vec<String>),
    /// All, each in the bucket that [`bucket`] says; terms in the same bucket are not told apart. Nothing is
    /// learnt, so that memory is bounded, and models of different files merge as they are.
    Hashed {
        /// How many buckets there are, at most [`MOST_TERMS`].
        buckets: u32,
    },
}

impl Terms {
    /// The number of terms or buckets.
    ///
    /// ```
    /// assert_eq!(nb_table::text::Terms::Hashed { buckets: 8 }.len(), 8);
    /// ```
    pub fn len(&self) -> usize {
        match self {
            Self::Vocabulary(terms) => terms.len(),
            Self::Hashed { buckets } => *buckets as usize,
        }
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(nb_table::text::Terms::Vocabulary(Vec::new()).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a term is called: itself, or `#17` if it is bucket 17; nothing if there are fewer.
    ///
    /// ```
    /// assert_eq!(nb_table::text::Terms::Hashed { buckets: 8 }.name(7).as_deref(), Some("#7"));
    /// ```
    pub fn name(&self, place: usize) -> Option<String> {
        match self {
            Self::Vocabulary(terms) => terms.get(place).cloned(),
            Self::Hashed { buckets } => (place < *buckets as usize).then(|| format!("#{place}")),
        }
    }

    pub(super) fn check(&self) -> Result<(), TextError> {
        match self {
            Self::Vocabulary(terms) if terms.is_empty() => Err(TextError::EmptyVocabulary),
            Self::Vocabulary(terms) => match terms.windows(2).find(|pair| pair[0] >= pair[1]) {
                Some(pair) => Err(TextError::Order { term: pair[1].clone() }),
                None => Ok(()),
            },
            Self::Hashed { buckets } if *buckets == 0 || *buckets as usize > MOST_TERMS => {
                Err(TextError::Buckets { buckets: *buckets })
            }
            Self::Hashed { .. } => Ok(()),
        }
    }
}

/// The bucket of a term: FNV-1a, 64 bits, over its UTF-8 bytes (Fowler, Noll and Vo, RFC 9923), the upper 32
/// bits of it exclusive-or the lower 32 bits, modulo the number of buckets. The same on every machine and in
/// every version.
///
/// ```
/// use nb_table::text::bucket;
///
/// assert_eq!(bucket("free", 1 << 18), 177_507);
/// ```
pub fn bucket(term: &str, buckets: u32) -> usize {
    let hash = fnv_1a(term.as_bytes());
    let folded = (hash >> 32) as u32 ^ hash as u32;
    folded.checked_rem(buckets).map_or(0, |bucket| bucket as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes are those of the test vectors of the algorithm.
    #[test]
    fn hashes_never_change() {
        for (term, hash) in [
            ("", 0xCBF2_9CE4_8422_2325),
            ("a", 0xAF63_DC4C_8601_EC8C),
            ("b", 0xAF63_DF4C_8601_F1A5),
            ("foobar", 0x8594_4171_F739_67E8),
        ] {
            assert_eq!(fnv_1a(term.as_bytes()), hash, "{term}");
        }
        assert_eq!(bucket("foobar", 1 << 20), ((0x8594_4171_u32 ^ 0xF739_67E8) % (1 << 20)) as usize);
        assert_eq!(bucket("x", 0), 0);
    }

    #[test]
    fn terms_have_names() {
        let vocabulary = Terms::Vocabulary(vec!["a".into(), "b".into()]);
        assert_eq!((vocabulary.len(), vocabulary.name(1), vocabulary.name(2)), (2, Some("b".into()), None));
        let hashed = Terms::Hashed { buckets: 20 };
        assert_eq!((hashed.len(), hashed.name(17), hashed.name(20)), (20, Some("#17".into()), None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let vocabulary =
            |terms: &[&str]| Terms::Vocabulary(terms.iter().map(|&term| term.into()).collect()).check();
        assert_eq!(vocabulary(&["a", "b", "é"]), Ok(()));
        assert_eq!(vocabulary(&[]), Err(TextError::EmptyVocabulary));
        assert_eq!(vocabulary(&["a", "c", "b"]), Err(TextError::Order { term: "b".into() }));
        assert_eq!(vocabulary(&["a", "a"]), Err(TextError::Order { term: "a".into() }));
        for buckets in [0, u32::MAX] {
            assert_eq!(Terms::Hashed { buckets }.check(), Err(TextError::Buckets { buckets }));
        }
    }
}
