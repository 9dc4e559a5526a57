//! `cargo xtask fuzz`: random stories of models, each step compared with a model trained again from the rows
//! that are left.
//!
//! A story draws a family with hyper-parameters, extreme ones among them, and then adds, removes, merges,
//! scales, stores and reads rows and models in random order. After each step the model must be, bit for bit,
//! the one that training on the rows makes; refusals must change nothing; scores are never not-a-number, and
//! probabilities add up to one.

#[cfg(test)]
mod bytes;
mod draw;
mod story;

use std::{
    panic::catch_unwind,
    time::{Duration, Instant},
};

use crate::splitmix::SplitMix64;
use draw::{Draw, Numbers};

/// How long to go on, and where to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    seconds: u64,
    seed: u64,
}

impl Options {
    /// From the arguments of the command.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self { seconds: 60, seed: 1 };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = match (name.as_str(), rest.next()) {
                ("--seconds", Some(value)) => (&mut options.seconds, value),
                ("--seed", Some(value)) => (&mut options.seed, value),
                ("--seconds" | "--seed", None) => return Err(format!("{name} needs a number")),
                (other, _) => return Err(format!("fuzz takes no {other:?}")),
            };
            *value.0 = value.1.parse().map_err(|_| format!("{name} takes a number, not {:?}", value.1))?;
        }
        Ok(options)
    }
}

impl Numbers for SplitMix64 {
    fn next_u64(&mut self) -> u64 {
        self.next_u64()
    }

    fn real(&mut self) -> f64 {
        self.normal()
    }
}

/// Tells the story of a seed.
fn tell(seed: u64) -> Result<usize, String> {
    story::tell(Draw(Box::new(SplitMix64(seed))))
}

/// Tells stories until the time is over, or one goes wrong.
pub(crate) fn run(options: Options, say: &mut dyn FnMut(&str)) -> Result<(), String> {
    let start = Instant::now();
    let (mut seed, mut n_steps) = (options.seed, 0);
    loop {
        let told = catch_unwind(|| tell(seed));
        match told {
            Ok(Ok(steps)) => n_steps += steps,
            Ok(Err(problem)) => return Err(format!("{problem} (--seconds 0 --seed {seed})")),
            Err(_) => return Err(format!("a panic (--seconds 0 --seed {seed})")),
        }
        if start.elapsed() >= Duration::from_secs(options.seconds) {
            break;
        }
        seed = seed.wrapping_add(1);
    }
    let n_stories = seed.wrapping_sub(options.seed) + 1;
    say(&format!("{n_stories} stories with {n_steps} steps: each model is that of training on its rows"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_stories_end_well() {
        for seed in 0..200 {
            tell(seed).unwrap_or_else(|problem| panic!("{problem} (seed {seed})"));
        }
    }

    /// What the coverage-guided fuzzer has found worth keeping.
    #[test]
    fn stories_of_the_corpus_end_well() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/nb-io/fuzz/corpus/story");
        let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        assert!(files.len() > 20, "{folder} has {} files", files.len());
        for file in files {
            let given = bytes::Bytes(std::fs::read(&file).unwrap().into_iter());
            story::tell(Draw(Box::new(given)))
                .unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
        }
    }

    #[test]
    fn options_are_read() {
        let parse = |arguments: &[&str]| {
            Options::parse(&arguments.iter().map(|&argument| argument.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(parse(&["--seed", "7"]), Ok(Options { seconds: 60, seed: 7 }));
        assert!(
            parse(&["--seed"]).is_err()
                && parse(&["--speed", "7"]).is_err()
                && parse(&["--seed", "x"]).is_err()
        );
    }
}
