//! How far a long query is: a line that is written over on a terminal, a line now and then elsewhere.

use std::{
    convert::Infallible,
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use nb_datafusion::Plans;
use tokio::time::sleep;

/// Where the time goes.
pub(crate) enum Watched<'a> {
    /// In this process, whose plans know how many rows they have read.
    Here(&'a Plans),
    /// On a cluster, which tells no numbers before it is done.
    #[cfg(feature = "cluster")]
    Cluster,
}

/// Tells how it goes until it is dropped.
pub(crate) async fn progress(watched: Watched<'_>, quiet: bool) -> Infallible {
    if quiet {
        return std::future::pending().await;
    }
    let start = Instant::now();
    let line = Line { on_terminal: io::stderr().is_terminal() };
    let (first, then) = if line.on_terminal { (1, 1) } else { (10, 30) };
    sleep(Duration::from_secs(first)).await;
    loop {
        let seconds = start.elapsed().as_secs();
        line.write(&match &watched {
            Watched::Here(plans) => {
                let n_rows = plans.rows_read();
                let rate = n_rows as f64 / start.elapsed().as_secs_f64();
                format!("{n_rows} rows read, {rate:.0}/s, {seconds} s")
            }
            #[cfg(feature = "cluster")]
            Watched::Cluster => format!("the cluster is at work, {seconds} s"),
        });
        sleep(Duration::from_secs(then)).await;
    }
}

/// Where it is shown; on a terminal it is erased at the end.
struct Line {
    on_terminal: bool,
}

impl Line {
    fn write(&self, text: &str) {
        let (before, after) = if self.on_terminal { ("\r", "\x1b[K") } else { ("", "\n") };
        drop(write!(io::stderr(), "{before}{text}{after}"));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.on_terminal {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}
