//! A contender as a process that is kept alive: commands come in as lines, answers go out as lines of JSON.
//!
//! `load NAME` reads a data set, `run OPERATION REPEATS` does something with it, `drop` frees it. With zero
//! repeats an operation warms up, and the answer says how often to repeat it to fill a turn.

use std::{
    io::{self, BufRead},
    path::Path,
};

use serde_json::{Value, json};

use crate::{
    arrays::Data,
    ferrolearn, limits, linfa_bayes, ours, plain, scry, smart,
    task::{Check, Task},
    usage::Usage,
};

/// What a turn takes at least, in seconds: processor time is counted in ticks of a few milliseconds.
const TURN: f64 = 0.1;

/// Prepares an operation on a data set, or says why there is none.
type Prepare = for<'a> fn(&'a Data, &str) -> Result<Task<'a>, String>;

/// Serves until standard input ends.
pub(crate) fn serve(contender: &str, folder: &Path) -> Result<(), String> {
    let prepare: Prepare = match contender {
        "limits" => return limits::serve(),
        "ours" => ours::prepare,
        "linfa" => linfa_bayes::prepare,
        "smartcore" => smart::prepare,
        "ferrolearn" => ferrolearn::prepare,
        "scry" => scry::prepare,
        "plain" => plain::prepare,
        _ => return Err(format!("there is no contender {contender:?}")),
    };
    let mut lines = io::stdin().lock().lines();
    while let Some(line) = lines.next() {
        let line = line.map_err(|error| error.to_string())?;
        match line.split_once(' ') {
            Some(("load", name)) => match Data::read(folder, name) {
                Ok(data) => {
                    answer(&json!({"ok": true}));
                    session(prepare, &data, &mut lines)?;
                }
                Err(error) => answer(&json!({"skip": error.to_string()})),
            },
            _ => answer(&json!({"skip": "no data set is loaded"})),
        }
    }
    Ok(())
}

/// Runs operations on one data set until it is dropped. Only the last operation is kept prepared.
fn session(
    prepare: Prepare,
    data: &Data,
    lines: &mut impl Iterator<Item = io::Result<String>>,
) -> Result<(), String> {
    let mut prepared: Option<(String, Task<'_>)> = None;
    for line in lines {
        let line = line.map_err(|error| error.to_string())?;
        let words: Vec<&str> = line.split(' ').collect();
        let [_, operation, repeats] = words[..] else {
            answer(&json!({"ok": true}));
            return Ok(());
        };
        if prepared.as_ref().is_none_or(|(name, _)| name != operation) {
            // The old one goes first, so that no two of them need memory.
            drop(prepared.take());
            match prepare(data, operation) {
                Ok(task) => prepared = Some((operation.into(), task)),
                Err(reason) => {
                    answer(&json!({"skip": reason}));
                    continue;
                }
            }
        }
        if let Some((_, task)) = &mut prepared {
            answer(&turn(task, repeats.parse().unwrap_or(1)));
        }
    }
    Ok(())
}

fn turn(task: &mut Task<'_>, repeats: u32) -> Value {
    if repeats > 0 {
        return to_json(&Usage::of(repeats, task).0, None, repeats);
    }
    let (first, result) = Usage::of(1, &mut *task);
    let check = result();
    // A second run: the first one met cold caches and fresh memory.
    let wall = if first.wall < TURN { Usage::of(1, task).0.wall } else { first.wall };
    to_json(&first, Some(&check), (TURN / wall.max(1e-9)).ceil().clamp(1.0, 1e6) as u32)
}

fn to_json(usage: &Usage, check: Option<&Check>, repeats: u32) -> Value {
    let mut value = json!({
        "user": usage.user, "system": usage.system, "wall": usage.wall, "faults": usage.faults, "repeats": repeats,
    });
    if let Some(check) = check {
        // Not a number has no spelling in JSON.
        value["check"] = json!(check.check.to_string());
        value["digest"] = json!(check.digest);
    }
    value
}

/// Writes one line.
pub(crate) fn answer(value: &Value) {
    println!("{value}");
}
