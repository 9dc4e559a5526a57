//! Queries word for word, and results of queries that cannot be right. (Real engines are asked by the tests
//! of nbayes.)

mod import;
mod predict;
mod queries;
