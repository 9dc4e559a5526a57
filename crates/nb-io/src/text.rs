//! Texts as rows of counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Column, Kind, Schema, SchemaError, read::SparseTable};

/// How a text becomes terms: maximal runs of letters and digits, as Unicode knows them. The terms that a model knows are
/// the names of its columns.
///
/// ```
/// use nb_io::Text;
///
/// let text = Text { column: "message".into(), lower_case: true, min_chars: 2 };
/// assert_eq!(text.terms("Ça va? 2 be or NOT 2 be."), ["ça", "va", "be", "or", "not", "be"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The column of a data file that holds the texts.
    pub column: String,
    /// Whether letters are made small first.
    pub lower_case: bool,
    /// Shorter terms, in characters, are left out.
    pub min_chars: usize,
}

impl Text {
    /// The terms of a text, in order.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
        let terms = runs.map(|run| if self.lower_case { run.to_lowercase() } else { run.to_owned() });
        terms.filter(|term| term.chars().count() >= self.min_chars).collect()
    }

    /// A schema for the terms that stand in at least `min_documents` of the texts, in the order of their names: one
    /// column of counts for each.
    ///
    /// # Errors
    /// [`SchemaError::NoColumns`] if there is no such term.
    pub fn learn<T: AsRef<str>>(
        self,
        texts: &[T],
        min_documents: usize,
        label: &str,
    ) -> Result<Schema, SchemaError> {
        let mut documents: BTreeMap<String, usize> = BTreeMap::new();
        for text in texts {
            for term in self.terms(text.as_ref()).into_iter().collect::<BTreeSet<_>>() {
                *documents.entry(term).or_default() += 1;
            }
        }
        let terms = documents.into_iter().filter(|&(_, n)| n >= min_documents);
        let columns = terms.map(|(name, _)| Column { name, kind: Kind::Count }).collect();
        let schema = Schema { columns, label: label.into(), text: Some(self) };
        schema.check()?;
        Ok(schema)
    }
}

impl Schema {
    /// The counts of this schema's terms in texts, `n_texts × n_columns`. Terms that it does not know are left out.
    ///
    /// ```
    /// use nb_io::Text;
    ///
    /// let text = Text { column: "message".into(), lower_case: true, min_chars: 2 };
    /// let schema = text.learn(&["win a prize", "see you", "you win, you win"], 1, "label")?;
    /// let counts = schema.count_terms(&["You! You win nothing"])?; // prize, see, win, you
    /// assert_eq!((counts.indices(), counts.values()), ([2, 3].as_slice(), [1.0, 2.0].as_slice()));
    /// # Ok::<(), nb_io::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError::NoText`] if the columns of the schema are not terms.
    pub fn count_terms<T: AsRef<str>>(&self, texts: &[T]) -> Result<SparseTable, SchemaError> {
        let text = self.text.as_ref().ok_or(SchemaError::NoText)?;
        let places: BTreeMap<&str, usize> =
            self.columns.iter().enumerate().map(|(place, column)| (column.name.as_str(), place)).collect();
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for document in texts {
            let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
            for term in text.terms(document.as_ref()) {
                if let Some(&place) = places.get(term.as_str()) {
                    *counts.entry(place).or_default() += 1.0;
                }
            }
            indices.extend(counts.keys());
            values.extend(counts.values());
            indptr.push(indices.len());
        }
        Ok(SparseTable::from_sorted(self.columns.len(), indptr, indices, values))
    }
}
