//! Carrying a design out: all units, on all threads.

mod journal;
mod sets;
mod tested;
mod unit;

use std::{collections::BTreeSet, num::NonZeroUsize, ops::ControlFlow};

pub use journal::{Journal, JournalError};
pub(crate) use tested::{Tested, Wanted};

use crate::{Condition, Design, PlanError, Splits, Table, Unit, parallel};

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
/// `done` are units of an earlier run that need not be done again. Units come back in the order of the design
/// (sets, then repeats, then variants, then conditions of its experiment), whatever the number of threads,
/// and except for the times they are the same in every run.
/// If `each` breaks off, no new unit is begun, and those that are under way are still handed out.
///
/// # Errors
/// [`PlanError`] if a table has too few rows for the plan, or splits that its experiment does not use. That a
/// variant is not for a table or fails on it is no error, but its outcome.
pub fn run(
    design: &Design,
    tables: &[Table],
    done: Vec<Unit>,
    threads: NonZeroUsize,
    mut each: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Vec<Unit>, PlanError> {
    // Once for each table, since all its cells are read for it.
    let keys: Vec<String> = tables.iter().map(Table::split_key).collect();
    let mut conditions = Vec::with_capacity(tables.len());
    for (table, key) in tables.iter().zip(&keys) {
        design.plan.folds_of(table, key, design.seed, 0)?;
        conditions.push(design.conditions(table, key)?);
    }
    let known: BTreeSet<_> = done.iter().map(Unit::key).collect();
    let is_open = |task: &&Task<'_>| {
        let mut keys = task.conditions.iter().map(|condition| task.unit_key(design, *condition));
        keys.any(|key| !known.contains(&key))
    };
    let all = tasks(design, tables, &keys, &conditions);
    let total: f64 = all.iter().map(Task::work).sum();
    let open: Vec<&Task<'_>> = all.iter().filter(is_open).collect();
    let mut finished = total - open.iter().map(|task| task.work()).sum::<f64>();

    let results = parallel::each(
        open.len(),
        threads,
        |number| {
            let mut units = unit::run(design, open[number])?;
            units.retain(|unit| !known.contains(&unit.key()));
            Ok::<_, PlanError>(units)
        },
        |number, units| {
            let Ok(units) = units else { return ControlFlow::Break(()) };
            finished += open[number].work();
            let mut flow = ControlFlow::Continue(());
            for unit in units {
                if each(Progress { work: (finished, total), unit }).is_break() {
                    flow = ControlFlow::Break(());
                }
            }
            flow
        },
    );
    let units = results.into_iter().flatten().collect::<Result<Vec<_>, _>>()?;
    let mut units: Vec<Unit> = units.into_iter().flatten().collect();
    units.extend(done);
    let place = |unit: &Unit| {
        let set = tables.iter().position(|table| table.name == unit.set);
        let variant = design.variants.iter().position(|variant| variant.name == unit.variant);
        let condition = set.and_then(|set| conditions[set].iter().position(|other| *other == unit.condition));
        (set, unit.repeat, variant, condition)
    };
    units.sort_by_cached_key(place);
    Ok(units)
}

/// The units that are done together: those of all conditions.
struct Task<'a> {
    table: &'a Table,
    key: &'a str,
    conditions: &'a [Condition],
    variant: usize,
    repeat: usize,
    n_folds: usize,
}

impl Task<'_> {
    /// About how long it takes.
    fn work(&self) -> f64 {
        let n_trained = self.n_folds.min(20) * self.conditions.len();
        1.0 + self.table.n_rows() as f64 * n_trained as f64
    }

    fn unit_key(&self, design: &Design, condition: Condition) -> (String, String, usize, String) {
        let variant = &design.variants[self.variant].name;
        (self.table.name.clone(), variant.clone(), self.repeat, condition.to_string())
    }
}

fn tasks<'a>(
    design: &Design,
    tables: &'a [Table],
    keys: &'a [String],
    conditions: &'a [Vec<Condition>],
) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for ((table, key), conditions) in tables.iter().zip(keys).zip(conditions) {
        let splits = Splits::new(design.plan, table);
        for repeat in 0..splits.repeats {
            let n_folds = splits.folds;
            let of_variant = |variant| Task { table, key, conditions, variant, repeat, n_folds };
            tasks.extend((0..design.variants.len()).map(of_variant));
        }
    }
    tasks
}
