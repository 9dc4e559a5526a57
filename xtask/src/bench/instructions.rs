//! `cargo xtask bench --instructions`: has a kernel become slower? Instructions are counted, which repeat
//! exactly, instead of times, which do not.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

use serde::{Deserialize, Serialize};

use super::{
    Print,
    disassembly::{self, Sizes},
    setup::{cargo, root, run as run_command, target},
};

/// By how much a count may grow before it is an error.
const TOLERANCE: f64 = 0.05;

/// The stored counts, and what they depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    /// The compiler that they hold for.
    compiler: String,
    /// The vectors that the kernels found under valgrind.
    vectors: String,
    /// Instructions by kernel.
    kernels: BTreeMap<String, u64>,
    /// What the copies of kernels for AVX-512 consist of.
    avx512: Sizes,
}

/// Whether counting is possible here.
pub(crate) fn available() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Counts, and compares with the stored counts or stores them.
///
/// # Errors
/// Which counts have grown, or why they could not be counted.
pub(crate) fn run(update: bool, print: Print<'_>) -> Result<(), String> {
    if !available() {
        return Err(
            "valgrind is not installed, and nothing else here counts instructions; install the package \
                    valgrind, or leave this check out"
                .into(),
        );
    }
    let (counts, file) = (count(print)?, root().join("benches/instructions.json"));
    if update {
        let json = serde_json::to_string_pretty(&counts).map_err(|error| error.to_string())?;
        fs::write(&file, json + "\n").map_err(|error| format!("{}: {error}", file.display()))?;
        print(&table(&counts, None));
        print("benches/instructions.json holds these counts now");
        return Ok(());
    }
    let stored = fs::read_to_string(&file).map_err(|error| format!("benches/instructions.json: {error}"))?;
    let stored: Counts =
        serde_json::from_str(&stored).map_err(|error| format!("benches/instructions.json: {error}"))?;
    print(&table(&counts, Some(&stored)));
    if let Some(why) = incomparable(&counts, &stored) {
        print(&format!(
            "NOT COMPARED: {why}. Store new counts by `cargo xtask bench --instructions --update`."
        ));
        return Ok(());
    }
    let mut grown = grown(&counts, &stored);
    grown.extend(disassembly::grown(&counts.avx512, &stored.avx512, TOLERANCE));
    if grown.is_empty() { Ok(()) } else { Err(grown.join("\n")) }
}

/// Why counts cannot be compared, if they cannot.
fn incomparable(counts: &Counts, stored: &Counts) -> Option<String> {
    let other = |what: &str, now: &str, then: &str| {
        (now != then).then(|| format!("the counts were stored with {what} {then:?}, and this is {now:?}"))
    };
    other("the compiler", &counts.compiler, &stored.compiler)
        .or_else(|| other("the vectors", &counts.vectors, &stored.vectors))
}

/// The kernels that take more than 5 % more instructions than stored, or that are in one of the lists only.
fn grown(counts: &Counts, stored: &Counts) -> Vec<String> {
    let mut complaints = Vec::new();
    for (kernel, &now) in &counts.kernels {
        match stored.kernels.get(kernel) {
            Some(&then) if now as f64 > then as f64 * (1.0 + TOLERANCE) => complaints.push(format!(
                "{kernel} takes {now} instructions, {:.1} % more than the {then} that are stored; make it faster, \
                 or store the count with the reason by --update",
                100.0 * (now as f64 / then as f64 - 1.0)
            )),
            Some(_) => {}
            None => complaints.push(format!("{kernel} has no stored count; add it by --update")),
        }
    }
    let gone = stored.kernels.keys().filter(|kernel| !counts.kernels.contains_key(*kernel));
    complaints.extend(gone.map(|kernel| format!("{kernel} is stored and not counted; drop it by --update")));
    complaints
}

fn count(print: Print<'_>) -> Result<Counts, String> {
    let build = ["build", "--release", "--quiet", "--package", "benches", "--bin", "instructions"];
    // Crates that are compiled in small parts have other counts.
    run_command(cargo().args(build).env("CARGO_INCREMENTAL", "0"))?;
    let program = target().join("release/instructions");
    let binary = fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    let calls = calls(&binary);
    if !calls.is_empty() {
        return Err(format!(
            "vector instructions are functions of their own, which takes many times as long: {}. Closures that \
             iterators and arrays are given need not be compiled with the instructions of the caller: write loops",
            calls.join(", ")
        ));
    }
    let list = output(Command::new(&program).arg("list"))?;
    let vectors =
        output(Command::new("valgrind").args(["--tool=none", "--quiet"]).arg(&program).arg("vectors"))?;
    print(&format!("each kernel runs on one thread; valgrind runs these vectors: {}", vectors.trim()));
    let kernels = count_all(&program, &list)?;
    let compiler = output(Command::new("rustc").arg("--version"))?;
    let avx512 = disassembly::sizes(&program)?;
    Ok(Counts { compiler: compiler.trim().into(), vectors: vectors.trim().into(), kernels, avx512 })
}

/// The instructions of each kernel of a list. Counts do not depend on what runs beside, so that each thread
/// takes the next kernel.
fn count_all(program: &PathBuf, list: &str) -> Result<BTreeMap<String, u64>, String> {
    let next = Mutex::new(list.lines());
    let work = || -> Result<BTreeMap<String, u64>, String> {
        let mut counts = BTreeMap::new();
        loop {
            let kernel = next.lock().map_err(|_| "a thread failed")?.next();
            let Some(kernel) = kernel else { return Ok(counts) };
            let (all, baseline) =
                (instructions(program, &[kernel])?, instructions(program, &[kernel, "baseline"])?);
            counts.insert(kernel.to_string(), all.saturating_sub(baseline));
        }
    };
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let mut all = BTreeMap::new();
        for thread in threads {
            all.extend(thread.join().map_err(|_| "a thread failed")??);
        }
        Ok(all)
    })
}

/// The symbols of a program that are vector instructions, made functions because where they stand in the
/// source the compiler had no leave to use them. With AVX2, posteriors took a quarter to two fifths longer
/// for a few of them. Only kernels that are counted are in the program.
fn calls(program: &[u8]) -> Vec<String> {
    let symbols = program.split(|&byte| byte == 0).map(String::from_utf8_lossy);
    let mut calls: Vec<String> = symbols
        .filter(|symbol| symbol.contains("core_arch") && symbol.contains("_mm"))
        .map(std::borrow::Cow::into_owned)
        .collect();
    calls.sort();
    calls.dedup();
    calls
}

/// How many instructions a program runs through.
fn instructions(program: &PathBuf, arguments: &[&str]) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        // Variables of the environment are copied when a program starts, and would be counted.
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()
        .map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{} failed under valgrind: {report}", arguments.join(" ")));
    }
    total(&report).ok_or_else(|| format!("valgrind says no number of instructions: {report}"))
}

/// The number in valgrind's line `==1== I refs: 1,234,567`.
fn total(report: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains("I ") && line.contains("refs:"))?;
    line.rsplit_once(':')?.1.trim().replace(',', "").parse().ok()
}

pub(super) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| {
        format!("{} cannot be started: {error}", Path::new(command.get_program()).display())
    })?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn table(counts: &Counts, stored: Option<&Counts>) -> String {
    let mut lines = vec![format!("{:<24}{:>16}{:>16}{:>10}", "kernel", "instructions", "stored", "change")];
    for (kernel, &now) in &counts.kernels {
        let then = stored.and_then(|stored| stored.kernels.get(kernel));
        let (then, change) = match then {
            Some(&then) => (then.to_string(), format!("{:+.2} %", 100.0 * (now as f64 / then as f64 - 1.0))),
            None => ("–".into(), "–".into()),
        };
        lines.push(format!("{kernel:<24}{now:>16}{then:>16}{change:>10}"));
    }
    lines.push(disassembly::table(&counts.avx512));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(kernels: &[(&str, u64)]) -> Counts {
        let kernels = kernels.iter().map(|&(name, count)| (name.to_string(), count)).collect();
        Counts { compiler: "rustc 1".into(), vectors: "avx2".into(), kernels, avx512: Sizes::new() }
    }

    #[test]
    fn five_percent_more_is_allowed_and_no_more() {
        let stored = counts(&[("a", 1000)]);
        for (now, complaints) in [(900, 0), (1000, 0), (1050, 0), (1051, 1)] {
            assert_eq!(grown(&counts(&[("a", now)]), &stored).len(), complaints, "{now}");
        }
    }

    #[test]
    fn kernels_come_and_go_by_name() {
        let complaints = grown(&counts(&[("new", 1)]), &counts(&[("old", 1)]));
        assert_eq!(complaints.len(), 2);
        assert!(complaints[0].contains("new has no stored count"), "{complaints:?}");
        assert!(complaints[1].contains("old is stored"), "{complaints:?}");
    }

    #[test]
    fn another_compiler_or_vectors_are_not_compared() {
        let stored = counts(&[]);
        assert_eq!(incomparable(&stored, &stored), None);
        let compiler = Counts { compiler: "rustc 2".into(), ..stored.clone() };
        assert!(incomparable(&compiler, &stored).is_some_and(|why| why.contains("rustc 2")));
        let vectors = Counts { vectors: "sse2".into(), ..stored.clone() };
        assert!(incomparable(&vectors, &stored).is_some_and(|why| why.contains("sse2")));
    }

    #[test]
    fn instructions_that_are_functions_are_found() {
        let program = b"\0_ZN4core9core_arch3x863avx13_mm256_cmp_pd17h1E\0\xFFcode\0_ZN4core9core_arch3x865xsave7_xgetbvE\0";
        assert_eq!(calls(program), ["_ZN4core9core_arch3x863avx13_mm256_cmp_pd17h1E"]);
        assert!(calls(b"_mm256_cmp_pd\0core_arch\0").is_empty());
    }

    #[test]
    fn the_total_is_found() {
        assert_eq!(total("==1== Cachegrind\n==1== \n==1== I refs:        1,234,567\n"), Some(1_234_567));
        assert_eq!(total("==1== I   refs:      12\n"), Some(12));
        assert_eq!(total("nothing"), None);
    }
}
