//! See `crates/nb-table/tests/read/exercise.rs`.
#![no_main]

#[expect(dead_code, reason = "every target uses one of the functions")]
#[path = "../../../nb-table/tests/read/exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::csv(bytes));
