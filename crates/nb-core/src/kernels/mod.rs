//! Loops over plain tables of parameters: they know no family, no label and no error.

pub(crate) mod amortized;
pub(crate) mod by_class_vectors;
pub(crate) mod codes;
pub(crate) mod column_partitions;
pub(crate) mod gaussian;
pub(crate) mod linear;
pub(crate) mod zero_row;
