//! Families whose columns depend on each other, and how their cells become codes.

use nb_core::error::LayoutError;
use nb_variants::{A2de, Aode, Aodesr, Hnb, PairCounts, Tan, Waode};

use super::Family;

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
}
