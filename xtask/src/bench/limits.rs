//! What the machine allows: asked from its own process, between the turns of the contenders.

use std::{collections::BTreeMap, process::Command, time::Duration};

use serde_json::Value;

use super::{
    process::Process,
    workloads::{Bound, Meta, Need},
};

/// The best rates seen so far.
#[derive(Debug)]
pub(crate) struct Limits {
    process: Process,
    /// By the command that measures it, per second.
    rates: BTreeMap<String, f64>,
}

impl Limits {
    /// Starts the process that measures.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start(mut program: Command) -> Result<Self, String> {
        Ok(Self { process: Process::start(program.args(["serve", "limits", "."]))?, rates: BTreeMap::new() })
    }

    /// Measures what an operation needs, and the same reading on two threads, once more. The best of all
    /// times counts, because whatever disturbs makes it worse.
    pub(crate) fn visit(&mut self, bound: Bound, meta: &Meta) {
        for need in bound.needs(meta).into_iter().flatten() {
            self.measure(&command(need, 1));
            if let Need::Bytes(..) = need {
                self.measure(&command(need, 2));
            }
        }
    }

    fn measure(&mut self, command: &str) {
        let answer = self.process.ask(command, Duration::from_secs(60));
        if let Some(rate) = answer.ok().and_then(|answer| answer.get("rate").and_then(Value::as_f64)) {
            let best = self.rates.entry(command.into()).or_insert(0.0);
            *best = best.max(rate);
        }
    }

    /// The least time that an operation can take on one thread, in seconds; `None` if there is no bound.
    pub(crate) fn least_seconds(&self, bound: Bound, meta: &Meta) -> Option<f64> {
        let seconds = bound.needs(meta).into_iter().map(|needs| self.seconds(&needs));
        seconds.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
    }

    /// How long these take one after the other; `None` if one was not measured.
    fn seconds(&self, needs: &[Need]) -> Option<f64> {
        let seconds = needs.iter().map(|&need| {
            let rate = self.rates.get(&command(need, 1)).copied()?;
            let (Need::Bytes(amount, _)
            | Need::MultiplyAdds(amount)
            | Need::SingleMultiplyAdds(amount)
            | Need::CompensatedTerms(amount)
            | Need::Increments(amount)) = need;
            Some(amount / rate)
        });
        seconds.sum()
    }

    /// Read bandwidths: the size of the array, and bytes per second on one and on two threads.
    pub(crate) fn reads(&self) -> Vec<(f64, f64, f64)> {
        let mut reads = Vec::new();
        for (command, &rate) in &self.rates {
            let words: Vec<&str> = command.split(' ').collect();
            if let ["read", bytes, "1"] = words[..] {
                let two = self.rates.get(&format!("read {bytes} 2")).copied().unwrap_or(f64::NAN);
                reads.push((bytes.parse().unwrap_or(f64::NAN), rate, two));
            }
        }
        reads.sort_by(|one: &(f64, f64, f64), other| one.0.total_cmp(&other.0));
        reads
    }

    /// The rates of everything else, by name.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, f64)> {
        let rates = self.rates.iter().filter(|(command, _)| !command.starts_with("read "));
        rates.map(|(command, &rate)| (command.as_str(), rate))
    }
}

fn command(need: Need, threads: usize) -> String {
    match need {
        Need::Bytes(_, size) => format!("read {size:.0} {threads}"),
        Need::MultiplyAdds(_) => "multiply-adds".into(),
        Need::SingleMultiplyAdds(_) => "single-multiply-adds".into(),
        Need::CompensatedTerms(_) => "compensated-terms".into(),
        Need::Increments(_) => "increments".into(),
    }
}
