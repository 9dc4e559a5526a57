//! Which instruction sets the tests run: one that the processor lacks passes every test without having been
//! tested.

use std::io::Write;

use nb_core::{Gaussian, NaiveBayes, simd::InstructionSet};
use ndarray::Array2;

/// Names of sets, separated by commas, that must run, whatever the processor says of itself.
const EXPECTED: &str = "NB_EXPECTED_INSTRUCTIONS";

/// What `cargo xtask ci` looks for.
const RAN: &str = "instruction sets that ran: ";

/// The sets that the system says the processor has, which is not asked in the way in which the library asks.
fn promised() -> Vec<InstructionSet> {
    let system = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = system.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let flags: Vec<&str> = line.split_whitespace().collect();
    let has = |names: &[&str]| names.iter().all(|name| flags.contains(name));
    let mut promised = vec![InstructionSet::Portable];
    let wider: [(InstructionSet, &[&str]); 3] = [
        (InstructionSet::Avx2, &["avx2", "fma"]),
        (InstructionSet::Avx512, &["avx512f", "avx512vl", "avx512dq", "avx512bw"]),
        (InstructionSet::Avx512Ifma, &["avx512ifma"]),
    ];
    for (set, names) in wider {
        if cfg!(target_arch = "x86_64") && has(names) {
            promised.push(set);
        } else {
            break;
        }
    }
    promised
}

#[test]
fn every_set_of_the_processor_runs() {
    let x = Array2::from_shape_fn((300, 12), |(row, column)| ((row * 31 + column * 17) % 101) as f64 / 8.0);
    let y: Vec<usize> = (0..300).map(|row| row % 3).collect();
    for set in InstructionSet::ALL {
        set.with(|| {
            assert_eq!(InstructionSet::current() == set, set.is_available());
            let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("valid rows");
            classifier.predict(&x).expect("valid rows");
        });
    }
    if !cfg!(debug_assertions) {
        return;
    }
    let ran: Vec<InstructionSet> = InstructionSet::ran().collect();
    let names = |sets: &[InstructionSet]| sets.iter().map(|set| set.name()).collect::<Vec<_>>().join(", ");
    // Past the test harness, which keeps what tests print.
    writeln!(std::io::stdout(), "\n{RAN}{}", names(&ran)).expect("an open output");
    let promised = promised();
    assert!(
        promised.iter().all(|set| ran.contains(set)),
        "this processor has {}, and {} ran",
        names(&promised),
        names(&ran)
    );
    let expected = std::env::var(EXPECTED).unwrap_or_default();
    for name in expected.split(',').filter(|name| !name.is_empty()) {
        assert!(
            ran.iter().any(|set| set.name() == name),
            "{EXPECTED} promises {name}, which is not among the sets that ran: {}",
            names(&ran)
        );
    }
}
