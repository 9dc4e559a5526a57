//! Checks 3 and 4: fitted models against numbers that an independent program computed with 240 bits.
//!
//! ```text
//! Reference (JSON) ─ Variant ──spec──▶ model ──fit──▶ Fitted ─┐
//!                                        ▲                    ├─▶ compare ──▶ Outcome (+ what the peers give)
//! nb-datasets ──▶ Input ──split──▶ train ┴─ evaluated rows ───┘
//! ```

mod bounds;
mod compare;
mod embedded;
mod format;
mod input;
mod labels;
mod model;
mod outcome;
mod parameters;
mod peers;
mod refused;
mod sizes;

pub(super) use format::Reference;
pub(super) use input::Input;

use std::sync::{Arc, OnceLock};

use super::check::{Check, Group, Problem};
use embedded::{PEERS, REFERENCES};
use peers::Peers;

const SOURCE: &str = "240-bit reference";

/// The reference of this name.
///
/// # Errors
/// If there is none or it cannot be read.
pub(super) fn load(name: &str) -> Result<Reference, Problem> {
    let (_, packed) = REFERENCES
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| format!("there is no reference {name:?}"))?;
    super::packed::from_gzip(name, packed)
}

/// One check for each variant of each reference.
///
/// # Errors
/// If an embedded reference cannot be read.
pub(super) fn checks() -> Result<Vec<Check>, Problem> {
    let peers: Arc<Peers> = Arc::new(super::packed::from_gzip("peers", PEERS)?);
    let mut checks = Vec::new();
    for (name, _) in REFERENCES {
        let set = Arc::new(Set { name, reference: load(name)?, input: OnceLock::new() });
        checks.extend(set.reference.variants.keys().map(|variant| check(&set, variant, &peers)));
    }
    // Stable, so that sets and variants keep their order under either heading.
    checks.sort_by_key(|check| check.group == Group::HardCases);
    Ok(checks)
}

/// A reference and its data set, which is loaded when the first of its checks runs.
struct Set {
    name: &'static str,
    reference: Reference,
    input: OnceLock<Result<Input, String>>,
}

impl Set {
    fn input(&self) -> Result<&Input, String> {
        let load = || Input::load(&self.reference).map_err(|problem| problem.to_string());
        self.input.get_or_init(load).as_ref().map_err(Clone::clone)
    }
}

fn check(set: &Arc<Set>, variant: &str, peers: &Arc<Peers>) -> Check {
    let group = if set.name.starts_with("hard_") { Group::HardCases } else { Group::References };
    let (set, peers, name) = (Arc::clone(set), Arc::clone(peers), format!("{}: {variant}", set.name));
    let variant = variant.to_owned();
    Check::new(group, name, SOURCE, move || {
        let numbers = &set.reference.variants[&variant];
        let mut outcome = outcome::of(&set.reference, numbers, set.input()?)?;
        outcome.remarks.extend(peers::remarks(&peers, set.name, &variant));
        Ok(outcome)
    })
}

#[cfg(test)]
mod tests;
