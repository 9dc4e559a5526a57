//! `cargo xtask bench --quality`: how good our answers are beside those of independent programs, on the same
//! rows and folds.

mod answers;
mod contenders;
mod curves;
mod data;
mod measure;
mod ours;
mod packages;
mod page;
mod python;
mod score;
mod summary;
mod tables;
mod trained;
mod view;
mod words;

use std::{fs, path::Path};

use super::{
    Print, machine,
    options::Quality,
    setup::{root, target},
};
use answers::{Answers, Times};
use contenders::{CONTENDERS, Contender};
use data::Data;
use packages::Packages;
use python::Python;
use score::Score;

/// What came of a contender on one data set in one repeat.
#[derive(Debug)]
struct Outcome {
    /// The measures, or why there are none.
    score: Result<Score, String>,
    times: Times,
}

/// What came of a contender: for each data set, of each repeat that it was run in.
#[derive(Debug)]
struct Outcomes {
    contender: Contender,
    of_sets: Vec<Vec<Outcome>>,
}

/// Compares all contenders, and writes the page unless only some data sets are wanted.
///
/// # Errors
/// What could not be installed, trained or written.
pub(super) fn run(options: &Quality, progress: Print<'_>, print: Print<'_>) -> Result<(), String> {
    progress("installing packages with data sets");
    let packages = Packages::new()?;
    let sets = data::listed().into_iter().filter(|set| options.wants(set.name));
    let sets = sets.map(|set| Data::load(set, &packages, options.repeats));
    let sets = sets.collect::<Result<Vec<_>, _>>()?;
    progress("installing the contenders written for Python");
    let python = Python::new(&sets)?;
    let folder = target().join("bench-quality/answers");
    let mut kept = Vec::new();
    for &contender in
        CONTENDERS.iter().filter(|contender| !options.without.iter().any(|name| name == contender.name))
    {
        kept.push((contender, answers_of(contender, &python, &folder)?));
    }
    let most = sets.iter().map(|set| set.repeats.len()).max().unwrap_or(0);
    // A run that is interrupted has what is quick first, and all contenders in the first repeats.
    for is_slow in [false, true] {
        for repeat in 0..most {
            for (contender, kept) in kept.iter().filter(|(contender, _)| contender.is_slow == is_slow) {
                ask(*contender, kept, &sets, repeat, &python, options.is_kept_only, progress)?;
            }
        }
    }
    let outcomes: Vec<Outcomes> = kept
        .iter()
        .map(|&(contender, ref kept)| Outcomes {
            contender,
            of_sets: sets.iter().map(|set| outcomes(kept, set)).collect(),
        })
        .collect();
    let page = page::Page {
        sets: &sets,
        outcomes: &outcomes,
        repeats: options.repeats,
        command: options.command(),
        versions: python.versions(),
        machine: machine::describe(),
    };
    if options.only.is_empty() {
        fs::write(root().join("docs/quality.md"), page.text()?)
            .map_err(|error| format!("docs/quality.md cannot be written: {error}"))?;
        print(&page.summary()?);
    } else {
        print(&page.summary()?);
        print(&page.tables());
        print("docs/quality.md is left alone: it takes all data sets.");
    }
    Ok(())
}

/// Where the answers of a contender are kept. Those of our own are of this program, so that none is of code
/// that has changed.
fn answers_of(contender: Contender, python: &Python, folder: &Path) -> Result<Answers, String> {
    if contender.ours.is_none() {
        return Answers::new(&folder.join("others"), contender.key, python.fingerprint(contender.key)?);
    }
    let program = std::env::current_exe().and_then(fs::read).map_err(|error| error.to_string())?;
    Answers::new(&folder.join("ours"), contender.key, &nb_datasets::sha256_hex(&program))
}

/// Asks a contender for what is not known.
fn ask(
    contender: Contender,
    kept: &Answers,
    sets: &[Data],
    repeat: usize,
    python: &Python,
    is_kept_only: bool,
    progress: Print<'_>,
) -> Result<(), String> {
    let is_wanted = |set: &&Data| {
        let n_repeats = contender.n_repeats(set);
        contender.is_for(set.group) && repeat < n_repeats && kept.read(set, repeat).is_none()
    };
    let wanted: Vec<&Data> = sets.iter().filter(is_wanted).collect();
    let Some(ours) = contender.ours else {
        let wanted: Vec<_> = wanted.into_iter().map(|set| (set, repeat)).collect();
        return if is_kept_only { Ok(()) } else { python.answer(contender.key, &wanted, kept, progress) };
    };
    for set in wanted {
        progress(&format!("{}: {}, split {}", contender.name, set.key(), repeat + 1));
        kept.write(set, repeat, &ours.answer(set, repeat))?;
    }
    Ok(())
}

/// What is known of a contender on a data set, up to the first repeat that is not.
fn outcomes(kept: &Answers, set: &Data) -> Vec<Outcome> {
    let all = (0..set.repeats.len()).map_while(|repeat| {
        Some(match kept.read(set, repeat)? {
            Ok(answer) => {
                Outcome { score: score::score(set, repeat, &answer.log_probabilities), times: answer.times }
            }
            Err(reason) => Outcome { score: Err(reason), times: Times::default() },
        })
    });
    all.collect()
}

/// Whether there is a data set of this name in the comparison, or which there are.
pub(super) fn check(name: &str) -> Result<(), String> {
    let all: Vec<&str> = data::listed().iter().map(|set| set.name).collect();
    if all.contains(&name) {
        return Ok(());
    }
    Err(format!("there is no data set {name:?} in the comparison, only {}", all.join(", ")))
}

/// Whether there is a contender of this name, or which there are.
pub(super) fn check_contender(name: &str) -> Result<(), String> {
    if CONTENDERS.iter().any(|contender| contender.name == name) {
        return Ok(());
    }
    let all: Vec<&str> = CONTENDERS.iter().map(|contender| contender.name).collect();
    Err(format!("there is no contender {name:?}, only {}", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An embedded set of the comparison, split once.
    pub(super) fn embedded(name: &str) -> Data {
        let listed = data::listed().into_iter().find(|set| set.name == name).expect(name);
        Data::load(listed, &Packages::none(), 1).expect(name)
    }
}
