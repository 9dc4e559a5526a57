//! The code for AVX-512, which valgrind cannot run: instead of the instructions that it executes, those that
//! it consists of are counted.

use std::{collections::BTreeMap, path::Path, process::Command};

use serde::{Deserialize, Serialize};

use super::instructions::output;

/// The functions that compile a kernel for AVX-512, without and with IFMA. Symbols do not name the kernel, so
/// that the copies are identified by their sizes.
const FUNCTIONS: [&str; 2] = ["run_avx512", "run_avx512_ifma"];

/// What a copy consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Size {
    /// All instructions.
    pub(super) instructions: u64,
    /// Those on vectors of 512 bits.
    pub(super) zmm: u64,
    /// Calls of other functions.
    pub(super) calls: u64,
}

/// The copies of each function, the smallest first.
pub(super) type Sizes = BTreeMap<String, Vec<Size>>;

/// Disassembles a program.
///
/// # Errors
/// Why objdump, of the binutils that the compiler links with, does not.
pub(super) fn sizes(program: &Path) -> Result<Sizes, String> {
    let text = output(Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(program))?;
    Ok(parse(&text))
}

/// Counts in what objdump prints: a line `0000 <symbol>:` before each function, and a line with a tab for
/// each instruction.
fn parse(text: &str) -> Sizes {
    let mut sizes = Sizes::new();
    let mut within: Option<(&str, Size)> = None;
    for line in text.lines().chain([""]) {
        if let Some(symbol) =
            line.strip_suffix(">:").and_then(|line| line.split_once('<')).map(|(_, symbol)| symbol)
        {
            finish(&mut sizes, within.take());
            within = function(symbol).map(|function| (function, Size::default()));
        } else if let (Some((_, size)), Some((_, instruction))) = (&mut within, line.split_once(":\t")) {
            size.instructions += 1;
            size.zmm += u64::from(instruction.contains("%zmm"));
            size.calls += u64::from(instruction.starts_with("call"));
        }
    }
    finish(&mut sizes, within);
    for copies in sizes.values_mut() {
        copies.sort_unstable();
    }
    sizes
}

fn finish(sizes: &mut Sizes, function: Option<(&str, Size)>) {
    if let Some((name, size)) = function {
        sizes.entry(name.to_owned()).or_default().push(size);
    }
}

/// The function that a mangled symbol is a copy of: its name stands behind its length.
fn function(symbol: &str) -> Option<&'static str> {
    FUNCTIONS.into_iter().find(|name| symbol.contains(&format!("{}{name}17h", name.len())))
}

/// How the copies differ from those that are stored: other numbers of copies, copies with more instructions
/// than `tolerance` allows, and more calls in all of them. The calls of a copy are not compared: a copy that
/// has become smaller takes another place in the order, where the neighbours' calls would be held against
/// those of another kernel.
pub(super) fn grown(now: &Sizes, stored: &Sizes, tolerance: f64) -> Vec<String> {
    let mut complaints = Vec::new();
    let none = Vec::new();
    let is_more = |now: u64, then: u64| now as f64 > then as f64 * (1.0 + tolerance);
    for name in FUNCTIONS {
        let (now, then) = (now.get(name).unwrap_or(&none), stored.get(name).unwrap_or(&none));
        if now.len() != then.len() {
            complaints.push(format!(
                "{name} has {} copies, {} are stored; store the new ones by --update",
                now.len(),
                then.len()
            ));
            continue;
        }
        for (copy, (now, then)) in now.iter().zip(then).enumerate() {
            if is_more(now.instructions, then.instructions) {
                complaints.push(format!(
                    "copy {copy} of {name}, by size, has {} instructions; {} are stored",
                    now.instructions, then.instructions
                ));
            }
        }
        let calls = |copies: &[Size]| copies.iter().map(|size| size.calls).sum::<u64>();
        if is_more(calls(now), calls(then)) {
            complaints.push(format!("{name} has {} calls; {} are stored", calls(now), calls(then)));
        }
    }
    complaints
}

/// A line for each function.
pub(super) fn table(sizes: &Sizes) -> String {
    let lines = sizes.iter().map(|(name, copies)| {
        let sum = |part: fn(&Size) -> u64| copies.iter().map(part).sum::<u64>();
        format!(
            "{name}: {} copies, {} instructions, {} of them on zmm, {} calls",
            copies.len(),
            sum(|size| size.instructions),
            sum(|size| size.zmm),
            sum(|size| size.calls)
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
0000000000001000 <_ZN7nb_simd4arch6avx51210run_avx51217h0123E>:
    1000:\tvaddpd %zmm0,%zmm1,%zmm2
    1006:\tcall   2000 <other>
    100b:\tret

0000000000002000 <other>:
    2000:\tvaddpd %zmm0,%zmm1,%zmm2

0000000000003000 <_ZN7nb_simd4arch11avx512_ifma15run_avx512_ifma17h4567E>:
    3000:\tret
";

    #[test]
    fn copies_are_counted_and_others_are_not() {
        let sizes = parse(TEXT);
        let size = |instructions, zmm, calls| vec![Size { instructions, zmm, calls }];
        assert_eq!(sizes.get("run_avx512"), Some(&size(3, 1, 1)));
        assert_eq!(sizes.get("run_avx512_ifma"), Some(&size(1, 0, 0)));
        assert_eq!(sizes.len(), 2);
    }

    #[test]
    fn a_copy_that_becomes_smaller_moves_and_is_no_complaint() {
        let sizes = |copies: &[(u64, u64)]| {
            let copies = copies.iter().map(|&(instructions, calls)| Size { instructions, zmm: 0, calls });
            Sizes::from([("run_avx512".into(), copies.collect())])
        };
        let stored = sizes(&[(100, 9), (110, 1), (120, 9)]);
        let smaller = sizes(&[(90, 9), (100, 9), (110, 1)]);
        assert_eq!(grown(&smaller, &stored, 0.05), [""; 0]);
    }

    #[test]
    fn more_instructions_calls_or_copies_are_named() {
        let sizes = |instructions, calls| {
            Sizes::from([("run_avx512".into(), vec![Size { instructions, zmm: 50, calls }])])
        };
        let stored = sizes(100, 1);
        for (now, complaints) in
            [(sizes(105, 1), 0), (sizes(90, 0), 0), (sizes(106, 1), 1), (sizes(100, 2), 1)]
        {
            assert_eq!(grown(&now, &stored, 0.05).len(), complaints, "{now:?}");
        }
        assert!(grown(&Sizes::new(), &stored, 0.05)[0].contains("0 copies, 1 are stored"));
    }
}
