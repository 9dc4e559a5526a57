//! The contenders of `cargo xtask bench --peers` that are written in Rust, and what the machine allows.
//!
//! ```text
//! nb-bench-peers generate FOLDER [--quick] [NAME...]   writes the data sets
//! nb-bench-peers serve CONTENDER FOLDER                answers commands on standard input with lines of JSON
//! nb-bench-peers growth FOLDER [--quick]               how our time grows, as SVG plots and a line of JSON
//! nb-bench-peers memory FOLDER                         what our fits and predictions need beyond input and output
//! ```

mod arrays;
mod data;
mod ferrolearn;
mod growth;
mod large_pages;
mod limits;
mod linfa_bayes;
mod memory;
mod ours;
mod plain;
mod plot;
mod scry;
mod serve;
mod smart;
mod task;
mod usage;

use std::{path::Path, process::ExitCode};

#[global_allocator]
static ALLOCATOR: large_pages::LargePages = large_pages::LargePages;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["generate", folder, ref rest @ ..] => {
            let names: Vec<String> =
                rest.iter().filter(|name| **name != "--quick").map(ToString::to_string).collect();
            data::generate(Path::new(folder), &names, rest.contains(&"--quick"))
                .map_err(|error| error.to_string())
        }
        ["serve", contender, folder] => serve::serve(contender, Path::new(folder)),
        ["growth", folder, ref rest @ ..] => growth::run(Path::new(folder), rest.contains(&"--quick")),
        ["memory", folder] => memory::run(Path::new(folder)),
        _ => {
            Err("usage: nb-bench-peers generate|serve|growth|memory ...; started by `cargo xtask bench`"
                .into())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
