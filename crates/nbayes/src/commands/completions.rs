//! `nbayes completions`: completions for a shell.

use std::io::Write;

use anyhow::Result;
use clap_complete::Shell;

/// Print completions for a shell, such as `nbayes completions bash > /etc/bash_completion.d/nbayes`.
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, command: &mut clap::Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "nbayes", &mut script);
        let mut out = std::io::stdout().lock();
        Ok(out.write_all(&script).and_then(|()| out.flush())?)
    }
}
