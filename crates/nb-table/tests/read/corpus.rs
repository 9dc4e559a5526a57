//! The corpora of the fuzz targets, and many mutations of them, through what the targets do: no fuzzer
//! needed.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
};

use crate::exercise;

/// Mutations of every file.
const MUTATIONS: u64 = 2000;

/// What parsers look for.
const TOKENS: [&[u8]; 20] = [
    b"\"",
    b",",
    b"\n",
    b"\r",
    b"\r\n",
    b":",
    b"#",
    b"qid:1",
    b"nan",
    b"inf",
    b"-",
    b"1e999",
    b"18446744073709551616",
    b"{",
    b"}",
    b"(,)",
    b"'",
    b"\0\0\0\0",
    b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F",
    b"\xEF\xBB\xBF",
];

/// The generator `SplitMix64`: every mutation can be made again from its seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// A few edits; `other` is another file to take pieces from.
fn mutated(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let (place, end) = (random.below(bytes.len()), random.below(bytes.len() + 1));
        let range = place.min(end)..place.max(end);
        match random.below(7) {
            0 if !bytes.is_empty() => bytes[place] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[place] = random.next() as u8,
            2 => bytes.truncate(end),
            3 => drop(bytes.splice(place..place, TOKENS[random.below(TOKENS.len())].iter().copied())),
            4 => drop(bytes.drain(range.start..range.end.min(range.start + 16))),
            5 => {
                let piece = bytes[range.start..range.end.min(range.start + 64)].to_vec();
                drop(bytes.splice(place..place, piece));
            }
            _ => {
                let start = random.below(other.len());
                let piece = &other[start..other.len().min(start + 64)];
                drop(bytes.splice(place..place, piece.iter().copied()));
            }
        }
    }
    bytes
}

fn run(target: &str, exercise: fn(&[u8])) {
    let folder: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "nb-io", "fuzz", "corpus", target].iter().collect();
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let files: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(files.len() >= 4, "{} has only {} files", folder.display(), files.len());
    for (number, (path, bytes)) in paths.iter().zip(&files).enumerate() {
        exercise(bytes);
        for mutation in 0..MUTATIONS {
            let seed = (number as u64) << 32 | mutation;
            let mut random = Random(seed);
            let other = &files[random.below(files.len())];
            let bytes = mutated(bytes, other, &mut random);
            let outcome = catch_unwind(AssertUnwindSafe(|| exercise(&bytes)));
            assert!(
                outcome.is_ok(),
                "{}, seed {seed:#x}: {:?}",
                path.display(),
                bytes.escape_ascii().to_string()
            );
        }
    }
}

#[test]
fn csv() {
    run("csv", exercise::csv);
}

#[test]
fn svmlight() {
    run("svmlight", exercise::svmlight);
}

#[test]
fn npy() {
    run("npy", exercise::npy);
}

#[test]
fn model() {
    run("model", exercise::model);
}

#[test]
fn model_json() {
    run("model_json", exercise::model_json);
}
