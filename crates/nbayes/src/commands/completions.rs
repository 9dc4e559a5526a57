//! `nbayes completions`: completions for a shell.

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
        Ok(std::io::Write::write_all(&mut std::io::stdout().lock(), &script)?)
    }
}
