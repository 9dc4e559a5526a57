//! The labels that stood in the last rows.

use crate::read::ReadError;

/// How many labels are kept.
const MOST: usize = 8;
/// Longer ones are not kept.
const LONGEST: usize = 64;

/// The last few different labels, each with the bytes of its field: most rows have one of them, and then its
/// encoding, its spaces and its meaning need not be looked at again.
#[derive(Debug, Default)]
pub(super) struct LastLabels {
    labels: Vec<(Vec<u8>, String)>,
    /// The one to be forgotten next.
    oldest: usize,
}

impl LastLabels {
    /// The label that the bytes of a field spell; `read` is called only if it is not one of the latest.
    pub(super) fn label<'a>(
        &'a mut self,
        bytes: &[u8],
        read: impl FnOnce() -> Result<&'a str, ReadError>,
    ) -> Result<&'a str, ReadError> {
        if let Some(known) = self.labels.iter().position(|(known, _)| known == bytes) {
            return Ok(&self.labels[known].1);
        }
        let label = read()?;
        if bytes.len() <= LONGEST {
            let known = (bytes.to_vec(), label.to_owned());
            if self.labels.len() < MOST {
                self.labels.push(known);
            } else {
                self.labels[self.oldest] = known;
                self.oldest = (self.oldest + 1) % MOST;
            }
        }
        Ok(label)
    }
}
