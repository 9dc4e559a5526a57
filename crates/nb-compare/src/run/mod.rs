//! Carrying a design out: all units, on all threads.

mod journal;
mod tested;
mod unit;

use std::{collections::BTreeSet, num::NonZeroUsize, ops::ControlFlow};

pub use journal::{Journal, JournalError};
pub(crate) use tested::Tested;

use crate::{Design, PlanError, Splits, Table, Unit, parallel};

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// What is done and what there is, in units of work that take about the same time each.
    pub work: (f64, f64),
    /// The unit that was just done.
    pub unit: &'a Unit,
}

/// Carries out a design on the tables of its sets, in the same order, and hands out each unit as it is done.
///
/// `done` are units of an earlier run that need not be done again. Units come back in the order of the design (sets,
/// then repeats, then variants), whatever the number of threads, and except for the times they are the same in every run.
/// If `each` breaks off, no new unit is begun, and those that are under way are still handed out.
///
/// # Errors
/// [`PlanError`] if a table has too few rows for the plan. That a variant is not for a table or fails on it is no error,
/// but its outcome.
pub fn run(
    design: &Design,
    tables: &[Table],
    done: Vec<Unit>,
    threads: NonZeroUsize,
    mut each: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Vec<Unit>, PlanError> {
    // Once for each table, since all its cells are read for it.
    let keys: Vec<String> = tables.iter().map(Table::split_key).collect();
    for (table, key) in tables.iter().zip(&keys) {
        design.plan.folds_of(table, key, design.seed, 0)?;
    }
    let known: BTreeSet<(&str, &str, usize)> =
        done.iter().map(|unit| (unit.set.as_str(), unit.variant.as_str(), unit.repeat)).collect();
    let is_open = |task: &&Task<'_>| {
        !known.contains(&(task.table.name.as_str(), design.variants[task.variant].name.as_str(), task.repeat))
    };
    let all = tasks(design, tables, &keys);
    let total: f64 = all.iter().map(Task::work).sum();
    let open: Vec<&Task<'_>> = all.iter().filter(is_open).collect();
    let mut finished = total - open.iter().map(|task| task.work()).sum::<f64>();

    let results = parallel::each(
        open.len(),
        threads,
        |number| unit::run(design, open[number]),
        |number, unit| {
            let Ok(unit) = unit else { return ControlFlow::Break(()) };
            finished += open[number].work();
            each(Progress { work: (finished, total), unit })
        },
    );
    let mut units = results.into_iter().flatten().collect::<Result<Vec<_>, _>>()?;
    units.extend(done);
    let place = |unit: &Unit| {
        let set = tables.iter().position(|table| table.name == unit.set);
        let variant = design.variants.iter().position(|variant| variant.name == unit.variant);
        (set, unit.repeat, variant)
    };
    units.sort_by_cached_key(place);
    Ok(units)
}

/// One unit of work.
struct Task<'a> {
    table: &'a Table,
    key: &'a str,
    variant: usize,
    repeat: usize,
    n_folds: usize,
}

impl Task<'_> {
    /// About how long it takes.
    fn work(&self) -> f64 {
        1.0 + self.table.n_rows() as f64 * self.n_folds.min(20) as f64
    }
}

fn tasks<'a>(design: &Design, tables: &'a [Table], keys: &'a [String]) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for (table, key) in tables.iter().zip(keys) {
        let splits = Splits::new(design.plan, table);
        for repeat in 0..splits.repeats {
            let n_folds = splits.folds;
            let of_variant = |variant| Task { table, key, variant, repeat, n_folds };
            tasks.extend((0..design.variants.len()).map(of_variant));
        }
    }
    tasks
}
