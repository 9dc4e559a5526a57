//! The text set: messages with their term counts.

use crate::catalogue::{Group, Info, info};
use crate::embedded::csv_file;
use crate::error::{ContentError, DatasetError};
use crate::labels::Labels;
use crate::rows::{File, bad_value};

/// A loaded corpus. The counts are a sparse matrix in compressed rows: those of message `i` are
/// `values[indptr[i]..indptr[i + 1]]`, for the terms `indices[indptr[i]..indptr[i + 1]]`, which ascend.
#[derive(Debug, Clone, PartialEq)]
pub struct TextDataset {
    /// Where the data are from, how to cite them and what they contain.
    pub info: &'static Info,
    /// The messages.
    pub texts: Vec<String>,
    /// The terms, sorted as byte strings.
    pub vocabulary: Vec<String>,
    /// In how many messages each term occurs.
    pub document_frequency: Vec<usize>,
    /// The class names, sorted as byte strings.
    pub classes: Vec<String>,
    /// The class of each message, an index into [`classes`](Self::classes).
    pub labels: Vec<usize>,
    /// Where the counts of each message begin in [`values`](Self::values); one entry more than messages.
    pub indptr: Vec<usize>,
    /// The term of each count, an index into [`vocabulary`](Self::vocabulary).
    pub indices: Vec<usize>,
    /// The counts, none of which is 0.
    pub values: Vec<f64>,
}

/// Decompresses, verifies and parses the SMS corpus (`sms`).
///
/// ```
/// let sms = nb_datasets::load_text()?;
/// assert_eq!((sms.n_rows(), sms.n_terms()), (5_574, 8_709));
///
/// // The terms of the second message.
/// assert_eq!(sms.texts[1], "Ok lar... Joking wif u oni...");
/// let terms = &sms.indices[sms.indptr[1]..sms.indptr[2]];
/// let words: Vec<&str> = terms.iter().map(|&term| sms.vocabulary[term].as_str()).collect();
/// assert_eq!(words, ["joking", "lar", "ok", "oni", "wif"]);
/// # Ok::<(), nb_datasets::DatasetError>(())
/// ```
///
/// # Errors
///
/// Only if the crate was built from a damaged copy.
pub fn load_text() -> Result<TextDataset, DatasetError> {
    let info = info("sms")?;
    let files: Vec<Vec<u8>> = info.files.iter().map(|file| csv_file(&file.file)).collect::<Result<_, _>>()?;
    match files.as_slice() {
        [texts, labels, vocabulary, counts] => {
            TextDataset::from_csv(info, [texts, labels, vocabulary, counts])
        }
        _ => Err(DatasetError::NotText { set: info.name.clone() }),
    }
}

impl TextDataset {
    /// Parses the four CSV files of a corpus (messages, labels, vocabulary, counts: the order of
    /// [`Info::files`]), which must be those that `info` describes. Checksums and headers are verified, and
    /// that the files agree with the catalogue and with one another.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Checksum`] if a byte differs, [`DatasetError::Content`] if the content is not as
    /// described, and [`DatasetError::NotText`] if `info` describes a table.
    pub fn from_csv(info: &'static Info, files: [&[u8]; 4]) -> Result<Self, DatasetError> {
        let [text_file, label_file, term_file, count_file] = match info.files.as_slice() {
            [texts, labels, terms, counts] if info.group == Group::Text => {
                [texts, labels, terms, counts].map(|file| File::new(info, file))
            }
            _ => {
                return Err(DatasetError::NotText { set: info.name.clone() });
            }
        };
        let [text_csv, label_csv, term_csv, count_csv] = files;

        let labels = read_labels(info, label_file, label_csv)?;
        let texts = read_texts(text_file, text_csv, &labels)?;
        let (vocabulary, document_frequency) = read_vocabulary(term_file, term_csv)?;
        let counts = read_counts(count_file, count_csv, texts.len(), vocabulary.len())?;

        let mut frequency = vec![0; vocabulary.len()];
        for &term in &counts.indices {
            frequency[term] += 1;
        }
        if let Some(term) = (0..vocabulary.len()).find(|&term| frequency[term] != document_frequency[term]) {
            return count_file.content(Err(ContentError::DocumentFrequency {
                term: vocabulary[term].clone(),
                expected: document_frequency[term],
                found: frequency[term],
            }));
        }
        Ok(Self {
            info,
            texts,
            vocabulary,
            document_frequency,
            classes: labels.classes,
            labels: labels.rows,
            indptr: counts.indptr,
            indices: counts.indices,
            values: counts.values,
        })
    }

    /// The messages as one table in CSV, with the columns `label` and `message`.
    ///
    /// ```
    /// let csv = nb_datasets::load_text()?.to_csv();
    /// assert!(csv.starts_with("label,message\nham,\"Go until jurong point"));
    /// # Ok::<(), nb_datasets::DatasetError>(())
    /// ```
    pub fn to_csv(&self) -> String {
        let rows = self.labels.iter().zip(&self.texts);
        let rows =
            rows.map(|(&label, text)| format!("{},\"{}\"\n", self.classes[label], text.replace('"', "\"\"")));
        std::iter::once("label,message\n".to_owned()).chain(rows).collect()
    }

    /// The class name of each message.
    pub fn y(&self) -> Vec<&str> {
        self.labels.iter().map(|&label| self.classes[label].as_str()).collect()
    }

    /// Number of messages.
    pub fn n_rows(&self) -> usize {
        self.texts.len()
    }

    /// Number of terms.
    pub fn n_terms(&self) -> usize {
        self.vocabulary.len()
    }
}

fn read_labels<'a>(info: &'a Info, file: File, csv: &[u8]) -> Result<Labels<'a>, DatasetError> {
    let mut labels = Labels::new(info);
    file.for_each_row(csv, &["doc", "label"], |row, fields| {
        check_index(row, "doc", &fields[0])?;
        labels.push(row, &fields[1])
    })?;
    file.content(labels.check_counts())?;
    Ok(labels)
}

fn read_texts(file: File, csv: &[u8], labels: &Labels) -> Result<Vec<String>, DatasetError> {
    let mut texts = Vec::with_capacity(labels.rows.len());
    file.for_each_row(csv, &["doc", "label", "text"], |row, fields| {
        check_index(row, "doc", &fields[0])?;
        let label = labels.rows.get(row).map(|&label| labels.classes[label].as_str());
        if label != Some(&fields[1]) {
            return Err(bad_value(row, "label", &fields[1], "the label in the file of labels"));
        }
        texts.push(fields[2].to_owned());
        Ok(())
    })?;
    Ok(texts)
}

/// The terms and their document frequencies.
fn read_vocabulary(file: File, csv: &[u8]) -> Result<(Vec<String>, Vec<usize>), DatasetError> {
    let mut terms: Vec<String> = Vec::new();
    let mut frequencies = Vec::new();
    file.for_each_row(csv, &["term", "token", "document_frequency"], |row, fields| {
        check_index(row, "term", &fields[0])?;
        if terms.last().is_some_and(|last| last.as_str() >= &fields[1]) {
            return Err(bad_value(row, "token", &fields[1], "after the token before it in byte order"));
        }
        terms.push(fields[1].to_owned());
        frequencies.push(parse_index(row, "document_frequency", &fields[2])?);
        Ok(())
    })?;
    Ok((terms, frequencies))
}

/// A sparse matrix in compressed rows.
struct Counts {
    indptr: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
}

/// Reads triplets, which must ascend by document and then by term.
fn read_counts(file: File, csv: &[u8], documents: usize, terms: usize) -> Result<Counts, DatasetError> {
    let mut counts = Counts { indptr: vec![0], indices: Vec::new(), values: Vec::new() };
    file.for_each_row(csv, &["doc", "term", "count"], |row, fields| {
        let document = parse_index(row, "doc", &fields[0])?;
        let current = counts.indptr.len() - 1;
        if document >= documents || document < current {
            return Err(bad_value(row, "doc", &fields[0], "a document of the corpus in ascending order"));
        }
        // Close the rows before this one; documents without terms get empty rows.
        counts.indptr.resize(document + 1, counts.indices.len());

        let term = parse_index(row, "term", &fields[1])?;
        let last = counts.indices[counts.indptr[document]..].last();
        if term >= terms || last.is_some_and(|&last| last >= term) {
            return Err(bad_value(row, "term", &fields[1], "a term of the vocabulary in ascending order"));
        }
        let count = parse_index(row, "count", &fields[2])?;
        if count == 0 {
            return Err(bad_value(row, "count", &fields[2], "a positive count"));
        }
        counts.indices.push(term);
        counts.values.push(count as f64);
        Ok(())
    })?;
    counts.indptr.resize(documents + 1, counts.indices.len());
    Ok(counts)
}

fn parse_index(row: usize, column: &str, field: &str) -> Result<usize, ContentError> {
    field.parse().map_err(|_| bad_value(row, column, field, "a whole number, not negative"))
}

/// Checks a column that numbers the rows from 0.
fn check_index(row: usize, column: &str, field: &str) -> Result<(), ContentError> {
    if parse_index(row, column, field)? == row {
        Ok(())
    } else {
        Err(bad_value(row, column, field, "the number of the row"))
    }
}
