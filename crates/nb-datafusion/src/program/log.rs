//! What libraries have to say, on standard error.

use log::{LevelFilter, Log, Metadata, Record};

use super::failure::say;

/// Writes what is important enough.
struct Stderr {
    ours: LevelFilter,
    others: LevelFilter,
}

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let ours = metadata.target().starts_with("nb_");
        metadata.level() <= if ours { self.ours } else { self.others }
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        if self.others == LevelFilter::Off {
            say(&record.args().to_string());
        } else {
            say(&format!("{} {}: {}", record.level(), record.target(), record.args()));
        }
    }

    fn flush(&self) {}
}

/// For a client: our own warnings, unless it is quiet. What Ballista says comes back as an error as well.
pub(crate) fn client(quiet: bool) {
    start(if quiet { LevelFilter::Off } else { LevelFilter::Warn }, LevelFilter::Off);
}

/// For a server: what everybody says, from this level on.
pub(crate) fn server(level: LevelFilter) {
    start(level, level);
}

fn start(ours: LevelFilter, others: LevelFilter) {
    log::set_max_level(ours.max(others));
    // It lives as long as the program. A second one would be refused, and change nothing.
    drop(log::set_logger(Box::leak(Box::new(Stderr { ours, others }))));
}
