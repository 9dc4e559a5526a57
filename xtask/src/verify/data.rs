//! Check 1: every embedded data set is what the catalogue says.

use nb_datasets::{
    Dataset, DatasetError, Group as SetGroup, Info, TextDataset, catalogue, csv_file, sha256_hex,
};

use super::check::{Check, Group, Outcome, Problem};

/// Of more classes than these the table does not list the counts; they are compared all the same.
const LISTED_CLASSES: usize = 7;

/// One check a set: checksum, shape, class counts and missing cells.
pub(super) fn checks() -> Vec<Check> {
    let check = |info: &'static Info| {
        Check::new(Group::Data, format!("data: {}", info.name), "catalogue", move || {
            let files = info.files.iter().map(|file| csv_file(&file.file));
            verify(info, &files.collect::<Result<Vec<_>, _>>()?)
        })
    };
    catalogue().iter().map(check).collect()
}

/// Compares the files of a set with its description.
fn verify(info: &'static Info, files: &[Vec<u8>]) -> Result<Outcome, Problem> {
    let checksums = info.files.iter().zip(files);
    let wrong = checksums.filter(|(file, bytes)| sha256_hex(bytes) != file.sha256);
    let wrong: Vec<String> = wrong.map(|(file, _)| format!("{}: the checksum differs", file.file)).collect();
    let expected = Shape {
        n_rows: info.rows,
        n_columns: (info.group != SetGroup::Text).then_some(info.columns.len()),
        class_counts: info.classes.iter().map(|class| class.count).collect(),
        n_missing: info.missing_cells,
    };
    let (got, same) = match Shape::measure(info, files) {
        Ok(got) => (got.to_string(), got == expected),
        // Parsing looks at the checksum, too.
        Err(error @ DatasetError::Checksum { .. }) => (error.to_string(), false),
        Err(error) => return Err(error.into()),
    };
    Ok(Outcome::equal(expected.to_string(), got)
        .with_error(format!("{} of {} checksums differ", wrong.len(), info.files.len()))
        .and(wrong.is_empty(), wrong.join(", "))
        .and(same, "rows, columns, class counts or missing cells differ"))
}

/// The numbers that describe a set, counted in the parsed rows.
#[derive(PartialEq)]
struct Shape {
    n_rows: usize,
    /// `None` for a corpus, whose columns are the terms of its vocabulary.
    n_columns: Option<usize>,
    class_counts: Vec<usize>,
    n_missing: usize,
}

impl Shape {
    fn measure(info: &'static Info, files: &[Vec<u8>]) -> Result<Self, DatasetError> {
        if let [texts, labels, vocabulary, counts] = files {
            let set = TextDataset::from_csv(info, [texts, labels, vocabulary, counts])?;
            return Ok(Self {
                n_rows: set.n_rows(),
                n_columns: None,
                class_counts: count(&set.labels, set.classes.len()),
                n_missing: 0,
            });
        }
        let set = Dataset::from_csv(info, files.first().map_or(&[], Vec::as_slice))?;
        Ok(Self {
            n_rows: set.n_rows(),
            n_columns: Some(set.columns.len()),
            class_counts: count(&set.labels, set.classes.len()),
            n_missing: set.columns.iter().map(nb_datasets::Column::missing).sum(),
        })
    }
}

fn count(labels: &[usize], n_classes: usize) -> Vec<usize> {
    let mut counts = vec![0; n_classes];
    for &label in labels {
        counts[label] += 1;
    }
    counts
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.n_rows)?;
        if let Some(n_columns) = self.n_columns {
            write!(f, " x {n_columns}")?;
        }
        if self.class_counts.len() > LISTED_CLASSES {
            write!(f, ", {} classes", self.class_counts.len())?;
        } else {
            let counts: Vec<String> = self.class_counts.iter().map(ToString::to_string).collect();
            write!(f, ", {}", counts.join("/"))?;
        }
        write!(f, ", {} missing", self.n_missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iris(tamper: impl Fn(&mut Vec<u8>)) -> Outcome {
        let info = nb_datasets::info("iris").unwrap();
        let mut bytes = nb_datasets::csv("iris").unwrap();
        tamper(&mut bytes);
        verify(info, &[bytes]).unwrap()
    }

    #[test]
    fn a_tampered_set_fails() {
        assert!(iris(|_| {}).passed);
        let tampered = iris(|bytes| bytes[100] ^= 1);
        assert!(!tampered.passed);
        assert!(tampered.remarks[0].contains("checksum"), "{:?}", tampered.remarks);
        assert!(!iris(|bytes| bytes.truncate(500)).passed);
    }

    #[test]
    fn every_set_is_checked() {
        assert_eq!(checks().len(), catalogue().len());
    }
}
