//! The machine and the tools, as a reader of the figures needs to know them.

use std::{fs, path::Path, process::Command, thread};

/// Lines of `what | value`.
pub(crate) fn describe() -> Vec<(String, String)> {
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into());
    // Virtual machines may call processors of several generations by one name.
    let number = |what: &str| field("/proc/cpuinfo", what).map(|number| format!(", {what} {number}"));
    let generation: String = ["cpu family", "model"].into_iter().filter_map(number).collect();
    let vectors = field("/proc/cpuinfo", "flags").map_or("unknown", |flags| {
        let has = |name: &str| flags.split(' ').any(|flag| flag == name);
        match (has("avx512f"), has("avx2")) {
            (true, _) => "AVX-512",
            (false, true) => "AVX2",
            _ => "neither AVX2 nor AVX-512",
        }
    });
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let memory = field("/proc/meminfo", "MemTotal").and_then(|kib| {
        kib.split(' ').next()?.parse::<f64>().ok().map(|kib| format!("{:.0} GiB", kib / 1024.0 / 1024.0))
    });
    let system = field("/etc/os-release", "PRETTY_NAME").unwrap_or_else(|| std::env::consts::OS.into());
    let rustc = Command::new("rustc").arg("--version").output().ok();
    let rustc = rustc.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    vec![
        ("processor".into(), format!("{processor}{generation}, {cores} cores, {vectors}")),
        ("caches".into(), caches()),
        ("memory".into(), memory.unwrap_or_else(|| "unknown".into())),
        ("system".into(), system),
        ("compiler".into(), rustc.trim().into()),
        ("load before the run (1, 5, 15 minutes)".into(), load.join(", ")),
    ]
}

/// The value of a field in a file of lines like `name : value` or `name="value"`.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once([':', '='])?;
        (key.trim() == name).then(|| value.trim().trim_matches('"').to_string())
    })
}

fn caches() -> String {
    let folder = Path::new("/sys/devices/system/cpu/cpu0/cache");
    let read = |index: usize, what: &str| {
        let text = fs::read_to_string(folder.join(format!("index{index}/{what}"))).ok()?;
        Some(text.trim().to_string())
    };
    let caches: Vec<String> = (0..8)
        .filter_map(|index| {
            let kind = read(index, "type")?;
            let kind = if kind == "Unified" { String::new() } else { format!(" {}", kind.to_lowercase()) };
            Some(format!("L{}{kind} {}", read(index, "level")?, read(index, "size")?))
        })
        .collect();
    if caches.is_empty() { "unknown".into() } else { caches.join(", ") }
}
