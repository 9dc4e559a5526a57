//! How rows of tables come to learners: columns and labels, terms of texts, and sums that grow and shrink.

pub(in crate::method) mod parts;
pub(in crate::method) mod summed;
pub(in crate::method) mod terms;
