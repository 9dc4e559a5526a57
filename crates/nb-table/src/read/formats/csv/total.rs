//! Last rows with the sums of columns, as spreadsheets have them.

use std::collections::HashSet;

use crate::read::Place;

/// How many labels are kept: with more of them, one that is not among them tells nothing.
const MOST: usize = 1000;

/// A last row that looks like one of totals: its first cell is `Total`, `Totals` or `Sum`, in any case, and
/// its label is missing or that of no row before. It is a row like any other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TotalRow {
    /// Where it is.
    pub place: Place,
    /// Its first cell.
    pub first: String,
}

/// What is looked at to find such a row.
#[derive(Debug, Default)]
pub(super) struct TotalFinder {
    labels: HashSet<Vec<u8>>,
    last: Vec<u8>,
    found: Option<TotalRow>,
}

impl TotalFinder {
    /// Looks at the first cell and the label of the next row.
    pub(super) fn look(
        &mut self,
        first: &str,
        label: &[u8],
        is_missing: impl Fn() -> bool,
        place: impl Fn() -> Place,
    ) {
        let is_known = label == self.last.as_slice() || self.labels.contains(label);
        let is_total = ["total", "totals", "sum"].iter().any(|word| first.eq_ignore_ascii_case(word))
            && (is_missing() || (!is_known && self.labels.len() < MOST));
        self.found = is_total.then(|| TotalRow { place: place(), first: first.into() });
        if !is_known && self.labels.len() < MOST {
            self.labels.insert(label.into());
        }
        if label != self.last.as_slice() {
            self.last.clear();
            self.last.extend_from_slice(label);
        }
    }

    /// The last row, if it is one of totals below others.
    pub(super) fn finish(self) -> Option<TotalRow> {
        self.found.filter(|_| self.labels.len() > 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::read::{Csv, Overrides};

    #[test]
    fn a_last_row_of_totals_is_found() {
        let find = |rows: &str| {
            let text = format!("id,x,y\n{rows}");
            let inferred = Csv::default()
                .infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default())
                .unwrap();
            inferred.total_row.map(|row| format!("{}: {}", row.place, row.first))
        };
        for (last, found) in [
            ("Total,3,\n", Some("line 4: Total")),
            ("TOTALS,3,NA\n", Some("line 4: TOTALS")),
            ("sum,3,2\n", Some("line 4: sum")),
            // A row of a class, other words, and a row that others follow.
            ("total,3,a\n", None),
            ("summary,3,\n", None),
            ("Total,3,\nc,1,b\n", None),
        ] {
            assert_eq!(find(&format!("a,1,a\nb,2,b\n{last}")).as_deref(), found, "{last:?}");
        }
        assert_eq!(find("total,3,a\n"), None);
    }
}
