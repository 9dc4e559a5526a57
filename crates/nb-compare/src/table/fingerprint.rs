//! A checksum of the contents of a table.

use nb_io::text::Corpus;

use super::texts;
use crate::{Features, Kind, Table};

impl Table {
    /// The SHA-256 checksum of all that a method can see: columns, cells, classes and labels, and of what is
    /// said of splits and protected groups, but not of the name. Tables
    /// with the same one have the same splits and give the same results.
    pub fn fingerprint(&self) -> String {
        self.checksum(texts::write, true)
    }

    /// The same without terms, from which random splits follow: how texts become terms changes no split.
    pub(crate) fn split_key(&self) -> String {
        self.checksum(|texts, bytes| bytes.extend((texts.len() as u64).to_le_bytes()), false)
    }

    fn checksum(&self, write_texts: impl Fn(&Corpus, &mut Vec<u8>), with_protected: bool) -> String {
        let mut bytes = Vec::new();
        text(&mut bytes, &self.classes.len().to_string());
        for class in &self.classes {
            text(&mut bytes, class);
        }
        match &self.features {
            Features::Columns { columns, x } => {
                text(&mut bytes, &columns.len().to_string());
                for column in columns {
                    text(&mut bytes, &column.name);
                    write_kind(&column.kind, &write_texts, &mut bytes);
                }
                // All missing cells are alike, whatever the bits of their NaN.
                let bits = |cell: &f64| if cell.is_nan() { f64::NAN.to_bits() } else { cell.to_bits() };
                bytes.extend(x.iter().flat_map(|cell| bits(cell).to_le_bytes()));
            }
            Features::Documents(documents) => documents.write(&mut bytes),
        }
        bytes.extend(self.labels.iter().flat_map(|&label| (label as u64).to_le_bytes()));
        bytes.extend(self.dealing.bytes());
        if let Some(protected) = self.protected.as_ref().filter(|_| with_protected) {
            bytes.extend(protected.bytes());
        }
        nb_datasets::sha256_hex(&bytes)
    }
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn write_kind(kind: &Kind, write_texts: &impl Fn(&Corpus, &mut Vec<u8>), bytes: &mut Vec<u8>) {
    match kind {
        Kind::Numeric => text(bytes, "numeric"),
        Kind::Count => text(bytes, "count"),
        Kind::Categorical { levels } => {
            text(bytes, "categorical");
            text(bytes, &levels.len().to_string());
            for level in levels {
                text(bytes, level);
            }
        }
        Kind::Text { texts } => {
            text(bytes, "text");
            write_texts(texts, bytes);
        }
    }
}
