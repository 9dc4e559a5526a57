//! A scheduler and executors as processes of their own, and what becomes of queries when they are killed.

mod cut_files;
mod data;
mod failures;
mod processes;
mod same_bits;
