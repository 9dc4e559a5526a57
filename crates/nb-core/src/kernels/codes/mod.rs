//! Codes of one byte: counted, and looked up in tables of logarithms.

pub(crate) mod column;
pub(crate) mod histogram;
pub(crate) mod lookup;
pub(crate) mod registers;
