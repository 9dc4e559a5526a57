//! The compressed files, which are part of the binary.

use std::io::Read as _;

use flate2::read::GzDecoder;

use crate::catalogue::info;
use crate::error::DatasetError;
use crate::nearest::nearest;

/// Pairs each file name with the content of that file below `data`.
macro_rules! embed {
    ($($file:literal,)*) => {
        &[$(($file, include_bytes!(concat!("../data/", $file)))),*]
    };
}

/// File name, gzip bytes.
static FILES: &[(&str, &[u8])] = embed![
    "sets/adult.csv.gz",
    "sets/boston.csv.gz",
    "sets/breast_cancer.csv.gz",
    "sets/breast_cancer_ljubljana.csv.gz",
    "sets/digits.csv.gz",
    "sets/housevotes84.csv.gz",
    "sets/iir_china.csv.gz",
    "sets/ionosphere.csv.gz",
    "sets/iris.csv.gz",
    "sets/lenses.csv.gz",
    "sets/letter.csv.gz",
    "sets/liver.csv.gz",
    "sets/lymphography.csv.gz",
    "sets/mushroom.csv.gz",
    "sets/optdigits_01.csv.gz",
    "sets/optdigits_23.csv.gz",
    "sets/pima.csv.gz",
    "sets/pima2.csv.gz",
    "sets/playtennis.csv.gz",
    "sets/promoters.csv.gz",
    "sets/shuttle.csv.gz",
    "sets/sick.csv.gz",
    "sets/sms_counts.csv.gz",
    "sets/sms_labels.csv.gz",
    "sets/sms_text.csv.gz",
    "sets/sms_vocab.csv.gz",
    "sets/sonar.csv.gz",
    "sets/soybean.csv.gz",
    "sets/spam.csv.gz",
    "sets/titanic.csv.gz",
    "sets/wine.csv.gz",
    "sets/zoo.csv.gz",
    "hard/bernoulli_near_one.csv.gz",
    "hard/constant_feature.csv.gz",
    "hard/constant_in_one_class.csv.gz",
    "hard/counts_1e6.csv.gz",
    "hard/imbalance_1e5.csv.gz",
    "hard/integer_weights.csv.gz",
    "hard/many_categories.csv.gz",
    "hard/many_classes.csv.gz",
    "hard/missing_cells.csv.gz",
    "hard/missing_whole_class.csv.gz",
    "hard/mixed_scales.csv.gz",
    "hard/near_ties.csv.gz",
    "hard/offset_1e9.csv.gz",
    "hard/outlier_test_rows.csv.gz",
    "hard/outlier_train_row.csv.gz",
    "hard/single_row_class.csv.gz",
    "hard/subnormal_values.csv.gz",
    "hard/subnormal_variance.csv.gz",
    "hard/sum_overflow.csv.gz",
    "hard/ulp_spread.csv.gz",
    "hard/variance_1e-30.csv.gz",
    "hard/variance_overflow.csv.gz",
    "hard/wide_binary.csv.gz",
    "hard/wide_gaussian.csv.gz",
    "hard/zero_counts.csv.gz",
];

/// The decompressed bytes of the (first) file of a data set. Their checksum is *not* verified; that is done
/// by [`Dataset::from_csv`](crate::Dataset::from_csv) and
/// [`TextDataset::from_csv`](crate::TextDataset::from_csv).
///
/// ```
/// let bytes = nb_datasets::csv("iris")?;
/// assert!(bytes.starts_with(b"sepal_length_cm,sepal_width_cm,petal_length_cm,petal_width_cm,species\n"));
/// # Ok::<(), nb_datasets::DatasetError>(())
/// ```
///
/// # Errors
///
/// [`DatasetError::UnknownSet`] if there is no set of this name.
pub fn csv(name: &str) -> Result<Vec<u8>, DatasetError> {
    let info = info(name)?;
    csv_file(info.files.first().map_or("", |file| &file.file))
}

/// The decompressed bytes of a file by the name that [`Info::files`](crate::Info::files) gives. Their
/// checksum is *not* verified.
///
/// ```
/// let bytes = nb_datasets::csv_file("sets/sms_vocab.csv.gz")?;
/// assert!(bytes.starts_with(b"term,token,document_frequency\n"));
/// # Ok::<(), nb_datasets::DatasetError>(())
/// ```
///
/// # Errors
///
/// [`DatasetError::UnknownFile`] with the nearest existing name, and [`DatasetError::Decompress`] if the
/// crate was built from a damaged copy.
pub fn csv_file(file: &str) -> Result<Vec<u8>, DatasetError> {
    let Some((_, packed)) = FILES.iter().find(|(name, _)| *name == file) else {
        let nearest = nearest(file, FILES.iter().map(|(name, _)| *name));
        return Err(DatasetError::UnknownFile { file: file.to_owned(), nearest });
    };
    unpack(file, packed)
}

fn unpack(file: &str, packed: &[u8]) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed)
        .read_to_end(&mut bytes)
        .map_err(|error| DatasetError::Decompress { file: file.to_owned(), reason: error.to_string() })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{FILES, unpack};
    use crate::catalogue::catalogue;
    use crate::error::DatasetError;

    #[test]
    fn exactly_the_files_of_the_catalogue_are_embedded() {
        let mut listed: Vec<&str> =
            catalogue().iter().flat_map(|set| &set.files).map(|file| file.file.as_str()).collect();
        let mut embedded: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        listed.sort_unstable();
        embedded.sort_unstable();
        assert_eq!(listed, embedded);
    }

    #[test]
    fn embedded_files_stay_small() {
        let total: usize = FILES.iter().map(|(_, packed)| packed.len()).sum();
        assert!(total < 3_200_000, "{total} bytes");
    }

    #[test]
    fn a_truncated_file_is_an_error() {
        let (name, packed) = FILES[0];
        let error = unpack(name, &packed[..packed.len() / 2]).unwrap_err();
        assert!(matches!(&error, DatasetError::Decompress { file, .. } if file == name), "{error}");
    }
}
