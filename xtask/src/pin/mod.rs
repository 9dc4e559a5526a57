//! `cargo xtask pin`: the bits of every family over every type of input, in one file.
//!
//! A test that compares a fast way with a slow one is blind to a change of both. Here the answers themselves
//! are stored, as hashes: models, scores, posteriors, labels and explanations, over real tables and hard
//! ones. They must be the same with every instruction set, so that the file has one value for all of them.

mod answers;
mod family;
mod file;
mod form;
mod hash;
mod real;
mod synthetic;
mod table;

use std::{collections::BTreeMap, sync::Mutex};

use nb_core::simd::InstructionSet;

use answers::Pin;
use file::Pins;
use form::Form;
use table::Table;

use crate::bench::root;

/// Where the pins are, from the root of the repository.
const FILE: &str = "xtask/testdata/pins.txt";

/// The option that compares instead of writing.
pub(crate) const CHECK: &str = "--check";

/// Computes all pins with every instruction set that the processor has, and compares them with the file, or
/// writes it.
///
/// # Errors
/// Which lines differ between two sets or from the file, or why there are no pins.
pub(crate) fn run(check: bool, print: &mut dyn FnMut(&str)) -> Result<(), String> {
    let (available, lacking): (Vec<InstructionSet>, Vec<InstructionSet>) =
        InstructionSet::ALL.into_iter().partition(|set| set.is_available());
    print(&format!("pinned with {available:?}; this processor lacks {lacking:?}"));
    let mut tables = real::tables()?;
    tables.extend(synthetic::tables());
    let mut pins: Option<Pins> = None;
    for &set in &available {
        let found = compute(&tables, set)?;
        match &pins {
            None => pins = Some(found),
            Some(first) => report(
                &first.differences(&found),
                &format!(
                    "{:?} and {set:?} give different bits, which must not depend on the instructions",
                    available[0]
                ),
            )?,
        }
    }
    let pins = pins.ok_or("there is no instruction set")?;
    let path = root().join(FILE);
    if !check {
        std::fs::write(&path, pins.to_text()).map_err(|error| format!("{FILE}: {error}"))?;
        print(&format!("{FILE} holds {} pins now", pins.len()));
        return Ok(());
    }
    let stored = std::fs::read_to_string(&path).map_err(|error| format!("{FILE}: {error}"))?;
    let stored = Pins::parse(&stored).map_err(|error| format!("{FILE}: {error}"))?;
    report(
        &stored.differences(&pins),
        &format!(
            "bits are no longer those of {FILE}; if that is meant, say why and store them by `cargo xtask pin`"
        ),
    )?;
    print(&format!("{} pins are as stored", pins.len()));
    Ok(())
}

/// An error that lists differences, if there are any.
fn report(differences: &[String], what: &str) -> Result<(), String> {
    /// More are counted and not listed.
    const LISTED: usize = 50;
    if differences.is_empty() {
        return Ok(());
    }
    let listed = &differences[..differences.len().min(LISTED)];
    let more = match differences.len() - listed.len() {
        0 => String::new(),
        more => format!("\n... and {more} more"),
    };
    Err(format!("{what}:\n{}{more}", listed.join("\n")))
}

/// The pins of all tables, with one set of instructions. Each thread takes the next table that is left.
fn compute(tables: &[Table], set: InstructionSet) -> Result<Pins, String> {
    let next = Mutex::new(tables.iter());
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<BTreeMap<file::Key, Pin>, String> {
        let mut pins = BTreeMap::new();
        loop {
            let table = next.lock().map_err(|_| "a thread failed")?.next();
            let Some(table) = table else { return Ok(pins) };
            pins.extend(set.with(|| of_table(table))?);
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let mut all = BTreeMap::new();
        for thread in threads {
            all.extend(thread.join().map_err(|_| "a thread failed")??);
        }
        Ok(Pins(all))
    })
}

/// The pins of a table: every family, every type of input that can hold its cells.
fn of_table(table: &Table) -> Result<BTreeMap<file::Key, Pin>, String> {
    let mut pins = BTreeMap::new();
    for form in Form::ALL {
        let (Some(train), Some(all)) = (form.store(&table.train), form.store(&table.all)) else { continue };
        for (family, model) in family::families(table) {
            let key = file::Key { table: table.name.clone(), family: family.into(), form };
            let pin =
                answers::pin(model, table, form, &train, &all).map_err(|error| format!("{key}: {error}"))?;
            pins.insert(key, pin);
        }
    }
    Ok(pins)
}
