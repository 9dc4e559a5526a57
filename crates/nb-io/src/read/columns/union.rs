//! What two files together say of their columns.

use super::{Inference, Inferred, Reason};
use crate::{Kind, SchemaError};

impl Inferred {
    /// What this file and another one with the same columns, in the same order, say together.
    ///
    /// ```
    /// use nb_io::read::{Csv, Overrides};
    ///
    /// let infer = |text: &'static str| {
    ///     Csv::default().infer_from(|| Ok(text.as_bytes()), "rows", "y", &Overrides::default())
    /// };
    /// let (monday, tuesday) = (infer("x,y\n1.5,a\n1.5,b\n")?, infer("x,y\n2.5,a\n2.5,b\n")?);
    /// assert_eq!(monday.columns[0].reason.to_string(), "all values are 1.5");
    /// let both = monday.union(tuesday)?;
    /// assert_eq!((both.columns[0].reason.to_string(), both.n_rows), ("all cells are numbers".into(), 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError`] if a column has cells of different kinds.
    pub fn union(mut self, other: Self) -> Result<Self, SchemaError> {
        let mut other_schema = other.schema;
        // The hour may be a feature because of one file only.
        for (column, other) in self.schema.columns.iter_mut().zip(&mut other_schema.columns) {
            if let (Kind::Dates(parts), Kind::Dates(others)) = (&mut column.kind, &mut other.kind) {
                (*parts, *others) = (parts.union(*others), parts.union(*others));
            }
        }
        self.schema = self.schema.union(&other_schema)?;
        self.n_rows += other.n_rows;
        self.add_texts(other.texts)?;
        let columns = self.columns.iter_mut().zip(&self.schema.columns).zip(other.columns);
        for ((inference, column), other) in columns {
            match (&inference.reason, &other.reason) {
                (_, Reason::AllMissing) => {}
                (Reason::AllMissing, _) => {
                    (inference.reason, inference.few_values) = (other.reason, other.few_values);
                }
                _ => {
                    inference.reason = of_both(inference, &other, &column.kind);
                    inference.few_values = both(&inference.few_values, &other.few_values);
                }
            }
            inference.kind = column.kind.clone();
        }
        Ok(self)
    }
}

/// Why a column of two files together has its kind.
fn of_both(first: &Inference, second: &Inference, kind: &Kind) -> Reason {
    let n_levels = |kind: &Kind| match kind {
        Kind::Categorical { levels } => levels.len(),
        _ => 0,
    };
    match (first.reason.clone(), second.reason.clone()) {
        (
            Reason::MostlyNumeric { cells, texts, first },
            Reason::MostlyNumeric { cells: more, texts: more_texts, .. },
        ) => Reason::MostlyNumeric { cells: cells + more, texts: texts + more_texts, first },
        (Reason::Constant { value }, Reason::Constant { value: other }) if value == other => {
            Reason::Constant { value }
        }
        (Reason::Constant { .. }, Reason::Constant { .. }) if *kind == Kind::Numeric => Reason::AllNumbers,
        (Reason::Constant { .. }, Reason::Constant { .. }) => Reason::Text,
        (Reason::Constant { .. } | Reason::RowNumbers, other)
        | (Reason::AllNumbers, other @ (Reason::MostlyNumeric { .. } | Reason::MarkedNumbers { .. })) => {
            other
        }
        // A few whole numbers are identifiers beside many.
        (Reason::Identifier, Reason::AllNumbers) if second.few_values.is_empty() => Reason::AllNumbers,
        (Reason::AllNumbers, Reason::Identifier) if !first.few_values.is_empty() => Reason::Identifier,
        (Reason::ManyCategories { cells, .. }, Reason::ManyCategories { cells: more, .. }) => {
            many_categories(cells + more, n_levels(kind))
        }
        // How many cells of a few categories there are is not kept; at least one for each.
        (Reason::ManyCategories { cells, .. }, Reason::Text) => {
            many_categories(cells + n_levels(&second.kind), n_levels(kind))
        }
        (Reason::Text, Reason::ManyCategories { cells, .. }) => {
            many_categories(cells + n_levels(&first.kind), n_levels(kind))
        }
        (reason, _) => reason,
    }
}

fn many_categories(cells: usize, distinct: usize) -> Reason {
    if 2 * distinct >= cells { Reason::ManyCategories { cells, distinct } } else { Reason::Text }
}

/// The few values of two files together; none if they are many in either.
fn both(some: &[f64], others: &[f64]) -> Vec<f64> {
    if some.is_empty() || others.is_empty() {
        return Vec::new();
    }
    let mut values = [some, others].concat();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
