//! Classic classification data sets, embedded in the crate and checked on loading.
//!
//! Each set comes with its source, licence, citation and SHA-256 checksum ([`Info`]), typed columns and class
//! names. Nothing is fetched: the compressed CSV files (2.8 MB) are part of the binary. Three groups exist:
//!
//! - [`Group::Classic`]: tables such as `iris`, `mushroom` and `adult`, loaded with [`load`];
//! - [`Group::Text`]: the SMS spam corpus as messages and term counts, loaded with [`load_text`];
//! - [`Group::Hard`]: small synthetic tables on which careless arithmetic fails, with a split into training
//!   and test rows, loaded with [`load`] too.
//!
//! ```
//! let iris = nb_datasets::load("iris")?;
//! assert_eq!((iris.n_rows(), iris.n_features()), (150, 4));
//! assert_eq!(iris.x()[[0, 0]], 5.1);
//! assert_eq!(iris.y()[0], "setosa");
//! println!("{}\n{}", iris.info.citation, iris.info.licence);
//! # Ok::<(), nb_datasets::DatasetError>(())
//! ```
//!
//! Before a set is returned, its bytes are compared with the checksum in the catalogue, and its header,
//! cells, row count, class counts and number of missing cells with the description there. Numbers are the
//! doubles nearest to the decimals in the file.

mod catalogue;
mod checksum;
mod column;
mod dataset;
mod embedded;
mod error;
mod labels;
mod nearest;
mod rows;
mod text;

pub use catalogue::{ClassInfo, ColumnInfo, ColumnKind, FileInfo, Group, Info, catalogue, info};
pub use checksum::sha256_hex;
pub use column::{Column, Values};
pub use dataset::{Dataset, Part, load};
pub use embedded::{csv, csv_file};
pub use error::{ContentError, DatasetError};
pub use text::{TextDataset, load_text};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
