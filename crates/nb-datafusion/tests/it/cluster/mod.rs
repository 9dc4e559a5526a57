//! A scheduler and executors as processes of their own, and what becomes of queries when they are killed.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "times, and what processes said, belong to the output"
)]

mod as_nbayes;
mod cut_files;
mod data;
mod failures;
mod library;
mod processes;
mod same_bits;
mod text_files;
