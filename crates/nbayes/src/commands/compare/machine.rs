//! The machine, as readers of times need to know it.

use nb_core::simd::InstructionSet;

/// Processor, number of processors, the widest instruction set in use, and the system.
pub(super) fn describe() -> String {
    let processor = processor().unwrap_or_else(|| std::env::consts::ARCH.into());
    let n = std::thread::available_parallelism().map_or(1, usize::from);
    let widest = InstructionSet::ALL.into_iter().rfind(|set| set.is_available());
    format!(
        "{processor}, {n} processor{}, {}, {}",
        if n == 1 { "" } else { "s" },
        widest.map_or("", InstructionSet::name),
        std::env::consts::OS
    )
}

/// Its model, where the system has a file that says it.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find_map(|(name, value)| (name.trim() == "model name").then(|| value.trim().to_owned()))
}
