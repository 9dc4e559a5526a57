//! Families whose columns depend on each other: how cells become codes, and how many counts of these there are.

use nb_core::error::LayoutError;
use nb_variants::{A2de, Aode, Aodesr, Hnb, Kdb, PairCounts, Tan, Waode};

use super::Family;

/// How many counts a family keeps that are of several columns at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeCounts {
    /// What a count is of: `pairs`, `three values` or `values with their parents`.
    pub of: &'static str,
    /// The number of those of a class.
    pub per_class: u64,
    /// The most that there may be of a class.
    pub most: u64,
    /// About how many bytes the counts of all classes take, with the tables that are fitted from them.
    pub bytes: u64,
}

impl Family {
    /// How cells become codes and are smoothed, if the family is one of those whose columns depend on each other. These keep counts of pairs
    /// of columns, or learn from them which columns they keep counts of.
    ///
    /// ```
    /// use nb_io::Registry;
    ///
    /// assert!(Registry::default().family("poisson")?.pair_counts().is_none());
    /// # Ok::<(), nb_io::RegistryError>(())
    /// ```
    pub fn pair_counts(&self) -> Option<&PairCounts> {
        match self {
            Self::Aode(Aode { counts, .. })
            | Self::Tan(Tan { counts })
            | Self::Hnb(Hnb { counts })
            | Self::Waode(Waode { counts })
            | Self::Aodesr(Aodesr { counts, .. })
            | Self::A2de(A2de { counts, .. }) => Some(counts),
            Self::Kdb(kdb) => Some(kdb.counts()),
            _ => None,
        }
    }

    /// The same family with other codes of its columns, if it is one that [has](Self::pair_counts) them.
    pub(crate) fn with_pair_counts(self, new: PairCounts) -> Result<Self, LayoutError> {
        Ok(match self {
            Self::Aode(own) => Self::Aode(Aode { counts: new, ..own }),
            Self::Tan(_) => Self::Tan(Tan { counts: new }),
            Self::Hnb(_) => Self::Hnb(Hnb { counts: new }),
            Self::Waode(_) => Self::Waode(Waode { counts: new }),
            Self::Aodesr(own) => Self::Aodesr(Aodesr { counts: new, ..own }),
            Self::A2de(own) => Self::A2de(A2de { counts: new, ..own }),
            Self::Kdb(own) => Self::Kdb(own.with_counts(new)?),
            other => other,
        })
    }

    /// For every part of the sums and every sum its place in those of the same family with other [codes](Self::pair_counts): `codes` has for each
    /// column the new number of every code, or none if they stay.
    pub(crate) fn code_places(&self, new: &Self, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        match (self, new) {
            (Self::A2de(own), Self::A2de(new)) => own.places_in(new, codes).into(),
            (Self::Kdb(own), Self::Kdb(new)) => own.places_in(new, codes),
            (own, new) => {
                let counts = own.pair_counts().zip(new.pair_counts());
                counts.map(|(own, new)| own.places_in(new, codes)).into_iter().collect()
            }
        }
    }

    /// How many counts of several columns at once the family keeps with this number of classes, if it is one that has them.
    ///
    /// ```
    /// use nb_io::Family;
    /// use nb_variants::{PairCounts, Tan};
    ///
    /// let counts = Family::from(Tan::new(PairCounts::new(vec![2, 3]))).code_counts(2).unwrap();
    /// assert_eq!((counts.of, counts.per_class), ("pairs", 15));
    /// ```
    pub fn code_counts(&self, n_classes: usize) -> Option<CodeCounts> {
        let (of, per_class, most, bytes) = match self {
            Self::A2de(own) => ("three values", own.n_triples(), A2de::MOST_TRIPLES, own.memory(n_classes)),
            Self::Kdb(own) => {
                ("values with their parents", own.n_counts(), Kdb::MOST_COUNTS, own.memory(n_classes))
            }
            other => {
                let counts = other.pair_counts()?;
                ("pairs", counts.n_pairs(), PairCounts::MOST_PAIRS, counts.memory(n_classes))
            }
        };
        Some(CodeCounts { of, per_class, most, bytes })
    }
}
